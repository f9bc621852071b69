"""Analysers: from text to the tokens that an index counts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise

from ir_coliee.text.cases import clean_case

_WORD = re.compile(r"[^\W_]+")
_JAPANESE = "\u3005\u3007\u3040-\u30ff\u3400-\u9fff"
_SCRIPT_RUN = re.compile(rf"(?P<japanese>[{_JAPANESE}]+)|[^\W_{_JAPANESE}]+")


def words(text: str) -> list[str]:
    """Lower-case runs of letters and digits.

    >>> words("The Board's decision, s. 14(2)")
    ['the', 'board', 's', 'decision', 's', '14', '2']
    """
    return _WORD.findall(text.lower())


def character_bigrams(text: str) -> list[str]:
    """Pairs of neighbouring characters of each Japanese run; runs of other letters stay whole words.

    A run of one character is a token of its own. Full-width letters and digits are folded.

    >>> character_bigrams("売主Ａは、代金を")
    ['売主', 'a', 'は', '代金', '金を']
    """
    tokens: list[str] = []
    for run in _SCRIPT_RUN.finditer(unicodedata.normalize("NFKC", text).lower()):
        characters = run[0]
        if run["japanese"] and len(characters) > 1:
            tokens.extend(first + second for first, second in pairwise(characters))
        else:
            tokens.append(characters)
    return tokens


def case_words(text: str) -> list[str]:
    """The words of a court decision without suppressed citations, paragraph marks and editorial lines.

    >>> case_words("[3]\\nSee <FRAGMENT_SUPPRESSED> , para 4\\n[End of document]")
    ['see', 'para', '4']
    """
    return words(clean_case(text))


#: The analysers by the name under which an index keeps them.
ANALYSERS: dict[str, Callable[[str], list[str]]] = {
    "words": words,
    "case": case_words,
    "bigrams": character_bigrams,
}
