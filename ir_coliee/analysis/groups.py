"""Which queries and groups of queries are hard, for a run and for all, and how alike the runs are.

A query's value is that of the split's measure, computed from the query's own counts. Its mean value is the mean over
the runs. The overview of COLIEE 2023 has these statistics for task 3: Goebel et al., "Overview and Discussion of the
Competition on Legal Information, Extraction/Entailment (COLIEE) 2023" (2024), section 4.4. The value of a group is the
measure over its queries; a micro measure pools their counts. Numbers are cut at their quartiles.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.losses import miss_causes
from ir_coliee.analysis.properties import PROPERTIES, query_properties
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.display import words
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.errors import ColieeError, printable, printable_list
from ir_coliee.evaluation.statistics import RunCounts, group_differences, group_p_values, holm, intervals, quotient
from ir_coliee.frames import Booleans, Floats, Integers, shown
from ir_coliee.measures import ColieeMeasure

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


def hardest_queries(runs: EvaluatedRuns) -> AnalysisFrame:
    """List the queries by their mean value over the runs, the hardest first, with the causes of their misses.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        A row for each query and run: query_id, relevant, mean_value, found, complete and exact as by `query_results`;
        causes, those of `miss_causes` with the number of misses over all runs, the most frequent first; run, and value.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> hardest_queries(runs)[["query_id", "causes", "run", "value"]].round(4).to_numpy().tolist()[-1]
    ['900656', 'not returned (no ranking) (2)', 'other', 0.6667]
    """
    queries = query_results(runs)
    misses = pd.concat([miss_causes(runs, name) for name in runs.runs])
    numbers = misses.groupby("query_id")["cause"].value_counts().reset_index(name="number")
    numbers["cause"] += " (" + numbers["number"].astype(str) + ")"
    causes = numbers.groupby("query_id")["cause"].agg("; ".join).to_dict()
    queries["causes"] = [causes.get(query_id, "") for query_id in queries["query_id"]]
    frame = queries.merge(runs.per_query[["query_id", "run", "value"]], on="query_id")
    title = "Queries by their mean value, the hardest first"
    notes = [
        f"mean value: {runs.value_name} of a query, mean over {len(runs.runs)} run{'s' * (len(runs.runs) > 1)}",
        "found, complete, exact: the number of runs that return a relevant item, all of them, exactly them",
        "causes: of the misses of all runs, with their number",
    ]
    return AnalysisFrame.of(frame, "hardest_queries", title, notes, spread=("run", "value"))


def answered_by(runs: EvaluatedRuns) -> AnalysisFrame:
    """Count the queries that no run, some runs and all runs answer.

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
    frame = pd.DataFrame(rows, columns=["answer", "relevant", "answered_by", "num_queries"])
    title = "Queries that no run, some runs and all runs answer"
    return AnalysisFrame.of(frame, "answered_by", title, notes, spread=("answered_by", "num_queries"))


def agreement(runs: EvaluatedRuns) -> AnalysisFrame:
    """Compare the answer sets of each pair of runs, and the values of the queries.

    Parameters
    ----------
    runs : EvaluatedRuns
        Two or more runs.

    Returns
    -------
    AnalysisFrame
        A row for each pair: ``run_a``, ``run_b``; ``shared``, the number of pairs of query and item that both return;
        ``jaccard``, their share of the pairs that one of both returns (missing if neither returns anything); and with
        labels ``shared_hits`` and ``shared_false``, the relevant and the false ones among the shared, and ``kendall``,
        the correlation of the values of the queries (tau-b, which takes ties into account; missing if a run has the
        same value for all queries). Only scored queries count.

    Raises
    ------
    ColieeError
        For fewer than two runs.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> agreement(runs)[["shared", "jaccard", "shared_hits", "kendall"]].to_numpy().tolist()
    [[1.0, 0.5, 1.0, 1.0]]
    """
    if len(runs.runs) < 2:
        raise ColieeError(f"At least two runs are needed to compare them, got {len(runs.runs)}.")
    items = {name: _pairs(run.answers, runs.query_ids) for name, run in runs.runs.items()}
    rows = []
    for a, b in itertools.combinations(runs.runs, 2):
        shared, either = items[a] & items[b], items[a] | items[b]
        rows.append((a, b, len(shared), len(shared) / len(either) if either else np.nan))
    frame = pd.DataFrame(rows, columns=["run_a", "run_b", "shared", "jaccard"])
    notes = ["jaccard: pairs of query and item that both runs return, divided by those that one of both returns"]
    if runs.has_gold:
        gold = _pairs(runs.gold.set_axis(["qid", "docno"], axis=1), runs.query_ids)
        frame["shared_hits"] = [len(items[a] & items[b] & gold) for a, b, *_ in rows]
        frame["shared_false"] = frame["shared"] - frame["shared_hits"]
        taus = runs.per_query.pivot(index="query_id", columns="run", values="value").corr(method="kendall").to_dict()
        frame["kendall"] = [taus[a][b] for a, b, *_ in rows]
        notes.append(f"kendall: tau-b of the {runs.value_name} of the queries; not defined if all values are equal")
    return AnalysisFrame.of(frame, "agreement", "Agreement of the runs", notes)


