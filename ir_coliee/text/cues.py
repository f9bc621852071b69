"""What words show of a statement or a paragraph: negations, duties, quantities, persons, and the subject of an article.

The persons of exam questions are denoted by letters: ``A sold B's gate to C``. The overview of COLIEE 2023 (section
4.5, table 4) finds such questions more difficult than others, and KIS (COLIEE 2023, task 4) treats them
separately. The rules are our own.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ir_coliee.text.analysers import words
from ir_coliee.text.japanese import nfkc
from ir_coliee.text.numerals import KANJI_NUMERAL, kanji_to_int
from ir_coliee.text.references import unit_number

_NEGATIONS = {
    "en": re.compile(r"\b(?:not|no|never|neither|nor|none|nothing|cannot|without)\b|n['’]t\b"),
    "ja": re.compile(r"な(?:い|く|けれ|かっ)|ません|ず(?=[、,に])|ざる"),
}
# Words that are spelled like negations: few, dull, or, always, expectation; and first, which follows a particle.
_JAPANESE_NO_NEGATIONS = re.compile(
    r"少な|すくな|つまらな|ないし(?![、,])|必ず|かならず|はず|先ず|(?:(?<!\w)|(?<=[はがもをにでて]))まず"
)
_EXCEPTIONS = {
    "en": re.compile(r"\b(?:unless|however|provided)\b"),
    "ja": re.compile(r"ただし|但し|この限りで"),
}
#: Names of the cues, with their patterns in English and Japanese.
_CUES = {
    "obligation": (r"\b(?:must|shall|required|obligat\w+)\b", "なければならない|要する|義務|必要"),
    "permission": (r"\b(?:may|can)\b(?! not\b|['’]t\b)|\b(?:entitled|able)\b", "できる"),
    "inability": (r"\b(?:may not|can not|cannot|can['’]t|unable|not able|not entitled)\b", "できない|できず"),
    "only": (r"\b(?:only|solely|exclusively)\b", "のみ|だけ|に限|限って"),
    "even_if": (r"\b(?:even if|even when|even though|although)\b", "ても(?=[、,])|としても|であっても"),
    "regardless": (r"\b(?:regardless|irrespective|notwithstanding|whether or not)\b", "かかわらず|問わず|問わない"),
    "condition": (r"\b(?:if|when|where|case|cases)\b", "場合|とき"),
    "universal": (r"\b(?:all|any|every|each|whole|entire)\b", "すべて|全て|全部|いずれも|一切"),
    "always": (r"\b(?:always|necessarily|automatically|at any time)\b", "常に|必ず|当然に|いつでも"),
    "immediacy": (r"\b(?:immediately|promptly|without delay)\b", "直ちに|速やかに|遅滞なく"),
    "deeming": (r"\bdeemed\b", "みなす|みなされ"),
    "presumption": (r"\bpresum\w+\b", "推定"),
    "validity": (r"\b(?:valid|validly|effect|effective)\b", "有効|効力を生|効力を有"),
    "invalidity": (r"\b(?:void|invalid|null|ineffective)\b", "無効"),
    "rescission": (r"\b(?:rescind\w*|rescission|cancel\w*|revo[ck]\w*)\b", "取り消|取消|解除|撤回"),
    "liability": (r"\b(?:liab\w+|responsib\w+|damages|compensat\w+)\b", "責任|賠償"),
    "demand": (r"\b(?:demand\w*|claim\w*|request\w*)\b", "請求"),
    "assertion": (r"\b(?:assert\w*|against)\b", "対抗|主張"),
    "third_party": (r"\bthird part(?:y|ies)\b", "第三者"),
    "knowledge": (r"\b(?:good faith|bad faith|know\w*|knew|aware|unaware)\b", "善意|悪意|知って|知り|知らな"),
    "fault": (r"\b(?:negligen\w+|fault|intention\w*|attributable)\b", "過失|故意|責めに帰"),
    "consent": (r"\b(?:consent\w*|approv\w+|permission|agree\w*|ratif\w+)\b", "同意|承諾|許可|合意|追認"),
    "extinction": (r"\b(?:extinguish\w*|terminat\w+|expir\w+|los[et]\w*|prescription)\b", "消滅|失う|失わ|終了|時効"),
}
CUES = tuple(_CUES)
_PATTERNS = {
    "en": [re.compile(english) for english, _ in _CUES.values()],
    "ja": [re.compile(japanese) for _, japanese in _CUES.values()],
}


def negations(text: str, language: str) -> int:
    """Number of negations in a text; an even number affirms, as in "must" (なければならない).

    Examples
    --------
    >>> negations("It is not void without a mark.", "en"), negations("償わなければならない。少なくとも", "ja")
    (2, 2)
    """
    normalised = _normalised(text)
    if language == "ja":
        normalised = _JAPANESE_NO_NEGATIONS.sub("・", normalised)
    return len(_NEGATIONS[language].findall(normalised))


def exceptions(text: str, language: str) -> int:
    """Number of words in a text that introduce an exception: unless, however, provided; ただし, この限りでない.

    Examples
    --------
    >>> exceptions("It is void, unless a mark is set.", "en"), exceptions("ただし、贈り物は、この限りでない。", "ja")
    (1, 2)
    """
    return len(_EXCEPTIONS[language].findall(_normalised(text)))


def cue_counts(text: str, language: str) -> list[int]:
    """Number of occurrences of each of `CUES` in a text.

    Examples
    --------
    >>> found = cue_counts("If A agrees, B may demand the lamp.", "en")
    >>> {cue: count for cue, count in zip(CUES, found) if count}
    {'permission': 1, 'condition': 1, 'demand': 1, 'consent': 1}
    """
    normalised = _normalised(text)
    return [len(pattern.findall(normalised)) for pattern in _PATTERNS[language]]


def _normalised(text: str) -> str:
    return nfkc(text).lower()


# --- Cues of paragraphs ---------------------------------------------------------------------------


_FILE = Path(__file__).parents[1] / "etc" / "rhetoric_cues.yaml"


@cache
def rhetoric_cues() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Cues of conclusions, the judge's own voice, facts, norms, citations, statutes, disposals and negations.

    Returns
    -------
    dict of str to tuple
        The cues of each list, each as a sequence of words.

    Examples
    --------
    >>> [*rhetoric_cues()]
    ['conclusion', 'voice', 'facts', 'norm', 'citation', 'statute', 'disposal', 'negation']
    >>> ("set", "aside") in rhetoric_cues()["disposal"]
    True
    """
    import yaml  # its import is slow

    lists: dict[str, list[str]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: tuple(tuple(words(cue)) for cue in cues) for name, cues in lists.items()}


