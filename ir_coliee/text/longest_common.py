"""The longest common subsequence of two sequences, and what of either lies outside it.

Computed on the bits of whole numbers, one for each step through the longer sequence (H. Hyyrö, Bit-parallel LCS-length
computation revisited, AWOCA 2004); the way back through them gives the subsequence itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

Token = TypeVar("Token", bound=Hashable)


def common_places(first: Sequence[Token], second: Sequence[Token]) -> list[tuple[int, int]]:
    """The places, in the first and in the second, of a longest subsequence that both have, in order.

    Of several, one; which one is the same each time.

    >>> common_places("gate", "a great tie")
    [(0, 2), (1, 5), (2, 6), (3, 10)]
    """
    if len(first) > len(second):  # a step for each token of the longer one, a bit for each of the shorter
        return [(there, here) for here, there in common_places(second, first)]
    steps = _steps(first, second)
    found = []
    here, there = len(first), len(second)
    while here and there:
        bit = 1 << (here - 1)
        if steps[there] & bit:
            here -= 1
        else:
            there -= 1
            if steps[there] & bit:
                here -= 1
                found.append((here, there))
    return found[::-1]


def _steps(first: Sequence[Token], second: Sequence[Token]) -> list[int]:
    """A number for each beginning of ``second``, the empty one first.

    Its bit i is 0 where item i makes the longest common subsequence with the beginning of ``first`` one longer.
    """
    places: dict[Token, int] = {}
    for place, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << place
    all_bits = (1 << len(first)) - 1
    steps = [all_bits]
    for token in second:
        rest = steps[-1]
        matching = rest & places.get(token, 0)
        steps.append((rest + matching | rest - matching) & all_bits)
    return steps


def disjunctive_union(first: Sequence[Token], second: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """What of the first and what of the second lies outside a longest common subsequence, in order.

    >>> disjunctive_union("the gate is shut".split(), "the old gate was shut".split())
    (['is'], ['old', 'was'])
    """
    common = common_places(first, second)
    inside_first, inside_second = {here for here, _ in common}, {there for _, there in common}
    return (
        [token for place, token in enumerate(first) if place not in inside_first],
        [token for place, token in enumerate(second) if place not in inside_second],
    )
