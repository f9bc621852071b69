"""Cut-offs: how many items of a ranking become the answer set.

The official measures score sets, so a ranking has to be cut. Every rule has one form: a condition that the
first items of a query meet, the least and the most items to keep. So the transformer cuts by the same answer
as the search for the best rule (`ir_coliee.evaluation.cutoff_search`) counts with, and of thousands of
rules each condition is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least
from ir_coliee.engine.expected_f import expected_f
from ir_coliee.frames import sort_results
from ir_coliee.transformers.base import Declared

Scores = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.int64]

_EQUAL = 1e-12  # expected values nearer than that differ by rounding alone


class Rule(NamedTuple):
    """How many items a query keeps: those that meet the condition, at least ``least``, at most ``most``.

    ``condition`` sees the scores of all queries, a row each, best first, padded with -inf, and how many of a row
    are real; it says how many of the first items meet it. It must be hashable, so that rules can share it, and
    must not depend on columns beyond ``most`` + 1: it may be shown no more. ``most`` None: no limit.
    """

    condition: Callable[[Scores, Sizes], Sizes]
    least: int
    most: int | None


def kept_by(rules: Sequence[Rule], scores: Scores, lengths: Sizes) -> Sizes:
    """How many items each query keeps by each rule: a row for each rule, a column for each query."""
    depth = scores.shape[1]
    most = [depth if rule.most is None else min(rule.most, depth) for rule in rules]
    numbers: dict[Callable[[Scores, Sizes], Sizes], int] = {}
    number_of = [numbers.setdefault(rule.condition, len(numbers)) for rule in rules]
    widest = [0] * len(numbers)
    for number, width in zip(number_of, most):
        widest[number] = max(width, widest[number])
    met = np.empty((len(numbers), len(lengths)), dtype=np.int64)
    for condition, number in numbers.items():
        met[number] = condition(scores[:, : widest[number] + 1], lengths)
    least = np.array([rule.least for rule in rules], dtype=np.int64)
    sizes: Sizes = np.maximum(met[np.array(number_of, dtype=np.int64)], least[:, None])
    np.minimum(sizes, np.array(most, dtype=np.int64)[:, None], out=sizes)
    np.minimum(sizes, lengths, out=sizes)  # in place: the matrix is the largest of a search
    return sizes


class Cutoff(Declared):
    """Base of the cut-offs: R to R, with the first rows of each query kept.

    Rows come back best first with new ranks. Equal scores keep the order of their ranks. A missing
    score (NaN) counts as the lowest of all.
    """

    LABEL = "Cut-off"

    def rule(self) -> Rule:
        """The condition that items meet, the least and the most items to keep."""
        raise NotImplementedError

    def sizes(self, scores: Scores, lengths: Sizes) -> Sizes:
        """How many items each query keeps.

        ``scores`` has a row for each query, best first, padded with -inf; ``lengths`` says how many
        of a row are real.
        """
        kept: Sizes = kept_by([self.rule()], scores, lengths)[0]
        return kept

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Cut each query's results. Needs the columns qid, docno and score."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        ordered = sort_results(inp)
        if ordered.empty:
            return ordered
        scores, lengths = score_matrix(ordered)
        position = ordered["rank"].to_numpy()
        return ordered[position < np.repeat(self.sizes(scores, lengths), lengths)].reset_index(drop=True)


def score_matrix(ordered: pd.DataFrame) -> tuple[Scores, Sizes]:
    """The scores of a frame in order, a row for each query, padded with -inf, and the rows' lengths."""
    queries = pd.factorize(ordered["qid"])[0]
    lengths = np.bincount(queries).astype(np.int64)
    scores = np.full((len(lengths), lengths.max(initial=0)), -np.inf)
    given = ordered["score"].to_numpy(dtype=np.float64)
    scores[queries, ordered["rank"].to_numpy()] = np.where(np.isnan(given), -np.inf, given)
    return scores, lengths


def _first(meeting: npt.NDArray[np.bool_]) -> Sizes:
    """How many items of each row meet a condition; scores fall, so those that do come first."""
    return np.asarray(meeting.sum(axis=1), dtype=np.int64)


@dataclass(frozen=True)
class _Everything:
    """All items that are there."""

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        return lengths


@dataclass(frozen=True)
class _Threshold:
    """Items that score at least ``threshold``."""

    threshold: float

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        return _first(scores >= self.threshold)


@dataclass(frozen=True)
class _ShareOfBest:
    """Items that reach ``threshold`` and ``share`` times the best score, best / share where that is not positive."""

    share: float
    threshold: float = -np.inf

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        best = scores[:, :1]
        least = np.where(best > 0, best * self.share, best / self.share)
        return _first(scores >= np.maximum(least, self.threshold))


