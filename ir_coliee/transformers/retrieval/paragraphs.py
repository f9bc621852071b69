"""Paragraphs of decisions as documents, retrieval of cases by their scores, and scores of texts that no index holds.

The passages of ``900001`` have the ids ``900001%p0``, ``900001%p1``, …, as those of PyTerrier's own passagers, so that
PyTerrier's aggregation works on our passages and ours on PyTerrier's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee import frames
from ir_coliee.engine.counting import check_corpus
from ir_coliee.engine.pools import Aggregate, pool_group_scores, pool_scores, top_groups
from ir_coliee.engine.term_counts import TermCounts, count_terms
from ir_coliee.engine.weightings import BM25, Weighting, document_weights, query_weights
from ir_coliee.frames import Floats, Integers
from ir_coliee.text.analysers import Analysis, check_text_analyser
from ir_coliee.text.decisions import paragraphs
from ir_coliee.transformers.base import BaseTransformer, Rankings, pooled_scores
from ir_coliee.transformers.retrieval.retriever import Retriever, query_column, query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.indexes import LexicalIndex


PASSAGE_SEPARATOR = "%p"  #: The separator between the id of a document or query and the number of its passage.


def numbered_paragraphs(text: str) -> dict[int, str]:
    r"""Return the paragraphs of a decision by their positions, see `ir_coliee.text.decisions.paragraphs`.

    Paragraphs without text are left out. For a decision without any text, the result is one empty paragraph.

    >>> numbered_paragraphs("[1]\nA lamp.\n[2]\n[3]\nA gate.")
    {1: 'A lamp.', 3: 'A gate.'}
    """
    return {number: paragraph for number, paragraph in enumerate(paragraphs(text)) if paragraph} or {0: ""}


def paragraph_corpus(corpus: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    r"""Split court decisions into a corpus of paragraphs, ready to be indexed.

    Parameters
    ----------
    corpus : iterable of dict
        Decisions with ``docno`` and ``text``.

    Yields
    ------
    dict
        ``docno`` is the decision's id, ``%p`` and the paragraph's position; position 0 is the text before the first
        paragraph mark, see `ir_coliee.text.decisions.paragraphs`. ``text`` is the paragraph. Paragraphs without
        text are left out; a decision without any text yields one empty paragraph.

    Raises
    ------
    ColieeError
        If a decision has no ``docno`` or no ``text``.

    Examples
    --------
    >>> decision = {"docno": "900001", "text": "[1]\nA lamp.\n[2]\nA gate."}
    >>> [paragraph["docno"] for paragraph in paragraph_corpus([decision])]
    ['900001%p1', '900001%p2']
    """
    for docno, text in check_corpus(corpus, "words"):
        for number, paragraph in numbered_paragraphs(str(text)).items():
            yield {"docno": f"{docno}{PASSAGE_SEPARATOR}{number}", "text": paragraph}


class ParagraphGroups:
    """The paragraphs of an index, grouped by case.

    Parameters
    ----------
    index : LexicalIndex
        Its documents are paragraphs.
    weighting : Weighting
        The formula of ``weights_by_term``.

    Attributes
    ----------
    names : numpy.ndarray of str
        The cases, sorted.
    order : numpy.ndarray of int64
        The rows of the index, grouped by case.
    bounds : numpy.ndarray of int64
        The paragraphs of case i are ``order[bounds[i]:bounds[i + 1]]``.
    """

    def __init__(self, index: LexicalIndex, weighting: Weighting) -> None:
        self.index, self._weighting = index, weighting
        case_of_paragraph = np.array(
            [docno.rpartition(PASSAGE_SEPARATOR)[0] or docno for docno in index.docnos], dtype=object
        )
        self.names, numbers = np.unique(case_of_paragraph, return_inverse=True)
        self.order = np.argsort(numbers, kind="stable")
        self.bounds = np.searchsorted(numbers[self.order], np.arange(len(self.names) + 1))

    def numbers(self, cases: Iterable[str]) -> Integers:
        """Return the positions of cases in ``names``; raise `ColieeError` for a case that the index lacks."""
        problem = (
            f"Case {{}} has no paragraph in {self.index!r}. Check that the index is of the same dataset and split."
        )
        return frames.places_of(cases, pd.Index(self.names, dtype=object), problem)

    def members(self, cases: Integers) -> tuple[Integers, Integers]:
        """Return the rows of the cases' paragraphs, case by case, and the bounds of each case's rows."""
        bounds = np.concatenate([[0], np.cumsum(np.diff(self.bounds)[cases])])
        shifts = self.bounds[cases] - bounds[:-1]
        return self.order[np.arange(bounds[-1]) + shifts.repeat(np.diff(bounds))], bounds

    @cached_property
    def lengths(self) -> Floats:
        """The length of each paragraph, grouped by case."""
        return self.index.lengths[self.order]

    @cached_property
    def weights_by_term(self) -> sparse.csr_matrix:
        """The weights of terms (rows) in paragraphs (columns)."""
        counts = self.index.counts[self.order]
        return document_weights(self._weighting, counts, self.lengths, self.index.collection).T.tocsr()


class ParagraphRetriever(Retriever):
    r"""Retrieve or rescore cases by the scores of their paragraphs: Q to R, R to R.

    The documents of the index are paragraphs, as `paragraph_corpus` generates them. For a frame of queries (Q), it
    returns the ``num_results`` best cases that have a paragraph with a term of the query. For a frame of results (R),
    whose ``docno`` is the case's id, it returns the same rows with new scores. Equal scores are ordered by case id.

    Parameters
    ----------
    index : LexicalIndex
        An index of paragraphs. The case of a paragraph is the part of its id before ``%p``.
    weighting : Weighting, default ``BM25()``
        The formula, see `Retriever`.
    aggregate : {"max", "mean"} or int, default "max"
        The score of a case: the maximum or the mean of its paragraphs' scores, or for an integer k the mean of the k
        best (of all paragraphs where the case has fewer).
    query_aggregate : {"max", "mean"} or int, optional
        The same for the paragraphs of the query, each of which is then scored against each case. By default the
        query is not split.
    **options
        num_results, statistics, threads, verbose:
        As in `Retriever`. ``statistics="pool"`` uses the paragraphs of each query's own candidates.

    Notes
    -----
    A query is text, weighted tokens (``query_toks``) or the id of a case of the index (``query_docno``). A paragraph
    without a term of the query scores 0, except with Dirichlet smoothing, where its length adds to its score.
    `explain` splits the score of a paragraph, such as ``900001%p1``.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> from ir_coliee.transformers.retrieval.paragraphs import paragraph_corpus
    >>> index = LexicalIndex.build(paragraph_corpus([{"docno": "900001", "text": "[1]\nA lamp.\n[2]\nA gate."}]))
    >>> ParagraphRetriever(index, aggregate="mean").search("lamp").docno.tolist()
    ['900001']
    """

    def __init__(
        self,
        index: LexicalIndex,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        aggregate: Aggregate = "max",
        query_aggregate: Aggregate | None = None,
        **options: Any,
    ) -> None:
        super().__init__(index, weighting, **options)
        self.aggregate = check_aggregate("aggregate", aggregate, ("max", "mean"))
        self.query_aggregate = check_aggregate("query_aggregate", query_aggregate, ("max", "mean", None))

    def label(self) -> str:
        """Return the name of the weighting, and that paragraphs are scored."""
        return f"{super().label()} of paragraphs"

    def _groups(self) -> ParagraphGroups:
        return self._cached((self.index, self.weighting), lambda: ParagraphGroups(self.index, self.weighting))

    def _rankings(self, queries: pd.DataFrame) -> Rankings:
        groups = self._groups()
        vectors, bounds = self._query_vectors(queries)
        best = top_groups(
            query_weights(self.weighting, vectors, self.index.collection),
            bounds,
            groups.weights_by_term,
            groups.bounds,
            self.num_results,
            aggregate=self.aggregate,
            query_aggregate=self.query_aggregate or "max",
            document_part=self.weighting.length_weights(groups.lengths),
            threads=self.threads,
        )
        return groups.names, self._progress(best, len(queries))

    def _pool_scores(self, results: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        groups = self._groups()
        cases = groups.numbers(results["docno"])
        vectors, bounds = self._query_vectors(results.iloc[[rows[0] for rows in pools]])
        return pool_group_scores(
            self.weighting,
            self.index.counts,
            vectors,
            bounds,
            [groups.members(cases[rows]) for rows in pools],
            self.index.collection if self.statistics == "collection" else None,
            aggregate=self.aggregate,
            query_aggregate=self.query_aggregate or "max",
        )

    def _query_vectors(self, queries: pd.DataFrame) -> tuple[sparse.csr_matrix, Integers]:
        """Return the term frequencies of the queries or of their paragraphs, and the bounds of each query's rows.

        A text is split at its paragraph marks, and a case of the index is split already. Weighted tokens count as one
        paragraph.
        """
        column, one_row_each = query_column(queries), np.arange(len(queries) + 1)
        if column == "query_docno":
            groups = self._groups()
            rows, bounds = groups.members(groups.numbers(queries[column]))
            vectors = self.index.counts[rows].astype(np.float64)
            if self.query_aggregate is not None:
                return vectors, bounds
            members = np.ones(len(rows)), np.arange(len(rows)), bounds
            sums = sparse.csr_matrix(members, shape=(len(queries), len(rows))) @ vectors
            sums.sort_indices()
            return sums, one_row_each
        if column == "query" and self.query_aggregate is not None:
            texts = [numbered_paragraphs(query).values() for query in queries[column]]
            vectors = self.index.query_vectors(chain.from_iterable(texts))
            return vectors, np.cumsum([0, *map(len, texts)])
        return query_frequencies(self.index, queries), one_row_each


def check_aggregate(name: str, aggregate: Any, choices: tuple[str | None, ...]) -> Any:
    """Return ``aggregate``; raise `ValueError` if it is neither one of ``choices`` nor an integer >= 1."""
    is_name = aggregate is None or isinstance(aggregate, str)
    return frames.one_of(name, aggregate, choices) if is_name else frames.integer_at_least(name, aggregate, 1)


class TextScorer(BaseTransformer):
    """Score the ``text`` of each row by its similarity to the ``query``: R to R.

    Use it for texts that are not in an index, such as paragraphs, windows or summaries. It corresponds to
    ``pt.text.scorer``, but does not need Java.

    Parameters
    ----------
    weighting : Weighting, default ``BM25()``
        The formula, see `Retriever`.
    analyser : str or analyser, default "words"
        As in `LexicalIndex.build`.
    statistics : "frame" or LexicalIndex, default "frame"
        The source of document frequencies and average lengths: the distinct documents of the frame, or an index. An
        index also replaces ``analyser`` by its own, and terms that are not in the index are ignored.

    Notes
    -----
    A text without a term of the query scores 0, except with Dirichlet smoothing, where its length adds to its score.

    Examples
    --------
    >>> rows = pd.DataFrame({"qid": "1", "query": "lamp", "docno": ["d1", "d2"], "text": ["A gate.", "A lamp."]})
    >>> TextScorer()(rows).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "Text scorer"

    def __init__(
        self,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        analyser: Analysis = "words",
        statistics: Literal["frame"] | LexicalIndex = "frame",
    ) -> None:
        self.weighting = frames.instance_of("weighting", weighting, Weighting, "a weighting such as BM25()")
        self.analyser = check_text_analyser(analyser)
        self.statistics = statistics
        if isinstance(statistics, TermCounts):
            check_text_analyser(statistics.analyser)
        elif statistics != "frame":
            raise ValueError(f"statistics must be 'frame' or a LexicalIndex, got {statistics!r}.")

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the rows of a frame with ``qid``, ``query``, ``docno`` and ``text``.

        Raises `ColieeError` for a row without an id, a query or a text.
        """
        pt.validate.result_frame(inp, extra_columns=["query", "text"], context=self)
        frames.check_ids(inp)
        scores = pooled_scores(inp, lambda pools: self._pool_scores(inp, pools))
        return frames.sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _pool_scores(self, inp: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        queries = inp.iloc[[rows[0] for rows in pools]][["qid", "query"]]
        query_column(queries)
        frames.check_types(inp, "text", inp["text"].to_numpy(dtype=object), str, "a string", by="docno")
        numbers: dict[tuple[str, str], int] = {}  # a document may have different texts for different queries
        of_row = np.array([numbers.setdefault(pair, len(numbers)) for pair in zip(inp["docno"], inp["text"])])
        texts = [text for _, text in numbers]
        corpus = ({"docno": f"{number:09}", "text": text} for number, text in enumerate(texts))
        counted = self.statistics if isinstance(self.statistics, TermCounts) else count_terms(corpus, self.analyser)
        counts = counted.query_vectors(texts) if counted is self.statistics else counted.counts
        vectors, documents = counted.query_vectors(queries["query"]), [of_row[rows] for rows in pools]
        return pool_scores(self.weighting, counts, vectors, documents, counted.collection)
