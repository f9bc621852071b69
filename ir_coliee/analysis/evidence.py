"""Why a query and an item match: shared terms and passages, years, references.

`evidence_for` collects the evidence of a pair. Each kind is a function of a `Pair` that returns an
`Evidence`. It is evidence of the texts and of our index, whichever system made a run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from ir_coliee.analysis.frame import plain, plain_rows
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.display import Block, Heading, Mark, MarkedText, Table, displayed, words
from ir_coliee.engine.overlaps import text_passages
from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.weightings import lucene_idf
from ir_coliee.errors import printable, printable_list
from ir_coliee.frames import Floats
from ir_coliee.text.analysers import PlacedTokens
from ir_coliee.text.decisions import Span, paragraph_spans
from ir_coliee.text.references import LEVELS
from ir_coliee.text.statutes import quoted_bodies
from ir_coliee.text.years import CaseProperties, case_properties, decision_years, mentioned_years
from ir_coliee.transformers.retrieval.indexes import bm25_of_split
from ir_coliee.transformers.retrieval.retriever import Retriever

__all__ = ["KINDS", "Evidence", "Pair", "evidence_for"]


# Extracts of texts around their marked parts, so that a text of two megabytes stays readable.


_CONTEXT, _LONGEST = 120, 600  # characters around marks, and of an extract
_BLANK, _WORD = re.compile(r"\s+"), 20


def extract(text: str, within: Span, marks: Iterable[Mark]) -> MarkedText:
    r"""Cut a text around the first of its marks.

    Parameters
    ----------
    text : str
        The text.
    within : Span
        The part of it that may be shown, such as a paragraph.
    marks : iterable of Mark
        Marked parts. Where they overlap, the characters belong to the first one.

    Returns
    -------
    MarkedText
        At most 120 characters before the first and after the last mark, and at most 600 characters in all. "…" shows
        that a text goes on; marks beyond it are left out.

    Examples
    --------
    >>> extract("A lamp. " * 100, Span(8, 24), [Mark(10, 14, "shared")])
    MarkedText(text='A lamp. A lamp.', marks=(Mark(start=2, end=6, label='shared'),))
    """
    ordered = sorted(marks)
    within = within.stripped(text)
    begin = max(within.start, (ordered[0].start if ordered else within.start) - _CONTEXT)
    last = max((mark.end for mark in ordered), default=begin)
    end = min(within.end, last + _CONTEXT, begin + _LONGEST)
    # a cut moves inwards to a blank, by at most 20 characters, so that no word is cut; Japanese has none
    if begin > within.start and (blank := _BLANK.search(text, begin, begin + _WORD)):
        begin = blank.end()
    if end < within.end and (blanks := [*_BLANK.finditer(text, max(end - _WORD, begin), end)]):
        end = blanks[-1].start()
    before, after = "…" * (begin > within.start), "…" * (end < within.end)
    shift = len(before) - begin
    kept, done = [], begin
    for mark in ordered:
        start, done_after = max(mark.start, done), min(mark.end, end)
        if start < done_after:
            kept.append(Mark(start + shift, done_after + shift, mark.label))
            done = done_after
    return MarkedText(before + text[begin:end] + after, tuple(kept))


# A query and an item of a split with their texts, and what all pairs of a split share.


@dataclass(frozen=True, eq=False)
class Pair:
    """A query and an item.

    Attributes
    ----------
    runs : EvaluatedRuns
        The runs of the split. Only their scores of the pair are looked at.
    query : record
        The query with all fields.
    item : record
        The document.
    """

    runs: EvaluatedRuns
    query: Any
    item: Any

    @classmethod
    def of(cls, runs: EvaluatedRuns, query_id: str, doc_id: str) -> Pair:
        """Read the texts of a query and an item. Raises `MissingReleaseError` and `KeyError` for unknown ones."""
        return cls(runs, runs.queries[query_id], runs.documents.get(doc_id))

    @property
    def texts(self) -> dict[str, str]:
        """The two texts that are compared, by name: of tasks 4 and 5 the statement and the articles given with it."""
        query, split = str(self.query.default_text()), self.runs.split
        if split.task in ("task4", "task5"):
            return {"statement": query, "articles": "\n".join(quoted_bodies(self.query.t1, split.language))}
        return {"query": query, "item": str(self.item.default_text())}

    @property
    def bm25(self) -> Retriever:
        """The BM25 retriever of our baseline, of a split of tasks 1 to 3."""
        return self.runs.once(("evidence", "bm25"), lambda: bm25_of_split(self.runs.split))


@lru_cache(maxsize=8)
def placed_tokens(text: str, language: str = "en") -> PlacedTokens:
    """Return the tokens of a text, which are kept for the next items of a query."""
    return PlacedTokens.of(text, language)


# `Evidence`: one reason why a query and an item match, as a table and marked texts.


_LONGEST_CELL, _LONGEST_FACT = 60, 200  # characters of a text in a table


@displayed
@dataclass(frozen=True, eq=False)
class Evidence:
    """One kind of evidence on a query and an item.

    Attributes
    ----------
    kind : str
        The name of the kind, such as ``shared_terms``.
    title : str
        The heading.
    facts : dict of str to value
        Single values: strings, numbers or None.
    table : pandas.DataFrame
        The rows; without columns if there are none.
    texts : tuple of (str, MarkedText)
        Extracts of the texts with marked parts, each with its heading.
    notes : tuple of str
        Reservations that a reader needs, and what is missing.
    """

    kind: str
    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    texts: tuple[tuple[str, MarkedText], ...] = ()
    notes: tuple[str, ...] = ()

    def display(self) -> Iterator[Block]:
        """Return the facts, the table, the texts and the notes, as `ir_coliee.display` shows them."""
        yield Heading(self.title, 2)
        if any(value not in (None, "") for value in self.facts.values()):
            yield Table.of_facts({name: _shown(value, _LONGEST_FACT) for name, value in self.facts.items()})
        if len(self.table):
            columns = [words(str(name)) for name in self.table.columns]
            rows = [[_shown(value, _LONGEST_CELL) for value in row.values()] for row in plain_rows(self.table)]
            texts = [name for name, *cells in zip(columns, *rows) if any(isinstance(cell, str) for cell in cells)]
            yield Table(columns, rows, fold=texts)
        for heading, text in self.texts:
            yield f"{heading}:" if text.text else f"{heading}: none"
            if text.text:
                yield text
        yield from self.notes

    def as_json(self) -> dict[str, Any]:
        """Return the evidence as plain dicts and lists, with None for missing values."""
        return {
            "kind": self.kind,
            "title": self.title,
            "facts": {name: plain(value) for name, value in self.facts.items()},
            "rows": plain_rows(self.table),
            "texts": [
                {"heading": heading, "text": text.text, "marks": [Mark._asdict(mark) for mark in text.marks]}
                for heading, text in self.texts
            ],
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        return f"<Evidence {self.kind}: {len(self.table)} rows, {len(self.texts)} texts>"


def _shown(value: Any, longest: int) -> Any:
    return printable(value, longest) if isinstance(value, str) else value


# References between an article and the relevant ones, and its place in the code: task 3.


def article_references(pair: Pair) -> Evidence:
    """Find the references between an article and the relevant articles of a question.

    Parameters
    ----------
    pair : Pair
        A query and an item of task 3.

    Returns
    -------
    Evidence
        A row for each reference in either direction. The facts are the headings and the caption of the article, the
        numbers of its references, and the relevant articles under the same innermost heading.
    """
    runs, number = pair.runs, str(pair.item.doc_id)
    outgoing, incoming = runs.facts.references.outgoing(number), runs.facts.references.incoming(number)
    relevant: set[str] = set()  # those in the collection, without the item itself
    if runs.has_gold:
        relevant = ({*runs.relevant.get(pair.query.query_id, ())} & {*runs.documents.ids()}) - {number}
    rows = [
        [edge.source, edge.target, edge.kind, "yes" if edge.mutatis_mutandis else "no", edge.paragraph]
        for edge in [*outgoing, *incoming]
        if {edge.source, edge.target} & relevant
    ]
    path = _path(pair.item)
    beside = [other for other in sorted(relevant) if path and path == _path(runs.documents.get(other))]
    facts = {
        "headings": " > ".join(path),
        "caption": pair.item.effective_caption,
        "articles that it refers to": len({edge.target for edge in outgoing}),
        "articles that refer to it": len({edge.source for edge in incoming}),
        "relevant articles under the same headings": printable_list(beside),
    }
    table = pd.DataFrame(rows, columns=["article", "refers_to", "kind", "mutatis_mutandis", "paragraph"])
    notes = () if rows else ("No reference connects the article with a relevant one.",)
    if not runs.has_gold:
        notes = ("The relevant articles are not known: the local release has no labels.",)
    return Evidence("article_references", "References between articles", facts, table, notes=notes)


def _path(article: object) -> list[str]:
    """Return the headings above an article, from the part down."""
    return [" ".join(heading.split()) for level in LEVELS if (heading := getattr(article, level))]


# Verbatim passages that a query and an item share, in their paragraphs.


#: The smallest number of words of a passage by task, in Japanese of letters. The choice is ours.
_SIZES = {"task1": 6, "task2": 4, "task3": 3, "task4": 3, "task5": 3}
_JAPANESE_SIZE = 5
_PASSAGES = 10
_SHOWN = 5  # passages whose paragraphs are shown
_WEIGHED = 200  # the longest passages, among which those with rare words are found


def shared_passages(pair: Pair) -> Evidence:
    """Find the passages that the texts of a pair share word by word.

    Parameters
    ----------
    pair : Pair
        A query and an item of tasks 1 to 3; or a statement of task 4 or 5, whose articles take the place of the item.

    Returns
    -------
    Evidence
        The ten passages whose distinct terms have the largest sum of idf, which tells a quotation from the phrases of
        all decisions (in tasks 4 and 5, the ten longest), with their paragraphs in both texts; and extracts of the
        paragraphs of the first five. The facts count all passages.
    """
    split = pair.runs.split
    size, unit = (_JAPANESE_SIZE, "letters") if split.language == "ja" else (_SIZES[split.task], "words")
    a, b = (_Side(name, text, split.language) for name, text in pair.texts.items())
    passages = text_passages(a.tokens, b.tokens, size)
    facts = {
        "passages": len(passages),
        f"{unit} of the longest": passages[0].size if passages else None,
        f"share of the {a.name}": a.share([(it.first, it.size) for it in passages]),
        f"share of the {b.name}": b.share([(it.second, it.size) for it in passages]),
    }
    weighed = passages[:_WEIGHED]
    has_index = split.task in ("task1", "task2", "task3")
    idf = _idf(pair, [a.text_of(it.first, it.size) for it in weighed]) if has_index else [it.size for it in weighed]
    best = sorted(zip(idf, weighed), key=lambda each: -each[0])[:_PASSAGES]
    rows = [
        [it.size, value, a.place_of(it.first), b.place_of(it.second), a.text_of(it.first, it.size)]
        for value, it in best
    ]
    columns = [f"{side.name}_paragraph" for side in (a, b)]
    table = pd.DataFrame(rows, columns=[unit, "idf", *columns, "passage"])
    without = [name for name in columns if not any(table[name])] + ([] if has_index else ["idf"])
    texts = (
        *a.extracts([(it.first, it.size, b.place_of(it.second)) for _, it in best[:_SHOWN]], b.name),
        *b.extracts([(it.second, it.size, a.place_of(it.first)) for _, it in best[:_SHOWN]], a.name),
    )
    note = f"Passages have at least {size} {unit}."
    if passages and has_index:
        note += " Those with a small idf may be phrases that many texts use."
    return Evidence("shared_passages", "Shared passages", facts, table.drop(columns=without), texts, (note,))


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

    def place_of(self, token: int) -> str:
        """Return the mark of a token's paragraph; ``header`` above the first one, nothing in a text without marks."""
        number = self._paragraphs[self.tokens.paragraphs[token]].number
        return f"[{number}]" if number is not None else "header" if len(self._paragraphs) > 1 else ""

    def extracts(self, passages: list[tuple[int, int, str]], other: str) -> Iterator[tuple[str, MarkedText]]:
        """Yield an extract of each paragraph that has passages, in the order of the best ones."""
        marks: dict[int, list[Mark]] = {}
        for first, size, there in passages:
            mark = Mark(*self.tokens.span(first, size), f"shared with {other} {there}".rstrip())
            marks.setdefault(self.tokens.paragraphs[first], []).append(mark)
        for number, of_paragraph in marks.items():
            place = self.place_of(self.tokens.paragraphs.index(number))
            heading = f"{self.name}, paragraph {place}" if place.startswith("[") else f"{self.name}, {place}"
            yield heading.removesuffix(", "), extract(self.text, self._paragraphs[number].text, of_paragraph)


