"""The civil code, the document collection of task 3: its articles, from a text or an XML file of any edition."""

# Without postponed annotations: PyTerrier's text loader looks for record fields annotated with str itself.

import codecs
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ir_coliee.editions import Split
from ir_coliee.errors import MalformedFileError
from ir_coliee.releases import search as copies
from ir_coliee.releases.civil_code_text import WrittenArticle, is_deleted, read_text_code
from ir_coliee.releases.civil_code_xml import read_xml_code
from ir_coliee.releases.folders import File
from ir_coliee.releases.memory import kept
from ir_coliee.text.statutes import element_of, japanese_title

_HEAD = {"en": "Article 12", "ja": "第十二条"}


class Article(NamedTuple):
    """An article of the civil code, a document of task 3.

    ``doc_id`` is the number in arabic digits (``398-2``), ``38:84`` for a deleted range. ``text`` has
    a line for each paragraph, item and subitem, without head and caption; ``paragraphs`` and
    ``items`` are its pieces. ``caption`` is what stands above this article in the file. Articles that follow
    each other under one heading may share the caption of the first: ``effective_caption`` is the article's own,
    else the one that it shares. A deleted article neither gives nor gets one, and where the file has no headings
    (``civil.xml``) sharing does not end at them. Levels of the hierarchy that do not apply are empty.
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
        """Caption, own or shared, and text."""
        return f"{self.effective_caption}\n{self.text}" if self.effective_caption else self.text


def articles(split: Split) -> Sequence[Article]:
    """The live articles of a part's civil code."""
    path = copies.find_file(split, "articles")
    return _live(path, path.stamp, split.language)


def all_articles(split: Split) -> Sequence[Article]:
    """The articles of a part's civil code, deleted ones and deleted ranges included."""
    path = copies.find_file(split, "articles")
    return _read(path, path.stamp, split.language)


@kept(8)
def _live(file: File, stamp: Hashable, language: str) -> tuple[Article, ...]:
    return tuple(article for article in _read(file, stamp, language) if not article.deleted)


@kept(8)
def _read(file: File, _stamp: Hashable, language: str) -> tuple[Article, ...]:
    return tuple(read_civil_code(file, language))


def read_civil_code(file: File | Path, language: str) -> list[Article]:
    """All articles of a civil code, in order, deleted ones and deleted ranges included.

    The content decides the form: text with an element a line, hard-wrapped text, the organisers' ``civil.xml``,
    or the XML of the e-Gov law service, of which the articles up to 724-2 are the collection. ``language`` (``en``
    or ``ja``) is that of a text; the XML forms are Japanese. Raises `MalformedFileError`.
    """
    if file.read_bytes().removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<"):
        language = "ja"
        written = read_xml_code(file)
    else:
        written = read_text_code(file, language)
    if not written:
        raise MalformedFileError(file, None, "no article in it", f"articles that open like {_HEAD[language]}")
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
    paragraphs: list[str] = []
    items: list[str] = []
    within_item = False
    for line in written.lines:
        element = element_of(line, language)
        if not paragraphs or (element and element.level == 0):
            paragraphs.append(line)
            within_item = False
            continue
        paragraphs[-1] += f"\n{line}"
        if element and element.level == 1:
            items.append(line)
            within_item = True
        elif within_item:
            items[-1] += f"\n{line}"
    return Article(
        doc_id=written.number,
        caption=written.caption,
        effective_caption=effective_caption,
        text="\n".join(written.lines),
        paragraphs=tuple(paragraphs),
        items=tuple(items),
        deleted=is_deleted(written.lines),
        **written.place,
    )


def quote_articles(numbers: Iterable[str], articles: Mapping[str, Article]) -> str:
    """Japanese articles as the pair files of 2026 quote them, in the order of their numbers given.

    For each its own caption in a line, if it has one, then its title, a full-width blank and its text. A number
    that ``articles`` lacks gives ``[MISSING ARTICLE n]``, as in the organisers' script.
    """
    return "\n".join(_quote(articles[n]) if n in articles else f"[MISSING ARTICLE {n}]" for n in numbers)


def _quote(article: Article) -> str:
    caption = f"（{article.caption}）\n" if article.caption else ""
    return f"{caption}{japanese_title(article.doc_id)}　{article.text}"
