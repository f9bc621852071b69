"""Reader for the civil code, the document collection of task 3, from a text or an XML file of any edition."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element

from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.releases.cache import remember
from ir_coliee.releases.files import File, Warn, read_text, read_xml, warnings_about
from ir_coliee.releases.findings import FindingWarning
from ir_coliee.text import statutes
from ir_coliee.text.statutes import LEVELS, Head

if TYPE_CHECKING:
    from ir_coliee.releases.release import LocalRelease


# Reader for the civil code as a text file, in either language.


#: The text in place of a deleted article.
DELETED = {"en": "Deleted", "ja": "削除"}

_HEADINGS = {
    "en": re.compile(r"(?P<level>Part|Chapter|Section|Subsection|Division)\s+(?:[IVXLC]+|\d+)(?:-\d+)?\s.*[^.,;:]"),
    "ja": re.compile(r"第[一二三四五六七八九十百]+(?P<level>[編章節款目])(?:の[一二三四五六七八九十]+)*\s.+"),
}
_TEXT_LEVELS = statutes.JAPANESE_LEVELS | {level.capitalize(): level for level in LEVELS}
_LONGEST_WRAPPED = 100  # characters; wrapped lines end at about 75
_NEAR = 50  # lines
_RESTORE = "Restore the file from the organisers' package."
_SENTENCE_END = re.compile(r"(?:[.。]|\b[Dd]eleted|削除)$")
_IN_A_REFERENCE = re.compile(
    r"(?:\b(?:paragraphs?|items?|subitems?|Articles?\s+[\d-]+),?|\((?:\d+|[ivx]+|[a-z])\)(?:,|,?\s+(?:and|or|to|through)))$"
)


class WrittenArticle(NamedTuple):
    """An article as written in a file: number, own caption, headings above it by level, lines without the head."""

    number: str
    caption: str
    place: dict[str, str]
    lines: list[str]


def is_deleted(lines: list[str]) -> bool:
    """Return whether the lines of an article only say that it was deleted."""
    return len(lines) == 1 and lines[0].capitalize() in DELETED.values()


def opening(line: str, language: str) -> Head | None:
    """Return the head of the article, or of the deleted range (``38:84``), with which a line begins, or None."""
    if span := statutes.deleted_range(line, language):
        return Head(f"{span[0]}:{span[1]}", DELETED[language], "")
    return statutes.head_of(line, language)


def read_text_code(file: File | Path, language: str) -> list[WrittenArticle]:
    """Read the articles of a text file, in order.

    A `ColieeWarning` with the line reports articles out of order, whose text is added to the previous article, and
    text between the first heading and the first article, which is ignored.
    """
    lines = [line.strip() for line in read_text(file).splitlines()]
    with warnings_about(file) as warn:
        heads = _heads(lines, language, warn)
        edges = [-1, *heads, len(lines)]
        blocks = [[line for line in lines[above + 1 : below] if line] for above, below in pairwise(edges)]
        place = dict.fromkeys(LEVELS, "")
        openings = []
        last_body = ""
        for head, above in zip(heads.values(), blocks):
            caption = head.caption or _take_caption(above, language)
            for level, heading in _take_headings(above, last_body, language):
                deeper = LEVELS[LEVELS.index(level) + 1 :]
                place = place | {level: heading} | dict.fromkeys(deeper, "")
            openings.append((head, caption, place))
            last_body = head.body
        if heads and any(_HEADINGS[language].fullmatch(line) for line in blocks[0]):
            warn(lines.index(blocks[0][-1]) + 1, f"the text before the first article is ignored. {_RESTORE}")
    _take_headings(blocks[-1], last_body, language)
    wrapped = _wrapped_lines(lines) if language == "en" else 0
    articles = []
    for at, (head, caption, place), body in zip(heads, openings, blocks[1:]):
        written = [head.body, *body] if head.body else body
        articles.append(WrittenArticle(head.number, caption, place, _unwrapped(written) if at < wrapped else written))
    return articles


def _wrapped_lines(lines: list[str]) -> int:
    """Return the number of lines from the top that are hard-wrapped: those up to article 724 in 2017, otherwise none.

    A text with one element per line soon has several lines that are longer than any wrapped line.
    """
    long = [index for index, line in enumerate(lines) if len(line) > _LONGEST_WRAPPED]
    runs = (first for first, third in zip(long, long[2:]) if third - first < _NEAR)
    return next(runs, len(lines))


def _heads(lines: list[str], language: str, warn: Warn) -> dict[int, Head]:
    """Return the article heads of a text by their index among its lines."""
    heads: dict[int, Head] = {}
    last: tuple[int, ...] = (0,)
    for index, line in enumerate(lines):
        head = opening(line, language)
        if head is None:
            continue
        number = tuple(map(int, head.number.rpartition(":")[2].split("-")))
        if number > last:
            heads[index] = head
            last = number
        elif not lines[index - 1] or _SENTENCE_END.search(lines[index - 1]):  # otherwise wrapped
            problem = f"article {head.number} is out of order; its text is added to the previous article"
            warn(index + 1, f"{problem}. {_RESTORE}")
    return heads


def _take_caption(lines: list[str], language: str) -> str:
    """Remove the caption from the end of the lines above a head, and return it; a wrapped one has two lines."""
    for size in (1, 2) if language == "en" else (1,):
        caption = statutes.caption_of(" ".join(lines[-size:]), language)
        if caption is not None:
            del lines[-size:]
            return caption
    return ""


def _take_headings(lines: list[str], above: str, language: str) -> list[tuple[str, str]]:
    """Remove the headings from the end of the lines above a head; return level and text of each, outermost first.

    ``above`` is the line above the lines, empty at the start of the file.
    """
    headings: list[tuple[str, str]] = []
    while lines:
        size, found = 1, _HEADINGS[language].fullmatch(lines[-1])
        if not found and _ends(lines[-3] if len(lines) > 2 else above, language):  # a wrapped heading has two lines
            size, found = 2, _HEADINGS[language].fullmatch(" ".join(lines[-2:]))
        if not found:
            break
        headings.append((_TEXT_LEVELS[found["level"]], found[0]))
        del lines[-size:]
    return headings[::-1]


def _ends(line: str, language: str) -> bool:
    """Return whether a sentence or a heading ends with this line."""
    return not line or bool(_SENTENCE_END.search(line) or _HEADINGS[language].fullmatch(line))


def _unwrapped(lines: list[str]) -> list[str]:
    """Join the hard-wrapped lines of an English article, to one for each paragraph, item and subitem."""
    elements: list[list[str]] = []
    last: dict[int, tuple[int, ...]] = {0: (1,)}  # the first paragraph may have no number
    for line in lines:
        element = statutes.element_of(line, "en")
        if not elements:
            elements.append([line])
            continue
        above = " ".join(elements[-1][-2:])[-_LONGEST_WRAPPED:]  # a reference may begin on the line above the last one
        if element and element.number > last.get(element.level, (0,)) and not _IN_A_REFERENCE.search(above):
            elements.append([line])
            last = {level: number for level, number in last.items() if level < element.level}
            last[element.level] = element.number
        else:
            elements[-1].append(line)
    return [" ".join(element) for element in elements]


# Reader for the civil code as an XML file, of the e-Gov law service or the organisers' ``civil.xml``.


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
            problem = f"article {printable(value, 30)} is repeated"
            raise MalformedFileError(file, lines[article], problem, "each article once")
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
        elif child.tag in _XML_LEVELS:
            yield from _below(child, place | {_XML_LEVELS[child.tag]: _text(child.find(f"{child.tag}Title"))})


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
    bare = statutes.caption_of(caption, "ja")
    return caption.strip() if bare is None else bare


_XML_LEVELS = {level.capitalize(): level for level in LEVELS}
#: By the root element: the path of the articles, the attribute with their number, and their reader.
_FORMS: dict[str, tuple[str, str, Callable[[Element], Iterator[WrittenArticle]]]] = {
    "Articles": ("Article", "num", _organisers_articles),
    "Law": ("LawBody/MainProvision//Article", "Num", _law_articles),
}


# Reader for the civil code, the document collection of task 3, from a text or an XML file of any edition.


# Without postponed annotations: PyTerrier's text loader compares the annotations of record fields with str.


_HEAD = {"en": "Article 12", "ja": "第十二条"}


class Article(NamedTuple):
    """An article of the civil code, a document of task 3.

    Levels of the hierarchy that do not apply are empty.

    Attributes
    ----------
    doc_id : str
        The number in arabic digits (``398-2``); ``38:84`` for a range of deleted articles.
    caption : str
        The caption above this article in the file.
    effective_caption : str
        The article's own caption, or the caption that it shares: consecutive articles under one heading may share the
        caption of the first. Deleted articles do not take part in this. In a file without headings (``civil.xml``), a
        caption is shared until the next caption.
    text : str
        A line for each paragraph, item and subitem, without head and caption.
    part, chapter, section, subsection, division : str
        The headings above the article.
    paragraphs, items : tuple of str
        The paragraphs and items of the text.
    deleted : bool
        Whether the article was deleted from the code.
    """

    doc_id: str
    caption: str
    effective_caption: str
    text: str
    part: str
    chapter: str
    section: str
    subsection: str
    division: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]
    deleted: bool

    def default_text(self) -> str:
        """Return the effective caption and the text."""
        return f"{self.effective_caption}\n{self.text}" if self.effective_caption else self.text


def articles(release: LocalRelease) -> Sequence[Article]:
    """Return the articles of a split's civil code, without deleted ones."""
    file = _checked_file(release)
    return _read(file, file.stamp, release.split.language)[1]


