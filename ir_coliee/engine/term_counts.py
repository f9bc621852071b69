"""Term counts of a collection, as a sparse matrix, built from a stream of documents on several cores.

Shingles are 64-bit hashes, filtered by document frequency.

A decision has about as many shingles as words, and most of them occur in no other decision. Shingles are not stored as
text: their hashes are computed from the hashes of the words, for all positions of a batch of documents at once.
Document frequencies are found by sorting the hashes. The range of hash values is divided into 32 equal ranges, which
are sorted one after another to limit memory.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from hashlib import blake2b
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.display import Block, Table, displayed
from ir_coliee.engine.counting import (
    Content,
    GrowingVocabulary,
    available_cores,
    check_corpus,
    check_unique_documents,
    count_contents,
    read_in_batches,
)
from ir_coliee.engine.weightings import Collection
from ir_coliee.frames import Booleans, Floats, Hashes, Integers, Numbers, compact_counts, places_of
from ir_coliee.progress import progress
from ir_coliee.text.analysers import Analysis, English, Shingles, check_analyser, tokeniser

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_RANGE_BITS = 5  # the leading bits of a hash are the number of its range
_PARTS = 2  # number of passes over the tokens; each pass holds 1/_PARTS of the hash ranges in memory
_MAX_BUCKET_BITS = 22  # a table of 2**22 counters fits into the processor's cache
_HASH = re.compile(r"[0-9a-f]{16}")


class Tokens(NamedTuple):
    """Tokens of a batch of documents.

    Attributes
    ----------
    numbers : int32 array
        Number of each token in the vocabulary, in reading order, document by document.
    sizes : int32 array
        Number of tokens of each document.
    """

    numbers: Numbers
    sizes: Numbers

    def select(self, selected: Booleans) -> Tokens:
        """Select tokens by a boolean array indexed by token number."""
        chosen = selected[self.numbers]
        if chosen.all():
            return self  # saves memory: the batches together hold the whole corpus
        before, ends = np.concatenate([[0], np.cumsum(chosen)]), np.concatenate([[0], np.cumsum(self.sizes)])
        return Tokens(self.numbers[chosen], np.diff(before[ends]).astype(np.int32))


class HashedVocabulary(Mapping[str, int]):
    """Column of each shingle.

    A term is the hash as 16 hexadecimal digits. A shingle is also found by its words, separated by spaces.

    Parameters
    ----------
    hashes : uint64 array
        Hash of each column, in ascending order.
    words : int
        Number of words of a shingle.
    """

    def __init__(self, hashes: Hashes, words: int) -> None:
        self.hashes = hashes
        self.words = words

    def columns(self, hashes: Hashes) -> Integers:
        """Column of each hash (int64), or -1 if the vocabulary does not contain it."""
        places = np.searchsorted(self.hashes, hashes)
        found = np.flatnonzero(places < len(self.hashes))
        found = found[self.hashes[places[found]] == hashes[found]]
        columns = np.full(len(hashes), -1, dtype=np.int64)
        columns[found] = places[found]
        return columns

    def __getitem__(self, term: str) -> int:
        hashes = np.empty(0, np.uint64)
        if isinstance(term, str) and " " in term:
            hashes = shingle_hashes(token_hashes(term.split(" ")), self.words)
        elif isinstance(term, str) and _HASH.fullmatch(term):
            hashes = np.array([int(term, 16)], np.uint64)
        column = self.columns(hashes)
        if len(column) != 1 or column[0] < 0:
            raise KeyError(term)
        return int(column[0])

    def __iter__(self) -> Iterator[str]:
        return (f"{number:016x}" for number in self.hashes.tolist())

    def __len__(self) -> int:
        return len(self.hashes)


def token_hashes(tokens: Iterable[str]) -> Hashes:
    """Hash of each token (uint64), identical on all platforms."""
    digests = (blake2b(token.encode(errors="surrogatepass"), digest_size=8).digest() for token in tokens)
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def shingle_hashes(tokens: Hashes, words: int) -> Hashes:
    """Hash of the shingle that begins at each position (uint64), from the hashes of the tokens."""
    places = max(len(tokens) - words + 1, 0)
    hashes: Hashes = tokens[:places].copy()
    for offset in range(1, words):
        hashes *= _FACTOR
        hashes += tokens[offset : offset + places]
    # the finaliser of SplitMix64: the ranges are selected by the leading bits, which need good mixing
    hashes ^= hashes >> np.uint64(30)
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes ^= hashes >> np.uint64(27)
    hashes *= np.uint64(0x94D049BB133111EB)
    hashes ^= hashes >> np.uint64(31)
    return hashes


def count_shingles(
    batches: Sequence[Tokens], tokens: Hashes, words: int, *, min_df: int, max_df: int
) -> tuple[Hashes, sparse.csc_matrix]:
    """Count the shingles whose document frequency is within bounds.

    Parameters
    ----------
    batches : sequence of Tokens
        The documents in order, a few hundred per batch.
    tokens : uint64 array
        Hash of each token number.
    words : int
        Number of words of a shingle.
    min_df, max_df : int
        Smallest and largest document frequency.

    Returns
    -------
    hashes : uint64 array
        Hashes of the shingles, in ascending order.
    counts : csc_matrix, documents x shingles
        Counts; column i belongs to ``hashes[i]``.
    """
    columns: tuple[list[npt.NDArray[Any]], ...] = ([], [], [], [])
    for of_pass in np.split(np.arange(1 << _RANGE_BITS), _PARTS):
        ranges = _by_range(batches, tokens, words, of_pass[0], of_pass[-1])
        while ranges:
            of_range: tuple[npt.NDArray[Any], ...] = _within_bounds(*ranges.pop(0), min_df, max_df)
            for column, values in zip(columns, of_range):
                column.append(values)
    hashes, frequencies, documents, counts = map(_concatenated, columns)
    ends = np.concatenate([[0], np.cumsum(frequencies, dtype=np.int64)])
    shape = (sum(len(batch.sizes) for batch in batches), len(hashes))
    return hashes, sparse.csc_matrix((counts, documents, ends), shape=shape)


def _concatenated(column: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Concatenate the arrays of a list, and clear the list to free their memory."""
    whole = np.concatenate(column)
    column.clear()
    return whole


