"""Readers of tasks 1 and 2: documents, queries and gold labels of decisions, fragments and paragraphs.

Each takes a `LocalRelease`, whose layout tells where the files are. Texts are read when they are accessed; only the
names of the files are kept in memory. Which queries there are is told by the label file, where there is one.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from xml.etree.ElementTree import Element

from ir_datasets.formats import GenericQrel

from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingReleaseError, printable, printable_list
from ir_coliee.releases import search
from ir_coliee.releases.cache import remember
from ir_coliee.releases.files import File, Folder, Readable, is_empty, read_json, read_text, read_xml, warnings_about
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.search import GOLD_OF_CASE, as_number, is_number, items_of_query, numbered_folders
from ir_coliee.text.statutes import unique

if TYPE_CHECKING:
    from ir_coliee.editions import Split
    from ir_coliee.releases.release import LocalRelease


# Readers for the label formats of tasks 1 and 2: JSON (since 2020), XML (2018, 2019), a text file per case (2019).


#: Query to gold items.
Labels = dict[str, tuple[str, ...]]

_JSON = 'an object such as {"900001.txt": ["900002.txt"]}, or a list of names where labels are not published'
_XML = "an <entry> or <instance> for each query, with its answers in <cases_noticed> or <entailing_paragraphs>"
_WITH_PATH = ("fact", "query", "base_case", "case_contents")  # elements with the path of a query's file
_INSTANCE_PREFIX = re.compile(r"t[12]-")
# paths begin with folders of the organisers' disk, and have either separator
_NAMED_FILE = re.compile(r"(?:.*[/\\])?([^/\\]+)\.txt")
_NAMED_FOLDER = re.compile(r"(?:.*[/\\])?([^/\\]+)[/\\][^/\\]+\.txt")


def read_json_labels(file: Readable) -> Labels:
    """Read labels from JSON.

    The items of a query are a list or a comma-separated string; a file may have both. A file whose labels are not
    published is a list of names, or has empty lists; the queries then have no items.

    Raises
    ------
    MalformedFileError
        If the file is neither an object of such items nor a list of names.
    """
    content = read_json(file, _JSON)
    if isinstance(content, list):
        content = {query: [] for query in content} if all(isinstance(query, str) for query in content) else None
    if not isinstance(content, dict):
        raise MalformedFileError(file, None, "neither an object nor a list of names", _JSON)
    labels: Labels = {}
    with warnings_about(file) as warn:
        for query, value in content.items():
            names = value.split(",") if isinstance(value, str) else value
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                problem = f"the value of {printable(query, 30)} is neither a list of names nor a string"
                raise MalformedFileError(file, None, problem, _JSON)
            if _stem(query) in labels:
                warn(None, f"query {printable(_stem(query))} is given in two spellings; the last one is used")
            labels[_stem(query)] = tuple(_stem(name) for name in names if name.strip())
    return labels


def _stem(name: str) -> str:
    return name.strip().removesuffix(".txt")


def read_xml_labels(file: Readable, *, item_names: Callable[[str], Sequence[str]] | None = None) -> Labels:
    """Read labels from XML, by the name of the query's folder. A query without answer element has no items.

    Parameters
    ----------
    file : Readable
    item_names : callable, optional
        Function that returns the names of the items in a query's folder. By default, an answer is the ``id`` of an item
        element, and the item has the name of the file in that element. With ``item_names``, an answer is the position
        of an item element, counted from 1, as in task 2 of 2018; if the elements do not name the files of the folder,
        it is a position among these files.

    Raises
    ------
    MalformedFileError
        If the file is not well-formed, or has no query.
    """
    labels: Labels = {}
    root, lines = read_xml(file, _XML)
    with warnings_about(file) as warn:
        for element in root.iter():
            if element.tag not in ("entry", "instance"):
                continue
            id_ = _INSTANCE_PREFIX.sub("", element.get("id", "").strip())
            paths = (_text(inner) for inner in element.iter() if inner.tag in _WITH_PATH)
            folder = next((match[1] for match in map(_NAMED_FOLDER.fullmatch, paths) if match), id_)
            if not folder:
                raise MalformedFileError(file, lines[element], "the query has neither an id nor a path", _XML)
            if is_number(id_) and is_number(folder) and int(id_) != int(folder):
                warn(lines[element], f"the query with the id {id_} lies in folder {folder}; the folder is used")
            if folder in labels:
                warn(lines[element], f"query {printable(folder)} is repeated; the last one is used")
            labels[folder] = tuple(_answers(element, item_names(folder) if item_names else None))
    if not labels:
        raise MalformedFileError(file, None, "the file has no query", _XML)
    return labels


def _answers(instance: Element, item_names: Sequence[str] | None) -> Iterable[str]:
    written = [_text(inner) for inner in instance.iter() if inner.tag in ("cases_noticed", "entailing_paragraphs")]
    items = [inner for inner in instance.iter() if inner.tag in ("candidate_case", "paragraph")]
    ids = [item.get("id", "").strip() for item in items]
    files = [_NAMED_FILE.fullmatch(_text(item)) for item in items]  # None for an element with another content
    names: Sequence[str] = [file[1] if file else id_ for file, id_ in zip(files, ids)]
    if item_names is None:
        by_number = {as_number(id_): name for id_, name in zip(ids, names)}
    else:
        if len(names) == len(item_names) and not set(map(as_number, names)) <= set(map(as_number, item_names)):
            names = item_names
        by_number = {position: name for position, name in enumerate(names, start=1) if name}
    for answer in re.split(r"[,\s]+", ",".join(written)):
        if answer:
            yield by_number.get(as_number(_stem(answer)), _stem(answer))


def _text(element: Element) -> str:
    return (element.text or "").strip()


def gold_of_cases(release: LocalRelease) -> Labels:
    """Read labels from the text files in the case folders of some editions, an item on each line."""
    gold: Labels = {}
    names = release.split.optional_files.get(GOLD_OF_CASE, ())
    for case in numbered_folders(release.corpus) if names and release.has("corpus") else ():
        for file in [file for file in case.files() if file.name in names]:
            items = [_stem(line) for line in read_text(file).split("\n") if line.strip()]
            if any(len(item.split()) > 1 for item in items):  # a text, which no message may quote
                raise MalformedFileError(file, None, "a line has several words", "the name of a file on each line")
            gold[case.name] = tuple(items)
    return gold


# The records of tasks 1 and 2, as users of ir_datasets see them.


class Decision(NamedTuple):
    """A court decision, a document of task 1. Until 2020 the id is ``query_candidate``."""

    doc_id: str
    text: str

    def default_text(self) -> str:
        """Return the whole decision."""
        return self.text


class DecisionQuery(NamedTuple):
    """A court decision as a query of task 1, which asks for the cases that it notices."""

    query_id: str
    case: str

    def default_text(self) -> str:
        """Return the whole decision."""
        return self.case


class DecisionWithSummary(NamedTuple):
    """A query of task 1 with its summary, which only the edition of 2018 has; empty if there is none."""

    query_id: str
    case: str
    summary: str

    def default_text(self) -> str:
        """Return the whole decision."""
        return self.case


class Paragraph(NamedTuple):
    """A paragraph of a noticed case, a document of task 2."""

    doc_id: str
    text: str
    case_id: str

    def default_text(self) -> str:
        """Return the paragraph."""
        return self.text


class Fragment(NamedTuple):
    """A fragment of a decision, a query of task 2, which asks for the paragraphs that entail it."""

    query_id: str
    fragment: str

    def default_text(self) -> str:
        """Return the fragment."""
        return self.fragment


class FragmentInCase(NamedTuple):
    """A fragment with the decision that it was taken from."""

    query_id: str
    fragment: str
    base_case: str

    def default_text(self) -> str:
        """Return the fragment."""
        return self.fragment


# Irregular numbering of the files and folders of tasks 1 and 2: some are missing, doubled or misnamed.


_DESCRIPTIONS = {
    "misnamed-file": "names that begin with a number and are not read",
    "repeated-number": "numbers that several names have",
    "otherwise-padded-number": "numbers with more or fewer leading zeros than the others",
    "query-without-candidates": "queries without candidates",
    "skipped-paragraph": "numbers that are skipped within a query",
}


def _warn_of_names(corpus: Folder, item_folder: str, documents: Iterable[tuple[str, File]]) -> None:
    """Warn of names in a corpus folder that show that documents are missing or doubled."""
    irregular = _of_items(corpus, item_folder, documents) if item_folder else _of_files(corpus, documents)
    found: dict[str, list[str]] = {check: [] for check in _DESCRIPTIONS}
    for check, name in irregular:
        found[check].append(name)
    for check, names in found.items():
        if names:
            warnings.warn(FindingWarning(corpus, check, _DESCRIPTIONS[check], names), stacklevel=6)


def _of_files(corpus: Folder, documents: Iterable[tuple[str, File]]) -> Iterator[tuple[str, str]]:
    """Yield the check and the name of each irregularity where all documents are in one folder."""
    yield from (("misnamed-file", name) for name in corpus.file_names() if _is_misnamed(name))
    yield from _of_numbers([file.stem for _, file in documents])


def _of_items(corpus: Folder, item_folder: str, documents: Iterable[tuple[str, File]]) -> Iterator[tuple[str, str]]:
    """Yield the check and the name of each irregularity where each query has a folder with its items."""
    items: dict[str, list[File]] = {query.name: [] for query in numbered_folders(corpus)}
    for doc_id, file in documents:
        items.setdefault(doc_id.partition("_")[0], []).append(file)
    folders = (folder.name for folder in corpus.folders() if folder.name[0].isdecimal() and not is_number(folder.name))
    yield from (("misnamed-file", name) for name in folders)  # such as a browser's 900001 (1)
    yield from _of_numbers([*items])
    for query, files in items.items():
        if not files:
            yield "query-without-candidates", query
        numbers = [file.stem for file in files if is_number(file.stem)]
        if numbers:  # otherwise files of any name are read
            for folder in dict.fromkeys(file.folder for file in files):
                names = filter(_is_misnamed, folder.file_names())
                yield from (("misnamed-file", f"{query}/{folder.name}/{name}") for name in names)
        yield from ((check, f"{query} {number}") for check, number in _of_numbers(numbers))
        if item_folder == "paragraphs":
            yield from (("skipped-paragraph", f"{query} {number}") for number in _skipped(numbers))


def _is_misnamed(name: str) -> bool:
    is_document = name.endswith(".txt") and is_number(name.removesuffix(".txt"))
    is_other = any(fnmatchcase(name, other) for other in search.NOT_DOCUMENTS)
    return name[0].isdecimal() and not is_document and not is_other


def _of_numbers(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield irregularities among names in numerical order: doubled ones, joined by ``=``, and otherwise padded ones."""
    groups = (list(group) for _, group in groupby(names, key=int))
    yield from (("repeated-number", "=".join(group)) for group in groups if len(group) > 1)
    width = max((len(name) for name in names if name[0] == "0" and len(name) > 1), default=0)
    shorter = [name for name in names if len(name) < width]
    padded = [name for name in names if len(name) == width and name[0] == "0"]
    yield from (("otherwise-padded-number", name) for name in min(shorter, padded, key=len))


