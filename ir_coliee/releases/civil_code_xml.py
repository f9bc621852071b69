"""Reader for the civil code as an XML file, of the e-Gov law service or the organisers' ``civil.xml``.

In both formats, an article has the same lines: its title and first paragraph, then each paragraph, item and subitem,
with a full-width blank between mark and text. Only the file of the law service has the hierarchy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from xml.etree.ElementTree import Element

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.releases.civil_code_text import WrittenArticle, opening
from ir_coliee.releases.folders import File
from ir_coliee.releases.reading import read_xml
from ir_coliee.text.statutes import LEVELS, caption_of

_BLANK = "　"
_END_OF_COLLECTION = "725"
_EXPECTED = "a civil code, as <Law> from the e-Gov law service or as <Articles> from the organisers"


def read_xml_code(file: File | Path) -> list[WrittenArticle]:
    """Read the articles of an XML file, in order, up to 724-2.

    Raises
    ------
    MalformedFileError
        If the file is not well-formed, is no civil code, or has an article without number or twice.
    """
    root, lines = read_xml(file, _EXPECTED)
    if root.tag not in _FORMS:
        raise MalformedFileError(file, lines[root], f"the root element is <{root.tag}>", _EXPECTED)
    path, number, articles = _FORMS[root.tag]
    known: set[str] = set()
    for article in root.iterfind(path):
        value = article.get(number)
        if not value:
            raise MalformedFileError(file, lines[article], f"an article has no attribute {number}", _EXPECTED)
        if value in known:
            raise MalformedFileError(
                file, lines[article], f"article {printable(value, 30)} is repeated", "each article once"
            )
        known.add(value)
    return list(takewhile(lambda article: article.number != _END_OF_COLLECTION, articles(root)))


def _organisers_articles(root: Element) -> Iterator[WrittenArticle]:
    place = dict.fromkeys(LEVELS, "")
    for article in root.iterfind("Article"):
        lines = (line.strip() for line in (article.findtext("text") or "").splitlines())
        first, *rest = [line for line in lines if line] or [""]
        head = opening(first, "ja")
        yield WrittenArticle(
            number=article.get("num", ""),
            caption=_without_brackets(article.findtext("caption") or ""),
            place=place,
            lines=[head.body if head else first, *rest],
        )


def _law_articles(root: Element) -> Iterator[WrittenArticle]:
    provisions = root.find("LawBody/MainProvision")
    return iter(()) if provisions is None else _below(provisions, dict.fromkeys(LEVELS, ""))


def _below(element: Element, place: dict[str, str]) -> Iterator[WrittenArticle]:
    """Yield the articles below an element of the law's hierarchy, whose own headings are ``place``."""
    for child in element:
        if child.tag == "Article":
            yield WrittenArticle(
                number=child.get("Num", "").replace("_", "-"),
                caption=_without_brackets(_text(child.find("ArticleCaption"))),
                place=place,
                lines=[line for paragraph in child.findall("Paragraph") for line in _lines(paragraph)],
            )
        elif child.tag in _LEVEL_OF:
            yield from _below(child, place | {_LEVEL_OF[child.tag]: _text(child.find(f"{child.tag}Title"))})


def _lines(paragraph: Element) -> Iterator[str]:
    number = _text(paragraph.find("ParagraphNum"))
    yield (number + _BLANK if number else "") + _joined(paragraph, "ParagraphSentence/Sentence")
    for item in paragraph.findall("Item"):
        yield _marked(item)
        for subitem in item.findall("Subitem1"):
            yield _marked(subitem)


def _marked(item: Element) -> str:
    """Return the line of an item or a subitem: its mark, then its sentences or its columns."""
    title, sentence = f"{item.tag}Title", f"{item.tag}Sentence"
    columns = item.findall(f"{sentence}/Column/Sentence")
    text = _BLANK.join(map(_text, columns)) if columns else _joined(item, f"{sentence}/Sentence")
    return _text(item.find(title)) + _BLANK + text


def _joined(element: Element, path: str) -> str:
    return "".join(map(_text, element.findall(path)))


def _text(element: Element | None) -> str:
    """Return the text of an element without reading aids (``Rt``)."""
    if element is None or element.tag == "Rt":
        return ""
    return (element.text or "") + "".join(_text(child) + (child.tail or "") for child in element)


def _without_brackets(caption: str) -> str:
    bare = caption_of(caption, "ja")
    return caption.strip() if bare is None else bare


_LEVEL_OF = {level.capitalize(): level for level in LEVELS}
#: By the root element: the path of the articles, the attribute with their number, and their reader.
_FORMS: dict[str, tuple[str, str, Callable[[Element], Iterator[WrittenArticle]]]] = {
    "Articles": ("Article", "num", _organisers_articles),
    "Law": ("LawBody/MainProvision//Article", "Num", _law_articles),
}
