"""Files of exam questions ("pair files") in the forms in which the organisers have handed them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from xml.sax.saxutils import escape

from ir_coliee.synthetic import article_quotations as quotations
from ir_coliee.synthetic.article_quotations import Quote
from ir_coliee.synthetic.exam_questions import Question


class PairForm(NamedTuple):
    """Form of a pair file.

    Attributes
    ----------
    quote : callable or None
        Form in which the gold articles are quoted; None if they are not quoted.
    declaration : str
        XML declaration.
    attributes : str
        Attributes of a question.
    indent : str
        Indentation of some tags.
    blank_lines : bool
        Whether a blank line precedes each question.
    crlf : bool
        Whether line ends are CRLF.
    tags : str
        ``articles`` if gold articles are named in ``<article>`` tags, ``t1`` if these tags are inside of ``<t1>``;
        otherwise empty.
    is_tight : bool
        Whether there are no line ends around the quoted text and at the end of the file.
    """

    quote: Quote | None
    declaration: str = '<?xml version="1.0" encoding="UTF-8"?>'
    attributes: str = 'id="{id}" label="{label}"'
    indent: str = ""
    blank_lines: bool = False
    crlf: bool = False
    tags: str = ""
    is_tight: bool = False


_UNLABELLED = PairForm(
    None, declaration="<?xml version='1.0' encoding='UTF-8'?>", attributes="id='{id}'", blank_lines=True
)
_STANDALONE = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
_SEVERAL_HEADS = quotations.captioned(
    quotations.head_with_added_number,
    quotations.head_on_its_own_line,
    quotations.head_before_text,
    quotations.head_before_text,
    quotations.head_before_text,
)

#: The forms by name. The comments give their letters in the description of the statute data.
FORMS: Mapping[str, PairForm] = MappingProxyType(
    {
        "articles run together": PairForm(quotations.run_together, crlf=True),  # A
        "article tags in t1": PairForm(  # A
            None, declaration='<?xml version="1.0" encoding="utf-8"?>', crlf=True, tags="t1"
        ),
        "Japanese with two kinds of blanks": PairForm(quotations.japanese("\u3000", " ")),  # B
        "head behind the caption": PairForm(  # C
            quotations.head_behind_caption, attributes='label="{label}" id="{id}"'
        ),
        "head on its own line": PairForm(quotations.head_on_its_own_line, declaration=_STANDALONE),  # D
        "head before the text": PairForm(quotations.head_before_text, blank_lines=True),  # E
        "captions and several heads": PairForm(_SEVERAL_HEADS, indent=" ", blank_lines=True),  # F
        "captions and joined heads": PairForm(  # G
            quotations.captioned(quotations.head_joined_to_number, quotations.head_before_text), blank_lines=True
        ),
        "captions and heads before the text": PairForm(  # G
            quotations.captioned(quotations.head_before_text), blank_lines=True
        ),
        "unlabelled in English": _UNLABELLED._replace(quote=quotations.captioned(quotations.head_before_text)),  # H
        "unlabelled in Japanese": _UNLABELLED._replace(quote=quotations.japanese(" ")),  # I
        "Japanese": PairForm(quotations.japanese(" ")),  # I
        "unlabelled without articles": _UNLABELLED,  # J
        "article tags": PairForm(None, tags="articles"),  # K
        "Japanese from article tags": PairForm(quotations.japanese("\u3000"), is_tight=True),  # L
    }
)


def pair_file(questions: Sequence[Question], form_name: str) -> bytes:
    """Return a pair file.

    Parameters
    ----------
    questions : sequence of Question
        The questions.
    form_name : str
        A key of `FORMS`.

    Returns
    -------
    bytes
        The file.
    """
    form = FORMS[form_name]
    lines = [form.declaration, "<dataset>"]
    n_quoted = 0
    repeated = [question for question in questions if "question given twice" in question.irregularities]
    for question in [*questions, *repeated]:
        lines += [""] if form.blank_lines else []
        attributes = form.attributes.format(id=question.id, label=question.label)
        if "single quotes" in question.irregularities:
            attributes = attributes.replace('"', "'")
        lines.append(f"<pair {attributes}>")
        lines += _quoted_articles(question, form, n_quoted) if form.quote else _article_tags(question, form)
        lines += _statement(question)
        lines.append(f"{form.indent}</pair>")
        n_quoted += len(question.articles)
    lines.append("</dataset>")
    line_end = "\r\n" if form.crlf else "\n"
    return (line_end.join(lines) + ("" if form.is_tight else line_end)).encode()


def _article_tags(question: Question, form: PairForm) -> Iterator[str]:
    if form.tags == "t1":
        yield from ("<t1>", *(f'<article id="{article.number}"/>' for article in question.articles), "</t1>")
    elif form.tags == "articles":
        yield from (f"<article>{article.number}</article>" for article in question.articles)


def _quoted_articles(question: Question, form: PairForm, n_quoted: int) -> list[str]:
    assert form.quote
    if form.is_tight and not question.articles:
        return []
    requested = question.irregularities
    lines = []
    for number, article in enumerate(question.articles, start=n_quoted):
        if "paragraphs missing" in requested:
            article = article._replace(paragraphs=article.paragraphs[:1])
        lines += form.quote(article, number)
        if "stray heading" in requested:
            lines.append("Section 3 Lo Gremmi" if lines[-1].isascii() else "第三節　門の灯")
        if "empty items" in requested:
            lines += ["(i)", "(ii)", "(iii)"]
    if "head without its first character" in requested:
        lines = [line.removeprefix("第") for line in lines]
    written = [escape(line) for line in lines]
    if form.is_tight:
        return ["<t1>" + "\n".join(written) + "</t1>"]
    closing = "</t1>   " if "trailing blanks" in requested else "</t1>"
    return [f"{form.indent}<t1>", *written, closing]


def _statement(question: Question) -> list[str]:
    lines = [escape(line, {'"': "&quot;"}) for line in question.statement]
    if "several lines" not in question.irregularities:
        lines = [(" " if lines[0].isascii() else "").join(lines)]
    if "statement on the line of its tags" in question.irregularities:
        lines[0] = f"<t2>{lines[0]}"
        lines[-1] += "</t2>"
        return lines
    return ["<t2>", *lines, "</t2>"]
