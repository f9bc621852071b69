"""Irregular numbering of the files and folders of tasks 1 and 2: some are missing, doubled or misnamed.

Only names are looked at. The paragraphs of a case are numbered from 1 without gaps in every release that was measured.
The same is not known of the candidates of a query and of the cases themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import groupby
from typing import NamedTuple

from ir_coliee.releases.folders import Folder
from ir_coliee.releases.layouts import NOT_DOCUMENTS, Layout, is_number


class NamingProblem(NamedTuple):
    """Irregular names of one kind.

    Attributes
    ----------
    check : str
        The key in the table of checks.
    description : str
    ids : list of str
        Names below the corpus folder. Of numbers within a query, the query comes first.
    """

    check: str
    description: str
    ids: list[str]


def naming_problems(corpus: Folder, layout: Layout) -> list[NamingProblem]:
    """Return the irregular names in a corpus folder.

    Parameters
    ----------
    corpus : Folder
    layout : Layout
    """
    queries = layout.query_folders(corpus)
    if layout.queries_are_documents:
        names = [file.stem for _, file in layout.documents(corpus)]
        misnamed = [*filter(_is_misnamed, corpus.file_names())]
    else:
        names = [query.name for query in queries]
        misnamed = [name for name in (inner.name for inner in corpus.folders()) if _begins_with_number(name)]
    repeated, padded = [*_repeated(names)], _otherwise_padded(names)
    empty: list[str] = []
    skipped: list[str] = []
    for query in queries:
        items = layout.items(query)
        folders = {file.folder for file in items}
        names_of_items = [file.stem for file in items if is_number(file.stem)]
        if not items:
            empty.append(query.name)
        if names_of_items:  # otherwise files of any name are read
            misnamed += [
                f"{query.name}/{f.name}/{name}" for f in folders for name in f.file_names() if _is_misnamed(name)
            ]
        for found, numbers in (
            (repeated, _repeated(names_of_items)),
            (padded, _otherwise_padded(names_of_items)),
            (skipped, _skipped(names_of_items, first=1)),
        ):
            found += [f"{query.name} {number}" for number in numbers]
    of_items = "skipped-paragraph" if layout.name == "cases" else "skipped-candidate"
    of_queries = [*_skipped(names, first=None)] if queries else []
    problems = (
        NamingProblem("misnamed-file", "names that begin with a number and are not read", misnamed),
        NamingProblem("repeated-number", "numbers that several names have", repeated),
        NamingProblem("otherwise-padded-number", "numbers with more or fewer leading zeros than the others", padded),
        NamingProblem("query-without-candidates", "queries without candidates", empty),
        NamingProblem(of_items, "numbers that are skipped within a query", skipped),
        NamingProblem("skipped-case", "numbers that no query has", of_queries),
    )
    return [problem for problem in problems if problem.ids]


def _begins_with_number(name: str) -> bool:
    """Return whether a name begins with a number and is none, as a browser's ``900001 (1)``."""
    return name[0].isdecimal() and not is_number(name)


def _is_misnamed(name: str) -> bool:
    is_document = name.endswith(".txt") and is_number(name.removesuffix(".txt"))
    return name[0].isdecimal() and not is_document and not any(fnmatchcase(name, other) for other in NOT_DOCUMENTS)


# --- the names are in numerical order --------------------------------------------------------------


def _repeated(names: Sequence[str]) -> Iterator[str]:
    """Yield the names that differ in leading zeros alone, joined by ``=``."""
    if len({*map(int, names)}) < len(names):
        groups = (list(group) for _, group in groupby(names, key=int))
        yield from ("=".join(group) for group in groups if len(group) > 1)


def _otherwise_padded(names: Sequence[str]) -> list[str]:
    """Return the names that are not as long as those with leading zeros, or the latter if these are fewer."""
    width = max((len(name) for name in names if name[0] == "0" and len(name) > 1), default=0)
    shorter = [name for name in names if len(name) < width]
    padded = [name for name in names if len(name) == width and name[0] == "0"]
    return min(shorter, padded, key=len)


def _skipped(names: Iterable[str], *, first: int | None) -> Iterator[str]:
    """Yield the numbers that no name has, up to the last name, as ``003`` or ``003-005``."""
    expected = first
    for name in names:
        number = int(name)
        if expected is not None and number > expected:
            last = f"-{number - 1:0{len(name)}}" if number - 1 > expected else ""
            yield f"{expected:0{len(name)}}{last}"
        expected = number + 1
