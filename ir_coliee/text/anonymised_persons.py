"""The letters by which exam questions name persons and things instead of a name: "A", "Ｂ", "甲"."""

from __future__ import annotations

import re

from ir_coliee.text.statutes import unique

# I is a pronoun; a letter behind a unit of the law is its number, one with a full stop and a letter an abbreviation
_UNITS = "".join(rf"(?<!{unit} )" for unit in ("Part", "Chapter", "Section", "Subsection", "Division", "Article"))
_ENGLISH = re.compile(rf"(?<![\w.&/-]){_UNITS}[A-HJ-Z](?![\w&/-]|\.\w)")
_BEGINS_SENTENCE = re.compile(r"(?:\A|[.?!:;]|\n)[\s\"'“”‘’(]*\Z")
_BEFORE = 20  # characters before a letter in which the end of a sentence is searched for
_THEN_NOUN = re.compile(r"\s+(?!(?:and|or|then|also|has|had|is|was|may|must|can|cannot|shall|will|who|whose)\b)[a-z]")
_CAPITALS = "A-ZＡ-Ｚ"
_JAPANESE = re.compile(
    rf"(?<![a-zａ-ｚ0-9０-９{_CAPITALS}])[{_CAPITALS}]{{1,3}}(?![a-zａ-ｚ{_CAPITALS}])|(?<![一-鿿])[甲乙丙](?![種類号板第])"
)
_ASCII = str.maketrans({ord("Ａ") + number: ord("A") + number for number in range(26)})


def anonymised_persons(text: str, language: str) -> tuple[str, ...]:
    """Letters that name persons or things in an exam question, each once, in order.

    Parameters
    ----------
    text : str
        An exam question.
    language : {"en", "ja"}
        Its language.

    Returns
    -------
    tuple of str
        Capital letters in ASCII; in Japanese also 甲, 乙 and 丙, as in 甲土地.

    Notes
    -----
    At the beginning of an English sentence, a letter in brackets is a mark, and "A" is the article, unless the next
    word is no noun: after "A" a punctuation mark, a genitive or words such as "and", "has", "may". Verbs are not
    recognised, so that "A sold" does not count there; a question about A usually names A in other places too. "I" never
    counts. Two or three adjacent Japanese letters count if they follow each other in the alphabet, as in ＡＢ間.

    Examples
    --------
    >>> anonymised_persons("A seller owes B the price. If X's agent pays A, it is paid.", "en")
    ('B', 'X', 'A')
    >>> anonymised_persons("A seller owes the price.", "en"), anonymised_persons("ＡがＢに甲土地を売った。", "ja")
    ((), ('A', 'B', '甲'))
    """
    if language == "ja":
        names = (letters.translate(_ASCII) for letters in _JAPANESE.findall(text))
        return unique(letter for letters in names if _in_sequence(letters) for letter in letters)
    return unique(found[0] for found in _ENGLISH.finditer(text) if not _is_article_or_mark(text, found))


def _is_article_or_mark(text: str, letter: re.Match[str]) -> bool:
    """Whether a letter at the beginning of a sentence is the English article, or a mark such as "(B)"."""
    start, end = letter.span()
    is_article = letter[0] == "A" and _THEN_NOUN.match(text, end)
    is_mark = text.startswith("(", start - 1) and text.startswith(")", end)
    return bool((is_article or is_mark) and _BEGINS_SENTENCE.search(text, max(0, start - _BEFORE), start))


def _in_sequence(letters: str) -> bool:
    return all(ord(letter) == ord(letters[0]) + place for place, letter in enumerate(letters))
