"""A cut-off at the threshold with the highest expected micro F1 of all queries of a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ir_coliee.frames import Floats, check_share, integer_at_least
from ir_coliee.transformers.candidates.cutoff_rules import Rule, ScoreMatrix, Sizes
from ir_coliee.transformers.candidates.cutoffs import Cutoff

_THRESHOLDS = np.arange(2, 60) / 100


class PoolCutoff(Cutoff):
    """Keep the items above one threshold: the one with the highest expected micro F1 of all queries of the frame.

    A score is the probability that the item is relevant, as the models of the baselines return it. The threshold
    belongs to the frame: another split, whose probabilities are higher or lower, has another one. Scores below 0 and
    missing scores are treated as 0, scores above 1 as 1.

    Documents with the same text share the probability that the text is relevant, and each counts as one item: a cut-off
    of a written ranking, which does not say which texts are equal, keeps the same items.

    Parameters
    ----------
    recall : float
        The share of the relevant documents that are among the results, in (0, 1], for example as measured on the train
        split.
    min_items : int
        The smallest number of items to keep, >= 0.
    max_items : int
        The largest number of items to keep, >= ``min_items`` and >= 1.

    Notes
    -----
    The thresholds .02, .03, … .59 are compared. With the sum of all scores S, and n results that score at least t, with
    the sum s, the expected micro F1 of the threshold t is estimated as 2 s / (n + S / recall). The lowest of equally
    good thresholds is taken.

    See Also
    --------
    ExpectedFCutoff : The same idea with any beta, for each query or for all, if no relevant document is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3 + ["2"], "docno": list("abcd"), "score": [0.9, 0.3, 0.1, 0.2]})
    >>> PoolCutoff()(run).docno.tolist(), PoolCutoff(recall=0.4)(run).docno.tolist()
    (['a', 'd'], ['a', 'b', 'd'])
    """

    LABEL = "Pool cut-off"

    def __init__(self, recall: float = 1.0, *, min_items: int = 1, max_items: int = 10) -> None:
        self.recall = float(check_share("recall", recall))
        self.min_items = integer_at_least("min_items", min_items, 0)
        self.max_items = integer_at_least("max_items", max_items, max(1, min_items))

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        # no limit here: the condition needs the scores of all items and applies max_items itself
        return Rule(_AboveBestThreshold(self.recall, self.max_items), self.min_items, None)


def best_threshold(probabilities: Floats, recall: float) -> float:
    """Return the threshold with the highest expected micro F1, see `PoolCutoff`.

    Parameters
    ----------
    probabilities : numpy.ndarray of shape (n_results,)
        The probability of each result of all queries, in [0, 1].
    recall : float
        The share of the relevant items that are among the results.

    Returns
    -------
    float
        One of .02, .03, … .59.

    Examples
    --------
    >>> best_threshold(np.array([0.9, 0.3, 0.1]), 1.0)
    0.31
    """
    descending = -np.sort(-probabilities)
    cumulated = np.append(0.0, descending.cumsum())
    returned = np.searchsorted(-descending, -_THRESHOLDS, side="right")
    f1 = 2 * cumulated[returned] / np.maximum(returned + cumulated[-1] / recall, np.finfo(np.float64).tiny)
    return float(_THRESHOLDS[f1.argmax()])


def _probabilities(scores: Floats) -> Floats:
    return np.nan_to_num(scores, nan=0.0).clip(0.0, 1.0)


@dataclass(frozen=True)
class _AboveBestThreshold:
    """Condition that one of the first ``max_items`` items reaches the threshold with the best expected micro F1."""

    recall: float
    max_items: int

    def __call__(self, scores: ScoreMatrix, lengths: Sizes) -> Sizes:
        """Return the number of first items of each row that meet the condition."""
        probabilities = _probabilities(scores)
        threshold = best_threshold(probabilities.ravel(), self.recall)
        return np.asarray((probabilities[:, : self.max_items] >= threshold).sum(axis=1), dtype=np.int64)
