"""Readers for the case-law tasks: decisions and noticed cases (1), fragments and paragraphs (2).

The form read here is the one in use since 2023: task 1 is a flat folder of ``NNNNNN.txt`` that holds
queries and candidates alike, task 2 a folder for each case; the gold labels are JSON beside them.
"""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, overload

from ir_datasets.formats import GenericQrel

from ir_coliee.datasets import copies
from ir_coliee.datasets.reading import read_json, read_text
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingCopyError, MissingLabelsError
from ir_coliee.text.statutes import unique

_LABELS = 'an object such as {"900001.txt": ["900002.txt"]}, or a list of names where labels are not published'


class Decision(NamedTuple):
    """A court decision, a document of task 1."""

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


class DecisionFiles(Sequence[Decision]):
    """The decisions of a flat folder, read one by one when asked for, ordered by number."""

    def __init__(self, folder: Path) -> None:
        self.ids = [path.stem for path in _numbered(folder)]
        self._folder = folder

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, position: int) -> Decision: ...
    @overload
    def __getitem__(self, position: slice) -> list[Decision]: ...
    def __getitem__(self, position: int | slice) -> Decision | list[Decision]:
        if isinstance(position, slice):
            return [self[i] for i in range(len(self))[position]]
        return self.read(self.ids[position])

    def read(self, doc_id: str) -> Decision:
        """The decision of this id."""
        return Decision(doc_id, read_text(self._folder / f"{doc_id}.txt"))


def by_number(name: str) -> tuple[int, str]:
    """Sorting key of ids that are numbers of varying width."""
    return int(name), name


def decisions(part: Part) -> DecisionFiles:
    """All decisions of a task 1 part, queries included."""
    folder = copies.find(part, "corpus")
    files = _decision_files(folder, folder.stat().st_mtime_ns)
    if not files:
        raise MissingCopyError(f"{part.id}: {folder} holds no decision; files such as 900001.txt are expected there.")
    return files


@lru_cache(maxsize=8)
def _decision_files(folder: Path, _changed: int) -> DecisionFiles:
    return DecisionFiles(folder)


def noticed_cases(part: Part) -> list[GenericQrel]:
    """The gold of a task 1 part. A query that names itself is left out, with a warning."""
    path = copies.find(part, "labels")
    pairs = [(query, item) for query, items in _gold(part, path).items() for item in items]
    if selves := [query for query, item in pairs if query == item]:
        warnings.warn(
            f"{path}: cases that notice themselves left out: {', '.join(selves)}", ColieeWarning, stacklevel=2
        )
    known = set(query_ids(part))  # a query that cannot be asked is not scored either
    return [GenericQrel(query, item, 1) for query, item in pairs if query != item and query in known]


def query_ids(part: Part) -> list[str]:
    """The ids of a task 1 part's queries, in the order of the label file, which alone tells which they are.

    A query that has no file is left out, with a warning.
    """
    known = set(decisions(part).ids)
    path = copies.find(part, "labels")
    named = list(read_labels(path))
    if missing := ", ".join(query_id for query_id in named if query_id not in known):
        warnings.warn(f"{path}: queries without a file left out: {missing}", ColieeWarning, stacklevel=2)
    if known.isdisjoint(named):
        raise MalformedFileError(path, None, "no query has a file in the corpus folder", "the label file of this part")
    return [query_id for query_id in named if query_id in known]


def decision_queries(part: Part) -> list[DecisionQuery]:
    """The queries of a task 1 part."""
    files = decisions(part)
    return [DecisionQuery(query_id, files.read(query_id).text) for query_id in query_ids(part)]


def paragraphs(part: Part) -> list[Paragraph]:
    """The paragraphs of all cases of a task 2 part. Their id is ``case_paragraph``, by file name."""
    return _paragraphs(*_case_folders(part))


