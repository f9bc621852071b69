"""A run and its gold as matrices: encoded once, then every cut of every query is a look-up."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.transformers.base import in_order
from ir_coliee.transformers.cutoffs import Cutoff, Scores, Sizes, kept_by

if TYPE_CHECKING:
    import pandas as pd

_TABLE = 2**26  # bytes of a table with an entry for each query and item
_NAMES = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}


class EncodedRun(NamedTuple):
    """A run beside its gold, a row for each query of the qrels; unanswered queries are rows of no items.

    ``queries``: their ids. ``scores``: best first, padded with -inf. ``lengths``: how many of a row are real.
    ``hits``: how many of the first 0, 1, 2 … items are relevant, so one column more than ``scores`` has.
    ``relevant``: how many items are.
    """

    queries: list[str]
    scores: Scores
    lengths: Sizes
    hits: npt.NDArray[np.int32]
    relevant: Sizes

    @property
    def depth(self) -> int:
        """The most items that any query has."""
        return int(self.scores.shape[1])

    def kept(self, cutoffs: Sequence[Cutoff]) -> tuple[Sizes, Sizes]:
        """True positives and returned items: a row for each cut-off, a column for each query."""
        returned = kept_by([cutoff.rule() for cutoff in cutoffs], self.scores, self.lengths)
        return self.found(returned), returned

    def found(self, returned: Sizes) -> Sizes:
        """True positives where each query (the last axis) keeps so many of its items."""
        first = np.arange(len(self.queries)) * (self.depth + 1)
        return self.hits.ravel().take(first + returned).astype(np.int64)


def encode(results: pd.DataFrame, qrels: pd.DataFrame, *, rel: int = 1) -> EncodedRun:
    """Encode a run, its queries ordered by id.

    ``results`` has the columns qid, docno and score, and maybe rank, which orders equal scores; ``qrels`` qid,
    docno and label as in PyTerrier, or query_id, doc_id and relevance as in ir_measures. Items of relevance
    ``rel`` and more are relevant. Every query of the qrels is in, answered or not; those of the run that the qrels
    do not know are left out. An item that is returned twice counts once, where it stands first. Quickest where
    the run is in order, and qid and docno are categorical. Raises `ColieeError` for a missing column, a missing
    query id, and scores or labels that are no numbers.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "c"], "label": [1, 1]})
    >>> encode(run, qrels).hits.tolist()
    [[0, 0, 1], [0, 0, 0]]
    """
    import pandas as pd

    results = _checked(results, "run", "score")
    qrels = _checked(qrels.rename(columns=_NAMES), "qrels", "label")
    _warn_of_other_types(results, qrels)
    if qrels["qid"].isna().any():
        raise ColieeError("The qrels have a row without a query id. Read ids as strings.")
    queries = pd.Index(sorted(qrels["qid"].unique(), key=str), dtype=object)

    answered, answered_names, results = _by_query(results)
    docs, doc_names = _codes(results["docno"])
    row_of = queries.get_indexer(answered_names)
    pairs = answered * len(doc_names) + docs
    given = results["score"].to_numpy()
    wanted = (row_of >= 0)[answered] & _first_of_each(pairs, len(answered_names) * len(doc_names))
    if not wanted.all():
        answered, pairs, given = answered[wanted], pairs[wanted], given[wanted]
    in_block = np.bincount(answered, minlength=len(answered_names))
    position = np.arange(len(answered)) - (in_block.cumsum() - in_block)[answered]
    rows = row_of[answered]

    lengths = np.bincount(rows, minlength=len(queries)).astype(np.int64)
    scores = np.full((len(queries), lengths.max(initial=0)), -np.inf)
    scores[rows, position] = np.where(np.isnan(given), -np.inf, given)

    positives = qrels.loc[qrels["label"] >= rel, ["qid", "docno"]].drop_duplicates()
    gold_query = answered_names.get_indexer(positives["qid"])
    gold_doc = doc_names.get_indexer(positives["docno"])
    reachable = (gold_query >= 0) & (gold_doc >= 0)
    found = np.isin(pairs, (gold_query * len(doc_names) + gold_doc)[reachable])
    hits = np.zeros((len(queries), scores.shape[1] + 1), dtype=np.int32)
    hits[rows[found], position[found] + 1] = 1
    relevant = np.bincount(queries.get_indexer(positives["qid"]), minlength=len(queries)).astype(np.int64)
    return EncodedRun(queries.tolist(), scores, lengths, hits.cumsum(axis=1, dtype=np.int32), relevant)


def _codes(column: pd.Series[Any]) -> tuple[npt.NDArray[np.int64], pd.Index[Any]]:
    """A number for each distinct value of a column, in order of appearance, and the values."""
    import pandas as pd

    categorical = isinstance(column.dtype, pd.CategoricalDtype)
    codes, names = pd.factorize(column if categorical else column.to_numpy(object), use_na_sentinel=False)
    return codes.astype(np.int64, copy=False), pd.Index(np.asarray(names, dtype=object), dtype=object)


def _first_of_each(pairs: npt.NDArray[np.int64], possible: int) -> npt.NDArray[np.bool_]:
    """Whether a pair, a number below ``possible``, has not come before."""
    import pandas as pd

    if possible <= _TABLE:  # that none is repeated, which is the rule, a table shows quicker than hashing
        seen = np.zeros(possible, dtype=np.bool_)
        seen[pairs] = True
        if np.count_nonzero(seen) == len(pairs):
            return np.ones(len(pairs), dtype=np.bool_)
    repeated: npt.NDArray[np.bool_] = pd.Series(pairs).duplicated().to_numpy()
    return ~repeated


def _by_query(results: pd.DataFrame) -> tuple[npt.NDArray[np.int64], pd.Index[Any], pd.DataFrame]:
    """The number of each row's query, the queries' ids, and the rows in the order that cut-offs follow."""
    codes, names = _codes(results["qid"])
    if names.hasnans or not _is_ordered(results, codes):
        results = in_order(results)
        codes, names = _codes(results["qid"])
    return codes, names, results


def _is_ordered(results: pd.DataFrame, queries: npt.NDArray[np.int64]) -> bool:
    """Whether `in_order` would leave the rows where they are; sorting them is most of the work."""
    step = np.diff(queries)
    with np.errstate(invalid="ignore"):  # inf - inf is NaN, which compares with nothing and is left to `in_order`
        rise = np.diff(results["score"].to_numpy())
    tied = np.flatnonzero((step == 0) & (rise == 0))
    tie = results["rank" if "rank" in results.columns else "docno"]
    before, after = tie.iloc[tied].to_numpy(object), tie.iloc[tied + 1].to_numpy(object)
    return bool(((step == 1) | ((step == 0) & (rise <= 0))).all() and (before <= after).all())


def _checked(frame: pd.DataFrame, name: str, number: str) -> pd.DataFrame:
    """The frame with float numbers in the column ``number``. Raises `ColieeError` for what it lacks."""
    import pandas as pd

    for column in ("qid", "docno", number):
        if column not in frame.columns:
            raise ColieeError(f"The {name} has no column {column!r}, only {', '.join(map(str, frame.columns))}.")
    if frame[number].dtype == np.float64:
        return frame
    try:
        return frame.assign(**{number: pd.to_numeric(frame[number]).to_numpy(np.float64, na_value=np.nan)})
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column {number!r} of the {name} must be numbers. {error}") from error


def _warn_of_other_types(results: pd.DataFrame, qrels: pd.DataFrame) -> None:
    """A number as an id equals no zero-padded string: the figures would be 0 without a word."""
    for column in ("qid", "docno"):
        if len(results) and len(qrels):
            given, wanted = results[column].iloc[0], qrels[column].iloc[0]
            if isinstance(given, str) != isinstance(wanted, str):
                message = f"the {column}s of the run are like {given!r}, those of the qrels like {wanted!r}: no match"
                warnings.warn(message, ColieeWarning, stacklevel=3)
