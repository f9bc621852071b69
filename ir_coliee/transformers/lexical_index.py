"""A collection as a sparse matrix of term counts, scored exhaustively and exactly.

In task 1 a query is a decision of thousands of words, which touches nearly every document anyway:
skipping documents saves nothing, so all are scored, with 64-bit sums.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyterrier as pt
from scipy import sparse

from ir_coliee.text.language import ANALYSERS
from ir_coliee.transformers.base import shown_if
from ir_coliee.transformers.bm25 import BM25


class _GrowingVocabulary(dict[str, int]):
    """Numbers each term when it is first asked for."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class LexicalIndex:
    """Term counts of every document of a collection.

    ``docnos`` are sorted; row i of ``counts`` (documents x terms) belongs to ``docnos[i]``;
    ``vocabulary`` maps a term to its column; ``lengths`` are the documents' tokens.
    """

    def __init__(
        self,
        docnos: npt.NDArray[np.object_],
        vocabulary: Mapping[str, int],
        counts: sparse.csr_matrix,
        analyser: str,
    ) -> None:
        self.docnos = docnos
        self.vocabulary = vocabulary
        self.counts = counts
        self.analyser = analyser
        self.lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
        self._positions = {docno: position for position, docno in enumerate(docnos)}

    @classmethod
    def build(cls, corpus: Iterable[Mapping[str, Any]], *, analyser: str = "words") -> LexicalIndex:
        """Count the terms of a PyTerrier corpus: an iterable of dicts with ``docno`` and ``text``.

        ``analyser`` is a name of `ir_coliee.text.language.ANALYSERS`. Raises `ValueError` for a docno
        that comes twice and for an unknown analyser.

        >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp, a gate"}, {"docno": "d2", "text": "a well"}])
        >>> len(index), int(index.counts.sum())
        (2, 6)
        """
        if analyser not in ANALYSERS:
            raise ValueError(f"no analyser {analyser!r}; there are {', '.join(ANALYSERS)}")
        analyse = ANALYSERS[analyser]
        vocabulary = _GrowingVocabulary()
        docnos: list[str] = []
        terms, counts, ends = array("i"), array("i"), array("q", [0])
        for document in corpus:
            frequencies = Counter(analyse(document["text"]))
            docnos.append(document["docno"])
            terms.extend(map(vocabulary.__getitem__, frequencies))
            counts.extend(frequencies.values())
            ends.append(len(terms))
        if len(set(docnos)) < len(docnos):
            repeated = sorted(docno for docno, times in Counter(docnos).items() if times > 1)
            raise ValueError(f"documents given more than once: {', '.join(repeated[:5])}")
        order = np.argsort(np.asarray(docnos, dtype=object), kind="stable")
        matrix = sparse.csr_matrix(
            (np.frombuffer(counts, np.int32), np.frombuffer(terms, np.int32), np.frombuffer(ends, np.int64)),
            shape=(len(docnos), len(vocabulary)),
        )
        matrix.sort_indices()
        return cls(np.asarray(docnos, dtype=object)[order], dict(vocabulary), matrix[order], analyser)

    @classmethod
    def from_dataset(cls, dataset: str, *, analyser: str | None = None, verbose: bool = False) -> LexicalIndex:
        """Index all documents of an ir_datasets id by their default text.

        ``analyser`` is by default ``bigrams`` for Japanese and ``words`` for anything else; for court
        decisions ``case`` leaves out suppressed citations and paragraph marks. ``verbose`` shows a progress
        bar.
        """
        import ir_datasets

        docs = ir_datasets.load(dataset)
        analyser = analyser or ("bigrams" if docs.docs_lang() == "ja" else "words")
        corpus = ({"docno": doc.doc_id, "text": doc.default_text()} for doc in docs.docs_iter())
        progress = pt.tqdm(corpus, desc=f"indexing {dataset}", total=docs.docs_count(), **shown_if(verbose))
        return cls.build(progress, analyser=analyser)

    def bm25(self, **parameters: Any) -> BM25:
        """A BM25 retriever and rescorer over this index; see `BM25` for the parameters."""
        return BM25(self, **parameters)

    def positions(self, docnos: Iterable[str]) -> npt.NDArray[np.int64]:
        """The rows of these documents. Raises `KeyError` that names a document which is not here."""
        try:
            return np.fromiter((self._positions[docno] for docno in docnos), dtype=np.int64)
        except KeyError as error:
            raise KeyError(f"document {error.args[0]!r} is not in {self!r}") from None

    def query_vectors(self, queries: Iterable[str]) -> sparse.csr_matrix:
        """Term counts of query texts, a row each; terms that the collection does not have are left out."""
        analyse = ANALYSERS[self.analyser]
        terms, counts, ends = array("i"), array("d"), array("q", [0])
        for query in queries:
            frequencies = Counter(analyse(query))
            for term in frequencies.keys() & self.vocabulary.keys():
                terms.append(self.vocabulary[term])
                counts.append(frequencies[term])
            ends.append(len(terms))
        vectors = sparse.csr_matrix(
            (np.frombuffer(counts, np.float64), np.frombuffer(terms, np.int32), np.frombuffer(ends, np.int64)),
            shape=(len(ends) - 1, len(self.vocabulary)),
        )
        vectors.sort_indices()
        return vectors

    def __len__(self) -> int:
        return len(self.docnos)

    def __repr__(self) -> str:
        return f"LexicalIndex(<{len(self)} documents, {len(self.vocabulary)} terms>, analyser={self.analyser!r})"
