"""The base class of transformers that add weighted query tokens, and queries from a part of a decision's text.

The column ``query_toks`` is a dict from term to weight, which retrievers prefer to the text. The terms are those of an
index, made by its analyser; terms that are not in the index are ignored and not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt
from scipy import sparse

from ir_coliee.engine import terms
from ir_coliee.engine.shingles import HashedVocabulary
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.terms import CountedUnit, select_terms
from ir_coliee.engine.weightings import Collection
from ir_coliee.frames import Floats, check_ids, check_share, instance_of, integer_at_least, one_of
from ir_coliee.text.case_sections import summary
from ir_coliee.text.citing_context import citing_context
from ir_coliee.text.leading_text import leading_paragraphs, leading_words
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.frames import INPUT_COLUMNS, query_column, query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.indexes import LexicalIndex


class QueryTokens(BaseTransformer):
    """Base of transformers that add or replace the column ``query_toks``: Q to Q, R to R.

    Rows, their order and other columns are kept. A subclass implements `term_weights`.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms are used.
    """

    INPUT_COLUMNS: tuple[str, ...] = INPUT_COLUMNS

    def __init__(self, index: LexicalIndex) -> None:
        self.index = instance_of("index", index, TermCounts, "a LexicalIndex")

    def term_weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        """Return the weight of each selected term (columns) of each query (rows)."""
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add ``query_toks``. In a frame of results, the first row of each query is read.

        Raises `ColieeError` for a query without an id, without a text, or with an unknown document.
        """
        with pt.validate.any(inp, context=self) as frame:
            for column in self.INPUT_COLUMNS:
                frame.columns(includes=["qid", column], mode=column)
        check_ids(inp)
        query_of_row = pd.factorize(inp["qid"])[0] if "docno" in inp.columns else np.arange(len(inp))
        _, first_rows = np.unique(query_of_row, return_index=True)
        tokens = np.empty(len(first_rows), dtype=object)
        tokens[:] = list(self._tokens(self.term_weights(inp.iloc[first_rows])))
        query_toks = pd.Series(tokens[query_of_row], dtype=object)
        with_tokens: pd.DataFrame = inp.reset_index(drop=True).assign(query_toks=query_toks)
        return with_tokens

    def _tokens(self, weights: sparse.csr_matrix) -> Iterator[dict[str, float]]:
        terms = self._cached(self.index, lambda: _TermsByColumn(self.index)).terms(weights.indices)
        values = weights.data.tolist()
        return (dict(zip(terms[start:end], values[start:end])) for start, end in pairwise(weights.indptr.tolist()))


class _TermsByColumn:
    """The terms of an index by their columns."""

    def __init__(self, index: LexicalIndex) -> None:
        self._index = index

    @cached_property
    def _all_terms(self) -> npt.NDArray[np.object_]:
        return np.array([*self._index.vocabulary], dtype=object)

    def terms(self, columns: npt.NDArray[np.integer]) -> list[str]:
        """Return the terms of columns."""
        vocabulary = self._index.vocabulary
        if isinstance(vocabulary, HashedVocabulary):  # has too many terms to list all
            return [f"{number:016x}" for number in vocabulary.hashes[columns].tolist()]
        terms: list[str] = self._all_terms[columns].tolist()
        return terms


class _TextPartTokens(QueryTokens):
    """Base of transformers that take the terms of a part of the query's text, with their frequencies in that part."""

    INPUT_COLUMNS = ("query",)

    def text_part(self, text: str) -> str:
        """Return the part of a text whose terms are used."""
        raise NotImplementedError

    def term_weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        """Return the frequencies of terms (columns) in the part of each query (rows)."""
        query_column(queries[["qid", "query"]])
        return self.index.query_vectors(map(self.text_part, queries["query"]))