@dataclass(frozen=True)
class _Margin:
    """Items that score less than ``margin`` below the best."""

    margin: float

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        with np.errstate(invalid="ignore"):  # inf - inf
            return _first(scores[:, :1] - scores < self.margin)


@dataclass(frozen=True)
class _LargestGap:
    """Items before the largest gap between neighbours, behind the first ``least`` and not behind ``most``."""

    least: int
    most: int

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        upper, lower = scores[:, self.least - 1 : self.most], scores[:, self.least : self.most + 1]
        if not lower.shape[1]:
            return lengths
        upper = upper[:, : lower.shape[1]]
        with np.errstate(invalid="ignore"):  # inf - inf, which is no gap
            gaps = np.where(upper == lower, 0.0, upper - lower)
        behind = np.arange(lower.shape[1]) + self.least
        gaps[behind >= lengths[:, None]] = -1.0  # one of the neighbours is not there
        return np.asarray(gaps.argmax(axis=1) + self.least, dtype=np.int64)


@dataclass(frozen=True)
class _ExpectedF:
    """As many items, up to ``most``, as give the query the highest expected F; of equal sizes the smallest."""

    beta: float
    most: int

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        expected = expected_f(scores.clip(0.0, 1.0), self.most, self.beta)
        best = expected.max(axis=1, keepdims=True)
        return np.asarray((expected >= best - _EQUAL).argmax(axis=1), dtype=np.int64)


@dataclass(frozen=True)
class _ExpectedMicroF:
    """Items, of the first ``most``, above the one threshold with the highest ratio of expected counts."""

    beta: float
    most: int

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        probabilities = scores.clip(0.0, 1.0)
        candidates = probabilities[:, : self.most]
        falling = -np.sort(-candidates.ravel())
        falling = falling[falling > 0]
        if not len(falling):
            return np.zeros(len(scores), dtype=np.int64)
        kept = np.arange(1, len(falling) + 1)
        f = falling.cumsum() / (kept + self.beta**2 * probabilities.sum())
        return _first(candidates >= falling[f.argmax()])


@dataclass(frozen=True)
class _SizeByDispersion:
    """``intercept`` + ``slope`` x the dispersion of the first ``depth`` scores, rounded, up to ``most``."""

    intercept: float
    slope: float
    depth: int
    most: int

    def __call__(self, scores: Scores, lengths: Sizes) -> Sizes:
        sizes = np.rint(self.intercept + self.slope * dispersion(scores, self.depth))
        return np.asarray(sizes.clip(0, self.most), dtype=np.int64)


def dispersion(scores: Scores, depth: int) -> npt.NDArray[np.float64]:
    """The standard deviation of each query's first ``depth`` scores, over the amount of their mean.

    ``scores`` as of `Cutoff.sizes`. What is no finite number does not count; 0 where nothing is left, or the mean is 0.

    >>> dispersion(np.array([[4.0, 0.0, -np.inf], [2.0, 2.0, 2.0]]), 10).tolist()
    [1.0, 0.0]
    """
    shallow = scores[:, :depth]
    there = np.isfinite(shallow)
    number = there.sum(axis=1, keepdims=True).clip(1)
    values = np.where(there, shallow, 0.0)
    values = values / np.abs(values).max(axis=1, keepdims=True, initial=np.finfo(np.float64).tiny)  # no overflow
    mean = values.sum(axis=1, keepdims=True) / number
    deviation = np.sqrt((np.where(there, values - mean, 0.0) ** 2).sum(axis=1, keepdims=True) / number)
    ratio: npt.NDArray[np.float64] = np.divide(
        deviation, np.abs(mean), out=np.zeros_like(mean), where=np.abs(mean) > _EQUAL
    )
    return ratio[:, 0]