def _pairs(answers: pd.DataFrame, query_ids: Iterable[str]) -> set[tuple[str, str]]:
    scored = answers[answers["qid"].isin({*query_ids})]
    return {*zip(scored["qid"], scored["docno"])}


# Groups of queries with the same value of a property; numbers are cut at their quartiles.


#: The group of the queries that have no value of a property.
UNKNOWN = "unknown"
_QUARTILES = 4
#: A property and the name of a group of queries by it.
Group: TypeAlias = "tuple[str, str]"


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


_SMALLEST = 2  # queries of a group that has an interval, and of a group and its complement that are tested
_SIGNIFICANT = 0.05
_FEW = 10  # queries: the interval of a smaller group says little


def groups(
    runs: EvaluatedRuns, names: Sequence[str] | None = None, *, seed: int = 0, permutations: int = 10_000
) -> AnalysisFrame:
    """Compare the value of each run for groups of queries with its value for the other queries.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    names : sequence of str, optional
        Properties, which are columns of `query_properties`; by default all that divide the queries.
    seed : int, default 0
        Seed of the permutations and of the bootstrap; equal seeds give equal results.
    permutations : int, default 10000
        Number of random permutations, see `ir_coliee.evaluation.statistics.group_p_values`.

    Returns
    -------
    AnalysisFrame
        A row for each group and run. The columns are:

        * ``property``, ``group``, ``run``: names; ``num_queries``: number of queries in the group.
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
    >>> groups(runs, ["polarity"])[["group", "num_queries", "value", "p"]].round(4).to_numpy().tolist()
    [['affirmative', 13, 0.0, 0.3427], ['negative', 7, 0.1429, 0.3427]]
    """
    name, (measure, counts) = runs.official_name, runs.official_counts
    properties, found, members = _divided(runs, names)
    terms = counts.terms(measure)
    with one_blas_thread():  # several threads would take longer for products of this size
        values = quotient(*(terms @ members.T.astype(np.float64))).T
        differences = group_differences(terms, members)
        p_values, corrected, num_tests = _test(terms, members, seed, permutations)
        low, high = _bounds_of_groups(measure, counts, members, seed)
    sizes = members.sum(axis=1)
    frame = _long(
        found,
        counts.runs,
        num_queries=sizes[:, None],
        value=values,
        low=low,
        high=high,
        difference=differences,
        p=p_values,
        p_holm=corrected,
    )
    notes = [*_notes(runs, name, num_tests, sizes, dict(found)), *properties.notes]
    return AnalysisFrame.of(frame, "groups", f"{name} by group of queries: {runs.split.id}", notes)


