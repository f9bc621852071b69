"""Search of leaderboards by edition, task or dataset id."""

from __future__ import annotations

import pandas as pd

from ir_coliee.editions import as_dataset_id, as_split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.leaderboards import Leaderboard, leaderboards, unknown_leaderboard


def find_leaderboards(*words: str) -> list[Leaderboard]:
    """Return the leaderboards of an edition, of a task, or of both.

    Parameters
    ----------
    *words : str
        Years and tasks in any order, or dataset ids, with or without a split. Without words, all leaderboards are
        returned.

    Returns
    -------
    list of Leaderboard
        By edition, then by task.

    Raises
    ------
    ColieeError
        If there is no such leaderboard.
    UnknownIdError
        If a dataset id is unknown.

    Examples
    --------
    >>> [entry.task for entry in find_leaderboards("2024")]
    ['task1', 'task2', 'task3', 'task4']
    >>> [entry.edition for entry in find_leaderboards("task1", "2023")]
    ['2023']
    >>> find_leaderboards("coliee/task1/2023") == find_leaderboards("2023", "Task1")
    True
    """
    parts = [part for word in words for part in _edition_and_task(word.lower())]
    known = leaderboards()
    editions, tasks = {edition for edition, _ in known}, {task for _, task in known}
    if not set(parts) <= editions | tasks:
        raise unknown_leaderboard(" ".join(words))
    found = [
        entry
        for (edition, task), entry in known.items()
        if edition in (editions.intersection(parts) or editions) and task in (tasks.intersection(parts) or tasks)
    ]
    if not found:
        raise unknown_leaderboard(" ".join(words))
    return found


def _edition_and_task(word: str) -> list[str]:
    """Return the edition and the task of a dataset id; another word alone."""
    parts = as_dataset_id(word).split("/") if "/" in word else [word]
    without_language = [part for part in parts if part not in ("coliee", "en", "ja")]
    if len(without_language) <= 2:  # no split
        return without_language
    split = as_split(word)
    if not split.leaderboard:
        raise ColieeError(f"{split.id} has no published leaderboard.\nKnown ones: run `ir_coliee leaderboard`.")
    edition, _, task = split.leaderboard.partition("-")
    return [edition, task]


def overview(found: list[Leaderboard]) -> pd.DataFrame:
    """Return one row per leaderboard: its measure, best known run and figure, and how many of its runs are known.

    Examples
    --------
    >>> overview(find_leaderboards("2025", "task2")).values.tolist()
    [['2025', 'task2', 'micro F1', 'NOWJ NOWJ_003', '0.3195', '9 of 18']]
    """
    rows = [
        (
            entry.edition,
            entry.task,
            entry.measure,
            entry.runs[0].name,
            str(entry.runs[0].value),
            f"{len(entry.runs)} of {entry.size}",
        )
        for entry in found
    ]
    return pd.DataFrame(rows, columns=["edition", "task", "measure", "best known run", "figure", "runs known"])