def _skipped(names: Iterable[str]) -> Iterator[str]:
    """Yield the numbers from 1 that no name has, up to the last name, as ``003`` or ``003-005``."""
    expected = 1
    for name in names:
        number = int(name)
        if number > expected:
            last = f"-{number - 1:0{len(name)}}" if number - 1 > expected else ""
            yield f"{expected:0{len(name)}}{last}"
        expected = number + 1


# Readers for documents and queries of tasks 1 and 2: decisions; fragments and paragraphs.


Record = TypeVar("Record")


def _read_required_text(file: File, text_id: str) -> str:
    """Read the text of a file. A `FindingWarning` reports one without a letter or digit."""
    text = read_text(file)
    if is_empty(text):
        warnings.warn(FindingWarning(file, "empty-text", "texts without a letter or digit", [text_id]), stacklevel=3)
    return text


class TextFiles(Sequence[Record]):
    """Records that are read from one text file each when they are accessed.

    Parameters
    ----------
    ids : list of str
        The ids of the records.
    files : sequence of File
        The file of each record.
    make : callable
        Function that creates a record from its id and its text.
    """

    def __init__(self, ids: list[str], files: Sequence[File], make: Callable[[str, str], Record]) -> None:
        self.ids = ids
        self.files = files
        self._make = make

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return TextFiles(self.ids[position], self.files[position], self._make)
        return self._make(self.ids[position], _read_required_text(self.files[position], self.ids[position]))


