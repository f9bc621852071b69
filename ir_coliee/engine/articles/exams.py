"""Exam years, numbers and groups of questions, from their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.frames import Integers
from ir_coliee.text.statutes import exam_id

_ERAS = {"H": 1988, "R": 2018}  # the year before the first of the era


class ExamQuestions(NamedTuple):
    """Questions with what their ids tell of the exam.

    Attributes
    ----------
    years : int64 array
        Calendar year of the exam; 0 for an id that has none.
    numbers : int64 array
        Number of the question in the exam; 0 for an id that has none.
    groups : int64 array
        Questions with the same exam year and number have the same group. A question without a number is a group of
        its own.
    """

    years: Integers
    numbers: Integers
    groups: Integers

    @classmethod
    def of(cls, qids: Sequence[str]) -> ExamQuestions:
        """Questions with these ids.

        Examples
        --------
        >>> ExamQuestions.of(["R98-04-E", "R98-04-I", "R98-05-A", "keys"])
        ExamQuestions(years=array([2116, 2116, 2116,    0]), numbers=array([4, 4, 5, 0]), groups=array([0, 0, 1, 2]))
        """
        found = [exam_id(qid) for qid in qids]
        years = [_ERAS[one.year[0]] + int(one.year[1:]) if one.year else 0 for one in found]
        numbers = [int(one.question_no or 0) for one in found]
        keys = [(one.year, one.question_no) if one.year else qid for qid, one in zip(qids, found)]
        group_of = {key: group for group, key in enumerate(dict.fromkeys(keys))}
        return cls(_integers(years), _integers(numbers), _integers([group_of[key] for key in keys]))

    def folds(self, number: int) -> dict[int, int]:
        """Deal the exam years (0 for ids without one) into folds, in their order.

        Examples
        --------
        >>> ExamQuestions.of(["R99-04-E", "R97-04-I", "R98-05-A"]).folds(2)
        {2115: 0, 2116: 1, 2117: 0}
        """
        return {int(year): place % number for place, year in enumerate(np.unique(self.years))}

    def by_year(self) -> Iterator[tuple[int, Integers]]:
        """Yield each exam year (0 for ids without one) with the rows of its questions."""
        for year in np.unique(self.years):
            yield int(year), np.flatnonzero(self.years == year)


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)
