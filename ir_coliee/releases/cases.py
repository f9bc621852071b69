"""Readers for the case-law tasks: decisions and noticed cases (1), fragments and paragraphs (2).

The documents lie in one of the layouts of `layouts`, the gold in one of the forms of `case_labels`. Texts are
read one by one when they are asked for; what is kept is the names of the files.
"""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar, overload

from ir_datasets.formats import GenericQrel

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingLabelsError, MissingReleaseError, listed
from ir_coliee.releases import search as copies
from ir_coliee.releases.case_labels import Labels, read_gold_of_cases, read_json_labels, read_xml_labels
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import item_files, items_of, number, numbered_files, numbered_folders
from ir_coliee.releases.memory import kept
from ir_coliee.releases.reading import Readable, read_text
from ir_coliee.releases.unpacked import unpacked
from ir_coliee.text.statutes import unique

_BASE_CASE = ("base_case.txt", "fact.txt")
_FRAGMENT = ("entailed_fragment.txt", "fact.txt")


class Decision(NamedTuple):
    """A court decision, a document of task 1. Until 2020 the id is ``query_candidate``."""

    doc_id: str
    text: str

    def default_text(self) -> str:
        """The whole decision."""
        return self.text


class DecisionQuery(NamedTuple):
    """A court decision as a query of task 1: which cases does it notice?"""

    query_id: str
    case: str

    def default_text(self) -> str:
        """The whole decision."""
        return self.case


class DecisionWithSummary(NamedTuple):
    """A query of task 1 with the summary that 2018 gave beside it; empty where there is none."""

    query_id: str
    case: str
    summary: str

    def default_text(self) -> str:
        """The whole decision."""
        return self.case


class Paragraph(NamedTuple):
    """A paragraph of a noticed case, a document of task 2."""

    doc_id: str
    text: str
    case_id: str

    def default_text(self) -> str:
        """The paragraph."""
        return self.text


class Fragment(NamedTuple):
    """A fragment of a decision, a query of task 2: which paragraphs entail it?"""

    query_id: str
    fragment: str

    def default_text(self) -> str:
        """The fragment."""
        return self.fragment


class FragmentInCase(NamedTuple):
    """A fragment with the decision it was taken from."""

    query_id: str
    fragment: str
    base_case: str

    def default_text(self) -> str:
        """The fragment."""
        return self.fragment


Record = TypeVar("Record")


class TextFiles(Sequence[Record]):
    """Records that are made of a text file each, read when one is asked for."""

    def __init__(self, ids: list[str], files: Sequence[Readable], make: Callable[[str, str], Record]) -> None:
        self.ids = ids
        self.files = files
        self._make = make

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, position: int) -> Record: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Record]: ...
    def __getitem__(self, position: int | slice) -> Record | Sequence[Record]:
        if isinstance(position, slice):
            return TextFiles(self.ids[position], self.files[position], self._make)
        text = read_text(self.files[position])
        if not text:
            message = f"{self.files[position]} is empty. Take it anew from the organisers' package."
            warnings.warn(message, ColieeWarning, stacklevel=2)
        return self._make(self.ids[position], text)

    def in_any_order(self) -> "TextFiles[Record]":
        """The same records, to be looked up by position rather than read from first to last."""
        return TextFiles(self.ids, unpacked(self.files), self._make)


# --- documents and pools ---------------------------------------------------------------------------


def documents(split: Split) -> TextFiles[Any]:
    """The documents of a split: the decisions of task 1, the paragraphs of task 2."""
    return decisions(split) if split.task == "task1" else paragraphs(split)


def decisions(split: Split) -> TextFiles[Decision]:
    """All decisions of a task 1 split: the flat folder, queries included, or the candidates of all queries."""
    corpus = copies.find_folder(split)
    return _decisions(corpus, _stamp(corpus, split.layout), split.layout)


@kept(8)
def _decisions(corpus: Folder, _stamp: Any, layout: str) -> TextFiles[Decision]:
    if layout == "flat":
        files = numbered_files(corpus)
        return TextFiles([file.stem for file in files], files, Decision)
    return TextFiles(*_items_of_pools(corpus, layout), Decision)


def paragraphs(split: Split) -> TextFiles[Paragraph]:
    """The paragraphs of all cases of a task 2 split. Their id is ``case_paragraph``, by file name."""
    corpus = copies.find_folder(split)
    return _paragraphs(corpus, _stamp(corpus, split.layout), split.layout)