# --- Quantities -----------------------------------------------------------------------------------


_SMALL = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: number for number, word in enumerate(_SMALL, 1)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_ENGLISH = re.compile(
    rf"\b(?:(?P<digits>\d{{1,9}})|(?:(?P<tens>{'|'.join(_TENS)})[- ])?(?P<word>{'|'.join(_VALUES)}))[- ]"
    r"(?P<unit>year|month|week|day|hour|time|yen|person|percent|half|halve|third|quarter|fourth|fifth|tenth)s?\b"
)
_JAPANESE = re.compile(
    rf"(?:(?P<digits>\d{{1,9}})|(?P<kanji>{KANJI_NUMERAL}))"
    rf"(?P<unit>年|[箇かカヶヵケ]?月|週|日|時間|人|回|倍|割|万?円|分の{KANJI_NUMERAL})"
)


def quantities(text: str, language: str) -> list[tuple[int, str]]:
    """Numbers with their units in a text, in order.

    Parameters
    ----------
    text : str
        A statement or an article.
    language : {"en", "ja"}
        Its language.

    Returns
    -------
    list of tuple of int and str
        Units are times, sums of money, persons and fractions, in the singular. Numbers of articles have no unit and are
        left out.

    Examples
    --------
    >>> quantities("Within twenty-five days or 3 months, one half, under Article 7.", "en")
    [(25, 'day'), (3, 'month'), (1, 'half')]
    >>> quantities("第七条の期間は、三箇月又は２年とし、二分の一とする。", "ja")
    [(3, '月'), (2, '年'), (2, '分の一')]
    """
    pattern, read = (_JAPANESE, _japanese) if language == "ja" else (_ENGLISH, _english)
    return [read(found) for found in pattern.finditer(_normalised(text))]