def all_articles(release: LocalRelease) -> Sequence[Article]:
    """Return the articles of a split's civil code, deleted ones and deleted ranges included."""
    file = _checked_file(release)
    return _read(file, file.stamp, release.split.language)[0]


def _checked_file(release: LocalRelease) -> File:
    """Return the file of a split's civil code; warn if it is not whole, unless it is fictional."""
    file = release.file("articles")
    lacks = _lacks(file, file.stamp, release.split.language, tuple(release.split.code_counts.items()))
    if lacks and not release.is_synthetic:
        warnings.warn(FindingWarning(file, "incomplete-code", "the civil code is not whole", lacks), stacklevel=3)
    return file


@remember
def _lacks(file: File, stamp: Hashable, language: str, expected: tuple[tuple[str, int], ...]) -> tuple[str, ...]:
    """Return the numbers that differ from the expected ones, and whether the end is cut off."""
    articles, _live = _read(file, stamp, language)
    places = [tuple(getattr(article, level) for level in LEVELS) for article in articles]
    headings = {place[: depth + 1] for place in places for depth, heading in enumerate(place) if heading}
    numbers = {
        "articles": len(articles),
        "captions": sum(bool(article.caption) for article in articles),
        "headings": len(headings),
        "lines": sum(article.text.count("\n") + 1 for article in articles),
    }
    if file.name.endswith(".xml") and not headings:  # the organisers' civil.xml has none
        del numbers["headings"]
    lacks = [
        f"{numbers[name]} {name} instead of {number}"
        for name, number in expected
        if number != numbers.get(name, number)
    ]
    if not _SENTENCE_END.search(articles[-1].text):
        lacks.append(f"article {articles[-1].doc_id} ends within a sentence")
    return tuple(lacks)


