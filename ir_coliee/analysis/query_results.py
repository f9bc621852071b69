"""The results of all runs for each query, and the words in which the analyses speak of them."""

from __future__ import annotations

import pandas as pd

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.measures import ColieeMeasure
from ir_coliee.measures.counts import Counts

_DIGITS = 12  # of mean values, so that equal values stay equal after the addition


def query_results(runs: EvaluatedRuns) -> pd.DataFrame:
    """Combine the results of all runs for each query.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    pandas.DataFrame
        A row for each scored query: query_id, relevant (the number of relevant items), mean_value, and the numbers of
        runs that return at least one relevant item (``found``), all of them (``complete``), and exactly them
        (``exact``). The hardest query is the first: that with the lowest mean value, and of equal ones that with the
        most relevant items.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"Y": 1.0}}})
    >>> query_results(runs).iloc[-1].to_dict()
    {'query_id': 'R99-01-A', 'relevant': 1, 'mean_value': 1.0, 'found': 1, 'complete': 1, 'exact': 1}
    """
    rows = runs.per_query
    complete = rows["tp"] == rows["relevant"]
    rows = rows.assign(found=rows["tp"] > 0, complete=complete, exact=complete & (rows["tp"] == rows["returned"]))
    of_queries = rows.groupby("query_id", sort=True)
    results = of_queries[["found", "complete", "exact"]].sum()
    results.insert(0, "relevant", of_queries["relevant"].first())
    results.insert(1, "mean_value", of_queries["value"].mean().round(_DIGITS))
    order = {"mean_value": True, "relevant": False, "query_id": True}
    return results.reset_index().sort_values([*order], ascending=[*order.values()], ignore_index=True)


def value_note(runs: EvaluatedRuns) -> str:
    """Return the note that says what a mean value is."""
    return f"mean value: {measure_name(runs)} of a query, mean over {num_runs(runs)}"


def measure_name(runs: EvaluatedRuns) -> str:
    """Return the name of the measure for a single query, where pooling makes no difference: F1, F2, accuracy."""
    if runs.scorer.evaluation.single_answer:
        return "accuracy"
    return f"F{beta_of(runs.measure):g}"


def beta_of(measure: ColieeMeasure) -> float:
    """Return the beta of an F measure, from its value f = (1 + beta²) / (1 + 2 beta²) if P is 1 and R is 0.5.

    Examples
    --------
    >>> from ir_coliee.measures import MacroF, MicroF1
    >>> beta_of(MicroF1), beta_of(MacroF(beta=2))
    (1.0, 2.0)
    """
    f = float(measure.value(Counts(1, 1, 2)))
    return float(round(((1 - f) / (2 * f - 1)) ** 0.5, 9))


def num_runs(runs: EvaluatedRuns) -> str:
    """Return the number of runs in words."""
    return "1 run" if len(runs.runs) == 1 else f"{len(runs.runs)} runs"
