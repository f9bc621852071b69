"""Augment training questions by swapping the letters that stand for persons (KIS at COLIEE 2023, task 4).

The overview of 2023 says that the team augments its data and treats questions with alphabetical persons separately. The
replacement of letters, and which letter replaces which, is our own choice.
"""

from __future__ import annotations

import itertools
import random
import string
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

from components.persons import with_letters
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids, check_unique_columns, integer_at_least, text_values
from ir_coliee.text.cues import person_letters

_NUMBER_MARK = "~"
_NEW_LETTERS = [letter for letter in string.ascii_uppercase if letter not in "AI"]  # A and I are English words


def swapped_persons(
    questions: pd.DataFrame, qrels: pd.DataFrame, number: int = 1, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Questions and qrels with additional questions in which the persons have other letters, for ``fit``.

    Parameters
    ----------
    questions : DataFrame
        ``qid`` and ``query``, optionally ``text``. All rows of a query are repeated together, and a person has the same
        letter in all of them.
    qrels : DataFrame
        ``qid`` and any other columns.
    number : int
        Variants of each question. There are fewer where the alphabet has no unused letters left, and none of a
        question without a person's letter (see `ir_coliee.text.cues`).
    seed : int
        Letters are drawn by the seed and the qid.

    Returns
    -------
    (DataFrame, DataFrame)
        The questions and the qrels, each followed by the rows of the variants. The first variant of R99-01-A has
        the qid R99-01-A~1 and the labels of R99-01-A. No variant has a letter of the original's persons or of another
        variant. The frames that were passed are not changed.

    Raises
    ------
    ColieeError
        For a row without a query id, for a text that is not a string, and if the frame already has such variants.

    Examples
    --------
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
    swaps = {qid: list(itertools.islice(_swaps(list(of), f"{seed} {qid}"), number)) for qid, of in letters.items()}
    all_questions, all_qrels = [questions], [qrels]
    for variant in range(number):
        names = {qid: f"{qid}{_NUMBER_MARK}{variant + 1}" for qid, of in swaps.items() if len(of) > variant}
        if not names:
            break
        _refuse_taken(names, letters)
        rows = np.flatnonzero(questions["qid"].isin(names))
        repeated = questions.iloc[rows]
        changed = {
            column: [with_letters(of_column[row], swaps[qid][variant]) for row, qid in zip(rows, repeated["qid"])]
            for column, of_column in texts.items()
        }
        all_questions.append(repeated.assign(qid=repeated["qid"].map(names), **changed))
        judged = qrels[qrels["qid"].isin(names)]
        all_qrels.append(judged.assign(qid=judged["qid"].map(names)))
    return pd.concat(all_questions, ignore_index=True), pd.concat(all_qrels, ignore_index=True)


def _swaps(letters: Sequence[str], seed: str) -> Iterator[dict[str, str]]:
    """Another letter for each person, again and again until the unused letters run out."""
    unused = [letter for letter in _NEW_LETTERS if letter not in letters]
    random.Random(seed).shuffle(unused)
    for start in range(0, len(unused) - len(letters) + 1, len(letters)) if letters else ():
        yield dict(zip(letters, unused[start:]))


def _refuse_taken(names: dict[str, str], query_ids: dict[str, dict[str, None]]) -> None:
    if taken := [name for name in names.values() if name in query_ids]:
        raise ColieeError(f"The query {printable(taken[0])} already exists. Pass questions without variants.")
