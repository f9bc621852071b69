"""Decisions as token numbers: `CaseCollection` has the distinct texts of a split, a `TextPool` selects some of them.

Each distinct text is read once, in worker processes, and kept in the cache of the data folder.
"""

from __future__ import annotations

import json
import unicodedata
from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.cases.reading import MARKER, PARAGRAPH, chunk_tokens, read_batch, text_key
from ir_coliee.engine.counting import Counted, GrowingVocabulary, available_cores, read_in_batches
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Booleans, Hashes, Integers, Numbers
from ir_coliee.progress import stage, steps
from ir_coliee.releases import cache
from ir_coliee.releases.release import LocalRelease, sources_of_decisions
from ir_coliee.storage import MANIFEST
from ir_coliee.text.years import CaseProperties

#: Scores of a pool: 32-bit floating-point numbers, queries x texts.
Scores: TypeAlias = npt.NDArray[np.float32]

_Function = TypeVar("_Function", bound=Callable[..., Any])


# --- results that are computed once --------------------------------------------------------------------


def computed_once(compute: _Function) -> _Function:
    """Decorate a function so that its result is kept as long as its first argument, a pool or a collection, is in use.

    Parameters
    ----------
    compute : callable
        The function. Its arguments are hashable, the first one by identity, and its result does not refer to the first.

    Returns
    -------
    callable
        The function, which several threads can call.

    Examples
    --------
    >>> @computed_once
    ... def num_tokens(sequences):
    ...     print("counting")
    ...     return len(sequences.tokens)
    >>> sequences = TokenSequences.of(["A lamp."])
    >>> num_tokens(sequences), num_tokens(sequences)
    counting
    (2, 2)
    """
    known: WeakKeyDictionary[Any, dict[Hashable, tuple[Lock, list[Any]]]] = WeakKeyDictionary()
    all_known = Lock()

    @wraps(compute)
    def kept(owner: Any, /, *arguments: Hashable, **named: Hashable) -> Any:
        with all_known:
            lock, results = known.setdefault(owner, {}).setdefault((arguments, *named.items()), (Lock(), []))
        with lock:  # the first of several threads computes the result
            if not results:
                results.append(compute(owner, *arguments, **named))
        return results[0]

    return cast(_Function, kept)


# --- tokens --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TokenSequences:
    r"""Distinct texts as token numbers in reading order, with what the evidence needs of each text.

    Tokens are ``[A-Za-z]+('[a-z])?`` and ``[0-9]+``, in lower case. Suppressed markers are no tokens.

    Attributes
    ----------
    vocabulary : list of str
        The token of each number, in lower case, in order of first occurrence.
    tokens : int32 array
        The tokens of all texts, one text after the other.
    capitalised : bool array
        Whether each token was written with a capital first letter.
    bounds : int64 array
        Text i has the tokens from ``bounds[i]`` to ``bounds[i + 1]``.
    markers : int32 array
        The number of tokens of the text that stand before each suppressed marker.
    marker_bounds : int64 array
        Text i has the markers from ``marker_bounds[i]`` to ``marker_bounds[i + 1]``.
    paragraphs : int32 array
        The token of the text, counted from 0, at which each paragraph begins: the number of its mark.
    paragraph_bounds : int64 array
        Text i has the paragraphs from ``paragraph_bounds[i]`` to ``paragraph_bounds[i + 1]``.
    properties : list of CaseProperties
        The properties of each text.

    Examples
    --------
    >>> sequences = TokenSequences.of(["Lamps:\n[1] A lamp, as in <FRAGMENT_SUPPRESSED>.", "The Lamp's light"])
    >>> [sequences.vocabulary[token] for token in sequences.tokens[sequences.bounds[1] :]]
    ['the', "lamp's", 'light']
    >>> sequences.markers.tolist(), sequences.paragraphs.tolist(), sequences.marker_bounds.tolist()
    ([6], [1], [0, 1, 1])
    """

    vocabulary: list[str]
    tokens: Numbers
    capitalised: Booleans
    bounds: Integers
    markers: Numbers
    marker_bounds: Integers
    paragraphs: Numbers
    paragraph_bounds: Integers
    properties: list[CaseProperties]

    @classmethod
    def of(cls, texts: Iterable[str], workers: int | None = None, latest_year: int = 2099) -> TokenSequences:
        """Read texts.

        Parameters
        ----------
        texts : iterable of str
            The texts, which should be distinct.
        workers : int, optional
            The number of processes, including this one; by default the number of cores. It does not affect the result.
        latest_year : int, default=2099
            The latest year that is read as one, usually that of the edition.

        Returns
        -------
        TokenSequences

        Raises
        ------
        ColieeError
            If a process ended early.
        """
        return _Builder(_NOTHING).read(texts, workers, latest_year)

    def with_texts(self, texts: Iterable[str], latest_year: int = 2099) -> TokenSequences:
        """Return the sequences of these texts and of further texts, which get the next numbers."""
        return _Builder(self).read(texts, 1, latest_year)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def lengths(self) -> Integers:
        """The number of tokens of each text."""
        return np.diff(self.bounds)


