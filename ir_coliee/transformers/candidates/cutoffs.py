"""Cut-offs: transformers that decide how many items of a ranking become the answer set.

The official measures evaluate sets, so every ranking needs a cut-off. All cut-offs share their parameters:
``min_items`` and ``max_items`` limit the number of items that are kept for each query, and ``threshold``, ``ratio`` or
``margin`` says which scores are high enough. `ir_coliee.evaluation.cutoffs` finds the best cut-off on a split
with labels.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine import cutoff_rules as rules
from ir_coliee.engine.cutoff_rules import Rule, answer_sizes, score_matrix
from ir_coliee.frames import best_results, check_number, check_share, integer_at_least, one_of, sort_results
from ir_coliee.transformers.base import BaseTransformer, check_ranking_or_set


class Cutoff(BaseTransformer):
    """Base class of the cut-offs (R to R): keep the first rows of each query.

    Rows are returned in descending order of score, with new ranks. Equal scores keep the order of their ranks. A
    missing score (NaN) counts as the lowest. A subclass defines `rule`.

    The repr of a cut-off is also its form in reports. It shows defaults too, except None.

    >>> DynamicCutoff(), RatioCutoff(0.5)
    (DynamicCutoff(ratio=0.34, min_items=3, max_items=7), RatioCutoff(ratio=0.5, min_items=0))
    """

    LABEL = "Cut-off"
    min_items: int
    max_items: int | None

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        raise NotImplementedError

    def _is_hidden(self, value: object, parameter: inspect.Parameter) -> bool:
        """Return whether the repr leaves an argument out."""
        return value is None and parameter.default is None

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Cut each query's results. Requires the columns qid, docno and score."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        ordered = sort_results(inp)
        if ordered.empty:
            return ordered
        scores, lengths = score_matrix(ordered)
        ranks = ordered["rank"].to_numpy()
        [sizes] = answer_sizes([self.rule()], scores, lengths)
        return ordered[ranks < np.repeat(sizes, lengths)].reset_index(drop=True)

    def set_parameter(self, name: str, value: Any) -> None:
        """Set a parameter, as `pyterrier.GridScan` does; `ValueError` for a value that no cut-off of this class has.

        The bounds are checked one by one, because a grid sets one after the other.
        """
        arguments = self.arguments()
        if name in arguments:
            others = {key: each for key, each in _WIDEST.get(name, {}).items() if key in arguments}
            value = getattr(type(self)(**{**arguments, **others, name: value}), name)
        super().set_parameter(name, value)

    def _set_bounds(self, min_items: int, max_items: int | None, *, smallest: int = 0) -> None:
        """Check and store the smallest and the largest number of items."""
        self.min_items = integer_at_least("min_items", min_items, smallest)
        self.max_items = None if max_items is None else integer_at_least("max_items", max_items, max(1, min_items))


#: For each bound, values of the others that allow any valid value of it.
_WIDEST = {
    "min_items": {"max_items": sys.maxsize, "depth": sys.maxsize},
    "max_items": {"min_items": 1, "depth": sys.maxsize},
    "depth": {"min_items": 1, "max_items": 1},
}


def cutoff_classes() -> dict[str, type[Cutoff]]:
    """Return all cut-off classes by their name, in the order of their definition."""
    kinds: list[type[Cutoff]] = [Cutoff]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return {kind.__name__: kind for kind in kinds if kind.rule is not Cutoff.rule}  # no base class


class TopK(Cutoff):
    """Keep the first ``k`` items of each query; of results without scores, which are sets, the first rows.

    Parameters
    ----------
    k : int
        The number of items to keep, >= 1.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [3.0, 2.0, 1.0]})
    >>> TopK(2)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, k: int) -> None:
        self.k = integer_at_least("k", k, 1)

    def label(self) -> str:
        """Return the name with the number."""
        return f"Top {self.k}"

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        return Rule(rules.all_items, max_items=self.k)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Cut each query's results. Requires the columns qid and docno."""
        check_ranking_or_set(inp, self)
        return best_results(inp, self.k)


class RatioCutoff(Cutoff):
    """Keep the items that score at least ``ratio`` times the best score of their query.

    If the best score is not positive, the bound is the best score divided by ``ratio``. This is the rule of NeuralMind
    (COLIEE 2021). `DynamicCutoff` is the same rule with the parameters that THUIR published.

    Parameters
    ----------
    ratio : float
        The share of the best score, in (0, 1].
    threshold : float, optional
        A score that items must also reach. None for no threshold.
    min_items : int
        The smallest number of items to keep, >= 0, regardless of their scores.
    max_items : int, optional
        The largest number of items to keep, >= ``min_items`` and >= 1. None for no limit.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [4.0, 3.0, 1.0]})
    >>> RatioCutoff(0.5)(run).docno.tolist()
    ['a', 'b']
    >>> RatioCutoff(0.5, threshold=3.5)(run).docno.tolist()
    ['a']
    """

    LABEL = "Ratio cut-off"

    def __init__(
        self, ratio: float, *, threshold: float | None = None, min_items: int = 0, max_items: int | None = None
    ) -> None:
        self.ratio = float(check_share("ratio", ratio))
        self.threshold = None if threshold is None else _threshold(threshold)
        self._set_bounds(min_items, max_items)

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        threshold = -np.inf if self.threshold is None else self.threshold
        return Rule(rules.at_least_ratio, (self.ratio, threshold), self.min_items, self.max_items)


