"""More questions to learn from: the same ones with other letters for their persons.

KIS at COLIEE 2023, task 4, augment their training data so; which letters take the place of which is ours. That team
also writes letters for persons who are named by what they are (a seller, a minor). This is not done here: which
of such words stand for one person no rule tells with certainty.
"""

from __future__ import annotations

import itertools
import random
import string
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least
from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import check_ids, check_unique_columns, text_values
from ir_coliee.text.persons import person_letters, with_letters

_COPY = "~"
_NEW_LETTERS = [letter for letter in string.ascii_uppercase if letter not in "AI"]  # which are English words, too


def swapped_persons(
    questions: pd.DataFrame, qrels: pd.DataFrame, number: int = 1, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Questions and their qrels, and behind them copies in which the persons have other letters, for `fit`.

    ``questions``: qid and query, and text if there is one; all rows of a query are copied together, and a person has
    the same letter in all of them. ``number``: copies of each question; fewer where the alphabet has no fresh letters
    left for another, none of a question without a person's letter (as `ir_coliee.text.persons` finds them). No copy
    has a letter of the original's persons or of another copy's. The first copy of R99-01-A is R99-01-A~1, and
    its qrels are those of R99-01-A. Letters are drawn by ``seed`` and qid. Neither frame is changed.

    Raises `ColieeError` for a query without an id, for a text that is no string, and for frames that have such copies
    already.

    >>> questions = pd.DataFrame({"qid": ["R99-01-I"], "query": ["A lent B's lamp to C."]})
    >>> gold = pd.DataFrame({"qid": ["R99-01-I"], "docno": ["Y"], "label": [1]})
    >>> more, gold_of_more = swapped_persons(questions, gold, number=2)
    >>> more["query"].tolist()
    ["A lent B's lamp to C.", "W lent T's lamp to U.", "F lent K's lamp to S."]
    >>> gold_of_more["qid"].tolist()
    ['R99-01-I', 'R99-01-I~1', 'R99-01-I~2']
    """
    pt.validate.columns(questions, includes=["qid", "query"])
    integer_at_least("number", number, 0)
    pt.validate.columns(qrels, includes=["qid"])
    check_ids(questions)
    check_unique_columns(qrels)
    texts = {column: text_values(questions, column) for column in ("query", "text") if column in questions.columns}
    letters: dict[str, dict[str, None]] = {}  # of each query, in order, each once
    for qid, *of_row in zip(questions["qid"], *texts.values()):
        letters.setdefault(qid, {}).update(dict.fromkeys(itertools.chain(*map(person_letters, of_row))))
    swaps = {qid: list(itertools.islice(_swaps(list(own), f"{seed} {qid}"), number)) for qid, own in letters.items()}
    copies, copied_qrels = [questions], [qrels]
    for copy in range(number):
        names = {qid: f"{qid}{_COPY}{copy + 1}" for qid, own in swaps.items() if len(own) > copy}
        if not names:
            break
        _refuse_taken(names, letters)
        rows = np.flatnonzero(questions["qid"].isin(names))
        copied = questions.iloc[rows]
        changed = {
            column: [with_letters(of_column[row], swaps[qid][copy]) for row, qid in zip(rows, copied["qid"])]
            for column, of_column in texts.items()
        }
        copies.append(copied.assign(qid=copied["qid"].map(names), **changed))
        judged = qrels[qrels["qid"].isin(names)]
        copied_qrels.append(judged.assign(qid=judged["qid"].map(names)))
    return pd.concat(copies, ignore_index=True), pd.concat(copied_qrels, ignore_index=True)


def _swaps(letters: Sequence[str], seed: str) -> Iterator[dict[str, str]]:
    """For each person another letter, time and again, as long as there are fresh ones."""
    fresh = [letter for letter in _NEW_LETTERS if letter not in letters]
    random.Random(seed).shuffle(fresh)
    for start in range(0, len(fresh) - len(letters) + 1, len(letters)) if letters else ():
        yield dict(zip(letters, fresh[start:]))


def _refuse_taken(names: dict[str, str], there: dict[str, dict[str, None]]) -> None:
    if taken := [name for name in names.values() if name in there]:
        raise ColieeError(f"There is a query {shown(taken[0])} already: these questions have copies. Make copies once.")
