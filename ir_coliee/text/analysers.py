"""Analysers: how an index makes terms of a text.

An analyser is either the name of a tokeniser in `ir_coliee.text.analysers.ANALYSERS` or one of the values of this
module, which have parameters and build on another analyser. Analysers that compare equal produce the same tokens. An
index stores the description of its analyser (`describe_analyser`) in its manifest, with the version of the rules.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn, TypeAlias

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.text import japanese
from ir_coliee.text.cleaning import clean_case
from ir_coliee.text.decisions import Span, marker_spans, paragraph_spans
from ir_coliee.text.japanese import nfkc

# Tokenisers: functions from a text to the tokens that an index counts; tokens with offsets; stop words and stems.


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
        Without PyStemmer, in the extra ``learn``.
    """
    # a lone surrogate cannot be written in UTF-8, which the stemmer reads
    spelled = [word.encode(errors="replace") for word in words]
    return [stem.decode() for stem in _stemmers().Stemmer("english").stemWords(spelled)]


def stemmer_version() -> str:
    """Version of the stemmer; another version may produce other stems.

    Raises
    ------
    MissingExtraError
        Without PyStemmer, in the extra ``learn``.
    """
    return str(_stemmers().version())


def _stemmers() -> Any:
    try:
        import Stemmer
    except ImportError:
        raise MissingExtraError("Stemming", "learn") from None
    return Stemmer


_SHINGLE_LENGTHS = range(2, 9)


@dataclass(frozen=True)
class English:
    """English words without stop words, reduced to their stems.

    An index applies both steps to its vocabulary, not to each token, so that they cost little.

    Parameters
    ----------
    base : str
        Name of the analyser that makes the words.
    stem : bool
        Replace each word by its Snowball stem. This needs the extra ``learn``.
    remove_stop_words : bool
        Drop the words of `ir_coliee.text.analysers.STOP_WORDS`.

    Examples
    --------
    >>> English(stem=False)("The owner of the lamps")
    ['owner', 'lamps']
    """

    base: str = "words"
    stem: bool = True
    remove_stop_words: bool = True

    def __post_init__(self) -> None:
        _check_base(self.base)

    @property
    def version(self) -> str:
        """Version of these rules, of the base analyser's rules and of the stemmer."""
        return f"1.{analyser_version(self.base)}" + (f"+{stemmer_version()}" if self.stem else "")

    def merged(self, words: Sequence[str]) -> list[str | None]:
        """Term of each word, or None for a word that is dropped."""
        terms = stems(words) if self.stem else words
        dropped = STOP_WORDS if self.remove_stop_words else frozenset()
        return [None if word in dropped else term for word, term in zip(words, terms)]

    def __call__(self, text: str) -> list[str]:
        """Tokens of a text."""
        words = tokeniser(self.base)(text)
        distinct = list(dict.fromkeys(words))
        term_of = dict(zip(distinct, self.merged(distinct)))
        return [term for word in words if (term := term_of[word]) is not None]


class _Mecab:
    """Base of the analysers that split Japanese by MeCab with the dictionary unidic-lite."""

    @property
    def version(self) -> str:
        """Version of these rules and of the dictionary."""
        return f"1+{japanese.dictionary_version()}"


@dataclass(frozen=True)
class JapaneseWords(_Mecab):
    """Japanese words by MeCab with the dictionary unidic-lite. This needs the extra ``ja``."""

    def __call__(self, text: str) -> list[str]:
        """Tokens of a text."""
        return [str(word.surface) for word in japanese.analysed_words(text)]


@dataclass(frozen=True)
class JapaneseLemmas(_Mecab):
    """Dictionary forms of Japanese content words, by MeCab with unidic-lite. This needs the extra ``ja``."""

    def __call__(self, text: str) -> list[str]:
        """Tokens of a text."""
        return [*japanese.japanese_lemmas(text)]


