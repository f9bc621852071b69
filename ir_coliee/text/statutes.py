"""Article numbers and headings of the civil code, in English and Japanese.

A heading begins an article: ``Article 398-2`` or ``第三百九十八条の二``. The number in arabic digits, with branches
after hyphens (``398-2``), is the document id of the article in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ir_coliee.errors import ColieeError, printable
from ir_coliee.text.japanese import nfkc
from ir_coliee.text.numerals import KANJI_NUMERAL as _KANJI
from ir_coliee.text.numerals import branched_number, int_to_kanji, kanji_to_int, roman_to_int

#: The units of a code, the largest first, and what they are called in Japanese.
LEVELS = ("part", "chapter", "section", "subsection", "division")
JAPANESE_LEVELS = dict(zip("編章節款目", LEVELS))

_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラム"
_EXAM_ID = re.compile(r"(?P<era>[HR])(?P<year>[0-9]{1,2})-(?P<question>[0-9]{1,3})-(?P<option>[0-9A-Z])")

_BRANCHES = "{0,9}"  # of a number; no law has as many

# (1), (iv), (a) open a paragraph, an item or a subitem; any other bracket is a caption
_MARK = r"\((?:\d+|[ivx]+|[a-z])\)"
_EN_CAPTION = rf"(?!{_MARK})\((?P<caption>[^()]*)\)"
_EN_HEAD = re.compile(rf"(?:{_EN_CAPTION}\s*)?Article\s+(?P<number>\d{{1,5}}(?:-\d{{1,5}}){_BRANCHES})(?=[(\s]|\Z)")
_CAPTION_BEFORE_HEAD = re.compile(rf"(?={_EN_CAPTION}\s*Article\s+\d)")
_EN_CAPTION_LINE = re.compile(rf"(?!{_MARK})\((?P<caption>.*)\)", re.DOTALL)
_EN_BRACKET = re.compile(r"\([^()]*\)")
_EN_RANGE = re.compile(r"Articles\s+(?P<first>\d{1,5})\s+(?:to|through|and)\s+(?P<last>\d{1,5})\s+[Dd]eleted")
# a mark that goes on with a comma or a full stop is the end of a reference
_EN_ELEMENT = re.compile(r"\s*\((?:(?P<paragraph>\d{1,5})|(?P<item>[ivx]{1,9})|(?P<subitem>[a-z]))\)(?![.,;:)])\s*")
_JA_CAPTION = r"（(?P<caption>[^）]*)）"
_JA_HEAD = re.compile(
    rf"(?:{_JA_CAPTION}\s*)?第?(?P<number>{_KANJI})条(?P<branches>(?:の{_KANJI}){_BRANCHES})(?=[（\s]|\Z)"
)
_JA_CAPTION_LINE = re.compile(r"（(?P<caption>.+)）")
_JA_ELEMENT = re.compile(
    rf"\s*(?:(?P<paragraph>\d{{1,5}})|(?P<item>{_KANJI}(?:の{_KANJI}){_BRANCHES})|(?P<subitem>[{_IROHA}]))\s+"
)
_JA_RANGE = re.compile(rf"第(?P<first>{_KANJI})条(?:から|及び)第(?P<last>{_KANJI})条(?:まで)?\s+削除")

_NUMBER = rf"[0-9]{{1,5}}(?:-[0-9]{{1,5}}){_BRANCHES}"
_DOCUMENT_ID = re.compile(f"{_NUMBER}(?::{_NUMBER})?")
_EITHER = rf"(?:[0-9]{{1,5}}|{_KANJI})"
_NUMBER_FORMS = re.compile(
    rf"(?:(?:Article|Art\.)\s*|第)?{_EITHER}条?(?:[の_\-‐‑–−]{_EITHER}){_BRANCHES}", re.IGNORECASE
)

#: What a provision can be, the largest first.
PROVISION_LEVELS = ("paragraph", "item", "subitem")


class Element(NamedTuple):
    """A provision that a line of an article begins.

    Attributes
    ----------
    level : int
        0 for a paragraph, 1 for an item, 2 for a subitem.
    number : tuple of int
        Its number, followed by the numbers of its branches.
    length : int
        Length of its mark in characters, including the blanks around it.
    """

    level: int
    number: tuple[int, ...]
    length: int


class ExamId(NamedTuple):
    """Components of the id of an exam question.

    Attributes
    ----------
    year : str
        Exam year with two digits, such as ``R98``.
    question_no : str
        Number of the question, without leading zeros.
    option : str
        A digit or a letter.
    """

    year: str
    question_no: str
    option: str


class Head(NamedTuple):
    """Heading of an article.

    Attributes
    ----------
    number : str
        Number of the article in arabic digits.
    body : str
        Text after the heading on the same line.
    caption : str
        Caption on the same line; empty if there is none.
    """

    number: str
    body: str
    caption: str


def head_of(line: str, language: str) -> Head | None:
    """Heading with which a line begins, in English (``en``) or Japanese (``ja``), or None.

    An English heading is alone on its line, precedes text, is joined to a paragraph mark, or follows a caption. A
    reference within a sentence (``Article 5, paragraph (1) …``) is not a heading. A Japanese heading is followed by a
    full-width or ASCII blank, or by nothing; ``第`` may be missing.

    Examples
    --------
    >>> head_of("Article 12-2(1) A lamp may be lent.", "en").number, head_of("(Lamps) Article 41", "en").caption
    ('12-2', 'Lamps')
    >>> head_of("第三百九十八条の二　灯は、貸すことができる。", "ja").number
    '398-2'
    >>> head_of("(2) Article 41 applies.", "en") is head_of("第七条の規定は、準用する。", "ja") is None
    True
    """
    found = (_EN_HEAD if language == "en" else _JA_HEAD).match(line.strip())
    if not found:
        return None
    body = found.string[found.end() :].lstrip()
    if "\n" in body:
        return None
    number = found["number"]
    if language != "en":
        number = branched_number(number, found["branches"])
    return Head(number, body, found["caption"] or "")


def caption_of(line: str, language: str) -> str | None:
    """Caption that is alone on a line, without its brackets, or None.

    Examples
    --------
    >>> caption_of("(Closing of Gates)", "en"), caption_of("(ii)", "en"), caption_of("（門）", "ja")
    ('Closing of Gates', None, '門')
    """
    pattern = _EN_CAPTION_LINE if language == "en" else _JA_CAPTION_LINE
    found = pattern.fullmatch(line.strip())
    if not found or (language == "en" and re.search("[()]", _EN_BRACKET.sub("", found["caption"]))):
        return None
    return found["caption"]


def deleted_range(line: str, language: str) -> tuple[int, int] | None:
    """First and last number of a line that states the deletion of several articles, or None.

    Examples
    --------
    >>> deleted_range("Articles 38 to 84  Deleted", "en")
    (38, 84)
    >>> deleted_range("第三十八条から第八十四条まで　削除", "ja")
    (38, 84)
    """
    pattern, read = (_EN_RANGE, int) if language == "en" else (_JA_RANGE, kanji_to_int)
    found = pattern.fullmatch(line.strip())
    return (read(found["first"]), read(found["last"])) if found else None


def element_of(line: str, language: str) -> Element | None:
    """Paragraph, item or subitem with which a line of an article begins, or None.

    Examples
    --------
    >>> element_of("(2) A gate.", "en"), element_of("ロ　灯", "ja")
    (Element(level=0, number=(2,), length=4), Element(level=2, number=(2,), length=2))
    """
    found = (_EN_ELEMENT if language == "en" else _JA_ELEMENT).match(line)
    if not found or not found.lastgroup:
        return None
    mark = found[found.lastgroup]
    if found.lastgroup == "paragraph":
        number: tuple[int, ...] = (int(mark),)
    elif found.lastgroup == "subitem":
        number = (ord(mark) - ord("a") + 1 if language == "en" else _IROHA.index(mark) + 1,)
    else:
        number = (roman_to_int(mark),) if language == "en" else tuple(map(kanji_to_int, mark.split("の")))
    return Element(PROVISION_LEVELS.index(found.lastgroup), number, found.end())


def article_number(written: str) -> str:
    """Number of an article in arabic digits, which is its document id, from any way of writing it.

    Character widths, surrounding blanks and leading zeros are ignored; ``Article``, ``第`` and ``条`` may be missing.

    Raises
    ------
    ColieeError
        For other text, and for numbers outside 1 to 9999.

    Examples
    --------
    >>> [article_number(form) for form in ("第三百九十八条の二", "Article 398-2", "第３９８条の２", "398の2", "398_2")]
    ['398-2', '398-2', '398-2', '398-2', '398-2']
    """
    found = _NUMBER_FORMS.fullmatch(nfkc(written).strip())
    if not found:
        raise ColieeError(
            f"No article number: {printable(written)!r}. It looks like 398-2, Article 398-2 or 第三百九十八条の二."
        )
    numerals = re.findall(rf"[0-9]+|{_KANJI}", found[0])
    return "-".join(map(str, _in_range(written, [int(n) if n.isdecimal() else kanji_to_int(n) for n in numerals])))


def english_title(number: str) -> str:
    """Title of an article, or of a range of deleted articles, in the English code.

    Raises
    ------
    ColieeError
        For anything but an article number in arabic digits.

    Examples
    --------
    >>> english_title("398-2"), english_title("38:84"), english_title("516:517")
    ('Article 398-2', 'Articles 38 to 84', 'Articles 516 and 517')
    """
    first, last = _ends(number)
    if not last:
        return f"Article {_joined(first)}"
    return f"Articles {_joined(first)} {'and' if _neighbours(first, last) else 'to'} {_joined(last)}"


def japanese_title(number: str) -> str:
    """Title of an article, or of a range of deleted articles, in the Japanese code.

    Raises
    ------
    ColieeError
        For anything but an article number in arabic digits.

    Examples
    --------
    >>> japanese_title("398-2"), japanese_title("38:84"), japanese_title("516:517")
    ('第三百九十八条の二', '第三十八条から第八十四条まで', '第五百十六条及び第五百十七条')
    """
    first, last = _ends(number)
    if not last:
        return _japanese(first)
    joint, end = ("及び", "") if _neighbours(first, last) else ("から", "まで")
    return f"{_japanese(first)}{joint}{_japanese(last)}{end}"


def _ends(number: str) -> tuple[list[int], list[int]]:
    """Numbers of an article and its branches, and of the last article of a range (empty without a range)."""
    if not _DOCUMENT_ID.fullmatch(number):
        raise ColieeError(f"No article number in arabic digits: {printable(number)!r}. It looks like 398-2 or 38:84.")
    first, _, last = number.partition(":")
    return _in_range(number, map(int, first.split("-"))), _in_range(number, map(int, last.split("-")) if last else ())


def _in_range(written: str, numbers: Iterable[int]) -> list[int]:
    numbers = list(numbers)
    if not all(1 <= number <= 9999 for number in numbers):
        raise ColieeError(
            f"No article number: {printable(written)!r}. Articles and their branches count from 1 to 9999."
        )
    return numbers


def _neighbours(first: list[int], last: list[int]) -> bool:
    return last == [*first[:-1], first[-1] + 1]


def _joined(numbers: list[int]) -> str:
    return "-".join(map(str, numbers))


def _japanese(numbers: list[int]) -> str:
    main, *branches = map(int_to_kanji, numbers)
    return "の".join([f"第{main}条", *branches])


def exam_id(query_id: str) -> ExamId:
    """Exam year, question number and option of a question id; all empty if it has another form.

    A year of one digit is padded with a zero, because some ids of R01 begin with ``R1-``.

    Examples
    --------
    >>> exam_id("R98-04-E"), exam_id("keys")
    (ExamId(year='R98', question_no='4', option='E'), ExamId(year='', question_no='', option=''))
    """
    found = _EXAM_ID.fullmatch(query_id)
    if not found:
        return ExamId("", "", "")
    return ExamId(f"{found['era']}{int(found['year']):02}", str(int(found["question"])), found["option"])


def quoted_articles(text: str, language: str) -> tuple[str, ...]:
    r"""Numbers of the articles that an exam question quotes (its ``t1``), in order, each once.

    Only headings count: a number within the text of an article is a reference, not a relevant article. If an English
    text is on a single line (as in some files of 2017), a heading also counts directly after the bracket of a caption.

    Examples
    --------
    >>> quoted_articles("(Keys)\nArticle 18\nA key opens under Article 7.\nArticle 20(1) A lock.", "en")
    ('18', '20')
    >>> quoted_articles("(Keys)Article 18(1)A key opens.(Locks)Article 20(1)A lock closes.", "en")
    ('18', '20')
    """
    heads = (head_of(line, language) for line in _quoted_lines(text, language))
    return unique(head.number for head in heads if head)


def quoted_bodies(text: str, language: str) -> tuple[str, ...]:
    r"""Texts of the articles that an exam question quotes, in order, without headings and captions.

    Text before the first heading, as in a text that is one article without its heading, is a separate item.

    Examples
    --------
    >>> quoted_bodies("(Keys)\nArticle 18\nA key opens.\n(2) It shuts.\n(Locks)\nArticle 20(1) A lock.", "en")
    ('A key opens.\n(2) It shuts.', '(1) A lock.')
    """
    bodies: list[list[str]] = [[]]
    for line in _quoted_lines(text, language):
        if head := head_of(line, language):
            bodies.append([head.body])
        elif caption_of(line, language) is None:
            bodies[-1].append(line)
    return tuple(joined for body in bodies if (joined := "\n".join(filter(None, body))))


def _quoted_lines(text: str, language: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    return _captioned_parts(lines[0]) if language == "en" and len(lines) == 1 else lines


def _captioned_parts(line: str) -> list[str]:
    """Split a line before each caption that an article heading follows directly."""
    starts = [0, *(found.start() for found in _CAPTION_BEFORE_HEAD.finditer(line) if found.start()), len(line)]
    return [line[start:end] for start, end in pairwise(starts)]


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """Items without repetitions, in the order of their first occurrence."""
    return tuple(dict.fromkeys(items))


# Paragraphs, items and subitems of an article, with their offsets.


class Provision(NamedTuple):
    """A paragraph, item or subitem of an article.

    Attributes
    ----------
    label : str
        Numbers from the paragraph down, in arabic digits: ``2.1`` for the first item of the second paragraph, a branch
        after a hyphen (``2.1-2`` for 一の二), 0 for a level that is skipped.
    level : int
        0 for a paragraph, 1 for an item, 2 for a subitem.
    start : int
        Offset after the mark.
    lead_end : int
        Offset before the first item or subitem; the end of the provision's own text.
    end : int
        Offset of the end.
    """

    label: str
    level: int
    start: int
    lead_end: int
    end: int


def provisions(text: str, language: str, level: str = "subitem") -> list[Provision]:
    r"""Provisions of an article, in order.

    Parameters
    ----------
    text : str
        The article without its heading, one line for each provision.
    language : {"en", "ja"}
        Language of the article.
    level : {"subitem", "item", "paragraph"}
        Smallest provisions to return; smaller ones belong to the text of the larger.

    Raises
    ------
    ValueError
        For another level.

    Notes
    -----
    Text before the first mark belongs to the first paragraph, whose mark Japanese laws omit. A mark whose number is not
    above the previous one of its level is text, like any line without a mark, so labels are unique. An article without
    marks, even an empty one, has one paragraph.

    Examples
    --------
    >>> article = "(1) A lamp:\n(i) is lit; or\n(ii) is not.\n(2) A gate."
    >>> [(one.label, article[one.start : one.end]) for one in provisions(article, "en")[1:]]
    [('1.1', 'is lit; or'), ('1.2', 'is not.'), ('2', 'A gate.')]
    >>> [one.label for one in provisions("灯は、次のとおりとする。\n一　夜の灯\n一の二　朝の灯\n２　門", "ja")]
    ['1', '1.1', '1.1-2', '2']
    """
    deepest = PROVISION_LEVELS.index(level)
    opened: list[tuple[Element, int, int]] = []  # what it is, where its line begins, where its words begin
    labels: list[str] = []
    last: list[tuple[int, ...]] = []  # the numbers of the provisions that are open, from the paragraph down
    for place, line in _lines(text):
        element = _going_on(element_of(line, language), language, last)
        if not opened and (element is None or element.level > 0):
            opened.append((Element(0, (1,), 0), place, place))
            last = [(1,)]
            labels.append("1")
        if element:
            depth, number, length = element
            last = [*last[:depth], *[(0,)] * (depth - len(last)), number]
            if depth <= deepest:
                opened.append((element, place, place + length))
                labels.append(".".join("-".join(map(str, one)) for one in last))
    return list(_closed(text, opened, labels))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Offset and text of each line; one empty line for an empty text."""
    place = 0
    for line in text.splitlines(keepends=True) or [""]:
        yield place, line
        place += len(line)


