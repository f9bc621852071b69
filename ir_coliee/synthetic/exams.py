"""Made-up exam questions about a made-up civil code, and the pair files in which they have been handed out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from ir_coliee.synthetic import words
from ir_coliee.synthetic.law import Article, Code, Writer
from ir_coliee.synthetic.law_files import english_lines, japanese_lines
from ir_coliee.synthetic.release import Order
from ir_coliee.text.statutes import japanese_title

#: Where the numbers of questions begin: no exam has as many.
FIRST_NUMBER = 901
_OPTIONS = "AIUEO"
#: Numbers of words that are frequent in false statements, so that there is something to learn.
_WORDS_OF_DENIAL = (70, 71, 72)
_OPTIONS_BY_YEAR: Mapping[str, str] = MappingProxyType({"H26": "ACEGI"})
_DIGITS = "12345"
#: Years of which the options are digits.
_YEARS_OF_DIGITS = ("H18", "H19", "H20")
#: The share of the questions of R01 of which the ids begin "R1-", in the middle of the exam.
_UNPADDED = (33 / 111, 79 / 111)


@dataclass(frozen=True)
class Question:
    """An exam question. ``forms`` names what is irregular in how it is written."""

    id: str
    label: str
    articles: tuple[Article, ...]
    statement: tuple[str, ...]
    forms: frozenset[str] = frozenset()


def ask(year: str, size: int, links: int, code: Code, excluded: Sequence[str], order: Order) -> list[Question]:
    """The questions of an exam year: ``size`` invented ones with ``links`` gold articles, and those excluded."""
    writer = Writer(code.language, order.random)
    wanted = words.shares(order.random, links, size, least=1) + [2] * len(excluded)
    names = [*_ids(year, size), *excluded]
    return [_question(name, number, code.live, writer, order) for name, number in zip(names, wanted)]


def _ids(year: str, size: int) -> list[str]:
    options = _OPTIONS_BY_YEAR.get(year, _DIGITS if year in _YEARS_OF_DIGITS else _OPTIONS)
    names = []
    for i in range(size):
        unpadded = year == "R01" and _UNPADDED[0] <= (i + 0.5) / size < _UNPADDED[1]
        number, option = divmod(i, len(options))
        names.append(f"{'R1' if unpadded else year}-{FIRST_NUMBER + number}-{options[option]}")
    return names


def _question(name: str, n_articles: int, live: list[Article], writer: Writer, order: Order) -> Question:
    random = order.random
    chosen = random.choice(len(live), min(n_articles, len(live)), replace=False).tolist()
    articles = tuple(live[i] for i in chosen)
    label = "Y" if random.random() < 0.51 else "N"
    topics = [np.append(article.topic, _WORDS_OF_DENIAL if label == "N" else []).astype(int) for article in articles]
    sentences = tuple(writer.sentence(topic) for topic in topics)
    if name.startswith("H"):  # the comma of the older exams in Japanese; English has none of the other
        sentences = tuple(sentence.replace("、", "，") for sentence in sentences)
    return Question(name, label, articles, sentences)


# --- irregular questions -----------------------------------------------------------------------------

_EVERYWHERE = (
    "several lines",
    "statement on the line of its tags",
    "article not in the code",
    "label neither Y nor N",
    "question given twice",
)
_WHERE_ARTICLES_ARE_QUOTED = (
    "paragraphs missing",
    "quotation marks",
    "trailing blanks",
    "single quotes",
    "stray heading",
)


def irregular_forms(edition: str, language: str) -> tuple[str, ...]:
    """What is irregular in single questions of an edition."""
    if edition == "2026":
        return (*_EVERYWHERE, "no article")
    common = (*_WHERE_ARTICLES_ARE_QUOTED, *_EVERYWHERE)
    if language == "en":
        return (*common, "other characters", "empty items")
    return (*common, "head without its first character", *(["option before the statement"] * (edition == "2017")))


#: A sentence with quotation marks, and one more.
_INSERTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"en": ('Lo "gremmi" dapo.', "Dapo gremmi lo."), "ja": ('門灯は、"橋舟"である。', "灯舟は、橋門にある。")}
)


def can_be(question: Question, form: str) -> bool:
    """Whether a question can still be made irregular in this form: not all articles have several paragraphs."""
    several = any(len(article.paragraphs) > 1 for article in question.articles)
    return not question.forms and (several or form != "paragraphs missing")


def made_irregular(questions: list[Question], form: str, number: int, language: str) -> None:
    """Give a question of a list an irregular form."""
    question = questions[number]
    quoting, added = _INSERTED[language]
    first, *others = question.statement
    unknown = question.articles[0]._replace(number=f"{question.articles[0].number.partition('-')[0]}-99")
    changes: Mapping[str, Callable[[], Question]] = {
        "quotation marks": lambda: replace(question, statement=(quoting, first, *others)),
        "several lines": lambda: replace(question, statement=(first, added, *others)),
        "other characters": lambda: replace(question, statement=(f"Lo’gremmi α dapo. {first}", *others)),
        "article not in the code": lambda: replace(question, articles=(*question.articles, unknown)),
        "option before the statement": lambda: replace(question, statement=(f"{question.id[-1]}. {first}", *others)),
        "no article": lambda: replace(question, articles=()),
        "label neither Y nor N": lambda: replace(question, label="?"),
    }
    made = changes.get(form, lambda: question)()
    questions[number] = replace(made, forms=made.forms | {form})


# --- how an article is quoted ------------------------------------------------------------------------

Quote = Callable[[Article, int], list[str]]


def _run_together(article: Article, _number: int) -> list[str]:
    """2017: caption, head and paragraphs without line ends and mostly without blanks."""
    caption = f"({article.caption})" if article.caption else ""
    paragraphs = [line.replace(") ", ")", 1) if line.startswith("(") else f" {line}" for line in english_lines(article)]
    return [f"{caption}Article {article.number}{''.join(paragraphs)}"]


def _behind_caption(article: Article, number: int) -> list[str]:
    """The call of 2019: the caption on the line of the head, with or without a blank."""
    caption = f"({article.caption}){' ' * (number % 2)}" if article.caption else ""
    return [f"{caption}Article {article.number}", *english_lines(article)]


def _alone(article: Article, _number: int) -> list[str]:
    return [f"Article {article.number}", *english_lines(article)]


def _inline(article: Article, _number: int) -> list[str]:
    first, *others = english_lines(article)
    return [f"Article {article.number} {first}", *others]


def _glued(article: Article, number: int) -> list[str]:
    first, *others = english_lines(article)
    if not first.startswith("("):  # only the number of a paragraph is glued to a head
        return _inline(article, number)
    return [f"Article {article.number}{first}", *others]


def _first_paragraph_glued(article: Article, _number: int) -> list[str]:
    first, *others = english_lines(article)
    return [f"Article {article.number}(1) {first.removeprefix('(1) ')}", *others]


def _captioned(*quotes: Quote) -> Quote:
    """Caption lines, and the heads in several forms by turns."""

    def quote(article: Article, number: int) -> list[str]:
        caption = [f"({article.caption})"] if article.caption else []
        return caption + quotes[number % len(quotes)](article, number)

    return quote


def _japanese(*blanks: str) -> Quote:
    """Caption lines, heads with one kind of blank or another behind them by turns."""

    def quote(article: Article, number: int) -> list[str]:
        blank = blanks[number % len(blanks)]
        caption = [f"（{article.caption}）"] if article.caption else []
        first, *others = japanese_lines(article, blank)
        return [*caption, f"{japanese_title(article.number)}{blank}{first}", *others]

    return quote


# --- pair files --------------------------------------------------------------------------------------


class Form(NamedTuple):
    """How a pair file is written. ``quote`` None: no article is quoted; ``tight``: without line ends around t1."""

    quote: Quote | None
    declaration: str = '<?xml version="1.0" encoding="UTF-8"?>'
    attributes: str = 'id="{id}" label="{label}"'
    indent: str = ""
    blank_lines: bool = False
    crlf: bool = False
    tag_in_t1: bool = False
    tight: bool = False


_STANDALONE = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
_UNLABELLED = Form(None, declaration="<?xml version='1.0' encoding='UTF-8'?>", attributes="id='{id}'", blank_lines=True)

#: The forms, by the letters of the documentation of the statute data.
FORMS_BY_LETTER: Mapping[str, Form] = MappingProxyType(
    {
        "A": Form(_run_together, crlf=True),
        "A2": Form(None, declaration='<?xml version="1.0" encoding="utf-8"?>', crlf=True, tag_in_t1=True),
        "B": Form(_japanese("\u3000", " ")),
        "C": Form(_behind_caption, attributes='label="{label}" id="{id}"'),
        "D": Form(_alone, declaration=_STANDALONE),
        "E": Form(_inline, blank_lines=True),
        "F": Form(_captioned(_first_paragraph_glued, _alone, _inline, _inline, _inline), indent=" ", blank_lines=True),
        "G": Form(_captioned(_glued, _inline), blank_lines=True),
        "G inline": Form(_captioned(_inline), blank_lines=True),
        "H": _UNLABELLED._replace(quote=_captioned(_inline)),
        "I": _UNLABELLED._replace(quote=_japanese(" ")),
        "I labelled": Form(_japanese(" ")),
        "J": _UNLABELLED,
        "K": Form(None),
        "L": Form(_japanese("\u3000"), tight=True),
    }
)
#: Forms in which the articles are named in tags; J, too, quotes none, and names none.
_TAGGED = ("A2", "K")


def pair_file(questions: Sequence[Question], letter: str) -> bytes:
    """A pair file in the form of that letter."""
    form = FORMS_BY_LETTER[letter]
    lines = [form.declaration, "<dataset>"]
    counter = 0
    for question in [*questions, *(question for question in questions if "question given twice" in question.forms)]:
        lines += [""] if form.blank_lines else []
        attributes = form.attributes.format(id=question.id, label=question.label)
        if "single quotes" in question.forms:
            attributes = attributes.replace('"', "'")
        lines.append(f"<pair {attributes}>")
        if form.quote:
            lines += _quotation(question, form, counter)
        elif letter in _TAGGED:
            lines += _tags(question, form)
        lines += _statement(question, form)
        lines.append(f"{form.indent}</pair>")
        counter += len(question.articles)
    lines.append("</dataset>")
    line_end = "\r\n" if form.crlf else "\n"
    return (line_end.join(lines) + ("" if form.tight else line_end)).encode()


def _tags(question: Question, form: Form) -> Iterator[str]:
    if form.tag_in_t1:
        yield from ("<t1>", *(f'<article id="{article.number}"/>' for article in question.articles), "</t1>")
    else:
        yield from (f"<article>{article.number}</article>" for article in question.articles)


def _quotation(question: Question, form: Form, counter: int) -> list[str]:
    assert form.quote
    if form.tight and not question.articles:
        return []
    lines = []
    for number, article in enumerate(question.articles, start=counter):
        if "paragraphs missing" in question.forms:
            article = article._replace(paragraphs=article.paragraphs[:1])
        lines += form.quote(article, number)
        if "stray heading" in question.forms:
            lines.append("Section 3 Lo Gremmi" if lines[-1].isascii() else "第三節　門の灯")
        if "empty items" in question.forms:
            lines += ["(i)", "(ii)", "(iii)"]
    if "head without its first character" in question.forms:
        lines = [line.removeprefix("第") for line in lines]
    written = [escape(line) for line in lines]
    if form.tight:
        return ["<t1>" + "\n".join(written) + "</t1>"]
    closing = "</t1>   " if "trailing blanks" in question.forms else "</t1>"
    return [f"{form.indent}<t1>", *written, closing]


def _statement(question: Question, form: Form) -> list[str]:
    lines = [escape(line, {'"': "&quot;"}) for line in question.statement]
    if "several lines" not in question.forms:
        lines = [(" " if lines[0].isascii() else "").join(lines)]
    if "statement on the line of its tags" in question.forms:
        lines[0] = f"<t2>{lines[0]}"
        lines[-1] += "</t2>"
        return lines
    return ["<t2>", *lines, "</t2>"]
