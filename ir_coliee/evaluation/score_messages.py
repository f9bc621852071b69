"""Warnings and notes on the scores of several runs, those that the runs share once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ir_coliee.evaluation.scoring import Scores


def score_warnings(scores: Mapping[str, Scores]) -> list[str]:
    """List the warnings of each run, to be printed before the figures; those that all runs share once."""
    return messages_of_runs({name: scored.warnings for name, scored in scores.items()})


def messages_of_runs(messages: dict[str, list[str]]) -> list[str]:
    """List the messages of each run after its name, those that several runs share once, before the others."""
    shared = [text for text in next(iter(messages.values())) if all(text in texts for texts in messages.values())]
    shared = shared if len(messages) > 1 else []
    of_one = [f"{name}: {text}" for name, texts in messages.items() for text in texts if text not in shared]
    return [f"all runs: {text}" for text in shared] + of_one


def score_notes(scores: Mapping[str, Scores]) -> Iterator[str]:
    """List the notes and places of each run, then those on the leaderboard and on the gold, the same for all runs.

    Parameters
    ----------
    scores : mapping of str to Scores
        The scores of each run, by the name of its row.

    Yields
    ------
    str
        A note.
    """
    yield from messages_of_runs({name: scored.notes for name, scored in scores.items()})
    for name, scored in scores.items():
        yield from (f"{name}: {sentence}" for sentence in (scored.unseen, scored.place) if sentence)
    yield from dict.fromkeys(scored.place.note for scored in scores.values() if scored.place)
    yield from next(iter(scores.values())).gold_notes
