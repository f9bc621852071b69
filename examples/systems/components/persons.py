"""Find the persons of exam questions, which are denoted by letters: ``A sold B's gate to C``.

KIS (COLIEE 2023, task 4) treats questions with such persons separately. The rules are our own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.transformers.base import BaseTransformer

# a letter that stands alone: not part of a word, of a number (B2), of a compound (X-ray, B/L) or of initials (U.S.)
_LETTER = re.compile(
    r"(?<![A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ÿ0-9０-９_&/’'-])(?<![A-Za-z]\.)"
    r"(?P<letter>[A-ZＡ-Ｚ])"
    r"(?![A-Za-zＡ-Ｚａ-ｚÀ-ÖØ-öø-ÿ0-9０-９_&/]|-[A-Za-z0-9]|\.[A-Za-z])"
)
_TO_FULL_WIDTH = ord("Ａ") - ord("A")
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


def with_letters(text: str, letters: Mapping[str, str]) -> str:
    """Replace the letters of the persons of a text, keeping the width of each occurrence.

    Parameters
    ----------
    text : str
        An English or Japanese text.
    letters : mapping of str to str
        The new letter of each person, both in half width. Persons that are missing keep their letter.

    Examples
    --------
    >>> with_letters("A lent B's lamp to C; C must give it back to Ｂ.", {"A": "K", "B": "M"})
    "K lent M's lamp to C; C must give it back to Ｍ."
    """
    characters = list(text)
    for letter, start in persons(text):
        other = letters.get(letter, letter)
        characters[start] = other if characters[start].isascii() else chr(ord(other) + _TO_FULL_WIDTH)
    return "".join(characters)


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


class FindPersons(BaseTransformer):
    """Add the letters of the persons of each question, as a column ``persons`` of tuples: Q to Q, R to R.

    A question without a text (None, NaN) has no persons.

    Parameters
    ----------
    on : str
        The column with the questions.

    Examples
    --------
    >>> questions = pd.DataFrame({"qid": ["1", "2"], "query": ["A lent B a lamp.", "A lamp may be lent."]})
    >>> FindPersons()(questions).persons.tolist()
    [('A', 'B'), ()]
    """

    LABEL = "Find persons"

    def __init__(self, *, on: str = "query") -> None:
        self.on = on

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add the column.

        Raises
        ------
        ColieeError
            For a value that is neither a string nor missing.
        """
        pt.validate.columns(inp, includes=["qid", self.on], context=self)
        texts = np.where(inp[self.on].isna(), "", inp[self.on].to_numpy(dtype=object))
        found: dict[str, tuple[str, ...]] = {}
        for qid, text in zip(inp["qid"], texts):
            if not isinstance(text, str):
                kind = type(text).__name__
                raise ColieeError(
                    f"Query {printable(str(qid))}: its {self.on} is of the type {kind}; a string is needed."
                )
            if text not in found:
                found[text] = person_letters(text)
        persons = pd.Series([found[text] for text in texts], index=inp.index, dtype=object)
        return inp.assign(persons=persons)
