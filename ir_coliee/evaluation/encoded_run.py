"""Encode runs and their relevant items as matrices, for the fast evaluation of many cut-offs."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.arrays import Floats, Integers
from ir_coliee.errors import ColieeError, ColieeWarning, printable_list
from ir_coliee.evaluation.runs.in_memory import Run, require_frame
from ir_coliee.frames import (
    check_is_frame,
    check_unique_columns,
    first_occurrences,
    number_grouped_ids,
    number_ids,
    sort_results,
    warn_if_nothing_matches,
)

_NAMES = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}


class EncodedRun(NamedTuple):
    """A run as matrices, with a row for each query of the qrels.

    Attributes
    ----------
    queries : list of str
        The ids of the queries, sorted. Unanswered queries are included, with no items.
    scores : numpy.ndarray of shape (n_queries, depth)
        The scores of each query in descending order, padded with -inf.
    lengths : numpy.ndarray of shape (n_queries,)
        The number of items of each query.
    hits : numpy.ndarray of shape (n_queries, depth + 1)
        The number of relevant items among the first 0, 1, 2, … items.
    relevant : numpy.ndarray of shape (n_queries,)
        The number of relevant items of each query, including items that are not returned.
    """

    queries: list[str]
    scores: Floats
    lengths: Integers
    hits: npt.NDArray[np.int32]
    relevant: Integers

    @property
    def depth(self) -> int:
        """The largest number of items returned for a query."""
        return int(self.scores.shape[1])

    def true_positives(self, returned: Integers) -> Integers:
        """Return the true positives if each query (on the last axis) returns its first ``returned`` items."""
        starts = np.arange(len(self.queries)) * (self.depth + 1)
        return self.hits.ravel().take(starts + returned).astype(np.int64)


def encode_run(run: Run, qrels: pd.DataFrame, *, rel: int = 1) -> EncodedRun:
    """Encode a run and its relevant items as matrices.

    This is fastest if the run is sorted and its columns qid and docno are categorical.

    Parameters
    ----------
    run : pandas.DataFrame or dict
        The columns qid, docno and score, and optionally rank, which breaks ties; or a dict from query id to document id
        to score. Repeated items of a query count once, at their best rank. Queries without qrels are ignored.
    qrels : pandas.DataFrame
        The columns qid, docno and label, as in PyTerrier, or query_id, doc_id and relevance, as in ir_measures. All
        queries of the qrels are encoded, answered or not.
    rel : int
        The lowest label of a relevant item.

    Returns
    -------
    EncodedRun

    Raises
    ------
    ColieeError
        If a column or a query id is missing, or if scores or labels are not numbers.

    Warns
    -----
    ColieeWarning
        If scores are not finite (a missing score counts as the lowest), or if the ids of the run and of the qrels
        have different types, so that none can match.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "c"], "label": [1, 1]})
    >>> encode_run(run, qrels).hits.tolist()
    [[0, 0, 1], [0, 0, 0]]
    """
    results = _checked(require_frame(run), "run", "score")
    check_is_frame("qrels", qrels, "qid, docno and label")
    qrels = _checked(qrels.rename(columns=_NAMES), "qrels", "label")
    warn_if_nothing_matches(results, qrels, ("qid", "docno"), stacklevel=2)
    if num_not_finite := int((~np.isfinite(results["score"].to_numpy())).sum()):
        message = f"scores of the run that are not finite: {num_not_finite}; a missing score counts as the lowest"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    if qrels["qid"].isna().any():
        raise ColieeError("The qrels have a row without a query id. Read ids as strings.")
    queries = pd.Index(sorted(qrels["qid"].unique(), key=str), dtype=object)

    answered, answered_names, results = _sorted_by_query(results)
    docs, doc_names = number_ids(results["docno"])
    rows = queries.get_indexer(answered_names)[answered]
    pairs = rows * len(doc_names)
    pairs += docs  # in place, here and below, because allocating memory takes longer than adding
    values = results["score"].to_numpy()
    known = rows >= 0
    if not known.all():
        rows, pairs, values = rows[known], pairs[known], values[known]
    first = first_occurrences(pairs, len(queries) * len(doc_names))
    if not first.all():
        rows, pairs, values = rows[first], pairs[first], values[first]

    starts = np.flatnonzero(_starts(rows))
    block_lengths = np.diff(starts, append=len(rows))
    lengths = np.zeros(len(queries), dtype=np.int64)
    lengths[rows[starts]] = block_lengths
    scores = np.full((len(queries), lengths.max(initial=0)), -np.inf)
    places = (rows[starts] * scores.shape[1] - starts).repeat(block_lengths)
    places += np.arange(len(places))
    scores.ravel()[places] = values
    scores[np.isnan(scores)] = -np.inf

    positives = qrels.loc[qrels["label"] >= rel, ["qid", "docno"]].drop_duplicates()
    gold_rows, gold_docs = (
        queries.get_indexer(pd.Index(positives["qid"])),
        doc_names.get_indexer(pd.Index(positives["docno"])),
    )
    found = np.isin(pairs, (gold_rows * len(doc_names) + gold_docs)[gold_docs >= 0])
    hits = np.zeros((len(queries), scores.shape[1] + 1), dtype=np.int32)
    found_rows, positions = np.divmod(places[found], scores.shape[1])
    hits[found_rows, positions + 1] = 1
    relevant = np.bincount(gold_rows, minlength=len(queries)).astype(np.int64)
    return EncodedRun(queries.tolist(), scores, lengths, hits.cumsum(axis=1, dtype=np.int32), relevant)


def _sorted_by_query(results: pd.DataFrame) -> tuple[npt.NDArray[np.int64], pd.Index[Any], pd.DataFrame]:
    """Return the number of each row's query, the query ids, and the rows in the order in which cut-offs apply."""
    codes, names = number_grouped_ids(results["qid"])
    if names.hasnans or not _is_sorted(results, codes):
        results = sort_results(results)
        codes, names = number_grouped_ids(results["qid"])
    return codes, names, results