@kept(8)
def _paragraphs(corpus: Folder, _stamp: Any, layout: str) -> TextFiles[Paragraph]:
    ids, files = _items_of_pools(corpus, layout)
    return TextFiles(ids, files, lambda doc_id, text: Paragraph(doc_id, text, doc_id.partition("_")[0]))


def _items_of_pools(corpus: Folder, layout: str) -> tuple[list[str], list[File]]:
    """The ids and files of the items in the queries' folders, query by query, in the order of their numbers."""
    items = [(case.name, file) for case in numbered_folders(corpus) for file in item_files(case, layout)]
    return [f"{query}_{file.stem}" for query, file in items], [file for _, file in items]


def _stamp(corpus: Folder, layout: str) -> Any:
    """The stamp of the corpus, and those of the folders in it where it is made of their files."""
    if layout == "flat":
        return corpus.stamp
    cases = numbered_folders(corpus)
    return corpus.stamp, tuple(inner.stamp for case in cases for inner in (case, *items_of(case, layout)))


def pools(split: Split) -> list[tuple[str, str]]:
    """Query and candidate of a split whose queries have pools: each query with the items in its folder."""
    return [(doc_id.partition("_")[0], doc_id) for doc_id in documents(split).ids]


# --- queries ---------------------------------------------------------------------------------------


def query_ids(split: Split) -> list[str]:
    """The ids of a split's queries.

    In the flat layout the label file alone tells which they are, and gives their order; a query that has no file is
    left out, with a warning. In the others each folder is a query.
    """
    if split.layout != "flat":
        return [case.name for case in numbered_folders(copies.find_folder(split))]
    documents = decisions(split)
    file = copies.find_file(split, "labels")
    return [*_of_known_queries(read_json_labels(file), documents.ids, str(file), "file")]


def _of_known_queries(labels: Labels, ids: Sequence[str], place: str, kind: str) -> Labels:
    """The labels of the queries that have a file or folder, by its name, whatever zeros are in front of theirs.

    Warns of the others. Raises `MalformedFileError` where none has one.
    """
    spelled = _spelling(ids)
    if missing := [query for query in labels if spelled(query) is None]:
        message = f"{place}: queries without a {kind} left out: {listed(missing)}"
        warnings.warn(message, ColieeWarning, stacklevel=4)
    if len(missing) == len(labels):
        problem = f"no query has a {kind} in the corpus folder" if labels else "no query in it"
        raise MalformedFileError(place, None, problem, "the label file of this split")
    known: Labels = {}
    for query, items in labels.items():
        if query_id := spelled(query):
            if query_id in known:
                message = f"{place}: query {query_id} is given in two spellings, the last counts"
                warnings.warn(message, ColieeWarning, stacklevel=4)
            known[query_id] = items
    return known


def _spelling(names: Iterable[str]) -> Callable[[str], str | None]:
    """How a name is spelled among these, as for zeros in front; None where it is not among them."""
    by_number: dict[int | str, str] = {}
    for name in names:
        by_number |= {number(name): name, name: name}
    return lambda name: by_number.get(name) or by_number.get(number(name))


def decision_queries(split: Split) -> TextFiles[DecisionQuery]:
    """The queries of a task 1 split."""
    ids, files = _query_files(split, _BASE_CASE)
    return TextFiles(ids, files, DecisionQuery)


def decision_queries_with_summary(split: Split) -> Sequence[DecisionWithSummary]:
    """The queries of a task 1 split with the summaries beside them (2018)."""
    ids, files = _query_files(split, _BASE_CASE)
    cases = [] if split.layout == "flat" else numbered_folders(copies.find_folder(split))
    summaries = {case.name: _file(case, ("summary.txt",)) for case in cases}

    def make(query_id: str, case: str) -> DecisionWithSummary:
        summary = summaries.get(query_id)
        return DecisionWithSummary(query_id, case, read_text(summary) if summary else "")

    return TextFiles(ids, files, make)


def fragments(split: Split) -> Sequence[Fragment]:
    """The queries of a task 2 split, in the order of the case numbers."""
    ids, files = _query_files(split, _FRAGMENT)
    return TextFiles(ids, files, Fragment)


def fragments_in_cases(split: Split) -> Sequence[FragmentInCase]:
    """The queries of a task 2 split with their base cases, in the order of the case numbers."""
    ids, files = _query_files(split, _FRAGMENT)
    bases = dict(zip(*_query_files(split, _BASE_CASE)))
    return TextFiles(ids, files, lambda query_id, text: FragmentInCase(query_id, text, read_text(bases[query_id])))