def _case_folders(part: Part) -> tuple[Path, int]:
    """The corpus folder, and the time of the latest change in it or in one of its cases."""
    folder = copies.find(part, "corpus")
    if next(_cases(folder), None) is None:
        raise MissingCopyError(f"{part.id}: {folder} holds no case; folders such as 900001 are expected there.")
    inner = [path for case in _cases(folder) for path in (case, case / "paragraphs") if path.is_dir()]
    return folder, max(path.stat().st_mtime_ns for path in (folder, *inner))


@lru_cache(maxsize=8)
def _paragraphs(corpus: Path, _changed: int) -> list[Paragraph]:
    return [
        Paragraph(f"{case.name}_{file.stem}", read_text(file), case.name)
        for case in _cases(corpus)
        for file in _numbered(case / "paragraphs")
    ]


def _numbered(folder: Path) -> list[Path]:
    """The text files of a folder that are named by a number, in the order of the numbers."""
    files = (path for path in folder.glob("*.txt") if path.stem.isdecimal())
    return sorted(files, key=lambda path: by_number(path.stem))


def _cases(corpus: Path) -> Iterator[Path]:
    return iter(sorted((c for c in corpus.iterdir() if c.name.isdecimal()), key=lambda case: by_number(case.name)))


def fragments(part: Part) -> list[Fragment]:
    """The queries of a task 2 part, in the order of the case numbers."""
    return [Fragment(found.query_id, found.fragment) for found in fragments_in_cases(part)]


def fragments_in_cases(part: Part) -> list[FragmentInCase]:
    """The queries of a task 2 part with their base cases, in the order of the case numbers."""
    corpus, _ = _case_folders(part)
    return [
        FragmentInCase(case.name, _piece(case, "entailed_fragment.txt").strip(), _piece(case, "base_case.txt"))
        for case in _cases(corpus)
    ]


def _piece(case: Path, name: str) -> str:
    try:
        return read_text(case / name)
    except FileNotFoundError:
        raise MissingCopyError(
            f"{case}: {name} is missing from this case. Take the folder anew from the package."
        ) from None


def entailing_paragraphs(part: Part) -> list[GenericQrel]:
    """The gold of a task 2 part."""
    gold = _gold(part, copies.find(part, "labels"))
    return [GenericQrel(case, f"{case}_{item}", 1) for case, items in gold.items() for item in items]


def paragraph_pools(part: Part) -> list[tuple[str, str]]:
    """Query and candidate of a task 2 part: each fragment with the paragraphs of its noticed case."""
    return [(paragraph.case_id, paragraph.doc_id) for paragraph in paragraphs(part)]


def read_labels(path: Path) -> dict[str, tuple[str, ...]]:
    """Query id to gold items, without ``.txt``, each item once, in the order of the file.

    Accepts lists, comma strings and both in one file; a list of names, or empty lists, where the
    labels are not published: the items are then empty. Raises `MalformedFileError`.
    """
    content = read_json(path, _LABELS)
    if isinstance(content, list):
        content = {query: [] for query in content} if all(isinstance(query, str) for query in content) else None
    if not isinstance(content, dict):
        raise MalformedFileError(path, None, "neither an object nor a list of names", _LABELS)
    labels = {}
    for query, value in content.items():
        if _stem(query) in labels:
            message = f"{path}: query {_stem(query)} is given in two spellings, the last counts"
            warnings.warn(message, ColieeWarning, stacklevel=2)
        labels[_stem(query)] = _items(path, query, value)
    return labels


def _items(path: Path, query: str, value: Any) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise MalformedFileError(path, None, f"the value of {query!r} is neither a list of names nor a string", _LABELS)
    return unique(_stem(name) for name in names if name.strip())


def _stem(name: str) -> str:
    return name.strip().removesuffix(".txt")


def _gold(part: Part, path: Path) -> dict[str, tuple[str, ...]]:
    labels = read_labels(path)
    if not any(labels.values()):
        raise MissingLabelsError(
            f"{part.id}: {path} names the queries but has no labels. Once the organisers publish them, "
            f"put {part.files['labels'][0]} into the data folder."
        )
    return labels
