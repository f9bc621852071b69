"""Arguments of a wrong type: the evaluation functions say what they need and never fail inside a library."""

import json
from functools import partial

import ir_measures
import pandas as pd
import pytest

from ir_coliee import MicroF1, compare, score
from ir_coliee.editions import split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.evaluation.fusion import search_weights
from ir_coliee.evaluation.gold import gold
from ir_coliee.evaluation.runs import load_run
from ir_coliee.transformers import DropSelf, TopK

TRAIN = "coliee/task1/sample/train"
RUN = pd.DataFrame({"qid": ["900014"] * 2, "docno": ["900052", "900205"], "score": [2.0, 1.0]})
QRELS = pd.DataFrame({"qid": ["900014"], "docno": ["900052"], "label": [1]})
OF_IR_MEASURES = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}
QRELS_OF_IR_MEASURES = QRELS.rename(columns=OF_IR_MEASURES)
NO_FRAMES = [None, [("900014", "900052", 1.0)], RUN["score"]]


REFUSED = [
    *((fit_cutoff, [QRELS, value, MicroF1, [TopK(1)]], "must be a data frame") for value in NO_FRAMES),
    (fit_cutoff, [None, RUN, MicroF1, [TopK(1)]], "dataset of the type NoneType is not supported"),
    (fit_cutoff, [QRELS, RUN], "measure is missing"),
    (search_weights, [[RUN, None], QRELS, MicroF1], "must be a data frame"),
    *((compare, [TRAIN, value], "runs must be a list of runs or a dict") for value in (None, RUN, "a.run")),
    *(
        (partial(compare, measure=measure), [TRAIN, [RUN, RUN]], "measure must be a set measure")
        for measure in ("F1", 5)
    ),
    (compare, [TRAIN, [TopK(2), TopK(5)]], r"^run 1: A run must be a path, .*type TopK"),
    *((score, [TRAIN, value], "must be a path, a data frame or a dict, got a value of type") for value in NO_FRAMES),
    (score, [TRAIN, DropSelf() >> TopK(1)], r"type Compose\.\n.* Of a transformer, pass the results"),
    *((score, [TRAIN, {"900014": items}], "answers to query '900014' must be a list") for items in (RUN, "900052", 5)),
    (score, [TRAIN, {"900014": ["900052"], "900020": {"900077": 0.5}}], "is not a finite 32-bit number"),
    (partial(compare, answers={"a": RUN}), [TRAIN, {"a": RUN, "b": RUN}], "for each run, got none for 'b'"),
]


@pytest.mark.parametrize(("call", "arguments", "message"), REFUSED)
def test_an_argument_of_a_wrong_type_is_named(call, arguments, message):
    with pytest.raises((ColieeError, TypeError, ValueError), match=message):
        call(*arguments)


def test_a_run_without_scores_is_a_set_in_the_order_of_its_rows(tmp_path):
    items = {"900014": ["900205", "900052"], "900020": ["900077"]}
    frame = pd.DataFrame([(query, item) for query, of_query in items.items() for item in of_query])
    frame.columns = ["qid", "docno"]
    path = tmp_path / "set.json"
    path.write_text(json.dumps(items))
    figures = score(TRAIN, path).figures
    for run in (items, {query: {*of_query} for query, of_query in items.items()}, frame, frame.assign(rank=[1, 0, 0])):
        assert score(TRAIN, run).figures == figures
        assert not load_run(TRAIN, run).has_scores
        assert compare(TRAIN, {"a": run, "b": items}).value_a.tolist() == [figures["MicroF1"]]
    assert fit_cutoff(QRELS, items, MicroF1, [TopK(1), TopK(2)]) == (TopK(2), 2 / 3)
    assert fit_cutoff(QRELS, frame.assign(rank=[1, 0, 0]), MicroF1, [TopK(1), TopK(2)]) == (TopK(1), 1.0)
    at_first = ir_measures.calc_aggregate([MicroF1 @ 1], QRELS_OF_IR_MEASURES, frame.rename(columns=OF_IR_MEASURES))
    assert at_first == {MicroF1 @ 1: 0.0}


def test_a_dataset_brings_the_labels_and_the_measure_of_a_cut_off(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"900014": {"900014": 3.0, "900052": 2.0, "900205": 1.0}}))
    expected = fit_cutoff(gold(split(TRAIN)), RUN, MicroF1, [TopK(1), TopK(2)])
    assert fit_cutoff(TRAIN, path, cutoffs=[TopK(1), TopK(2)]) == expected
