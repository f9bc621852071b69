"""The synthetic civil code as plain text, in the forms in which the organisers have handed out the real one."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from types import MappingProxyType

from ir_coliee.synthetic.civil_code import LEVELS, Article, Code, DeletedRange, Heading
from ir_coliee.synthetic.fixed_texts import fixed_text
from ir_coliee.synthetic.release import Release
from ir_coliee.text.numerals import int_to_kanji, int_to_roman
from ir_coliee.text.statutes import JAPANESE_LEVELS, japanese_title

_BYTE_ORDER_MARK = "\ufeff"
#: Numbers of subitems in Japanese.
KATAKANA = "イロハニホヘト"
#: Translates ASCII digits to full-width ones.
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_LEVELS_IN_JAPANESE = tuple(JAPANESE_LEVELS)


def english_lines(article: Article) -> list[str]:
    """Return the lines of an article without head and caption; several paragraphs are numbered."""
    lines = []
    for number, paragraph in enumerate(article.paragraphs, start=1):
        lines.append(f"({number}) {paragraph.text}" if len(article.paragraphs) > 1 else paragraph.text)
        for place, item in enumerate(paragraph.items, start=1):
            lines.append(f"({int_to_roman(place).lower()}) {item.text}")
            lines += [f"({'abcdefgh'[i]}) {text}" for i, text in enumerate(item.subitems)]
    return lines


def japanese_lines(article: Article, blank: str = "\u3000") -> list[str]:
    """Return the lines of an article without head and caption; the first paragraph has no number.

    Parameters
    ----------
    article : Article
        The article.
    blank : str, optional
        Blank after a number.

    Returns
    -------
    list of str
        The lines; none for a deleted article.
    """
    lines = []
    for number, paragraph in enumerate(article.paragraphs, start=1):
        lines.append(f"{str(number).translate(FULL_WIDTH)}{blank}{paragraph.text}" if number > 1 else paragraph.text)
        for place, item in enumerate(paragraph.items, start=1):
            lines.append(f"{int_to_kanji(place)}{blank}{item.text}")
            lines += [f"{KATAKANA[i]}{blank}{text}" for i, text in enumerate(item.subitems)]
    return lines


# --- text with a line for each element ---------------------------------------------------------------


def english_text(code: Code, *, crlf: bool) -> bytes:
    """Return the English text with a line for each element and a byte order mark.

    Parameters
    ----------
    code : Code
        The code.
    crlf : bool
        Whether line ends are CRLF.

    Returns
    -------
    bytes
        The file.
    """
    lines = ["Civil Code (Part I, Part II and Part III)"]
    for block in code.blocks:
        if isinstance(block, Heading):
            number = int_to_roman(block.number) if block.level < 2 else str(block.number)
            lines.append(f"{LEVELS[block.level]} {number} {block.title}")
        elif isinstance(block, DeletedRange):
            lines.append(f"Articles {block.first} {block.joint} {block.last}  Deleted")
        elif block.is_deleted:
            lines.append(f"Article {block.number}  Deleted")
        else:
            body = english_lines(block)
            lines += [f"({block.caption})"] if block.caption else []
            lines += [f"Article {block.number}  {body[0]}", *body[1:]]
    return _file(lines, "\r\n" if crlf else "\n", _BYTE_ORDER_MARK)


def japanese_text(code: Code) -> bytes:
    """Return the Japanese text, which has the same form in all editions that have one."""
    lines = ["民法（第一編第二編第三編）"]
    for block in code.blocks:
        if isinstance(block, Heading):
            lines.append(japanese_heading(block))
        elif isinstance(block, DeletedRange):
            lines.append(f"{japanese_range(block)}\u3000削除")
        else:
            lines += [f"（{block.caption}）"] if block.caption else []
            lines += japanese_article(block)
    return _file(lines, "\n")


def japanese_heading(heading: Heading) -> str:
    """Return the line of a heading."""
    return f"第{int_to_kanji(heading.number)}{_LEVELS_IN_JAPANESE[heading.level]}\u3000{heading.title}"


def japanese_range(block: DeletedRange) -> str:
    """Return the numbers of a deleted range."""
    first, last = japanese_title(str(block.first)), japanese_title(str(block.last))
    return f"{first}及び{last}" if block.joint == "and" else f"{first}から{last}まで"


def japanese_article(article: Article) -> list[str]:
    """Return the lines of an article with its head and without its caption."""
    first, *others = japanese_lines(article) or ["削除"]
    return [f"{japanese_title(article.number)}\u3000{first}", *others]


def _file(lines: list[str], line_end: str, before: str = "") -> bytes:
    return (before + line_end.join([*lines, ""])).encode()


# --- wrapped text --------------------------------------------------------------------------------------

_LINE_WIDTH = 75
#: The articles up to this share of the code are wrapped.
_WRAPPED_SHARE = 724 / 1044
#: Last lines of wrapped articles that look like heads and headings, by the number of the article.
_FALSE_HEADS: Mapping[int, str] = MappingProxyType(
    {22: "Article 7 dapo lo.", 24: "Part IV (Gremmi) dapo.", 26: "Part 2 dapo.", 28: "Articles 3 to 5 dapo."}
)
_WRAPPED_CAPTION, _CAPTION_WITH_BRACKETS = "23", "25"  # the articles whose captions are irregular


def wrapped_english_text(code: Code, requested: frozenset[str]) -> bytes:
    """Return the English text whose first parts are wrapped; ASCII with CRLF.

    Parameters
    ----------
    code : Code
        The code.
    requested : frozenset of str
        Names of the irregularities to plant.

    Returns
    -------
    bytes
        The file.
    """
    lines = ["Civil Code", fixed_text("act")]
    last = int(code.articles_in_force[-1].number.partition("-")[0])
    is_wrapped, number = True, 0
    for block in code.blocks:
        if isinstance(block, DeletedRange):
            lines.append(f"Articles {block.first} {block.joint} {block.last}  Deleted")
            continue
        if isinstance(block, Heading):
            is_wrapped = is_wrapped and number < last * _WRAPPED_SHARE
            is_roman = block.level == 0 or block.number % 3 == 0
            lines.append(
                f"{LEVELS[block.level]} {int_to_roman(block.number) if is_roman else block.number} {block.title}"
            )
            continue
        number = int(block.number.partition("-")[0])
        lines += _wrapped_caption(block, requested) if block.caption else []
        blank = " " if is_wrapped else "  "
        if block.is_deleted:
            lines.append(f"Article {block.number}{blank}{'Deleted' if is_wrapped else 'deleted'}")
            continue
        first, *others = english_lines(block)
        for line in (f"Article {block.number}{blank}{first}", *others):
            lines += textwrap.wrap(line, _LINE_WIDTH, break_on_hyphens=False) if is_wrapped else [line]
        if "line like a head" in requested and is_wrapped and number in _FALSE_HEADS:
            lines += ["Lo gremmi dapo under", _FALSE_HEADS[number]]
    return _file(lines, "\r\n")


def record_irregularities_of_wrapped_text(code: Code, requested: frozenset[str], release: Release) -> None:
    """Record the irregularities that `wrapped_english_text` plants in a code."""
    captioned = {article.number for article in code.articles_in_force if article.caption}
    planted = {
        "line like a head": list(map(str, _FALSE_HEADS)),
        "wrapped caption": captioned.intersection([_WRAPPED_CAPTION]),
        "caption with brackets": captioned.intersection([_CAPTION_WITH_BRACKETS]),
    }
    for irregularity, places in planted.items():
        if irregularity in requested:
            release.plant(irregularity, *places)


def _wrapped_caption(article: Article, requested: frozenset[str]) -> list[str]:
    if article.number == _WRAPPED_CAPTION and "wrapped caption" in requested:
        return [f"({article.caption}", "Lo Gremmi Dapo)"]
    if article.number == _CAPTION_WITH_BRACKETS and "caption with brackets" in requested:
        return [f"({article.caption} (Lo) Gremmi)"]
    return [f"({article.caption})"]
