"""Splitting of documents and queries into passages: numbered paragraphs and windows of sentences."""

from __future__ import annotations

import re
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.frames import (
    Floats,
    Integers,
    check_ids,
    check_language,
    integer_at_least,
    one_of,
    sort_results,
    take_rows,
    text_values,
)
from ir_coliee.text import Language
from ir_coliee.text.sentences import sentences, windows
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.paragraphs import PASSAGE_SEPARATOR, check_aggregate, numbered_paragraphs

_ID_COLUMNS = {"query": "qid", "text": "docno"}


class PassageSplitter(BaseTransformer):
    """Base of transformers that split texts into passages, one row each: D to D, Q to Q, R to R.

    A row of a document gets the passage's ``text`` and ``docno``. A row of a query without a document gets the
    passage's ``query`` and ``qid``; the columns ``query_toks`` and ``query_docno``, which describe the whole query, are
    dropped. Ranks are dropped. An empty or missing text (None, NaN) gives one empty passage. A subclass implements
    `passages` and sets ``on``.
    """

    on: Literal["query", "text"] | None

    def passages(self, text: str) -> dict[Any, str]:
        """Return the passages of a text by their numbers or labels; at least one."""
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Split the texts; raise `ColieeError` for a row without an id, or with a text that is not a string."""
        with pt.validate.any(inp, context=self) as frame:
            if self.on is not None:
                frame.columns(includes=[_ID_COLUMNS[self.on], self.on], mode=self.on)
            else:
                frame.columns(includes=["docno", "text"], mode="text")
                frame.query_frame(extra_columns=["query"], mode="query")
        check_ids(inp)
        text_column = frame.mode
        id_column = _ID_COLUMNS[text_column]
        texts = text_values(inp, text_column, by=id_column)
        known = {text: self.passages(text) for text in dict.fromkeys(texts)}  # a text of several rows is split once
        passages = [known[text] for text in texts]
        rows = np.arange(len(inp)).repeat(np.array([len(of_row) for of_row in passages], dtype=np.int64))
        dropped = ("query_toks", "query_docno", "rank") if text_column == "query" else ("rank",)
        new_columns = {
            id_column: [
                f"{whole}{PASSAGE_SEPARATOR}{number}"
                for whole, of_row in zip(inp[id_column], passages)
                for number in of_row
            ],
            text_column: [text for of_row in passages for text in of_row.values()],
        }
        repeated = take_rows(inp.drop(columns=[*dropped, *new_columns], errors="ignore"), rows)
        columns = {name: pd.Series(values, dtype=object) for name, values in new_columns.items()}
        columns_in_order = [name for name in inp.columns if name not in dropped]
        split: pd.DataFrame = repeated.assign(**columns)[columns_in_order]
        return split


class SplitParagraphs(PassageSplitter):
    r"""Split court decisions into their numbered paragraphs, as `paragraph_corpus` does: D to D, Q to Q, R to R.

    Parameters
    ----------
    on : {"query", "text"}, optional
        The column to split. By default ``text`` if the frame has documents, otherwise ``query``.

    Examples
    --------
    >>> decision = pd.DataFrame({"docno": ["900001"], "text": ["[1]\nA lamp.\n[2]\nA gate."]})
    >>> SplitParagraphs()(decision).docno.tolist()
    ['900001%p1', '900001%p2']
    """

    LABEL = "Split paragraphs"

    def __init__(self, *, on: Literal["query", "text"] | None = None) -> None:
        self.on = _check_column(on)

    def passages(self, text: str) -> dict[int, str]:
        """Return the paragraphs of a text by their positions; at least one."""
        return numbered_paragraphs(text)


class SplitSentenceWindows(PassageSplitter):
    """Split texts into overlapping windows of neighbouring sentences: D to D, Q to Q, R to R.

    The defaults are the segments of NeuralMind at COLIEE 2021.

    Parameters
    ----------
    size : int, default 10
        The number of sentences in a window, >= 1.
    stride : int, default 5
        The number of sentences between the starts of two windows, >= 1.
    max_windows : int, optional, default 25
        The largest number of windows of a text, >= 1. None keeps all.
    language : {"en", "ja"}, default "en"
        The language of the sentences, see `ir_coliee.text.sentences`.
    on : {"query", "text"}, optional
        The column to split. By default ``text`` if the frame has documents, otherwise ``query``.

    Examples
    --------
    >>> query = pd.DataFrame({"qid": ["1"], "query": ["A lamp. A gate. A well."]})
    >>> SplitSentenceWindows(size=2, stride=1)(query)[["qid", "query"]].to_numpy().tolist()
    [['1%p0', 'A lamp. A gate.'], ['1%p1', 'A gate. A well.']]
    """

    LABEL = "Split windows"

    def __init__(
        self,
        *,
        size: int = 10,
        stride: int = 5,
        max_windows: int | None = 25,
        language: Language = "en",
        on: Literal["query", "text"] | None = None,
    ) -> None:
        self.size = integer_at_least("size", size, 1)
        self.stride = integer_at_least("stride", stride, 1)
        self.max_windows = None if max_windows is None else integer_at_least("max_windows", max_windows, 1)
        self.language = check_language(language)
        self.on = _check_column(on)

    def passages(self, text: str) -> dict[int, str]:
        """Return the windows of a text by their positions; at least one."""
        spans = windows(
            sentences(text, self.language), size=self.size, stride=self.stride, max_windows=self.max_windows
        )
        return dict(enumerate(span.of(text) for span in spans)) or {0: ""}


def _check_column(on: Literal["query", "text"] | None) -> Literal["query", "text"] | None:
    return one_of("on", on, ("query", "text", None))


# Aggregation of passage results into results of whole documents or queries.


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
        self.aggregate = check_aggregate("aggregate", aggregate, ("max", "mean", "first"))
        self.on = one_of("on", on, ("docno", "qid"))

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Aggregate the results; raise `ColieeError` for a row without an id."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        check_ids(inp)
        pairs, numbers, wholes = _passages_of(inp, self.on)
        scores = inp["score"].to_numpy(dtype=np.float64)
        order = np.lexsort((numbers, numbers if self.aggregate == "first" else -scores, pairs))
        starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
        whole = inp.iloc[order[starts]].drop(columns=["rank", "docid"], errors="ignore")
        if self.aggregate not in ("max", "first"):
            query = pt.model.query_columns(inp) if self.on == "docno" else ["qid"]
            whole = whole[[name for name in inp.columns if name in {*query, "docno", "score"}]]
            maximum = self.aggregate if isinstance(self.aggregate, int) else len(inp)
            whole = whole.assign(score=_means(pairs[order], scores[order], starts, maximum))
        return sort_results(whole.assign(**{self.on: wholes[order[starts]]}))


def _passages_of(results: pd.DataFrame, column: str) -> tuple[Integers, Integers, npt.NDArray[np.object_]]:
    """Return for each row its group, the number of its passage, and the id of the whole document or query."""
    numbers_of_ids, ids = pd.factorize(results[column])
    matches = [_PASSAGE_ID.fullmatch(str(name)) for name in ids]
    wholes = np.array([match["whole"] if match else name for match, name in zip(matches, ids)], dtype=object)
    numbers = np.array([int(match["number"]) if match else 0 for match in matches], dtype=np.int64)
    of_whole = pd.factorize(wholes)[0][numbers_of_ids]
    of_other = pd.factorize(results["qid" if column == "docno" else "docno"])[0]
    pair_numbers = of_other * np.int64(len(wholes) + 1) + of_whole
    return pd.factorize(pair_numbers)[0], numbers[numbers_of_ids], wholes[numbers_of_ids]


def _means(groups: Integers, scores: Floats, starts: Integers, maximum: int) -> Floats:
    """Return the mean of the first ``maximum`` scores of each group without missing ones; groups are contiguous."""
    places = np.arange(len(groups)) - starts[groups]
    counted = (places < maximum) & ~np.isnan(scores)
    groups = groups[counted]
    sums = np.bincount(groups, weights=scores[counted], minlength=len(starts))
    numbers = np.bincount(groups, minlength=len(starts))
    return np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)
