"""Splitting of documents and queries into passages: numbered paragraphs and windows of sentences."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import check_ids, check_language, integer_at_least, one_of, take_rows
from ir_coliee.text.language import Language
from ir_coliee.text.sentences import sentences, windows
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.passage_ids import PASSAGE_SEPARATOR, numbered_paragraphs

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
        passages = self._passages_of_rows(inp[id_column], inp[text_column])
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

    def _passages_of_rows(self, ids: pd.Series, texts: pd.Series) -> list[dict[Any, str]]:
        """Return the passages of each row's text; a text that occurs several times is split once."""
        values = np.where(texts.isna(), "", texts.to_numpy(dtype=object))
        for whole, text in zip(ids, values):
            if not isinstance(text, str):
                kind = type(text).__name__
                name = f"{ids.name} {printable(str(whole))}"
                raise ColieeError(f"{name}: {texts.name} must be a string, got a value of type {kind}.")
        known = {text: self.passages(text) for text in dict.fromkeys(values)}
        return [known[text] for text in values]


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
