"""Cut-offs that derive the number of items of a query from the distribution of its scores."""

from __future__ import annotations

from typing import Literal

from ir_coliee.frames import check_number, integer_at_least, one_of
from ir_coliee.transformers.candidates.cutoff_rules import (
    HighestExpectedF,
    HighestExpectedMicroF,
    Rule,
    SizeFromDispersion,
)
from ir_coliee.transformers.candidates.cutoffs import Cutoff


class ExpectedFCutoff(Cutoff):
    """Keep the number of items with the highest expected F, for scores that are probabilities of relevance.

    A score is the probability that the item is relevant, independently of the other items. It should be calibrated,
    as the scores of a classifier are. Scores below 0 and missing scores are treated as 0, scores above 1 as 1. All
    relevant items are assumed to be among the results.

    Parameters
    ----------
    beta : float
        The weight of recall in F, > 0 and <= 1e6.
    average : {'macro', 'micro'}
        The average of the measure; the two have different optima (see Notes).
    min_items : int
        The smallest number of items to keep, >= 0.
    max_items : int
        The largest number of items to keep, >= ``min_items`` and >= 1. The default was chosen for this package and is
        not from the literature.
    depth : int, optional
        The number of best items of each query whose probabilities are used, >= ``max_items``; the others count as not
        relevant. None for all.

    Notes
    -----
    With ``macro``, for the mean of the queries' F, each query is cut where its own expected F is highest; see
    `ir_coliee.engine.statistics.expected_f`.

    With ``micro``, for the F of the pooled counts, an item of any query should be kept if its probability exceeds F /
    (1 + beta²), which for F1 is half of the best F [1]_. One threshold therefore serves all queries of the frame: the
    one with the highest ratio of expected counts, which the expected ratio approaches as the number of queries grows.
    Another set of queries may have another threshold.

    References
    ----------
    .. [1] Z. C. Lipton, C. Elkan and B. Narayanaswamy, Optimal thresholding of classifiers to maximize F1 measure,
       ECML PKDD 2014.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [0.9, 0.5, 0.1]})
    >>> ExpectedFCutoff(beta=0.5)(run).docno.tolist(), ExpectedFCutoff(beta=2.0)(run).docno.tolist()
    (['a'], ['a', 'b'])
    """

    LABEL = "Expected-F cut-off"

    def __init__(
        self,
        beta: float = 1.0,
        *,
        average: Literal["macro", "micro"] = "macro",
        min_items: int = 0,
        max_items: int = 20,
        depth: int | None = None,
    ) -> None:
        self.beta = float(check_number("beta", beta, "a number > 0 and <= 1e6", lambda number: 0 < number <= 1e6))
        self.average = one_of("average", average, ("macro", "micro"))
        self.min_items = integer_at_least("min_items", min_items, 0)
        self.max_items = integer_at_least("max_items", max_items, max(1, min_items))
        self.depth = None if depth is None else integer_at_least("depth", depth, self.max_items)

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        condition = HighestExpectedF if self.average == "macro" else HighestExpectedMicroF
        # no limit here: the condition needs the scores of all items and applies max_items itself
        return Rule(condition(self.beta, self.max_items, self.depth), self.min_items, None)


class AdaptiveCutoff(Cutoff):
    """Keep ``intercept + slope * dispersion`` items, rounded, so that the number depends on the query's scores.

    Parameters
    ----------
    intercept, slope : float
        The coefficients of the line that maps the dispersion to the number of items.
    depth : int
        The number of scores of each query from which the dispersion is computed, >= 1.
    min_items : int
        The smallest number of items to keep, >= 0.
    max_items : int
        The largest number of items to keep, >= ``min_items`` and >= 1.

    See Also
    --------
    ir_coliee.fit_cutoff : Choose the line by a measure.

    Notes
    -----
    The dispersion is the standard deviation of the query's first ``depth`` scores divided by the absolute value of
    their mean. It is high if few items have much higher scores than the others, and 0 if all scores are equal. It
    predicts how hard a query is [1]_, and Culpepper et al. regress a depth for each query on such predictors [2]_. The
    use of one predictor and of a straight line, and the defaults, were chosen for this package.

    References
    ----------
    .. [1] J. Pérez-Iglesias and L. Araujo, Standard deviation as a query hardness estimator, SPIRE 2010.
    .. [2] J. S. Culpepper, C. L. A. Clarke and J. Lin, Dynamic cutoff prediction in multi-stage retrieval systems,
       ADCS 2016.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": list("112222"), "docno": list("ababcd"), "score": [4.0, 0.0, 1.0, 1.0, 1.0, 1.0]})
    >>> AdaptiveCutoff(intercept=3.0, slope=-2.0)(run).qid.tolist()
    ['1', '2', '2', '2']
    """

    LABEL = "Adaptive cut-off"

    def __init__(
        self, intercept: float, slope: float, *, depth: int = 50, min_items: int = 1, max_items: int = 20
    ) -> None:
        self.intercept = float(check_number("intercept", intercept))
        self.slope = float(check_number("slope", slope))
        self.depth = integer_at_least("depth", depth, 1)
        self.min_items = integer_at_least("min_items", min_items, 0)
        self.max_items = integer_at_least("max_items", max_items, max(1, min_items))

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        condition = SizeFromDispersion(self.intercept, self.slope, self.depth, self.max_items)
        # no limit here: the condition needs `depth` scores and applies max_items itself
        return Rule(condition, self.min_items, None)
