"""Gated accuracy: a question counts if its answer is correct and all its gold articles are returned.

It is the official measure of task 3 since 2026. It does not penalise superfluous articles, so report `Returned` with
it, and `MacroF2`, which breaks ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ir_measures import Metric

from ir_coliee.measures.answer_accuracy import correct_answers
from ir_coliee.measures.base import CUTOFF, REL, DeclaredMeasure
from ir_coliee.measures.counts import Counts, query_counts
from ir_coliee.measures.pooled_values import MeanValue

if TYPE_CHECKING:
    import pandas as pd


def gate_results(counts: Mapping[str, Counts], is_correct: Mapping[str, bool]) -> dict[str, bool]:
    """Return for each question with gold articles whether its answer is correct and all gold articles are returned.

    Parameters
    ----------
    counts : mapping of str to Counts
        The counts of each question. Questions without gold articles are excluded, because they would always pass.
    is_correct : mapping of str to bool
        Whether the answer to each question is correct. A missing question counts as wrong.

    Returns
    -------
    dict of str to bool

    Examples
    --------
    >>> counts = {"R99-01-A": Counts(2, 5, 2), "R99-01-I": Counts(1, 1, 2), "R99-02-A": Counts(0, 1, 0)}
    >>> gate_results(counts, {"R99-01-A": True, "R99-01-I": True, "R99-02-A": True})
    {'R99-01-A': True, 'R99-01-I': False}
    """
    return {
        query_id: is_correct.get(query_id, False) and of_query.tp == of_query.relevant
        for query_id, of_query in counts.items()
        if of_query.relevant
    }


class _GatedAccuracy(DeclaredMeasure):
    """Share of questions with a correct answer and all gold articles returned.

    Each row of the run is an article of a question and has the answer to the question in ``qanswer``; each row of the
    qrels is a gold article and has the gold answer in ``gold_answer``. Questions without gold articles are excluded
    from the mean. A question for which no article is returned does not pass, even if its answer is correct. Answers
    are compared as by `QAnswerAccuracy`.

    Examples
    --------
    >>> import ir_measures, pandas as pd
    >>> qrels = pd.DataFrame(
    ...     {"query_id": ["R99-01-A", "R99-01-I"], "doc_id": ["12", "15"], "relevance": 1, "gold_answer": ["Y", "N"]}
    ... )
    >>> run = pd.DataFrame(
    ...     {"query_id": ["R99-01-A", "R99-01-I"], "doc_id": ["12", "16"], "score": 1.0, "qanswer": ["Y", "N"]}
    ... )
    >>> ir_measures.calc_aggregate([GatedAccuracy], qrels, run)[GatedAccuracy]
    0.5
    """

    __name__ = NAME = "GatedAccuracy"
    PRETTY_NAME = "Gated Accuracy"
    SHORT_DESC = "Share of questions with a correct answer and all gold articles returned."
    FORMULA = "Σ [qanswer = gold_answer and tp = relevant] / |Q|, where Q is the set of questions with relevant > 0"
    UNDEFINED = (
        "A question without gold articles has the value 0 and is excluded from the mean. A question without an answer "
        "or without a returned article does not pass. Without questions the value is 0."
    )
    SOURCE = "COLIEE 2026, task 3: the share of correct answers with sufficient relevant articles (recall = 1)."
    RUN_INPUTS = ("query_id", "doc_id", "score", "qanswer")
    QREL_INPUTS = ("query_id", "doc_id", "relevance", "gold_answer")
    SUPPORTED_PARAMS = {"rel": REL, "cutoff": CUTOFF}

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Yield a metric for every question of the qrels; an excluded question adds nothing to the mean."""
        counts = dict(query_counts(qrels, run, rel=self["rel"], cutoff=self["cutoff"]))
        passed = gate_results(counts, correct_answers(qrels, run))
        for query_id in counts:
            value = MeanValue(float(passed.get(query_id, False)), int(query_id in passed), str(self))
            yield Metric(query_id=query_id, measure=self, value=value)


GatedAccuracy = _GatedAccuracy()
