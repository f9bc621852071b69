"""How a difference of two runs is shown: in text the queries that differ most, in HTML all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from ir_coliee.analysis.query_results import measure_name
from ir_coliee.display import Block, Details, Heading, Table, WarningText
from ir_coliee.evaluation.comparison import COLUMNS, as_table

if TYPE_CHECKING:
    from ir_coliee.analysis.run_difference import RunDifference

_SHOWN = 5  # queries for each of the two runs in text
_SIDE_BY_SIDE = 10  # queries whose rankings are shown in HTML

_COMBINED = {
    "union": "union: what A or B returns.",
    "intersection": "intersection: what both return.",
    "oracle": "oracle: for each query the better of A and B, chosen with the labels.",
}
_ITEM_COLUMNS = {"query_id": "query", "doc_id": "item", "gold": "gold", "rank_a": "rank in A", "rank_b": "rank in B"}
_COLUMNS = (
    "part: contribution of the query to the difference A - B; the parts of all queries add up to it. "
    "won, lost: relevant items that only A or only B returns. false A, false B: false answers of one alone."
)


def blocks(found: RunDifference) -> Iterator[Block]:
    """Yield what a person sees of a difference."""
    yield f"{found.runs.split.pretty_name}, {found.measure}"
    yield from (f"{letter}: {name}" for letter, name in zip("AB", found.names))
    yield from map(WarningText, found.warnings)
    if found.figures is None:
        yield from _items(found)
        yield from _queries_without_labels(found)
    else:
        yield from _figures(found.figures)
        yield from _significance(found)
        yield from _right_and_wrong(found)
        if not found.has_single_answers:
            yield from _items(found)
        yield from _queries(found)
    yield from _side_by_side(found)
    yield from found.notes


def _figures(figures: pd.DataFrame) -> Iterator[Block]:
    yield Heading("Figures")
    yield Table.of_frame(figures.rename(columns={"answers": "run"}))
    yield " ".join(meaning for name, meaning in _COMBINED.items() if name in [*figures["answers"]])


def _significance(found: RunDifference) -> Iterator[Block]:
    table = as_table(pd.DataFrame(found.comparison))
    shown = dict(zip(table.header, table.rows[0]))
    swaps = "all swaps" if shown["exact"] == "yes" else "random swaps"
    yield Heading("Difference A - B")
    yield Table.of_facts(
        {
            "difference": shown["difference"],
            "95 % interval": f"{shown['low']} to {shown['high']}",
            "p": f"{shown['p']} (randomisation test, {swaps})",
            "effect size": shown["effect size"],
            "queries that differ": f"{shown['differing']} of {len(found.queries)}",
        }
    )
    yield f"effect size: {COLUMNS['effect size']}."


def _right_and_wrong(found: RunDifference) -> Iterator[Block]:
    if counts := found.right_and_wrong:
        yield Heading("Queries answered right and wrong")
        rows = [["A right", counts["both"], counts["A"]], ["A wrong", counts["B"], counts["neither"]]]
        yield Table(["run", "B right", "B wrong"], rows)


def _items(found: RunDifference) -> Iterator[Block]:
    yield Heading("Items")
    names = {"both": "both", "A": "only A", "B": "only B"}
    if found.has_gold:
        numbers = pd.crosstab(found.items["found_by"], found.items["relevant"].astype(bool))
        numbers = numbers.reindex(index=[*names, "neither"], columns=[True, False], fill_value=0)
        rows = [[name, *numbers.loc[key]] for key, name in names.items()]
        yield Table(["returned by", "relevant", "false"], [*rows, ["neither", numbers.loc["neither", True], None]])
    else:
        of_all = found.items["found_by"].value_counts()
        yield Table(["returned by", "items"], [[name, of_all.get(key, 0)] for key, name in names.items()])
    for letter in "AB":
        alone = found.items[found.items["found_by"] == letter]
        if len(alone):
            summary = f"The {len(alone)} items that only {letter} returns (ranks count from 0)"
            yield Details(summary, _table(_with_gold(alone), _ITEM_COLUMNS))


def _queries(found: RunDifference) -> Iterator[Block]:
    queries, columns = _answers(found) if found.has_single_answers else _counts(found)
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
    if not found.has_single_answers:
        yield _COLUMNS
    yield Details(f"All {len(queries)} queries", _table(queries, columns))


def _counts(found: RunDifference) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the queries, with names of the columns that are shown: values, contribution, numbers of items."""
    value = "accuracy" if found.right_and_wrong else measure_name(found.runs)
    columns = {"query_id": "query", "relevant": "relevant", "value_a": f"{value} A", "value_b": f"{value} B"}
    columns |= {"contribution": "part", "won": "won", "lost": "lost", "false_a": "false A", "false_b": "false B"}
    return found.queries, columns


def _answers(found: RunDifference) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the queries of a task with one answer each: the gold label and the answers of the runs."""
    items = found.items
    chosen = {
        "gold": items["relevant"],
        "A": items["found_by"].isin(["A", "both"]),
        "B": items["found_by"].isin(["B", "both"]),
    }
    labels = {name: items[rows].set_index("query_id")["doc_id"] for name, rows in chosen.items()}
    queries = found.queries.assign(**{name: found.queries["query_id"].map(label) for name, label in labels.items()})
    return queries, {"query_id": "query", **{name: name for name in labels}}


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


def _side_by_side(found: RunDifference) -> Iterator[Block]:
    if all(run.ranking is None for run in found.runs.runs.values()):
        return
    columns = {**_ITEM_COLUMNS, "answer_of": "answer of"}
    del columns["query_id"]
    answer_of = {"A": "A", "B": "B", "both": "A, B", "neither": ""}
    for query_id in found.largest_differences[:_SIDE_BY_SIDE]:
        items = found.side_by_side(query_id)
        items = _with_gold(items.assign(answer_of=items["found_by"].map(answer_of)))
        yield Details(f"The rankings of query {query_id} (ranks count from 0)", _table(items, columns))


def _with_gold(items: pd.DataFrame) -> pd.DataFrame:
    return items.assign(gold=items["relevant"].map({True: "relevant", False: ""}, na_action="ignore"))


def _table(rows: pd.DataFrame, columns: Mapping[str, str]) -> Table:
    """Return columns of a frame, with the names that are shown."""
    return Table.of_frame(rows[[*columns]].rename(columns=columns))
