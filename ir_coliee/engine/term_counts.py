"""Term counts of a collection, as a sparse matrix."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.display import Block, Table, displayed
from ir_coliee.engine.shingles import HashedVocabulary, shingle_hashes, token_hashes
from ir_coliee.engine.weightings import Collection
from ir_coliee.errors import printable
from ir_coliee.frames import Floats, Integers
from ir_coliee.text.analysers import Analysis, Shingles, tokeniser


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
    fingerprint : str or None
        Identifies the files that the documents were read from; None if unknown.

    Examples
    --------
    >>> from ir_coliee.engine.building import count_terms
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
        fingerprint: str | None = None,
    ) -> None:
        self.docnos = docnos
        self.vocabulary = vocabulary
        self.stored_counts = counts
        self.analyser = analyser
        self.fingerprint = fingerprint
        self._positions = {docno: position for position, docno in enumerate(docnos)}

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
        return Collection.of(self.counts.indices, self.counts.data, self.lengths, len(self.vocabulary))

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
        KeyError
            For a document that is not in the collection; the message names it.
        """
        try:
            return np.fromiter((self._positions[docno] for docno in docnos), dtype=np.int64)
        except KeyError as error:
            raise KeyError(f"document {printable(repr(error.args[0]))} is not in {self!r}") from None

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


def empty_counts(documents: int, terms: int) -> sparse.csr_matrix:
    """Term counts of 0 for all documents (documents x terms, int32)."""
    nothing = np.empty(0, dtype=np.int32)
    return sparse.csr_matrix((nothing, nothing, np.zeros(documents + 1, dtype=np.int32)), shape=(documents, terms))


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