def _by_range(
    batches: Sequence[Tokens], tokens: Hashes, words: int, first: int, last: int
) -> list[tuple[list[Hashes], list[Numbers]]]:
    """Hashes in each range from ``first`` to ``last`` (inclusive) and their documents, one array for each batch."""
    ranges: list[tuple[list[Hashes], list[Numbers]]] = [([], []) for _ in range(first, last + 1)]
    documents = 0
    for batch in batches:
        hashes = shingle_hashes(tokens[batch.numbers], words)
        owners = np.repeat(np.arange(documents, documents + len(batch.sizes), dtype=np.int32), batch.sizes)
        documents += len(batch.sizes)
        leading = (hashes >> np.uint64(64 - _RANGE_BITS)).astype(np.uint8)
        # a shingle must not cross documents: its first and last word belong to the same one
        valid = owners[: len(hashes)] == owners[len(owners) - len(hashes) :]
        valid &= (leading >= first) & (leading <= last)
        hashes, owners, leading = hashes[valid], owners[: len(valid)][valid], leading[valid] - np.uint8(first)
        order = np.argsort(leading, kind="stable")
        ends = np.cumsum(np.bincount(leading, minlength=len(ranges)))[:-1]
        for of_range, in_range, documents_in_range in zip(
            ranges, np.split(hashes[order], ends), np.split(owners[order], ends)
        ):
            of_range[0].append(in_range.copy())  # a view would hold the whole array in memory
            of_range[1].append(documents_in_range.copy())
    return ranges


