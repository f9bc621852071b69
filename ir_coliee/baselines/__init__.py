"""Pipelines of each task that need no download, fitted on the train part: what `ir_coliee baseline` runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ir_coliee.baselines.answers import answers, claims
from ir_coliee.baselines.lexical import lexical
from ir_coliee.baselines.runs import BaselineRun
from ir_coliee.datasets.releases import Part

__all__ = ["BaselineRun", "run_baseline", "tags"]


class _Pipeline(NamedTuple):
    run: Callable[[Part], list[BaselineRun]]
    tags: tuple[str, ...]


_LEXICAL = (_Pipeline(lexical, ("bm25",)),)
_ANSWERS = (_Pipeline(answers, ("majority", "tfidf")),)

# the first is the fast one; the others follow unless it alone is asked for
_PIPELINES: dict[str, tuple[_Pipeline, ...]] = {
    "task1": _LEXICAL,
    "task2": _LEXICAL,
    "task3": _LEXICAL,
    "task4": _ANSWERS,
    "task5": _ANSWERS,
    "prediction": _ANSWERS,
    "rationale": (_Pipeline(claims, ("tfidf",)),),
}


def _pipelines(part: Part, fast: bool) -> tuple[_Pipeline, ...]:
    return _PIPELINES[part.task][:1] if fast else _PIPELINES[part.task]


def run_baseline(part: Part, *, fast: bool = False) -> list[BaselineRun]:
    """Run the pipelines of a part's task, or the ``fast`` one alone, which looks at words only.

    Raises `MissingCopyError` where the copy is not there.
    """
    return [run for pipeline in _pipelines(part, fast) for run in pipeline.run(part)]


def tags(part: Part, *, fast: bool = False) -> tuple[str, ...]:
    """The tags of the runs that `run_baseline` makes, known before it; what lacks an extra is not made."""
    return tuple(tag for pipeline in _pipelines(part, fast) for tag in pipeline.tags)
