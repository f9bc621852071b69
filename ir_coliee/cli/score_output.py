"""Printing of scores and their notes, for the commands score and baseline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ir_coliee.cli.console import out, print_table, safe

if TYPE_CHECKING:
    from ir_coliee.evaluation.scoring import Scores


def print_scores(scores: dict[str, Scores]) -> None:
    """Print a table of scores and their notes.

    Parameters
    ----------
    scores : dict of str to Scores
        The scores of each run, by the name of its row.
    """
    from ir_coliee.display import cell
    from ir_coliee.evaluation.score_table import as_table

    header, rows = as_table(scores)
    print_table([*header], [[safe(cell(value)) for value in row] for row in rows])
    for note in score_notes(scores):
        out.print(safe(note))


def score_notes(scores: dict[str, Scores]) -> Iterator[str]:
    """List the notes of each run, then those of the gold, which are the same for all runs.

    Parameters
    ----------
    scores : dict of str to Scores
        The scores of each run, by the name of its row.

    Yields
    ------
    str
        A note.
    """
    for name, scored in scores.items():
        yield from (f"{name}: {note}" for note in scored.notes)
        if scored.place:
            yield f"{name}: {scored.place.sentence}. {scored.place.note}"
    yield from next(iter(scores.values())).gold_notes