class _Builder:
    """The tokens of known texts, and of further ones that are added batch by batch, from their chunks."""

    def __init__(self, known: TokenSequences) -> None:
        self._vocabulary = GrowingVocabulary(zip(known.vocabulary, count()))
        self._chunks = GrowingVocabulary()
        # the tokens of each chunk, one chunk after the other
        self._tokens, self._capitals, self._firsts, self._sizes = array("i"), array("b"), array("i"), array("i")
        bounds = known.bounds, known.marker_bounds, known.paragraph_bounds
        sizes, num_markers, num_paragraphs = map(np.diff, bounds)
        first = (known.tokens, known.capitalised, sizes, known.markers, num_markers, known.paragraphs, num_paragraphs)
        self._batches = [first]
        self._properties = list(known.properties)
        self._marker, self._paragraph = self._numbers([MARKER, PARAGRAPH])

    def _numbers(self, chunks: Collection[str]) -> Numbers:
        """Return the number of each chunk; the tokens of new ones are added."""
        numbers = np.fromiter(map(self._chunks.__getitem__, chunks), np.int32, len(chunks))
        for chunk in islice(self._chunks, len(self._sizes), None):
            tokens = chunk_tokens(chunk)
            self._firsts.append(len(self._tokens))
            self._sizes.append(len(tokens))
            self._tokens.extend(self._vocabulary[token.lower()] for token in tokens)
            self._capitals.extend(token[0].isupper() for token in tokens)
        return numbers

    def read(self, texts: Iterable[str], workers: int | None, latest_year: int) -> TokenSequences:
        read = partial(read_batch, latest_year=latest_year)
        for batch in read_in_batches(texts, len, read, workers or available_cores()):
            self._add(*batch)
        tokens, capitalised, sizes, markers, num_markers, paragraphs, num_paragraphs = map(
            np.concatenate, zip(*self._batches)
        )
        return TokenSequences(
            list(self._vocabulary),
            tokens,
            capitalised,
            _bounds(sizes),
            markers,
            _bounds(num_markers),
            paragraphs,
            _bounds(num_paragraphs),
            self._properties,
        )

    def _add(self, read: Counted, properties: list[CaseProperties]) -> None:
        chunks = self._numbers(read.vocabulary)[np.frombuffer(read.terms, np.int32)]
        sizes = np.array(self._sizes, np.int32)[chunks]
        ends = _bounds(sizes)
        offsets = np.array(self._firsts, np.int32)[chunks] - ends[:-1].astype(np.int32)
        places = np.repeat(offsets, sizes) + np.arange(ends[-1], dtype=np.int32)
        chunk_bounds = _bounds(np.frombuffer(read.sizes, np.int32))
        bounds = ends[chunk_bounds]

        def positions(chunk: int) -> tuple[Numbers, Integers]:
            """Return the tokens before each such chunk, and the number of such chunks of each text."""
            found = np.flatnonzero(chunks == chunk)
            texts = np.searchsorted(chunk_bounds, found, side="right") - 1
            return (ends[found] - bounds[texts]).astype(np.int32), np.bincount(texts, minlength=len(bounds) - 1)

        tokens, capitals = np.array(self._tokens, np.int32)[places], np.array(self._capitals, np.bool_)[places]
        of_text = np.diff(bounds)
        self._batches.append((tokens, capitals, of_text, *positions(self._marker), *positions(self._paragraph)))
        self._properties += properties


def _bounds(sizes: npt.NDArray[np.integer[Any]]) -> Integers:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


_NONE, _NO_BOUNDS = np.empty(0, np.int32), np.zeros(1, np.int64)
_NOTHING = TokenSequences([], _NONE, np.empty(0, np.bool_), _NO_BOUNDS, _NONE, _NO_BOUNDS, _NONE, _NO_BOUNDS, [])


# --- distinct texts ------------------------------------------------------------------------------------


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
        >>> collection.documents
        {'900001': 0, '900002': 1, '900003': 0}
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
_FOLDER, _FILE, _DIGEST = "decisions", "texts.npz", "digest"
_ENGINE = Path(__file__).parents[1]
#: The code that decides what is read of a text.
_CODE = tuple(
    sorted(path for folder in (_ENGINE.parent / "text", _ENGINE, _ENGINE / "cases") for path in folder.glob("*.py"))
)


