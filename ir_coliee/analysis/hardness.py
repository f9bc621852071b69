"""Which queries are hard: the statistics of the overview of COLIEE 2023, over the queries and runs of any split.

A query's value is that of the split's measure, computed from the query's own counts. Its mean value is the mean over
the runs. The sections, tables and figures that the docstrings name are those of Goebel et al., "Overview and Discussion
of the Competition on Legal Information, Extraction/Entailment (COLIEE) 2023" (2024).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ir_coliee.analysis.analysis_frame import AnalysisFrame
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties.sizes import LENGTHS
from ir_coliee.analysis.query_properties import query_properties
from ir_coliee.analysis.query_results import query_results, value_note
from ir_coliee.errors import ColieeError, MissingReleaseError, printable, printable_list
from ir_coliee.frames import integer_at_least

_QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")
_CLASSES = 5


def hardest_queries(runs: EvaluatedRuns, num: int | None = None) -> AnalysisFrame:
    """List the queries by their mean value over the runs, the hardest first.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    num : int, optional
        The number of queries; by default all.

    Returns
    -------
    AnalysisFrame
        A row for each query and run: query_id, relevant, mean_value, found, complete and exact as by `query_results`,
        run, and value.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ValueError
        If ``num`` is not an integer >= 1.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> hardest_queries(runs)[["query_id", "run", "value"]].round(4).to_numpy().tolist()[-2:]
    [['900656', 'mine', 0.5], ['900656', 'other', 0.6667]]
    """
    if num is not None:
        integer_at_least("num", num, 1)
    frame = query_results(runs)[:num].merge(runs.per_query[["query_id", "run", "value"]], on="query_id")
    return AnalysisFrame.of(
        frame,
        kind="hardest_queries",
        title="Queries by their mean value, the hardest first",
        notes=[
            value_note(runs),
            "found, complete, exact: the number of runs that return a relevant item, all of them, exactly them",
        ],
        spread=("run", "value"),
    )


def mean_value_correlation(runs: EvaluatedRuns) -> AnalysisFrame:
    """Correlate the mean values of the queries with their lengths and their numbers of relevant items.

    The overview computes this for task 1 (section 2.4) and finds -0.0395 for the length and 0.2189 for the number of
    noticed cases; by quarters of the 319 queries, in the order of descending mean values (80, 80, 80 and 79 queries),
    0.1286, -0.0748, -0.0569 and 0.3994 for the number of noticed cases.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        A row for all queries and for each quarter, and each property: queries, num_queries, mean_value, property
        (``bytes``, the length of the query's text in UTF-8, or ``relevant``), and Pearson's correlation, NaN where it
        is not defined. Queries with equal mean values are in the order of their ids. Without the texts of the queries
        there are no rows for their lengths.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> mean_value_correlation(runs)[["queries", "property", "correlation"]].round(4).to_numpy().tolist()[:2]
    [['all', 'bytes', 0.2994], ['all', 'relevant', -0.1463]]
    """
    queries = query_results(runs).sort_values(["mean_value", "query_id"], ascending=[False, True], ignore_index=True)
    notes = [
        "Pearson's correlation of the mean value with the length in bytes and the number of relevant items",
        value_note(runs),
        "quarters: of the queries in the order of descending mean values (overview 2023, section 2.4)",
    ]
    properties = ["bytes", "relevant"]
    try:
        queries["bytes"] = queries["query_id"].map(_lengths(runs))
    except MissingReleaseError as error:
        properties.remove("bytes")
        notes.append(f"no lengths: {str(error).splitlines()[0]}")
    groups = {"all": queries}
    groups |= {
        name: queries.iloc[rows]
        for name, rows in zip(_QUARTERS, np.array_split(np.arange(len(queries)), len(_QUARTERS)))
        if len(rows)
    }
    frame = pd.DataFrame(
        [
            [name, len(group), group["mean_value"].mean(), each, _correlation(group["mean_value"], group[each])]
            for name, group in groups.items()
            for each in properties
        ],
        columns=["queries", "num_queries", "mean_value", "property", "correlation"],
    )
    if frame["correlation"].isna().any():
        notes.append("no correlation: fewer than two queries, or all of them have the same value")
    title = "Correlation of the queries' mean values with their properties"
    return AnalysisFrame.of(
        frame, kind="mean_value_correlation", title=title, notes=notes, spread=("property", "correlation")
    )


def _lengths(runs: EvaluatedRuns) -> dict[str, int]:
    """Return the length in bytes of each query."""
    return dict(zip(runs.query_ids, LENGTHS[runs.split.language].frame(runs)["bytes"]))


def _correlation(values: pd.Series[float], numbers: pd.Series[float]) -> float:
    known = numbers.notna()
    if values[known].nunique() < 2 or numbers[known].nunique() < 2:
        return float("nan")
    return float(np.corrcoef(values[known].to_numpy(np.float64), numbers[known].to_numpy(np.float64))[0, 1])


def by_value_class(runs: EvaluatedRuns, property: str = "anonymised") -> AnalysisFrame:
    """Count the queries with a property and the others by classes of their mean values.

    The overview counts the questions of task 3 that refer to persons by letters, such as "A" and "B", by classes of
    their mean F2 (table 4). It assigns a limit to both classes; here the lower limit belongs to a class, and 1 to the
    last one.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    property : str, default "anonymised"
        The name of a property that is true or false, from `ir_coliee.analysis.query_properties`.

    Returns
    -------
    AnalysisFrame
        A row for each class and kind of query: value_class, queries (the name of the property, or ``other``), and
        num_queries.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If the queries of the split have no such property.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"Y": 1.0}}})
    >>> by_value_class(runs).to_numpy().tolist()[-2:]
    [['0.8-1.0', 'anonymised', 0], ['0.8-1.0', 'other', 1]]
    """
    queries = query_results(runs)
    queries["queries"] = np.where(_has_property(runs, property, queries["query_id"]), property, "other")
    lowest = (queries["mean_value"] * _CLASSES).astype(int).clip(upper=_CLASSES - 1)
    rows = [
        [f"{number / _CLASSES:.1f}-{(number + 1) / _CLASSES:.1f}", kind, int(((lowest == number) & is_kind).sum())]
        for number in range(_CLASSES)
        for kind, is_kind in ((kind, queries["queries"] == kind) for kind in (property, "other"))
    ]
    means = queries.groupby("queries")["mean_value"].agg(["size", "mean"])
    of_kinds = [f"{mean:.4f} for {size} {kind}" for kind, size, mean in means.itertuples()]
    return AnalysisFrame.of(
        pd.DataFrame(rows, columns=["value_class", "queries", "num_queries"]),
        kind="by_value_class",
        title=f"Queries by their mean value: {property} and other ones",
        notes=[
            f"{value_note(runs)}: {', '.join(of_kinds)} queries",
            "classes: a limit belongs to the class above it, 1 to the last one (overview 2023, table 4)",
        ],
        spread=("queries", "num_queries"),
    )


def _has_property(runs: EvaluatedRuns, name: str, query_ids: pd.Series[str]) -> pd.Series[bool]:
    properties = query_properties(runs)
    known = [str(each) for each in properties.columns if pd.api.types.is_bool_dtype(properties[each])]
    if name not in known:
        raise ColieeError(
            f"The queries of {runs.split.id} have no property {printable(name, 30)} that is true or false.\n"
            f"They have: {', '.join(known) or 'none'}."
        )
    return query_ids.isin(properties.loc[properties[name].fillna(False), "query_id"])


def answered_by(runs: EvaluatedRuns) -> AnalysisFrame:
    """Count the queries that no run, some runs or all runs answer.

    The overview counts the questions of task 3 for which all systems find all relevant articles, with and without
    others, and those for which none finds any (section 4.4). In tasks with one answer per query it is right or wrong.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        A row for each kind of answer, kind of query and number of runs: answer (``found``: a relevant item;
        ``complete``: all of them; ``exact``: exactly them; ``right`` in tasks with one answer), relevant (``single`` or
        ``multiple``), answered_by (``no run``, ``some runs``, ``all runs``), and num_queries. `query_results` has the
        queries.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"Y": 1.0}}})
    >>> answered_by(runs).to_numpy().tolist()
    [['right', 'single', 'no run', 19], ['right', 'single', 'some runs', 0], ['right', 'single', 'all runs', 1]]
    """
    queries = query_results(runs)
    queries = queries[queries["relevant"] > 0]
    single_answer = runs.scorer.evaluation.single_answer
    answers = {"right": "exact"} if single_answer else {"found": "found", "complete": "complete", "exact": "exact"}
    is_single = queries["relevant"] == 1
    rows = []
    for answer, column in answers.items():
        for kind, is_kind in (("single", is_single), ("multiple", ~is_single)):
            number = queries.loc[is_kind, column]
            some = (number > 0) & (number < len(runs.runs))
            counts = {"no run": number == 0, "some runs": some, "all runs": number == len(runs.runs)}
            rows += [[answer, kind, name, int(is_member.sum())] for name, is_member in counts.items() if len(number)]
    never = queries.loc[queries[next(iter(answers.values()))] == 0, "query_id"].tolist()
    meaning = "a right answer" if single_answer else "a relevant item"
    notes = [f"queries for which no run has {meaning}: {printable_list(never) if never else 'none'}"]
    if not single_answer:
        notes.append("found: a relevant item; complete: all relevant items; exact: all of them and no others")
    return AnalysisFrame.of(
        pd.DataFrame(rows, columns=["answer", "relevant", "answered_by", "num_queries"]),
        kind="answered_by",
        title="Queries that no run, some runs and all runs answer",
        notes=notes,
        spread=("answered_by", "num_queries"),
    )