def _is_sorted(results: pd.DataFrame, queries: npt.NDArray[np.int64]) -> bool:
    """Return whether `sort_results` would keep the order. This check is much faster than sorting."""
    scores = results["score"].to_numpy()
    is_start = _starts(queries)
    if np.count_nonzero(is_start) > queries.max(initial=-1) + 1:  # the rows of a query are not adjacent
        return False
    equal = ~is_start[1:] & (scores[1:] == scores[:-1])
    if not (is_start[1:] | equal | (scores[1:] < scores[:-1])).all():  # or NaN, which `sort_results` handles
        return False
    tied = np.flatnonzero(equal)
    tie = results["rank" if "rank" in results.columns else "docno"]
    before, after = tie.iloc[tied].to_numpy(object), tie.iloc[tied + 1].to_numpy(object)
    return bool((before <= after).all())


def _starts(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return for each number whether it differs from the previous one; True for the first."""
    return np.append(np.ones(min(1, len(numbers)), dtype=np.bool_), numbers[1:] != numbers[:-1])


def _checked(frame: pd.DataFrame, name: str, value: str) -> pd.DataFrame:
    """Return the frame with the column ``value`` as floats. Raises `ColieeError` for a missing column."""
    check_is_frame(name, frame, f"qid, docno and {value}")
    check_unique_columns(frame)
    for column in ("qid", "docno", value):
        if column not in frame.columns:
            names = printable_list([*map(str, frame.columns)])
            raise ColieeError(f"The {name} has no column {column!r}, only {names}.")
    if frame[value].dtype == np.float64:
        return frame
    try:
        numbers = pd.to_numeric(frame[value]).to_numpy(np.float64, na_value=np.nan)
        checked: pd.DataFrame = frame.assign(**{value: numbers})
        return checked
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column {value!r} of the {name} must be numbers. {error}") from error
