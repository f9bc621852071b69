"""Analysis of a run: how much of the measure is lost by its ranking, and how much by its cut-off.

The `oracle` is the value if each query is cut at the best rank, chosen with the labels. `attainable_recall` is the
highest recall that a cut at a given depth can reach. The difference between the oracle and the value of a cut-off is
lost by cutting; the difference between 1 and the oracle is lost by ranking.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.arguments import integer_at_least
from ir_coliee.evaluation.encoded_run import encode_run
from ir_coliee.evaluation.measure_ratios import highest_ratio, measure_of_cutoffs, quotient, ratio_terms_at_each_depth
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.measures import MacroR, MicroR
from ir_coliee.measures.base import ColieeMeasure


class Oracle(NamedTuple):
    """The highest value that a ranking can reach with any cut-off.

    Attributes
    ----------
    value : float
        The value.
    sizes : pandas.Series of int
        The number of items kept for each query, indexed by query id.
    """

    value: float
    sizes: pd.Series[int]


def oracle(run: Run, qrels: pd.DataFrame, measure: ColieeMeasure | str) -> Oracle:
    """Return the highest value that can be reached by keeping the first n items of each query, n >= 0 chosen per query.

    Parameters
    ----------
    run, qrels : pandas.DataFrame
        As in `ir_coliee.evaluation.encoded_run.encode_run`.
    measure : ColieeMeasure or str
        A set measure or its name, without a cut-off of its own.

    Returns
    -------
    Oracle
        For a mean over queries, each query is cut at the first depth at which its own value is highest. For a micro
        measure, the depths of all queries are optimised jointly (see Notes).

    Raises
    ------
    ValueError
        For a measure with a cut-off of its own.

    Notes
    -----
    A micro measure is the ratio of two sums over all queries, so the best cut of one query depends on the others.
    `ir_coliee.evaluation.measure_ratios.highest_ratio` finds the joint maximum exactly.

    Only the oracle of an F measure separates the losses of ranking and cutting: precision is highest with very few
    items, and recall with all of them.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": list("abc"), "score": [2.0, 1.0, 3.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> best = oracle(run, qrels, MicroF1)  # 1 hit, 2 returned, 2 relevant
    >>> best.value, best.sizes.to_dict()
    (0.5, {'1': 2, '2': 0})
    """
    measure = measure_of_cutoffs(measure)
    encoded = encode_run(run, qrels, rel=measure["rel"])
    value, sizes = highest_ratio(*ratio_terms_at_each_depth(encoded, measure))
    return Oracle(value, pd.Series(sizes, index=encoded.queries, name="items"))


def attainable_recall(
    run: Run, qrels: pd.DataFrame, depths: Iterable[int] = (1, 2, 3, 5, 10, 20, 50, 100, 1000), *, rel: int = 1
) -> pd.DataFrame:
    """Return the recall at each depth, which no cut-off that keeps at most so many items per query can exceed.

    Parameters
    ----------
    run, qrels : pandas.DataFrame
        As in `ir_coliee.evaluation.encoded_run.encode_run`. Unanswered queries count.
    depths : iterable of int
        The depths, from 1; they may exceed that of the run.
    rel : int
        The lowest label of a relevant item.

    Returns
    -------
    pandas.DataFrame
        A row for each depth: ``depth``; ``tp``, the number of relevant items up to this depth; ``MicroR``, their share
        of all relevant items; ``MacroR``, the mean recall of the queries.

    Raises
    ------
    ValueError
        For a depth below 1.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": list("abc"), "score": [2.0, 1.0, 3.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> attainable_recall(run, qrels, [1, 2]).MicroR.tolist()
    [0.0, 0.5]
    """
    encoded = encode_run(run, qrels, rel=rel)
    checked_depths = [integer_at_least("depth", depth, 1) for depth in depths]
    columns = np.minimum(np.array(checked_depths, dtype=np.int64), encoded.depth)
    table = {"depth": checked_depths, "tp": encoded.hits.sum(axis=0)[columns]}
    for measure in (MicroR, MacroR):
        numerators, denominators = ratio_terms_at_each_depth(encoded, measure)
        table[str(measure)] = quotient(numerators.sum(axis=0), denominators.sum(axis=0))[columns]
    frame: pd.DataFrame = pd.DataFrame(table)
    return frame


def answers_per_query(splits: Mapping[str, tuple[pd.DataFrame, pd.DataFrame | None]], *, rel: int = 1) -> pd.DataFrame:
    """Return statistics of the numbers of relevant and of returned items per query, for several splits.

    A cut-off transfers to another split only as far as these statistics are similar: in 2023 the mean number of
    noticed cases fell from 4.67 in the train split to 2.69 in the test split.

    Parameters
    ----------
    splits : mapping of str to tuple
        For each name of a split, such as ``train``: the answers after the cut-off, and the qrels, or None if there are
        no qrels yet. Repeated items count once.
    rel : int
        The lowest label of a relevant item.

    Returns
    -------
    pandas.DataFrame
        Two rows for each split: the column ``items`` is ``gold`` for relevant and ``returned`` for returned items;
        without qrels there is only the second row. The other columns are ``split``, ``queries`` (the number of
        queries), ``mean``, ``sd`` (of the population, with n in the denominator), ``min``, ``median`` and ``max``.
        Queries of the qrels without an answer count with 0 returned items; answers to other queries are ignored.
        Without qrels, only answered queries count.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> answers_per_query({"train": (run, qrels)})[["items", "queries", "mean", "max"]].to_dict("split")["data"]
    [['gold', 2, 1.0, 1], ['returned', 2, 1.0, 2]]
    """
    rows = []
    for split, (answers, qrels) in splits.items():
        encoded = encode_run(answers, answers.assign(label=0) if qrels is None else qrels, rel=rel)
        returned = {"returned": encoded.lengths}
        for items, numbers in (returned if qrels is None else {"gold": encoded.relevant, **returned}).items():
            sizes = pd.Series(numbers)
            statistics = (sizes.mean(), sizes.std(ddof=0), sizes.min(), sizes.median(), sizes.max())
            rows.append((split, items, len(sizes), *statistics))
    columns = ["split", "items", "queries", "mean", "sd", "min", "median", "max"]
    frame: pd.DataFrame = pd.DataFrame(rows, columns=columns)
    return frame
