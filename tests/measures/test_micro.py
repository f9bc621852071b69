import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import MicroF, MicroF1, MicroP, MicroR

QRELS = {"1": {"a": 1, "b": 1, "c": 1}, "2": {"h": 1, "i": 1}, "3": {"e": 1}, "4": {"f": 1, "z": 0}}
RUN = {"1": {"a": 9.0}, "3": {"e": 4.0, "v": 3.0, "w": 2.0}, "4": {"z": 2.0, "y": 1.0}}


def pooled_run(tp, returned, relevant):
    """A run of one query with these counts."""
    items = [f"{number:06d}" for number in range(900000, 900000 + returned + relevant)]
    gold = pd.DataFrame({"query_id": "1", "doc_id": items[:relevant], "relevance": 1})
    answers = items[:tp] + items[relevant : relevant + returned - tp]
    return gold, pd.DataFrame({"query_id": "1", "doc_id": answers, "score": 1.0})


@pytest.mark.parametrize(
    ("tp", "returned", "relevant", "precision", "recall", "f1"),
    [
        (349, 1467, 859, 0.2379, 0.4063, 0.3001),
        (301, 1325, 859, 0.2272, 0.3504, 0.2756),  # 0.2757 if precision and recall were rounded first
        (336, 1595, 859, 0.2107, 0.3912, 0.2738),  # 0.2739 likewise
        (197, 821, 859, 0.2400, 0.2293, 0.2345),
        (159, 497, 859, 0.3199, 0.1851, 0.2345),
        (85, 108, 120, 0.7870, 0.7083, 0.7456),
        (79, 100, 120, 0.7900, 0.6583, 0.7182),
        (64, 85, 294, 0.7529, 0.2177, 0.3377),
        (0, 500, 859, 0.0, 0.0, 0.0),
    ],
)
def test_published_counts_give_the_published_figures(tp, returned, relevant, precision, recall, f1):
    values = ir_measures.calc_aggregate([MicroP, MicroR, MicroF1], *pooled_run(tp, returned, relevant))
    assert [round(values[measure], 4) for measure in (MicroP, MicroR, MicroF1)] == [precision, recall, f1]


def test_recall_at_k_is_pooled():
    qrels = {"1": {"a": 1}, "2": {"b": 1, "c": 1}}
    run = {"1": {"a": 2.0, "x": 1.0}, "2": {"x": 3.0, "b": 2.0, "c": 1.0}}
    recall = ir_measures.calc_aggregate([MicroR @ 1, MicroR @ 2, MicroR @ 3], qrels, run)
    assert [recall[MicroR @ k] for k in (1, 2, 3)] == pytest.approx([1 / 3, 2 / 3, 1.0])


@pytest.mark.parametrize(
    ("measure", "expected"), [(MicroP, 2 / 6), (MicroR, 2 / 7), (MicroF1, 4 / 13), (MicroF(beta=2), 10 / 34)], ids=str
)
def test_counts_in_arrays_give_the_same_as_frames(measure, expected):
    tp, returned, relevant = (np.array(column) for column in ([1, 0, 1, 0], [1, 0, 3, 2], [3, 2, 1, 1]))
    assert measure.aggregate(tp, returned, relevant) == pytest.approx(expected)


pairs = st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abcde")), min_size=1, max_size=12)


def nested(pairs_of_ids, value):
    return {q: {d: value for query, d in pairs_of_ids if query == q} for q, _ in pairs_of_ids}


@pytest.mark.slow
@given(pairs, pairs)
@settings(max_examples=25)
def test_the_micro_measures_are_made_of_the_sizes_of_plain_sets(gold, returned):
    known = {(query, item) for query, item in returned if query in {query for query, _ in gold}}
    qrels, run = nested(gold, 1), nested(returned, 1.0)
    tp, n, g = len(set(gold) & known), len(known), len(set(gold))
    values = ir_measures.calc_aggregate([MicroP, MicroR, MicroF1], qrels, run)
    assert [values[measure] for measure in (MicroP, MicroR, MicroF1)] == pytest.approx(
        [tp / n if n else 0, tp / g, 2 * tp / (n + g)]
    )