_BASE_CASE = ("base_case.txt", "fact.txt")
_FRAGMENT = ("entailed_fragment.txt", "fact.txt")
_SUMMARY = ("summary.txt",)


# --- documents and candidates ----------------------------------------------------------------------


def documents(release: LocalRelease) -> TextFiles[Any]:
    """Return the documents of a split: all decisions of task 1, queries included, or the paragraphs of task 2.

    Where queries have folders, the id is ``query_item``, by the names of the folder and of the file.
    """
    item_folder = release.split.item_folder
    folders = [
        inner for query in _query_folders(release) for inner in (query, *search.folder_of_items(query, item_folder))
    ]
    stamp = (release.corpus.stamp, *(folder.stamp for folder in folders))  # changes with additions and removals
    return _documents(release.corpus, stamp, item_folder, release.split.task)


@remember
def _documents(corpus: Folder, _stamp: Hashable, item_folder: str, task: str) -> TextFiles[Any]:
    if item_folder:
        queries = numbered_folders(corpus)
        found = [
            (f"{query.name}_{file.stem}", file) for query in queries for file in items_of_query(query, item_folder)
        ]
    else:
        found = [(file.stem, file) for file in search.numbered_files(corpus)]
    _warn_of_names(corpus, item_folder, found)
    make = Decision if task == "task1" else lambda doc_id, text: Paragraph(doc_id, text, doc_id.partition("_")[0])
    return TextFiles([doc_id for doc_id, _ in found], [file for _, file in found], make)


