"""Layouts of the corpus folders of tasks 1 and 2.

A `Layout` defines how a corpus folder is recognised, which of its files are documents, and where the queries are:

``flat``
    The decisions ``NNNNNN.txt`` in one folder; the label file tells which of them are queries.
``pools``
    A numbered folder for each query, with its candidates in the folder ``candidates``.
``cases``
    A numbered folder for each query, with the paragraphs of the noticed case in the folder ``paragraphs``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import MappingProxyType

from ir_coliee.releases.folders import File, Folder

#: Patterns of files in folders of documents that are no documents.
NOT_DOCUMENTS = ("*.json", "*.xml", "mapping.txt", "*_id_mapping*.txt")
_MAX_DIGITS = 100  # much longer than any id, and much shorter than the longest text that Python converts to a number
_MAX_DEPTH = 5  # levels between a release's top folder and its documents: four in 2018


def by_number(name: str) -> tuple[int, str]:
    """Sort key of ids that are numbers, with or without leading zeros."""
    return int(name), name


def is_number(name: str) -> bool:
    """Return whether a name consists of ASCII digits."""
    return name.isascii() and name.isdecimal() and len(name) <= _MAX_DIGITS


def is_without_labels(name: str) -> bool:
    """Return whether the name of a label file says that it has the queries of a test without their labels."""
    return "no_labels" in name


def number(name: str) -> int | str:
    """Convert a name to a number, so that leading zeros are ignored; return other names unchanged."""
    return int(name) if is_number(name) else name


def numbered_files(folder: Folder) -> list[File]:
    """Return the text files of a folder whose names are numbers, in numerical order."""
    return [File(folder, f"{stem}.txt") for _, stem in sorted((int(stem), stem) for stem in _numbers(folder))]


def _numbers(folder: Folder) -> Iterator[str]:
    stems = (name.removesuffix(".txt") for name in folder.file_names() if name.endswith(".txt"))
    return filter(is_number, stems)


def numbered_folders(folder: Folder) -> list[Folder]:
    """Return the folders in a folder whose names are numbers, in numerical order."""
    return sorted((inner for inner in folder.folders() if is_number(inner.name)), key=lambda f: by_number(f.name))


class Layout(ABC):
    """Arrangement of documents and queries in a corpus folder.

    Attributes
    ----------
    name : str
        The name by which a split states its layout.
    contents : str
        Description of the expected content of a corpus folder, for messages.
    query_kind : str
        ``file`` or ``folder``: what each query is in the corpus folder.
    queries_are_documents : bool
        Whether queries are documents of the collection, named by the label file alone.
    """

    name: str
    contents: str
    query_kind: str
    queries_are_documents: bool

    @abstractmethod
    def is_corpus(self, folder: Folder) -> bool:
        """Return whether a folder has the documents of this layout directly in it."""

    @abstractmethod
    def documents(self, corpus: Folder) -> list[tuple[str, File]]:
        """Return the document ids of a corpus folder with their files, in numerical order."""

    @abstractmethod
    def query_folders(self, corpus: Folder) -> list[Folder]:
        """Return the folders of the queries in numerical order; empty if queries have no folders."""

    @abstractmethod
    def items(self, query_folder: Folder) -> list[File]:
        """Return the files of a query's candidates in numerical order; empty if queries have no folders."""

    @abstractmethod
    def stamp(self, corpus: Folder) -> Hashable:
        """Return a value that changes when documents are added to a corpus folder or removed from it."""

    def count_documents(self, corpus: Folder) -> int:
        """Return the number of documents in a corpus folder."""
        return len(self.documents(corpus))

    def find_corpora(self, folder: Folder) -> list[Folder]:
        """Find the corpus folders in a folder: the folder itself, else the nearest ones, at most five levels below it.

        A release is often unpacked into a folder of its own name, or is in a folder ``cases`` or ``corpus``.
        """
        level = [folder]
        for _ in range(_MAX_DEPTH):
            if found := [inner for inner in level if self.is_corpus(inner)]:
                return found
            level = [inner for outer in level for inner in outer.folders() if not is_number(inner.name)]
        return []


@dataclass(frozen=True)
class FlatLayout(Layout):
    """All decisions in one folder, queries included."""

    name: str = "flat"
    contents: str = "text files whose names are numbers"
    query_kind: str = "file"
    queries_are_documents: bool = True

    def is_corpus(self, folder: Folder) -> bool:
        """Return whether a folder has a numbered text file."""
        return next(_numbers(folder), None) is not None

    def documents(self, corpus: Folder) -> list[tuple[str, File]]:
        """Return the numbered text files; their ids are their names without ``.txt``."""
        return [(file.stem, file) for file in numbered_files(corpus)]

    def query_folders(self, corpus: Folder) -> list[Folder]:
        """Return nothing: queries are files among the documents."""
        return []

    def items(self, query_folder: Folder) -> list[File]:
        """Return nothing: any document may answer a query."""
        return []

    def stamp(self, corpus: Folder) -> Hashable:
        """Return the stamp of the folder."""
        return corpus.stamp


@dataclass(frozen=True)
class QueryFoldersLayout(Layout):
    """A numbered folder for each query, in which ``item_folder`` holds the query's candidates.

    Document ids are ``query_candidate``, by the names of the folder and of the file.
    """

    name: str
    item_folder: str
    contents: str
    query_kind: str = "folder"
    queries_are_documents: bool = False

    def is_corpus(self, folder: Folder) -> bool:
        """Return whether one of the first numbered folders has a folder of candidates."""
        return any(self._item_folders(query) for query in numbered_folders(folder)[:3])

    def documents(self, corpus: Folder) -> list[tuple[str, File]]:
        """Return the candidates of all queries, query by query."""
        return [(f"{query.name}_{file.stem}", file) for query in numbered_folders(corpus) for file in self.items(query)]

    def query_folders(self, corpus: Folder) -> list[Folder]:
        """Return the numbered folders in numerical order."""
        return numbered_folders(corpus)

    def items(self, query_folder: Folder) -> list[File]:
        """Return the files of a query's candidates in numerical order, ignoring additions to their names."""
        folders = self._item_folders(query_folder)
        return [file for folder in folders for file in numbered_files(folder) or _files_with_other_names(folder)]

    def stamp(self, corpus: Folder) -> Hashable:
        """Return the stamps of the folder, of the queries' folders and of the folders of candidates."""
        queries = numbered_folders(corpus)
        return corpus.stamp, tuple(inner.stamp for query in queries for inner in (query, *self._item_folders(query)))

    def _item_folders(self, query_folder: Folder) -> list[Folder]:
        """Return the folder of candidates as a list with one element; empty if it is missing."""
        return [inner for inner in query_folder.folders() if inner.name == self.item_folder]


def _files_with_other_names(folder: Folder) -> list[File]:
    files = [file for file in folder.files() if not any(fnmatchcase(file.name, name) for name in NOT_DOCUMENTS)]
    return sorted(files, key=lambda file: re.sub(r"\d+", lambda digits: digits[0].zfill(_MAX_DIGITS), file.name))


#: Each layout of a corpus folder by its name.
CORPUS_LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        layout.name: layout
        for layout in (
            FlatLayout(),
            QueryFoldersLayout(
                "pools", "candidates", "folders whose names are numbers, each with the folder candidates"
            ),
            QueryFoldersLayout(
                "cases", "paragraphs", "folders whose names are numbers, each with the folder paragraphs"
            ),
        )
    }
)
