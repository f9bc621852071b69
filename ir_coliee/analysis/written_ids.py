"""The query and the items that a person means, in any spelling that the readers of runs accept."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence

from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.checks import RunChecker
from ir_coliee.evaluation.runs import RunIds
from ir_coliee.frames import instance_of, shown

_MAX_NEAREST = 3


def find_query(checker: RunChecker, written: str) -> str:
    """Return the id of the query that is meant.

    Parameters
    ----------
    checker : RunChecker
        Has the query ids of the split.
    written : str
        The query id as a run could write it, such as ``900656.txt``.

    Raises
    ------
    ColieeError
        If the split has no such query. The message names the nearest ids and how to list the hardest queries.
    TypeError
        If it is not a string.
    """
    instance_of("query_id", written, str, "a string")
    known = checker.query_ids
    query_id = RunIds(checker.split).query(written)
    if query_id in known:
        return query_id
    problem = (
        f"{checker.split.id} has no query {printable(repr(written), 30)}." if written else "No query id was given."
    )
    raise ColieeError(
        f"{problem}\n{_nearest(written, known)}\n"
        f"`ir_coliee analyse {checker.split.id} RUN --only hardest_queries` lists the hardest ones."
    )


def find_items(checker: RunChecker, query_id: str, written: Iterable[str], others: Collection[str]) -> list[str]:
    """Return the ids of the items that are meant.

    Parameters
    ----------
    checker : RunChecker
        Has the candidates of the query.
    query_id : str
        The query.
    written : iterable of str
        Document ids, or items as a run could write them.
    others : collection of str
        Items that are known although the local release does not contain them: those of runs and labels.

    Raises
    ------
    ColieeError
        If an item is not known.
    TypeError
        If they are not a list of strings.
    """
    if isinstance(written, str):
        raise TypeError(f"items must be a list of document ids, got {shown(written)}.")
    ids = RunIds(checker.split)
    found = []
    for item in written:
        instance_of("Each of the items", item, str, "a string")
        doc_id = item if item in others else ids.docno(query_id, item)
        if checker.has_documents and doc_id not in others and doc_id not in checker.candidates(query_id):
            known = sorted({*others, *checker.candidates(query_id)})
            problem = f"{printable(repr(item), 30)} is no candidate of query {query_id}."
            raise ColieeError(f"{problem}\n{_nearest(item, known)}")
        found.append(doc_id)
    return [*dict.fromkeys(found)]


def _nearest(written: str, known: Sequence[str]) -> str:
    """Return a sentence with the ids that look most like an id, or with the first ones if none does."""
    near = difflib.get_close_matches(written, known, n=_MAX_NEAREST)
    if near:
        return f"Nearest known ids: {', '.join(near)}."
    return f"The {len(known)} known ids begin with {', '.join(map(printable, known[:_MAX_NEAREST]))}."
