"""A run and its gold labels, from which the figures are computed."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import ir_measures
import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.evaluation.run_counts import RunCounts, count_runs
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import Counts
from ir_coliee.measures.gated_accuracy import gate_results

if TYPE_CHECKING:
    from ir_measures.measures.base import Measure


@dataclass(frozen=True, eq=False)
class ScoredRun:
    """A run and the gold labels that it is scored against.

    Attributes
    ----------
    answers : pandas.DataFrame
        The answer set: qid, docno and score.
    gold : pandas.DataFrame
        The gold labels: query_id, doc_id and relevance, with at least one row per scored query.
    measure : ColieeMeasure
        The measure that determines how many items of a query are counted.
    ranking : pandas.DataFrame or None
        The ranking before the cut-off: qid, docno and score.
    is_correct : mapping of str to bool, or None
        Whether the answer Y or N to each question is correct (task 3 of 2026).
    has_scores : bool
        Whether the answer set has scores; if not, those in the frame only reproduce the order.
    """

    answers: pd.DataFrame
    gold: pd.DataFrame
    measure: ColieeMeasure
    ranking: pd.DataFrame | None = None
    is_correct: Mapping[str, bool] | None = None
    has_scores: bool = True

    @functools.cached_property
    def counts(self) -> RunCounts:
        """The counts of the answer set: one row, with one column per query."""
        return count_runs({"": self.answers}, self.gold, self.measure)

    def value(self, measure: ColieeMeasure) -> float:
        """Return the value of a set measure on the answer set."""
        return float(measure.aggregate(self.counts.tp[0], self.counts.returned[0], self.counts.relevant[0]))

    def ranked_value(self, measure: Measure) -> float:
        """Return the value of a measure on the ranking, which must not be None."""
        assert self.ranking is not None
        run = self.ranking.rename(columns={"qid": "query_id", "docno": "doc_id"})
        return float(ir_measures.calc_aggregate([measure], self.gold, run)[measure])

    def for_party(self, party: str) -> ScoredRun:
        """Return the same run and gold with the claims of one party only, ``p`` or ``d``; all instances remain."""
        gold = self.gold[_claims_of(party, self.gold["doc_id"])]
        answers = self.answers[_claims_of(party, self.answers["docno"])]
        instances = pd.DataFrame({"query_id": self.gold["query_id"].unique(), "doc_id": "", "relevance": 0})
        return replace(self, gold=pd.concat([gold, instances]), answers=answers)

    def gated_counts(self) -> RunCounts:
        """Return counts in which ``tp`` is 1 for each question with a correct answer and all its articles returned."""
        passed = self._passed()
        ones = np.ones((1, len(passed)), dtype=np.int64)
        tp = passed[np.newaxis].astype(np.int64)
        return replace(self.counts, tp=tp, returned=ones, relevant=ones, cutoff=AnswerAccuracy.num_evaluated)

    def gated_accuracy(self) -> float:
        """Return the share of questions with a correct answer and all their articles returned."""
        return _mean(self._passed())

    def answer_accuracy(self) -> float:
        """Return the share of questions with a correct answer."""
        return _mean(self.correct_answers())

    def share_with_full_recall(self) -> float:
        """Return the share of questions with all their articles returned."""
        return _mean(self.counts.tp[0] == self.counts.relevant[0])

    def mean_returned(self) -> float:
        """Return the mean number of items returned per query."""
        return _mean(self.counts.returned[0])

    def correct_answers(self) -> npt.NDArray[np.bool_]:
        """Return for each query of the counts whether its answer is correct; `is_correct` must not be None."""
        assert self.is_correct is not None
        return np.array([self.is_correct[query_id] for query_id in self.counts.query_ids], dtype=np.bool_)

    def _passed(self) -> npt.NDArray[np.bool_]:
        assert self.is_correct is not None
        counts = zip(self.counts.tp[0].tolist(), self.counts.returned[0].tolist(), self.counts.relevant[0].tolist())
        by_query = dict(zip(self.counts.query_ids, itertools.starmap(Counts, counts)))
        passed = gate_results(by_query, self.is_correct)
        return np.array([passed[query_id] for query_id in self.counts.query_ids], dtype=np.bool_)


def _claims_of(party: str, doc_ids: pd.Series[str]) -> pd.Series[bool]:
    """Return for each claim id, such as ``900101_p0``, whether it belongs to a party."""
    return doc_ids.astype(str).str.contains(f"_{party}[^_]*$")


def _mean(values: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> float:
    return float(values.mean()) if len(values) else 0.0
