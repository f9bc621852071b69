"""How the tasks differ where runs are concerned: a record each, so that code need not ask for the task."""

from __future__ import annotations

from typing import Literal, NamedTuple

import ir_measures
from ir_measures.measures.base import Measure

from ir_coliee.measures import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF1, MicroP, MicroR


class Figure(NamedTuple):
    """A figure of a run. ``ranked``: computed on the ranking, not on the answer set."""

    label: str
    measure: Measure
    ranked: bool = False


class TaskForm(NamedTuple):
    """What the answers of a task are, and what they are measured by.

    ``figures``: the official one first. ``one_answer``: of its candidates, a question is
    answered with one. ``unanswered``: what a query without any item is. How a run is written is in
    `ir_coliee.evaluation.forms`.
    """

    figures: tuple[Figure, ...]
    one_answer: bool = False
    unanswered: Literal["error", "warning", "answer"] = "error"


_ANSWERS = (Figure("accuracy", AnswerAccuracy),)
_POOLED = (Figure("F1", MicroF1), Figure("P", MicroP), Figure("R", MicroR))

FORMS: dict[str, TaskForm] = {
    "task1": TaskForm(_POOLED, unanswered="warning"),
    "task2": TaskForm(_POOLED, unanswered="warning"),
    "task3": TaskForm(
        (
            Figure("F2", MacroF2),
            Figure("P", MacroP),
            Figure("R", MacroR),
            Figure("MAP", ir_measures.AP, ranked=True),
            *(Figure(f"R@{k}", MicroR @ k, ranked=True) for k in (5, 10, 30)),
        ),
    ),
    "task4": TaskForm(_ANSWERS, one_answer=True),
    "task5": TaskForm(_ANSWERS, one_answer=True),
    "prediction": TaskForm(_ANSWERS, one_answer=True),
    "rationale": TaskForm(
        (Figure("F1 (empty = 0)", MacroF), Figure("F1 (empty = 1)", MacroF(empty=1))), unanswered="answer"
    ),
}