def _idf(pair: Pair, passages: list[str]) -> Floats:
    """Return the sum of the idf of the distinct terms of each passage, in our index."""
    index = pair.bm25.index
    vectors = index.query_vectors(passages)
    vectors.data = lucene_idf(index.collection.df[vectors.indices], len(index))
    return row_sums(vectors)


# Shared terms by their part of the BM25 score.


_TERMS = 10
_STATISTICS = {"collection": "collection", "pool": "query's candidates"}


def shared_terms(pair: Pair) -> Evidence:
    """Split the BM25 score of a pair into the parts of its terms.

    Parameters
    ----------
    pair : Pair
        A query and an item of tasks 1 to 3.

    Returns
    -------
    Evidence
        The ten terms with the largest contributions, and a row with the sum of all others, so that the table adds up
        to the score. The facts are the score and the number of shared terms.
    """
    retriever, runs = pair.bm25, pair.runs
    pool = sorted(runs.scorer.checker.candidates(pair.query.query_id)) if runs.split.has_pools else None
    parts = retriever.explain({"query": pair.texts["query"]}, pair.item.doc_id, pool=pool)
    counts = ["query_tf", "document_tf", "df"]
    table = parts.head(_TERMS)[["term", *counts, "contribution"]]
    if (others := len(parts) - _TERMS) > 0:
        name, rest = f"{others} other term{'s' * (others > 1)}", parts["contribution"].iloc[_TERMS:].sum()
        table = pd.concat([table, pd.DataFrame({"term": [name], "contribution": rest})], ignore_index=True)
    table = table.astype(dict.fromkeys(counts, "Int64"))
    note = (
        f"The score is that of our index by {retriever.weighting!r} with the statistics of the "
        f"{_STATISTICS[retriever.statistics]}; a system need not have used it."
    )
    facts = {"score": float(parts["contribution"].sum()), "shared terms": len(parts)}
    return Evidence("shared_terms", "Shared terms", facts, table, notes=(note,))


