"""Printing of scores and their notes, for the commands score and baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir_coliee.cli.console import err, out, print_table, safe

if TYPE_CHECKING:
    from ir_coliee.evaluation.scoring import Scores


def print_scores(scores: dict[str, Scores]) -> None:
    """Print a table of scores and their notes.

    Parameters
    ----------
    scores : dict of str to Scores
        The scores of each run, by the name of its row.
    """
    from ir_coliee.evaluation.score_messages import score_notes, score_warnings
    from ir_coliee.evaluation.score_table import as_table

    for warning in score_warnings(scores):
        err.print(f"warning: {safe(warning)}")
    print_table(as_table(scores))
    for note in score_notes(scores):
        out.print(safe(note))