class TopK(Cutoff):
    """Keep the first ``k`` items of each query.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [3.0, 2.0, 1.0]})
    >>> TopK(2)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, k: int) -> None:
        """``k``: how many items to keep, from 1."""
        self.k = integer_at_least("k", k, 1)

    def rule(self) -> Rule:
        """Cutoff.rule"""
        return Rule(_Everything(), 0, self.k)

    def fuse_rank_cutoff(self, k: int) -> TopK | None:
        """Let PyTerrier merge ``% k`` into this cut-off."""
        return TopK(k) if k < self.k else self


class RatioCutoff(Cutoff):
    """Keep the items that score at least ``ratio`` times the best and at least ``threshold``, at most ``h``.

    Where the best score is not positive, at least best / ratio. The rule is NeuralMind's (COLIEE 2021), with ``l`` 0.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [4.0, 3.0, 1.0]})
    >>> RatioCutoff(0.5, 10)(run).docno.tolist()
    ['a', 'b']
    >>> RatioCutoff(0.5, 10, threshold=3.5)(run).docno.tolist()
    ['a']
    """

    def __init__(self, ratio: float, h: int, threshold: float | None = None, l: int = 0) -> None:  # noqa: E741
        """``ratio``: in (0, 1]. ``threshold``: in units of the score; None for none. ``l``: the least items to keep,
        from 0. ``h``: the most, at least ``l`` and from 1."""
        self.ratio = _share("ratio", ratio)
        self.l = integer_at_least("l", l, 0)
        self.h = integer_at_least("h", h, max(1, l))
        self.threshold = None if threshold is None else _number("threshold", threshold)

    def rule(self) -> Rule:
        """Cutoff.rule"""
        condition = _ShareOfBest(self.ratio) if self.threshold is None else _ShareOfBest(self.ratio, self.threshold)
        return Rule(condition, self.l, self.h)


class DynamicCutoff(Cutoff):
    """Keep the first ``l`` always, then up to ``h`` while the score is at least ``p`` times the best.

    Where the best score is not positive, at least best / p. The rule and its published parameters
    p .34, l 3, h 7 are THUIR's, winner of task 1 in 2023.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 4, "docno": list("abcd"), "score": [10.0, 3.0, 2.0, 1.0]})
    >>> DynamicCutoff(p=0.25, l=1, h=3)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, p: float = 0.34, l: int = 3, h: int = 7) -> None:  # noqa: E741 the paper's letter
        """``p``: in (0, 1]. ``l``: the least items to keep, from 0. ``h``: the most, at least ``l``."""
        self.p = _share("p", p)
        self.l = integer_at_least("l", l, 0)
        self.h = integer_at_least("h", h, max(1, l))

    def rule(self) -> Rule:
        """Cutoff.rule"""
        return Rule(_ShareOfBest(self.p), self.l, self.h)


