import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ir_coliee.measures import Ratio
from ir_coliee.measures.counts import Counts, PooledValue, query_counts, share

PRECISION = Ratio("P")
FIRST = PooledValue(Counts(1, 1, 4), PRECISION)


@st.composite
def counts(draw):
    tp = draw(st.integers(0, 20))
    return Counts(tp, tp + draw(st.integers(0, 20)), tp + draw(st.integers(0, 20)))


def mean_of_those_that_are_in(numbers):
    values = [value for value, number in numbers if number]
    return sum(values) / len(values) if values else 0.0


QUARTERS = st.integers(0, 4).map(lambda number: (number / 4, 1)) | st.just((0.0, 0))
FORMULAS = {
    PRECISION: (counts(), lambda numbers: PRECISION(*map(sum, zip(*numbers)))),
    share: (QUARTERS, mean_of_those_that_are_in),
    float: (st.tuples(st.integers(0, 1000)), lambda numbers: sum(number for (number,) in numbers)),
}


@pytest.mark.parametrize("formula", FORMULAS)
@given(st.data(), st.integers(1, 100))
@settings(max_examples=25)
def test_any_grouping_of_a_sum_and_any_divisor_give_the_value_of_the_pooled_numbers(formula, data, divisor):
    one, of_all = FORMULAS[formula]
    numbers = data.draw(st.lists(one, min_size=1, max_size=8))
    values = [PooledValue(each, formula) for each in numbers]
    half = len(values) // 2
    assert sum(values) / divisor == of_all(numbers)
    assert (sum(values[half:], float("nan")) + sum(values[:half], 0.0)) / divisor == of_all(numbers)


OTHERS = [PooledValue(Counts(0, 1, 4), Ratio("R")), PooledValue((0.5, 1), share), PooledValue((0,), float)]


@pytest.mark.parametrize("foreign", [0.5, 1, -0.25, "0", None, True, *OTHERS])
def test_what_is_no_value_of_the_same_measure_is_refused(foreign):
    with pytest.raises(TypeError, match="must be values of the same measure"):
        FIRST + foreign
    with pytest.raises(TypeError, match="must be values of the same measure"):
        foreign + FIRST


rows = st.tuples(st.sampled_from("123"), st.sampled_from("abcd"))


def plain_counts(qrels, run, rel, cutoff):
    """By dictionaries, the items in trec_eval's order."""

    def place(item):
        doc, score = item
        return np.isnan(score), -np.float32(np.nan_to_num(score, nan=0.0, posinf=np.inf, neginf=-np.inf)), -ord(doc)

    expected = {}
    for query in {query for query, _, _ in qrels}:
        gold = {doc for q, doc, relevance in qrels if q == query and relevance >= rel}
        best_first = dict(sorted([(doc, score) for q, doc, score in run if q == query], key=place))
        found = list(best_first)[:cutoff]
        expected[query] = (len(gold & set(found)), len(found), len(gold))
    return expected


several_scores = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 2.0, 1e300, 1e301, -np.inf, np.nan])


@pytest.mark.parametrize("string_type", [object, "string", "category"])
@example(judged=[(("1", "b"), 1)], returned=[(("1", "a"), 1.0), (("1", "b"), 1.0)], rel=1, cutoff=1)  # ties by id
@given(
    judged=st.lists(st.tuples(rows, st.integers(0, 2)), min_size=1, max_size=8),
    returned=st.lists(
        st.tuples(st.tuples(st.sampled_from("9123"), st.sampled_from("dcba")), several_scores), max_size=12
    ),
    rel=st.integers(1, 2),
    cutoff=st.sampled_from([None, 1, 2, 3]),
)
@settings(max_examples=30)
def test_counts_equal_those_of_dictionaries_in_any_order_and_string_type(string_type, judged, returned, rel, cutoff):
    qrels = [(*pair, relevance) for pair, relevance in judged]
    run = [(*pair, score) for pair, score in returned]
    frames = (
        pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"]),
        pd.DataFrame(run, columns=["query_id", "doc_id", "score"]).astype({"score": float}),
    )
    columns = {"query_id": string_type, "doc_id": string_type}
    counts = query_counts(*(frame.astype(columns) for frame in frames), rel=rel, cutoff=cutoff)
    with np.errstate(over="ignore"):
        expected = plain_counts(qrels, run, rel, cutoff)
    assert dict(counts) == expected
