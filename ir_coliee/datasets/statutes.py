"""Reader for the exam questions of the statute tasks, 3 and 4.

A pair file holds one exam year: for each question the statement (``t2``), its label Y or N, and the
articles that decide it, either quoted in ``t1`` or named in ``article`` tags. The relevant articles
are read from tags or from the heads in ``t1``, never from the label: a false statement has them too.
"""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

import xml.etree.ElementTree as ElementTree
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from ir_datasets.formats import GenericQrel

from ir_coliee.datasets import copies
from ir_coliee.datasets.handlers import Answer
from ir_coliee.datasets.reading import read_text
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MalformedFileError, MissingLabelsError
from ir_coliee.text.statutes import quoted_articles, unique

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
    collection's; ``label`` is Y or N. Both are empty where the file does not give them.
    """

    query_id: str
    statement: str
    label: str
    t1: str
    articles: tuple[str, ...]

    def default_text(self) -> str:
        """The statement."""
        return self.statement


def questions(part: Part) -> list[Question]:
    """The questions of a part, exam year by exam year, in file order, without those that are not scored."""
    found = []
    for year in part.exam_years:
        path = copies.find(part, year)
        of_year = _read(path, path.stat().st_mtime_ns, part.language)
        if not of_year:
            raise MalformedFileError(path, None, "no question in it", _PAIR)
        found.extend(of_year)
    return [question for question in found if question.query_id not in part.excluded]


@lru_cache(maxsize=64)
def _read(path: Path, _changed: int, language: str) -> list[Question]:
    return read_pairs(path, language)


def statements(part: Part) -> list[Statement]:
    """The questions of a part with their statement alone."""
    return [Statement(question.query_id, question.statement) for question in questions(part)]


def relevant_articles(part: Part) -> list[GenericQrel]:
    """The gold of task 3."""
    gold = [GenericQrel(q.query_id, number, 1) for q in questions(part) for number in q.articles]
    return gold or _refuse(part, "names no relevant article")


def right_answers(part: Part) -> list[GenericQrel]:
    """The gold of task 4: the right label of each question."""
    gold = [GenericQrel(question.query_id, question.label, 1) for question in questions(part) if question.label]
    return gold or _refuse(part, "has no Y or N labels")


def answer_pools(part: Part) -> list[tuple[str, str]]:
    """Query and candidate of task 4: each question with both labels."""
    return [(question.query_id, answer.doc_id) for question in questions(part) for answer in ANSWERS]


def _refuse(part: Part, problem: str) -> list[GenericQrel]:
    names = ", ".join(part.files[year][0] for year in part.exam_years)
    raise MissingLabelsError(
        f"{part.id}: this copy {problem}. Put the file with the answers ({names}) into the data folder once it is out."
    )


def read_pairs(path: Path, language: str) -> list[Question]:
    """The questions of a pair file. Raises `MalformedFileError`."""
    found: dict[str, Question] = {}
    for line, pair in _pairs(path):
        question = _question(path, line, pair, language)
        if question.query_id in found:
            raise MalformedFileError(path, line, f"question {question.query_id} again", "each question once")
        found[question.query_id] = question
    return list(found.values())


def _pairs(path: Path) -> list[tuple[int, ElementTree.Element]]:
    """The ``pair`` elements of a file with the lines that they open on."""
    lines: list[int] = []
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate("utf-8")  # the text is, whatever the file declares

    def open_element(tag: str, attributes: dict[str, str]) -> None:
        if tag == "pair":
            lines.append(parser.CurrentLineNumber)
        builder.start(tag, attributes)

    def refuse_entity(name: str, *_declaration: object) -> None:  # a few of them can fill the memory
        raise MalformedFileError(path, parser.CurrentLineNumber, f"the entity {name} is declared", "no declarations")

    parser.StartElementHandler = open_element
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(read_text(path).encode(), True)
    except expat.ExpatError as error:
        raise MalformedFileError(path, error.lineno, f"not well-formed XML ({error})", _PAIR) from None
    return list(zip(lines, builder.close().iter("pair")))


def _question(path: Path, line: int, pair: ElementTree.Element, language: str) -> Question:
    query_id, label = pair.get("id"), pair.get("label") or ""
    statement = pair.find("t2")
    if not query_id or statement is None:
        raise MalformedFileError(path, line, "a pair without id or without t2", _PAIR)
    if label not in ("Y", "N", ""):
        raise MalformedFileError(path, line, f"question {query_id} has the label {label!r}", "Y or N")
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
    )


def _strip_lines(element: ElementTree.Element | None) -> str:
    """An element's text without blank lines and without blanks around its lines."""
    text = "" if element is None else "".join(element.itertext())
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
