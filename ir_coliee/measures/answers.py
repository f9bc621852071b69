"""Accuracy of answers: tasks 4 and 5, tort prediction. Labels are documents, Y and N or True and False."""

from __future__ import annotations

from ir_coliee.measures.base import REL, ColieeMeasure
from ir_coliee.measures.counts import Counts


class _AnswerAccuracy(ColieeMeasure):
    """The share of questions whose first answer is right; an unanswered question counts as wrong.

    It equals P@1 with the two labels as documents. Source: COLIEE evaluation page 2025, "the number of
    queries which were correctly confirmed" over "the number of all queries".

    >>> import ir_measures
    >>> qrels = {"R99-01-A": {"Y": 1}, "R99-01-I": {"N": 1}}
    >>> ir_measures.calc_aggregate([AnswerAccuracy], qrels, {"R99-01-A": {"Y": 0.8, "N": 0.2}})[AnswerAccuracy]
    0.5
    """

    __name__ = NAME = "AnswerAccuracy"
    PRETTY_NAME = "Answer Accuracy"
    SHORT_DESC = "Share of questions that are answered right."
    SUPPORTED_PARAMS = {"rel": REL}
    FIRST = 1

    def value(self, counts: Counts) -> float:
        return float(counts.tp)


AnswerAccuracy = _AnswerAccuracy()
