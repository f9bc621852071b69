"""Aggregation of passage results into results of whole documents or queries."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.frames import Floats, Integers, check_ids, integer_at_least, one_of, sort_results
from ir_coliee.transformers.base import BaseTransformer

_PASSAGE_ID = re.compile(r"(?P<whole>.+)%p(?P<number>[0-9]{1,9})(?:[.-][0-9]{1,9}){0,9}", re.DOTALL)


class AggregatePassages(BaseTransformer):
    """Aggregate results of passages into results of whole documents or queries: R to R.

    It corresponds to PyTerrier's ``max_passage``, ``mean_passage``, ``kmaxavg_passage`` and ``first_passage``.

    Parameters
    ----------
    aggregate : {"max", "mean", "first"} or int, default "max"
        The score of a document: the maximum or the mean of its passages' scores, the score of its first passage in the
        results, or for an integer k the mean of its k best passages.
    on : {"docno", "qid"}, default "docno"
        Whether the documents or the queries are passages. An id that does not end in ``%p`` and a number is a whole
        document or query.

    Notes
    -----
    With ``max`` and ``first``, the other columns are those of the selected passage. Otherwise only the query columns
    are kept (none with ``on="qid"``). Passages without a score (NaN) are ignored; a document has the score NaN if all
    its passages have no score.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "1", "docno": ["a%p0", "a%p1", "b%p4"], "score": [1.0, 4.0, 3.0]})
    >>> AggregatePassages("mean")(run)[["docno", "score"]].to_numpy().tolist()
    [['b', 3.0], ['a', 2.5]]
    """

    LABEL = "Aggregate passages"

    def __init__(
        self, aggregate: Literal["max", "mean", "first"] | int = "max", *, on: Literal["docno", "qid"] = "docno"
    ) -> None:
        if aggregate not in ("max", "mean", "first"):
            if isinstance(aggregate, str):
                raise ValueError(f"aggregate must be 'max', 'mean', 'first' or an integer >= 1, got {aggregate!r}.")
            aggregate = integer_at_least("aggregate", aggregate, 1)
        self.aggregate = aggregate
        self.on = one_of("on", on, ("docno", "qid"))

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Aggregate the results; raise `ColieeError` for a row without an id."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        check_ids(inp)
        groups = _Groups.of(inp, self.on)
        scores = inp["score"].to_numpy(dtype=np.float64)
        order = np.lexsort((groups.numbers, groups.numbers if self.aggregate == "first" else -scores, groups.pairs))
        starts = np.flatnonzero(np.diff(groups.pairs[order], prepend=-1))
        whole = inp.iloc[order[starts]].drop(columns=["rank", "docid"], errors="ignore")
        if self.aggregate not in ("max", "first"):
            query = pt.model.query_columns(inp) if self.on == "docno" else ["qid"]
            whole = whole[[name for name in inp.columns if name in {*query, "docno", "score"}]]
            maximum = self.aggregate if isinstance(self.aggregate, int) else len(inp)
            whole = whole.assign(score=_means(groups.pairs[order], scores[order], starts, maximum))
        return sort_results(whole.assign(**{self.on: groups.wholes[order[starts]]}))


class _Groups(NamedTuple):
    """Groups of passages: for each row its group, the number of its passage, and the id of the document or query."""

    pairs: Integers
    numbers: Integers
    wholes: npt.NDArray[np.object_]

    @classmethod
    def of(cls, results: pd.DataFrame, column: str) -> _Groups:
        numbers_of_ids, ids = pd.factorize(results[column])
        matches = [_PASSAGE_ID.fullmatch(str(name)) for name in ids]
        wholes = np.array([match["whole"] if match else name for match, name in zip(matches, ids)], dtype=object)
        numbers = np.array([int(match["number"]) if match else 0 for match in matches], dtype=np.int64)
        of_whole = pd.factorize(wholes)[0][numbers_of_ids]
        of_other = pd.factorize(results["qid" if column == "docno" else "docno"])[0]
        pair_numbers = of_other * np.int64(len(wholes) + 1) + of_whole
        return cls(pd.factorize(pair_numbers)[0], numbers[numbers_of_ids], wholes[numbers_of_ids])


def _means(groups: Integers, scores: Floats, starts: Integers, maximum: int) -> Floats:
    """Return the mean of the first ``maximum`` scores of each group without missing ones; groups are contiguous."""
    places = np.arange(len(groups)) - starts[groups]
    counted = (places < maximum) & ~np.isnan(scores)
    groups = groups[counted]
    sums = np.bincount(groups, weights=scores[counted], minlength=len(starts))
    numbers = np.bincount(groups, minlength=len(starts))
    return np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)
