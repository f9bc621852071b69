"""Reader for the civil code, the document collection of task 3, from a text or an XML file of any edition."""

# Without postponed annotations: PyTerrier's text loader compares the annotations of record fields with str.

import codecs
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ir_coliee.errors import MalformedFileError
from ir_coliee.releases.civil_code_text import WrittenArticle, is_deleted, read_text_code
from ir_coliee.releases.civil_code_xml import read_xml_code
from ir_coliee.releases.folders import File
from ir_coliee.releases.memory import remember
from ir_coliee.releases.reading import read_content
from ir_coliee.text.statutes import element_of, japanese_title

if TYPE_CHECKING:
    from ir_coliee.releases.local_release import LocalRelease

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


def articles(release: "LocalRelease") -> Sequence[Article]:
    """Return the articles of a split's civil code, without deleted ones."""
    file = release.file("articles")
    return _live(file, file.stamp, release.split.language)


def all_articles(release: "LocalRelease") -> Sequence[Article]:
    """Return the articles of a split's civil code, deleted ones and deleted ranges included."""
    file = release.file("articles")
    return _read(file, file.stamp, release.split.language)


@remember(8)
def _live(file: File, stamp: Hashable, language: str) -> tuple[Article, ...]:
    return tuple(article for article in _read(file, stamp, language) if not article.deleted)


@remember(8)
def _read(file: File, _stamp: Hashable, language: str) -> tuple[Article, ...]:
    return tuple(read_civil_code(file, language))


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
    if read_content(file).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<"):
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
        element = element_of(line, language)
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
    return f"{caption}{japanese_title(article.doc_id)}　{article.text}"
