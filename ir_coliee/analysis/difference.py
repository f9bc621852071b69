"""Two runs, query by query: what each of them finds that the other does not, and what the difference is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import plain_rows
from ir_coliee.analysis.page import page, write_page
from ir_coliee.analysis.runs import EvaluatedRun, EvaluatedRuns, evaluate
from ir_coliee.display import Block, Details, Heading, Table, WarningText, displayed
from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.comparison import Comparison, as_table
from ir_coliee.evaluation.leaderboards import column_head
from ir_coliee.evaluation.runs import Run, Runs
from ir_coliee.evaluation.scoring import ScoredRun
from ir_coliee.evaluation.statistics import highest_ratio, quotient
from ir_coliee.frames import Booleans, Floats

# How a difference of two runs is shown: in text the queries that differ most, in HTML all of them.


_SHOWN = 5  # queries for each of the two runs in text
_SIDE_BY_SIDE = 10  # queries whose rankings are shown in HTML

_COMBINED = {
    "union": "union: what A or B returns.",
    "intersection": "intersection: what both return.",
    "oracle": "oracle: for each query the better of A and B, chosen with the labels.",
}
_ITEM_COLUMNS = {"doc_id": "item", "gold": "gold", "rank_a": "rank in A", "rank_b": "rank in B"}
_COLUMNS = (
    "part: contribution of the query to the difference A - B; the parts of all queries add up to it. "
    "won, lost: relevant items that only A or only B returns. false A, false B: false answers of one alone."
)


def difference_blocks(found: RunDifference) -> Iterator[Block]:
    """Yield what a person sees of a difference."""
    yield f"{found.runs.split.pretty_name}, {found.measure}"
    yield from (f"{letter}: {name}" for letter, name in zip("AB", found.runs.runs))
    yield from map(WarningText, found.warnings)
    if found.figures is not None and found.comparison is not None:
        yield Heading("Figures")
        yield Table.of_frame(found.figures.rename(columns={"answers": "run"}).rename(columns=column_head))
        yield " ".join(meaning for name, meaning in _COMBINED.items() if name in [*found.figures["answers"]])
        yield Heading("Difference A - B")
        table = as_table(pd.DataFrame(found.comparison))
        shown = dict(zip(table.header, table.rows[0]))
        yield (
            f"{shown['difference']}, 95 % interval {shown['low']} to {shown['high']}, p {shown['p']} (randomisation "
            f"test). The answers differ in {shown['differing']} of {len(found.queries)} queries."
        )
    if counts := found.right_and_wrong:
        yield Heading("Queries answered right and wrong")
        rows = [["A right", counts["both"], counts["A"]], ["A wrong", counts["B"], counts["neither"]]]
        yield Table(["run", "B right", "B wrong"], rows)
    if not (found.runs.scorer.evaluation.single_answer and found.runs.has_gold):
        yield from _items(found)
    yield from _queries(found) if found.runs.has_gold else _queries_without_labels(found)
    if any(run.ranking is not None for run in found.runs.runs.values()):
        answer_of = {"A": "A", "B": "B", "both": "A, B", "neither": ""}
        for query_id in found.largest_differences[:_SIDE_BY_SIDE]:
            items = found.side_by_side(query_id).assign(answer_of=lambda each: each["found_by"].map(answer_of))
            columns = {**_ITEM_COLUMNS, "answer_of": "answer of"}
            yield Details(f"The rankings of query {query_id} (ranks count from 1)", _item_table(items, columns))
    yield from found.notes


def _items(found: RunDifference) -> Iterator[Block]:
    yield Heading("Items")
    finders = {"both": "both", "A": "only A", "B": "only B"}
    counted = {"items": found.items["found_by"]}
    if found.runs.has_gold:
        finders["neither"] = "neither"
        is_relevant = found.items["relevant"].astype(bool)
        counted = {"relevant": counted["items"][is_relevant], "false": counted["items"][~is_relevant]}
    numbers = {name: finder.value_counts() for name, finder in counted.items()}
    rows = [[name, *(int(of.get(key, 0)) for of in numbers.values())] for key, name in finders.items()]
    yield Table(["returned by", *numbers], rows)
    for letter in "AB":
        alone = found.items[found.items["found_by"] == letter]
        if len(alone):
            table = _item_table(alone, {"query_id": "query", **_ITEM_COLUMNS})
            yield Details(f"The {len(alone)} items that only {letter} returns (ranks count from 1)", table)


def _queries(found: RunDifference) -> Iterator[Block]:
    queries, items = found.queries.copy(), found.items
    if found.runs.scorer.evaluation.single_answer:  # the gold label and the answers say all
        chosen = {"gold": items["relevant"]} | {run: items["found_by"].isin([run, "both"]) for run in "AB"}
        for name, rows in chosen.items():
            queries[name] = queries["query_id"].map(items[rows].set_index("query_id")["doc_id"])
        columns = {"query_id": "query", **dict(zip(chosen, chosen))}
    else:
        value = "accuracy" if found.right_and_wrong else found.runs.value_name
        columns = {"query_id": "query", "relevant": "relevant", "value_a": f"{value} A", "value_b": f"{value} B"}
        columns |= {"contribution": "part", "won": "won", "lost": "lost", "false_a": "false A", "false_b": "false B"}
    gains = queries["value_a"] - queries["value_b"]
    of_b = queries[gains < 0].sort_values(["contribution", "query_id"])
    better = {"A": queries[gains > 0], "B": of_b}
    others = queries.loc[gains == 0, "query_id"].isin(found.largest_differences).sum()
    yield Heading("Queries")
    yield (
        f"A is better in {len(better['A'])}, equal in {(gains == 0).sum()}, worse in {len(of_b)} of {len(queries)} "
        f"queries. Of the equal ones {others} have other answers."
    )
    for letter, of_run in better.items():
        if len(of_run):
            yield Heading(f"{letter} is better", level=2)
            yield from _first(of_run, columns)
    if "contribution" in columns:
        yield _COLUMNS
    yield Details(f"All {len(queries)} queries", _table(queries, columns))


def _queries_without_labels(found: RunDifference) -> Iterator[Block]:
    differing = found.queries[found.queries["only_a"] + found.queries["only_b"] > 0]
    columns = {"query_id": "query", "shared": "both", "only_a": "only A", "only_b": "only B"}
    yield Heading(f"Queries with other answers: {len(differing)} of {len(found.queries)}")
    yield from _first(differing, columns)
    yield Details(f"All {len(found.queries)} queries", _table(found.queries, columns))


def _first(queries: pd.DataFrame, columns: Mapping[str, str]) -> Iterator[Block]:
    if len(queries):
        yield _table(queries[:_SHOWN], columns)
    if len(queries) > _SHOWN:
        yield f"and {len(queries) - _SHOWN} more"


def _item_table(items: pd.DataFrame, columns: Mapping[str, str]) -> Table:
    gold = items["relevant"].map({True: "relevant", False: ""}, na_action="ignore")
    return _table(items.assign(gold=gold), columns)


def _table(rows: pd.DataFrame, columns: Mapping[str, str]) -> Table:
    """Return columns of a frame, with the names that are shown."""
    return Table.of_frame(rows[[*columns]].rename(columns=columns))


# The tables of a run difference: items with the runs that return them, queries, and figures of combined answers.


_PAIR = ["query_id", "doc_id"]
_RANKS = ["rank_a", "rank_b"]
_ROUNDING = 1e-12  # a smaller contribution is 0


def item_table(pair: EvaluatedRuns) -> pd.DataFrame:
    """Return the returned and the relevant items of the scored queries, the runs that return them, and the ranks."""
    a, b = (_pairs(run.answers[run.answers["qid"].isin(pair.query_ids)]) for run in pair.runs.values())
    items = a.merge(b, how="outer", on=_PAIR, indicator="found_by")
    items["found_by"] = items["found_by"].astype(str).map({"both": "both", "left_only": "A", "right_only": "B"})
    if pair.has_gold:
        items = items.merge(pair.gold, how="outer", on=_PAIR, indicator="relevant")
        items = items.assign(relevant=items["relevant"] != "left_only", found_by=items["found_by"].fillna("neither"))
    else:
        items["relevant"] = pd.NA
    items = _with_ranks(items.astype({"relevant": "boolean"}), pair)
    order = items.assign(irrelevant=~items["relevant"], best=items[_RANKS].min(axis=1))
    order = order.sort_values(["query_id", "irrelevant", "best", "doc_id"], ignore_index=True)
    return order[[*_PAIR, "relevant", "found_by", *_RANKS]]


def _pairs(results: pd.DataFrame) -> pd.DataFrame:
    return results[["qid", "docno"]].set_axis(_PAIR, axis=1)


def _with_ranks(items: pd.DataFrame, pair: EvaluatedRuns) -> pd.DataFrame:
    """Add the ranks of the items in the two rankings."""
    for column, run in zip(_RANKS, pair.runs.values()):
        ranking = _ranking(run)
        ranks = _pairs(ranking).assign(**{column: ranking["rank"].astype("Int64") + 1})
        items = items.merge(ranks, how="left", on=_PAIR)
    return items


def _ranking(run: EvaluatedRun) -> pd.DataFrame:
    """Return the ranking of a run; its answer set if the ranking is not known."""
    return run.answers if run.ranking is None else run.ranking


def _num_by_finder(items: pd.DataFrame, names: Mapping[str, str], query_ids: Sequence[str]) -> pd.DataFrame:
    """Count the items of each query that both, A, B and neither return, in columns of these names."""
    counts = pd.crosstab(items["query_id"], items["found_by"])
    return counts.reindex(index=[*query_ids], columns=[*names], fill_value=0).set_axis([*names.values()], axis=1)


def queries_without_labels(pair: EvaluatedRuns, items: pd.DataFrame) -> pd.DataFrame:
    """Count the answers of both runs and of one alone; the queries with the most differing answers come first."""
    names = {"both": "shared", "A": "only_a", "B": "only_b"}
    table = _num_by_finder(items, names, pair.query_ids).rename_axis("query_id").reset_index()
    order = (-(table["only_a"] + table["only_b"])).argsort(kind="stable")
    return table.iloc[order].reset_index(drop=True)


def query_table(pair: EvaluatedRuns, items: pd.DataFrame, terms: Floats, prefers_b: Booleans) -> pd.DataFrame:
    """Return the row of each query: values, contribution, and the items that one run finds and the other does not."""
    values = quotient(*terms)
    is_different = (terms[:, 0] != terms[:, 1]).any(axis=0)
    of_query = {
        "query_id": pair.counts.query_ids,
        "relevant": pair.counts.relevant[0],
        "value_a": values[0],
        "value_b": values[1],
        "difference": values[0] - values[1],
        "contribution": contributions(terms),
        "better": np.where(is_different, np.where(prefers_b, "B", "A"), ""),
    }
    hits = {"both": "shared_hits", "A": "won", "B": "lost", "neither": "missed"}
    false = {"both": "shared_false", "A": "false_a", "B": "false_b"}
    counts = [
        _num_by_finder(items[items["relevant"] == is_relevant], names, pair.counts.query_ids)
        for is_relevant, names in ((True, hits), (False, false))
    ]
    table = pd.concat([pd.DataFrame(of_query), *(frame.reset_index(drop=True) for frame in counts)], axis=1)
    table = table[[*table.columns.drop("better"), "better"]]
    return table.sort_values(["contribution", "query_id"], ascending=[False, True], ignore_index=True)


def contributions(terms: Floats) -> Floats:
    """Return the part of each query in the difference of two values.

    Parameters
    ----------
    terms : numpy.ndarray of shape (2, 2, n_queries)
        The numerators and denominators of two runs, see `ir_coliee.evaluation.statistics.RunCounts.terms`.

    Returns
    -------
    numpy.ndarray of shape (n_queries,)
        They add up to the difference of the two values; the formula is given at `difference`.

    Examples
    --------
    >>> import numpy as np
    >>> terms = np.array([[[2.0, 0.0], [2.0, 0.0]], [[4.0, 3.0], [4.0, 1.0]]])
    >>> contributions(terms).round(4).tolist(), round(2 / 7 - 2 / 5, 4)
    ([0.0, -0.1143], -0.1143)
    """
    (numerator_a, numerator_b), (denominator_a, denominator_b) = terms
    midpoint = quotient(*terms.sum(axis=2)).mean()
    mean = terms[1].sum(axis=1).mean()
    parts = numerator_a - numerator_b - midpoint * (denominator_a - denominator_b)
    parts = parts / (mean or 1.0)
    return np.where(np.abs(parts) > _ROUNDING, parts, 0.0)


def figure_table(pair: EvaluatedRuns, prefers_b: Booleans) -> pd.DataFrame:
    """Return the official table of A, B, their union and intersection, and of the better of both for each query."""
    a, b = pair.runs.values()
    in_b = pd.MultiIndex.from_frame(_pairs(a.answers)).isin(pd.MultiIndex.from_frame(_pairs(b.answers)))
    of_b = {query_id for query_id, is_b in zip(pair.counts.query_ids, prefers_b) if is_b}
    is_correct = None
    if a.scored is not None and b.scored is not None and a.scored.is_correct and b.scored.is_correct:
        is_correct = {**a.scored.is_correct, **{query_id: b.scored.is_correct[query_id] for query_id in of_b}}

    def scored(answers: pd.DataFrame, is_correct: Mapping[str, bool] | None = None) -> ScoredRun:
        return ScoredRun(answers, pair.scorer.gold, pair.measure, is_correct=is_correct)

    sets = {"A": a.scored, "B": b.scored}
    if not pair.scorer.evaluation.single_answer:  # two answers to a question are no answer
        sets |= {"union": scored(pd.concat([a.answers, b.answers])), "intersection": scored(a.answers[in_b])}
    chosen = [a.answers[~a.answers["qid"].isin(of_b)], b.answers[b.answers["qid"].isin(of_b)]]
    sets["oracle"] = scored(pd.concat(chosen), is_correct)
    rows = [{"answers": name, **pair.scorer.figures(each)} for name, each in sets.items() if each is not None]
    return pd.DataFrame(rows)


@displayed
@dataclass(frozen=True, eq=False)
class RunDifference:
    """The difference of two runs, called A and B. Without gold labels, it only says which answers differ.

    Attributes
    ----------
    runs : EvaluatedRuns
        The two runs, A first.
    measure : str
        The name of the measure that the queries are compared by; in task 3 of 2026 gated accuracy if both runs have
        answers Y and N, otherwise the F2 that breaks ties.
    figures : pandas.DataFrame or None
        The columns of the official table, with a row each for ``A``, ``B``, the ``union`` and the ``intersection`` of
        the two answer sets (not where a query has exactly one answer), and the ``oracle``: the better of A and B for
        each query, chosen with the labels; for a micro measure the joint choice with the highest value. None without
        labels.
    comparison : Comparison or None
        Significance, interval and effect size of the difference A - B, from
        `ir_coliee.evaluation.comparison.compare_counts`. None without labels.
    queries : pandas.DataFrame
        A row for each scored query, sorted by ``contribution``, the best query of A first. The columns are:

        * ``query_id``, ``relevant``: the number of relevant items; ``value_a``, ``value_b``, ``difference``: the values
          of the measure for this query, and A - B.
        * ``contribution``: the part of this query in the difference of the two figures; the contributions of all
          queries add up to it (see `difference`).
        * ``shared_hits``, ``won``, ``lost``, ``missed``: relevant items that both runs return, only A, only B, neither.
        * ``shared_false``, ``false_a``, ``false_b``: false answers of both, of A alone, of B alone.
        * ``better``: ``A`` or ``B``, as the oracle chooses; empty if the counts of both are equal.

        Without labels: ``query_id``, ``shared``, ``only_a``, ``only_b``, sorted by the number of answers of one alone.
    items : pandas.DataFrame
        A row for each returned and each relevant item of these queries: ``query_id``, ``doc_id``, ``relevant`` (missing
        without labels), ``found_by`` (``both``, ``A``, ``B`` or ``neither``), and ``rank_a`` and ``rank_b``, the ranks
        in the rankings, or in the answer set of a run without one. Ranks count from 1 and are missing for items that
        are not in the file.
    """

    runs: EvaluatedRuns
    measure: str
    figures: pd.DataFrame | None
    comparison: Comparison | None
    queries: pd.DataFrame
    items: pd.DataFrame

    @property
    def right_and_wrong(self) -> dict[str, int] | None:
        """McNemar's counts: queries that ``both``, ``A``, ``B`` and ``neither`` answer right.

        None for measures with values other than 0 and 1, and without labels.
        """
        if not self.runs.has_gold or self.runs.official_counts[0].num_evaluated != 1:
            return None
        a, b = (self.queries[column] == 1 for column in ("value_a", "value_b"))
        found = {"both": a & b, "A": a & ~b, "B": b & ~a, "neither": ~(a | b)}
        return {name: int(queries.sum()) for name, queries in found.items()}

    @property
    def largest_differences(self) -> list[str]:
        """The queries with different answers, those with the largest contribution to the difference first."""
        alone = self.items[self.items["found_by"].isin(["A", "B"])]
        sizes = alone.groupby("query_id").size().rename("items").reset_index()
        table = self.queries.merge(sizes, on="query_id")
        table = table.assign(size=table["contribution"].abs() if self.runs.has_gold else 0.0)
        order = table.sort_values(["size", "items", "query_id"], ascending=[False, False, True])
        return [str(query_id) for query_id in order["query_id"]]

    def side_by_side(self, query_id: str, num_results: int = 10) -> pd.DataFrame:
        """Return the first items of the two rankings of a query, with its relevant items and all answers.

        Parameters
        ----------
        query_id : str
            The query.
        num_results : int, default 10
            The number of items of each ranking.

        Returns
        -------
        pandas.DataFrame
            The rows and columns of ``items``, and the ranked items that neither run returns, with ``found_by``
            ``neither``. The items with the best rank in one of the rankings come first.
        """
        of_query = self.items.loc[self.items["query_id"] == query_id, [*_PAIR, "relevant", "found_by"]]
        rankings = map(_ranking, self.runs.runs.values())
        tops = [ranking[(ranking["qid"] == query_id) & (ranking["rank"] < num_results)] for ranking in rankings]
        items = of_query.merge(_pairs(pd.concat(tops)).drop_duplicates(), how="outer", on=_PAIR)
        items["found_by"] = items["found_by"].fillna("neither")
        if self.runs.has_gold:
            items["relevant"] = items["relevant"].fillna(False)
        items = _with_ranks(items, self.runs)
        best = items[_RANKS].min(axis=1)
        return items.assign(best=best).sort_values(["best", "doc_id"], ignore_index=True).drop(columns="best")

    def display(self) -> Iterator[Block]:
        """Return figures, significance, and the queries and items that differ, as `ir_coliee.display` shows them."""
        return difference_blocks(self)

    def __repr__(self) -> str:
        return f"<RunDifference of {' and '.join(map(printable, self.runs.runs))}, {self.runs.split.id}>"

    def as_json(self) -> dict[str, Any]:
        """Return the difference as plain dicts and lists, with None for what is missing."""
        return {
            "dataset_id": self.runs.split.id,
            "measure": self.measure,
            "runs": dict(zip("AB", self.runs.runs)),
            "figures": None if self.figures is None else plain_rows(self.figures),
            "comparison": None if self.comparison is None else plain_rows(self.comparison)[0],
            "right_and_wrong": self.right_and_wrong,
            "queries": plain_rows(self.queries),
            "items": plain_rows(self.items),
            "warnings": self.warnings,
            "notes": self.notes,
        }

    def write_page(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the difference with all queries and items as an HTML page, which has ids and figures but no texts.

        Raises
        ------
        ExistingFileError
            If the file exists and ``overwrite`` is false.
        """
        title = f"{' and '.join(self.runs.runs)} on {self.runs.split.id}"
        write_page(Path(path), page(title, self.display(), with_texts=False), with_texts=False, overwrite=overwrite)

    @property
    def warnings(self) -> list[str]:
        """Signs that a run is incomplete, each with the name of the run."""
        return [f"{name}: {text}" for name, run in self.runs.runs.items() for text in run.remarks.warnings]

    @property
    def notes(self) -> list[str]:
        """Notes on the runs, and on the gold labels or their absence."""
        of_runs = [f"{name}: {text}" for name, run in self.runs.runs.items() for text in run.remarks.notes]
        if not self.runs.has_gold:
            return [*of_runs, f"{self.runs.split.id} has no gold labels here: hits and figures are not known"]
        return [*of_runs, *self.runs.scorer.gold_notes]