def _query_folders(release: LocalRelease) -> list[Folder]:
    """Return the folders of the queries in numerical order; empty if queries have no folders."""
    return numbered_folders(release.corpus) if release.split.item_folder else []


def candidates(release: LocalRelease) -> list[tuple[str, str]]:
    """Return query id and document id of each candidate of a split whose queries have their own candidates."""
    return [(doc_id.partition("_")[0], doc_id) for doc_id in documents(release).ids]


# --- queries ---------------------------------------------------------------------------------------


def query_ids(release: LocalRelease) -> list[str]:
    """Return the ids of the queries of a split, in the order of the label file or of the folders.

    If queries are documents, the label file lists them; a query without a file is left out with a `ColieeWarning`. In
    the other layouts, each numbered folder is a query.
    """
    if release.split.item_folder:
        return [folder.name for folder in _query_folders(release)]
    return [*_known_queries(release, _json_labels(release), documents(release).ids, str(release.file("labels")))]


def _known_queries(release: LocalRelease, labels: Labels, names: Sequence[str], source: str) -> Labels:
    """Return the labels of the queries that have a file or folder, under its name; leading zeros are ignored.

    If only some queries have none, a `ColieeWarning` is issued; if all have none, the labels are of other documents.
    """
    existing_name, query_kind = _last_name(names), "folder" if release.split.item_folder else "file"
    if missing := [query for query in labels if existing_name(query) is None]:
        left_out = f"queries of the labels without a {query_kind}, which are left out"
        warnings.warn(FindingWarning(source, "gold-without-query", left_out, missing), stacklevel=4)
    if len(missing) == len(labels):
        problem = f"no query has a {query_kind} in {release.corpus}" if labels else "the file has no query"
        expected = "the label file that belongs to these documents, of the same edition and split"
        raise MalformedFileError(source, None, problem, expected)
    known: Labels = {}
    for query, items in labels.items():
        if query_id := existing_name(query):
            if query_id in known:
                message = f"{source}: query {query_id} is given in two spellings; the last one is used"
                warnings.warn(message, ColieeWarning, stacklevel=4)
            known[query_id] = items
    return known


def _last_name(names: Iterable[str]) -> Callable[[str], str | None]:
    """Return a function that finds a name in any spelling; of several with one number, the last."""
    find = search.name_finder(names)
    return lambda written: next(reversed(find(written)), None)


def queries(release: LocalRelease) -> TextFiles[Any]:
    """Return the queries of a split: the decisions of task 1, the fragments of task 2 in the order of their cases."""
    if release.split.task == "task1":
        return TextFiles(*_query_files(release, _BASE_CASE), DecisionQuery)
    return TextFiles(*_query_files(release, _FRAGMENT), Fragment)


def full_queries(release: LocalRelease) -> TextFiles[Any]:
    """Return the queries with every field: the summary, which only the edition of 2018 has, or the base case."""
    texts = queries(release)
    if release.split.task == "task1":
        summaries = {folder.name: _first_file(folder, _SUMMARY) for folder in _query_folders(release)}

        def with_summary(query_id: str, case: str) -> DecisionWithSummary:
            summary = summaries.get(query_id)
            return DecisionWithSummary(query_id, case, read_text(summary) if summary else "")

        return TextFiles(texts.ids, texts.files, with_summary)
    base_cases = dict(zip(*_query_files(release, _BASE_CASE)))

    def in_case(query_id: str, fragment: str) -> FragmentInCase:
        return FragmentInCase(query_id, fragment, _read_required_text(base_cases[query_id], query_id))

    return TextFiles(texts.ids, texts.files, in_case)