def losses_by_group(runs: EvaluatedRuns, names: Sequence[str] | None = None) -> AnalysisFrame:
    """Compare for each cause of losses the share of their relevant items that groups of queries lose with the others.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    names : sequence of str, optional
        Properties, as for `groups`.

    Returns
    -------
    AnalysisFrame
        A row for each run, cause (of `miss_causes`) and group of queries that loses more of its items by the cause than
        the other queries. The columns are:

        * ``run``, ``property``, ``group``, ``cause``: names; ``num_queries``: number of queries in the group.
        * ``relevant``: the relevant items of the group; ``lost``: how many of them are lost by the cause; ``share``,
          ``share_of_others``: the share that is lost, and that of the other queries.
        * ``excess``: how many items more are lost than with the share of the others.
        * ``p``: permutation test of the difference of the shares, over queries; ``p_holm``: corrected for all causes
          and groups of the run.

        Significant differences come first, then those that explain most items.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        For an unknown property.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> gold = {"900656": {"900557": 2.0, "900912": 1.0}}
    >>> found = losses_by_group(evaluate("coliee/task1/sample/test", {"mine": gold}), ["numbered_paragraphs"])
    >>> found[["group", "relevant", "lost", "excess"]].round(2).to_numpy().tolist()[0]
    ['9', 6, 6, 0.46]
    """
    tables = []
    for name in runs.runs:
        causes = miss_causes(runs, name)
        numbers = pd.DataFrame(0, index=["nothing"], columns=[*runs.counts.query_ids])
        if len(causes):
            numbers = pd.crosstab(causes["cause"], causes["query_id"]).reindex(columns=numbers.columns, fill_value=0)
        table = _excess(runs, names, numbers, runs.counts.relevant[0])
        tables.append(table.assign(run=name))
    frame = pd.concat(tables, ignore_index=True)
    frame = frame.assign(significant=frame["p_holm"] < _SIGNIFICANT)
    columns = ["run", "property", "group", "cause", "num_queries", "relevant", "lost", "share", "share_of_others"]
    frame = frame.sort_values(["significant", "excess"], ascending=False, kind="stable", ignore_index=True)
    note = (
        "excess: items that are lost beyond the share of the other queries; p: permutation test over queries; "
        "p holm: corrected for all causes and groups of the run"
    )
    notes = [note, *query_properties(runs).notes]
    title, frame = "Losses by cause and group of queries", frame[[*columns, "excess", "p", "p_holm"]]
    return AnalysisFrame.of(frame, "losses_by_group", title, notes, runs=runs.runs)


def hard_for_all(runs: EvaluatedRuns, names: Sequence[str] | None = None) -> AnalysisFrame:
    """Find the groups of queries that no run answers more often than the other queries.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    names : sequence of str, optional
        Properties, as for `groups`.

    Returns
    -------
    AnalysisFrame
        A row for each group of which a larger share is unanswered than of the other queries: ``property``, ``group``,
        ``num_queries``, ``unanswered`` (the queries of which no run returns a relevant item, in tasks with one answer
        the right one), ``share``, ``share_of_others``, ``excess``, ``p`` and ``p_holm``, as `losses_by_group` has them
        of items.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        For an unknown property.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"R99-01-A": {"Y": 1.0}, "R99-01-I": {"N": 1.0}}}
    >>> found = hard_for_all(evaluate("coliee/task4/sample/en/test", answers), ["polarity"])
    >>> found[["group", "num_queries", "unanswered"]].to_numpy().tolist()
    [['affirmative', 13, 13]]
    """
    has_relevant = runs.counts.relevant[0] > 0
    unanswered = pd.DataFrame([has_relevant & ~(runs.counts.tp > 0).any(axis=0)], index=["no run"])
    table = _excess(runs, names, unanswered, has_relevant)
    table = table.drop(columns=["cause", "relevant"]).rename(columns={"lost": "unanswered"})
    answer = "the right answer" if runs.scorer.evaluation.single_answer else "a relevant item"
    table = table.sort_values(["p_holm", "excess"], ascending=[True, False], kind="stable", ignore_index=True)
    note = (
        f"unanswered: no run has {answer}, as for {unanswered.to_numpy().sum()} of {has_relevant.sum()}; excess: "
        "queries beyond the share of the others; p: permutation test over queries; p holm: corrected for all groups"
    )
    notes = [note, *query_properties(runs).notes]
    return AnalysisFrame.of(table, "hard_for_all", "Groups of queries that no run answers", notes)


