"""The longest common subsequence, against the table of the textbook."""

import itertools

from components.longest_common_subsequence import common_positions, disjunctive_union
from hypothesis import given
from hypothesis import strategies as st

sequences = st.lists(st.sampled_from("abcd"), max_size=12)


def length_by_table(first, second):
    """Dynamic programming over all beginnings of both."""
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, j in itertools.product(range(len(first)), range(len(second))):
        same = first[i] == second[j]
        table[i + 1][j + 1] = table[i][j] + 1 if same else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(sequences, sequences)
def test_it_is_common_in_order_and_as_long_as_can_be(first, second):
    places = common_positions(first, second)
    assert len(places) == length_by_table(first, second)
    assert [first[here] for here, _ in places] == [second[there] for _, there in places]
    for side in zip(*places):
        assert list(side) == sorted(set(side))


@given(sequences, sequences)
def test_what_lies_outside_is_the_rest_of_both_in_order(first, second):
    common = length_by_table(first, second)
    outside_first, outside_second = disjunctive_union(first, second)
    assert (len(outside_first), len(outside_second)) == (len(first) - common, len(second) - common)
    for rest, whole in ((outside_first, first), (outside_second, second)):
        assert length_by_table(rest, whole) == len(rest)


def test_sequences_longer_than_a_machine_word_are_compared_too():
    first, second = list(range(2000)), list(range(0, 4000, 20))
    assert common_positions(second, first) == [(place, 20 * place) for place in range(100)]
