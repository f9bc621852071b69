"""MAP, R-precision and R@k of task 3: ir_measures' own, as the page on measures describes them."""

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, Rprec

from ir_coliee import MicroR

items = st.sampled_from("abcdefgh")
gold_of_a_query = st.dictionaries(items, st.integers(0, 1), min_size=1)
# near 1e9 neighbouring 64-bit scores are equal in 32 bits
ranking_of_a_query = st.dictionaries(items, st.sampled_from([2.0, 1.0, 0.5, 0.5 + 1e-9, 1e9, 1e9 + 1]), min_size=1)
queries = st.sampled_from("123")


def ranked(scores):
    """The items in trec_eval's order."""
    return [item for item, _ in sorted(scores.items(), key=lambda row: (np.float32(row[1]), row[0]), reverse=True)]


def average_precision(gold, ranking):
    relevant = {item for item, grade in gold.items() if grade}
    hits, precisions = 0, []
    for rank, item in enumerate(ranking, start=1):
        if item in relevant:
            hits += 1
            precisions.append(hits / rank)
    return sum(precisions) / len(relevant) if relevant else 0.0


def r_precision(gold, ranking):
    relevant = {item for item, grade in gold.items() if grade}
    return len(relevant & set(ranking[: len(relevant)])) / len(relevant) if relevant else 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "plain"), [(AP, average_precision), (Rprec, r_precision)], ids=["AP", "Rprec"])
@given(st.dictionaries(queries, gold_of_a_query, min_size=1), st.dictionaries(queries, ranking_of_a_query, min_size=1))
@settings(max_examples=80, deadline=None)
def test_map_and_r_precision_are_the_means_of_plain_python(measure, plain, qrels, run):
    expected = [plain(gold, ranked(run.get(query, {}))) for query, gold in qrels.items()]
    value = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    assert value == pytest.approx(sum(expected) / len(expected), abs=1e-12)


@pytest.mark.slow
@given(st.dictionaries(queries, gold_of_a_query, min_size=1), st.dictionaries(queries, ranking_of_a_query, min_size=1))
@settings(max_examples=80, deadline=None)
def test_recall_at_k_of_the_tables_is_that_of_plain_python(qrels, run):
    for k in (1, 2, 5):
        found = sum(
            grade
            for query, gold in qrels.items()
            for item, grade in gold.items()
            if item in ranked(run.get(query, {}))[:k]
        )
        wanted = sum(sum(gold.values()) for gold in qrels.values())
        value = ir_measures.calc_aggregate([MicroR @ k], qrels, run)[MicroR @ k]
        assert value == pytest.approx(found / wanted if wanted else 0.0)


def test_ir_measures_recall_at_k_is_a_mean_over_queries_and_so_not_that_of_the_tables():
    qrels, run = {"1": {"a": 1}, "2": {"b": 1, "c": 1}}, {"1": {"a": 1.0}, "2": {"x": 1.0}}
    values = ir_measures.calc_aggregate([ir_measures.R @ 1, MicroR @ 1], qrels, run)
    assert (values[ir_measures.R @ 1], values[MicroR @ 1]) == (1 / 2, pytest.approx(1 / 3))
