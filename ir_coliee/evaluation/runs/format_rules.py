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

#: Items per query that make an answer set look like a ranking that was not cut; real answer sets have up to five.
RANKING_SIZE = 20

#: The largest score: trec_eval stores scores in 32 bits.
MAX_SCORE = 3.4028234663852886e38

#: Text that a column may hold: ASCII without blanks.
COLUMN_TEXT = re.compile("[!-~]+")

_OFFICIAL_TAG = re.compile("[A-Za-z0-9]{1,12}")
_TAG_ASKED_FOR = "the organisers ask for 1 to 12 letters or digits"


def check_tag(tag: str) -> None:
    """Raise `ColieeError` if a run file cannot carry a run tag."""
    if not COLUMN_TEXT.fullmatch(tag):
        problem = "is empty" if not tag else "has a blank or a character that is not ASCII"
        raise ColieeError(
            f"The run tag {printable(tag, 30)!r} {problem}, so no run file can carry it.\n"
            f"{_TAG_ASKED_FOR.capitalize()}."
        )


def remark_on_tag(tag: str) -> str:
    """Return what the calls ask for if a run tag is another one, else an empty string.

    The organisers have accepted other tags, so that this is a reason for a warning and not for an error.

    Examples
    --------
    >>> remark_on_tag("UA_run-1.txt"), remark_on_tag("mine")
    ("run tag 'UA_run-1.txt': the organisers ask for 1 to 12 letters or digits", '')
    """
    return "" if _OFFICIAL_TAG.fullmatch(tag) else f"run tag {printable(tag, 30)!r}: {_TAG_ASKED_FOR}"


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
