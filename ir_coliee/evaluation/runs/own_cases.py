"""Removal of each query's own case from a ranking of task 1, where the queries are documents of the collection."""

from __future__ import annotations

import pandas as pd

from ir_coliee.editions import Split


def without_own_cases(split: Split, ranking: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Remove the query case from its own results, which would take a place of the cut-off and is always wrong.

    Parameters
    ----------
    split : Split
        The split that the ranking answers; only rankings of task 1 are changed.
    ranking : pandas.DataFrame
        The columns qid, docno and score.

    Returns
    -------
    ranking : pandas.DataFrame
        The other results.
    notes : list of str
        A note with the number of results that were removed; empty if there was none.

    Examples
    --------
    >>> from ir_coliee.editions import split
    >>> run = pd.DataFrame({"qid": ["900001", "900001"], "docno": ["900001", "900002"], "score": [9.0, 3.0]})
    >>> ranking, notes = without_own_cases(split("coliee/task1/sample/test"), run)
    >>> ranking.docno.tolist(), notes
    (['900002'], ['dropped 1 answer that is the query itself'])
    """
    if split.task != "task1":
        return ranking, []
    from ir_coliee.transformers.candidates.filters import DropSelf

    kept: pd.DataFrame = DropSelf()(ranking)
    number = len(ranking) - len(kept)
    answers = "1 answer that is" if number == 1 else f"{number} answers that are"
    return kept, [f"dropped {answers} the query itself"] if number else []