def diff(
    dataset: Dataset,
    a: Run,
    b: Run,
    *,
    rankings: Runs | None = None,
    answers: Runs | None = None,
) -> RunDifference:
    """Compare two runs of a split query by query.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    a, b : path, pandas.DataFrame or dict
        The answer sets. Runs in memory are named ``run 1`` and ``run 2``.
    rankings, answers : sequence or dict, optional
        The rankings, and for task 3 of 2026 the answers Y and N, as in `ir_coliee.analysis.evaluate`.

    Returns
    -------
    RunDifference

    Raises
    ------
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If fewer than half of the query ids of a run are known, as for a run of another edition.
    ColieeError
        If both runs are the same file.

    Notes
    -----
    With the sums of the numerators n and denominators d of the measure over all queries, the value of a run is
    v = Σ n / Σ d. The contribution of a query to v(A) - v(B) is

        [n(A) - n(B) - (v(A) + v(B)) / 2 · (d(A) - d(B))] / [(Σ d(A) + Σ d(B)) / 2],

    and the contributions of all queries add up to the difference exactly. For a mean over queries, it is the difference
    of the query's values divided by the number of queries. For a micro measure, the order of the contributions can
    differ from that of the query's own values: a run that returns five false answers to a query instead of one has the
    value 0 for it in both cases, but a lower figure.

    Examples
    --------
    >>> a = {"900656": {"900557": 2.0, "900664": 1.0}}
    >>> b = {"900656": {"900557": 2.0, "900912": 1.0}}
    >>> found = diff("coliee/task1/sample/test", a, b)
    >>> found.items.loc[found.items["query_id"] == "900656", ["doc_id", "relevant", "found_by"]].to_numpy().tolist()
    [['900557', True, 'both'], ['900912', True, 'B'], ['900664', False, 'A']]
    >>> found.queries[["query_id", "won", "lost", "false_a", "false_b"]].to_numpy().tolist()[-1]
    ['900656', 0, 1, 1, 0]
    """
    runs = evaluate(dataset, [a, b], rankings=rankings, answers=answers)
    return diff_between(runs, *runs.runs)


