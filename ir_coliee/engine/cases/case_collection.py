"""`CaseCollection`: the distinct texts of a split of task 1, and the files that have them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ir_coliee.engine.cases.collection_storage import FORMAT_VERSION, StoredTexts, load, write
from ir_coliee.engine.cases.same_text import text_key
from ir_coliee.engine.cases.token_sequences import TokenSequences
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Hashes, Integers
from ir_coliee.progress import stage, steps
from ir_coliee.releases import cache
from ir_coliee.releases.release import LocalRelease, sources_of_decisions


@dataclass(frozen=True, eq=False)
class CaseCollection:
    """The distinct texts of the documents and queries of a split.

    Attributes
    ----------
    sequences : TokenSequences
        The distinct texts, in the order in which they first occur.
    keys : uint64 array
        The `text_key` of each text.
    documents : dict of str to int
        The number of the text of each document.
    queries : dict of str to int
        The number of the text of each query that is not a document, which layouts with candidate pools have.
    """

    sequences: TokenSequences
    keys: Hashes
    documents: dict[str, int]
    queries: dict[str, int]

    @classmethod
    def of(
        cls,
        documents: Iterable[tuple[str, str]],
        queries: Iterable[tuple[str, str]] = (),
        *,
        latest_year: int = 2099,
        workers: int | None = None,
    ) -> CaseCollection:
        """Read files; each distinct text is tokenised once.

        Parameters
        ----------
        documents, queries : iterable of (str, str)
            The id and the text of each file.
        latest_year, workers
            See `TokenSequences.of`.

        Returns
        -------
        CaseCollection

        Raises
        ------
        ColieeError
            If a process ended early.

        Examples
        --------
        >>> collection = CaseCollection.of([("900001", "A lamp."), ("900002", "A gate"), ("900003", "a lamp")])
        >>> collection.documents, collection.files
        ({'900001': 0, '900002': 1, '900003': 0}, [['900001', '900003'], ['900002']])
        """
        numbers: dict[int, int] = {}
        of_documents: dict[str, int] = {}
        of_queries: dict[str, int] = {}

        def new_texts() -> Iterator[str]:
            for files, text_of in ((documents, of_documents), (queries, of_queries)):
                for file_id, text in files:
                    key = text_key(text)
                    is_new = key not in numbers
                    text_of[file_id] = numbers.setdefault(key, len(numbers))
                    if is_new:
                        yield text

        sequences = TokenSequences.of(new_texts(), workers, latest_year)
        return cls(sequences, np.fromiter(numbers, np.uint64, len(numbers)), of_documents, of_queries)

    @cached_property
    def files(self) -> list[list[str]]:
        """The ids of the documents that have each text, in order; none for a text that only a query has."""
        files: list[list[str]] = [[] for _ in range(len(self.sequences))]
        for docno, text in self.documents.items():
            files[text].append(docno)
        return files

    def text_numbers(self, ids: Iterable[str]) -> Integers:
        """Return the number of the text of each document or query.

        Raises
        ------
        ColieeError
            For an id that is neither a document nor a query.
        """
        known = self.queries | self.documents
        try:
            return np.fromiter(map(known.__getitem__, ids), np.int64)
        except KeyError as error:
            raise ColieeError(f"{printable(str(error.args[0]))} is neither a document nor a query.") from None

    def with_texts(self, texts: Iterable[str], latest_year: int = 2099) -> tuple[TokenSequences, Integers]:
        """Return the sequences with given texts, and the number of each given text.

        Texts of the collection are not read again. The sequences are those of the collection if no text is new.

        Parameters
        ----------
        texts : iterable of str
            The texts.
        latest_year : int, default=2099
            See `TokenSequences.of`.

        Returns
        -------
        tuple of TokenSequences and int64 array
        """
        numbers = dict(zip(self.keys.tolist(), range(len(self.keys))))
        new: list[str] = []
        found = []
        for text in texts:
            key = text_key(text)
            if key not in numbers:
                numbers[key] = len(numbers)
                new.append(text)
            found.append(numbers[key])
        return self.sequences.with_texts(new, latest_year) if new else self.sequences, np.array(found, np.int64)


#: The collections that are in use, so that several retrievers of a split share one.
_IN_USE: WeakValueDictionary[str, CaseCollection] = WeakValueDictionary()
_LOCK = Lock()
_FOLDER = "decisions"
_ENGINE = Path(__file__).parents[1]
#: The code that decides what is read of a text.
_CODE = (
    *sorted((_ENGINE.parent / "text").glob("*.py")),
    *(_ENGINE / f"{name}.py" for name in ("corpus", "counting", "workers")),
    *(_ENGINE / "cases" / f"{name}.py" for name in ("same_text", "text_chunks", "text_reading", "token_sequences")),
)


def case_collection(release: LocalRelease, *, verbose: bool = False) -> CaseCollection:
    """Return the texts of a split of task 1, from the cache or read and cached.

    Parameters
    ----------
    release : LocalRelease
        The local release of a split of task 1.
    verbose : bool, default=False
        Whether to show progress.

    Returns
    -------
    CaseCollection
        The same object while it is in use elsewhere and the files have not changed. They are read again after the code
        that reads texts has changed. Nothing of files that are protected by a password is cached.

    Raises
    ------
    MissingReleaseError
        If the files are not in the data folder.
    """
    files, year = sources_of_decisions(release), release.split.year
    key = cache.key_of((files.fingerprint, FORMAT_VERSION, _digest_of_code(), unicodedata.unidata_version, year))
    with _LOCK:  # of several threads, one reads the texts
        collection = _IN_USE.get(key)
        if collection is None:
            collection = None if files.is_encrypted else _cached(key, files.origin)
        if collection is None:
            with stage("texts", verbose=verbose):
                collection = _read(release, verbose)
            if not files.is_encrypted:
                cache.entry(_FOLDER, key, files.origin, partial(write, _stored(collection)))
        _IN_USE[key] = collection
        return collection


@lru_cache
def _digest_of_code() -> str:
    return blake2b(b"\0".join(path.read_bytes() for path in _CODE)).hexdigest()


def _cached(key: str, origin: str) -> CaseCollection | None:
    """Return the collection in the cache, if there is one. A damaged one is deleted, with a `ColieeHint`."""
    if entry := cache.find(_FOLDER, key, origin):
        try:
            return CaseCollection(*load(entry))
        except ColieeError:
            cache.discard(entry)
    return None


def _stored(collection: CaseCollection) -> StoredTexts:
    return StoredTexts(collection.sequences, collection.keys, collection.documents, collection.queries)


def _read(release: LocalRelease, verbose: bool) -> CaseCollection:
    documents = release.documents()
    queries = release.queries() if release.split.item_folder else []
    total = len(documents) + len(queries)
    with steps("reading", total=total, unit="texts", verbose=verbose) as read:

        def texts(files: Iterable[Any]) -> Iterator[tuple[str, str]]:
            for file_id, text in files:
                yield file_id, text
                read()

        return CaseCollection.of(texts(documents), texts(queries), latest_year=release.split.year)
