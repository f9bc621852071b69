"""Groups of queries with a common property: the value of each run for the group, and whether it differs from the rest.

The value of a group is the measure over its queries; a micro measure pools their counts. Numbers are cut at their
quartiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.query_properties import property_meanings, query_properties
from ir_coliee.arrays import Booleans, Floats
from ir_coliee.display import Table
from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.group_test import group_differences, group_p_values
from ir_coliee.evaluation.intervals import intervals
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.evaluation.randomization_test import holm
from ir_coliee.evaluation.run_counts import RunCounts, merge_run_counts
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.measures.base import ColieeMeasure

UNKNOWN = "unknown"
_QUARTILES = 4
_FEW = 10  # queries: the interval of a smaller group says little


class Group(NamedTuple):
    """Queries with the same value of a property, or with values in the same quarter.

    Attributes
    ----------
    property, name : str
        The property, and its values: ``1 to 3``, ``yes``, a category, or ``unknown`` for a missing value.
    members : numpy.ndarray of bool
        For each query whether it is in the group.
    """

    property: str
    name: str
    members: Booleans


class GroupFrame(AnalysisFrame):
    """The result of `groups`, whose names are folded on a narrow terminal."""

    def table(self) -> Table:
        """Return the table that is shown, with all rows: the property with the smallest p-value of a group first."""
        names = ("property", "group", "run")
        smallest = self.groupby("property")["p"].min().fillna(np.inf)
        order = self["property"].map(smallest).argsort(kind="stable")
        return Table.of_frame(self.iloc[order])._replace(fold=names, key=len(names))


def groups(
    runs: EvaluatedRuns, names: Sequence[str] | None = None, *, seed: int = 0, permutations: int = 10_000
) -> AnalysisFrame:
    """Compare the value of each run for groups of queries with its value for the other queries.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    names : sequence of str, optional
        Properties, which are columns of `query_properties`; by default all.
    seed : int, default 0
        Seed of the permutations and of the bootstrap; equal seeds give equal results.
    permutations : int, default 10000
        Number of random permutations, see `ir_coliee.evaluation.group_test.group_p_values`.

    Returns
    -------
    AnalysisFrame
        A row for each group and run. The columns are:

        * ``property``, ``group``, ``run``: names; ``queries``: number of queries in the group.
        * ``value``: the measure over the queries of the group. In task 3 of 2026 it is gated accuracy if each run has
          answers Y and N, otherwise F2.
        * ``low``, ``high``: 95 % percentile bootstrap interval over the queries of the group.
        * ``difference``: ``value`` minus the value for all other queries.
        * ``p``: two-sided p-value of the permutation test of the difference; ``p_holm``: corrected by Holm's method for
          the number of tests of the run. A group and its complement are one test, and so are equal groups of
          different properties.

        Without other queries there is no difference. A group of one query has no interval. There is no test if the
        group or its complement has fewer than two queries.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        For an unknown property.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"55": 1.0}}})
    >>> groups(runs, ["polarity"])[["group", "queries", "value", "p"]].round(4).to_numpy().tolist()
    [['affirmative', 13, 0.0, 0.3427], ['negative', 7, 0.1429, 0.3427]]
    """
    measure, name, counts = _official_counts(runs)
    properties = query_properties(runs)
    found = list(_groups(properties, _chosen(properties, names)))
    members = np.array([group.members for group in found]).reshape(len(found), len(counts.query_ids))
    terms = counts.terms(measure)
    differences = group_differences(terms, members)
    sizes = members.sum(axis=1)
    tested = np.minimum(sizes, len(counts.query_ids) - sizes) >= 2
    p_values = np.full(differences.shape, np.nan)
    p_values[tested] = group_p_values(terms, members[tested], seed=seed, permutations=permutations)
    tests = _tests(members)
    corrected = np.stack([_corrected(values, tests) for values in p_values.T], axis=1)
    values = quotient(*(terms @ members.T.astype(np.float64))).T
    rows = []
    for row, group in enumerate(found):
        bounds = intervals(measure, _of_queries(counts, group.members), seed=seed) if sizes[row] > 1 else {}
        for column, run in enumerate(counts.runs):
            low, high = bounds[run][:2] if bounds else (np.nan, np.nan)
            rows.append(
                {
                    "property": group.property,
                    "group": group.name,
                    "run": run,
                    "queries": int(sizes[row]),
                    "value": values[row, column],
                    "low": low,
                    "high": high,
                    "difference": differences[row, column],
                    "p": p_values[row, column],
                    "p_holm": corrected[row, column],
                }
            )
    number = len({test for test, is_tested in zip(tests, tested) if is_tested})
    notes = [*_notes(runs, name, number, sizes, [*dict.fromkeys(group.property for group in found)]), *properties.notes]
    return GroupFrame.of(
        pd.DataFrame(rows), kind="groups", title=f"{name} by group of queries: {runs.split.id}", notes=notes
    )


def _official_counts(runs: EvaluatedRuns) -> tuple[ColieeMeasure, str, RunCounts]:
    """Return the official measure with its name and counts; F2 for a gated accuracy that not all runs have."""
    scored = {name: run.scored for name, run in runs.runs.items() if run.scored is not None}
    if runs.split.measure == "GatedAccuracy" and scored and all(run.is_correct is not None for run in scored.values()):
        gated = merge_run_counts({name: run.gated_counts() for name, run in scored.items()})
        return AnswerAccuracy, runs.split.measure, gated
    return runs.measure, str(runs.measure), runs.counts


def _chosen(properties: AnalysisFrame, names: Sequence[str] | None) -> list[str]:
    known = [column for column in properties.columns if column != "query_id"]
    if unknown := [name for name in names or () if name not in known]:
        notes = "".join(f"\n{note}" for note in properties.notes)
        raise ColieeError(f"No property {printable(unknown[0], 40)!r}.\nKnown are: {', '.join(known)}.{notes}")
    return known if names is None else [*dict.fromkeys(names)]


def _groups(properties: pd.DataFrame, names: Sequence[str]) -> Iterator[Group]:
    for name in names:
        labels, order = group_names(properties[name])
        for label in order:
            yield Group(name, label, np.array([each == label for each in labels], dtype=np.bool_))


def group_names(values: pd.Series) -> tuple[list[str], list[str]]:
    """Return the name of each value's group, and the names in order.

    Parameters
    ----------
    values : pandas.Series
        Numbers, values of type ``boolean``, or categories: a categorical series, or names of type object.

    Returns
    -------
    labels : list of str
        The group of each value: ``yes`` and ``no``, the category, or for numbers the bounds of its quarter.
    order : list of str
        The groups with at least one value, in the order of their values, ``unknown`` last.

    Notes
    -----
    A number belongs to the quarter in which its mean rank lies, so that equal numbers are in one group.

    Examples
    --------
    >>> group_names(pd.Series([5, 1, 1, 1, 2, None], dtype="Int64"))
    (['5', '1', '1', '1', '2', 'unknown'], ['1', '2', '5', 'unknown'])
    >>> group_names(pd.Series([10, 7, 8, 9, 2, 3, 4, 1], dtype="Int64"))[1]
    ['1 to 2', '3 to 4', '7 to 8', '9 to 10']
    """
    known = values.dropna()
    if pd.api.types.is_bool_dtype(values.dtype):
        names = known.map({True: "yes", False: "no"}).astype(object)
        order = [name for name in ("yes", "no") if (names == name).any()]
    elif pd.api.types.is_numeric_dtype(values.dtype):
        quarter = ((known.rank() - 0.5) * _QUARTILES // max(len(known), 1)).astype(int)
        of_quarter = {number: _bounds(members) for number, members in known.groupby(quarter)}
        names, order = quarter.map(of_quarter), list(of_quarter.values())
    else:
        names = known.astype(object)
        categories = values.cat.categories if isinstance(values.dtype, pd.CategoricalDtype) else sorted(names.unique())
        order = [name for name in categories if (names == name).any()]
    labels = names.reindex(values.index).astype(object)
    labels = labels.where(values.notna(), UNKNOWN)
    return list(labels), [*order, *[UNKNOWN] * bool(values.isna().any())]


def _bounds(numbers: pd.Series) -> str:
    low, high = numbers.min(), numbers.max()
    return str(low) if low == high else f"{low} to {high}"


def _tests(members: Booleans) -> list[bytes]:
    """Return a key for each group that is equal for equal groups, and for a group and its complement."""
    return [(group ^ group[0]).tobytes() for group in members]


def _corrected(p_values: Floats, tests: Sequence[bytes]) -> Floats:
    """Correct the p-values of a run by Holm's method; groups without a test have NaN and are not counted."""
    distinct = {test: float(p) for test, p in zip(tests, p_values) if not np.isnan(p)}
    corrected = dict(zip(distinct, holm([*distinct.values()])))
    return np.array([corrected.get(test, np.nan) for test in tests])


