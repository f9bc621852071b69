"""Retrieval by what a query decision shares with hardly any other decision."""

from __future__ import annotations

from ir_coliee.editions import Dataset
from ir_coliee.engine.cases.exclusive_sharing import UNITS, Unit, exclusive_sharing
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.frames import one_of
from ir_coliee.transformers.cases.base import CaseEvidenceRetriever


class ExclusiveSharingRetriever(CaseEvidenceRetriever):
    r"""Retrieve decisions by the rare words or n-grams that they share with a query decision: Q to R, R to R.

    A word or n-gram that only the query and one other decision have tells more about the two than its inverse document
    frequency does: a quoted sentence, a name, a section of a statute. The score of a text is the sum of (df - 1)^-1.5
    over what it shares with the query, where df is the number of distinct texts that have it, the query's included,
    from 2 to 12. A decision whose text equals that of the query shares everything with it.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split of task 1, whose documents are retrieved.
    unit : {"words", "bigrams", "ngrams"}, default "words"
        What is shared: words, bigrams of content words, or 5-grams of all words.
    num_results : int, default 1000
        The largest number of documents for each query, >= 1.
    verbose : bool, default False
        Whether to show progress.

    Notes
    -----
    Words of ASCII letters and numbers are read: no decisions in other scripts, and French words are cut at accents.

    The score was developed for this package, for pools in which each noticed case belongs to one query, as the
    organisers build them. In a library in which a decision is cited by hundreds of others, it says less.

    Examples
    --------
    >>> import pyterrier as pt
    >>> dataset = pt.get_dataset("irds:coliee/task1/sample/test")
    >>> sharing = ExclusiveSharingRetriever(dataset, "ngrams", num_results=2)
    >>> sharing(dataset.get_topics()[:1])[["qid", "docno", "rank"]].values.tolist()
    [['900656', '900557', 0], ['900656', '900912', 1]]
    """

    LABEL = "Exclusive sharing"
    NOTHING_FOUND = "share nothing rare with a decision"

    def __init__(
        self, dataset: Dataset, unit: Unit = "words", *, num_results: int = 1000, verbose: bool = False
    ) -> None:
        super().__init__(dataset, num_results=num_results, verbose=verbose)
        self.unit = one_of("unit", unit, UNITS)

    def scores(self, pool: TextPool) -> Scores:
        """Return the scores of a pool, as an array of shape (num_queries, num_texts)."""
        return exclusive_sharing(pool, self.unit)