def case_collection(release: LocalRelease, *, verbose: bool = False) -> CaseCollection:
    """Return the texts of a split of task 1, from the cache or read and cached.

    It is the same object while it is in use elsewhere and the files have not changed. They are read again after the
    code that reads texts has changed. Nothing of files that are protected by a password is cached.
    """
    files, year = sources_of_decisions(release), release.split.year
    key = cache.key_of((files.fingerprint, cache.digest_of(_CODE), unicodedata.unidata_version, year))
    with _LOCK:  # of several threads, one reads the texts
        collection = _IN_USE.get(key)
        if collection is None:
            collection = None if files.is_encrypted else cache.load(_FOLDER, key, files.origin, load)
        if collection is None:
            with stage("texts", verbose=verbose):
                collection = _read(release, verbose)
            if not files.is_encrypted:
                cache.entry(_FOLDER, key, files.origin, partial(write, collection))
        _IN_USE[key] = collection
        return collection


def write(collection: CaseCollection, folder: Path) -> None:
    """Write a collection into an empty folder: arrays, of which one is JSON, and their digest."""
    arrays: dict[str, Any] = {**vars(collection.sequences), "keys": collection.keys}
    lists = [arrays.pop(name) for name in ("vocabulary", "properties")]
    strings = json.dumps([*lists, collection.documents, collection.queries]).encode("ascii")
    np.savez(folder / _FILE, **arrays, strings=np.frombuffer(strings, np.uint8))
    (folder / _DIGEST).write_text(_digest_of_file(folder / _FILE), encoding="ascii")


def load(folder: Path) -> CaseCollection:
    """Read the collection that `write` has written; raise `ColieeError` if a file of the folder has changed.

    Compiled loops rely on the numbers without checks of bounds, so nothing is read of a file with another digest.
    """
    try:
        is_unchanged = MANIFEST.read_file(folder / _DIGEST) == _digest_of_file(folder / _FILE).encode("ascii")
    except OSError:
        is_unchanged = False
    if not is_unchanged:
        raise ColieeError(f"{folder} has changed since it was written. Delete it.")
    with np.load(folder / _FILE, allow_pickle=False) as stored:
        arrays: dict[str, Any] = dict(stored)
    vocabulary, properties, documents, queries = json.loads(arrays.pop("strings").tobytes())
    fields: Any = ([tuple(value) if isinstance(value, list) else value for value in each] for each in properties)
    keys, of_texts = arrays.pop("keys"), [CaseProperties(*each) for each in fields]
    sequences = TokenSequences(vocabulary=vocabulary, properties=of_texts, **arrays)
    return CaseCollection(sequences, keys, documents, queries)


def _digest_of_file(path: Path) -> str:
    return blake2b(path.read_bytes() if path.is_file() else b"").hexdigest()  # no pipe, which may have no end


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


# --- pools ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TextPool:
    """Queries and candidate texts. All statistics, such as document frequencies and ranks, are those of the pool.

    Attributes
    ----------
    sequences : TokenSequences
        The texts of the collection.
    queries : int64 array
        The number of the text of each query.
    texts : int64 array
        The numbers of the candidate texts, each once.
    given : bool array, queries x texts, optional
        The pairs of which a text is in the candidate pool of a query; by default all.
    threads : int
        The number of threads that compute scores, which do not depend on it.
    """

    sequences: TokenSequences
    queries: Integers
    texts: Integers
    given: Booleans | None = None
    threads: int = 1

    @cached_property
    def members(self) -> Integers:
        """The numbers of the texts of the pool, each once and ascending: the candidate texts and the queries' texts.

        What a query shares with a single candidate text has a document frequency of 2.
        """
        return np.union1d(self.queries, self.texts).astype(np.int64)

    @cached_property
    def allowed(self) -> Booleans:
        """The pairs of which a text may be a candidate of a query: the given ones, without the query's own text."""
        others: Booleans = self.queries[:, None] != self.texts
        return others if self.given is None else others & self.given

    @cached_property
    def citable(self) -> Booleans:
        """The allowed pairs of which the text's year is not later than the query's; an unknown year is not.

        Examples
        --------
        >>> decisions = [f"Heard: May 1, {year}." for year in (2098, 2097, 2099)]
        >>> TextPool(TokenSequences.of([*decisions, "No year."]), np.array([0]), np.array([1, 2, 3])).citable
        array([[ True, False,  True]])
        """
        years = np.array([np.nan if each.year is None else each.year for each in self.sequences.properties], np.float64)
        is_later: Booleans = years[self.texts] > years[self.queries][:, None]
        return self.allowed & ~is_later

    def rows_of(self, members: sparse.csr_matrix) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
        """Return the rows of the queries and the rows of the texts of a matrix with a row for each member."""
        queries, texts = (members[np.searchsorted(self.members, each)] for each in (self.queries, self.texts))
        return queries, texts
