"""Selection of the most informative terms of long queries, such as whole decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pandas as pd
from scipy import sparse

from ir_coliee.engine import term_selection
from ir_coliee.engine.term_selection import CountedUnit, select_terms
from ir_coliee.engine.weightings import Collection
from ir_coliee.frames import Floats, check_share, integer_at_least, one_of
from ir_coliee.transformers.queries.query_tokens import QueryTokens
from ir_coliee.transformers.retrieval.query_vectors import query_frequencies

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.lexical_index import LexicalIndex


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
    See `ir_coliee.engine.term_selection.kl_informativeness`, and `ir_coliee.engine.term_selection.select_terms` for
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
        return term_selection.kl_informativeness(queries, collection)


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
        return term_selection.idf(queries, collection)


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
        return term_selection.tf_idf(queries, collection)


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
    See `ir_coliee.engine.term_selection.parsimonious_model`.

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
        return term_selection.parsimonious_model(queries, collection, lambda_=self.lambda_, iterations=self.iterations)

    def term_weights(self, queries: pd.DataFrame) -> sparse.csr_matrix:
        """Return the frequencies or probabilities of the selected terms (columns) in each query (rows)."""
        if self.weights == "frequency":
            return super().term_weights(queries)
        vectors = query_frequencies(self.index, queries)
        model = self._scores(vectors, self.index.collection)
        return select_terms(vectors, model, self.share, self.share_of, weights=model)
