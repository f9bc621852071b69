"""The section of the queries with the lowest values: a table, commands that show them, and with texts the queries."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.analysis.query_explanation import QueryExplanation
from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block, Heading, Preformatted

_LISTED = 20
_EXPLAINED = 5


def hardest_queries(inputs: Inputs) -> Iterator[Block]:
    """Yield the hardest queries with the value of each run."""
    frame = inputs.result("hardest_queries")
    table = frame.table()
    yield f"The first {min(_LISTED, len(table.rows))} of {len(table.rows)} queries, the hardest first."
    yield table._replace(rows=table.rows[:_LISTED])
    yield from frame.notes
    query_ids = [str(query_id) for query_id in frame["query_id"].drop_duplicates()[:_EXPLAINED]]
    yield "To see what each run returned for a query, and why:"
    yield Preformatted("\n".join(inputs.command("show", query_id=query_id) for query_id in query_ids))
    if inputs.with_texts:
        for query_id in query_ids:
            title, *blocks = QueryExplanation.of(inputs.runs, query_id).display()
            yield from (_lower(title, 1), *(_lower(block, 2) for block in blocks))


def _lower(block: Block, levels: int) -> Block:
    """Lower the level of a heading, because a query is here a part of a section."""
    return block._replace(level=block.level + levels) if isinstance(block, Heading) else block
