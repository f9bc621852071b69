"""Tokenisers: functions from a text to the tokens that an index counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ir_coliee.text.case_cleaning import clean_case
from ir_coliee.text.compatibility import nfkc

_ASCII = bytes(range(128))
_ASCII_GAPS = bytes(code if code >= 128 or chr(code).isalnum() else ord(" ") for code in range(256))
_NON_ASCII_GAP = re.compile(r"[^\w\x00-\x7f]")
_FEW = 20  # characters that are sooner replaced one by one than searched for together
_JAPANESE = "\u3005\u3007\u3040-\u30ff\u3400-\u9fff"
_SCRIPT_RUN = re.compile(rf"(?P<japanese>[{_JAPANESE}]+)|[^\W_{_JAPANESE}]+")


def words(text: str) -> list[str]:
    """Lower-case words: maximal sequences of letters and digits.

    Examples
    --------
    >>> words("The court's decision, s. 14(2)")
    ['the', 'court', 's', 'decision', 's', '14', '2']
    """
    # several times as fast as a pattern for runs: all but letters and digits become blanks, and the text is split
    text = text.lower()
    return (text if text.isascii() else _without_gaps(text)).encode().translate(_ASCII_GAPS).decode().split()


def _without_gaps(text: str) -> str:
    """Replace each non-ASCII character that is neither letter nor digit by a blank."""
    beyond = text.encode(errors="surrogatepass").translate(None, _ASCII).decode(errors="surrogatepass")
    gaps = [character for character in set(beyond) if not character.isalnum()]
    if len(gaps) > _FEW:
        return _NON_ASCII_GAP.sub(" ", text)
    for gap in gaps:
        text = text.replace(gap, " ")
    return text


def character_bigrams(text: str) -> list[str]:
    """Bigrams of Japanese characters; sequences of other letters stay whole words.

    A single Japanese character between other characters is a token of its own. Full-width letters and digits are
    normalised (NFKC).

    Examples
    --------
    >>> character_bigrams("売主Ａは、代金を")
    ['売主', 'a', 'は', '代金', '金を']
    """
    tokens: list[str] = []
    for run in _SCRIPT_RUN.finditer(nfkc(text).lower()):
        characters = run[0]
        if run["japanese"] and len(characters) > 1:
            tokens.extend(first + second for first, second in pairwise(characters))
        else:
            tokens.append(characters)
    return tokens


def character_ngrams(text: str) -> list[str]:
    """Character n-grams of length 3 to 5, across word boundaries; white space counts as one blank.

    Full-width letters and digits are normalised (NFKC).

    Examples
    --------
    >>> character_ngrams("A  gate")[:6]
    ['a g', ' ga', 'gat', 'ate', 'a ga', ' gat']
    """
    text = " ".join(nfkc(text).lower().split())
    return [text[start : start + length] for length in (3, 4, 5) for start in range(len(text) - length + 1)]


def case_words(text: str) -> list[str]:
    r"""Words of a court decision without suppressed citations, paragraph marks and editorial lines.

    Examples
    --------
    >>> case_words("[3]\nSee <FRAGMENT_SUPPRESSED> , para 4\n[End of document]")
    ['see', 'para', '4']
    """
    return words(clean_case(text))


@dataclass(frozen=True)
class Analyser:
    """A tokeniser with the version of its rules.

    Attributes
    ----------
    tokens : callable
        Function from a text to tokens.
    version : int
        Version of the rules; another version may produce other tokens.
    """

    tokens: Callable[[str], list[str]]
    version: int

    def __call__(self, text: str) -> list[str]:
        """Tokens of a text."""
        return self.tokens(text)


#: The analysers by the name under which an index keeps them.
ANALYSERS: dict[str, Analyser] = {
    "words": Analyser(words, version=1),
    "case": Analyser(case_words, version=2),
    "bigrams": Analyser(character_bigrams, version=1),
    "characters": Analyser(character_ngrams, version=1),
}
