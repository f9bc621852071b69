"""Retrieval of noticed cases by latent semantic analysis."""

from __future__ import annotations

from typing import Literal

from ir_coliee.editions import Dataset
from ir_coliee.engine.cases.context_scores import later_texts
from ir_coliee.engine.cases.latent_scores import latent_scores
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.frames import integer_at_least, one_of
from ir_coliee.transformers.cases.base import CaseEvidenceRetriever


class LatentSemanticRetriever(CaseEvidenceRetriever):
    r"""Retrieve cases by latent semantic analysis of citing contexts and paragraphs: Q to R, R to R.

    The contexts of a decision's suppressed citations and the paragraphs of the cases are vectors of TF-IDF weights,
    projected to a few dimensions by a truncated singular value decomposition. Words that occur in the same paragraphs
    become similar, so that a paragraph is found without sharing a word with the context. The score of a case is one of:

    * ``rr``: the sum over the contexts of 1 / (rank + 3), for the 50 cases with the most similar paragraphs. Cases of
      later years than the query, and the query's own text, have no rank.
    * ``document``: the cosine of the sum of the query's contexts and the sum of the case's paragraphs.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved. Its texts are read once, and their tokens are kept in the
        cache of the data folder.
    dimensions : int, default 150
        The number of dimensions, >= 1; fewer are used if the collection has fewer terms or paragraphs.
    width : int, default 50
        The number of words before and after a marker, >= 1.
    aggregate : {"rr", "document"}, default "rr"
        How a case is scored.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Raises
    ------
    MissingExtraError
        When queries are answered without scikit-learn, the extra ``learn``.

    Notes
    -----
    Contexts and paragraphs are those of `CitingContextRetriever`. The decomposition is computed for each frame, from at
    most 30,000 of its contexts and the paragraphs of the collection, with a fixed random state: scores depend slightly
    on the other queries of the frame, but not on their order, and are the same in each run.

    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    The analysis is that of [1], its use with contexts and paragraphs was developed for this package. 400 queries and
    1,870 texts take about 16 seconds on one core.

    References
    ----------
    [1] S. Deerwester et al. Indexing by Latent Semantic Analysis. JASIS 41(6), 1990.

    Examples
    --------
    >>> retriever = LatentSemanticRetriever("coliee/task1/sample/test", dimensions=10, num_results=5)
    >>> results = retriever.search("The lamps of the harbour must burn until midnight, <FRAGMENT_SUPPRESSED>.")
    >>> list(results.columns)
    ['qid', 'query', 'docno', 'score', 'rank']
    """

    LABEL = "Latent semantics"
    NOTHING_FOUND = "have no suppressed citation whose context matches a decision"

    def __init__(
        self,
        dataset: Dataset,
        dimensions: int = 150,
        width: int = 50,
        aggregate: Literal["rr", "document"] = "rr",
        *,
        num_results: int = 1000,
        verbose: bool = False,
    ) -> None:
        super().__init__(dataset, num_results=num_results, verbose=verbose)
        self.dimensions = integer_at_least("dimensions", dimensions, 1)
        self.width = integer_at_least("width", width, 1)
        self.aggregate = one_of("aggregate", aggregate, ("rr", "document"))

    def scores(self, pool: TextPool) -> Scores:
        """Return the scores of the pool's texts, as an array of shape (num_queries, num_texts)."""
        excluded = later_texts(pool) | (pool.texts == pool.queries[:, None])
        found = latent_scores(pool, dimensions=self.dimensions, width=self.width, excluded=excluded)
        scores: Scores = getattr(found, self.aggregate)
        return scores
