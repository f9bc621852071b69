"""Forms in which pair files quote the articles of the civil code."""

from __future__ import annotations

from collections.abc import Callable

from ir_coliee.synthetic.civil_code import Article
from ir_coliee.synthetic.civil_code_text import english_lines, japanese_lines
from ir_coliee.text.statutes import japanese_title

#: Returns the lines of a quoted article. The number is the article's position among the quoted articles of a file.
Quote = Callable[[Article, int], list[str]]


def run_together(article: Article, _number: int) -> list[str]:
    """Quote caption, head and paragraphs on one line, mostly without blanks between them."""
    caption = f"({article.caption})" if article.caption else ""
    paragraphs = [line.replace(") ", ")", 1) if line.startswith("(") else f" {line}" for line in english_lines(article)]
    return [f"{caption}Article {article.number}{''.join(paragraphs)}"]


def head_behind_caption(article: Article, number: int) -> list[str]:
    """Quote with the head on the line of the caption, alternately with and without a blank."""
    caption = f"({article.caption}){' ' * (number % 2)}" if article.caption else ""
    return [f"{caption}Article {article.number}", *english_lines(article)]


def head_on_its_own_line(article: Article, _number: int) -> list[str]:
    """Quote with the head on a line of its own and without caption."""
    return [f"Article {article.number}", *english_lines(article)]


def head_before_text(article: Article, _number: int) -> list[str]:
    """Quote with the head before the first paragraph, on its line."""
    first, *others = english_lines(article)
    return [f"Article {article.number} {first}", *others]


def head_joined_to_number(article: Article, number: int) -> list[str]:
    """Quote with the head joined to the number of the first paragraph, if that has one."""
    first, *others = english_lines(article)
    if not first.startswith("("):
        return head_before_text(article, number)
    return [f"Article {article.number}{first}", *others]


def head_with_added_number(article: Article, _number: int) -> list[str]:
    """Quote with the head joined to the number (1), even if the article has one paragraph."""
    first, *others = english_lines(article)
    return [f"Article {article.number}(1) {first.removeprefix('(1) ')}", *others]


def captioned(*quotes: Quote) -> Quote:
    """Return a form with caption lines whose heads alternate between the given forms."""

    def quote(article: Article, number: int) -> list[str]:
        caption = [f"({article.caption})"] if article.caption else []
        return caption + quotes[number % len(quotes)](article, number)

    return quote


def japanese(*blanks: str) -> Quote:
    """Return a Japanese form with caption lines, whose heads are followed by the given blanks alternately."""

    def quote(article: Article, number: int) -> list[str]:
        blank = blanks[number % len(blanks)]
        caption = [f"（{article.caption}）"] if article.caption else []
        first, *others = japanese_lines(article, blank)
        return [*caption, f"{japanese_title(article.number)}{blank}{first}", *others]

    return quote
