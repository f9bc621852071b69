"""Properties of the questions of tasks 3 to 5: of the statement, of its relevant articles, and its gold label."""

from __future__ import annotations

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties.property_table import CATEGORY, YES_OR_NO, Column, PropertyTable, Rows, one_of
from ir_coliee.releases.civil_code import all_articles
from ir_coliee.text.cues import SUBJECTS, exceptions, is_anonymised, negations, subject_of_heading, subject_of_number
from ir_coliee.text.references import mentions


def _of_the_statement(runs: EvaluatedRuns) -> Rows:
    language = runs.split.language
    for query_id, question in runs.queries.items():
        statement = question.statement
        yield (
            query_id,
            (
                question.year or None,
                is_anonymised(statement),
                "negative" if negations(statement, language) % 2 else "affirmative",
                exceptions(statement, language) > 0,
                bool(mentions(statement, language)),
            ),
        )


def _of_the_articles(runs: EvaluatedRuns) -> Rows:
    release = runs.release
    code = all_articles(release) if release.has("articles") else ()
    by_heading = {article.doc_id: subject_of_heading(article.part) for article in code}
    for query_id, question in runs.queries.items():
        subjects = {by_heading.get(number) or subject_of_number(number) for number in question.articles}
        subject = subjects.pop() if len(subjects) == 1 else "several" if subjects else None
        number = "several" if len(question.articles) > 1 else "one" if question.articles else None
        yield query_id, (subject, number)


def _of_the_references(runs: EvaluatedRuns) -> Rows:
    graph = runs.facts.references
    applying = {edge.source for edge in (*graph.references, *graph.outside) if edge.mutatis_mutandis}
    for query_id, question in runs.queries.items():
        yield query_id, (not applying.isdisjoint(question.articles) if question.articles else None,)


def _labels(runs: EvaluatedRuns) -> Rows:
    return ((query_id, (question.label or None,)) for query_id, question in runs.queries.items())


PROPERTIES = (
    PropertyTable(
        (
            Column("exam_year", CATEGORY, "exam year of the question"),
            Column("anonymised", YES_OR_NO, "whether the statement names persons or things by letters such as A"),
            Column(
                "polarity",
                one_of("affirmative", "negative"),
                "negative if the statement has an odd number of negations",
            ),
            Column("exception", YES_OR_NO, "whether the statement has an exception (unless, however; ただし)"),
            Column("mentions_articles", YES_OR_NO, "whether the statement itself refers to articles"),
        ),
        _of_the_statement,
    ),
    PropertyTable(
        (
            Column(
                "subject",
                one_of(*SUBJECTS, "several"),
                f"part of the civil code of the relevant articles: {', '.join(SUBJECTS)}",
            ),
            Column("relevant_articles", one_of("one", "several"), "one or several relevant articles"),
        ),
        _of_the_articles,
    ),
    PropertyTable(
        (
            Column(
                "mutatis_mutandis",
                YES_OR_NO,
                "whether a relevant article applies another one mutatis mutandis (準用)",
            ),
        ),
        _of_the_references,
    ),
)
#: Of the tasks whose answer it is.
LABEL = PropertyTable((Column("label", one_of("Y", "N"), "gold label of the statement"),), _labels)