# Years, judges and sizes of the query and the item: task 1.


_LISTED = 8


def years(pair: Pair) -> Evidence:
    """Compare what two decisions state on themselves: years, dates, judges and sizes.

    Parameters
    ----------
    pair : Pair
        A query and an item of task 1.

    Returns
    -------
    Evidence
        A row for each property, with the query's and the item's value. The facts relate both: the years between them,
        how often the query mentions the item's year and judge, and the years and judges that both mention.
    """
    latest = pair.runs.split.year
    texts = pair.texts.values()
    query, item = (_properties(text, latest) for text in texts)
    year_of_query, year_of_item = (decision_years(text, latest).latest for text in texts)
    query_years, item_years = (Counter(mentioned_years(text, latest)) for text in texts)
    query_judges, item_judges = Counter(query.judges_mentioned), Counter(item.judges_mentioned)
    facts = {
        "years from item to query": year_of_query - year_of_item if year_of_query and year_of_item else None,
        "mentions of the item's year in the query": query_years[year_of_item] if year_of_item else None,
        "mentions of the item's judge in the query": query_judges[item.judge] if item.judge else None,
        "years that both mention": _listed(query_years & item_years),
        "judges that both mention": _listed(query_judges & item_judges),
    }
    rows = [
        ["year", year_of_query, year_of_item],
        ["date in the header", _date(query), _date(item)],
        ["judge", query.judge, item.judge],
        ["years mentioned", _listed(query_years), _listed(item_years)],
        ["judges mentioned", _listed(query_judges), _listed(item_judges)],
        ["numbered paragraphs", query.num_paragraphs, item.num_paragraphs],
        ["characters", query.num_characters, item.num_characters],
        ["suppressed citations", query.num_markers, item.num_markers],
    ]
    table = pd.DataFrame(rows, columns=["property", "query", "item"], dtype=object)
    note = f"The year of a decision is that of its header, otherwise the latest that it mentions, up to {latest}."
    return Evidence("years", "Years, judges and sizes", facts, table, notes=(note,))


