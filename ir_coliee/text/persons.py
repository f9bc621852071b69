"""Find the persons of exam questions, which are denoted by letters: ``A sold B's gate to C``.

The overview of COLIEE 2023 (section 4.5, table 4) finds questions with such persons more difficult than others, and KIS
(COLIEE 2023, task 4) treats them separately. The rules are our own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

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
        if (letter == "I" and _is_english(before, after)) or _denotes_something_else(before, after):
            continue
        opens = letter == "A" and _SENTENCE_BEFORE.search(before) and _WORD_AFTER.match(after)
        yield Person(letter, start), not opens or bool(_VERB_AFTER.match(after))


def _is_english(before: str, after: str) -> bool:
    return (before[-1:] + after[:1]).isascii()


def _denotes_something_else(before: str, after: str) -> bool:
    """Whether a letter is a list mark, an initial, or the name of something other than a person."""
    in_list = (_LINE_BEFORE.search(before) and _MARK_AFTER.match(after)) or (
        _LIST_BEFORE.search(before) and _LIST_AFTER.match(after)
    )
    initial = _NAME_AFTER.match(after) and _NAME_BEFORE.search(before)
    return bool(in_list or initial or _HEADED.search(before) or _KATAKANA_OR_KIND.match(after))
