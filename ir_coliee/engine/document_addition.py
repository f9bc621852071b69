"""Add documents to term counts without tokenising the existing documents again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.building import count_terms
from ir_coliee.engine.corpus import Content, check_corpus, content_column
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.errors import ColieeError, printable_list
from ir_coliee.frames import Integers, Numbers
from ir_coliee.text.analysers import Analysis, Shingles

_ROWS = 128  # rows that are moved at a time, to limit memory


def add_documents(
    counts: TermCounts, corpus: Iterable[Mapping[str, Any]], *, processes: int | None = None
) -> TermCounts:
    """Term counts of existing and new documents, equal to counting all of them at once.

    Parameters
    ----------
    counts : TermCounts
        Existing counts.
    corpus : iterable of dict
        New documents; see `ir_coliee.engine.building.count_terms`.
    processes : int, optional
        See `ir_coliee.engine.building.count_terms`.

    Returns
    -------
    TermCounts
        Its fingerprint combines that of ``counts`` and the new documents, in any order; None if ``counts`` has none.

    Raises
    ------
    ColieeError
        For shingles with bounds of document frequency, because the index lacks those outside the bounds; for repeated
        or existing documents; and for a document without an id or a text.

    Examples
    --------
    >>> lamp = count_terms([{"docno": "900002", "text": "a lamp"}], "words")
    >>> both = add_documents(lamp, [{"docno": "900001", "text": "a gate"}])
    >>> both.docnos.tolist(), both.vocabulary, both.counts.toarray().tolist()
    (['900001', '900002'], {'a': 0, 'gate': 1, 'lamp': 2}, [[1, 1, 0], [1, 0, 1]])
    """
    analyser = counts.analyser
    if isinstance(analyser, Shingles) and not analyser.keeps_all:
        raise ColieeError(
            f"Documents cannot be added to an index by {analyser!r}.\nIt lacks the shingles outside the bounds of "
            "document frequency, which the new documents may change. Build the index again from all documents, or use "
            "min_df=1 and max_share=1, which keep all shingles."
        )
    digests: dict[str, bytes] = {}
    documents = corpus if counts.fingerprint is None else _with_digests(corpus, analyser, digests)
    added = count_terms(documents, analyser, processes=processes)
    if existing := sorted(set(counts.docnos) & set(added.docnos)):
        raise ColieeError(
            f"The index already contains the documents {printable_list(existing)}. Add only new documents."
        )
    return _joined(counts, added, _fingerprint(counts.fingerprint, digests))


def _with_digests(
    corpus: Iterable[Mapping[str, Any]], analyser: Analysis, digests: dict[str, bytes]
) -> Iterator[dict[str, Content]]:
    """Yield the documents, and store a digest of each under its id."""
    column = content_column(analyser)
    for docno, content in check_corpus(corpus, analyser):
        hashed = content if isinstance(content, str) else repr(sorted(content.items()))
        digests[docno] = blake2b(hashed.encode(errors="surrogatepass"), digest_size=12).digest()
        yield {"docno": docno, column: content}


def _fingerprint(before: str | None, digests: dict[str, bytes]) -> str | None:
    if before is None or not digests:
        return before
    whole = blake2b(before.encode(errors="surrogatepass"), digest_size=12)
    for docno, digest in sorted(digests.items()):
        whole.update(f"{len(docno)} {docno}".encode(errors="surrogatepass") + digest)
    return whole.hexdigest()


class _Source(NamedTuple):
    """Term counts to be merged, with the new number of each row and column."""

    matrix: sparse.csr_matrix
    rows: Integers
    columns: Numbers


def _joined(one: TermCounts, other: TermCounts, fingerprint: str | None) -> TermCounts:
    docnos = np.concatenate([one.docnos, other.docnos])
    order = np.argsort(docnos, kind="stable")
    rows = np.empty(len(order), np.int64)
    rows[order] = np.arange(len(order))
    vocabulary, of_one, of_other = _united(one.vocabulary, other.vocabulary)
    # as stored: a conversion would allocate a second matrix
    sources = [
        _Source(one.stored_counts, rows[: len(one)], of_one),
        _Source(other.stored_counts, rows[len(one) :], of_other),
    ]
    return TermCounts(docnos[order], vocabulary, _matrix(sources, len(vocabulary)), one.analyser, fingerprint)


def _united(one: Mapping[str, int], other: Mapping[str, int]) -> tuple[Mapping[str, int], Numbers, Numbers]:
    """Union of two vocabularies, sorted, and the new column of each column of both."""
    if isinstance(one, HashedVocabulary) and isinstance(other, HashedVocabulary):
        united = HashedVocabulary(np.union1d(one.hashes, other.hashes), one.words)
        of_one, of_other = united.columns(one.hashes), united.columns(other.hashes)
        return united, of_one.astype(np.int32), of_other.astype(np.int32)
    terms = sorted(one.keys() | other.keys())
    vocabulary = dict(zip(terms, range(len(terms))))
    return vocabulary, _moved(one, vocabulary), _moved(other, vocabulary)


def _moved(vocabulary: Mapping[str, int], united: Mapping[str, int]) -> Numbers:
    columns = np.empty(len(vocabulary), np.int32)
    columns[[*vocabulary.values()]] = [united[term] for term in vocabulary]
    return columns


def _matrix(sources: list[_Source], width: int) -> sparse.csr_matrix:
    """Merged term counts (documents x terms).

    The terms of each row stay sorted, because the union keeps the order of both vocabularies.
    """
    sizes = np.zeros(sum(len(source.rows) for source in sources), np.int64)
    for source in sources:
        sizes[source.rows] = np.diff(source.matrix.indptr)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    terms = np.empty(ends[-1], np.int32)
    counts = np.empty(ends[-1], np.result_type(*(source.matrix.dtype for source in sources)))
    for matrix, rows, columns in sources:
        for first in range(0, len(rows), _ROWS):
            bounds = matrix.indptr[first : first + _ROWS + 1].astype(np.int64)
            block = slice(bounds[0], bounds[-1])
            shifts = ends[rows[first : first + _ROWS]] - bounds[:-1]
            places = np.arange(bounds[0], bounds[-1]) + shifts.repeat(np.diff(bounds))
            terms[places] = columns[matrix.indices[block]]
            counts[places] = matrix.data[block]
    return sparse.csr_matrix((counts, terms, ends), shape=(len(sizes), width))
