"""Reader for the exam questions of the statute tasks, 3 and 4.

A pair file holds one exam year: for each question the statement (``t2``), its label Y or N, and the
articles that decide it, either quoted in ``t1`` or named in ``article`` tags. The relevant articles
are read from tags or from the heads in ``t1``, never from the label: a false statement has them too.
"""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

import warnings
from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from ir_datasets.formats import GenericQrel

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingLabelsError, MissingReleaseError, listed, shown
from ir_coliee.releases import civil_code
from ir_coliee.releases import search as copies
from ir_coliee.releases.answer_files import read_answer_file, read_gold_file
from ir_coliee.releases.answer_labels import Answer
from ir_coliee.releases.folders import File
from ir_coliee.releases.memory import kept
from ir_coliee.releases.reading import read_xml
from ir_coliee.text.statutes import exam_id, quoted_articles, unique

_PAIR = '<pair id="R98-01-A" label="Y"> with the statement in <t2>'

ANSWERS = [
    Answer("Y", "Yes: the statement follows from the articles."),
    Answer("N", "No: the statement does not follow from the articles."),
]


class Statement(NamedTuple):
    """An exam statement, a query of tasks 3 and 4."""

    query_id: str
    statement: str

    def default_text(self) -> str:
        """The statement."""
        return self.statement


class Question(NamedTuple):
    """An exam statement with everything that the pair file says of it.

    ``t1`` is the article text as it was quoted to the participants, which may differ from the
    collection's; ``label`` is Y or N. Both are empty where the file does not give them, but where a Japanese
    file names its articles in tags alone (2026), ``t1`` quotes them from the civil code if that is at hand.
    ``year`` (two digits: ``R01``, also where the id begins ``R1-``), ``question_no`` (without leading zeros)
    and ``option`` are read from the id, and empty where it has another form.
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
        """The statement."""
        return self.statement


def questions(split: Split) -> list[Question]:
    """The questions of a split, exam year by exam year, in file order, without those that are not scored."""
    found = _scored(split)
    if split.task == "task5":  # the articles are what its participants were not given
        return [question._replace(t1="", articles=()) for question in found]
    if split.language != "ja" or all(question.t1 for question in found if question.articles):
        return found
    try:
        code = {article.doc_id: article for article in civil_code.all_articles(split)}
    except MissingReleaseError:
        return found
    return [q if q.t1 else q._replace(t1=civil_code.quote_articles(q.articles, code)) for q in found]


def _scored(split: Split) -> list[Question]:
    """The questions of a split as their files give them, with the answers that came in files of their own."""
    found: list[Question] = []
    for year in split.exam_years:
        file = copies.find_file(split, year)
        of_year = _read(file, file.stamp, split.language)
        if not of_year:
            raise MalformedFileError(file, None, "no question in it", _PAIR)
        found.extend(of_year)
    scored = [question for question in found if question.query_id not in split.excluded]
    _warn_of_another_edition(split, len(scored))
    return _answered(split, scored) if split.optional_files else scored


def _warn_of_another_edition(split: Split, number: int) -> None:
    """Warn of another number of questions: names tell no edition, and each re-issues the years before."""
    expected = split.counts.get("queries")
    if expected is None or expected.certainty == "U" or number == expected or copies.is_synthetic(split):
        return
    message = (
        f"{split.id}: {number} questions in this copy, {int(expected)} in the table. It may be the copy of another "
        f"edition: put each edition into a folder with its year, COLIEE{split.edition}."
    )
    warnings.warn(message, ColieeWarning, stacklevel=3)


def _answered(split: Split, found: list[Question]) -> list[Question]:
    """The questions with what a test's later files say of them."""
    later = {role: copies.find_file(split, role) for role in split.optional_files if copies.is_here(split, role)}
    gold = read_gold_file(later["gold"]) if "gold" in later else {}
    labels = read_answer_file(later["answers"]) if "answers" in later else {}
    return [
        q._replace(articles=q.articles or gold.get(q.query_id, ()), label=q.label or labels.get(q.query_id, ""))
        for q in found
    ]