def interactions(runs: EvaluatedRuns, names: Sequence[str] | None = None) -> AnalysisFrame:
    """Find what distinguishes runs: groups of queries for which a run is better or worse than the runs on average.

    Parameters
    ----------
    runs : EvaluatedRuns
        Two or more runs.
    names : sequence of str, optional
        Properties, as for `groups`.

    Returns
    -------
    AnalysisFrame
        A row for each group and run, those with the smallest p-value first: ``property``, ``group``, ``run``,
        ``num_queries``; ``value``, the measure over the queries of the group; ``interaction``, the run's difference
        between the group and the other queries minus the mean of this difference over the runs; ``p``, of the
        permutation test over queries, and ``p_holm``, corrected for all groups and runs.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        For an unknown property, or fewer than two runs.

    Notes
    -----
    The test uses the linearised value of a query, (n - v d) / mean(d), with its terms n and d of the measure's quotient
    v; for a mean over queries it is the query's value minus the mean.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> a, b = {"R99-01-A": {"Y": 1.0}}, {"R99-01-I": {"Y": 1.0}}
    >>> found = interactions(evaluate("coliee/task4/sample/en/test", {"a": a, "b": b}), ["anonymised"])
    >>> found[["group", "run", "interaction"]].round(4).to_numpy().tolist()[:2]
    [['yes', 'a', -0.0455], ['yes', 'b', 0.0455]]
    """
    if len(runs.runs) < 2:
        raise ColieeError(f"At least two runs are needed to tell them apart, got {len(runs.runs)}.")
    measure, counts = runs.official_counts
    _, found, members = _divided(runs, names)
    terms = counts.terms(measure)
    differences = group_differences(terms, members)
    linear = (terms[0] - quotient(*terms.sum(axis=2))[:, None] * terms[1]) / terms[1].mean(axis=1, keepdims=True)
    linear = np.stack([linear - linear.mean(axis=0), np.ones_like(linear)])
    p_values, corrected, _ = _test(linear, members, together=True)
    with one_blas_thread():
        values = quotient(*(terms @ members.T.astype(np.float64))).T
    frame = _long(
        found,
        counts.runs,
        num_queries=members.sum(axis=1)[:, None],
        value=values,
        interaction=differences - differences.mean(axis=1, keepdims=True),
        p=p_values,
        p_holm=corrected,
    )
    frame = frame.sort_values("p_holm", kind="stable", ignore_index=True)
    note = (
        "interaction: the run's difference between the group and the other queries, minus the mean of this difference "
        "over the runs; p: permutation test over queries; p holm: corrected for all groups and runs, of which "
        f"{int((frame['p_holm'] < _SIGNIFICANT).sum())} of {len(frame)} have p holm below .05"
    )
    title = f"What distinguishes the runs: {runs.official_name} by group and run"
    return AnalysisFrame.of(frame, "interactions", title, [note], runs=runs.runs)


def _long(found: Sequence[Group], runs: Sequence[str], **columns: Any) -> pd.DataFrame:
    """Return a row for each group and run, with columns from arrays of shape (groups, runs)."""
    rows = [(*group, run) for group in found for run in runs]
    frame = pd.DataFrame(rows, columns=["property", "group", "run"], dtype=object)
    shape = len(found), len(runs)
    return frame.assign(**{name: np.broadcast_to(array, shape).ravel() for name, array in columns.items()})


def _excess(
    runs: EvaluatedRuns,
    names: Sequence[str] | None,
    lost: pd.DataFrame,
    relevant: Integers | Booleans,
) -> pd.DataFrame:
    """Compare the share that groups lose with the others, of what each query has; ``lost`` has a row for each cause."""
    properties, found, members = _divided(runs, names)
    distinct: dict[bytes, int] = {}  # of groups with the same queries one is enough; a name says more than a number
    is_number = [pd.api.types.is_integer_dtype(properties[name]) for name, _ in found]
    for row in sorted(range(len(found)), key=is_number.__getitem__):
        distinct.setdefault(members[row].tobytes(), row)
    found, members = [found[row] for row in distinct.values()], members[[*distinct.values()]]
    terms = np.stack([lost.to_numpy(np.float64), np.broadcast_to(relevant.astype(np.float64), lost.shape)])
    p_values, corrected, _ = _test(terms, members, together=True)
    of_group, of_relevant = (terms @ members.T.astype(np.float64)).transpose(0, 2, 1)
    all_lost, all_relevant = terms.sum(axis=2)
    others = (all_lost - of_group) / np.maximum(all_relevant - of_relevant, 1)
    frame = _long(
        found,
        [*lost.index],
        num_queries=members.sum(axis=1)[:, None],
        relevant=of_relevant.astype(int),
        lost=of_group.astype(int),
        share=of_group / np.maximum(of_relevant, 1),
        share_of_others=others,
        excess=of_group - others * of_relevant,
        p=p_values,
        p_holm=corrected,
    ).rename(columns={"run": "cause"})
    return frame[(frame["excess"] > 0) & frame["p"].notna()]


