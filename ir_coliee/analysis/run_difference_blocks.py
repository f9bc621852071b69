"""How a difference of two runs is shown: in text the queries that differ most, in HTML all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from ir_coliee.display import Block, Details, Heading, Table, WarningText
from ir_coliee.evaluation.comparison import as_table

if TYPE_CHECKING:
    from ir_coliee.analysis.run_difference import RunDifference

_SHOWN = 5  # queries for each of the two runs
_SIDE_BY_SIDE = 10  # queries whose rankings are shown

_FIGURES = {
    "union": "items that A or B returns",
    "intersection": "items that both return",
    "oracle": "the better of A and B for each query, chosen with the labels: no choice can exceed it",
}
_QUERY_COLUMNS = {
    "query_id": "query",
    "relevant": "relevant",
    "value_a": "A",
    "value_b": "B",
    "contribution": "part",
    "won": "won",
    "lost": "lost",
    "false_a": "false A",
    "false_b": "false B",
}
_COLUMNS = (
    "part: contribution of the query to the difference of the figures; all parts add up to it. "
    "won, lost: relevant items that only A and only B returns. false A, false B: false answers of one alone."
)


def blocks(found: RunDifference) -> Iterator[Block]:
    """Yield what a person sees of a difference."""
    a, b = found.names
    yield Heading(f"{found.runs.split.pretty_name}, {found.measure}")
    yield f"A: {a}"
    yield f"B: {b}"
    yield from map(WarningText, found.warnings)
    if found.figures is not None:
        yield from _figures(found, found.figures)
        yield from _significance(found)
    yield from _items(found)
    yield from _queries(found) if found.has_gold else _queries_without_labels(found)
    yield from _side_by_side(found)
    yield from found.notes


def _figures(found: RunDifference, figures: pd.DataFrame) -> Iterator[Block]:
    yield Heading("Figures")
    yield Table.of_frame(figures.rename(columns={"answers": ""}))
    yield from (f"{name}: {meaning}" for name, meaning in _FIGURES.items() if name in [*figures["answers"]])
    if counts := found.right_and_wrong:
        yield Heading("Queries answered right and wrong")
        rows = [["A right", counts["both"], counts["A"]], ["A wrong", counts["B"], counts["neither"]]]
        yield Table(["", "B right", "B wrong"], rows)


def _significance(found: RunDifference) -> Iterator[Block]:
    table = as_table(pd.DataFrame(found.comparison))
    shown = dict(zip(table.header, table.rows[0]))
    trials = "all swaps of the answers tried" if shown["exact"] == "yes" else "random swaps of the answers"
    yield Heading("Difference A - B")
    yield Table.of_facts(
        {
            "difference": shown["difference"],
            "95 % interval": f"{shown['low']} to {shown['high']}",
            "p": f"{shown['p']} ({trials})",
            "effect size": shown["effect_size"],
            "detectable": f"{shown['detectable']} (with this number of queries, power 80 %)",
            "queries that differ": f"{shown['differing']} of {len(found.queries)}",
        }
    )


def _items(found: RunDifference) -> Iterator[Block]:
    yield Heading("Items")
    finders = {"both": "both", "A": "only A", "B": "only B"}
    if found.has_gold:
        table = pd.crosstab(found.items["found_by"], found.items["relevant"].astype(bool))
        table = table.reindex(index=[*finders, "neither"], columns=[True, False], fill_value=0)
        rows = [[finders[name], *table.loc[name]] for name in finders] + [["neither", table.loc["neither", True], None]]
        yield Table(["returned by", "relevant", "false"], rows)
    else:
        numbers = found.items["found_by"].value_counts().reindex([*finders], fill_value=0)
        yield Table(["returned by", "items"], [[meaning, numbers[name]] for name, meaning in finders.items()])
    for name in "AB":
        of_run = found.items[found.items["found_by"] == name]
        if len(of_run):
            yield Details(f"Items that only {name} returns: {len(of_run)}", _item_table(of_run))


def _item_table(items: pd.DataFrame) -> Table:
    relevant = items["relevant"].map({True: "relevant", False: "false"}, na_action="ignore")
    columns = {"query_id": "query", "doc_id": "item", "relevant": "gold", "rank_a": "rank in A", "rank_b": "rank in B"}
    return Table.of_frame(items.assign(relevant=relevant)[[*columns]].rename(columns=columns))


def _queries(found: RunDifference) -> Iterator[Block]:
    queries = found.queries
    better = {"A": queries[queries["contribution"] > 0], "B": queries[queries["contribution"] < 0][::-1]}
    for name, of_run in better.items():
        yield Heading(f"Queries in which {name} is better: {len(of_run)} of {len(queries)}")
        if len(of_run):
            yield _query_table(of_run[:_SHOWN])
        if len(of_run) > _SHOWN:
            yield f"and {len(of_run) - _SHOWN} more"
    yield _COLUMNS
    yield Details(f"All {len(queries)} queries", _query_table(queries))


def _query_table(queries: pd.DataFrame) -> Table:
    return Table.of_frame(queries[[*_QUERY_COLUMNS]].rename(columns=_QUERY_COLUMNS))


def _queries_without_labels(found: RunDifference) -> Iterator[Block]:
    differing = found.queries[found.queries["only_a"] + found.queries["only_b"] > 0]
    yield Heading(f"Queries with different answers: {len(differing)} of {len(found.queries)}")
    names = {"query_id": "query", "shared": "shared", "only_a": "only A", "only_b": "only B"}
    table = differing.rename(columns=names)
    if len(table):
        yield Table.of_frame(table[:_SHOWN])
    if len(table) > _SHOWN:
        yield f"and {len(table) - _SHOWN} more"
        yield Details(f"All {len(table)} queries", Table.of_frame(table))


def _side_by_side(found: RunDifference) -> Iterator[Block]:
    if all(run.ranking is None for run in found.runs.runs.values()):
        return
    for query_id in found.largest_differences[:_SIDE_BY_SIDE]:
        table = found.side_by_side(query_id)
        yield Details(f"Rankings of query {query_id}", _ranking_table(table))


def _ranking_table(items: pd.DataFrame) -> Table:
    shown = items.assign(
        returned=items["found_by"].map({"A": "A", "B": "B", "both": "A, B", "neither": ""}),
        gold=items["relevant"].map({True: "relevant", False: ""}, na_action="ignore"),
    )
    names = {"doc_id": "item", "rank_a": "rank in A", "rank_b": "rank in B", "gold": "gold", "returned": "returned by"}
    return Table.of_frame(shown[[*names]].rename(columns=names))