@kept(64)
def _read(file: File, _stamp: Hashable, language: str) -> tuple[Question, ...]:
    return tuple(read_pairs(file, language))


def statements(split: Split) -> list[Statement]:
    """The questions of a split with their statement alone."""
    return [Statement(question.query_id, question.statement) for question in _scored(split)]


def relevant_articles(split: Split) -> list[GenericQrel]:
    """The gold of task 3. Articles that the civil code of this copy lacks stay in it, with a warning."""
    gold = [GenericQrel(q.query_id, number, 1) for q in _scored(split) for number in q.articles]
    if not gold:
        return _refuse(split, "names no relevant article")
    if copies.is_here(split, "articles"):
        known = {article.doc_id for article in civil_code.articles(split)}
        if absent := [f"{qrel.doc_id} ({qrel.query_id})" for qrel in gold if qrel.doc_id not in known]:
            message = f"{split.id}: gold that is not in the civil code of this copy, kept: {listed(absent)}"
            warnings.warn(message, ColieeWarning, stacklevel=2)
    return gold


def right_answers(split: Split) -> list[GenericQrel]:
    """The gold of task 4: the right label of each question."""
    gold = [GenericQrel(question.query_id, question.label, 1) for question in _scored(split) if question.label]
    return gold or _refuse(split, "has no Y or N labels")


def answer_pools(split: Split) -> list[tuple[str, str]]:
    """Query and candidate of task 4: each question with both labels."""
    return [(question.query_id, answer.doc_id) for question in _scored(split) for answer in ANSWERS]


def _refuse(split: Split, problem: str) -> list[GenericQrel]:
    names = ", ".join(split.files[year][0] for year in split.exam_years)
    raise MissingLabelsError(
        f"{split.id}: this copy {problem}. Put the file with the answers ({names}) into the data folder once it is out."
    )


def read_pairs(file: File | Path, language: str) -> list[Question]:
    """The questions of a pair file, of any year's form.

    The lines of a statement are joined by a blank in English, by nothing in Japanese. A `ColieeWarning` with the
    line reports a question given again, of which the first counts, and a label other than Y and N, which is
    taken for none. Raises `MalformedFileError`.
    """
    root, lines = read_xml(file, _PAIR)
    found: dict[str, Question] = {}
    for pair in root.iter("pair"):
        question = _question(file, lines[pair], pair, language)
        if question.query_id in found:
            _warn(file, lines[pair], f"question {shown(question.query_id)} again; the first counts")
        found.setdefault(question.query_id, question)
    return list(found.values())


def _warn(file: File | Path, line: int, problem: str) -> None:
    warnings.warn(f"{file}, line {line}: {problem}", ColieeWarning, stacklevel=3)


def _question(file: File | Path, line: int, pair: Element, language: str) -> Question:
    query_id, label = pair.get("id"), pair.get("label") or ""
    statement = pair.find("t2")
    if not query_id or statement is None:
        raise MalformedFileError(file, line, "a pair without id or without t2", _PAIR)
    if label not in ("Y", "N", ""):
        _warn(file, line, f"question {shown(query_id)} has the label {shown(label)!r}, neither Y nor N; taken for none")
        label = ""
    quoted = pair.find("t1")
    quoted_text = _strip_lines(quoted)
    numbers = [tag.text.strip() for tag in pair.findall("article") if tag.text]
    if quoted is not None and not numbers:
        numbers = [tag.get("id", "") for tag in quoted.findall("article")]
    return Question(
        query_id=query_id,
        statement=(" " if language == "en" else "").join(_strip_lines(statement).splitlines()),
        label=label,
        t1=quoted_text,
        articles=unique(filter(None, numbers)) or quoted_articles(quoted_text, language),
        **exam_id(query_id)._asdict(),
    )


def _strip_lines(element: Element | None) -> str:
    """An element's text without blank lines and without blanks around its lines."""
    text = "" if element is None else "".join(element.itertext())
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
