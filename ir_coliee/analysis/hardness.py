"""Which queries are hard for all runs, and how alike the runs are, query by query.

A query's value is that of the split's measure, computed from the query's own counts. Its mean value is the mean over
the runs. The overview of COLIEE 2023 has these statistics for task 3: Goebel et al., "Overview and Discussion of the
Competition on Legal Information, Extraction/Entailment (COLIEE) 2023" (2024), section 4.4.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
import pandas as pd

from ir_coliee.analysis.causes import miss_causes
from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.errors import ColieeError, printable_list
from ir_coliee.frames import integer_at_least

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


def hardest_queries(runs: EvaluatedRuns, num: int | None = None) -> AnalysisFrame:
    """List the queries by their mean value over the runs, the hardest first, with the causes of their misses.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    num : int, optional
        The number of queries; by default all.

    Returns
    -------
    AnalysisFrame
        A row for each query and run: query_id, relevant, mean_value, found, complete and exact as by `query_results`;
        causes, those of `miss_causes` with the number of misses over all runs, the most frequent first; run, and value.

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
    >>> hardest_queries(runs)[["query_id", "causes", "run", "value"]].round(4).to_numpy().tolist()[-1]
    ['900656', 'not returned (no ranking) (2)', 'other', 0.6667]
    """
    if num is not None:
        integer_at_least("num", num, 1)
    queries = query_results(runs)[:num]
    misses = pd.concat([miss_causes(runs, name) for name in runs.runs])
    numbers = misses.groupby("query_id")["cause"].value_counts().reset_index(name="number")
    causes: dict[str, list[str]] = {query_id: [] for query_id in queries["query_id"]}
    for query_id, cause, number in numbers.itertuples(index=False, name=None):
        causes.get(query_id, []).append(f"{cause} ({number})")
    queries["causes"] = queries["query_id"].map(causes).str.join("; ")
    return AnalysisFrame.of(
        queries.merge(runs.per_query[["query_id", "run", "value"]], on="query_id"),
        kind="hardest_queries",
        title="Queries by their mean value, the hardest first",
        notes=[
            f"mean value: {runs.value_name} of a query, mean over {len(runs.runs)} run{'s' * (len(runs.runs) > 1)}",
            "found, complete, exact: the number of runs that return a relevant item, all of them, exactly them",
            "causes: of the misses of all runs, with their number",
        ],
        spread=("run", "value"),
    )


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
    return AnalysisFrame.of(
        pd.DataFrame(rows, columns=["answer", "relevant", "answered_by", "num_queries"]),
        kind="answered_by",
        title="Queries that no run, some runs and all runs answer",
        notes=notes,
        spread=("answered_by", "num_queries"),
    )


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
    return AnalysisFrame.of(frame, kind="agreement", title="Agreement of the runs", notes=notes)


def _pairs(answers: pd.DataFrame, query_ids: Iterable[str]) -> set[tuple[str, str]]:
    scored = answers[answers["qid"].isin({*query_ids})]
    return {*zip(scored["qid"], scored["docno"])}
