"""Notes that accompany the figures of a run: on the gold labels, on the run, and on figures that are left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import pandas as pd

from ir_coliee.editions import Split
from ir_coliee.evaluation.leaderboards import Leaderboard
from ir_coliee.evaluation.run_checks import RunChecker
from ir_coliee.evaluation.task_evaluation import Figure
from ir_coliee.releases.local_release import LocalRelease

_UNCHECKED_ITEMS = (
    "scored with the labels alone: the documents are not at hand, so unknown items in a run were not looked for"
)

_EXAMPLES = 3  # the number of ids that are listed in a note

_MISSING_FILES = {
    "ranking": "pass the long list by --long (long_list=)",
    "answers": "pass the answers Y and N by --answers (answers=)",
}


class Remarks(NamedTuple):
    """What is said about a run.

    Attributes
    ----------
    warnings : list of str
        Signs that the run is incomplete or was not meant as an answer set.
    notes : list of str
        All else.
    """

    warnings: list[str]
    notes: list[str]

    def add(self, file: str, remarks: Remarks) -> None:
        """Add the remarks on another file of the run, with its name."""
        self.warnings.extend(f"{file}: {warning}" for warning in remarks.warnings)
        self.notes.extend(f"{file}: {note}" for note in remarks.notes)


def notes_on_gold(checker: RunChecker, gold: pd.DataFrame) -> list[str]:
    """Return notes on the gold labels of a split; they do not depend on a run.

    Parameters
    ----------
    checker : RunChecker
        The query ids and candidates of the split.
    gold : pandas.DataFrame
        The gold labels, from `ir_coliee.evaluation.gold.scored_gold`.
    """
    notes = [] if checker.has_documents else [_UNCHECKED_ITEMS]
    notes += [*_gold_outside_candidates(checker, gold), *_queries_without_gold(checker, gold)]
    if checker.evaluation.single_answer:
        notes.append(_constant_answers(gold))
    return [*notes, *synthetic_notes(checker.split)]


def synthetic_notes(split: Split) -> list[str]:
    """Return the note that is printed with every score on synthetic data; none for other data."""
    if not LocalRelease.open(split).is_synthetic:
        return []
    planted = "" if split.is_built_in else ", and its relevant items are planted and easy to find"
    consequence = "scores on it say nothing about COLIEE and are not comparable with its leaderboards"
    return [f"this data is synthetic{planted}: {consequence}"]


def _gold_outside_candidates(checker: RunChecker, gold: pd.DataFrame) -> list[str]:
    positives = gold[gold["relevance"] > 0]
    absent = [
        f"{doc_id} (query {query_id})"
        for query_id, doc_id in zip(positives["query_id"], positives["doc_id"])
        if doc_id not in checker.candidates(query_id)
    ]
    if not absent:
        return []
    examples = ", ".join(absent[:_EXAMPLES]) + (", …" if len(absent) > _EXAMPLES else "")
    return [f"gold items that the local release does not contain, counted as not found: {len(absent)} ({examples})"]


def _queries_without_gold(checker: RunChecker, gold: pd.DataFrame) -> list[str]:
    total = len(checker.query_ids)
    if checker.evaluation.unanswered == "answer":
        accepted = gold.loc[gold["relevance"] > 0, "query_id"].nunique()
        return [
            f"instances without an accepted claim: {total - accepted} of {total}; the organisers do not publish how "
            "they are scored, so the table has both values"
        ]
    if missing := len(set(checker.query_ids).difference(gold["query_id"])):
        return [f"queries without gold, not scored: {missing} of {total}"]
    return []


def _constant_answers(gold: pd.DataFrame) -> str:
    """Return the accuracy of each constant answer; the organisers' baseline is the more frequent label."""
    labels = gold.loc[gold["relevance"] > 0, "doc_id"].value_counts()
    total = gold["query_id"].nunique()
    accuracies = (f"{label} {number} of {total} ({number / total:.4f})" for label, number in labels.items())
    return f"accuracy of one answer to all questions: {', '.join(accuracies)}"


def notes_on_missing_figures(figures: Sequence[Figure], available: Collection[str]) -> list[str]:
    """Return a note for each file that was not passed, with the figures that need it.

    Parameters
    ----------
    figures : sequence of Figure
        The official table.
    available : collection of str
        Values of ``Figure.needs`` that the call provides.
    """
    missing: dict[str, list[str]] = {}
    for figure in figures:
        if figure.needs not in available:
            missing.setdefault(figure.needs, []).append(figure.label)
    return [f"not computed: {', '.join(labels)} ({_MISSING_FILES[needs]})" for needs, labels in missing.items()]


def note_on_leaderboard(leaderboard: Leaderboard | None, gold: pd.DataFrame) -> list[str]:
    """Return a note if the leaderboard was scored over other queries or gold than the local release has."""
    if leaderboard is None:
        return []
    queries, items = gold["query_id"].nunique(), int((gold["relevance"] > 0).sum())
    if queries == leaderboard.queries and leaderboard.gold_total in (None, items):
        return []
    of_leaderboard = f"{leaderboard.queries} queries"
    if leaderboard.gold_total:
        of_leaderboard += f" and {leaderboard.gold_total} gold items"
    return [
        f"scored over {queries} queries and {items} gold items, but the leaderboard over {of_leaderboard}: the figures "
        "are not comparable"
    ]
