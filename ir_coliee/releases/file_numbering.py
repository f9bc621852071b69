"""Irregular numbering of the files and folders of tasks 1 and 2: some are missing, doubled or misnamed.

Only names are looked at. The paragraphs of a case are numbered from 1 without gaps in every release that was measured.
The same is not known of the candidates of a query and of the cases themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import groupby
from typing import NamedTuple

from ir_coliee.releases.check_table import CHECKS
from ir_coliee.releases.folders import File, Folder
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

    @property
    def is_curious(self) -> bool:
        """Whether only an audit reports it; the reader warns of the others, where documents are missing or doubled."""
        return CHECKS[self.check].level == "curious"


_DESCRIPTIONS = {
    "misnamed-file": "names that begin with a number and are not read",
    "repeated-number": "numbers that several names have",
    "otherwise-padded-number": "numbers with more or fewer leading zeros than the others",
    "query-without-candidates": "queries without candidates",
    "skipped-paragraph": "numbers that are skipped within a query",
    "skipped-candidate": "numbers that are skipped within a query",
    "skipped-case": "numbers that no query has",
}


def naming_problems(corpus: Folder, layout: Layout, documents: Iterable[tuple[str, File]]) -> list[NamingProblem]:
    """Return the irregular names in a corpus folder.

    Parameters
    ----------
    corpus : Folder
    layout : Layout
    documents : iterable of tuple
        The documents of the folder, as `Layout.documents` returns them.
    """
    found: dict[str, list[str]] = {check: [] for check in _DESCRIPTIONS}
    for check, name in _irregular_names(corpus, layout, documents):
        found[check].append(name)
    return [NamingProblem(check, _DESCRIPTIONS[check], names) for check, names in found.items() if names]


def _irregular_names(
    corpus: Folder, layout: Layout, documents: Iterable[tuple[str, File]]
) -> Iterator[tuple[str, str]]:
    """Yield the check and the name of each irregularity."""
    if layout.queries_are_documents:
        yield from (("misnamed-file", name) for name in corpus.file_names() if _is_misnamed(name))
        yield from _of_numbers([file.stem for _, file in documents])
        return
    items: dict[str, list[File]] = {query.name: [] for query in layout.query_folders(corpus)}
    for doc_id, file in documents:
        items.setdefault(doc_id.partition("_")[0], []).append(file)
    yield from (("misnamed-file", folder.name) for folder in corpus.folders() if _begins_with_number(folder.name))
    yield from _of_numbers([*items])
    yield from (("skipped-case", number) for number in _skipped(items, first=None))
    skipped = "skipped-paragraph" if layout.name == "cases" else "skipped-candidate"
    for query, files in items.items():
        yield from _of_query(query, files, skipped)


def _of_query(query: str, files: Sequence[File], skipped: str) -> Iterator[tuple[str, str]]:
    if not files:
        yield "query-without-candidates", query
    numbers = [file.stem for file in files if is_number(file.stem)]
    if numbers:  # otherwise files of any name are read
        for folder in dict.fromkeys(file.folder for file in files):
            names = filter(_is_misnamed, folder.file_names())
            yield from (("misnamed-file", f"{query}/{folder.name}/{name}") for name in names)
    yield from ((check, f"{query} {number}") for check, number in _of_numbers(numbers))
    yield from ((skipped, f"{query} {number}") for number in _skipped(numbers, first=1))


def _of_numbers(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from (("repeated-number", name) for name in _repeated(names))
    yield from (("otherwise-padded-number", name) for name in _otherwise_padded(names))


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
