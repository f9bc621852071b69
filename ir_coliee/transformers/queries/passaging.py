"""From documents and queries to their passages, and back: paragraphs, windows of sentences; best, mean, k best, first.

The passages of ``900001`` are ``900001%p0``, ``900001%p1``, …, as those of PyTerrier's own passagers, so that either's
aggregation works behind either's passages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import check_language, integer_at_least
from ir_coliee.engine.scoring import Floats, Integers
from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import check_ids, sort_results, take_rows
from ir_coliee.text.language import Language
from ir_coliee.text.sentences import sentences, windows
from ir_coliee.transformers.base import BaseTransformer
from ir_coliee.transformers.passage_ids import PASSAGE_SEPARATOR, numbered_paragraphs

_PASSAGE = re.compile(r"(?P<whole>.+)%p(?P<number>[0-9]{1,9})(?:[.-][0-9]{1,9}){0,9}", re.DOTALL)
_IDS = {"query": "qid", "text": "docno"}


class _Passager(BaseTransformer):
    """Base of those that part texts, a row for each passage: D to D, Q to Q, R to R.

    A row of a document gets the passage's ``text`` and docno; a row of a query alone the passage's ``query`` and qid,
    and loses ``query_toks`` and ``query_docno``, which stand for the whole. Ranks, which no longer hold, go too. A text
    that is empty or missing (None, NaN) has one passage, which is empty.
    """

    on: Literal["query", "text"] | None

    def passages(self, text: str) -> dict[Any, str]:
        """The passages of a text by their numbers or labels; at least one."""
        raise NotImplementedError

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Part the texts. Raises `ColieeError` for a row without an id and for a text that is no string."""
        with pt.validate.any(inp, context=self) as frame:
            if self.on is not None:
                frame.columns(includes=[_IDS[self.on], self.on], mode=self.on)
            else:
                frame.columns(includes=["docno", "text"], mode="text")
                frame.query_frame(extra_columns=["query"], mode="query")
        check_ids(inp)
        column = frame.mode
        name = _IDS[column]
        passages = _of_each(inp[name], inp[column], self.passages)
        rows = np.arange(len(inp)).repeat(np.array([len(of_text) for of_text in passages], dtype=np.int64))
        stale = ("query_toks", "query_docno", "rank") if column == "query" else ("rank",)
        made = {
            name: [f"{own}{PASSAGE_SEPARATOR}{number}" for own, texts in zip(inp[name], passages) for number in texts],
            column: [text for texts in passages for text in texts.values()],
        }
        whole = inp.drop(columns=[*stale, *made], errors="ignore")
        return take_rows(whole, rows).assign(**{label: pd.Series(made[label], dtype=object) for label in made})[
            [label for label in inp.columns if label not in stale]
        ]


class Paragraphs(_Passager):
    """The numbered paragraphs of court decisions, as `paragraph_corpus` numbers them.

    >>> decision = pd.DataFrame({"docno": ["900001"], "text": ["[1]\\nA lamp.\\n[2]\\nA gate."]})
    >>> Paragraphs()(decision).docno.tolist()
    ['900001%p1', '900001%p2']
    """

    LABEL = "Into paragraphs"

    def __init__(self, *, on: Literal["query", "text"] | None = None) -> None:
        """``on``: the column that is parted; None parts the text of documents, else the query."""
        self.on = _known_column(on)

    def passages(self, text: str) -> dict[int, str]:
        """The passages of a text by their numbers; at least one."""
        return numbered_paragraphs(text)


class SentenceWindows(_Passager):
    """Runs of neighbouring sentences that overlap, by default NeuralMind's segments at COLIEE 2021.

    >>> query = pd.DataFrame({"qid": ["1"], "query": ["A lamp. A gate. A well."]})
    >>> SentenceWindows(size=2, stride=1)(query)[["qid", "query"]].to_numpy().tolist()
    [['1%p0', 'A lamp. A gate.'], ['1%p1', 'A gate. A well.']]
    """

    LABEL = "Into windows"

    def __init__(
        self,
        *,
        size: int = 10,
        stride: int = 5,
        most: int | None = 25,
        language: Language = "en",
        on: Literal["query", "text"] | None = None,
    ) -> None:
        """Parameters.

        ``size`` sentences make a window, and one begins every ``stride``; the first ``most`` are taken, None takes all.
        ``language``: of the sentences, see `ir_coliee.text.sentences`. ``on``: as of `Paragraphs`.
        """
        self.size = integer_at_least("size", size, 1)
        self.stride = integer_at_least("stride", stride, 1)
        self.most = None if most is None else integer_at_least("most", most, 1)
        self.language = check_language(language)
        self.on = _known_column(on)

    def passages(self, text: str) -> dict[int, str]:
        """The passages of a text by their numbers; at least one."""
        spans = windows(sentences(text, self.language), size=self.size, stride=self.stride, most=self.most)
        return dict(enumerate(span.of(text) for span in spans)) or {0: ""}


