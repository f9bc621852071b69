"""The values of each query by all measures: of answer sets, and of rankings where there are any."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ir_coliee.analysis.evaluated_runs import EvaluatedRun, EvaluatedRuns
from ir_coliee.analysis.query_results import measure_name
from ir_coliee.arrays import Floats
from ir_coliee.evaluation.encoded_run import encode_run
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.measures import MacroP, MacroR

_RECALL_DEPTHS = (5, 10, 30)


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