@remember
def _read(file: File, _stamp: Hashable, language: str) -> tuple[tuple[Article, ...], tuple[Article, ...]]:
    """Return all articles, and those that were not deleted."""
    articles = tuple(read_civil_code(file, language))
    return articles, tuple(article for article in articles if not article.deleted)


def read_civil_code(file: File | Path, language: str) -> list[Article]:
    """Read all articles of a civil code, in order, deleted ones and deleted ranges included.

    Parameters
    ----------
    file : File or pathlib.Path
        Text with one element per line, hard-wrapped text, the organisers' ``civil.xml``, or the XML of the e-Gov law
        service, of which the articles up to 724-2 are the collection. The format is recognised by the content.
    language : {"en", "ja"}
        The language of a text file; the XML files are Japanese.

    Raises
    ------
    MalformedFileError
        If the file has no articles or is not well-formed.
    """
    if read_text(file).lstrip().startswith("<"):
        language = "ja"
        written = read_xml_code(file)
    else:
        written = read_text_code(file, language)
    if not written:
        raise MalformedFileError(file, None, "no article was found", f"articles that begin like {_HEAD[language]}")
    return [
        _article(article, effective_caption, language)
        for article, effective_caption in zip(written, _effective_captions(written))
    ]


def _effective_captions(articles: Iterable[WrittenArticle]) -> Iterator[str]:
    shared, headings = "", None
    for article in articles:
        if is_deleted(article.lines):
            yield article.caption
            continue
        if article.caption or article.place != headings:
            shared, headings = article.caption, article.place
        yield shared


def _article(written: WrittenArticle, effective_caption: str, language: str) -> Article:
    paragraphs: list[list[str]] = []
    items: list[list[str]] = []
    within_item = False
    for line in written.lines:
        element = statutes.element_of(line, language)
        if not paragraphs or (element and element.level == 0):
            paragraphs.append([line])
            within_item = False
            continue
        paragraphs[-1].append(line)
        if element and element.level == 1:
            items.append([line])
            within_item = True
        elif within_item:
            items[-1].append(line)
    return Article(
        doc_id=written.number,
        caption=written.caption,
        effective_caption=effective_caption,
        text="\n".join(written.lines),
        paragraphs=tuple(map("\n".join, paragraphs)),
        items=tuple(map("\n".join, items)),
        deleted=is_deleted(written.lines),
        **written.place,
    )


def quote_articles(numbers: Iterable[str], articles: Mapping[str, Article]) -> str:
    """Quote Japanese articles as the question files of 2026 do, in the order of their numbers.

    Parameters
    ----------
    numbers : iterable of str
        The numbers of the articles.
    articles : mapping from str to Article
        The civil code by number.

    Returns
    -------
    str
        For each article a line with its own caption, if it has one, then its title, a full-width blank and its text.
        An unknown number gives ``[MISSING ARTICLE n]``, as in the organisers' script.
    """
    return "\n".join(
        _quote(articles[number]) if number in articles else f"[MISSING ARTICLE {number}]" for number in numbers
    )


def _quote(article: Article) -> str:
    caption = f"（{article.caption}）\n" if article.caption else ""
    return f"{caption}{statutes.japanese_title(article.doc_id)}　{article.text}"