class MarginCutoff(Cutoff):
    """Keep the first ``l``, and of the first ``k`` those that score less than ``margin`` below the best.

    The rule is CAPTAIN's, winner of task 2 in 2023, with ``l`` 1.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [4.0, 3.5, 1.0]})
    >>> MarginCutoff(margin=1.0, k=3)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, margin: float, k: int, l: int = 1) -> None:  # noqa: E741
        """``margin``: from 0, in units of the score. ``l``: the least items to keep, from 1. ``k``: the most, at
        least ``l``."""
        if not margin >= 0:
            raise ValueError(f"margin={margin!r} is not a number from 0")
        self.margin = margin
        self.l = integer_at_least("l", l, 1)
        self.k = integer_at_least("k", k, self.l)

    def rule(self) -> Rule:
        """Cutoff.rule"""
        return Rule(_Margin(self.margin), self.l, self.k)


class ThresholdCutoff(Cutoff):
    """Keep the items that score at least ``threshold``, at least ``l``, at most ``h``; by default possibly none or all.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 2, "docno": list("ab"), "score": [0.8, 0.3]})
    >>> ThresholdCutoff(0.5)(run).docno.tolist()
    ['a']
    >>> ThresholdCutoff(0.9)(run).docno.tolist(), ThresholdCutoff(0.9, l=1)(run).docno.tolist()
    ([], ['a'])
    """

    def __init__(self, threshold: float, l: int = 0, h: int | None = None) -> None:  # noqa: E741
        """``threshold``: in units of the score. ``l``: the least items to keep, from 0. ``h``: the most, at least
        ``l`` and from 1; None for no limit."""
        self.threshold = _number("threshold", threshold)
        self.l = integer_at_least("l", l, 0)
        self.h = None if h is None else integer_at_least("h", h, max(1, l))

    def rule(self) -> Rule:
        """Cutoff.rule"""
        return Rule(_Threshold(self.threshold), self.l, self.h)


class GapCutoff(Cutoff):
    """Cut at the largest gap between the scores of neighbours: keep at least ``l`` and at most ``h``.

    Of equal gaps the first. A gap is between two items that are there, so that ``l`` items or fewer are kept whole.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 4, "docno": list("abcd"), "score": [9.0, 8.0, 3.0, 2.0]})
    >>> GapCutoff(l=1, h=3)(run).docno.tolist()
    ['a', 'b']
    """

    def __init__(self, l: int, h: int) -> None:  # noqa: E741
        """``l``: the least items to keep, from 1. ``h``: the most, at least ``l``."""
        self.l = integer_at_least("l", l, 1)
        self.h = integer_at_least("h", h, self.l)

    def rule(self) -> Rule:
        """Cutoff.rule"""
        return Rule(_LargestGap(self.l, self.h), self.l, self.h)


class ExpectedFCutoff(Cutoff):
    """Keep so many items, at least ``l`` and at most ``h``, that the expected F is highest; scores are probabilities.

    A score is the probability that the item is relevant, independently of the others: calibrated, as those of a
    classifier should be. Below 0 it counts as 0, as a missing one does, above 1 as 1. The items that are returned are
    all that can be relevant.

    ``average`` is that of the measure, because the two have different optima. ``macro``, for the mean of the queries'
    F: each query is cut where its own expected F is highest, see `ir_coliee.engine.expected_f.expected_f`. ``micro``,
    for the F of the pooled counts: an item is worth keeping in any query where its probability exceeds F / (1 + beta²),
    for F1 half of the best F (Z. C. Lipton, C. Elkan and B. Narayanaswamy, Optimal thresholding of classifiers to
    maximize F1 measure, ECML PKDD 2014). So one threshold serves all queries of the frame: that with the highest ratio
    of expected counts, which the expected ratio approaches as queries grow many. Other queries may have another one.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [0.9, 0.5, 0.1]})
    >>> ExpectedFCutoff(beta=0.5)(run).docno.tolist(), ExpectedFCutoff(beta=2.0)(run).docno.tolist()
    (['a'], ['a', 'b'])
    """

    def __init__(
        self,
        beta: float = 1.0,
        average: Literal["macro", "micro"] = "macro",
        l: int = 0,  # noqa: E741
        h: int = 20,
    ) -> None:
        """``beta``: above 0, the weight of recall. ``average``: ``macro`` or ``micro``. ``l``: the least items to keep,
        from 0. ``h``: the most, at least ``l`` and from 1 (20 is ours)."""
        if not 0 < beta < np.inf:
            raise ValueError(f"beta={beta!r} is not a number above 0")
        if average not in ("macro", "micro"):
            raise ValueError(f"average={average!r} is neither 'macro' nor 'micro'")
        self.beta = float(beta)
        self.average = average
        self.l = integer_at_least("l", l, 0)
        self.h = integer_at_least("h", h, max(1, l))

    def rule(self) -> Rule:
        """Cutoff.rule"""
        condition = _ExpectedF if self.average == "macro" else _ExpectedMicroF
        return Rule(condition(self.beta, self.h), self.l, None)  # it looks at all items, whatever it keeps


class AdaptiveCutoff(Cutoff):
    """Keep ``intercept`` + ``slope`` x dispersion items, rounded, at least ``l`` and at most ``h``.

    The dispersion is the standard deviation of the query's first ``depth`` scores over the amount of their mean: high
    where few items stand out, 0 where all scores are equal. It tells how hard a query is (J. Pérez-Iglesias and
    L. Araujo, Standard deviation as a query hardness estimator, SPIRE 2010), and on such predictors J. S. Culpepper,
    C. L. A. Clarke and J. Lin regress a depth for each query (Dynamic cutoff prediction in multi-stage retrieval
    systems, ADCS 2016). One predictor and a straight line are ours: ``regressed_size`` of
    `ir_coliee.evaluation.cutoff_search` fits the line to the sizes of the gold, ``search_cutoffs`` to a measure.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": list("112222"), "docno": list("ababcd"), "score": [4.0, 0.0, 1.0, 1.0, 1.0, 1.0]})
    >>> AdaptiveCutoff(intercept=3.0, slope=-2.0)(run).qid.tolist()
    ['1', '2', '2', '2']
    """

    def __init__(
        self,
        intercept: float,
        slope: float,
        depth: int = 50,
        l: int = 1,  # noqa: E741
        h: int = 20,
    ) -> None:
        """``intercept``, ``slope``: in items. ``depth``: how many scores are looked at, from 1. ``l``: the least items
        to keep, from 0. ``h``: the most, at least ``l`` and from 1. (50, 1 and 20 are ours.)"""
        self.intercept = _finite("intercept", intercept)
        self.slope = _finite("slope", slope)
        self.depth = integer_at_least("depth", depth, 1)
        self.l = integer_at_least("l", l, 0)
        self.h = integer_at_least("h", h, max(1, l))

    def rule(self) -> Rule:
        """Cutoff.rule"""
        condition = _SizeByDispersion(self.intercept, self.slope, self.depth, self.h)
        return Rule(condition, self.l, None)  # it looks at `depth` scores, whatever it keeps


def _share(name: str, value: float) -> float:
    if not 0 < value <= 1:
        raise ValueError(f"{name}={value!r} is not above 0 and at most 1")
    return float(value)


def _number(name: str, value: float) -> float:
    if np.isnan(value):
        raise ValueError(f"{name}={value!r} is not a number")
    return value


def _finite(name: str, value: float) -> float:
    if not np.isfinite(value):
        raise ValueError(f"{name}={value!r} is not a finite number")
    return float(value)
