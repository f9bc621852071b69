"""A run and its gold as matrices: encoded once, then every cut of every query is a look-up."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.frames import (
    Floats,
    Integers,
    first_occurrences,
    number_grouped_ids,
    number_ids,
    sort_results,
    warn_if_nothing_matches,
)

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.transformers.candidates.cutoffs import Cutoff

_NAMES = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}


class EncodedRun(NamedTuple):
    """A run beside its gold, a row for each query of the qrels; unanswered queries are rows of no items.

    ``queries``: their ids. ``scores``: best first, padded with -inf. ``lengths``: how many of a row are real.
    ``hits``: how many of the first 0, 1, 2 … items are relevant, so one column more than ``scores`` has.
    ``relevant``: how many items are.
    """

    queries: list[str]
    scores: Floats
    lengths: Integers
    hits: npt.NDArray[np.int32]
    relevant: Integers

    @property
    def depth(self) -> int:
        """The most items that any query has."""
        return int(self.scores.shape[1])

    def kept(self, cutoffs: Sequence[Cutoff]) -> tuple[Integers, Integers]:
        """True positives and returned items: a row for each cut-off, a column for each query."""
        from ir_coliee.transformers.candidates.cutoff_rules import answer_sizes  # scoring does without PyTerrier

        returned = answer_sizes([cutoff.rule() for cutoff in cutoffs], self.scores, self.lengths)
        return self.found(returned), returned

    def found(self, returned: Integers) -> Integers:
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
    warn_if_nothing_matches(results, qrels, ("qid", "docno"), stacklevel=2)
    if strange := int((~np.isfinite(results["score"].to_numpy())).sum()):
        message = f"scores of the run that are no finite numbers: {strange}; a missing one counts as the lowest"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    if qrels["qid"].isna().any():
        raise ColieeError("The qrels have a row without a query id. Read ids as strings.")
    queries = pd.Index(sorted(qrels["qid"].unique(), key=str), dtype=object)

    answered, answered_names, results = _by_query(results)
    docs, doc_names = number_ids(results["docno"])
    rows = queries.get_indexer(answered_names)[answered]
    pairs = rows * len(doc_names)
    pairs += docs  # in place, here and below: new memory takes longer than sums
    given = results["score"].to_numpy()
    known = rows >= 0
    if not known.all():
        rows, pairs, given = rows[known], pairs[known], given[known]
    first = first_occurrences(pairs, len(queries) * len(doc_names))
    if not first.all():
        rows, pairs, given = rows[first], pairs[first], given[first]

    begins = np.flatnonzero(_differs(rows))
    in_block = np.diff(begins, append=len(rows))
    lengths = np.zeros(len(queries), dtype=np.int64)
    lengths[rows[begins]] = in_block
    scores = np.full((len(queries), lengths.max(initial=0)), -np.inf)
    places = (rows[begins] * scores.shape[1] - begins).repeat(in_block)
    places += np.arange(len(places))
    scores.ravel()[places] = given
    scores[np.isnan(scores)] = -np.inf

    positives = qrels.loc[qrels["label"] >= rel, ["qid", "docno"]].drop_duplicates()
    gold_rows, gold_docs = queries.get_indexer(positives["qid"]), doc_names.get_indexer(positives["docno"])
    found = np.isin(pairs, (gold_rows * len(doc_names) + gold_docs)[gold_docs >= 0])
    hits = np.zeros((len(queries), scores.shape[1] + 1), dtype=np.int32)
    found_rows, positions = np.divmod(places[found], scores.shape[1])
    hits[found_rows, positions + 1] = 1
    relevant = np.bincount(gold_rows, minlength=len(queries)).astype(np.int64)
    return EncodedRun(queries.tolist(), scores, lengths, hits.cumsum(axis=1, dtype=np.int32), relevant)


def _by_query(results: pd.DataFrame) -> tuple[npt.NDArray[np.int64], pd.Index[Any], pd.DataFrame]:
    """The number of each row's query, the queries' ids, and the rows in the order that cut-offs follow."""
    codes, names = number_grouped_ids(results["qid"])
    if names.hasnans or not _is_ordered(results, codes):
        results = sort_results(results)
        codes, names = number_grouped_ids(results["qid"])
    return codes, names, results


def _is_ordered(results: pd.DataFrame, queries: npt.NDArray[np.int64]) -> bool:
    """Whether `sort_results` would leave the rows where they are; sorting them is most of the work."""
    scores = results["score"].to_numpy()
    begins = _differs(queries)
    if np.count_nonzero(begins) > queries.max(initial=-1) + 1:  # a query comes back
        return False
    equal = ~begins[1:] & (scores[1:] == scores[:-1])
    if not (begins[1:] | equal | (scores[1:] < scores[:-1])).all():  # or NaN, which is left to `sort_results`
        return False
    tied = np.flatnonzero(equal)
    tie = results["rank" if "rank" in results.columns else "docno"]
    before, after = tie.iloc[tied].to_numpy(object), tie.iloc[tied + 1].to_numpy(object)
    return bool((before <= after).all())


def _differs(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether each number is another than the one before it, as the first is."""
    return np.append(np.ones(min(1, len(numbers)), dtype=np.bool_), numbers[1:] != numbers[:-1])


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
