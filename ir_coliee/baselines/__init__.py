"""Pipelines of each task that need no download, fitted on the train split: what `ir_coliee baseline` runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ir_coliee.baselines.answers import answers, claims
from ir_coliee.baselines.articles import articles
from ir_coliee.baselines.lexical import lexical
from ir_coliee.baselines.noticed_cases import cases
from ir_coliee.baselines.paragraphs import paragraphs
from ir_coliee.baselines.runs import BaselineRun, NotLearned
from ir_coliee.editions import Split
from ir_coliee.errors import MissingExtraError

__all__ = ["BaselineRun", "run_baseline", "tags"]


class _Pipeline(NamedTuple):
    run: Callable[[Split], list[BaselineRun]]
    tags: tuple[str, ...]


_LEXICAL = (_Pipeline(lexical, ("bm25",)),)
_ANSWERS = (_Pipeline(answers, ("majority", "tfidf")),)

# the first is the fast one; the others follow unless it alone is asked for
_PIPELINES: dict[str, tuple[_Pipeline, ...]] = {
    "task1": (*_LEXICAL, _Pipeline(cases, ("learned",))),
    "task2": (*_LEXICAL, _Pipeline(paragraphs, ("learned",))),
    "task3": (*_LEXICAL, _Pipeline(articles, ("learned",))),
    "task4": _ANSWERS,
    "task5": _ANSWERS,
    "prediction": _ANSWERS,
    "rationale": (_Pipeline(claims, ("tfidf",)),),
}


def _pipelines(split: Split, fast: bool) -> tuple[_Pipeline, ...]:
    return _PIPELINES[split.task][:1] if fast else _PIPELINES[split.task]


def run_baseline(split: Split, *, fast: bool = False) -> list[BaselineRun]:
    """Run the pipelines of a split's task, or the ``fast`` one alone, which looks at words only.

    Raises `MissingReleaseError` where the copy is not there.
    """
    first, *others = _pipelines(split, fast)
    learned, notes = [], []
    for pipeline in others:  # before the first: they index more, and what it needs in the same reading
        try:
            learned += pipeline.run(split)
        except (MissingExtraError, NotLearned) as error:
            notes.append(f"without the run {' and '.join(pipeline.tags)}: {error}")
    runs = first.run(split)
    runs[0].notes.extend(notes)
    return runs + learned


def tags(split: Split, *, fast: bool = False) -> tuple[str, ...]:
    """The tags of the runs that `run_baseline` makes, known before it; what lacks an extra is not made."""
    return tuple(tag for pipeline in _pipelines(split, fast) for tag in pipeline.tags)