def _within_bounds(
    hashes_of_batches: list[Hashes], documents_of_batches: list[Numbers], min_df: int, max_df: int
) -> tuple[Hashes, Integers, Numbers, npt.NDArray[np.unsignedinteger[Any]]]:
    """Hashes of one range within the bounds, their document frequencies, and the documents and counts of postings."""
    hashes = np.concatenate([np.empty(0, np.uint64), *hashes_of_batches])
    documents = np.concatenate([np.empty(0, np.int32), *documents_of_batches])
    if min_df > 1:  # most shingles occur once; a hash in a bucket of fewer than min_df is dropped before sorting
        bits = min(len(hashes).bit_length() + 1, _MAX_BUCKET_BITS)
        buckets = ((hashes << np.uint64(_RANGE_BITS)) >> np.uint64(64 - bits)).astype(np.int64)
        frequent = np.bincount(buckets, minlength=1)[buckets] >= min_df
        hashes, documents = hashes[frequent], documents[frequent]
    order = np.argsort(hashes, kind="stable")  # equal hashes stay in the order of documents
    hashes, documents = hashes[order], documents[order]
    is_first = np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)]
    places = np.flatnonzero(is_first | np.append(True, documents[1:] != documents[:-1])[: len(hashes)])
    counts = compact_counts(np.diff(np.append(places, len(hashes))))
    starts = np.flatnonzero(is_first[places])
    frequencies = np.diff(np.append(starts, len(places)))
    within = (frequencies >= min_df) & (frequencies <= max_df)
    postings = np.repeat(within, frequencies)
    return hashes[places[starts[within]]], frequencies[within], documents[places[postings]], counts[postings]


# Term counts of a collection, as a sparse matrix.


@displayed
class TermCounts:
    """Term counts of the documents of a collection.

    Attributes
    ----------
    docnos : object array
        Ids of the documents, sorted.
    vocabulary : mapping of str to int
        Column of each term.
    counts : csr_matrix, documents x terms
        Counts as int32; row i belongs to ``docnos[i]``.
    stored_counts : csr_matrix, documents x terms
        The same counts in the smallest integer type that holds them.
    lengths : float64 array
        Tokens of each document.
    analyser : Analysis
        Analyser that made the tokens.

    Examples
    --------
    >>> counts = count_terms([{"docno": "900001", "text": "a lamp, a gate"}], "words")
    >>> counts.vocabulary, counts.counts.toarray().tolist(), counts.lengths.tolist()
    ({'a': 0, 'gate': 1, 'lamp': 2}, [[2, 1, 1]], [4.0])
    """

    def __init__(
        self,
        docnos: npt.NDArray[np.object_],
        vocabulary: Mapping[str, int],
        counts: sparse.csr_matrix,
        analyser: Analysis,
    ) -> None:
        self.docnos = docnos
        self.vocabulary = vocabulary
        self.stored_counts = counts
        self.analyser = analyser
        self._known = pd.Index(docnos, dtype=object)

    @cached_property
    def counts(self) -> sparse.csr_matrix:
        """Count of each term in each document, as int32 (stored in fewer bytes, converted when first used)."""
        stored = self.stored_counts
        return sparse.csr_matrix(
            (stored.data.astype(np.int32, copy=False), stored.indices, stored.indptr), shape=stored.shape
        )

    @cached_property
    def lengths(self) -> Floats:
        """Number of tokens of each document."""
        return np.asarray(self.stored_counts.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def collection(self) -> Collection:
        """Statistics of the collection for weightings."""
        return Collection.of(self.counts, self.lengths)

    @property
    def terms(self) -> TermCounts:
        """All documents and the whole vocabulary: these counts."""
        return self

    def rows(self, documents: Integers) -> sparse.csr_matrix:
        """Counts of documents, given by their row numbers."""
        return self.counts[documents]

    def positions(self, docnos: Iterable[str]) -> Integers:
        """Row numbers of documents.

        Raises
        ------
        ColieeError
            For a document that is not in the collection; the message names it.
        """
        problem = f"Document {{}} is not in {self!r}. Check that the index is of the same dataset and split."
        return places_of(docnos, self._known, problem)

    def query_vectors(self, queries: Iterable[str]) -> sparse.csr_matrix:
        """Term counts of query texts, one row each; unknown terms are dropped."""
        return sparse_rows((self._query_counts(query).items() for query in queries), len(self.vocabulary))

    def _query_counts(self, query: str) -> dict[int, int]:
        """Columns of the terms of a text, with their counts."""
        if isinstance(self.vocabulary, HashedVocabulary):
            assert isinstance(self.analyser, Shingles)
            tokens = token_hashes(tokeniser(self.analyser.base)(query))
            columns = self.vocabulary.columns(shingle_hashes(tokens, self.analyser.n))
            found = Counter(columns[columns >= 0].tolist())
        else:
            frequencies = Counter(tokeniser(self.analyser)(query))
            known = frequencies.keys() & self.vocabulary.keys()
            found = Counter({self.vocabulary[term]: frequencies[term] for term in known})
        binary = isinstance(self.analyser, Shingles) and self.analyser.binary
        return dict.fromkeys(found, 1) if binary else found

    def __getstate__(self) -> dict[str, Any]:
        computed = ("counts", "lengths", "collection")
        return {name: value for name, value in vars(self).items() if name not in computed}

    def __len__(self) -> int:
        return len(self.docnos)

    def display(self) -> Iterator[Block]:
        """Return the sizes and the analyser, as `ir_coliee.display` shows them."""
        yield Table.of_facts(
            {
                "documents": len(self),
                "terms": len(self.vocabulary),
                "tokens": int(self.lengths.sum()),
                "analyser": self.analyser,
            }
        )

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}(<{len(self)} documents, {len(self.vocabulary)} terms>, analyser={self.analyser!r})"


