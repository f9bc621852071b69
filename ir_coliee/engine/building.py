"""Build term counts from a stream of documents, on several cores if there is enough work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.engine.counting import (
    Content,
    GrowingVocabulary,
    available_cores,
    check_corpus,
    check_unique_documents,
    count_contents,
    read_in_batches,
)
from ir_coliee.engine.term_counts import (
    HashedVocabulary,
    TermCounts,
    Tokens,
    count_shingles,
    empty_counts,
    token_hashes,
)
from ir_coliee.frames import Numbers, compact_counts
from ir_coliee.progress import progress
from ir_coliee.text.analysers import Analysis, English, Shingles, check_analyser

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
        _make_binary(matrix, analyser)
    return dict(zip(terms, range(len(terms)))), matrix


def _hashed(analyser: Shingles, read: _Read) -> tuple[HashedVocabulary, sparse.csr_matrix]:
    columns, tokens = _columns(read.terms, analyser.base)
    min_df, max_df = analyser.bounds(len(read.docnos))
    hashes_of_numbers = np.append(token_hashes(tokens), np.uint64(0))[columns]  # column -1 has the last hash
    has_column = columns >= 0
    batches = [batch.select(has_column) for batch in read.batches]
    hashes, matrix = count_shingles(batches, hashes_of_numbers, analyser.n, min_df=min_df, max_df=max_df)
    _make_binary(matrix, analyser)
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
    return sparse.vstack(parts, format="csr") if parts else empty_counts(0, width)


def _make_binary(matrix: sparse.csr_matrix | sparse.csc_matrix, analyser: Shingles) -> None:
    if analyser.binary:
        matrix.data[:] = 1


def _contents(corpus: Iterable[Mapping[str, Any]], analyser: Analysis, docnos: list[str]) -> Iterator[Content]:
    """Contents of the documents, whose ids are appended to ``docnos``."""
    for docno, content in check_corpus(corpus, analyser):
        docnos.append(docno)
        yield content


def _size(content: Content) -> int:
    """Number of characters."""
    return len(content) if isinstance(content, str) else sum(map(len, content))
