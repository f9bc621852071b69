"""Measures that sum the counts over queries: true positives, returned and relevant items.

NumRelRet, NumRet and NumRel of ir_measures ignore unanswered queries; these measures include every query of the qrels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import Counts
from ir_coliee.measures.pooled_values import TotalValue

if TYPE_CHECKING:
    from ir_coliee.measures.base import Integers


class _Total(ColieeMeasure):
    UNDEFINED = "Always defined. Without queries the value is 0."
    SOURCE = "The columns of the COLIEE 2023 overview, Table 3, where `retrieved` is the number of true positives."

    def number(self, counts: Counts) -> int:
        """Return the count of a query."""
        raise NotImplementedError

    def value(self, counts: Counts) -> TotalValue:
        return TotalValue(self.number(counts), str(self))

    def terms(self, tp: Integers, returned: Integers, relevant: Integers) -> NoReturn:
        """Raise `ValueError`, because a total is not a ratio of two sums."""
        raise ValueError(f"{self} is a total, not a ratio. Use for example MicroP, MicroR or MicroF1.")


class _TruePositives(_Total):
    """Number of returned items that are relevant.

    Examples
    --------
    >>> import ir_measures
    >>> qrels = {"900001": {"900007": 1}, "900002": {"900008": 1, "900009": 1}}
    >>> run = {"900001": {"900007": 2.0, "900005": 1.0}}
    >>> counts = ir_measures.calc_aggregate([TruePositives, Returned, Relevant], qrels, run)
    >>> [counts[measure] for measure in (TruePositives, Returned, Relevant)]
    [1.0, 2.0, 3.0]
    """

    __name__ = NAME = "TruePositives"
    PRETTY_NAME = "True Positives"
    SHORT_DESC = "Number of relevant items that are returned, over all queries."
    FORMULA = "Σ tp"

    def number(self, counts: Counts) -> int:
        return counts.tp


class _Returned(_Total):
    """Number of items that the run returns for queries of the qrels."""

    __name__ = NAME = "Returned"
    PRETTY_NAME = "Returned Items"
    SHORT_DESC = "Number of returned items, over all queries of the qrels."
    FORMULA = "Σ returned"

    def number(self, counts: Counts) -> int:
        return counts.returned


class _Relevant(_Total):
    """Number of relevant items of all queries, answered or not. It does not depend on the run."""

    __name__ = NAME = "Relevant"
    PRETTY_NAME = "Relevant Items"
    SHORT_DESC = "Number of relevant items, over all queries, answered or not."
    FORMULA = "Σ relevant"

    def number(self, counts: Counts) -> int:
        return counts.relevant


TruePositives = _TruePositives()
Returned = _Returned()
Relevant = _Relevant()
