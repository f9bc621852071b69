"""Conversion of the ids in a run file, which participants spell in several ways, to the ids of the split."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir_coliee.editions import Split
from ir_coliee.evaluation.gold import candidates, query_ids
from ir_coliee.evaluation.task_evaluation import TASK_EVALUATIONS
from ir_coliee.releases import statutes, torts
from ir_coliee.releases.layouts import number

_SPELLINGS = dict.fromkeys(("y", "yes", "true", "1"), True) | dict.fromkeys(("n", "no", "false", "0"), False)


class RunIds:
    """Converts the ids in a run file to those of a split.

    In tasks 1 and 2, an id may have the suffix ``.txt``, or ``.0`` as pandas writes integers among missing values, or
    other leading zeros, a query id may have the prefix ``t1-`` or ``t2-`` of the early calls, and an item of a query's
    own folder may be given by its number or by its document id. The exact name has precedence; otherwise the number is
    used if exactly one name has it. Ids of the other tasks are names rather than numbers and are not converted. An
    unknown id is returned unchanged.

    Parameters
    ----------
    split : Split
        The split that the run answers.

    Raises
    ------
    MissingReleaseError
        If the local release of a split of task 1 or 2 is missing.
    """

    def __init__(self, split: Split) -> None:
        self._split = split
        self._is_verbatim = split.task not in ("task1", "task2")
        if self._is_verbatim:
            return
        self._find_query = _name_finder(query_ids(split))
        self._prefix = f"t{split.task[-1]}-"
        self._candidates = candidates(split)
        self._find_docno: dict[str, Callable[[str], str | None]] = {}

    @property
    def depend_on_query(self) -> bool:
        """Whether an item means another document for another query."""
        return not self._is_verbatim and bool(self._split.item_folder)

    def query(self, written: str) -> str:
        """Return the query id for an id in the file."""
        if self._is_verbatim:
            return written
        return self._find_query(written) or self._find_query(written.removeprefix(self._prefix)) or written

    def docno(self, query_id: str, written: str) -> str:
        """Return the document id for an item in the file, among the candidates of the query."""
        if self._is_verbatim:
            return written
        pool = query_id if self._split.item_folder else ""
        if pool not in self._find_docno:
            self._find_docno[pool] = self._docno_finder(query_id)
        return self._find_docno[pool](written) or self._split.docno_of(query_id, written)

    def label(self, written: str) -> str:
        """Return the document id of an answer yes or no in any spelling, where a question has one of two answers."""
        is_yes = _SPELLINGS.get(written.lower())
        if is_yes is None or not TASK_EVALUATIONS[self._split.task].single_answer:
            return written
        yes, no = torts.ANSWERS if self._split.task == "prediction" else statutes.ANSWERS
        return (yes if is_yes else no).doc_id

    def _docno_finder(self, query_id: str) -> Callable[[str], str | None]:
        docnos = self._candidates(query_id)
        by_id = _name_finder(docnos)
        if not self._split.item_folder:
            return by_id
        docno_by_item = {self._split.item_of(docno): docno for docno in docnos}
        by_item = _name_finder(docno_by_item)
        return lambda written: docno_by_item.get(by_item(written) or "") or by_id(written)


def _name_finder(names: Iterable[str]) -> Callable[[str], str | None]:
    """Return a function that finds the name for a spelling: None if no name matches, or more than one."""
    known = set(names)
    by_number: dict[int | str, list[str]] = {}
    for name in known:
        by_number.setdefault(number(name), []).append(name)

    def find(written: str) -> str | None:
        stem = written.removesuffix(".txt").removesuffix(".0")
        if stem in known:
            return stem
        similar = by_number.get(number(stem), [])
        return similar[0] if len(similar) == 1 else None

    return find