@dataclass(frozen=True)
class Shingles:
    """Word n-grams (shingles) over the tokens of another analyser.

    An index keeps the shingles that occur in at least ``min_df`` documents and in at most
    ``max(max_df, max_share * number of documents)``. With the default bounds these are the shared passages that are
    evidence of a quotation.

    Parameters
    ----------
    n : int
        Tokens of a shingle, from 2 to 8.
    base : str, English or JapaneseWords
        Analyser that makes the tokens.
    hashed : bool
        Represent a shingle by a 64-bit hash, so that no words are stored and a large collection fits into memory.
        Otherwise a term is the tokens joined by blanks.
    binary : bool
        Record only that a document has a shingle, not how often.
    min_df : int
        Smallest document frequency, at least 1.
    max_df : int
        Largest document frequency, at least 0.
    max_share : float
        Largest document frequency as a share of all documents, in [0, 1].

    Examples
    --------
    >>> Shingles(3, hashed=False)("The lamp at the gate")
    ['the lamp at', 'lamp at the', 'at the gate']
    """

    n: int
    base: str | English | JapaneseWords = "words"
    hashed: bool = True
    binary: bool = False
    min_df: int = 2
    max_df: int = 20
    max_share: float = 0.02

    def __post_init__(self) -> None:
        _check_base(self.base, English, JapaneseWords)
        if not isinstance(self.n, int) or self.n not in _SHINGLE_LENGTHS:
            first, last = _SHINGLE_LENGTHS[0], _SHINGLE_LENGTHS[-1]
            raise ValueError(f"n must be an integer from {first} to {last}, got {self.n!r}.")
        for name, bound, smallest in (("min_df", self.min_df, 1), ("max_df", self.max_df, 0)):
            if not isinstance(bound, int) or bound < smallest:
                raise ValueError(f"{name} must be an integer >= {smallest}, got {bound!r}.")
        if not 0 <= self.max_share <= 1:
            raise ValueError(f"max_share must be in [0, 1], got {self.max_share!r}.")

    @property
    def version(self) -> str:
        """Version of these rules and of the base analyser's rules."""
        return f"1.{analyser_version(self.base)}"

    def bounds(self, documents: int) -> tuple[int, int]:
        """Smallest and largest document frequency of the shingles that an index of so many documents keeps."""
        return self.min_df, max(self.max_df, int(self.max_share * documents))

    def __call__(self, text: str) -> list[str]:
        """Tokens of a text."""
        tokens = tokeniser(self.base)(text)
        return [" ".join(tokens[start : start + self.n]) for start in range(len(tokens) - self.n + 1)]


@dataclass(frozen=True)
class Pretokenised:
    """No analyser: documents come with their tokens, in ``toks`` instead of ``text``.

    ``toks`` is a dict from token to an integer count of at least 1, as PyTerrier's pipelines of learned sparse
    retrieval produce, or a list of tokens. Any non-empty string is a token.
    """

    @property
    def version(self) -> int:
        """Version of these rules."""
        return 1

    def __call__(self, text: str) -> NoReturn:
        """Refuse a text, because the tokens of queries must come from the model that made the documents' tokens.

        Raises
        ------
        ColieeError
            Always.
        """
        raise ColieeError(
            "The documents of this index came with their tokens, so a query text cannot be tokenised.\nGive queries "
            "as query_toks (a dict from token to weight) or as query_docno (the id of a document of the index)."
        )


#: An analyser: a name of `ANALYSERS` or a value of this module.
Analysis: TypeAlias = str | English | JapaneseWords | JapaneseLemmas | Shingles | Pretokenised

_KINDS: dict[str, type[English | JapaneseWords | JapaneseLemmas | Shingles | Pretokenised]] = {
    kind.__name__: kind for kind in (English, JapaneseWords, JapaneseLemmas, Shingles, Pretokenised)
}