def _query_files(split: Split, names: tuple[str, ...]) -> tuple[list[str], list[Readable]]:
    """The ids of the queries and the file of each: the first of these names that its folder has."""
    if split.layout == "flat":
        documents = decisions(split)
        by_id = dict(zip(documents.ids, documents.files))
        ids = query_ids(split)
        return ids, [by_id[query_id] for query_id in ids]
    cases = numbered_folders(copies.find_folder(split))
    files = [_file(case, names) for case in cases]
    for case, file in zip(cases, files):
        if file is None:
            raise MissingReleaseError(
                f"{case}: {names[0]} is missing from this case. Take the folder anew from the package."
            )
    return [case.name for case in cases], [file for file in files if file]


def _file(folder: Folder, names: tuple[str, ...]) -> File | None:
    by_name = {file.name: file for file in folder.files()}
    return next((by_name[name] for name in names if name in by_name), None)


# --- gold ------------------------------------------------------------------------------------------


def gold(split: Split) -> list[GenericQrel]:
    """The gold of a split, each pair once.

    In the flat layout a query that names itself is left out, with a warning; in pools an equal number is another case.
    Gold that names no document is kept, with a warning. Raises `MissingLabelsError`.
    """
    written = raw_gold(split)
    pairs = [(query, item) for query, items in written.items() for item in unique(items)]
    place = _place_of_gold(split)
    # only in the flat layout: in pools the id of an item begins with that of its query
    if selves := [query for query, item in pairs if query == item]:
        message = f"{place}: cases that notice themselves left out: {listed(selves)}"
        warnings.warn(message, ColieeWarning, stacklevel=2)
        pairs = [(query, item) for query, item in pairs if query != item]
    known = set(documents(split).ids)
    if lost := unique(item for _, item in pairs if item not in known):
        message = f"{place}: gold that names no document of this copy, counted all the same: {listed(lost)}"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    return [GenericQrel(query, item, 1) for query, item in pairs]


def raw_gold(split: Split) -> Labels:
    """Query to the ids of its gold documents as they are written, repeats kept. Raises `MissingLabelsError`."""
    labels = _labels(split)
    place = _place_of_gold(split)
    if not any(labels.values()):
        raise MissingLabelsError(
            f"{split.id}: {place} names the queries but has no labels. Once the organisers publish them, "
            f"put {split.files['labels'][0]} into the data folder."
        )
    # a query that cannot be asked is not scored either
    if split.layout == "flat":
        ids = decisions(split).ids
        spelled = _spelling(ids)
        known = _of_known_queries(labels, ids, place, "file")
        return {query: tuple(spelled(item) or item for item in items) for query, items in known.items()}
    cases = {case.name: case for case in numbered_folders(copies.find_folder(split))}
    known = _of_known_queries(labels, [*cases], place, "folder")
    return {query: _in_pool(cases[query], split.layout, items) for query, items in known.items()}


def _in_pool(case: Folder, layout: str, items: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of a case's items."""
    spelled = _spelling(file.stem for file in item_files(case, layout))
    return tuple(f"{case.name}_{spelled(item) or item}" for item in items)


def _labels(split: Split) -> Labels:
    of_cases: Labels = {}
    if copies.has_gold_per_case(split):
        of_cases = read_gold_of_cases(copies.find_folder(split), split.optional_files["gold of a case"])
        if not copies.is_here(split, "labels"):
            return of_cases
    file = copies.find_file(split, "labels")
    if split.labels != "XML":
        return read_json_labels(file)
    labels = read_xml_labels(file, listed=_names_in_cases(split) if split.answers_are_positions else None)
    if not any(labels.values()):  # as it was handed out before the labels were published
        return of_cases or labels
    if of_cases and (differing := _differing(labels, of_cases)):
        message = f"{file}: other gold than in the case folders, this file counts: {listed(differing)}"
        warnings.warn(message, ColieeWarning, stacklevel=3)
    return labels


def _differing(one: Labels, other: Labels) -> list[str]:
    """The queries that have other items in one than in the other, repeats and zeros in front apart."""
    left, right = ({number(q): set(map(number, items)) for q, items in labels.items()} for labels in (one, other))
    queries = {number(query): query for query in (*one, *other)}
    return [name for query, name in queries.items() if left.get(query, set()) != right.get(query, set())]


def _names_in_cases(split: Split) -> Callable[[str], list[str]]:
    cases = numbered_folders(copies.find_folder(split))
    names = {number(case.name): [file.stem for file in item_files(case, split.layout)] for case in cases}
    return lambda query: names.get(number(query), [])


def _place_of_gold(split: Split) -> str:
    return str(copies.find_file(split, "labels") if copies.is_here(split, "labels") else copies.find_folder(split))
