"""Readers for documents and queries of tasks 1 and 2: decisions; fragments and paragraphs.

Each takes a `LocalRelease`, whose layout tells where the files are. Texts are read when they are accessed; only the
names of the files are kept in memory. `ir_coliee.releases.case_gold` reads the gold labels.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingReleaseError, printable_list
from ir_coliee.releases.case_labels import Labels, read_json_labels
from ir_coliee.releases.case_records import (
    Decision,
    DecisionQuery,
    DecisionWithSummary,
    Fragment,
    FragmentInCase,
    Paragraph,
)
from ir_coliee.releases.file_numbering import naming_problems
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import Layout, number
from ir_coliee.releases.memory import remember
from ir_coliee.releases.reading import Readable, read_text
from ir_coliee.releases.text_files import TextFiles, read_required_text

if TYPE_CHECKING:
    from ir_coliee.releases.local_release import LocalRelease

_BASE_CASE = ("base_case.txt", "fact.txt")
_FRAGMENT = ("entailed_fragment.txt", "fact.txt")
_SUMMARY = ("summary.txt",)


# --- documents and candidates ----------------------------------------------------------------------


def documents(release: LocalRelease) -> TextFiles[Any]:
    """Return the documents of a split: the decisions of task 1, the paragraphs of task 2."""
    return decisions(release) if release.split.task == "task1" else paragraphs(release)


def decisions(release: LocalRelease) -> TextFiles[Decision]:
    """Return all decisions of a task 1 split: the whole folder, queries included, or the candidates of all queries."""
    return _decisions(release.corpus, release.corpus_stamp, release.layout)


@remember(8)
def _decisions(corpus: Folder, _stamp: Hashable, layout: Layout) -> TextFiles[Decision]:
    return TextFiles(*_ids_and_files(corpus, layout), Decision)


def paragraphs(release: LocalRelease) -> TextFiles[Paragraph]:
    """Return the paragraphs of all cases of a task 2 split. Their id is ``case_paragraph``, by file name."""
    return _paragraphs(release.corpus, release.corpus_stamp, release.layout)


@remember(8)
def _paragraphs(corpus: Folder, _stamp: Hashable, layout: Layout) -> TextFiles[Paragraph]:
    ids, files = _ids_and_files(corpus, layout)
    return TextFiles(ids, files, lambda doc_id, text: Paragraph(doc_id, text, doc_id.partition("_")[0]))


def _ids_and_files(corpus: Folder, layout: Layout) -> tuple[list[str], list[File]]:
    """List the documents. Warn of names that show that some are missing or doubled."""
    found = layout.documents(corpus)
    for problem in naming_problems(corpus, layout, found):
        if not problem.is_curious:
            warnings.warn(FindingWarning(corpus, *problem), stacklevel=5)
    return [doc_id for doc_id, _ in found], [file for _, file in found]


def candidates(release: LocalRelease) -> list[tuple[str, str]]:
    """Return query id and document id of each candidate of a split whose queries have their own candidates."""
    return [(doc_id.partition("_")[0], doc_id) for doc_id in documents(release).ids]


# --- queries ---------------------------------------------------------------------------------------


def query_ids(release: LocalRelease) -> list[str]:
    """Return the ids of the queries of a split, in the order of the label file or of the folders.

    If queries are documents, the label file lists them; a query without a file is left out with a `ColieeWarning`. In
    the other layouts, each numbered folder is a query.
    """
    if not release.layout.queries_are_documents:
        return [folder.name for folder in release.layout.query_folders(release.corpus)]
    ids = decisions(release).ids
    file = release.file("labels")
    return [*known_queries(release, read_json_labels(file), ids, str(file))]


def known_queries(release: LocalRelease, labels: Labels, names: Sequence[str], source: str) -> Labels:
    """Return the labels of the queries that have a file or folder, under its name; leading zeros are ignored.

    Parameters
    ----------
    release : LocalRelease
        The local copy of a split of task 1 or 2.
    labels : dict
        Query to gold items, as written.
    names : sequence of str
        The names of the files or folders of possible queries.
    source : str
        The path of the labels, for messages.

    Raises
    ------
    MalformedFileError
        If no query has a file or folder. If only some queries have none, a `ColieeWarning` is issued.
    """
    existing_name, query_kind = name_finder(names), release.layout.query_kind
    if missing := [query for query in labels if existing_name(query) is None]:
        message = f"{source}: queries without a {query_kind} were left out: {printable_list(missing)}"
        warnings.warn(message, ColieeWarning, stacklevel=4)
    if len(missing) == len(labels):
        problem = f"no query has a {query_kind} in {release.corpus}" if labels else "the file has no query"
        raise MalformedFileError(
            source, None, problem, "the label file that belongs to these documents, of the same edition and split"
        )
    known: Labels = {}
    for query, items in labels.items():
        if query_id := existing_name(query):
            if query_id in known:
                message = f"{source}: query {query_id} is given in two spellings; the last one is used"
                warnings.warn(message, ColieeWarning, stacklevel=4)
            known[query_id] = items
    return known


def name_finder(names: Iterable[str]) -> Callable[[str], str | None]:
    """Return a function that finds a name among names, ignoring leading zeros, and returns None for an unknown one."""
    by_number: dict[int | str, str] = {}
    for name in names:
        by_number |= {number(name): name, name: name}
    return lambda name: by_number.get(name) or by_number.get(number(name))


def decision_queries(release: LocalRelease) -> TextFiles[DecisionQuery]:
    """Return the queries of a task 1 split."""
    return TextFiles(*_query_files(release, _BASE_CASE), DecisionQuery)


def decision_queries_with_summary(release: LocalRelease) -> TextFiles[DecisionWithSummary]:
    """Return the queries of a task 1 split with their summaries, which only the edition of 2018 has."""
    folders = release.layout.query_folders(release.corpus)
    summaries = {folder.name: _first_file(folder, _SUMMARY) for folder in folders}

    def make(query_id: str, case: str) -> DecisionWithSummary:
        summary = summaries.get(query_id)
        return DecisionWithSummary(query_id, case, read_text(summary) if summary else "")

    return TextFiles(*_query_files(release, _BASE_CASE), make)


def fragments(release: LocalRelease) -> TextFiles[Fragment]:
    """Return the queries of a task 2 split, in the order of the case numbers."""
    return TextFiles(*_query_files(release, _FRAGMENT), Fragment)


def fragments_in_cases(release: LocalRelease) -> TextFiles[FragmentInCase]:
    """Return the queries of a task 2 split with their base cases, in the order of the case numbers."""
    ids, files = _query_files(release, _FRAGMENT)
    files_of_base_cases = dict(zip(*_query_files(release, _BASE_CASE)))

    def base_case(query_id: str) -> str:
        return read_required_text(files_of_base_cases[query_id], query_id)

    return TextFiles(ids, files, lambda query_id, text: FragmentInCase(query_id, text, base_case(query_id)))


def base_case_files(release: LocalRelease) -> dict[str, File | None]:
    """Return the file of the base case of each query of a task 2 split; None if it is missing."""
    return {folder.name: _first_file(folder, _BASE_CASE) for folder in release.layout.query_folders(release.corpus)}


def _query_files(release: LocalRelease, names: tuple[str, ...]) -> tuple[list[str], list[Readable]]:
    """Return the ids of the queries and the file of each: the first of these names that its folder has."""
    if release.layout.queries_are_documents:
        documents = decisions(release)
        by_id = dict(zip(documents.ids, documents.files))
        ids = query_ids(release)
        return ids, [by_id[query_id] for query_id in ids]
    found: dict[str, Readable] = {}
    for folder in release.layout.query_folders(release.corpus):
        file = _first_file(folder, names)
        if file is None:
            raise MissingReleaseError(
                f"{folder}: {names[0]} is missing from this case.\nRestore the folder from the organisers' package."
            )
        found[folder.name] = file
    return [*found], [*found.values()]


def files_of_corpus(release: LocalRelease) -> Iterator[tuple[str, File]]:
    """Yield the path, below the folder of documents, and the file of each document and query, gold of cases included.

    Other files in that folder are not read.
    """
    corpus, layout = release.corpus, release.layout
    if layout.queries_are_documents:
        yield from ((file.name, file) for _, file in layout.documents(corpus))
    names = {*_BASE_CASE, *_FRAGMENT, *_SUMMARY, *release.names_of_gold_per_case}
    for case in layout.query_folders(corpus):
        yield from ((f"{case.name}/{file.name}", file) for file in case.files() if file.name in names)
        yield from ((f"{case.name}/{file.folder.name}/{file.name}", file) for file in layout.items(case))


def _first_file(folder: Folder, names: tuple[str, ...]) -> File | None:
    by_name = {file.name: file for file in folder.files()}
    return next((by_name[name] for name in names if name in by_name), None)
