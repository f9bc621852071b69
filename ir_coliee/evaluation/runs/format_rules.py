"""Constants of official run files, and the answers that belong to a run of task 3."""

from __future__ import annotations

import re

from ir_coliee.editions import LINE_FORMATS, SPLITS, Split
from ir_coliee.errors import ColieeError

#: The columns of an answer set and of a ranked list in the format of TREC.
SET_COLUMNS = LINE_FORMATS["answer set"]
RANKED_COLUMNS = LINE_FORMATS["ranked list"]

#: The maximum number of articles per question in a list of task 3.
MAX_LIST_LENGTH = 100

#: The largest score: trec_eval keeps scores in 32 bits.
MAX_SCORE = 3.4028234663852886e38

#: Text that a column may hold: ASCII without blanks.
WORD = re.compile("[!-~]+")

#: The run tags that the calls ask for: at most 12 letters or digits. Accepted runs have had others.
OFFICIAL_TAG = re.compile("[A-Za-z0-9]{1,12}")


def answers_split(split: Split) -> Split:
    """The split of task 4 that asks the same questions as one of task 3, and whose runs are answers to them.

    Raises `ColieeError` for a split of another task.
    """
    if split.task != "task3":
        raise ColieeError(f"{split.id} is no split of task 3: only its runs can have a file of answers beside them.")
    return SPLITS[split.id.replace("/task3/", "/task4/")]