class LeadTerms(_TextPartTokens):
    """Use the terms of a query's beginning: its first words or paragraphs, or else its summary: Q to Q, R to R.

    Only the column ``query`` is read. Words are separated by white space, so paragraph marks and markers count as
    words. Clean the text first, or use ``paragraphs``.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms are used.
    words : int, optional
        The number of words, >= 1.
    paragraphs : int, optional
        The number of paragraphs, >= 1. Without ``words`` and ``paragraphs``, the summary is used, see
        `ir_coliee.text.case_sections`, or the whole text of a decision without one.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}])
    >>> LeadTerms(index, words=3).search("the lamp, the gate").query_toks.tolist()
    [{'lamp': 1.0, 'the': 2.0}]
    """

    LABEL = "Lead terms"

    def __init__(self, index: LexicalIndex, *, words: int | None = None, paragraphs: int | None = None) -> None:
        super().__init__(index)
        if words is not None and paragraphs is not None:
            raise ValueError(f"words must be None where paragraphs is given, got {words!r} and {paragraphs!r}.")
        self.words = None if words is None else integer_at_least("words", words, 1)
        self.paragraphs = None if paragraphs is None else integer_at_least("paragraphs", paragraphs, 1)

    def text_part(self, text: str) -> str:
        """Return the beginning or the summary of a text."""
        if self.words is not None:
            return leading_words(text, self.words)
        if self.paragraphs is not None:
            return leading_paragraphs(text, self.paragraphs)
        return summary(text) or text


class CitingTerms(_TextPartTokens):
    """Use the terms of a query's citing sentences and their neighbours (THUIR at COLIEE 2023): Q to Q, R to R.

    Only the column ``query`` is read, with its markers of suppressed citations, so do not clean the text first.
    See `ir_coliee.text.citing_context.citing_context`.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms are used.
    words : int, default 512
        Shorter contexts are filled up to this number of words with the beginning of the decision, >= 0.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}])
    >>> CitingTerms(index, words=0).search("As in <FRAGMENT_SUPPRESSED> the lamp.").query_toks.tolist()
    [{'lamp': 1.0, 'the': 1.0}]
    """

    LABEL = "Citing terms"

    def __init__(self, index: LexicalIndex, words: int = 512) -> None:
        super().__init__(index)
        self.words = integer_at_least("words", words, 0)

    def text_part(self, text: str) -> str:
        """Return the sentences around the citations of a text."""
        return citing_context(text, self.words)


# Selection of the most informative terms of long queries, such as whole decisions.


class _SelectedTerms(QueryTokens):
    """Base of transformers that keep the best terms of a query, with their weights in the query."""

    def __init__(self, index: LexicalIndex, share: float, share_of: CountedUnit) -> None:
        super().__init__(index)
        self.share = check_share("share", share)
        self.share_of = one_of("share_of", share_of, ("terms", "tokens"))

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        """Return how informative each term of the queries is."""
        raise NotImplementedError

    def term_weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        """Return the frequencies of the selected terms (columns) in each query (rows)."""
        vectors = query_frequencies(self.index, queries)
        return select_terms(vectors, self._scores(vectors, self.index.collection), self.share, self.share_of)


class KLITerms(_SelectedTerms):
    """Keep the terms of a query with the highest KL informativeness, P(t|Q) ln(P(t|Q) / P(t|C)): Q to Q, R to R.

    The default share, 40 %, was best at COLIEE 2022, with BM25 (k1 = 2.8, b = 0.9). In 2021, 10 % of the tokens was
    best; this package takes that as the number of distinct terms to keep, not as the sum of their frequencies.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms and statistics are used.
    share : float, default 0.4
        The share of terms to keep, in (0, 1].
    share_of : {"terms", "tokens"}, default "terms"
        Whether the share is of the query's distinct terms or of its tokens.

    Notes
    -----
    See `ir_coliee.engine.terms.kl_informativeness`, and `ir_coliee.engine.terms.select_terms` for
    rounding and ties.

    References
    ----------
    Tomokiyo and Hurst, 2003; for case retrieval Locke, Zuccon and Scells, 2017.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> query = pd.DataFrame({"qid": ["1"], "query": ["the lamp and the lamp"]})
    >>> KLITerms(index, share=0.5)(query).query_toks.tolist()
    [{'lamp': 2.0}]
    """

    LABEL = "KLI terms"

    def __init__(self, index: LexicalIndex, share: float = 0.4, *, share_of: CountedUnit = "terms") -> None:
        super().__init__(index, share, share_of)

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return terms.kl_informativeness(queries, collection)


