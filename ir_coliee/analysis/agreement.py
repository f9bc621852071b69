"""How alike runs are: shared answers, correlation over the queries, and significance of their differences."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Literal

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.hardness import measure_name
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.comparison import Comparison, compare_counts

_METHODS: tuple[Literal["pearson", "spearman", "kendall"], ...] = ("pearson", "spearman", "kendall")


def overlap(runs: EvaluatedRuns) -> AnalysisFrame:
    """Compare the answer sets of each pair of runs.

    Parameters
    ----------
    runs : EvaluatedRuns
        Two or more runs.

    Returns
    -------
    AnalysisFrame
        A row for each pair: ``run_a``, ``run_b``; ``shared``, the number of pairs of query and item that both return;
        ``jaccard``, their share of the pairs that one of both returns (missing if neither returns anything);
        ``shared_hits`` and ``shared_false``, the relevant and the false ones among the shared (missing without labels).
        Only scored queries count.

    Raises
    ------
    ColieeError
        For fewer than two runs.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> overlap(runs)[["shared", "jaccard", "shared_hits"]].to_numpy().tolist()
    [[1, 0.5, 1]]
    """
    pairs = {name: _pairs(run.answers, runs.query_ids) for name, run in runs.runs.items()}
    gold = _pairs(runs.gold.set_axis(["qid", "docno"], axis=1), runs.query_ids) if runs.has_gold else None
    rows = []
    for a, b in _pairs_of_runs(runs):
        shared, either = pairs[a] & pairs[b], pairs[a] | pairs[b]
        hits = None if gold is None else len(shared & gold)
        rows.append(
            {
                "run_a": a,
                "run_b": b,
                "shared": len(shared),
                "jaccard": len(shared) / len(either) if either else np.nan,
                "shared_hits": hits,
                "shared_false": None if hits is None else len(shared) - hits,
            }
        )
    frame = pd.DataFrame(rows).astype({"shared_hits": "Int64", "shared_false": "Int64"})
    notes = ["Jaccard: pairs of query and item that both runs return, divided by those that one of both returns."]
    if gold is None:
        notes.append("Shared hits are not known without gold labels.")
    return AnalysisFrame.of(frame, kind="overlap", title="Overlap of the answer sets", notes=notes)


def correlation(runs: EvaluatedRuns) -> AnalysisFrame:
    """Correlate the values of the queries for each pair of runs.

    Parameters
    ----------
    runs : EvaluatedRuns
        Two or more runs.

    Returns
    -------
    AnalysisFrame
        A row for each pair: ``run_a``, ``run_b``, and the coefficients ``pearson``, ``spearman`` and ``kendall``
        (tau-b, which takes ties into account), missing if a run has the same value for all queries.

    Raises
    ------
    ColieeError
        For fewer than two runs.
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> correlation(runs)[["run_a", "run_b", "pearson"]].round(4).to_numpy().tolist()
    [['mine', 'other', 1.0]]
    """
    pairs = _pairs_of_runs(runs)
    values = runs.per_query.pivot(index="query_id", columns="run", values="value")
    tables = {method: values.corr(method=method) for method in _METHODS}
    rows = [{"run_a": a, "run_b": b, **{name: table.loc[a, b] for name, table in tables.items()}} for a, b in pairs]
    notes = [f"Over the {measure_name(runs)} of {len(values)} queries. Kendall: tau-b."]
    if constant := [name for name in runs.runs if values[name].nunique() < 2]:
        notes.append(f"Not defined for runs with the same value for all queries: {', '.join(constant)}.")
    title = "Correlation of the runs over the queries"
    return AnalysisFrame.of(pd.DataFrame(rows), kind="correlation", title=title, notes=notes)


def comparison(runs: EvaluatedRuns) -> Comparison:
    """Compare every pair of runs by the official measure; the comparison is made once.

    Parameters
    ----------
    runs : EvaluatedRuns
        Two or more runs.

    Returns
    -------
    Comparison
        As by `ir_coliee.evaluation.comparison.compare_counts`.

    Raises
    ------
    ColieeError
        For fewer than two runs.
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> comparison(runs).measure
    'MicroF1'
    """
    return runs.once("comparison", lambda: _comparison(runs))


def _comparison(runs: EvaluatedRuns) -> Comparison:
    made = compare_counts(*runs.official_counts)
    made.measure = runs.official_name
    return made


def _pairs_of_runs(runs: EvaluatedRuns) -> list[tuple[str, str]]:
    if len(runs.runs) < 2:
        raise ColieeError(f"At least two runs are needed to compare them, got {len(runs.runs)}.")
    return list(itertools.combinations(runs.runs, 2))


def _pairs(answers: pd.DataFrame, query_ids: Iterable[str]) -> set[tuple[str, str]]:
    scored = answers[answers["qid"].isin({*query_ids})]
    return {*zip(scored["qid"], scored["docno"])}