def _of_queries(counts: RunCounts, members: Booleans) -> RunCounts:
    """Return the counts of some of the queries."""
    query_ids = tuple(query_id for query_id, is_member in zip(counts.query_ids, members) if is_member)
    tp, returned, relevant = (array[:, members] for array in (counts.tp, counts.returned, counts.relevant))
    return replace(counts, query_ids=query_ids, tp=tp, returned=returned, relevant=relevant)


def _notes(runs: EvaluatedRuns, measure: str, tests: int, sizes: Sequence[int], names: Sequence[str]) -> Iterator[str]:
    yield (
        f"value: {measure} over the queries of the group; low, high: its 95 % bootstrap interval; difference: value "
        "minus that of all other queries; p: permutation test of the difference, in which any set of as many queries "
        "could be the group; p_holm: corrected for all tests of the run."
    )
    if runs.split.measure == "GatedAccuracy" and measure != runs.split.measure:
        yield f"Gated accuracy needs the answers Y and N of each run; {measure} is shown instead."
    if tests > 1:
        chance = tests * 0.05
        yield f"Of {tests} tests for each run, about {chance:.1f} have p below .05 by chance alone; look at p_holm."
    if small := sum(size < _FEW for size in sizes):
        yield f"{small} of {len(sizes)} groups have fewer than {_FEW} queries: their figures say little."
    meanings = property_meanings(runs)
    yield "Properties: " + "; ".join(f"{name}: {meanings[name]}" for name in names) + "."