def sparse_rows(rows: Iterable[Iterable[tuple[int, float]]], width: int) -> sparse.csr_matrix:
    """Sparse float64 matrix from the columns and values of each row.

    Values of a repeated column are added, for example if a query has a shingle both by its words and by its hash.

    Examples
    --------
    >>> sparse_rows([[(2, 0.5), (0, 1.0)], []], 3).toarray().tolist()
    [[1.0, 0.0, 0.5], [0.0, 0.0, 0.0]]
    """
    columns, values, ends = array("i"), array("d"), array("q", [0])
    for row in rows:
        for column, value in row:
            columns.append(column)
            values.append(value)
        ends.append(len(columns))
    matrix = sparse.csr_matrix(
        (np.frombuffer(values, np.float64), np.frombuffer(columns, np.int32), np.frombuffer(ends, np.int64)),
        shape=(len(ends) - 1, width),
    )
    matrix.sum_duplicates()
    return matrix


# Build term counts from a stream of documents, on several cores if there is enough work.


_BESIDE = 2  # analysers that are counted at the same time; each needs as much memory as the whole corpus


def count_terms(
    corpus: Iterable[Mapping[str, Any]],
    analyser: Analysis,
    *,
    processes: int | None = None,
) -> TermCounts:
    """Term counts of a corpus.

    Parameters
    ----------
    corpus : iterable of dict
        Documents with ``docno`` and ``text`` (``toks`` for `Pretokenised`).
    analyser : Analysis
        A name of `ir_coliee.text.analysers.ANALYSERS` or a value of `ir_coliee.text.analysers`.
    processes : int, optional
        Number of processes, including this one; by default the number of cores. It does not affect the counts.

    Returns
    -------
    TermCounts
        Terms are sorted by code point.

    Raises
    ------
    ColieeError
        For a document without an id or a text, and for repeated documents.
    ValueError
        For an unknown analyser.
    """
    return count_each(corpus, [analyser], processes=processes)[0]


