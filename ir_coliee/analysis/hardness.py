"""Which queries are hard: the statistics of the overview of COLIEE 2023, over the queries and runs of any split.

A query's value is that of the split's measure, computed from the query's own counts. Its mean value is the mean over
the runs. The sections, tables and figures that the docstrings name are those of Goebel et al., "Overview and Discussion
of the Competition on Legal Information, Extraction/Entailment (COLIEE) 2023" (2024).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.properties import LENGTHS, query_properties
from ir_coliee.analysis.runs import EvaluatedRun, EvaluatedRuns
from ir_coliee.errors import ColieeError, MissingReleaseError, printable, printable_list
from ir_coliee.evaluation.cutoffs import encode_run
from ir_coliee.evaluation.statistics import quotient
from ir_coliee.frames import Floats, Integers, integer_at_least
from ir_coliee.measures import ColieeMeasure, MacroP, MacroR
from ir_coliee.measures.counts import Counts

# The results of all runs for each query, and the words in which the analyses speak of them.


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


# The values of the queries by all measures: of answer sets, and of rankings where there are any.


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
