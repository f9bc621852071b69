"""Tokenisers: functions from a text to the tokens that an index counts; tokens with offsets; stop words and stems."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from ir_coliee.errors import MissingExtraError
from ir_coliee.text.cleaning import clean_case
from ir_coliee.text.decisions import marker_spans, paragraph_spans
from ir_coliee.text.japanese import nfkc
from ir_coliee.text.spans import Span

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


# --- Tokens and their offsets ---------------------------------------------------------------------


_WORD = re.compile(r"[^\W_]+")


class PlacedTokens(NamedTuple):
    """The tokens of a text in order.

    Attributes
    ----------
    tokens : list of str
        The tokens: words in lower case, or letters and digits of a Japanese text.
    starts, ends : list of int
        The offsets of the first character of each token and of the one after its last.
    paragraphs : list of int
        The paragraph of each token, as its position in `ir_coliee.text.decisions.paragraph_spans`.
    """

    tokens: list[str]
    starts: list[int]
    ends: list[int]
    paragraphs: list[int]

    @classmethod
    def of(cls, text: str, language: str = "en") -> PlacedTokens:
        r"""Read a text. Suppressed markers and paragraph marks have no tokens.

        Parameters
        ----------
        text : str
            The text.
        language : {"en", "ja"}
            English texts have words as tokens. In Japanese, each letter and digit is a token, normalised (NFKC).

        Examples
        --------
        >>> placed = PlacedTokens.of("[1]\nA lamp.\n[2]\nThe <FRAGMENT_SUPPRESSED> gate")
        >>> placed.tokens, placed.starts, placed.paragraphs
        (['a', 'lamp', 'the', 'gate'], [4, 6, 16, 42], [1, 1, 2, 2])
        """
        marks = [paragraph.mark for paragraph in paragraph_spans(text)]
        blanked = _blanked(text, sorted([*marks, *marker_spans(text)]))
        if language == "ja":
            tokens, spans = _characters(blanked)
        else:
            tokens, spans = _WORD.findall(blanked), [word.span() for word in _WORD.finditer(blanked)]
        firsts, starts = [mark.start for mark in marks], [start for start, _ in spans]
        return cls(
            [token.lower() for token in tokens],
            starts,
            [end for _, end in spans],
            [bisect_right(firsts, start) - 1 for start in starts],
        )

    def span(self, first: int, number: int) -> Span:
        """Return the span of characters of some consecutive tokens."""
        return Span(self.starts[first], self.ends[first + number - 1])


def _characters(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the letters and digits of a text, normalised, with their places."""
    normal = {character: nfkc(character) for character in set(text)}
    spans = [(place, place + 1) for place, character in enumerate(text) if normal[character].isalnum()]
    return [normal[text[place]] for place, _ in spans], spans


def _blanked(text: str, spans: Iterable[Span]) -> str:
    """Replace spans, sorted and without overlaps, by blanks of the same length."""
    pieces, end = [], 0
    for span in spans:
        pieces += [text[end : span.start], " " * (span.end - span.start)]
        end = span.end
    return "".join([*pieces, text[end:]])


# --- Stop words and stems -------------------------------------------------------------------------


#: The stop words of Lucene's EnglishAnalyzer (``ENGLISH_STOP_WORDS_SET``).
STOP_WORDS = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not"),
        *("of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was"),
        *("will", "with"),
    )
)


def stems(words: Iterable[str]) -> list[str]:
    """Stem of each lower-case English word, by Snowball's English stemmer ("Porter 2").

    Raises
    ------
    MissingExtraError
        Without PyStemmer, the extra ``stem``.
    """
    # a lone surrogate cannot be written in UTF-8, which the stemmer reads
    spelled = [word.encode(errors="replace") for word in words]
    return [stem.decode() for stem in _stemmers().Stemmer("english").stemWords(spelled)]


def stemmer_version() -> str:
    """Version of the stemmer; another version may produce other stems.

    Raises
    ------
    MissingExtraError
        Without PyStemmer, the extra ``stem``.
    """
    return str(_stemmers().version())


def _stemmers() -> Any:
    try:
        import Stemmer
    except ImportError:
        raise MissingExtraError("Stemming", "stem") from None
    return Stemmer
