import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import SetF, SetP, SetR

from ir_coliee import MacroF, MacroF2, MacroP, MacroR


def aggregate(qrels, run, *measures):
    values = ir_measures.calc_aggregate(measures, qrels, run)
    return [values[measure] for measure in measures]


def same_number_each(kinds):
    """Qrels and run of queries with these counts of hits, returned and relevant items: {counts: queries}."""
    qrels, run = {}, {}
    for (tp, returned, relevant), queries in kinds.items():
        for _ in range(queries):
            query = f"R99-{len(qrels) + 1:03d}"
            qrels[query] = {f"{number}": 1 for number in range(1, relevant + 1)}
            items = [*range(1, tp + 1), *range(101, 101 + returned - tp)]
            run[query] = {f"{item}": 1.0 for item in items}
    return qrels, run


@pytest.mark.parametrize(
    ("singles", "doubles", "precision", "recall", "f2"),
    [
        (56, 18, 0.740, 0.650, 0.660),
        (55, 16, 0.710, 0.630, 0.639),
        (46, 18, 0.640, 0.550, 0.560),
        (45, 19, 0.640, 0.545, 0.556),
        (33, 10, 0.430, 0.380, 0.386),
    ],
)
def test_published_rows_with_one_article_for_each_question(singles, doubles, precision, recall, f2):
    kinds = {(1, 1, 1): singles, (0, 1, 1): 72 - singles, (1, 1, 2): doubles, (0, 1, 2): 28 - doubles}
    values = aggregate(*same_number_each(kinds), MacroP, MacroR, MacroF2)
    assert [round(value, 3) for value in values] == [precision, recall, f2]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ({(1, 1, 1): 44, (0, 1, 1): 11, (1, 1, 2): 11, (0, 1, 2): 6, (1, 1, 3): 1}, (0.767, 0.683, 0.692)),
        ({(1, 3, 1): 52, (0, 3, 1): 3, (2, 3, 2): 12, (0, 3, 2): 5, (2, 3, 3): 1}, (0.356, 0.886, 0.667)),
        (
            {(1, 5, 1): 28, (0, 5, 1): 27, (1, 5, 2): 1, (2, 5, 2): 3, (0, 5, 2): 13, (1, 5, 3): 1},
            (0.099, 0.436, 0.254),
        ),
    ],
)
def test_published_rows_with_the_same_number_of_articles_for_each_question(kinds, expected):
    values = aggregate(*same_number_each(kinds), MacroP, MacroR, MacroF2)
    assert tuple(round(value, 3) for value in values) == expected


def test_the_pilots_example_has_both_values_for_an_instance_without_accepted_claims():
    qrels = {"900001": {"1": 1, "2": 1, "3": 0}, "900002": {"1": 0}}
    run = {"900001": {"2": 1.0, "3": 0.9}}
    assert aggregate(qrels, run, MacroF(empty=0), MacroF(empty=1), MacroF) == [0.25, 0.75, 0.25]


pairs = st.tuples(st.sampled_from("123"), st.sampled_from("abcde"))
judged = st.lists(pairs, min_size=1, max_size=12)


def nested(pairs_of_ids, value):
    return {q: {d: value for query, d in pairs_of_ids if query == q} for q, _ in pairs_of_ids}


@pytest.mark.slow
@given(judged, st.lists(pairs, min_size=1, max_size=12))
@settings(max_examples=25)
def test_values_of_queries_equal_trec_evals(gold, returned):
    # trec_eval's beta is beta squared
    qrels, run = nested(gold, 1), nested(returned, 1.0)
    peers = {MacroP: SetP, MacroR: SetR, MacroF2: SetF(beta=4.0), MacroF: SetF, MacroF(beta=0.5): SetF(beta=0.25)}
    values = {}
    for metric in ir_measures.iter_calc([*peers, *peers.values()], qrels, run):
        values[metric.query_id, metric.measure] = metric.value
    for query in qrels:
        for ours, theirs in peers.items():
            assert values[query, ours] == pytest.approx(values[query, theirs], abs=1e-12)


def test_counts_in_arrays_give_the_same_as_frames():
    tp, returned, relevant = np.array([1, 0, 1]), np.array([1, 0, 3]), np.array([2, 0, 1])
    assert MacroP.aggregate(tp, returned, relevant) == pytest.approx((1 + 0 + 1 / 3) / 3)
    assert MacroF2.aggregate(tp, returned, relevant) == pytest.approx((5 / 9 + 0 + 5 / 7) / 3)
    assert MacroF(empty=1).aggregate(tp, returned, relevant) == pytest.approx((2 / 3 + 1 + 2 / 4) / 3)