def _english(found: re.Match[str]) -> tuple[int, str]:
    number = int(found["digits"]) if found["digits"] else _VALUES.get(found["tens"], 0) + _VALUES[found["word"]]
    return number, "half" if found["unit"] == "halve" else found["unit"]


def _japanese(found: re.Match[str]) -> tuple[int, str]:
    number = int(found["digits"]) if found["digits"] else kanji_to_int(found["kanji"])
    return number, "月" if found["unit"].endswith("月") else found["unit"]


# --- Persons --------------------------------------------------------------------------------------


# a letter that stands alone: not part of a word, of a number (B2), of a compound (X-ray, B/L) or of initials (U.S.)
_LETTER = re.compile(
    r"(?<![A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ÿ0-9０-９_&/’'-])(?<![A-Za-z]\.)"
    r"(?P<letter>[A-ZＡ-Ｚ])"
    r"(?![A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ÿ0-9０-９_&/]|-[A-Za-z0-9]|\.[A-Za-z])"
)
_LINE_BEFORE = re.compile(r"(?:^|\n)[ \t\u3000]*$")
_LIST_BEFORE = re.compile(r"(?:^|[\n:;,.、。：；]|\b(?:and|or)|及び|又は)[ \t\u3000]*[(（]$")
_LIST_AFTER = re.compile(r"[)）]")
_MARK_AFTER = re.compile(r"[.)．）:：、]?[ \t\u3000]*(?:\n|$)|[.)．）:：](?:[ \t\u3000]|[^\x00-\x7f]|$)")
_NAME_BEFORE = re.compile(r"[A-Z][a-z]+ $")
_NAME_AFTER = re.compile(r"\. [A-Z][a-z]")
# a letter after one of these words denotes neither a person nor a thing of the story
_HEADED = re.compile(
    r"\b(?:Article|Paragraph|Item|Part|Chapter|Section|Annex|Appendix|Schedule|Form|Table|Figure|Exhibit|Class|Grade"
    r"|Type|Option|Vitamin|Hepatitis)s? $",
    re.IGNORECASE,
)
_KATAKANA_OR_KIND = re.compile("[ァ-ヺー型線判級]")  # Ｅメール, Ｔシャツ, Ａ型
_SENTENCE_BEFORE = re.compile(r"(?:^|[.!?:;。\n][\"'”’)]*\s*|[\"“‘(]\s*|(?:^|[\n:;,.])\s*[(（]\w{1,4}[)）]\s*)$")
_VERB_AFTER = re.compile(
    r" (?:is|was|has|had|does|did|may|might|must|can|cannot|could|shall|should|would|who|whose|then|also|never)\b"
    r"| (?:and|or) [A-Z]\b"
    r"| [a-z]+ (?:a|an|the|his|her|its|their|all|any|one|some|[A-Z](?![a-z]))\b"
)
_WORD_AFTER = re.compile(r" [a-z]")
_BY_STEMS = re.compile("(?<![一-鿿])[甲乙丙](?![種類号板第])")  # 甲土地; not 装甲, 甲種, 甲第一号証


class Person(NamedTuple):
    """A letter that stands for a person.

    Attributes
    ----------
    letter : str
        The letter, in half width.
    start : int
        Its offset in the text, in characters.
    """

    letter: str
    start: int