def _divided(runs: EvaluatedRuns, names: Sequence[str] | None) -> tuple[AnalysisFrame, list[Group], Booleans]:
    """Return the properties, the groups by them, and a row of each group that says which queries it has."""
    if isinstance(names, str):
        raise TypeError(f"names must be a list of properties, got {shown(names)}.")
    properties = query_properties(runs)
    known = [column for column in properties.columns if column != "query_id"]
    if unknown := [name for name in names or () if name not in known]:
        notes = "".join(f"\n{note}" for note in properties.notes)
        raise ColieeError(f"No property {printable(unknown[0], 40)!r}.\nKnown are: {', '.join(known)}.{notes}")
    found, members = [], []
    for name in dict.fromkeys(known if names is None else names):
        labels, order = group_names(properties[name])
        if len(order) > 1 or names is not None:  # a single group divides nothing
            found += [(name, label) for label in order]
            members += [[each == label for each in labels] for label in order]
    return properties, found, np.array(members, dtype=np.bool_).reshape(len(found), len(runs.query_ids))


def _test(
    terms: Floats, members: Booleans, seed: int = 0, permutations: int = 10_000, *, together: bool = False
) -> tuple[Floats, Floats, int]:
    """Return the p-values, the corrected ones, and the number of tests of each column of the terms.

    Equal groups, and a group and its complement, are one test. The p-values are corrected for the tests of a column, or
    of all columns together.
    """
    sizes = members.sum(axis=1)
    tested = np.flatnonzero(np.minimum(sizes, members.shape[1] - sizes) >= _SMALLEST)
    p_values = np.full((len(members), terms.shape[1]), np.nan)
    p_values[tested] = group_p_values(terms, members[tested], seed=seed, permutations=permutations)
    tests = {row: (members[row] ^ members[row, 0]).tobytes() for row in tested.tolist()}
    corrected = p_values.copy()
    columns = range(terms.shape[1])
    for part in [columns] if together else [[column] for column in columns]:
        distinct = {(test, column): float(p_values[row, column]) for row, test in tests.items() for column in part}
        of_test = dict(zip(distinct, holm([*distinct.values()])))
        for column in part:
            corrected[tested, column] = [of_test[test, column] for test in tests.values()]
    return p_values, corrected, len({*tests.values()})


def _bounds_of_groups(measure: ColieeMeasure, counts: RunCounts, members: Booleans, seed: int) -> Floats:
    """Return the bounds of the intervals in an array of shape (2, groups, runs); NaN for a group of one query."""
    bounds = np.full((2, len(members), len(counts.runs)), np.nan)
    for row, of_group in enumerate(members):
        if of_group.sum() >= _SMALLEST:
            of_runs = intervals(measure, _of_queries(counts, of_group), seed=seed)
            bounds[:, row] = np.array([[each.low, each.high] for each in of_runs.values()]).T
    return bounds


def _of_queries(counts: RunCounts, members: Booleans) -> RunCounts:
    """Return the counts of some of the queries."""
    query_ids = tuple(query_id for query_id, is_member in zip(counts.query_ids, members) if is_member)
    tp, returned, relevant = (array[:, members] for array in (counts.tp, counts.returned, counts.relevant))
    return replace(counts, query_ids=query_ids, tp=tp, returned=returned, relevant=relevant)


def _notes(runs: EvaluatedRuns, measure: str, tests: int, sizes: Integers, names: Iterable[str]) -> Iterator[str]:
    yield (
        f"value: {measure} over the queries of the group; low, high: its 95 % bootstrap interval; difference: value "
        "minus that of all other queries; p: permutation test of the difference, in which any set of as many queries "
        "could be the group; p holm: corrected for all tests of the run."
    )
    if runs.split.measure == "GatedAccuracy" and measure != runs.split.measure:
        yield f"Gated accuracy needs the answers Y and N of each run; {measure} is shown instead."
    if tests > 1:
        chance = tests * 0.05
        yield f"Of {tests} tests for each run, about {chance:.1f} have p below .05 by chance alone; look at p holm."
    if small := (sizes < _FEW).sum():
        yield f"{small} of {len(sizes)} groups have fewer than {_FEW} queries: their figures say little."
    yield "Numbers are cut at their quartiles; equal numbers are in one group."
    yield "Properties: " + "; ".join(f"{words(name)}: {PROPERTIES[name][1]}" for name in names) + "."
