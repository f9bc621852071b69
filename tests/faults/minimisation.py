"""`minimised`: the smallest difference between a mutated tree and the whole one that still fails."""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from typing import NamedTuple

from file_trees import Tree
from mutations import Mutation, apply, changed_places

_MOST_TRIALS = 150  # of one file
_LONGEST_COMPARED = 3_000  # bytes between the first and the last difference
_LONGEST_SHOWN = 200  # bytes of a representation

Fails = Callable[[Tree], bool]


class Edit(NamedTuple):
    """The bytes of a file from ``start`` to ``end`` and what replaces them."""

    start: int
    end: int
    written: bytes


def minimised(mutations: Sequence[Mutation], tree: Tree, fails: Fails) -> str:
    """Describe the smallest difference that was found to fail, by files and bytes."""
    fewest = next(
        (
            chosen
            for size in range(1, len(mutations))
            for chosen in combinations(mutations, size)
            if fails(apply(chosen, tree))
        ),
        mutations,
    )
    mutated = apply(fewest, tree)
    differences = [_difference(place, mutated, tree, fails) for place in changed_places(mutated, tree)]
    shown = "; ".join(differences)
    return f"{[*fewest]}\n{shown if len(shown) <= _LONGEST_SHOWN else shown[: _LONGEST_SHOWN - 3] + '...'}"


def _difference(place: str, mutated: Tree, tree: Tree, fails: Fails) -> str:
    before, after = tree.get(place), mutated.get(place)
    if not isinstance(before, bytes) or not isinstance(after, bytes):
        return f"{place}: {_kind(before)} -> {_kind(after)}"
    edits = _smallest(_edits(before, after), lambda some: fails({**mutated, place: _applied(some, before)}))
    return f"{place}: " + ", ".join(f"{start}: {before[start:end]!r} -> {written!r}" for start, end, written in edits)


def _kind(content: object) -> str:
    return "missing" if content is None else f"{len(content)} bytes" if isinstance(content, bytes) else f"{content}"


def _edits(before: bytes, after: bytes) -> list[Edit]:
    shortest = min(len(before), len(after))
    first = next((at for at in range(shortest) if before[at] != after[at]), shortest)
    alike = next((at for at in range(shortest - first) if before[-1 - at] != after[-1 - at]), shortest - first)
    one, other = before[first : len(before) - alike], after[first : len(after) - alike]
    if max(len(one), len(other)) > _LONGEST_COMPARED:
        return [Edit(first, first + len(one), other)]
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [Edit(first + i, first + j, other[k:m]) for code, i, j, k, m in codes if code != "equal"]


def _applied(edits: Sequence[Edit], content: bytes) -> bytes:
    for start, end, written in sorted(edits, reverse=True):
        content = content[:start] + written + content[end:]
    return content


def _smallest(edits: list[Edit], fails: Callable[[list[Edit]], bool]) -> list[Edit]:
    """Leave out edits, and halves of them, as long as the rest fails."""
    trials = 0
    waiting = True
    while waiting:
        waiting = False
        for at in reversed(range(len(edits))):
            for smaller in _smaller(edits[at]):
                trials += 1
                if trials > _MOST_TRIALS:
                    return edits
                rest = [*edits[:at], *smaller, *edits[at + 1 :]]
                if fails(rest):
                    edits, waiting = rest, True
                    break
    return edits


def _smaller(edit: Edit) -> Iterator[list[Edit]]:
    """Yield what is less than an edit: nothing, or one that takes away or writes half as much."""
    yield []
    start, end, written = edit
    if end - start > 1:
        middle = (start + end) // 2
        yield [Edit(start, middle, written)]
        yield [Edit(middle, end, written)]
    if len(written) > 1:
        middle = len(written) // 2
        yield [Edit(start, end, written[:middle])]
        yield [Edit(start, end, written[middle:])]
