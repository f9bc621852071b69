import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import MicroF1, MicroP, MicroR, Relevant, Returned, TruePositives

TOTALS = [TruePositives, Returned, Relevant]


def totals(qrels, run, *measures):
    values = ir_measures.calc_aggregate(measures, qrels, run)
    return [values[measure] for measure in measures]


pairs = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcde")), min_size=1, max_size=12)


def nested(pairs_of_ids, value):
    return {q: {d: value for query, d in pairs_of_ids if query == q} for q, _ in pairs_of_ids}


@pytest.mark.slow
@given(pairs, pairs)
@settings(max_examples=60, deadline=None)
def test_totals_are_the_sizes_of_plain_sets_and_make_the_micro_measures(gold, returned):
    known = {(query, item) for query, item in returned if query in {query for query, _ in gold}}
    qrels, run = nested(gold, 1), nested(returned, 1.0)
    tp, n, g = totals(qrels, run, *TOTALS)
    assert [tp, n, g] == [len(set(gold) & known), len(known), len(set(gold))]
    p, r, f1 = totals(qrels, run, MicroP, MicroR, MicroF1)
    assert [p, r, f1] == pytest.approx([tp / n if n else 0, tp / g, 2 * tp / (n + g)])


@pytest.mark.parametrize("measure", TOTALS, ids=str)
def test_a_total_is_no_ratio_of_two_sums(measure):
    counts = np.array([1, 2])
    with pytest.raises(ValueError, match=f"{measure.NAME} is a total, not a ratio"):
        measure.terms(counts, counts, counts)