def count_each(
    corpus: Iterable[Mapping[str, Any]],
    analysers: Sequence[Analysis],
    *,
    processes: int | None = None,
    verbose: bool = False,
) -> list[TermCounts]:
    """Term counts of a corpus by each of several analysers, reading the corpus once.

    Parameters
    ----------
    corpus, processes
        See `count_terms`.
    analysers : sequence of Analysis
        Analysers that are made from the same tokens, such as ``"words"`` and `Shingles` of words.
    verbose : bool
        Whether to show how many of the analysers are done.

    Returns
    -------
    list of TermCounts
        One for each analyser, in order.

    Raises
    ------
    ColieeError
        See `count_terms`.
    ValueError
        For an unknown analyser, and if the analysers are not made from the same tokens.

    Examples
    --------
    >>> corpus = [{"docno": "900001", "text": "a lamp, a lamp"}]
    >>> words, pairs = count_each(corpus, ["words", Shingles(2, min_df=1)])
    >>> words.counts.toarray().tolist(), pairs.vocabulary["a lamp"], pairs.counts.sum()
    ([[2, 2]], 1, np.int64(3))
    """
    sources = list(dict.fromkeys(token_source(check_analyser(analyser)) for analyser in analysers))
    if len(sources) != 1:
        raise ValueError(f"analysers counted together must use one kind of tokens, not {len(sources)}: {sources}")
    in_order = any(isinstance(analyser, Shingles) and analyser.hashed for analyser in analysers)
    read = read_corpus(corpus, sources[0], in_order, processes or available_cores())
    order = np.argsort(read.docnos, kind="stable")
    sorted_already = bool((np.diff(order) == 1).all())

    def counted(analyser: Analysis) -> TermCounts:
        vocabulary, matrix = _by(analyser, read)
        if not sorted_already:  # this allocates a second matrix
            matrix = matrix[order]
        matrix.sort_indices()
        if isinstance(analyser, Shingles) and analyser.binary:
            matrix.data[:] = 1
        return TermCounts(read.docnos[order], vocabulary, matrix, analyser)

    with ThreadPoolExecutor(min(processes or available_cores(), _BESIDE)) as pool:
        results = pool.map(counted, analysers)
        return list(progress(results, "counting", total=len(analysers), unit="indexes", verbose=verbose))


class _Read(NamedTuple):
    """A corpus as token numbers.

    Attributes
    ----------
    docnos : object array
        Ids of the documents, in the order of the corpus.
    terms : list of str
        Token of each number.
    batches : list of Tokens
        All tokens in reading order, or the distinct tokens of each document.
    counts : list of int32 array, or None
        Counts of the distinct tokens; None in reading order.
    """

    docnos: npt.NDArray[np.object_]
    terms: list[str]
    batches: list[Tokens]
    counts: list[Numbers] | None


def token_source(analyser: Analysis) -> Analysis:
    """Analyser of the tokens that an analyser is made from; analysers with the same source share one reading."""
    if isinstance(analyser, English):
        return analyser.base
    return token_source(analyser.base) if isinstance(analyser, Shingles) and analyser.hashed else analyser


def read_corpus(corpus: Iterable[Mapping[str, Any]], analyser: Analysis, in_order: bool, processes: int) -> _Read:
    """Read a corpus as token numbers, in reading order or counted by document.

    Parameters
    ----------
    corpus : iterable of dict
        See `count_terms`.
    analyser : Analysis
        Analyser of the tokens.
    in_order : bool
        Keep all tokens in reading order instead of counts.
    processes : int
        Number of processes, including this one.
    """
    docnos: list[str] = []
    vocabulary = GrowingVocabulary()
    tokens, counts = [], []
    read = partial(count_contents, analyser=analyser, in_order=in_order)
    for counted in read_in_batches(_contents(corpus, analyser, docnos), _size, read, processes):
        numbers = np.fromiter(map(vocabulary.__getitem__, counted.vocabulary), np.int32, len(counted.vocabulary))
        terms = numbers[np.frombuffer(counted.terms, np.int32)]
        tokens.append(Tokens(terms, np.frombuffer(counted.sizes, np.int32)))
        counts.append(np.frombuffer(counted.counts, np.int32))
    check_unique_documents(docnos)
    return _Read(np.array(docnos, dtype=object), list(vocabulary), tokens, None if in_order else counts)