def persons(text: str) -> list[Person]:
    """All occurrences of letters that stand for persons in an English or Japanese text.

    Notes
    -----
    A person is a single capital letter, in half or full width. The following are excluded: the pronoun ``I``, the
    article ``A`` at the start of a sentence, list marks (``(A)``, ``A.`` at the start of an entry), initials, and
    letters that a heading word, katakana or 型 marks as the name of something else (``Annex A``, ``Ｔシャツ``). At the
    start of a sentence, ``A`` before a lower-case word is a person if a clear verb form follows (``A may``,
    ``A sold the``), or if the text has another person: ``A horse dealer`` in a text with a B is taken for a person.
    Letters for land and buildings count as persons. The organisers counted such questions by hand in table 4 of the
    overview of 2023.

    Examples
    --------
    >>> [person.letter for person in persons("A lent B's lamp to C. A lamp must be given back.")]
    ['A', 'B', 'C', 'A']
    >>> persons("A gate is closed at dusk.")
    []
    >>> [person.letter for person in persons("Ａは、Ｂの門を閉めた。")]
    ['A', 'B']
    """
    found = list(_candidates(text))
    certain = any(sure for _, sure in found)
    return [person for person, sure in found if sure or certain]


def person_letters(text: str) -> tuple[str, ...]:
    """Letters of the persons of a text, each once, in order of appearance.

    Examples
    --------
    >>> person_letters("B asked A, and A told B.")
    ('B', 'A')
    """
    return tuple(dict.fromkeys(person.letter for person in persons(text)))


def is_anonymised(text: str) -> bool:
    """Whether an exam question names persons or things by letters, or by 甲, 乙 and 丙.

    Examples
    --------
    >>> is_anonymised("A gate of B."), is_anonymised("甲土地が売られた。"), is_anonymised("A gate is closed.")
    (True, True, False)
    """
    return bool(_BY_STEMS.search(text) or persons(text))


def _candidates(text: str) -> Iterator[tuple[Person, bool]]:
    """Letters that may stand for a person, and whether this is certain without the rest of the text."""
    for found in _LETTER.finditer(text):
        start, end = found.span()
        before, after = text[max(0, start - 20) : start], text[end : end + 40]
        letter = unicodedata.normalize("NFKC", found[0])
        is_pronoun = letter == "I" and (before[-1:] + after[:1]).isascii()
        if is_pronoun or _denotes_something_else(before, after):
            continue
        opens = letter == "A" and _SENTENCE_BEFORE.search(before) and _WORD_AFTER.match(after)
        yield Person(letter, start), not opens or bool(_VERB_AFTER.match(after))


def _denotes_something_else(before: str, after: str) -> bool:
    """Whether a letter is a list mark, an initial, or the name of something other than a person."""
    in_list = (_LINE_BEFORE.search(before) and _MARK_AFTER.match(after)) or (
        _LIST_BEFORE.search(before) and _LIST_AFTER.match(after)
    )
    initial = _NAME_AFTER.match(after) and _NAME_BEFORE.search(before)
    return bool(in_list or initial or _HEADED.search(before) or _KATAKANA_OR_KIND.match(after))


# --- Subjects of the Civil Code -------------------------------------------------------------------


#: The names of the parts, in the order of the code.
SUBJECTS = ("general provisions", "real rights", "claims", "family", "inheritance")
_LAST_ARTICLES = (174, 398, 724, 881, 1050)  # without their branches, such as 398-22


def subject_of_heading(heading: str) -> str | None:
    """Subject of the part with a heading, by its number; None without heading and for other numbers.

    Examples
    --------
    >>> subject_of_heading("Part II Real Rights"), subject_of_heading("第三編　債権"), subject_of_heading("")
    ('real rights', 'claims', None)
    """
    numbered = dict(zip(map(str, range(1, len(SUBJECTS) + 1)), SUBJECTS))
    return numbered.get(unit_number(heading))


def subject_of_number(article: str) -> str | None:
    """Subject of an article by its number in arabic digits; None for one that is no number of the code.

    Examples
    --------
    >>> [subject_of_number(number) for number in ("174-2", "398-22", "724-2", "725", "1050", "1051")]
    ['general provisions', 'real rights', 'claims', 'family', 'inheritance', None]
    """
    number = article.partition("-")[0]
    place = bisect_left(_LAST_ARTICLES, int(number)) if number.isdecimal() and int(number) else len(SUBJECTS)
    return SUBJECTS[place] if place < len(SUBJECTS) else None
