"""Scoring of texts that are given in the frame instead of an index, with any weighting of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.building import count_terms
from ir_coliee.engine.pools import pool_scores
from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import BM25, Weighting
from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, Integers, check_ids
from ir_coliee.text.analysers import Analysis, check_text_analyser
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.retrieval.frames import query_column, rescore
from ir_coliee.transformers.retrieval.retriever import check_weighting

if TYPE_CHECKING:
    from ir_coliee.transformers.retrieval.indexes import LexicalIndex


class TextScorer(BaseTransformer):
    """Score the ``text`` of each row by its similarity to the ``query``: R to R.

    Use it for texts that are not in an index, such as paragraphs, windows or summaries. It corresponds to
    ``pt.text.scorer``, but does not need Java.

    Parameters
    ----------
    weighting : Weighting, default ``BM25()``
        The formula, see `Retriever`.
    analyser : str or analyser, default "words"
        As in `LexicalIndex.build`.
    statistics : "frame" or LexicalIndex, default "frame"
        The source of document frequencies and average lengths: the distinct documents of the frame, or an index. An
        index also replaces ``analyser`` by its own, and terms that are not in the index are ignored.

    Notes
    -----
    A text without a term of the query scores 0, except with Dirichlet smoothing, where its length adds to its score.

    Examples
    --------
    >>> rows = pd.DataFrame({"qid": "1", "query": "lamp", "docno": ["d1", "d2"], "text": ["A gate.", "A lamp."]})
    >>> TextScorer()(rows).docno.tolist()
    ['d2', 'd1']
    """

    LABEL = "Text scorer"

    def __init__(
        self,
        weighting: Weighting = BM25(),  # noqa: B008 (immutable)
        *,
        analyser: Analysis = "words",
        statistics: Literal["frame"] | LexicalIndex = "frame",
    ) -> None:
        self.weighting = check_weighting(weighting)
        self.analyser = check_text_analyser(analyser)
        self.statistics = statistics
        if not isinstance(statistics, TermCounts) and statistics != "frame":
            raise ValueError(f"statistics must be 'frame' or a LexicalIndex, got {statistics!r}.")
        if isinstance(statistics, TermCounts):
            check_text_analyser(statistics.analyser)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the rows of a frame with ``qid``, ``query``, ``docno`` and ``text``.

        Raises `ColieeError` for a row without an id, a query or a text.
        """
        pt.validate.result_frame(inp, extra_columns=["query", "text"], context=self)
        check_ids(inp)
        return rescore(inp, lambda pools: self._scores(inp, pools))

    def _scores(self, inp: pd.DataFrame, pools: Sequence[Integers]) -> Iterator[Floats]:
        queries = inp.iloc[[rows[0] for rows in pools]][["qid", "query"]]
        query_column(queries)
        numbers: dict[tuple[str, str], int] = {}  # a document may have different texts for different queries
        of_row = np.array([numbers.setdefault(pair, len(numbers)) for pair in zip(inp["docno"], _texts(inp))])
        texts = [text for _, text in numbers]
        if isinstance(self.statistics, TermCounts):
            counted: TermCounts = self.statistics
            counts = counted.query_vectors(texts)
            lengths = row_sums(counts)
        else:
            counted = count_terms(({"docno": f"{n:09}", "text": text} for n, text in enumerate(texts)), self.analyser)
            counts, lengths = counted.counts, counted.lengths
        vectors, documents = counted.query_vectors(queries["query"]), [of_row[rows] for rows in pools]
        return pool_scores(self.weighting, counts, lengths, vectors, documents, counted.collection)


def _texts(rows: pd.DataFrame) -> Iterator[str]:
    for docno, text in zip(rows["docno"], rows["text"].to_numpy(dtype=object)):
        if not isinstance(text, str):
            kind = type(text).__name__
            raise ColieeError(f"Document {printable(str(docno))}: text must be a string, got a value of type {kind}.")
        yield text
