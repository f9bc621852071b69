"""Baseline pipelines for every task. They need no download and can be run by the command ``ir_coliee baseline``.

`run_baseline` fits the pipelines of a task on the train split and returns their runs:

* tasks 1 to 3: ``bm25``, and ``learned``, gradient boosting over lexical features (extra ``learn``);
* tasks 4 and 5, tort prediction: ``majority``, and ``tfidf``, a linear classifier (extra ``learn``);
* rationale extraction: ``tfidf``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ir_coliee.baselines.answer_classification import classify_answers, classify_claims
from ir_coliee.baselines.article_retrieval import retrieve_articles
from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.bm25 import bm25_baseline
from ir_coliee.baselines.case_retrieval import retrieve_cases
from ir_coliee.baselines.paragraph_entailment import find_entailing_paragraphs
from ir_coliee.baselines.training_data import InsufficientTrainingDataError
from ir_coliee.editions import Split
from ir_coliee.errors import MissingExtraError

__all__ = ["PIPELINES", "BaselineRun", "InsufficientTrainingDataError", "Pipeline", "run_baseline", "run_tags"]


class Pipeline(NamedTuple):
    """A baseline pipeline.

    Attributes
    ----------
    run : callable
        Takes a split and returns its runs.
    tags : tuple of str
        The tags of these runs.
    """

    run: Callable[[Split], list[BaselineRun]]
    tags: tuple[str, ...]


_BM25 = Pipeline(bm25_baseline, ("bm25",))
_CLASSIFIERS = Pipeline(classify_answers, ("majority", "tfidf"))

#: The pipelines of each task. The first one is the fast one.
PIPELINES: dict[str, tuple[Pipeline, ...]] = {
    "task1": (_BM25, Pipeline(retrieve_cases, ("learned",))),
    "task2": (_BM25, Pipeline(find_entailing_paragraphs, ("learned",))),
    "task3": (_BM25, Pipeline(retrieve_articles, ("learned",))),
    "task4": (_CLASSIFIERS,),
    "task5": (_CLASSIFIERS,),
    "prediction": (_CLASSIFIERS,),
    "rationale": (Pipeline(classify_claims, ("tfidf",)),),
}


def _pipelines(split: Split, fast: bool) -> tuple[Pipeline, ...]:
    return PIPELINES[split.task][:1] if fast else PIPELINES[split.task]


def run_baseline(split: Split, *, fast: bool = False) -> list[BaselineRun]:
    """Run the baseline pipelines of a split's task.

    Parameters
    ----------
    split : Split
        The split to answer, as `ir_coliee.editions.split` returns it.
    fast : bool
        Run only the first pipeline: BM25 in tasks 1 to 3.

    Returns
    -------
    list of BaselineRun
        The runs. If a pipeline cannot be fitted because an extra or labels are missing, its runs are left out, and the
        notes of the first run give the reason.

    Raises
    ------
    MissingReleaseError
        If the local release is missing.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> [run.tag for run in run_baseline(split("coliee/task2/sample/test"), fast=True)]
    ['bm25']
    """
    first, *others = _pipelines(split, fast)
    other_runs, notes = [], []
    # the first pipeline runs last, because it can reuse the indexes that the others build
    for pipeline in others:
        try:
            other_runs += pipeline.run(split)
        except (MissingExtraError, InsufficientTrainingDataError) as error:
            notes.append(f"the run {' and '.join(pipeline.tags)} was left out: {error}")
    runs = first.run(split)
    runs[0].notes.extend(notes)
    return runs + other_runs


def run_tags(split: Split, *, fast: bool = False) -> tuple[str, ...]:
    """Return the tags of the runs that `run_baseline` returns, without running it.

    Parameters
    ----------
    split : Split
        The split to answer.
    fast : bool
        As in `run_baseline`.

    Returns
    -------
    tuple of str
        The tags, including those of runs that are left out if an extra or labels are missing.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> run_tags(split("coliee/task1/sample/test"))
    ('bm25', 'learned')
    """
    return tuple(tag for pipeline in _pipelines(split, fast) for tag in pipeline.tags)