def base_case_files(release: LocalRelease) -> dict[str, File | None]:
    """Return the file of the base case of each query of a task 2 split; None if it is missing."""
    return {folder.name: _first_file(folder, _BASE_CASE) for folder in _query_folders(release)}


def _query_files(release: LocalRelease, names: tuple[str, ...]) -> tuple[list[str], list[File]]:
    """Return the ids of the queries and the file of each: the first of these names that its folder has."""
    if not release.split.item_folder:
        decisions, ids = documents(release), query_ids(release)
        by_id = dict(zip(decisions.ids, decisions.files))
        return ids, [by_id[query_id] for query_id in ids]
    found: dict[str, File] = {}
    for folder in _query_folders(release):
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
    split = release.split
    if not split.item_folder:
        yield from ((file.name, file) for file in search.numbered_files(release.corpus))
    names = {*_BASE_CASE, *_FRAGMENT, *_SUMMARY, *split.optional_files.get(GOLD_OF_CASE, ())}
    for case in _query_folders(release):
        yield from ((f"{case.name}/{file.name}", file) for file in case.files() if file.name in names)
        items = items_of_query(case, split.item_folder)
        yield from ((f"{case.name}/{file.folder.name}/{file.name}", file) for file in items)


def _first_file(folder: Folder, names: tuple[str, ...]) -> File | None:
    by_name = {file.name: file for file in folder.files()}
    return next((by_name[name] for name in names if name in by_name), None)


# Readers for the gold labels of tasks 1 and 2, in every label format and layout.


def gold(release: LocalRelease) -> list[GenericQrel]:
    """Return the gold labels of a split, each pair once.

    In the flat layout, a query that notices itself is removed from its gold with a `ColieeWarning`; in the other
    layouts, an item with the query's number is a different case. Gold labels of unknown documents are kept, with a
    warning. If only the label file is at hand, the ids are those of the label file in the official form.

    Raises
    ------
    MissingLabelsError
        If there are no labels.
    """
    pairs = [(query, item) for query, items in written_gold(release).items() for item in unique(items)]
    source = _source(release)
    # only possible in the flat layout: in the others the id of an item begins with that of its query
    if self_citing := [query for query, item in pairs if query == item]:
        left_out = "queries whose gold names themselves, which is left out"
        warnings.warn(FindingWarning(source, "self-citation", left_out, self_citing), stacklevel=2)
        pairs = [(query, item) for query, item in pairs if query != item]
    known = set(documents(release).ids) if release.has("corpus") else {item for _, item in pairs}
    if unknown := [f"{query} {item}" for query, item in pairs if item not in known]:
        kept = "gold labels that name no document, which are kept"
        warnings.warn(FindingWarning(source, "gold-without-document", kept, unknown), stacklevel=2)
    return [GenericQrel(query, item, 1) for query, item in pairs]


def noticed_cases(gold: Iterable[tuple[str, str]], queries: Collection[str]) -> str:
    """Return a sentence on how the queries of task 1 share the cases that they notice.

    Parameters
    ----------
    gold : iterable of tuple
        Pairs of a query and a case that it notices.
    queries : collection of str
        The ids of all queries.

    Examples
    --------
    >>> noticed_cases([("900001", "900003"), ("900002", "900004")], {"900001", "900002"})
    'every noticed case belongs to exactly one query (2 of 2), and none is a query: comparing queries helps'
    """
    times = Counter(case for _, case in {*gold})
    of_one_query = sum(time == 1 for time in times.values())
    are_queries = sum(case in queries for case in times)
    is_every = of_one_query == len(times) > 0
    share = of_one_query / max(len(times), 1)
    belong = "every noticed case belongs" if is_every else f"{share:.1%} of the noticed cases belong"
    and_queries = f"{are_queries:,} are queries" if are_queries else "none is a query"
    helps = ": comparing queries helps" if is_every else ""
    return f"{belong} to exactly one query ({of_one_query:,} of {len(times):,}), and {and_queries}{helps}"


