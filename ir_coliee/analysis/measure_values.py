"""The values of the queries by all measures: of answer sets, and of rankings where there are any."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.evaluated_run import EvaluatedRun
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.query_results import measure_name, num_runs, query_results
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoffs import encode_run
from ir_coliee.evaluation.statistics import quotient
from ir_coliee.frames import Floats, Integers
from ir_coliee.measures import MacroP, MacroR

_RECALL_DEPTHS = (5, 10, 30)


def by_number_of_relevant(
    runs: EvaluatedRuns, *, by_query: bool = False, without_always_found: bool = False
) -> AnalysisFrame:
    """Compare the queries with a single relevant item with those that have several, by all measures.

    The overview of COLIEE 2023 shows the means over the runs for each question of task 3 (figures 1 and 2).

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    by_query : bool, default False
        Return the means of each query, as the figures show them, and not the means over the queries.
    without_always_found : bool, default False
        Leave out the queries for which every run returns all relevant items, as figure 1 does (footnote 8).

    Returns
    -------
    AnalysisFrame
        A row for each kind of query and measure: relevant (``single`` or ``multiple``), num_queries, measure, and
        value, the mean over runs and queries; or for each query and measure, with query_id and without num_queries, the
        mean over runs. Precision, recall and the split's measure are computed on the answer
        sets, MAP and the recalls at 5, 10 and 30 on the long list or ranking, of the runs that have one. Recall is
        averaged over the queries, also R@k, which official tables pool.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If every query of the task has one relevant item, its right answer.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}})
    >>> by_number_of_relevant(runs)[["relevant", "num_queries", "measure", "value"]].round(4).to_numpy().tolist()[3:]
    [['multiple', 10, 'precision', 0.05], ['multiple', 10, 'recall', 0.05], ['multiple', 10, 'F1', 0.05]]
    """
    if runs.scorer.evaluation.single_answer:
        raise ColieeError(f"Every query of {runs.split.id} has one relevant item, its right answer.")
    queries = query_results(runs)
    notes = [
        f"precision, recall, {measure_name(runs)}: means over {num_runs(runs)} and the queries, of the answer sets"
    ]
    if num_without := int((queries["relevant"] == 0).sum()):
        notes.append(f"queries without a relevant item, left out: {num_without}")
    queries = queries[queries["relevant"] > 0]
    if without_always_found:
        always = queries["complete"] == len(runs.runs)
        queries = queries[~always]
        notes.append(f"queries for which every run returns all relevant items, left out: {int(always.sum())}")
    values, num_ranked = values_by_measure(runs)
    if num_ranked:
        notes.append(f"MAP, R@k: of the long list or ranking of {num_ranked} of {num_runs(runs)}")
    rows: list[list[object]] = []
    for name, is_member in (("single", queries["relevant"] == 1), ("multiple", queries["relevant"] > 1)):
        columns = np.flatnonzero(np.isin(runs.counts.query_ids, queries.loc[is_member, "query_id"]))
        for key, members in _parts(runs, columns, by_query=by_query):
            rows += [[name, key, measure, float(each[:, members].mean())] for measure, each in values.items()]
    return AnalysisFrame.of(
        pd.DataFrame(rows, columns=["relevant", "query_id" if by_query else "num_queries", "measure", "value"]),
        kind="by_number_of_relevant",
        title="Queries with a single relevant item and with multiple ones",
        notes=notes,
        spread=("measure", "value"),
    )


def _parts(runs: EvaluatedRuns, columns: Integers, *, by_query: bool) -> Iterator[tuple[object, Integers]]:
    """Yield each query with its column, or the number of queries with all columns."""
    if by_query:
        yield from ((runs.counts.query_ids[column], columns[place : place + 1]) for place, column in enumerate(columns))
    elif len(columns):
        yield len(columns), columns


def values_by_measure(runs: EvaluatedRuns) -> tuple[dict[str, Floats], int]:
    """Compute the values of each run and query by several measures.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    values : dict of str to numpy.ndarray
        By measure: a row per run and a column per query of ``runs.counts``. Precision, recall and the split's measure
        are of the answer sets of all runs, MAP and R@k of the long lists or rankings of the runs that have one.
    num_ranked : int
        The number of runs that have one.
    """
    counts = runs.counts
    measures = {"precision": MacroP, "recall": MacroR, measure_name(runs): runs.measure}
    values = {name: quotient(*counts.terms(measure)) for name, measure in measures.items()}
    rankings = [ranking for run in runs.runs.values() if (ranking := _ranking(run)) is not None]
    of_rankings = [dict(_ranked_values(runs, ranking)) for ranking in rankings]
    for name in of_rankings[0] if rankings else ():
        values[name] = np.stack([each[name] for each in of_rankings])
    return values, len(rankings)


def _ranking(run: EvaluatedRun) -> pd.DataFrame | None:
    """Return the long list of a run, or its ranking."""
    long_list = run.scored.ranking if run.scored is not None else None
    return run.ranking if long_list is None else long_list


def _ranked_values(runs: EvaluatedRuns, ranking: pd.DataFrame) -> Iterator[tuple[str, Floats]]:
    """Yield average precision and recall at k of each query."""
    encoded = encode_run(ranking, runs.scorer.gold, rel=runs.measure["rel"])
    hits = encoded.hits.astype(np.float64)
    precisions = hits[:, 1:] / np.arange(1, hits.shape[1])
    relevant = encoded.relevant.astype(np.float64)
    yield "MAP", quotient((precisions * np.diff(hits)).sum(axis=1), relevant)
    for depth in _RECALL_DEPTHS:
        yield f"R@{depth}", quotient(hits[:, min(depth, hits.shape[1] - 1)], relevant)
