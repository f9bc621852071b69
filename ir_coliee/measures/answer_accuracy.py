"""Accuracy of answers, for tasks 4 and 5 and tort prediction, with labels as documents or in columns."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ir_measures import Metric

from ir_coliee.errors import ColieeWarning, MalformedRunError, printable, printable_list
from ir_coliee.measures.base import REL, ColieeMeasure, DeclaredMeasure
from ir_coliee.measures.counts import Counts

if TYPE_CHECKING:
    import pandas as pd

_LABELS = (frozenset({"Y", "N"}), frozenset({"True", "False"}))


class _AnswerAccuracy(ColieeMeasure):
    """Share of questions whose first answer is correct; an unanswered question counts as wrong.

    The two labels are documents: Y and N, or True and False. The measure equals P@1.

    Examples
    --------
    >>> import ir_measures
    >>> qrels = {"R99-01-A": {"Y": 1}, "R99-01-I": {"N": 1}}
    >>> ir_measures.calc_aggregate([AnswerAccuracy], qrels, {"R99-01-A": {"Y": 0.8, "N": 0.2}})[AnswerAccuracy]
    0.5
    """

    __name__ = NAME = "AnswerAccuracy"
    PRETTY_NAME = "Answer Accuracy"
    SHORT_DESC = "Share of questions with a correct answer; the labels are documents, Y and N or True and False."
    FORMULA = "1/|Q| Σ [the first item is relevant]"
    UNDEFINED = "An unanswered question counts as wrong; 0 without questions."
    SOURCE = (
        "COLIEE evaluation page 2025: “the number of queries which were correctly confirmed” over “the number of all "
        "queries”."
    )
    SUPPORTED_PARAMS = {"rel": REL}
    FIRST = 1

    def value(self, counts: Counts) -> float:
        return float(counts.tp)


class _QAnswerAccuracy(DeclaredMeasure):
    """Share of questions whose answer in the run's column ``qanswer`` is the ``gold_answer`` of the qrels.

    Answers are compared as strings without the white space around them. A question may have several rows, as
    many as articles, if all of them have the same answer or none. A missing or empty answer counts as wrong, and so
    does one that is no label of the gold (`ColieeWarning`). Raises `MalformedRunError` for two different answers
    to a question, for a question without gold, and where a column is missing.

    >>> import ir_measures, pandas as pd
    >>> qrels = pd.DataFrame({"query_id": ["R99-01-A", "R99-01-I"], "gold_answer": ["Y", "N"]})
    >>> run = pd.DataFrame({"query_id": ["R99-01-A", "R99-01-I"], "qanswer": ["Y", "Y"]})
    >>> ir_measures.calc_aggregate([QAnswerAccuracy], qrels, run)[QAnswerAccuracy]
    0.5
    """

    __name__ = NAME = "QAnswerAccuracy"
    PRETTY_NAME = "Answer Accuracy on Columns"
    SHORT_DESC = "Share of questions with a correct answer; the labels are in the columns qanswer and gold_answer."
    FORMULA = "1/|Q| Σ [qanswer = gold_answer]"
    UNDEFINED = (
        "An answer that is missing, or none of the labels, counts as wrong, the latter with a warning; 0 without any "
        "question."
    )
    SOURCE = "As AnswerAccuracy; the columns are those of PyTerrier-RAG."
    RUN_INPUTS = ("query_id", "qanswer")
    QREL_INPUTS = ("query_id", "gold_answer")

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Yield a metric for every question of the qrels."""
        from ir_coliee.frames import warn_if_nothing_matches

        warn_if_nothing_matches(run, qrels, ("query_id",), stacklevel=2)
        for query_id, right in right_answers(qrels, run).items():
            yield Metric(query_id=query_id, measure=self, value=float(right))


def right_answers(qrels: pd.DataFrame, run: pd.DataFrame) -> dict[str, bool]:
    """Return whether each question of the qrels is answered correctly, by the rules of `QAnswerAccuracy`.

    Parameters
    ----------
    qrels : pandas.DataFrame
        The columns query_id and gold_answer.
    run : pandas.DataFrame
        The columns query_id and qanswer.

    Returns
    -------
    dict of str to bool

    Raises
    ------
    MalformedRunError
        If a question has two different answers or no gold answer, or if a column is missing.
    """
    gold = _answers(qrels, "gold_answer", "the qrels")
    if without := [str(query_id) for query_id in qrels["query_id"].unique() if query_id not in gold]:
        raise MalformedRunError(f"the qrels: no gold_answer for {printable_list(without)}. Drop these questions.")
    given = _answers(run, "qanswer", "the run")
    labels = _labels(set(gold.values()))
    if strange := [str(query_id) for query_id in gold if query_id in given and given[query_id] not in labels]:
        message = f"answers that are none of {printable_list(sorted(labels))} count as wrong: {printable_list(strange)}"
        warnings.warn(message, ColieeWarning, stacklevel=3)
    return {query_id: given.get(query_id) == label for query_id, label in gold.items()}


def _answers(frame: pd.DataFrame, column: str, what: str) -> dict[str, str]:
    """Return the answer of each query that has one."""
    if frame.empty:  # an empty run has no columns of its own in pt.Experiment
        return {}
    if column not in frame.columns:
        raise MalformedRunError(f"{what}: no column {column!r}. Give each row of a question the question's answer.")
    answered = frame.loc[frame[column].notna()]
    answers: dict[str, str] = {}
    for query_id, answer in zip(answered["query_id"], answered[column]):
        label = str(answer).strip()
        if label and answers.setdefault(query_id, label) != label:
            raise MalformedRunError(f"{what}: two different {column}s for {printable(str(query_id))}; one is wanted.")
    return answers


def _labels(gold: Collection[str]) -> Collection[str]:
    """Return the possible answers: both labels, even if the gold of a few questions has only one of them."""
    return next((labels for labels in _LABELS if labels.issuperset(gold)), gold)


AnswerAccuracy = _AnswerAccuracy()
QAnswerAccuracy = _QAnswerAccuracy()