def written_gold(release: LocalRelease) -> Labels:
    """Return the ids of the gold documents of each query as they are written, repeats included.

    Raises
    ------
    MissingLabelsError
        If there are no labels.
    """
    labels = _read_labels(release)
    source = _source(release)
    if not any(labels.values()):
        found = release.find("labels")
        raise search.unpublished_labels_error(release.split, "labels", [found.node if found else release.corpus])
    split = release.split
    if not release.has("corpus"):
        official = functools.partial(official_id, split)
        return {
            official(query): tuple(split.docno_of(official(query), official(item)) for item in items)
            for query, items in labels.items()
        }
    # a query without a file or folder has no text and is not scored
    folders = {folder.name: folder for folder in _query_folders(release)}
    names = [*folders] if split.item_folder else documents(release).ids
    existing_name = _last_name(names)
    gold: Labels = {}
    for query, items in _known_queries(release, labels, names, source).items():
        if split.item_folder:
            existing_name = _last_name(file.stem for file in items_of_query(folders[query], split.item_folder))
        gold[query] = tuple(split.docno_of(query, existing_name(item) or item) for item in items)
    return gold


def labelled_queries(release: LocalRelease) -> list[str]:
    """Return the queries that the label file names, also if its labels are not published.

    Raises
    ------
    MissingReleaseError
        If there is no label file.
    MalformedFileError
        If the label file has no query.
    """
    if not (labels := _read_labels(release)):
        raise MalformedFileError(release.file("labels"), None, "the file has no query", "labels of at least one query")
    return [official_id(release.split, query) for query in labels]


def numbers(release: LocalRelease) -> list[int]:
    """Return the numbers of the documents or cases of a split, or those of the queries if only labels are at hand."""
    if release.has("corpus"):
        folders = [int(case.name) for case in numbered_folders(release.corpus)]
        return [*folders, *(int(file.stem) for file in search.numbered_files(release.corpus))]
    return [int(query) for query in labelled_queries(release) if is_number(query)] if release.has("labels") else []


def official_id(split: Split, written: str) -> str:
    """Return the official form of the id of a query or item, where no file tells its name.

    Decisions in one folder are named by six digits, items and queries in folders by three or more.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> official_id(split("coliee/task1/2025/test"), "900001.txt"), official_id(split("coliee/task2/2025/test"), "7")
    ('900001', '007')
    """
    stem = written.removesuffix(".txt").removesuffix(".0")
    return str(int(stem)).zfill(3 if split.item_folder else 6) if is_number(stem) else stem


def _read_labels(release: LocalRelease) -> Labels:
    """Read the labels from the label file, else from the files in the case folders."""
    per_case = gold_of_cases(release)
    if per_case and not release.has("labels"):
        return per_case
    file = release.file("labels")
    labels = _xml_labels(release) if release.split.labels == "XML" else _json_labels(release)
    if not any(labels.values()):  # the label file of a test whose labels are not published yet
        return per_case or labels
    if per_case and (differing := _differing_queries(labels, per_case)):
        message = f"{file}: the gold in the case folders differs; this file is used: {printable_list(differing)}"
        warnings.warn(message, ColieeWarning, stacklevel=3)
    return labels


def _json_labels(release: LocalRelease) -> Labels:
    file = release.file("labels")
    return _parsed(file, file.stamp)


@remember
def _parsed(file: File, _stamp: Hashable) -> Labels:
    return read_json_labels(file)


def _xml_labels(release: LocalRelease) -> Labels:
    if not release.split.answers_are_positions:
        return read_xml_labels(release.file("labels"))
    names = {
        as_number(folder.name): [file.stem for file in items_of_query(folder, release.split.item_folder)]
        for folder in _query_folders(release)
    }
    return read_xml_labels(release.file("labels"), item_names=lambda query: names.get(as_number(query), []))


def _differing_queries(one: Labels, other: Labels) -> list[str]:
    """Return the queries whose items differ between the two, ignoring repeats and leading zeros."""
    left, right = ({as_number(q): set(map(as_number, items)) for q, items in labels.items()} for labels in (one, other))
    queries = {as_number(query): query for query in (*one, *other)}
    return [name for query, name in queries.items() if left.get(query, set()) != right.get(query, set())]


def _source(release: LocalRelease) -> str:
    """Return the path of the gold labels, for messages."""
    found = release.find("labels")
    return str(found.node if found else release.corpus)
