import re

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measures import PLAIN, rival_runs, table_of

from ir_coliee import AnswerAccuracy, MicroF1, MicroR
from ir_coliee.evaluation.statistics import count_runs, quotient

GOLD = {"900001": {"a": 1, "b": 1}, "900002": {"c": 1}, "900003": {"d": 2, "e": 0}}
MINE = {"900003": {"d": 1.0, "x": 0.5, "y": 0.2}, "900001": {"b": 3.0, "x": 2.0}}
OTHER = {"900002": {"c": 1.0}, "900099": {"c": 1.0}}


def frame(table, names):
    rows = [(query, doc, number) for query, docs in table.items() for doc, number in docs.items()]
    return pd.DataFrame(rows, columns=names)


def counts_of(table):
    return {
        run: list(zip(*(array[number].tolist() for array in (table.tp, table.returned, table.relevant))))
        for number, run in enumerate(table.runs)
    }


EXPECTED = {"mine": [(1, 2, 2), (0, 0, 1), (1, 3, 1)], "other": [(0, 0, 2), (1, 1, 1), (0, 0, 1)]}


@pytest.mark.parametrize(
    "names",
    [("qid", "docno", "score", "label"), ("query_id", "doc_id", "score", "relevance")],
    ids=["PyTerrier", "ir_measures"],
)
def test_frames_with_the_names_of_either_library_give_the_same_table(names):
    *run_names, label = names
    runs = {"mine": frame(MINE, run_names), "other": frame(OTHER, run_names)}
    qrels = frame(GOLD, [*run_names[:2], label])
    before = [table.copy() for table in (*runs.values(), qrels)]
    counted = count_runs(runs, qrels, MicroF1)
    assert counted.query_ids == ("900001", "900002", "900003")
    assert counts_of(counted) == EXPECTED
    for table, copy in zip((*runs.values(), qrels), before):
        pd.testing.assert_frame_equal(table, copy)


def test_a_measure_that_counts_otherwise_is_refused():
    table = count_runs({"mine": MINE}, GOLD, MicroF1)
    assert table.terms(MicroR).shape == (2, 1, 3)
    for measure in (MicroF1 @ 2, MicroF1(rel=2), AnswerAccuracy):
        with pytest.raises(ValueError, match=re.escape(str(measure))):
            table.terms(measure)


@pytest.mark.slow
@settings(max_examples=60)
@given(rival_runs(), st.sampled_from(list(PLAIN)), st.data())
def test_a_measure_is_the_ratio_of_the_sums_of_its_terms_over_any_queries(runs, measure, data):
    table = table_of(runs, measure)
    chosen = data.draw(st.lists(st.sampled_from(range(len(runs["a"]))), max_size=8))
    values = quotient(*table.terms(measure)[:, :, chosen].sum(axis=2))
    for value, name in zip(values, runs):
        assert value == pytest.approx(float(PLAIN[measure]([runs[name][query] for query in chosen])), abs=1e-12)
