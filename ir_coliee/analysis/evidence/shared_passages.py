"""Verbatim passages that a query and an item share, in their paragraphs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ir_coliee.analysis.evidence.extracts import extract, heading, place
from ir_coliee.analysis.evidence.pair import Pair, placed_tokens
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.display import Mark, MarkedText
from ir_coliee.engine.overlaps import text_passages
from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.weightings import lucene_idf
from ir_coliee.frames import Floats
from ir_coliee.text.decisions import Paragraph, paragraph_spans

#: The smallest number of words of a passage by task, in Japanese of letters. The choice is ours.
_SIZES = {"task1": 6, "task2": 4, "task3": 3}
_JAPANESE_SIZE = 5
_ROWS = 10
_SHOWN = 5  # passages whose paragraphs are shown
_WEIGHED = 200  # the longest passages, among which those with rare words are found


def shared_passages(pair: Pair) -> Evidence:
    """Find the passages that the texts of a pair share word by word.

    Parameters
    ----------
    pair : Pair
        A query and an item of tasks 1 to 3.

    Returns
    -------
    Evidence
        The ten passages whose distinct terms have the largest sum of idf, which tells a quotation from the phrases of
        all decisions, with their paragraphs in both texts; and extracts of the paragraphs of the first five. The facts
        count all passages.
    """
    japanese = pair.runs.split.language == "ja"
    size = _JAPANESE_SIZE if japanese else _SIZES[pair.runs.split.task]
    unit = "letters" if japanese else "words"
    query, item = (_Side(name, text, pair.runs.split.language) for name, text in pair.texts.items())
    passages = text_passages(query.tokens, item.tokens, size)
    facts = {
        "passages": len(passages),
        f"{unit} of the longest": passages[0].size if passages else None,
        "share of the query": query.share([(it.first, it.size) for it in passages]),
        "share of the item": item.share([(it.second, it.size) for it in passages]),
    }
    idf = _idf(pair, [query.text_of(it.first, it.size) for it in passages[:_WEIGHED]])
    best = sorted(zip(idf.tolist(), passages), key=lambda weighed: -weighed[0])[:_ROWS]
    rows = [
        [it.size, value, query.place_of(it.first), item.place_of(it.second), query.text_of(it.first, it.size)]
        for value, it in best
    ]
    table = pd.DataFrame(rows, columns=[unit, "idf", "query_paragraph", "item_paragraph", "passage"])
    without_places = [name for name in ("query_paragraph", "item_paragraph") if not any(table[name])]
    texts = (
        *query.extracts([(it.first, it.size, item.place_of(it.second)) for _, it in best[:_SHOWN]], "item"),
        *item.extracts([(it.second, it.size, query.place_of(it.first)) for _, it in best[:_SHOWN]], "query"),
    )
    note = f"Passages have at least {size} {unit}."
    if passages:
        note += " Those with a small idf may be phrases that many texts use."
    return Evidence("shared_passages", "Shared passages", facts, table.drop(columns=without_places), texts, (note,))


class _Side:
    """The text of the query or of the item."""

    def __init__(self, name: str, text: str, language: str) -> None:
        self.name, self.text = name, text
        self.tokens = placed_tokens(text, language)
        self._paragraphs = paragraph_spans(text)

    def share(self, passages: list[tuple[int, int]]) -> float | None:
        """Return the share of the tokens that are in passages, which may overlap; None for a text without tokens."""
        covered = np.zeros(len(self.tokens.tokens), np.bool_)
        for first, size in passages:
            covered[first : first + size] = True
        return float(covered.mean()) if len(covered) else None

    def text_of(self, first: int, size: int) -> str:
        return " ".join(self.tokens.span(first, size).of(self.text).split())

    def _paragraph(self, token: int) -> Paragraph:
        return self._paragraphs[self.tokens.paragraphs[token]]

    def place_of(self, token: int) -> str:
        return place(self._paragraph(token), self._paragraphs)

    def extracts(self, passages: list[tuple[int, int, str]], other: str) -> Iterator[tuple[str, MarkedText]]:
        """Yield an extract of each paragraph that has passages, in the order of the best ones."""
        marks: dict[Paragraph, list[Mark]] = {}
        for first, size, there in passages:
            label = f"shared with {other} {there}".rstrip()
            mark = Mark(*self.tokens.span(first, size), label)
            marks.setdefault(self._paragraph(first), []).append(mark)
        for paragraph, of_paragraph in marks.items():
            where = heading(self.name, place(paragraph, self._paragraphs))
            yield where, extract(self.text, paragraph.text, of_paragraph)


def _idf(pair: Pair, passages: list[str]) -> Floats:
    """Return the sum of the idf of the distinct terms of each passage, in our index."""
    index = pair.bm25.index
    vectors = index.query_vectors(passages)
    vectors.data = lucene_idf(index.collection.df[vectors.indices], len(index))
    return row_sums(vectors)
