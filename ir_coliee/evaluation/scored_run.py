"""A run beside the gold: what every figure of it is computed from."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import ir_measures
import numpy as np
import numpy.typing as npt

from ir_coliee.evaluation.run_counts import RunCounts, count_runs
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import Counts
from ir_coliee.measures.gated_accuracy import gate_results

if TYPE_CHECKING:
    import pandas as pd
    from ir_measures.measures.base import Measure


@dataclass(frozen=True, eq=False)
class ScoredRun:
    """A run, its gold, and what was given beside it.

    ``answers`` and ``ranking`` have the columns qid, docno and score, ``gold`` query_id, doc_id and relevance with a
    row at least for each query that is scored. ``measure`` is the official one; it says how many items of a query
    count. ``right`` says of each question whether Y or N was answered right (task 3 of 2026).
    """

    answers: pd.DataFrame
    gold: pd.DataFrame
    measure: ColieeMeasure
    ranking: pd.DataFrame | None = None
    right: Mapping[str, bool] | None = None

    @functools.cached_property
    def counts(self) -> RunCounts:
        """The counts of the answer set, a row with a column for each query."""
        return count_runs({"": self.answers}, self.gold, self.measure)

    def value(self, measure: ColieeMeasure) -> float:
        """The value of a measure of sets."""
        return float(measure.aggregate(self.counts.tp[0], self.counts.returned[0], self.counts.relevant[0]))

    def ranked_value(self, measure: Measure) -> float:
        """The value of a measure on the ranking, which must have been given."""
        assert self.ranking is not None
        run = self.ranking.rename(columns={"qid": "query_id", "docno": "doc_id"})
        return float(ir_measures.calc_aggregate([measure], self.gold, run)[measure])

    def for_party(self, side: str) -> ScoredRun:
        """The same run and gold with the claims of one party alone, ``p`` or ``d``; all instances stay in."""
        import pandas as pd

        gold, answers = self.gold[_is_of(side, self.gold["doc_id"])], self.answers[_is_of(side, self.answers["docno"])]
        instances = pd.DataFrame({"query_id": self.gold["query_id"].unique(), "doc_id": "", "relevance": 0})
        return replace(self, gold=pd.concat([gold, instances]), answers=answers)

    def gated_counts(self) -> RunCounts:
        """Of each question, 1 as ``tp`` where its answer is right and all its articles are found; 1 is relevant."""
        passed = self._passed()
        ones = np.ones((1, len(passed)), dtype=np.int64)
        tp = passed[np.newaxis].astype(np.int64)
        return replace(self.counts, tp=tp, returned=ones, relevant=ones, cutoff=AnswerAccuracy.first)

    def gated_accuracy(self) -> float:
        """The share of questions whose answer is right and whose articles are all found."""
        return _mean(self._passed())

    def answer_accuracy(self) -> float:
        """The share of questions whose answer is right."""
        return _mean(self.is_right())

    def share_with_full_recall(self) -> float:
        """The share of questions whose articles are all found."""
        return _mean(self.counts.tp[0] == self.counts.relevant[0])

    def mean_returned(self) -> float:
        """Items a query on average."""
        return _mean(self.counts.returned[0])

    def is_right(self) -> npt.NDArray[np.bool_]:
        """Of each question, whether Y or N was answered right, which must be known."""
        assert self.right is not None
        return np.array([self.right[query_id] for query_id in self.counts.query_ids], dtype=np.bool_)

    def _passed(self) -> npt.NDArray[np.bool_]:
        assert self.right is not None
        counts = zip(self.counts.tp[0].tolist(), self.counts.returned[0].tolist(), self.counts.relevant[0].tolist())
        passed = gate_results(dict(zip(self.counts.query_ids, itertools.starmap(Counts, counts))), self.right)
        return np.array([passed[query_id] for query_id in self.counts.query_ids], dtype=np.bool_)


def _is_of(side: str, claims: pd.Series[str]) -> pd.Series[bool]:
    """Whether a claim, as ``900101_p0``, is of a side."""
    return claims.astype(str).str.contains(f"_{side}[^_]*$")


def _mean(values: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> float:
    return float(values.mean()) if len(values) else 0.0