class DynamicCutoff(RatioCutoff):
    """`RatioCutoff` under the name and with the parameters that THUIR published: .34, at least 3, at most 7 items.

    THUIR, the winner of task 1 in 2023, calls the rule a dynamic cut-off and its parameters p (``ratio``),
    l (``min_items``) and h (``max_items``).

    Parameters
    ----------
    ratio : float
        The share of the best score, in (0, 1].
    min_items : int
        The smallest number of items to keep, >= 0, regardless of their scores.
    max_items : int, optional
        The largest number of items to keep, >= ``min_items`` and >= 1. None for no limit.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 4, "docno": list("abcd"), "score": [10.0, 3.0, 2.0, 1.0]})
    >>> DynamicCutoff(ratio=0.25, min_items=1, max_items=3)(run).docno.tolist()
    ['a', 'b']
    """

    LABEL = "Dynamic cut-off"

    def __init__(self, ratio: float = 0.34, *, min_items: int = 3, max_items: int | None = 7) -> None:
        super().__init__(ratio, min_items=min_items, max_items=max_items)


class MarginCutoff(Cutoff):
    """Keep the items that score less than ``margin`` below the best score of their query.

    CAPTAIN, the winner of task 2 in 2023, used this rule.

    Parameters
    ----------
    margin : float
        The margin in units of the score, >= 0.
    min_items : int
        The smallest number of items to keep, >= 1, regardless of their scores.
    max_items : int, optional
        The largest number of items to keep, >= ``min_items``. None for no limit.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [4.0, 3.5, 1.0]})
    >>> MarginCutoff(margin=1.0, max_items=3)(run).docno.tolist()
    ['a', 'b']
    """

    LABEL = "Margin cut-off"

    def __init__(self, margin: float, *, min_items: int = 1, max_items: int | None = None) -> None:
        self.margin = check_number("margin", margin, "a number >= 0", lambda number: number >= 0)
        self._set_bounds(min_items, max_items, smallest=1)

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        return Rule(rules.within_margin, (self.margin,), self.min_items, self.max_items)


class ThresholdCutoff(Cutoff):
    """Keep the items that score at least ``threshold``. With the default bounds, none or all items may be kept.

    Parameters
    ----------
    threshold : float
        The lowest score of an item that is kept.
    min_items : int
        The smallest number of items to keep, >= 0, regardless of their scores.
    max_items : int, optional
        The largest number of items to keep, >= ``min_items`` and >= 1. None for no limit.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 2, "docno": list("ab"), "score": [0.8, 0.3]})
    >>> ThresholdCutoff(0.5)(run).docno.tolist()
    ['a']
    >>> ThresholdCutoff(0.9)(run).docno.tolist(), ThresholdCutoff(0.9, min_items=1)(run).docno.tolist()
    ([], ['a'])
    """

    LABEL = "Threshold cut-off"

    def __init__(self, threshold: float, *, min_items: int = 0, max_items: int | None = None) -> None:
        self.threshold = _threshold(threshold)
        self._set_bounds(min_items, max_items)

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        return Rule(rules.at_least_threshold, (self.threshold,), self.min_items, self.max_items)


class GapCutoff(Cutoff):
    """Cut each query at the largest gap between neighbouring scores.

    If several gaps are the largest, the first is used. A query with at most ``min_items`` items keeps all of them,
    because there is no gap after its last item.

    Parameters
    ----------
    min_items : int
        The smallest number of items to keep, >= 1.
    max_items : int, optional
        The largest number of items to keep, >= ``min_items``. None for no limit.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 4, "docno": list("abcd"), "score": [9.0, 8.0, 3.0, 2.0]})
    >>> GapCutoff(min_items=1, max_items=3)(run).docno.tolist()
    ['a', 'b']
    """

    LABEL = "Gap cut-off"

    def __init__(self, *, min_items: int = 1, max_items: int | None = None) -> None:
        self._set_bounds(min_items, max_items, smallest=1)

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        bounds = self.min_items, self.max_items
        return Rule(rules.before_largest_gap, bounds, *bounds)


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
    `ir_coliee.engine.cutoff_rules.expected_f`.

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
        self._set_bounds(min_items, integer_at_least("max_items", max_items, 1))
        self.depth = None if depth is None else integer_at_least("depth", depth, max_items)

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        condition = rules.highest_expected_f if self.average == "macro" else rules.highest_expected_micro_f
        # no limit here: the condition needs the scores of all items and applies max_items itself
        return Rule(condition, (self.beta, self.max_items, self.depth), self.min_items)


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
        self._set_bounds(min_items, integer_at_least("max_items", max_items, 1))

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        # no limit here: the condition needs `depth` scores and applies max_items itself
        arguments = self.intercept, self.slope, self.depth, self.max_items
        return Rule(rules.size_from_dispersion, arguments, self.min_items)


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
        self._set_bounds(min_items, integer_at_least("max_items", max_items, 1))

    def rule(self) -> Rule:
        """Return the condition that items must meet and the smallest and largest number of items to keep."""
        # no limit here: the condition needs the scores of all items and applies max_items itself
        return Rule(rules.above_best_threshold, (self.recall, self.max_items), self.min_items)


def _threshold(threshold: float) -> float:
    return check_number("threshold", threshold, "a number", lambda number: not np.isnan(number))
