"""Accuracy of answers, for tasks 4 and 5 and tort prediction. Labels are document ids, or values of a column."""

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

    The labels are document ids: Y and N, or True and False. The measure equals P@1.

    Examples
    --------
    >>> import ir_measures
    >>> qrels = {"R99-01-A": {"Y": 1}, "R99-01-I": {"N": 1}}
    >>> ir_measures.calc_aggregate([AnswerAccuracy], qrels, {"R99-01-A": {"Y": 0.8, "N": 0.2}})[AnswerAccuracy]
    0.5
    """

    __name__ = NAME = "AnswerAccuracy"
    PRETTY_NAME = "Answer Accuracy"
    SHORT_DESC = "Share of questions with a correct answer. The labels are document ids: Y and N, or True and False."
    FORMULA = "1/|Q| Σ [the first item is relevant]"
    UNDEFINED = "An unanswered question counts as wrong. Without questions the value is 0."
    SOURCE = (
        "COLIEE evaluation page 2025: “the number of queries which were correctly confirmed” over “the number of all "
        "queries”."
    )
    SUPPORTED_PARAMS = {"rel": REL}
    DEFAULT_CUTOFF = 1

    def value(self, counts: Counts) -> float:
        return float(counts.tp)


class _QAnswerAccuracy(DeclaredMeasure):
    """Share of questions for which ``qanswer`` in the run equals ``gold_answer`` in the qrels.

    Answers are compared as strings, ignoring surrounding white space. A question may have several rows, one for each
    article, if they do not contain different answers. A missing or empty answer counts as wrong. An answer that is not
    a label also counts as wrong, with a `ColieeWarning`. `MalformedRunError` is raised for a question with two
    different answers or without a gold answer, and for a missing column.

    >>> import ir_measures, pandas as pd
    >>> qrels = pd.DataFrame({"query_id": ["R99-01-A", "R99-01-I"], "gold_answer": ["Y", "N"]})
    >>> run = pd.DataFrame({"query_id": ["R99-01-A", "R99-01-I"], "qanswer": ["Y", "Y"]})
    >>> ir_measures.calc_aggregate([QAnswerAccuracy], qrels, run)[QAnswerAccuracy]
    0.5
    """

    __name__ = NAME = "QAnswerAccuracy"
    PRETTY_NAME = "Answer Accuracy on Columns"
    SHORT_DESC = "Share of questions with a correct answer. The labels are in the columns qanswer and gold_answer."
    FORMULA = "1/|Q| Σ [qanswer = gold_answer]"
    UNDEFINED = (
        "A missing answer counts as wrong, and so does an answer that is not a label, with a warning. Without "
        "questions the value is 0."
    )
    SOURCE = "As for AnswerAccuracy; the columns are those of PyTerrier-RAG."
    RUN_INPUTS = ("query_id", "qanswer")
    QREL_INPUTS = ("query_id", "gold_answer")

    def runtime_impl(self, qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[Metric]:
        """Yield a metric for every question of the qrels."""
        from ir_coliee.frames import warn_if_nothing_matches

        warn_if_nothing_matches(run, qrels, ("query_id",), stacklevel=2)
        for query_id, is_correct in correct_answers(qrels, run).items():
            yield Metric(query_id=query_id, measure=self, value=float(is_correct))


def correct_answers(qrels: pd.DataFrame, run: pd.DataFrame) -> dict[str, bool]:
    """Return for each question of the qrels whether its answer is correct, by the rules of `QAnswerAccuracy`.

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
    gold = _answers(qrels, "gold_answer", "The qrels")
    if unlabelled := [str(query_id) for query_id in qrels["query_id"].unique() if query_id not in gold]:
        raise MalformedRunError(
            f"The qrels have no gold_answer for {printable_list(unlabelled)}. Remove these questions."
        )
    answers = _answers(run, "qanswer", "The run")
    labels = _labels(set(gold.values()))
    if invalid := [str(query_id) for query_id in gold if query_id in answers and answers[query_id] not in labels]:
        expected = printable_list(sorted(labels))
        message = f"invalid answers, counted as wrong (expected one of {expected}): {printable_list(invalid)}"
        warnings.warn(message, ColieeWarning, stacklevel=3)
    return {query_id: answers.get(query_id) == label for query_id, label in gold.items()}


def _answers(frame: pd.DataFrame, column: str, name: str) -> dict[str, str]:
    """Return the answer of each query that has one."""
    if frame.empty:  # an empty run of pt.Experiment lacks this column
        return {}
    if column not in frame.columns:
        raise MalformedRunError(f"{name}: no column {column!r}. Add it, with the answer to the question of each row.")
    answered = frame.loc[frame[column].notna()]
    answers: dict[str, str] = {}
    for query_id, answer in zip(answered["query_id"], answered[column]):
        label = str(answer).strip()
        if label and answers.setdefault(query_id, label) != label:
            question = printable(str(query_id))
            raise MalformedRunError(f"{name}: two different values of {column} for {question}. Give one per question.")
    return answers


def _labels(gold: Collection[str]) -> Collection[str]:
    """Return the possible answers: both labels, even if the gold of a few questions has only one of them."""
    return next((labels for labels in _LABELS if labels.issuperset(gold)), gold)


AnswerAccuracy = _AnswerAccuracy()
QAnswerAccuracy = _QAnswerAccuracy()
