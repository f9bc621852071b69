"""How the tasks differ where runs are judged: a record each, so that code need not ask for the task."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

import ir_measures

from ir_coliee.measures import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF1, MicroP, MicroR

if TYPE_CHECKING:
    from ir_measures.measures.base import Measure

    from ir_coliee.editions import Split
    from ir_coliee.evaluation.scored_run import ScoredRun
    from ir_coliee.measures.base import ColieeMeasure


class Figure(NamedTuple):
    """A column of the official table: how it is computed, and of what besides the answer set.

    ``needs``: the ranking before the cut, or the answers Y and N; where they are not given, the figure is left out.
    """

    label: str
    of: Callable[[ScoredRun], float]
    needs: Literal["", "ranking", "answers"] = ""


class TaskEvaluation(NamedTuple):
    """What the answers of a task are, and what they are measured by.

    ``measure``: of the counts of each query, by which cut-offs are chosen and runs compared: the official one, and of
    task 3 of 2026 the one that settles ties. ``figures``: the official table, by what runs are ranked first.
    ``single_answer``: of its candidates, a question is answered with one. ``unanswered``: what a query without any item
    is. How a run is written is said in `ir_coliee.evaluation.runs.format_rules`.
    """

    measure: ColieeMeasure
    figures: tuple[Figure, ...]
    single_answer: bool = False
    unanswered: Literal["error", "warning", "answer"] = "error"


def _set(label: str, measure: ColieeMeasure) -> Figure:
    return Figure(label, lambda run: run.value(measure))


def _ranked(label: str, measure: Measure) -> Figure:
    return Figure(label, lambda run: run.ranked_value(measure), needs="ranking")


def _one_side(label: str, measure: ColieeMeasure, side: str) -> Figure:
    return Figure(label, lambda run: run.for_party(side).value(measure))


_RETURNED = Figure("return", lambda run: int(run.counts.returned.sum()))
_FOUND = Figure("retrieved (tp)", lambda run: int(run.counts.tp.sum()))

_POOLED = TaskEvaluation(MicroF1, (_set("F1", MicroF1), _set("P", MicroP), _set("R", MicroR)), unanswered="warning")
_ANSWERED = TaskEvaluation(
    AnswerAccuracy,
    (
        _set("accuracy", AnswerAccuracy),
        Figure("correct", lambda run: int(run.counts.tp.sum())),
    ),
    single_answer=True,
)
#: The other value that an instance without anything to find may have.
EMPTY_AS_1 = MacroF(empty=1)

TASK_EVALUATIONS: dict[str, TaskEvaluation] = {
    "task1": _POOLED,
    "task2": _POOLED,
    "task3": TaskEvaluation(
        MacroF2,
        (
            _set("F2", MacroF2),
            _set("P", MacroP),
            _set("R", MacroR),
            _RETURNED,
            _FOUND,
            _ranked("MAP", ir_measures.AP),
            *(_ranked(f"R@{k}", MicroR @ k) for k in (5, 10, 30)),
        ),
    ),
    "task4": _ANSWERED,
    "task5": _ANSWERED,
    "prediction": _ANSWERED,
    # the two values of an instance without anything to find, then what the organisers' server shows beside them
    "rationale": TaskEvaluation(
        MacroF,
        (
            _set("F1 (empty = 0)", MacroF),
            _set("F1 (empty = 1)", EMPTY_AS_1),
            _set("pooled F1", MicroF1),
            _one_side("plaintiff F1 (0)", MacroF, "p"),
            _one_side("plaintiff F1 (1)", EMPTY_AS_1, "p"),
            _one_side("defendant F1 (0)", MacroF, "d"),
            _one_side("defendant F1 (1)", EMPTY_AS_1, "d"),
        ),
        unanswered="answer",
    ),
}

#: Task 3 of 2026: a question counts where its answer is right and all its articles are found; F2 settles ties.
_GATED = TaskEvaluation(
    MacroF2,
    (
        Figure("accuracy", lambda run: run.gated_accuracy(), needs="answers"),
        _set("F2", MacroF2),
        Figure("answers right", lambda run: run.answer_accuracy(), needs="answers"),
        Figure("all articles found", lambda run: run.share_with_full_recall()),
        Figure("articles a question", lambda run: run.mean_returned()),
    ),
)


def task_evaluation(split: Split) -> TaskEvaluation:
    """What the answers of a split are, and what they are measured by in its edition.

    >>> from ir_coliee.editions import split
    >>> [figure.label for figure in task_evaluation(split("coliee/task4/sample/en/test")).figures]
    ['accuracy', 'correct']
    """
    return _GATED if split.measure == "GatedAccuracy" else TASK_EVALUATIONS[split.task]
