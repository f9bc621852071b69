"""A collection as a sparse matrix of term counts."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ir_coliee.arrays import Floats, Integers
from ir_coliee.engine.shingles import HashedVocabulary, shingle_hashes, token_hashes
from ir_coliee.engine.weightings import Collection
from ir_coliee.errors import printable
from ir_coliee.text.analysers import Analysis, Shingles, tokeniser


class TermCounts:
    """Term counts of every document of a collection.

    ``docnos`` are sorted; row i of ``counts`` (documents x terms) belongs to ``docnos[i]``;
    ``vocabulary`` maps a term to its column; ``lengths`` are the documents' tokens. ``analyser`` is
    the name or value of the analyser that made the tokens, ``fingerprint`` the files that the documents were
    read from, None where that is not known.

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
        self._matrix = counts
        self.analyser = analyser
        self.fingerprint = fingerprint
        self._positions = {docno: position for position, docno in enumerate(docnos)}

    @cached_property
    def counts(self) -> sparse.csr_matrix:
        """How often each document has each term, in 32 bits (kept in fewer, they are widened when first used)."""
        stored = self._matrix
        return sparse.csr_matrix(
            (stored.data.astype(np.int32, copy=False), stored.indices, stored.indptr), shape=stored.shape
        )

    @cached_property
    def lengths(self) -> Floats:
        """The tokens of each document."""
        return np.asarray(self._matrix.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def collection(self) -> Collection:
        """What weightings ask of all documents together."""
        return Collection.of(self.counts.indices, self.counts.data, self.lengths, len(self.vocabulary))

    def positions(self, docnos: Iterable[str]) -> Integers:
        """The rows of these documents. Raises `KeyError` that names a document which is not here."""
        try:
            return np.fromiter((self._positions[docno] for docno in docnos), dtype=np.int64)
        except KeyError as error:
            raise KeyError(f"document {printable(repr(error.args[0]))} is not in {self!r}") from None

    def query_vectors(self, queries: Iterable[str]) -> sparse.csr_matrix:
        """Term counts of query texts, a row each; terms that the collection does not have are left out."""
        return sparse_rows((self._query_counts(query).items() for query in queries), len(self.vocabulary))

    def _query_counts(self, query: str) -> dict[int, int]:
        """The columns of a text's terms, and how often it has each."""
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
        made_anew = ("counts", "lengths", "collection")
        return {name: value for name, value in vars(self).items() if name not in made_anew}

    def __len__(self) -> int:
        return len(self.docnos)

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}(<{len(self)} documents, {len(self.vocabulary)} terms>, analyser={self.analyser!r})"


def sparse_rows(rows: Iterable[Iterable[tuple[int, float]]], width: int) -> sparse.csr_matrix:
    """A sparse row of 64-bit numbers for each of ``rows``, which give columns with their values.

    A column that a row gives twice, as the words and the hash of a shingle do, has the sum.

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
