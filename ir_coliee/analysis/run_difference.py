"""Two runs, query by query: what each of them finds that the other does not, and what the difference is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from ir_coliee.analysis import run_difference_tables as tables
from ir_coliee.analysis.agreement import comparison
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns, evaluate
from ir_coliee.analysis.pages import page, write_page
from ir_coliee.analysis.plain_values import plain_rows
from ir_coliee.analysis.run_difference_blocks import blocks
from ir_coliee.display import Block, displayed
from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, printable
from ir_coliee.evaluation.comparison import Comparison
from ir_coliee.evaluation.runs import Run, Runs
from ir_coliee.evaluation.statistics import highest_ratio


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
        in the rankings, or in the answer set of a run without one. Ranks count from 0 and are missing for items that
        are not in the file.
    """

    runs: EvaluatedRuns
    measure: str
    figures: pd.DataFrame | None
    comparison: Comparison | None
    queries: pd.DataFrame
    items: pd.DataFrame

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and B."""
        a, b = self.runs.runs
        return a, b

    @property
    def right_and_wrong(self) -> dict[str, int] | None:
        """McNemar's counts: queries that ``both``, ``A``, ``B`` and ``neither`` answer right.

        None for measures with values other than 0 and 1, and without labels.
        """
        if not self.has_gold or self.runs.official_counts[0].num_evaluated != 1:
            return None
        a, b = (self.queries[column] == 1 for column in ("value_a", "value_b"))
        found = {"both": a & b, "A": a & ~b, "B": b & ~a, "neither": ~(a | b)}
        return {name: int(queries.sum()) for name, queries in found.items()}

    @property
    def has_single_answers(self) -> bool:
        """Whether each query has exactly one answer, as in task 4."""
        return self.runs.scorer.evaluation.single_answer

    @property
    def has_gold(self) -> bool:
        """Whether the local release has gold labels."""
        return self.runs.has_gold

    @property
    def largest_differences(self) -> list[str]:
        """The queries with different answers, those with the largest contribution to the difference first."""
        alone = self.items[self.items["found_by"].isin(["A", "B"])]
        sizes = alone.groupby("query_id").size().rename("items").reset_index()
        table = self.queries.merge(sizes, on="query_id")
        table = table.assign(size=table["contribution"].abs() if self.has_gold else 0.0)
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
        return tables.side_by_side(self.runs, self.items, query_id, num_results)

    def display(self) -> Iterator[Block]:
        """Return figures, significance, and the queries and items that differ, as `ir_coliee.display` shows them."""
        return blocks(self)

    def __repr__(self) -> str:
        return f"<RunDifference of {' and '.join(map(printable, self.names))}, {self.runs.split.id}>"

    def as_json(self) -> dict[str, Any]:
        """Return the difference as plain dicts and lists, with None for what is missing."""
        return {
            "dataset_id": self.runs.split.id,
            "measure": self.measure,
            "runs": dict(zip("AB", self.names)),
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
        title = f"{' and '.join(self.names)} on {self.runs.split.id}"
        write_page(Path(path), page(title, self.display(), with_texts=False), with_texts=False, overwrite=overwrite)

    @property
    def warnings(self) -> list[str]:
        """Signs that a run is incomplete, each with the name of the run."""
        return [f"{name}: {text}" for name, run in self.runs.runs.items() for text in run.remarks.warnings]

    @property
    def notes(self) -> list[str]:
        """Notes on the runs, and on the gold labels or their absence."""
        of_runs = [f"{name}: {text}" for name, run in self.runs.runs.items() for text in run.remarks.notes]
        if not self.has_gold:
            return [*of_runs, f"{self.runs.split.id} has no gold labels here: hits and figures are not known"]
        return [*of_runs, *self.runs.scorer.gold_notes]


def difference(
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
    >>> found = difference("coliee/task1/sample/test", a, b)
    >>> found.items.loc[found.items["query_id"] == "900656", ["doc_id", "relevant", "found_by"]].to_numpy().tolist()
    [['900557', True, 'both'], ['900912', True, 'B'], ['900664', False, 'A']]
    >>> found.queries[["query_id", "won", "lost", "false_a", "false_b"]].to_numpy().tolist()[-1]
    ['900656', 0, 1, 1, 0]
    """
    runs = evaluate(dataset, [a, b], rankings=rankings, answers=answers)
    return difference_between(runs, *runs.runs)


def difference_between(runs: EvaluatedRuns, a: str, b: str) -> RunDifference:
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
    >>> found = difference_between(runs, "mine", "other")
    >>> found.queries.loc[found.queries["better"] != "", ["query_id", "false_a", "better"]].to_numpy().tolist()
    [['900656', 1, 'B']]
    """
    two = {name: runs.run(name) for name in (a, b)}
    if len(two) < 2:
        raise ColieeError(f"{printable(a, 40)} was given twice. Pass two different runs.")
    pair = replace(runs, runs=two)
    items = tables.items(pair)
    if not pair.has_gold:
        return RunDifference(pair, str(pair.measure), None, None, tables.queries_without_labels(pair, items), items)
    measure, counts = pair.official_counts
    terms = counts.terms(measure)
    _, choices = highest_ratio(*terms.transpose(0, 2, 1))
    return RunDifference(
        runs=pair,
        measure=pair.official_name,
        figures=tables.figures(pair, choices == 1),
        comparison=comparison(pair),
        queries=tables.queries(pair, items, terms, choices == 1),
        items=items,
    )