def _by(analyser: Analysis, read: _Read) -> tuple[Mapping[str, int], sparse.csr_matrix]:
    """Vocabulary of an analyser, and term counts (documents x terms)."""
    if isinstance(analyser, Shingles) and analyser.hashed:
        return _hashed(analyser, read)
    columns, terms = _columns(read.terms, analyser)
    matrix = _matrix(read, columns, len(terms))
    if isinstance(analyser, Shingles):
        min_df, max_df = analyser.bounds(len(read.docnos))
        documents = np.bincount(matrix.indices, minlength=len(terms))
        within = (documents >= min_df) & (documents <= max_df)
        matrix, terms = matrix[:, within], [term for term, is_within in zip(terms, within.tolist()) if is_within]
    return dict(zip(terms, range(len(terms)))), matrix


def _hashed(analyser: Shingles, read: _Read) -> tuple[HashedVocabulary, sparse.csr_matrix]:
    columns, tokens = _columns(read.terms, analyser.base)
    min_df, max_df = analyser.bounds(len(read.docnos))
    hashes_of_numbers = np.append(token_hashes(tokens), np.uint64(0))[columns]  # column -1 has the last hash
    has_column = columns >= 0
    batches = [batch.select(has_column) for batch in read.batches]
    hashes, matrix = count_shingles(batches, hashes_of_numbers, analyser.n, min_df=min_df, max_df=max_df)
    return HashedVocabulary(hashes, analyser.n), matrix.tocsr()


def _columns(terms: list[str], analyser: Analysis) -> tuple[Numbers, list[str]]:
    """Column of each term, -1 if the analyser removes the term; and the term of each column, sorted."""
    becomes = analyser.merged(terms) if isinstance(analyser, English) else terms
    ordered = sorted({term for term in becomes if term is not None})
    column_of = dict(zip(ordered, range(len(ordered))))
    columns = (-1 if term is None else column_of[term] for term in becomes)
    return np.fromiter(columns, np.int32, len(terms)), ordered


def _matrix(read: _Read, columns: Numbers, width: int) -> sparse.csr_matrix:
    """Term counts (documents x terms). The counts of terms that share a column are added."""
    parts = []
    has_column = columns >= 0
    left_out = not has_column.all()
    for batch, counts in zip(read.batches, read.counts or repeat(None)):
        data = np.ones(len(batch.numbers), dtype=np.int32) if counts is None else counts
        if left_out:
            data = data[has_column[batch.numbers]]
        numbers, sizes = batch.select(has_column)
        ends = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        part = sparse.csr_matrix((data, columns[numbers], ends), shape=(len(sizes), width), dtype=np.int32)
        if counts is None or width < len(columns):  # otherwise each term occurs once per row
            part.sum_duplicates()
        part.data = compact_counts(part.data)
        parts.append(part)
    return sparse.vstack(parts, format="csr") if parts else sparse.csr_matrix(np.empty((0, width), np.int32))


def _contents(corpus: Iterable[Mapping[str, Any]], analyser: Analysis, docnos: list[str]) -> Iterator[Content]:
    """Contents of the documents, whose ids are appended to ``docnos``."""
    for docno, content in check_corpus(corpus, analyser):
        docnos.append(docno)
        yield content


def _size(content: Content) -> int:
    """Number of characters."""
    return len(content) if isinstance(content, str) else sum(map(len, content))