def _going_on(element: Element | None, language: str, last: list[tuple[int, ...]]) -> Element | None:
    """The element if it continues the numbering. In English ``(i)`` is an item, but a subitem after ``(h)``."""
    if element is None:
        return None
    level, number, _ = element
    before = last[level] if level < len(last) else (0,)
    if language == "en" and level == 1 and len(last) == 3 and number != (before[0] + 1,):
        letter = {1: 9, 5: 22, 10: 24}.get(number[0], 0)  # i, v, x
        if last[2] == (letter - 1,):
            return element._replace(level=2, number=(letter,))
    return element if number > before else None


def _closed(text: str, opened: list[tuple[Element, int, int]], labels: list[str]) -> Iterator[Provision]:
    following = [len(text)] * (len(PROVISION_LEVELS) + 1)  # where the next provision of a level or above begins
    ends: list[tuple[int, int]] = []
    for element, line_start, _ in reversed(opened):
        ends.append((following[-1], following[element.level]))
        following[element.level :] = [line_start] * (len(following) - element.level)
    for (element, _, start), label, (lead_end, end) in zip(opened, labels, reversed(ends)):
        yield Provision(label, element.level, start, _trimmed(text, start, lead_end), _trimmed(text, start, end))


def _trimmed(text: str, start: int, end: int) -> int:
    """End offset without the white space before it."""
    return start + len(text[start:end].rstrip())


def provision_texts(text: str, language: str, level: str = "paragraph") -> list[tuple[str, str]]:
    r"""Labels and texts of an article's provisions; each word of the article is in exactly one of them.

    Parameters
    ----------
    text : str
        The article without its heading.
    language : {"en", "ja"}
        Language of the article.
    level : {"paragraph", "item", "subitem"}
        ``"paragraph"`` gives whole paragraphs; ``"item"`` gives items, and of a paragraph with items the text before
        them; ``"subitem"`` likewise. Empty provisions are left out, except the first one of an empty article.

    Raises
    ------
    ValueError
        For another level.

    Examples
    --------
    >>> provision_texts("(1) A lamp:\n(i) is lit; or\n(ii) is not.\n(2) A gate.", "en", "item")
    [('1', 'A lamp:'), ('1.1', 'is lit; or'), ('1.2', 'is not.'), ('2', 'A gate.')]
    """
    words = [(one.label, text[one.start : one.lead_end]) for one in provisions(text, language, level)]
    return [pair for pair in words if pair[1]] or words[:1]