def check_analyser(analyser: Analysis) -> Analysis:
    """Return the analyser.

    Raises
    ------
    ValueError
        If it is neither the name of a tokeniser nor a value of this module.
    """
    is_name = isinstance(analyser, str) and analyser in ANALYSERS
    if not is_name and not isinstance(analyser, tuple(_KINDS.values())):
        names, kinds = ", ".join(ANALYSERS), ", ".join(_KINDS)
        raise ValueError(
            f"analyser must be one of {names}, or an object of ir_coliee.text.analysers ({kinds}); got {analyser!r}."
        )
    return analyser


def check_text_analyser(analyser: Analysis) -> Analysis:
    """Return the analyser.

    Raises
    ------
    ValueError
        If it is not an analyser, and for `Pretokenised`, which reads no text.
    """
    if isinstance(check_analyser(analyser), Pretokenised):
        raise ValueError(f"{analyser!r} cannot tokenise texts. Give another analyser.")
    return analyser


def _check_base(analyser: Analysis, *kinds: type) -> None:
    if not isinstance(check_text_analyser(analyser), (str, *kinds)):
        known = ", ".join([*ANALYSERS, *(kind.__name__ for kind in kinds)])
        raise ValueError(f"base must be one of {known}; got {analyser!r}.")


def tokeniser(analyser: Analysis) -> Callable[[str], list[str]]:
    """Function from a text to the tokens of an analyser."""
    return ANALYSERS[analyser] if isinstance(analyser, str) else analyser


def analyser_version(analyser: Analysis) -> int | str:
    """Version of an analyser's rules, including those of the analysers and libraries that it builds on."""
    return ANALYSERS[analyser].version if isinstance(analyser, str) else analyser.version


def describe_analyser(analyser: Analysis) -> str | dict[str, Any]:
    """Description of an analyser that can be written as JSON; `analyser_from_description` reads it.

    Examples
    --------
    >>> describe_analyser(Shingles(5, base="case"))["base"]
    'case'
    >>> analyser_from_description(describe_analyser(Shingles(5))) == Shingles(5)
    True
    """
    if isinstance(analyser, str):
        return analyser
    values = {field.name: getattr(analyser, field.name) for field in fields(analyser)}
    nested = {
        name: describe_analyser(value) if type(value) in _KINDS.values() else value for name, value in values.items()
    }
    return {"kind": type(analyser).__name__, **nested}


def analyser_from_description(description: str | dict[str, Any]) -> Analysis:
    """Analyser that `describe_analyser` has described.

    Raises
    ------
    ValueError
        If the description is not that of an analyser.
    """
    if isinstance(description, str):
        return check_analyser(description)
    values = {
        name: analyser_from_description(value) if isinstance(value, dict) else value
        for name, value in description.items()
    }
    kind = values.pop("kind", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)}; got {kind!r}.")
    make: Callable[..., Analysis] = _KINDS[kind]
    try:
        return make(**values)
    except TypeError:
        raise ValueError(f"{kind} does not take the parameters {', '.join(values)}.") from None


# --- Stems of a language --------------------------------------------------------------------------


class Stems(NamedTuple):
    """The analyser of stems without function words.

    Attributes
    ----------
    analyser : Analysis
        Snowball stems without stop words in English, MeCab's dictionary forms of content words in Japanese. Without the
        extra: English words without stop words, Japanese character bigrams.
    notes : tuple of str
        A sentence on the missing extra.
    """

    analyser: Analysis
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, language: str) -> Stems:
        """Return the analyser of a language.

        Parameters
        ----------
        language : {"en", "ja"}
        """
        analyser, otherwise = (JapaneseLemmas(), "bigrams") if language == "ja" else (English(), English(stem=False))
        try:
            analyser_version(analyser)
        except MissingExtraError as error:
            kind = "character bigrams" if language == "ja" else "unstemmed words"
            return cls(otherwise, (f"{kind} are used instead of stems: {error}",))
        return cls(analyser)

    @property
    def parameters(self) -> tuple[object, ...]:
        """The values that results by these stems depend on."""
        return repr(self.analyser), analyser_version(self.analyser)
