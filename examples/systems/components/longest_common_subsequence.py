"""Longest common subsequence of two sequences, and the items of either that lie outside it.

LLNTU (COLIEE 2023, task 4) compares a question with its article by the disjunctive union of their longest common
subsequence. The algorithm is bit-parallel: one integer for each step through the longer sequence. Backtracking through
these integers gives the subsequence itself.

References
----------
H. Hyyrö. Bit-parallel LCS-length computation revisited. AWOCA 2004.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

Token = TypeVar("Token", bound=Hashable)


def common_positions(first: Sequence[Token], second: Sequence[Token]) -> list[tuple[int, int]]:
    """Positions of a longest common subsequence in both sequences.

    Returns
    -------
    list of (int, int)
        The position in ``first`` and in ``second`` of each common item, in ascending order. Where there are several
        longest subsequences, the same one is returned each time.

    Examples
    --------
    >>> common_positions("gate", "a great tie")
    [(0, 2), (1, 5), (2, 6), (3, 10)]
    """
    if len(first) > len(second):  # one step for each item of the longer sequence, one bit for each of the shorter
        return [(i, j) for j, i in common_positions(second, first)]
    steps = _bit_vectors(first, second)
    found = []
    i, j = len(first), len(second)
    while i and j:
        bit = 1 << (i - 1)
        if steps[j] & bit:
            i -= 1
        else:
            j -= 1
            if steps[j] & bit:
                i -= 1
                found.append((i, j))
    return found[::-1]


def _bit_vectors(first: Sequence[Token], second: Sequence[Token]) -> list[int]:
    """One integer for each prefix of ``second``, the empty prefix first.

    Bit i is 0 where item i extends the longest common subsequence of the prefix with the beginning of ``first``.
    """
    positions: dict[Token, int] = {}
    for position, token in enumerate(first):
        positions[token] = positions.get(token, 0) | 1 << position
    all_bits = (1 << len(first)) - 1
    steps = [all_bits]
    for token in second:
        rest = steps[-1]
        matching = rest & positions.get(token, 0)
        steps.append((rest + matching | rest - matching) & all_bits)
    return steps


def disjunctive_union(first: Sequence[Token], second: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """Items of the first and of the second sequence outside a longest common subsequence, in order.

    Examples
    --------
    >>> disjunctive_union("the gate is shut".split(), "the old gate was shut".split())
    (['is'], ['old', 'was'])
    """
    common = common_positions(first, second)
    in_first, in_second = {i for i, _ in common}, {j for _, j in common}
    return (
        [token for position, token in enumerate(first) if position not in in_first],
        [token for position, token in enumerate(second) if position not in in_second],
    )