@lru_cache(maxsize=32)
def _properties(text: str, latest: int) -> CaseProperties:
    return case_properties(text, latest)


def _date(properties: CaseProperties) -> str:
    return "" if properties.header_date is None else date.fromordinal(properties.header_date).isoformat()


def _listed(counts: Counter[int] | Counter[str]) -> str:
    """List the most frequent values with their number of mentions."""
    best = [f"{value} ({number})" for value, number in counts.most_common(_LISTED)]
    more = [f"{len(counts) - _LISTED} more"] if len(counts) > _LISTED else []
    return ", ".join([*best, *more])


# The kinds of evidence of each task.


#: The kinds of evidence by task, in the order in which they are shown.
KINDS: dict[str, tuple[Callable[[Pair], Evidence], ...]] = {
    "task1": (shared_terms, shared_passages, years),
    "task2": (shared_terms, shared_passages),
    "task3": (shared_terms, shared_passages, article_references),
    "task4": (shared_passages,),
    "task5": (shared_passages,),
    "prediction": (),
    "rationale": (),
}


def evidence_for(runs: EvaluatedRuns, query_id: str, doc_id: str) -> list[Evidence]:
    """Collect the evidence that a query and an item match, of all kinds that fit the task.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs of the split. The evidence comes from the texts and from our index, and does not depend on the runs.
    query_id : str
        The query.
    doc_id : str
        The item.

    Returns
    -------
    list of Evidence
        One record for each kind, also if it found nothing.

    Raises
    ------
    MissingReleaseError
        If the local release has no texts.
    KeyError
        If it has no such query or item.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 2.0}}})
    >>> [record.kind for record in evidence_for(runs, "900656", "900557")][0]
    'shared_terms'
    """
    pair = Pair.of(runs, query_id, doc_id)
    return [find(pair) for find in KINDS[runs.split.task]]
