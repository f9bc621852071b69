"""Limits and patterns of official run files, and the answers that belong to a run of task 3."""

from __future__ import annotations

import re

from ir_coliee.editions import LINE_FORMATS, SPLITS, Split
from ir_coliee.errors import ColieeError, printable

#: The columns of an answer set and of a ranked list in TREC's format.
SET_COLUMNS = LINE_FORMATS["answer set"]
RANKED_COLUMNS = LINE_FORMATS["ranked list"]

#: The maximum number of articles per question in a list of task 3.
MAX_LIST_LENGTH = 100

_RANKING_SIZE = 20  # items per query from which a run looks like a ranking; real answer sets have up to five

#: The largest score: trec_eval stores scores in 32 bits.
MAX_SCORE = 3.4028234663852886e38

#: Text that a column may hold: ASCII without blanks.
COLUMN_TEXT = re.compile("[!-~]+")

_OFFICIAL_TAG = re.compile("[A-Za-z0-9]{1,12}")

#: The form of a run tag that the calls ask for.
TAG_ASKED_FOR = "the organisers ask for 1 to 12 letters or digits"


def check_tag(tag: str) -> None:
    """Raise `ColieeError` if a run file cannot carry a run tag."""
    if not COLUMN_TEXT.fullmatch(tag):
        problem = "is empty" if not tag else "has a blank or is not ASCII"
        raise ColieeError(
            f"The run tag {printable(tag, 30)!r} {problem}; a run file cannot carry it.\n{TAG_ASKED_FOR.capitalize()}."
        )


def remark_on_tag(tag: str) -> str:
    """Return what the calls ask for if a run tag is another one, else an empty string.

    The organisers have accepted other tags, so that this is a reason for a warning and not for an error.

    Examples
    --------
    >>> remark_on_tag("UA_run-1.txt"), remark_on_tag("mine")
    ("run tag 'UA_run-1.txt': the organisers ask for 1 to 12 letters or digits", '')
    """
    return "" if _OFFICIAL_TAG.fullmatch(tag) else f"run tag {printable(tag, 30)!r}: {TAG_ASKED_FOR}"


def remark_on_size(split: Split, items: int, queries: int) -> str:
    """Return why a run that looks like a ranking is no good answer set; an empty string for any other run.

    Parameters
    ----------
    split : Split
        The split that the run answers.
    items, queries : int
        The numbers of answers and of answered queries.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> remark_on_size(split("coliee/task1/sample/test"), 100, 5)
    '20 items per query look like a ranking: every item counts as an answer, so cut it first (ir_coliee cut)'
    >>> remark_on_size(split("coliee/task1/sample/test"), 99, 5)
    ''
    """
    if items < _RANKING_SIZE * queries or not queries:
        return ""
    reason = "every item counts as an answer, so cut it first (ir_coliee cut)"
    if allows_rankings(split):
        reason = "accuracy does not penalise superfluous articles, but F2 does, which breaks ties"
    return f"{items / queries:.0f} items per query look like a ranking: {reason}"


def allows_rankings(split: Split) -> bool:
    """Return whether superfluous items do not lower the official measure, as in task 3 of 2026."""
    return split.measure == "GatedAccuracy"


def answers_split(split: Split) -> Split:
    """Return the split of task 4 with the same questions as a split of task 3.

    Raises
    ------
    ColieeError
        If the split belongs to another task.
    """
    if split.task != "task3":
        raise ColieeError(f"{split.id} has no file of answers Y and N; only runs of task 3 have one.")
    return SPLITS[split.id.replace("/task3/", "/task4/")]
