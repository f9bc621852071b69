"""The section of the queries with the lowest values, with the commands that show them."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block, Preformatted, Table

_LISTED = 20  # queries
_SHOWN = 3  # commands


def hardest(inputs: Inputs) -> list[str]:
    """Return the queries from the lowest mean value over the runs, those with more relevant items first."""
    by_query = inputs.runs.per_query.groupby("query_id").agg(value=("value", "mean"), relevant=("relevant", "max"))
    ordered = by_query.reset_index().sort_values(["value", "relevant", "query_id"], ascending=[True, False, True])
    return [str(query_id) for query_id in ordered["query_id"]]


def hardest_queries(inputs: Inputs) -> Iterator[Block]:
    """Yield the hardest queries with the value of each run."""
    runs = inputs.runs
    query_ids = hardest(inputs)[:_LISTED]
    yield (
        f"The {len(query_ids)} of {len(runs.query_ids)} queries with the lowest mean {runs.measure} over the runs; of "
        "equal ones those with the most relevant items come first. tp and returned are those of each run."
    )
    listed = runs.per_query[runs.per_query["query_id"].isin(query_ids)]
    of_query = {query_id: rows.set_index("run") for query_id, rows in listed.groupby("query_id")}
    names = runs.counts.runs
    header = [f"{name}{what}" for name in names for what in ("", " tp", " returned")]
    rows = [
        [
            query_id,
            int(table["relevant"].iloc[0]),
            *table.loc[[*names], ["value", "tp", "returned"]].to_numpy(object).ravel(),
        ]
        for query_id, table in ((query_id, of_query[query_id]) for query_id in query_ids)
    ]
    yield Table(["query", "relevant", *header], rows)
    yield "To see what each run returned for a query, and why:"
    yield Preformatted("\n".join(inputs.command("show", query_id=query_id) for query_id in query_ids[:_SHOWN]))
