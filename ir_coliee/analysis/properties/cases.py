"""Properties of the queries of task 1, of their texts and of their relevant cases."""

from __future__ import annotations

from collections import Counter

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties.property_table import NUMBER, YES_OR_NO, Column, PropertyTable, Rows, one_of
from ir_coliee.progress import progress
from ir_coliee.releases.cases import documents
from ir_coliee.text.cleaning import french_passages, is_french
from ir_coliee.text.decisions import marker_spans, paragraph_spans

_LANGUAGES = {True: "French", False: "English", None: None}


def _of_the_text(runs: EvaluatedRuns) -> Rows:
    for query_id, query in runs.queries.items():
        text = query.case
        french = sum(passage.end - passage.start for passage in french_passages(text))
        yield (
            query_id,
            (
                runs.facts.query_years(query_id).latest,
                _LANGUAGES[is_french(text)],
                round(100 * french / len(text)) if text else None,
                len(marker_spans(text)),
                sum(paragraph.number is not None for paragraph in paragraph_spans(text)),
            ),
        )


def _of_the_relevant_cases(runs: EvaluatedRuns) -> Rows:
    duplicates = _duplicates(runs)
    relevant_of: dict[str, list[str]] = {}
    for query_id, doc_id in zip(runs.gold["query_id"], runs.gold["doc_id"]):
        relevant_of.setdefault(query_id, []).append(doc_id)
    for query_id, relevant in relevant_of.items():
        yield (
            query_id,
            (
                any(doc_id in runs.queries for doc_id in relevant),
                any(runs.facts.is_later(query_id, doc_id) for doc_id in relevant),
                not duplicates.isdisjoint(relevant),
            ),
        )


def _duplicates(runs: EvaluatedRuns) -> set[str]:
    """Return the documents whose text another document has too, in editions with candidate pools one of its pool."""
    doc_ids = progress(documents(runs.release).ids, "comparing texts", unit="documents")
    keys = {
        doc_id: (doc_id.partition("_")[0] if runs.split.has_pools else "", runs.facts.digest(doc_id))
        for doc_id in doc_ids
    }
    numbers = Counter(keys.values())
    return {doc_id for doc_id, key in keys.items() if numbers[key] > 1}


PROPERTIES = (
    PropertyTable(
        (
            Column("year", NUMBER, "year in the header of the query, otherwise the latest that it mentions"),
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
            Column(
                "relevant_is_later",
                YES_OR_NO,
                "whether the year filter would drop a relevant case as decided after the query",
            ),
            Column("relevant_is_duplicate", YES_OR_NO, "whether a relevant case has the text of another document"),
        ),
        _of_the_relevant_cases,
    ),
)
