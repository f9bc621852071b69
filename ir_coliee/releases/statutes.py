"""Reader for the exam questions of the statute tasks, 3 to 5.

A file of questions holds one exam year: for each question the statement (``t2``), its label Y or N, and the articles
that decide it, either quoted in ``t1`` or named in ``article`` tags. The relevant articles are read from the tags or
from the article heads in ``t1``, never from the label: a false statement has relevant articles too.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element

from ir_datasets.formats import GenericQrel

from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingReleaseError, printable, printable_list
from ir_coliee.releases import civil_code
from ir_coliee.releases.cache import remember
from ir_coliee.releases.files import File, Warn, is_empty, read_text, read_xml, warnings_about
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.releases.search import unpublished_labels_error
from ir_coliee.text.statutes import exam_id, quoted_articles, unique

if TYPE_CHECKING:
    from ir_coliee.releases.release import LocalRelease


# Readers for separate files of answers, which the organisers hand out after a test: articles, or Y and N.


_GOLD = "a line such as `R98-1-A 0 7 1`, the article in the third column"
_LABEL = "a line such as `R98-1-A<tab>Y`"


def read_gold_file(file: File | Path) -> dict[str, tuple[str, ...]]:
    """Read the relevant articles of each question from a file with lines like those of a run or of qrels.

    The question id is in the first column, the article in the third.

    Raises
    ------
    MalformedFileError
        If a line has fewer than three columns.
    """
    gold: dict[str, dict[str, None]] = {}  # a dict keeps the order of the articles
    for line, columns in _rows(file):
        if len(columns) < 3:
            raise MalformedFileError(file, line, f"the line has {len(columns)} columns", _GOLD)
        gold.setdefault(columns[0], {})[columns[2]] = None
    return {query_id: tuple(articles) for query_id, articles in gold.items()}


def read_answer_file(file: File | Path) -> dict[str, str]:
    """Read the answer Y or N of each question.

    If a question has both answers, the first is used and a `ColieeWarning` is issued.

    Raises
    ------
    MalformedFileError
        If a line is not a question id followed by Y or N.
    """
    answers: dict[str, str] = {}
    with warnings_about(file) as warn:
        for line, columns in _rows(file):
            if len(columns) < 2 or columns[1] not in ("Y", "N"):
                raise MalformedFileError(file, line, "the line is not a question id followed by Y or N", _LABEL)
            if answers.setdefault(columns[0], columns[1]) != columns[1]:
                warn(line, f"question {printable(columns[0])} has both answers; the first is used")
    return answers


def _rows(file: File | Path) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(read_text(file).split("\n"), start=1):
        if columns := text.split():
            yield line, columns


# The answers of tasks 4 and 5 and of tort prediction as documents: Y and N, True and False.


# Without postponed annotations: PyTerrier's text loader compares the annotations of record fields with str.


class Answer(NamedTuple):
    """An answer as a document: Y or N, True or False."""

    doc_id: str
    text: str

    def default_text(self) -> str:
        """Return the meaning of the answer."""
        return self.text


# Reader for the exam questions of the statute tasks, 3 to 5.


# Without postponed annotations: PyTerrier's text loader compares the annotations of record fields with str.


_PAIR = '<pair id="R98-01-A" label="Y"> with the statement in <t2>'

_ARTICLE = "the number of an article in <article>"
_LONGEST_NUMBER = 20  # characters

#: The answers of tasks 4 and 5.
ANSWERS = [
    Answer("Y", "Yes: the statement follows from the articles."),
    Answer("N", "No: the statement does not follow from the articles."),
]


class Statement(NamedTuple):
    """An exam statement, a query of tasks 3 to 5."""

    query_id: str
    statement: str

    def default_text(self) -> str:
        """Return the statement."""
        return self.statement


class Question(NamedTuple):
    """An exam statement with all its fields in the file of questions.

    Attributes
    ----------
    query_id : str
    statement : str
    label : str
        Y or N; empty if the file has no label.
    t1 : str
        The articles as quoted to the participants, whose text may differ from the collection's; empty if the file
        quotes none. If a Japanese file names its articles only in tags (2026), they are quoted from the civil code if
        it was found.
    articles : tuple of str
        The numbers of the relevant articles.
    year : str
        The exam year in two digits, read from the id: ``R01``, also where the id begins with ``R1-``.
    question_no : str
        The number of the question in the exam, without leading zeros.
    option : str
        The option of the question. ``year``, ``question_no`` and ``option`` are empty if the id has another form.
    """

    query_id: str
    statement: str
    label: str
    t1: str
    articles: tuple[str, ...]
    year: str
    question_no: str
    option: str

    def default_text(self) -> str:
        """Return the statement."""
        return self.statement


def questions(release: LocalRelease) -> list[Question]:
    """Return the questions of a split by exam year, in file order, without those that are not scored."""
    scored = _scored_questions(release)
    if release.split.task == "task5":  # participants of task 5 are not given the articles
        return [question._replace(t1="", articles=()) for question in scored]
    if release.split.language != "ja" or all(question.t1 for question in scored if question.articles):
        return scored
    try:
        code = {article.doc_id: article for article in civil_code.all_articles(release)}
    except MissingReleaseError:
        return scored
    return [
        question if question.t1 else question._replace(t1=civil_code.quote_articles(question.articles, code))
        for question in scored
    ]


def _scored_questions(release: LocalRelease) -> list[Question]:
    """Return the questions of a split as they are written, with answers from separate files."""
    split = release.split
    found: list[Question] = []
    for year in split.exam_years:
        file = release.file(year)
        of_year = _read(file, file.stamp, split.language, year)
        if not of_year:
            raise MalformedFileError(file, None, "no question was found", _PAIR)
        found.extend(of_year)
    scored = [question for question in found if question.query_id not in split.excluded]
    _warn_of_another_edition(release, len(scored))
    return _with_later_answers(release, scored) if split.optional_files else scored


def _warn_of_another_edition(release: LocalRelease, size: int) -> None:
    """Warn of an unofficial number of questions: file names state no edition, and editions repeat exam years."""
    split = release.split
    expected = split.counts.get("queries")
    if expected is None or expected.certainty == "U" or size == expected or release.is_synthetic:
        return
    folders = unique(str(release.file(year).folder) for year in split.exam_years)
    message = (
        f"{split.id}: {size} questions instead of {int(expected)} in {printable_list(folders)}.\nThe files may be of "
        f"another edition: put each edition into a folder that names its year, such as COLIEE{split.edition}."
    )
    warnings.warn(message, ColieeWarning, stacklevel=3)


def _with_later_answers(release: LocalRelease, found: list[Question]) -> list[Question]:
    """Add the answers that the organisers handed out after the test."""
    later = {role: release.file(role) for role in release.split.optional_files if release.has(role)}
    gold = read_gold_file(later["gold"]) if "gold" in later else {}
    labels = read_answer_file(later["answers"]) if "answers" in later else {}
    return [
        question._replace(
            articles=question.articles or gold.get(question.query_id, ()),
            label=question.label or labels.get(question.query_id, ""),
        )
        for question in found
    ]


@remember
def _read(file: File, _stamp: Hashable, language: str, exam_year: str) -> tuple[Question, ...]:
    return tuple(read_questions(file, language, exam_year))


def statements(release: LocalRelease) -> list[Statement]:
    """Return the questions of a split with their statement alone."""
    return [Statement(question.query_id, question.statement) for question in _scored_questions(release)]


def relevant_articles(release: LocalRelease) -> list[GenericQrel]:
    """Return the gold of task 3. Articles that the local civil code lacks are kept, with a `ColieeWarning`.

    Raises
    ------
    MissingLabelsError
        If no question names a relevant article.
    """
    gold = [GenericQrel(q.query_id, number, 1) for q in _scored_questions(release) for number in q.articles]
    if not gold:
        raise unpublished_labels_error(release.split, "relevant articles", _files_of_labels(release))
    if release.has("articles"):
        known = {article.doc_id for article in civil_code.articles(release)}
        if unknown := [f"{qrel.query_id} {qrel.doc_id}" for qrel in gold if qrel.doc_id not in known]:
            lacking = "gold labels that this civil code lacks, which are kept"
            found = FindingWarning(release.file("articles"), "gold-without-article", lacking, unknown)
            warnings.warn(found, stacklevel=2)
    return gold


def correct_answers(release: LocalRelease) -> list[GenericQrel]:
    """Return the gold of tasks 4 and 5: the correct answer of each question.

    Raises
    ------
    MissingLabelsError
        If no question has a label.
    """
    questions = _scored_questions(release)
    gold = [GenericQrel(question.query_id, question.label, 1) for question in questions if question.label]
    if not gold:
        raise unpublished_labels_error(release.split, "Y or N labels", _files_of_labels(release))
    return gold


def answer_candidates(release: LocalRelease) -> list[tuple[str, str]]:
    """Return query id and document id of tasks 4 and 5: each question with both answers."""
    return [(question.query_id, answer.doc_id) for question in _scored_questions(release) for answer in ANSWERS]


def _files_of_labels(release: LocalRelease) -> list[File]:
    roles = (*release.split.exam_years, *release.split.optional_files)
    return [release.file(role) for role in roles if release.has(role)]


def read_questions(file: File | Path, language: str, exam_year: str = "") -> list[Question]:
    """Read the questions of a file of one exam year, in the form of any edition.

    Parameters
    ----------
    file : File or pathlib.Path
    language : {"en", "ja"}
    exam_year : str, optional
        The exam year of the file, such as ``R98``, with which each id begins; ids may leave out a zero, as in
        ``R1-…``. If it is empty, ids are not checked.

    Returns
    -------
    list of Question

    Raises
    ------
    MalformedFileError
        If the file is not well-formed, a question has no id or no statement, or the id is of another exam year.

    Notes
    -----
    The lines of a statement are joined with a blank in English and without one in Japanese. A `ColieeWarning` with the
    line reports a repeated question, of which the first is used, and a label other than Y and N, which is ignored. A
    `FindingWarning` reports empty statements.
    """
    prefixes = (f"{exam_year}-", f"{exam_year[:1]}{exam_year[1:].lstrip('0')}-")
    root, lines = read_xml(file, _PAIR)
    found: dict[str, Question] = {}
    with warnings_about(file) as warn:
        for pair in root.iter("pair"):
            question = _question(file, lines[pair], pair, language, warn)
            if exam_year and not question.query_id.startswith(prefixes):
                problem = f"question {printable(question.query_id)} is not of the exam year {exam_year}"
                expected = f"ids that begin with {' or '.join(unique(prefixes))}"
                raise MalformedFileError(file, lines[pair], problem, expected)
            if question.query_id in found:
                warn(lines[pair], f"question {printable(question.query_id)} is repeated; the first is used")
            found.setdefault(question.query_id, question)
    if empty := [question.query_id for question in found.values() if is_empty(question.statement)]:
        warnings.warn(FindingWarning(file, "empty-text", "questions without a statement", empty), stacklevel=2)
    return list(found.values())


def _question(file: File | Path, line: int, pair: Element, language: str, warn: Warn) -> Question:
    query_id, label = pair.get("id"), pair.get("label") or ""
    statement = pair.find("t2")
    if not query_id or statement is None:
        raise MalformedFileError(file, line, "the pair has no id or no t2", _PAIR)
    if label not in ("Y", "N", ""):
        warn(line, f"question {printable(query_id)} has the label {printable(label)!r}, neither Y nor N; it is ignored")
        label = ""
    quoted = pair.find("t1")
    quoted_text = _strip_lines(quoted)
    numbers = [tag.text.strip() for tag in pair.findall("article") if tag.text]
    if quoted is not None and not numbers:
        numbers = [tag.get("id", "") for tag in quoted.findall("article")]
    if any(len(number) > _LONGEST_NUMBER for number in numbers):  # a text, which no message may quote
        raise MalformedFileError(file, line, "an article tag has no number of an article", _ARTICLE)
    return Question(
        query_id=query_id,
        statement=(" " if language == "en" else "").join(_strip_lines(statement).splitlines()),
        label=label,
        t1=quoted_text,
        articles=unique(filter(None, numbers)) or quoted_articles(quoted_text, language),
        **exam_id(query_id)._asdict(),
    )


def _strip_lines(element: Element | None) -> str:
    """Return the text of an element without blank lines and without blanks around its lines."""
    text = "" if element is None else "".join(element.itertext())
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