class AggregatePassages(BaseTransformer):
    """From results that are passages to results that are documents, or to queries from their passages: R to R.

    As PyTerrier's ``max_passage``, ``mean_passage``, ``kmaxavg_passage`` and ``first_passage``. With ``max`` and
    ``first`` a document has the columns of that passage, otherwise those of the query (or, where queries are put
    together, none). A passage without a score (NaN) counts for nothing; a document that has no other has none.

    >>> run = pd.DataFrame({"qid": "1", "docno": ["a%p0", "a%p1", "b%p4"], "score": [1.0, 4.0, 3.0]})
    >>> AggregatePassages("mean")(run)[["docno", "score"]].to_numpy().tolist()
    [['b', 3.0], ['a', 2.5]]
    """

    LABEL = "From passages"

    def __init__(
        self, aggregate: Literal["max", "mean", "first"] | int = "max", *, on: Literal["docno", "qid"] = "docno"
    ) -> None:
        """Parameters.

        ``aggregate``: the score of the best passage (``max``), of the ``first`` that is in the results, the ``mean`` of
        all that are, or a number k for the mean of the k best. ``on``: whether the documents (``docno``) or the queries
        (``qid``) are passages. An id without ``%p`` and a number behind stands for itself.
        """
        if aggregate not in ("max", "mean", "first"):
            if isinstance(aggregate, str):
                raise ValueError(f"aggregate={aggregate!r} is none of 'max', 'mean', 'first', a whole number from 1")
            aggregate = integer_at_least("aggregate", aggregate, 1)
        if on not in ("docno", "qid"):
            raise ValueError(f"on={on!r} is neither 'docno' nor 'qid'")
        self.aggregate = aggregate
        self.on = on

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Put passages together. Raises `ColieeError` for a row without an id."""
        pt.validate.result_frame(inp, extra_columns=["score"], context=self)
        check_ids(inp)
        groups = _Groups.of(inp, self.on)
        scores = inp["score"].to_numpy(dtype=np.float64)
        order = np.lexsort((groups.numbers, groups.numbers if self.aggregate == "first" else -scores, groups.of_row))
        starts = np.flatnonzero(np.diff(groups.of_row[order], prepend=-1))
        whole = inp.iloc[order[starts]].drop(columns=["rank", "docid"], errors="ignore")
        if self.aggregate not in ("max", "first"):
            query = pt.model.query_columns(inp) if self.on == "docno" else ["qid"]
            whole = whole[[name for name in inp.columns if name in {*query, "docno", "score"}]]
            most = self.aggregate if isinstance(self.aggregate, int) else len(inp)
            whole = whole.assign(score=_means(groups.of_row[order], scores[order], starts, most))
        return sort_results(whole.assign(**{self.on: groups.wholes[order[starts]]}))


class _Groups(NamedTuple):
    """Of each row the number of its query and whole document, its passage's number, and the id of the whole."""

    of_row: Integers
    numbers: Integers
    wholes: npt.NDArray[np.object_]

    @classmethod
    def of(cls, results: pd.DataFrame, column: str) -> _Groups:
        codes, ids = pd.factorize(results[column])
        found = [_PASSAGE.fullmatch(str(name)) for name in ids]
        wholes = np.array([match["whole"] if match else name for match, name in zip(found, ids)], dtype=object)
        numbers = np.array([int(match["number"]) if match else 0 for match in found], dtype=np.int64)
        of_whole = pd.factorize(wholes)[0][codes]
        of_other = pd.factorize(results["qid" if column == "docno" else "docno"])[0]
        pairs = of_other * np.int64(len(wholes) + 1) + of_whole
        return cls(pd.factorize(pairs)[0], numbers[codes], wholes[codes])


def _means(groups: Integers, scores: Floats, starts: Integers, most: int) -> Floats:
    """The mean of the first ``most`` scores of each group, those that are missing left out; groups lie together."""
    places = np.arange(len(groups)) - starts[groups]
    counted = (places < most) & ~np.isnan(scores)
    groups = groups[counted]
    sums = np.bincount(groups, weights=scores[counted], minlength=len(starts))
    numbers = np.bincount(groups, minlength=len(starts))
    return np.where(numbers > 0, sums / np.maximum(numbers, 1), np.nan)


def _known_column(on: Literal["query", "text"] | None) -> Literal["query", "text"] | None:
    if on not in ("query", "text", None):
        raise ValueError(f"on={on!r} is none of 'query', 'text', None")
    return on


def _of_each(ids: pd.Series, texts: pd.Series, passages: Callable[[str], dict[Any, str]]) -> list[dict[Any, str]]:
    """The passages of each row's text; a text that occurs often is parted once."""
    given = np.where(texts.isna(), "", texts.to_numpy(dtype=object))
    for own, text in zip(ids, given):
        if not isinstance(text, str):
            kind = type(text).__name__
            raise ColieeError(
                f"{ids.name} {shown(str(own))}: its {texts.name} is of the type {kind}; a string is needed."
            )
    known = {text: passages(text) for text in dict.fromkeys(given)}
    return [known[text] for text in given]
