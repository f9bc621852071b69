"""Splitting of documents and queries into passages, one row each, and aggregation of their results."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee import frames
from ir_coliee.frames import Floats, Integers
from ir_coliee.text import Language
from ir_coliee.text.sentences import sentences, windows
from ir_coliee.text.statutes import PROVISION_LEVELS, provision_texts, quoted_bodies
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
        frames.check_ids(inp)
        text_column = frame.mode
        id_column = _ID_COLUMNS[text_column]
        texts = frames.text_values(inp, text_column, by=id_column)
        known = {text: self.passages(text) for text in dict.fromkeys(texts)}  # a text of several rows is split once
        passages = [
            (row, f"{whole}{PASSAGE_SEPARATOR}{number}", passage)
            for row, (whole, text) in enumerate(zip(inp[id_column], texts))
            for number, passage in known[text].items()
        ]
        new_columns = pd.DataFrame(passages, columns=["row", id_column, text_column], dtype=object)
        dropped = ["rank", *(("query_toks", "query_docno") if text_column == "query" else ())]
        rows = new_columns.pop("row").to_numpy(np.int64)
        return frames.take_rows(inp.drop(columns=dropped, errors="ignore"), rows).assign(**new_columns)


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
        self.on = frames.one_of("on", on, ("query", "text", None))

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
        self.size = frames.integer_at_least("size", size, 1)
        self.stride = frames.integer_at_least("stride", stride, 1)
        self.max_windows = None if max_windows is None else frames.integer_at_least("max_windows", max_windows, 1)
        self.language = frames.check_language(language)
        self.on = frames.one_of("on", on, ("query", "text", None))

    def passages(self, text: str) -> dict[int, str]:
        """Return the windows of a text by their positions; at least one."""
        found = sentences(text, self.language)
        spans = windows(found, size=self.size, stride=self.stride, max_windows=self.max_windows)
        return dict(enumerate(span.of(text) for span in spans)) or {0: ""}


class SplitProvisions(PassageSplitter):
    r"""Split articles into paragraphs, items or subitems, one row each: D to D, R to R.

    Paragraph 2 of article 398-2 is ``398-2%p2``, its first item ``398-2%p2.1``, so that `AggregatePassages` and
    `ParagraphRetriever` can aggregate them into the article. See `ir_coliee.text.statutes`.

    Parameters
    ----------
    language : {"en", "ja"}
        The language of the articles.
    level : {"paragraph", "item", "subitem"}, default "paragraph"
        The smallest unit. Below ``paragraph``, the introductory words of a paragraph with items are a provision too.

    Examples
    --------
    >>> article = pd.DataFrame({"docno": ["398-2"], "text": ["(1) A lamp.\n(2) If:\n(i) a gate; or\n(ii) a well."]})
    >>> SplitProvisions("en")(article).docno.tolist()
    ['398-2%p1', '398-2%p2']
    >>> SplitProvisions("en", "item")(article)[["docno", "text"]].to_numpy().tolist()[2:]
    [['398-2%p2.1', 'a gate; or'], ['398-2%p2.2', 'a well.']]

    A corpus of provisions, ready to be indexed:

    >>> corpus = [{"docno": "12", "text": "門番は、門を閉める。\n２　門番は、灯を持つ。"}]
    >>> list(SplitProvisions("ja").transform_iter(corpus))[1]
    {'docno': '12%p2', 'text': '門番は、灯を持つ。'}
    """

    LABEL = "Split provisions"
    on = "text"

    def __init__(self, language: Language, level: Literal["paragraph", "item", "subitem"] = "paragraph") -> None:
        self.language = frames.check_language(language)
        self.level = frames.one_of("level", level, PROVISION_LEVELS)

    def passages(self, text: str) -> dict[str, str]:
        """Return the provisions of an article's text by their labels; at least one."""
        return dict(provision_texts(text, self.language, self.level))


class SplitArticles(BaseTransformer):
    r"""Split the quoted articles of each question, one row for each article: Q to R.

    The ``text`` of a row is the article without its head and caption. Its ``docno`` is the article's position among the
    quoted articles of the question, counted from 1, so that `SplitProvisions` and `TextScorer` can follow. All scores
    are 0. A question whose text is blank gives one row with an empty text.

    Parameters
    ----------
    language : {"en", "ja"}
        The language of the articles.

    Examples
    --------
    >>> question = {"qid": ["1"], "query": ["A lamp"], "text": ["(Lamps)\nArticle 5 A lamp.\nArticle 6(1) A gate."]}
    >>> SplitArticles("en")(pd.DataFrame(question))[["docno", "text"]].to_numpy().tolist()
    [['1', 'A lamp.'], ['2', '(1) A gate.']]
    """

    LABEL = "Split articles"

    def __init__(self, language: Language) -> None:
        self.language = frames.check_language(language)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Split the articles; raise `ColieeError` for a query without an id, or a text that is not a string."""
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        frames.check_ids(inp)
        articles = [
            (row, str(position), article, position)
            for row, text in enumerate(frames.text_values(inp, "text"))
            for position, article in enumerate(quoted_bodies(text, self.language) or ("",), 1)
        ]
        found = pd.DataFrame(articles, columns=["row", "docno", "text", "rank"], dtype=object)
        rows = frames.take_rows(inp, found["row"].to_numpy(np.int64))
        return frames.sort_results(rows.assign(docno=found["docno"], text=found["text"], score=0.0, rank=found["rank"]))


# Aggregation of passage results into results of whole documents or queries.


_PASSAGE_ID = r"(?s)\A(?P<whole>.+)%p(?P<number>[0-9]{1,9})(?:[.-][0-9]{1,9}){0,9}\Z"


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
        self.on = frames.one_of("on", on, ("docno", "qid"))

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Aggregate the results; raise `ColieeError` for a row without an id."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        frames.check_ids(inp)
        results = inp.reset_index(drop=True)
        of_row, ids = frames.number_ids(results[self.on])  # each id is divided once, because many rows have the same
        parts = pd.Series(ids, dtype=object).str.extract(_PASSAGE_ID)
        results[self.on] = parts["whole"].fillna(pd.Series(ids)).to_numpy()[of_row]
        numbers = parts["number"].fillna("0").astype(np.int64).to_numpy()[of_row]
        pairs = np.asarray(results.groupby(["qid", "docno"], sort=False, observed=True).ngroup(), dtype=np.int64)
        scores = inp["score"].to_numpy(dtype=np.float64)
        order = np.lexsort((numbers, numbers if self.aggregate == "first" else -scores, pairs))
        starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
        whole = results.iloc[order[starts]].drop(columns=["rank", "docid"], errors="ignore")
        if self.aggregate not in ("max", "first"):
            query = pt.model.query_columns(inp) if self.on == "docno" else ["qid"]
            whole = whole[[name for name in inp.columns if name in {*query, "docno", "score"}]]
            maximum = self.aggregate if isinstance(self.aggregate, int) else len(inp)
            whole = whole.assign(score=_means(pairs[order], scores[order], starts, maximum))
        return frames.sort_results(whole)


def _means(groups: Integers, scores: Floats, starts: Integers, maximum: int) -> Floats:
    """Return the mean of the first ``maximum`` scores of each group without missing ones; groups are contiguous."""
    places = np.arange(len(groups)) - starts[groups]
    counted = (places < maximum) & ~np.isnan(scores)
    groups = groups[counted]
    sums = np.bincount(groups, weights=scores[counted], minlength=len(starts))
    numbers = np.bincount(groups, minlength=len(starts))
    return np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)
