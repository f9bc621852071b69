"""Baseline pipelines for every task. They need no download and can be run by the command ``ir_coliee baseline``.

`run_baseline` fits the pipelines of a task on labelled train queries and returns their runs:

* tasks 1 to 3: ``bm25``, and ``learned``, a model of the candidates by a recipe of the task (extra ``learn``);
* tasks 4 and 5, tort prediction: ``majority``, and ``tfidf``, a linear classifier (extra ``learn``);
* task 4: besides ``alignment``, features that compare a statement with its articles (extra ``learn``);
* rationale extraction: ``tfidf``.

The notes of runs of answers say whether they are above chance on held-out train queries. Recipes of one's own are
written with `ir_coliee.baselines.recipes`.
"""

from __future__ import annotations

from contextlib import nullcontext

from ir_coliee.baselines.learned import LearnedBaseline
from ir_coliee.baselines.plan import Plan, plan_baseline
from ir_coliee.baselines.training import BaselineRun, TrainingYears
from ir_coliee.editions import Dataset
from ir_coliee.progress import quiet

__all__ = [
    "BaselineRun",
    "LearnedBaseline",
    "Plan",
    "plan_baseline",
    "run_baseline",
]


def run_baseline(
    dataset: Dataset,
    *,
    train: TrainingYears = "earlier",
    fast: bool = False,
    pool_features: bool = True,
    verbose: bool = False,
) -> list[BaselineRun]:
    """Run the baseline pipelines of a split's task.

    Parameters
    ----------
    dataset : str or Split or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split to answer.
    train : {"earlier", "all-but"}
        The labelled questions for an exam year that is part of the train split: those of the years before it, as in the
        edition of that year, or those of all other years. Other splits have the whole train split.
    fast : bool
        Run nothing that follows a recipe: only BM25 in tasks 1 to 3, only the classifiers in task 4.
    pool_features : bool
        Whether features of task 1 may compare all queries of a test pool. They use that each decision of a pool is
        noticed by few of its queries, which is so by the way in which the organisers build pools.
    verbose : bool
        Whether to show the progress.

    Returns
    -------
    list of BaselineRun
        The runs. If a pipeline cannot be fitted because an extra or labels are missing, its runs are left out, and the
        warnings of the first run give the reason.

    Raises
    ------
    ColieeError
        If the task does not have the features, or nothing to leave out.
    MissingReleaseError
        If the local release is missing; in tasks without BM25, also if that of the train split is.
    InsufficientTrainingDataError
        If there are no labelled queries to fit a model on, in tasks without BM25.

    Examples
    --------
    >>> [run.tag for run in run_baseline("coliee/task2/sample/test", fast=True)]
    ['bm25']
    """
    with nullcontext() if verbose else quiet():
        plan = plan_baseline(dataset, train=train, fast=fast, pool_features=pool_features)
        first, *others = plan.run()
    return [first.with_warnings(plan.notes), *others]
