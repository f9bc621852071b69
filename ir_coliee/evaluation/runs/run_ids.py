"""The ids of a run: how they are written for an item of a query's own folder, and what participants mean by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir_coliee.editions import Split
from ir_coliee.evaluation.gold import candidates, query_ids
from ir_coliee.releases.layouts import number


class RunIds:
    """Turns the ids of a run into those of a split.

    Ids of tasks 1 and 2 may be written with ``.txt`` behind them, with other zeros in front, queries with the
    ``t1-`` or ``t2-`` of the early calls, and items of a query's own folder by their number or by their document id:
    the exact name counts first, then the number, if one name alone has it. Ids of the other tasks are names, not
    numbers, and are taken as they are written. An id that matches nothing stays as it is written.

    Raises `MissingReleaseError` where the copy of a split of task 1 or 2 is not there.
    """

    def __init__(self, split: Split) -> None:
        self._part = split
        self._verbatim = split.task not in ("task1", "task2")
        if self._verbatim:
            return
        self._known_queries = _by_spelling(query_ids(split))
        self._prefix = f"t{split.task[-1]}-"
        self._candidates = candidates(split)
        self._queries: dict[str, str] = {}
        self._pools: dict[str, Callable[[str], str | None]] = {}

    def query(self, written: str) -> str:
        """The id of the query that is meant."""
        if self._verbatim:
            return written
        if written not in self._queries:
            found = self._known_queries(written) or self._known_queries(written.removeprefix(self._prefix))
            self._queries[written] = found or written
        return self._queries[written]

    def docno(self, query_id: str, written: str) -> str:
        """The document id of the item that is meant, among those that may answer the query."""
        if self._verbatim:
            return written
        pool = query_id if self._part.item_folder else ""
        if pool not in self._pools:
            self._pools[pool] = self._pool(query_id)
        return self._pools[pool](written) or self._part.docno_of(query_id, written)

    def _pool(self, query_id: str) -> Callable[[str], str | None]:
        docnos = self._candidates(query_id)
        by_id = _by_spelling(docnos)
        if not self._part.item_folder:
            return by_id
        docno_by_item = {self._part.item_of(docno): docno for docno in docnos}
        by_item = _by_spelling(docno_by_item)
        return lambda written: docno_by_item.get(by_item(written) or "") or by_id(written)


def _by_spelling(names: Iterable[str]) -> Callable[[str], str | None]:
    """Which of the names a written one is; None where it is none of them, or may be several."""
    known = set(names)
    by_number: dict[int | str, list[str]] = {}
    for name in known:
        by_number.setdefault(number(name), []).append(name)

    def find(written: str) -> str | None:
        stem = written.removesuffix(".txt")
        if stem in known:
            return stem
        alike = by_number.get(number(stem), [])
        return alike[0] if len(alike) == 1 else None

    return find
