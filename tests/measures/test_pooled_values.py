import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.measures.counts import MeanValue, PooledAggregator, TotalValue

IN, OUT = MeanValue(0.5, 1, "M"), MeanValue(0.0, 0, "M")


def test_a_query_that_is_left_out_does_not_count_in_the_mean():
    assert sum([IN, OUT, MeanValue(1.0, 1, "M")]) / 3 == 0.75
    assert (float(IN), float(OUT)) == (0.5, 0.0)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=8), st.integers(1, 100))
def test_any_order_and_any_divisor_give_the_mean_of_those_that_are_in(quarters, divisor):
    values = [MeanValue(number / 4 if inside else 0.0, int(inside), "M") for number, inside in quarters]
    kept = [number / 4 for number, inside in quarters if inside]
    expected = sum(kept) / len(kept) if kept else 0.0
    assert sum(values) / divisor == expected
    assert sum(reversed(values), 0.0) / divisor == expected


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8), st.integers(1, 100))
def test_totals_add_up_and_are_not_divided(numbers, divisor):
    assert sum([TotalValue(number, "T") for number in numbers]) / divisor == sum(numbers)


@pytest.mark.parametrize("value", [IN, OUT, TotalValue(3, "T")])
def test_nan_and_zero_are_passed_over(value):
    for nothing in (float("nan"), 0, 0.0):
        assert [float(nothing + value), float(value + nothing)] == [float(value)] * 2
        assert (nothing + value).kind == value.kind


@pytest.mark.parametrize("value", [IN, OUT, TotalValue(3, "T")])
def test_what_is_no_value_of_the_same_measure_is_refused(value):
    for foreign in (1, -0.5, "0", None, MeanValue(1.0, 1, "other"), TotalValue(1, "other")):
        with pytest.raises(TypeError, match="must be values of the same measure"):
            value + foreign
        with pytest.raises(TypeError, match="must be values of the same measure"):
            foreign + value


def test_a_mean_and_a_total_of_one_name_are_not_mixed():
    with pytest.raises(TypeError, match="must be values of the same measure"):
        IN + TotalValue(1, "M")


def test_the_aggregator_pools_values_of_any_kind():
    for values, expected in ([IN, OUT], 0.5), ([TotalValue(3, "T"), TotalValue(4, "T")], 7.0), ([], 0.0):
        aggregator = PooledAggregator()
        for value in values:
            aggregator.add(value)
        assert aggregator.result() == expected
        assert type(aggregator.result()) is float
