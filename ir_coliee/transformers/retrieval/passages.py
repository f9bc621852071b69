"""Cases scored by their paragraphs: the best, the mean or the k best, of the case and of the query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine.passage_scoring import Aggregate, pool_group_scores, top_groups
from ir_coliee.engine.scoring import Backend, Floats, Integers, Ranking
from ir_coliee.engine.weightings import BM25, Collection, Weighting, document_weights, query_weights
from ir_coliee.errors import ColieeError, shown
from ir_coliee.transformers.queries.passaging import OF_WHOLE, numbered_paragraphs
from ir_coliee.transformers.retrieval.retrievers import Retriever, Statistics, formula, query_column, query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


def paragraph_corpus(corpus: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """The paragraphs of court decisions, as a corpus to be indexed: ``900001%p0`` is what stands before the first mark.

    ``corpus``: dicts with ``docno`` and ``text``. A paragraph's number is its place, see
    `ir_coliee.text.cases.paragraphs`. Paragraphs without text are left out, but of a decision without any the first.
    Raises `ColieeError` for a decision without a number or a text.

    >>> decision = {"docno": "900001", "text": "[1]\\nA lamp.\\n[2]\\nA gate."}
    >>> [paragraph["docno"] for paragraph in paragraph_corpus([decision])]
    ['900001%p1', '900001%p2']
    """
    for position, decision in enumerate(corpus):
        docno, text = (decision.get("docno"), decision.get("text")) if isinstance(decision, Mapping) else (None, None)
        if not (isinstance(docno, str) and isinstance(text, str)):
            name = shown(docno) if isinstance(docno, str) else f"{position}, counted from 0,"
            raise ColieeError(f"Decision {name} needs a docno and a text that are strings.")
        for number, paragraph in numbered_paragraphs(text).items():
            yield {"docno": f"{docno}{OF_WHOLE}{number}", "text": paragraph}


class ParagraphRetriever(Retriever):
    """Retrieves or rescores cases by the scores of their paragraphs, which are the documents of the index.

    On a frame of queries it retrieves ``num_results`` cases of which a paragraph shares a term with the query; on a
    frame of results (qid, the case's docno and a query) it scores these cases alone. A paragraph without a shared term
    scores what its length adds, which is 0 but for Dirichlet smoothing. Ties are in the order of the cases' numbers.

    A query is text, weighted tokens (``query_toks``), or a case of the index (``query_docno``).

    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build(paragraph_corpus([{"docno": "900001", "text": "[1]\\nA lamp.\\n[2]\\nA gate."}]))
    >>> ParagraphRetriever(index, aggregate="mean").search("lamp").docno.tolist()
    ['900001']
    """

    LABEL = "Paragraphs"

    def __init__(
        self,
        index: LexicalIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (a value)
        *,
        aggregate: Aggregate = "max",
        query_aggregate: Aggregate | None = None,
        cases: Mapping[str, str] | None = None,
        num_results: int = 1000,
        statistics: Statistics = "collection",
        threads: int = 1,
        backend: Backend | None = None,
        verbose: bool = False,
    ) -> None:
        """Parameters.

        ``weighting``: a formula of `ir_coliee.engine.weightings`. ``aggregate``: a case's score, from those of its
        paragraphs: ``max``, ``mean``, or a number k for the mean of the k best (of all where it has fewer).
        ``query_aggregate``: the same for the paragraphs of the query, each of which is scored against each case; None
        takes the query as one. A text is taken apart at its paragraph marks, ``query_docno`` is at once.
        ``cases``: the case of each paragraph; None takes what stands before ``%p``. ``statistics``: whether rescoring
        takes frequencies and lengths from all paragraphs or from those of each query's own pool. The rest as of
        `ir_coliee.transformers.BM25`.
        """
        self.weighting = formula(weighting)
        self.aggregate = _checked("aggregate", aggregate)
        self.query_aggregate = None if query_aggregate is None else _checked("query_aggregate", query_aggregate)
        self.cases = cases
        super().__init__(index, num_results, statistics, threads, backend, verbose)

    def _weighting(self) -> Weighting:
        return self.weighting

    def _of_query(self) -> Aggregate:
        return "max" if self.query_aggregate is None else self.query_aggregate

    def _by_case(self) -> _WeightedCases:
        key = self.index, self.weighting, id(self.cases)
        return self._cached(key, lambda: _WeightedCases(self.index, self.weighting, self.cases))

    def _docnos(self) -> npt.NDArray[np.object_]:
        return self._by_case().names

    def _rankings(self, queries: pd.DataFrame) -> Iterator[Ranking]:
        by_case = self._by_case()
        vectors, bounds = self._query_members(queries)
        return top_groups(
            query_weights(self.weighting, vectors, by_case.collection),
            bounds,
            by_case.weights_by_term,
            by_case.bounds,
            self.num_results,
            aggregate=self.aggregate,
            query_aggregate=self._of_query(),
            document_part=self.weighting.of_length(by_case.lengths),
            backend=self.backend,
            threads=self.threads,
        )

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        by_case = self._by_case()
        cases = by_case.numbers(results["docno"])
        vectors, bounds = self._query_members(results.iloc[[rows[0] for rows in pools]])
        return pool_group_scores(
            self.weighting,
            self.index.counts,
            self.index.lengths,
            vectors,
            bounds,
            [by_case.members(cases[rows]) for rows in pools],
            by_case.collection if self.statistics == "collection" else None,
            aggregate=self.aggregate,
            query_aggregate=self._of_query(),
        )

    def _query_members(self, queries: pd.DataFrame) -> tuple[sparse.csr_matrix, Integers]:
        """Term frequencies of what is scored of each query, and where each query's begin, and the end."""
        if self.query_aggregate is not None:
            return query_members(self.index, self._by_case(), queries)
        one_each = np.arange(len(queries) + 1)
        if query_column(queries) == "query_docno":
            return _summed(*query_members(self.index, self._by_case(), queries)), one_each
        return query_frequencies(self.index, queries), one_each


def query_members(index: LexicalIndex, cases: Cases, queries: pd.DataFrame) -> tuple[sparse.csr_matrix, Integers]:
    """Term frequencies of the paragraphs of queries, and where each query's begin, and the end.

    A text is taken apart at its paragraph marks, a case of the index is at once; weighted tokens are one paragraph.
    """
    column = query_column(queries)
    if column == "query_docno":
        rows, bounds = cases.members(cases.numbers(queries[column]))
        return index.counts[rows].astype(np.float64), bounds
    if column == "query":
        texts = [numbered_paragraphs(query).values() for query in queries[column]]
        bounds = np.cumsum([0, *map(len, texts)])
        return index.query_vectors(text for of_query in texts for text in of_query), bounds
    return query_frequencies(index, queries), np.arange(len(queries) + 1)


class Cases:
    """The paragraphs of an index case by case: documents by ``cases``, None takes what stands before ``%p``."""

    def __init__(self, index: LexicalIndex, cases: Mapping[str, str] | None = None) -> None:
        self._index, self._cases = index, cases
        self.names, of_paragraph = np.unique(np.array(self._of_paragraphs(), dtype=object), return_inverse=True)
        self._order = np.argsort(of_paragraph, kind="stable")
        self.bounds = np.searchsorted(of_paragraph[self._order], np.arange(len(self.names) + 1))
        self._numbers = {name: number for number, name in enumerate(self.names)}

    def _of_paragraphs(self) -> list[str]:
        docnos = self._index.docnos
        if self._cases is None:
            return [docno.rpartition(OF_WHOLE)[0] or docno for docno in docnos]
        try:
            cases = [self._cases[docno] for docno in docnos]
        except KeyError as error:
            name = shown(str(error.args[0]))
            raise ColieeError(f"The paragraph {name} of {self._index!r} has no case in `cases`.") from None
        for docno, case in zip(docnos, cases):
            if not isinstance(case, str):
                kind = type(case).__name__
                raise ColieeError(f"The case of {shown(docno)} in `cases` is of the type {kind}; a string is needed.")
        return cases

    @property
    def collection(self) -> Collection:
        """The statistics of all paragraphs."""
        return self._index.collection

    def numbers(self, cases: Iterable[str]) -> Integers:
        """The cases by number. Raises `ColieeError`, which names one that has no paragraph here."""
        try:
            return np.fromiter((self._numbers[case] for case in cases), dtype=np.int64)
        except KeyError as error:
            message = f"case {shown(str(error.args[0]))} has no paragraph in {self._index!r}"
            raise ColieeError(f"{message}. Is it the index of these cases' dataset and part?") from None

    def members(self, cases: Integers) -> tuple[Integers, Integers]:
        """The rows of these cases' paragraphs, case by case, and where each case's begin, and the end."""
        bounds = np.concatenate([[0], np.cumsum(np.diff(self.bounds)[cases])])
        shifts = self.bounds[cases] - bounds[:-1]
        return self._order[np.arange(bounds[-1]) + shifts.repeat(np.diff(bounds))], bounds


class _WeightedCases(Cases):
    """With the weights of their terms."""

    def __init__(self, index: LexicalIndex, weighting: Weighting, cases: Mapping[str, str] | None) -> None:
        super().__init__(index, cases)
        self._weighting = weighting

    @cached_property
    def lengths(self) -> Floats:
        return self._index.lengths[self._order]

    @cached_property
    def weights_by_term(self) -> sparse.csr_matrix:
        counts = self._index.counts[self._order]
        return document_weights(self._weighting, counts, self.lengths, self.collection).T.tocsr()


def _summed(vectors: sparse.csr_matrix, bounds: Integers) -> sparse.csr_matrix:
    """The sum of the rows from each bound to the next."""
    rows = np.arange(vectors.shape[0])
    sums = sparse.csr_matrix((np.ones(len(rows)), rows, bounds), shape=(len(bounds) - 1, len(rows))) @ vectors
    sums.sort_indices()
    return sums


def _checked(name: str, aggregate: Aggregate) -> Aggregate:
    if isinstance(aggregate, str):
        if aggregate not in ("max", "mean"):
            raise ValueError(f"{name}={aggregate!r} is neither 'max' nor 'mean' nor a whole number from 1")
        return aggregate
    return integer_at_least(name, aggregate, 1)
