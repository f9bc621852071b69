"""Properties of the queries of a split, by which they are divided into groups."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties import cases, fragments, questions, torts
from ir_coliee.analysis.properties.property_table import Column, PropertyTable
from ir_coliee.analysis.properties.sizes import LENGTHS, RELEVANT_ITEMS
from ir_coliee.errors import MissingReleaseError

_OF_TASK: Mapping[str, tuple[PropertyTable, ...]] = {
    "task1": cases.PROPERTIES,
    "task2": fragments.PROPERTIES,
    "task3": questions.PROPERTIES,
    "task4": (*questions.PROPERTIES, questions.LABEL),
    "task5": (*questions.PROPERTIES, questions.LABEL),
    "prediction": torts.PROPERTIES,
    "rationale": torts.PROPERTIES,
}


def query_properties(runs: EvaluatedRuns) -> AnalysisFrame:
    """Read the properties of each scored query.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs, whose split and gold labels are used.

    Returns
    -------
    AnalysisFrame
        A row for each of ``runs.query_ids``: query_id and a column for each property of the task, which
        `property_meanings` describes. A number is of type ``Int64``, yes or no ``boolean``, a category categorical or
        object. A missing value means that the query has no such property, such as a decision that mentions no year. A
        note names the properties that the local release has no files for, which are left out.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"55": 1.0}}})
    >>> query_properties(runs)[["query_id", "subject", "anonymised", "polarity"]].head(2).to_numpy().tolist()
    [['R99-01-A', 'real rights', False, 'negative'], ['R99-01-I', 'real rights', True, 'negative']]
    """
    frames, notes = runs.once("query properties", lambda: _read(runs))
    return AnalysisFrame.of(
        pd.concat(frames, axis=1), kind="query_properties", title="Properties of the queries", notes=notes
    )


def _read(runs: EvaluatedRuns) -> tuple[list[pd.DataFrame], list[str]]:
    """Return the columns of each table, and notes on those that the local release has no files for."""
    frames = [pd.DataFrame({"query_id": pd.Series(runs.query_ids, dtype=object)})]
    notes = []
    for table in _tables(runs):
        try:
            frames.append(table.frame(runs))
        except MissingReleaseError as error:
            names = ", ".join(column.name for column in table.columns)
            notes.append(f"Left out: {names}. {str(error).splitlines()[0]}")
    return frames, notes


def property_meanings(runs: EvaluatedRuns) -> dict[str, str]:
    """Return the meaning of each property of the task of the runs, by the name of its column."""
    return {column.name: column.meaning for column in _columns(runs)}


def _columns(runs: EvaluatedRuns) -> list[Column]:
    return [column for table in _tables(runs) for column in table.columns]


def _tables(runs: EvaluatedRuns) -> tuple[PropertyTable, ...]:
    relevant = () if runs.scorer.evaluation.single_answer else (RELEVANT_ITEMS,)
    return (*relevant, LENGTHS[runs.split.language], *_OF_TASK[runs.split.task])
