"""What a looked-at query shows of itself: its texts, a table of items and runs, and the evidence of each item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from ir_coliee.analysis.outcome_causes.misses import NO_RANKING
from ir_coliee.analysis.query_results import measure_name
from ir_coliee.analysis.query_texts import text_blocks
from ir_coliee.display import Block, Details, Heading, Table, WarningText, cell, number_cell

if TYPE_CHECKING:
    from ir_coliee.analysis.query_explanation import QueryExplanation

_RELEVANCE = {"yes": "relevant", "no": "not relevant", "?": "whether it is relevant is unknown"}


def explanation_blocks(explanation: QueryExplanation, max_rows: int, max_items: int) -> Iterator[Block]:
    """Return what an explanation shows below its title.

    Parameters
    ----------
    explanation : QueryExplanation
        The explanation.
    max_rows : int
        The largest number of rows of the table of items.
    max_items : int
        The largest number of items that are explained one by one.
    """
    items, runs = explanation.items, explanation.runs
    cells = _cells(explanation)
    yield from _query_blocks(explanation)
    for name, run in runs.runs.items():
        yield from (WarningText(f"{name}: {warning}") for warning in run.remarks.warnings)
    if explanation.figures is not None:
        yield Heading("Figures of this query")
        yield Table.of_frame(explanation.figures.rename(columns={"tp": "hits", "value": measure_name(runs)}))
    if items and runs.runs:
        yield Heading("Items" if len(items) <= max_rows else f"The first {max_rows} of {len(items)} items")
        yield _table(explanation, items[:max_rows], cells)
    yield from notes(explanation)
    for doc_id in items[:max_items]:
        yield from _item_blocks(explanation, doc_id, cells)
    if len(items) > max_items:
        yield (
            f"{len(items) - max_items} of {len(items)} items are not explained here: "
            "name them by --item (items=), or write a page by --html FILE (write_page)."
        )


def notes(explanation: QueryExplanation) -> Iterator[str]:
    """Return what cannot be shown and why, and how ranks count."""
    runs = explanation.runs
    if explanation.relevant is None:
        missing = "no labels of this query" if runs.has_gold else "no gold labels"
        yield f"The local release has {missing}, so outcomes and figures are unknown."
    if not explanation.texts or not runs.has_documents:
        missing = "The texts of the items" if explanation.texts else "The texts"
        yield f"{missing} are not at hand, so why pairs match is unknown: see `ir_coliee status {runs.split.id}`."
    for name, run in runs.runs.items():
        if explanation.query_id not in set(run.answers["qid"]):
            yield f"{name} has no answer to this query."
    answers = explanation.answers
    for name in dict.fromkeys(answers.loc[answers["reason"] == NO_RANKING, "run"]):
        yield f"{name} has no ranking: pass it by --ranking (rankings=) to see the ranks of what it misses."
    if runs.runs and not runs.scorer.evaluation.single_answer:
        yield "Ranks count from 0."


def _query_blocks(explanation: QueryExplanation) -> Iterator[Block]:
    for name, text in explanation.texts.items():
        yield from text_blocks(name, text)
    if explanation.relevant is not None:
        labelled = "gold label" if explanation.runs.scorer.evaluation.single_answer else "relevant items"
        yield f"{labelled}: {', '.join(explanation.relevant) or 'none'}"
    if explanation.pool is not None:
        yield f"candidates: {len(explanation.pool)}"
        yield Details("the candidates", Table(["candidate"], [[doc_id] for doc_id in explanation.pool]))


_Cells = Mapping[tuple[str, str], Mapping[str, str]]  # by item and run; those that are missing are left out


def _cells(explanation: QueryExplanation) -> _Cells:
    """Return the cells of each item in each run."""
    with_ranks = not explanation.runs.scorer.evaluation.single_answer
    return {
        (str(answer.doc_id), str(answer.run)): _cells_of(answer, with_ranks)
        for answer in explanation.answers.itertuples()
    }


def _cells_of(answer: Any, with_ranks: bool) -> dict[str, str]:
    returned = "not returned" if answer.answer_rank is pd.NA else "returned"
    values = {
        "outcome": answer.outcome or returned,
        "rank": answer.rank if with_ranks else None,
        "score": None if answer.score is None else number_cell(answer.score),
        "reason": answer.reason,
        "detail": answer.detail,
    }
    return {name: cell(value) for name, value in values.items() if cell(value)}


def _table(explanation: QueryExplanation, items: Sequence[str], cells: _Cells) -> Table:
    """Return a row for each item: its gold, its outcome, rank and score in each run; empty columns are left out."""
    names = [*explanation.runs.runs]
    columns = {"item": [*items], "gold": [_gold(explanation, doc_id) for doc_id in items]}
    for kind in ("outcome", "rank", "score") if len(names) > 1 else ("outcome", "rank", "score", "reason"):
        for name in names:
            values = [cells[doc_id, name].get(kind, "") for doc_id in items]
            if any(values):
                columns[kind if len(names) == 1 else f"{name}: {kind}"] = values
    return Table([*columns], [*zip(*columns.values())], fold=["reason"], key=2)


def _gold(explanation: QueryExplanation, doc_id: str) -> str:
    return "?" if explanation.relevant is None else "yes" if doc_id in explanation.relevant else "no"


def _item_blocks(explanation: QueryExplanation, doc_id: str, cells: _Cells) -> Iterator[Block]:
    yield Heading(f"{doc_id}: {_RELEVANCE[_gold(explanation, doc_id)]}")
    for name in explanation.runs.runs:
        shown = cells[doc_id, name]
        place = "".join(f", {kind} {shown[kind]}" for kind in ("rank", "score") if kind in shown)
        reason = f", {shown['reason']}" if "reason" in shown else ""
        yield f"  {name}: {shown['outcome']}{place}{reason}" + (f"\n    {shown['detail']}" if "detail" in shown else "")
    if explanation.runs.scorer.evaluation.single_answer:
        if doc_id != explanation.items[0]:
            return  # the evidence is that of the question, the same for both answers
    elif text := explanation.text_of(doc_id):
        yield from text_blocks("text", text)
    for record in explanation.evidence_for(doc_id):
        yield from record.display()
