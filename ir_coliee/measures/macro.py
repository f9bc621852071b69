"""Macro-averaged precision, recall and F: a value for each query, then the mean over all queries.

The official measure of task 3 until 2025 is `MacroF2`, the mean of the F2 of the queries. It differs from the F2 of the
mean precision and the mean recall. The mean is over all queries of the qrels, and an unanswered query has the value 0.
Source: COLIEE evaluation page 2025, section on statute law.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir_measures.measures.base import ParamInfo

from ir_coliee.measures.base import BETA, CUTOFF, REL, ColieeMeasure
from ir_coliee.measures.counts import Counts
from ir_coliee.measures.pooled_values import MeanValue

if TYPE_CHECKING:
    from ir_coliee.measures.base import Floats, Integers

SKIP = "skip"
EMPTY = ParamInfo(
    dtype=(int, str),
    choices=(0, 1, SKIP),
    default=0,
    desc="0 or 1, the value of a query without relevant and returned items, or 'skip', which excludes queries without "
    "relevant items from the mean",
)


class _Macro(ColieeMeasure):
    SOURCE = "COLIEE evaluation pages 2024 and 2025, task 3; the COLIEE 2023 overview, Table 3."


class _MacroP(_Macro):
    """Mean over queries of tp / returned; 0 for an unanswered query."""

    __name__ = NAME = "MacroP"
    PRETTY_NAME = "Macro-averaged Precision"
    SHORT_DESC = "Mean over queries of the share of returned items that are relevant."
    FORMULA = "1/|Q| Σ tp / returned"
    UNDEFINED = "An unanswered query has the value 0. Without queries the value is 0."

    def value(self, counts: Counts) -> float:
        return counts.precision()


class _MacroR(_Macro):
    """Mean over queries of tp / relevant; 0 for a query without a relevant item."""

    __name__ = NAME = "MacroR"
    PRETTY_NAME = "Macro-averaged Recall"
    SHORT_DESC = "Mean over queries of the share of relevant items that are returned."
    FORMULA = "1/|Q| Σ tp / relevant"
    UNDEFINED = "A query without relevant items has the value 0. Without queries the value is 0."

    def value(self, counts: Counts) -> float:
        return counts.recall()


class _MacroF2(_Macro):
    """Mean over queries of 5 tp / (4 relevant + returned); the official measure of task 3 until 2025.

    >>> import ir_measures
    >>> qrels = {"R99-01-A": {"12": 1}, "R99-01-I": {"15": 1, "16": 1}}
    >>> run = {"R99-01-A": {"12": 1.0}, "R99-01-I": {"15": 1.0}}
    >>> round(ir_measures.calc_aggregate([MacroF2], qrels, run)[MacroF2], 4)  # mean of 1 and 5/9
    0.7778
    """

    __name__ = NAME = "MacroF2"
    PRETTY_NAME = "Macro-averaged F2"
    SHORT_DESC = "Mean over queries of F2, which weights recall twice as much as precision."
    FORMULA = "1/|Q| Σ 5 tp / (4 relevant + returned)"
    UNDEFINED = "A query without relevant and returned items has the value 0. Without queries the value is 0."

    def value(self, counts: Counts) -> float:
        return counts.f(2.0)


class _MacroF(_Macro):
    """Mean over queries of (1 + beta²) tp / (beta² relevant + returned).

    With beta = 1 it is the measure of the pilot's rationale extraction. For a query without relevant and returned items
    the ratio is 0/0; its value is ``empty``, 0 or 1. With ``empty="skip"``, all queries without relevant items are
    excluded from the mean, even if items are returned for them. The organisers do not say which convention they use.

    >>> import ir_measures
    >>> qrels = {"900001": {"900001_p0": 0}, "900003": {"900003_p0": 1}}  # the one claim of 900001 is not accepted
    >>> run = {"900003": {"900003_p0": 1.0}}
    >>> [ir_measures.calc_aggregate([m], qrels, run)[m] for m in (MacroF(empty=e) for e in (0, 1, "skip"))]
    [0.5, 1.0, 1.0]
    """

    __name__ = NAME = "MacroF"
    PRETTY_NAME = "Macro-averaged F"
    SHORT_DESC = "Mean over queries of the weighted harmonic mean of precision and recall."
    FORMULA = "1/|Q| Σ (1 + beta²) tp / (beta² relevant + returned)"
    UNDEFINED = (
        "A query without relevant and returned items has the value of the parameter empty, 0 or 1. With empty='skip', "
        "Q contains only queries with relevant > 0, and all other queries have the value 0. Without queries the value "
        "is 0."
    )
    SOURCE = (
        "COLIEE evaluation page 2025, pilot, rationale extraction (beta = 1). The page has no rule for instances "
        "without an accepted claim."
    )
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF, "beta": BETA, "empty": EMPTY}

    @property
    def _skips(self) -> bool:
        return bool(self["empty"] == SKIP)

    def value(self, counts: Counts) -> float:
        if self._skips:
            return MeanValue(counts.f(self["beta"]), int(counts.relevant > 0), str(self))
        is_empty = counts.relevant == counts.returned == 0
        return float(self["empty"]) if is_empty else counts.f(self["beta"])

    def terms(self, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
        """Return the value and 1 for each query, and 0 and 0 for an excluded query."""
        values, ones = super().terms(tp, returned, relevant)
        return values, ones * (relevant > 0) if self._skips else ones


MacroP = _MacroP()
MacroR = _MacroR()
MacroF2 = _MacroF2()
MacroF = _MacroF()
