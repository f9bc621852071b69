"""Arguments of a wrong type: the evaluation functions say what they need and never fail inside a library."""

import ir_measures
import numpy as np
import pandas as pd
import pytest

from ir_coliee import MicroF1, compare, score, tune
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedRunError
from ir_coliee.evaluation.cutoffs import (
    attainable_recall,
    cross_validate_cutoffs,
    fit_cutoff,
    oracle,
)
from ir_coliee.evaluation.fusion import search_weights
from ir_coliee.evaluation.statistics import count_runs, intervals
from ir_coliee.transformers import (
    DropSelf,
    TopK,
)

TRAIN = "coliee/task1/sample/train"
RUN = pd.DataFrame({"qid": ["900014"] * 2, "docno": ["900052", "900205"], "score": [2.0, 1.0]})
QRELS = pd.DataFrame({"qid": ["900014"], "docno": ["900052"], "label": [1]})
NO_FRAMES = [None, 5, [("900014", "900052", 1.0)], RUN["score"], np.ones(3)]


REFUSED = [
    *((fit_cutoff, [value, QRELS, MicroF1, [TopK(1)]], "must be a data frame") for value in NO_FRAMES),
    (fit_cutoff, [RUN, None, MicroF1, [TopK(1)]], "must be a data frame"),
    (search_weights, [[RUN, None], QRELS, MicroF1], "must be a data frame"),
    *((compare, [TRAIN, value], "runs must be a list of runs or a dict") for value in (None, 5, RUN, "a.run")),
]


@pytest.mark.parametrize(("call", "arguments", "message"), REFUSED)
def test_an_argument_of_a_wrong_type_is_named(call, arguments, message):
    with pytest.raises((ColieeError, TypeError), match=message):
        call(*arguments)


def test_a_comparison_needs_a_measure_of_this_package_and_answers_of_each_run():
    runs = {"a": RUN, "b": RUN}
    for measure in ("F1", "MicroF1(", 5):
        with pytest.raises(ValueError, match="measure must be a set measure of ir_coliee"):
            compare(TRAIN, runs, measure=measure)
    with pytest.raises(ValueError, match="answers must have an item for each run, got none for 'b'"):
        compare(TRAIN, runs, answers={"a": RUN})


def kind(value):
    return type(value).__name__


SEARCHES = [
    lambda run: fit_cutoff(run, QRELS, MicroF1, [TopK(1), TopK(2)]),
    lambda run: search_weights([RUN, run], QRELS, MicroF1, cutoffs=[TopK(1)])[:2],
    lambda run: oracle(run, QRELS, MicroF1).value,
    lambda run: attainable_recall(run, QRELS, [1]).to_dict(),
]


@pytest.mark.parametrize("search", SEARCHES)
def test_the_searches_take_a_dict_and_results_with_more_columns(search):
    as_dict = {"900014": {"900052": 2.0, "900205": 1.0}}
    results = RUN.assign(query="a text", rank=[0, 1]).astype({"qid": "category", "docno": "string"})
    assert search(as_dict) == search(results) == search(RUN)


@pytest.mark.parametrize("value", NO_FRAMES, ids=kind)
def test_a_run_has_three_forms(value):
    with pytest.raises(
        MalformedRunError, match="must be a path, a data frame or a dict, got a value of type"
    ) as caught:
        score(TRAIN, value)
    assert "columns qid, docno and score; a dict maps query ids" in str(caught.value)


def test_a_pipeline_is_not_a_run():
    with pytest.raises(
        MalformedRunError, match=r"type Compose\.\n.* Of a transformer, pass the results: pipeline\(topics\)"
    ):
        score(TRAIN, DropSelf() >> TopK(1))
    with pytest.raises(MalformedRunError, match=r"^run 1: A run must be a path, .*type TopK"):
        compare(TRAIN, [TopK(2), TopK(5)])


@pytest.mark.parametrize("name", ["MicroF1", "MicroF(beta=1.0)", "MacroF2(rel=1)"])
def test_measures_are_also_given_by_name(name):
    measure = ir_measures.parse_measure(name)
    assert fit_cutoff(RUN, QRELS, name) == fit_cutoff(RUN, QRELS, measure)
    assert oracle(RUN, QRELS, name).value == oracle(RUN, QRELS, measure).value
    assert search_weights([RUN, RUN], QRELS, name)[:2] == search_weights([RUN, RUN], QRELS, measure)[:2]
    folds = {"groups": lambda qid: qid}
    twice = [pd.concat([frame, frame.assign(qid="900015")]) for frame in (RUN, QRELS)]
    assert cross_validate_cutoffs(*twice, name, **folds)[:3] == cross_validate_cutoffs(*twice, measure, **folds)[:3]
    counts = count_runs({"a": RUN, "b": RUN[:1]}, QRELS, name)
    assert intervals(name, counts) == intervals(measure, counts)
    with pytest.warns(ColieeWarning, match="^run 2: 9 of 10 queries have no answer"):
        compared = compare(TRAIN, [RUN, RUN[:1]], measure=name)
    assert compared.measure == str(measure)
    assert tune(TRAIN, RUN, measure=name).measure == measure