class IDFTerms(_SelectedTerms):
    """Keep the terms of a query with the highest inverse document frequency (IDF-r): Q to Q, R to R.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms and statistics are used.
    share : float
        The share of terms to keep, in (0, 1].
    share_of : {"terms", "tokens"}, default "terms"
        Whether the share is of the query's distinct terms or of its tokens.

    References
    ----------
    Koopman, Cripwell and Zuccon, 2017; for case retrieval Locke, Zuccon and Scells, 2017.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> IDFTerms(index, 0.5).search("the lamp").query_toks.tolist()
    [{'lamp': 1.0}]
    """

    LABEL = "IDF terms"

    def __init__(self, index: LexicalIndex, share: float, *, share_of: CountedUnit = "terms") -> None:
        super().__init__(index, share, share_of)

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return terms.idf(queries, collection)


class TfIdfTerms(_SelectedTerms):
    """Keep the terms of a query with the highest tf ln(N / df): Q to Q, R to R.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms and statistics are used.
    share : float
        The share of terms to keep, in (0, 1].
    share_of : {"terms", "tokens"}, default "terms"
        Whether the share is of the query's distinct terms or of its tokens.

    References
    ----------
    Salton and Buckley, Term-Weighting Approaches in Automatic Text Retrieval, 1988.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> TfIdfTerms(index, 0.4).search("the lamp gate lamp").query_toks.tolist()
    [{'lamp': 2.0}]
    """

    LABEL = "TF-IDF terms"

    def __init__(self, index: LexicalIndex, share: float, *, share_of: CountedUnit = "terms") -> None:
        super().__init__(index, share, share_of)

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return terms.tf_idf(queries, collection)


class PLMTerms(_SelectedTerms):
    """Keep the terms of a query that are most likely in its parsimonious language model: Q to Q, R to R.

    The best share at COLIEE was 50 %, the default.

    Parameters
    ----------
    index : LexicalIndex
        The index whose terms and statistics are used.
    share : float, default 0.5
        The share of terms to keep, in (0, 1].
    share_of : {"terms", "tokens"}, default "terms"
        Whether the share is of the query's distinct terms or of its tokens.
    lambda_ : float, default 0.1
        The weight of the query's own model, in (0, 1]. The default is a choice of this package; COLIEE's papers give
        none.
    iterations : int, default 50
        The number of iterations of expectation maximisation, >= 0. The default is a choice of this package.
    weights : {"frequency", "model"}, default "frequency"
        The weight of a kept term: its frequency in the query, or its probability in the model, which the reference uses
        for ranking.

    Notes
    -----
    See `ir_coliee.engine.terms.parsimonious_model`.

    References
    ----------
    Hiemstra, Robertson and Zaragoza, Parsimonious Language Models for Information Retrieval, 2004.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "1", "text": "the lamp the gate"}, {"docno": "2", "text": "the well"}])
    >>> PLMTerms(index).search("the lamp").query_toks.tolist()
    [{'lamp': 1.0}]
    """

    LABEL = "PLM terms"

    def __init__(
        self,
        index: LexicalIndex,
        share: float = 0.5,
        *,
        share_of: CountedUnit = "terms",
        lambda_: float = 0.1,
        iterations: int = 50,
        weights: Literal["frequency", "model"] = "frequency",
    ) -> None:
        super().__init__(index, share, share_of)
        self.lambda_ = check_share("lambda_", lambda_)
        self.iterations = integer_at_least("iterations", iterations, 0)
        self.weights = one_of("weights", weights, ("frequency", "model"))

    def _scores(self, queries: sparse.csr_matrix, collection: Collection) -> Floats:
        return terms.parsimonious_model(queries, collection, lambda_=self.lambda_, iterations=self.iterations)

    def term_weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        """Return the frequencies or probabilities of the selected terms (columns) in each query (rows)."""
        if self.weights == "frequency":
            return super().term_weights(queries)
        vectors = query_frequencies(self.index, queries)
        model = self._scores(vectors, self.index.collection)
        return select_terms(vectors, model, self.share, self.share_of, weights=model)