def diff_between(runs: EvaluatedRuns, a: str, b: str) -> RunDifference:
    """Compare two of several evaluated runs query by query.

    Parameters
    ----------
    runs : EvaluatedRuns
        The result of `ir_coliee.analysis.evaluate`.
    a, b : str
        The names of two different runs.

    Returns
    -------
    RunDifference

    Raises
    ------
    ColieeError
        If there is no run of this name, or if both names are equal.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> answers = {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}, "other": {"900656": {"900557": 1.0}}}
    >>> runs = evaluate("coliee/task1/sample/test", answers)
    >>> found = diff_between(runs, "mine", "other")
    >>> found.queries.loc[found.queries["better"] != "", ["query_id", "false_a", "better"]].to_numpy().tolist()
    [['900656', 1, 'B']]
    """
    two = {name: runs.run(name) for name in (a, b)}
    if len(two) < 2:
        raise ColieeError(f"{printable(a, 40)} was given twice. Pass two different runs.")
    pair = replace(runs, runs=two)
    items = item_table(pair)
    if not pair.has_gold:
        return RunDifference(pair, str(pair.measure), None, None, queries_without_labels(pair, items), items)
    measure, counts = pair.official_counts
    terms = counts.terms(measure)
    _, choices = highest_ratio(*terms.transpose(0, 2, 1))
    return RunDifference(
        runs=pair,
        measure=pair.official_name,
        figures=figure_table(pair, choices == 1),
        comparison=pair.comparison,
        queries=query_table(pair, items, terms, choices == 1),
        items=items,
    )
