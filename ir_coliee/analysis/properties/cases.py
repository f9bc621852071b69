"""Properties of the queries of task 1, of their texts and of their relevant cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties.property_table import NUMBER, YES_OR_NO, Column, PropertyTable, Rows, one_of
from ir_coliee.engine.cases.computed_once import computed_once
from ir_coliee.releases.text_fingerprints import normalised_text
from ir_coliee.text.case_paragraphs import paragraph_spans
from ir_coliee.text.case_years import decision_year
from ir_coliee.text.french import french_passages, is_french
from ir_coliee.text.suppressed_markers import marker_spans

_LANGUAGES = {True: "French", False: "English", None: None}


def _of_the_text(runs: EvaluatedRuns) -> Rows:
    for query_id, query in runs.queries.items():
        text = query.case
        french = sum(passage.end - passage.start for passage in french_passages(text))
        yield (
            query_id,
            (
                decision_year(text, runs.split.year),
                _LANGUAGES[is_french(text)],
                round(100 * french / len(text)) if text else None,
                len(marker_spans(text)),
                sum(paragraph.number is not None for paragraph in paragraph_spans(text)),
            ),
        )


def _of_the_relevant_cases(runs: EvaluatedRuns) -> Rows:
    decisions = decisions_of(runs)
    years_of_queries = {
        query_id: decision_year(query.case, runs.split.year) for query_id, query in runs.queries.items()
    }
    relevant_of: dict[str, list[str]] = {}
    for query_id, doc_id in zip(runs.gold["query_id"], runs.gold["doc_id"]):
        relevant_of.setdefault(query_id, []).append(doc_id)
    for query_id, relevant in relevant_of.items():
        year = years_of_queries.get(query_id)
        years = [decisions.years.get(doc_id) for doc_id in relevant]
        yield (
            query_id,
            (
                any(doc_id in years_of_queries for doc_id in relevant),
                any(other is not None and year is not None and other > year for other in years),
                any(doc_id in decisions.duplicates for doc_id in relevant),
            ),
        )


class Decisions(NamedTuple):
    """Properties of the documents of a split of task 1.

    Attributes
    ----------
    years : dict of str to int or None
        The year of each relevant case, as `YearFilter` reads it.
    duplicates : set of str
        The documents whose text another document has too, in editions with candidate pools one of the same pool. Texts
        are equal if they differ only in case, white space and punctuation.
    """

    years: dict[str, int | None]
    duplicates: set[str]


@computed_once
def decisions_of(runs: EvaluatedRuns) -> Decisions:
    """Read all documents of task 1 once. Raises `MissingReleaseError`."""
    relevant = {*runs.gold["doc_id"]}
    years: dict[str, int | None] = {}
    keys: dict[str, tuple[str, bytes]] = {}
    for doc_id, text in _documents(runs):
        if doc_id in relevant:
            years[doc_id] = decision_year(text, runs.split.year)
        pool = doc_id.partition("_")[0] if runs.split.has_pools else ""
        words = normalised_text(text) or text.encode(errors="surrogatepass")
        keys[doc_id] = pool, blake2b(words, digest_size=16).digest()
    numbers = Counter(keys.values())
    return Decisions(years, {doc_id for doc_id, key in keys.items() if numbers[key] > 1})


def _documents(runs: EvaluatedRuns) -> Iterator[tuple[str, str]]:
    return ((document.doc_id, document.text) for document in runs.release.documents())


PROPERTIES = (
    PropertyTable(
        (
            Column("year", NUMBER, "latest year that the query mentions, which the year filter takes for its own"),
            Column("language", one_of("English", "French"), "language of the query by its function words"),
            Column("french_percent", NUMBER, "share of the query's characters that are in French passages"),
            Column("suppressed_citations", NUMBER, "number of suppressed citations of the query"),
            Column("numbered_paragraphs", NUMBER, "number of numbered paragraphs of the query"),
        ),
        _of_the_text,
    ),
    PropertyTable(
        (
            Column("relevant_is_query", YES_OR_NO, "whether a relevant case is itself a query"),
            Column("relevant_is_later", YES_OR_NO, "whether a relevant case has a later year than the query"),
            Column("relevant_is_duplicate", YES_OR_NO, "whether a relevant case has the text of another document"),
        ),
        _of_the_relevant_cases,
    ),
)
