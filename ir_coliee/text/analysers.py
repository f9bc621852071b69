"""Analysers with parameters, made from others: values that an index keeps in its manifest.

An analyser is a name of `ir_coliee.text.language.ANALYSERS`, or one of the values below. Two that are equal make
the same tokens, ``repr`` gives the code that makes one, and `described` what JSON can hold of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, NoReturn, TypeAlias

from ir_coliee.errors import ColieeError
from ir_coliee.text import english, japanese
from ir_coliee.text.language import ANALYSERS

_LENGTHS = range(2, 9)


@dataclass(frozen=True)
class English:
    """English words without stop words, brought to their stems.

    ``of`` is the analyser that makes the words; ``stemmed`` needs the extra ``stem``; ``stopped`` leaves out
    `ir_coliee.text.english.STOP_WORDS`. An index applies both to its vocabulary, not to each token.

    >>> English(stemmed=False)("The owner of the lamps")
    ['owner', 'lamps']
    """

    of: str = "words"
    stemmed: bool = True
    stopped: bool = True

    def __post_init__(self) -> None:
        _check_base(self.of)

    @property
    def version(self) -> str:
        """Of the rules here, of the words', and of the stemmer."""
        return f"1.{version(self.of)}" + (f"+{english.stemmer_version()}" if self.stemmed else "")

    def merged(self, words: Sequence[str]) -> list[str | None]:
        """What each word becomes; None where it is left out."""
        stems = english.stems(words) if self.stemmed else words
        return [None if self.stopped and word in english.STOP_WORDS else stem for word, stem in zip(words, stems)]

    def __call__(self, text: str) -> list[str]:
        words = function(self.of)(text)
        different = list(dict.fromkeys(words))
        becomes = dict(zip(different, self.merged(different)))
        return [term for word in words if (term := becomes[word]) is not None]


@dataclass(frozen=True)
class JapaneseWords:
    """Japanese words by MeCab and the dictionary unidic-lite; needs the extra ``ja``."""

    @property
    def version(self) -> str:
        """Of the rules here, and of the dictionary."""
        return f"1+{japanese.dictionary_version()}"

    def __call__(self, text: str) -> list[str]:
        return japanese.japanese_words(text)


@dataclass(frozen=True)
class Shingles:
    """Runs of ``words`` neighbouring tokens of the analyser ``of``: word n-grams.

    An index keeps those that occur in at least ``fewest`` documents, and in at most ``most`` of them or the share
    ``share`` of all, whichever is more. ``binary`` notes that a document has a shingle, not how often. ``hashed``:
    the term is a 64-bit hash, so that no words are kept and a large collection fits into memory; otherwise it is the
    words with a blank between. By default they are those shared passages that are evidence of a quotation.

    >>> Shingles(3, hashed=False)("The lamp at the gate")
    ['the lamp at', 'lamp at the', 'at the gate']
    """

    words: int
    of: str | English | JapaneseWords = "words"
    hashed: bool = True
    binary: bool = False
    fewest: int = 2
    most: int = 20
    share: float = 0.02

    def __post_init__(self) -> None:
        _check_base(self.of, English, JapaneseWords)
        if not isinstance(self.words, int) or self.words not in _LENGTHS:
            raise ValueError(f"words={self.words!r} is not an int from {_LENGTHS[0]} to {_LENGTHS[-1]}")
        for name, bound, least in (("fewest", self.fewest, 1), ("most", self.most, 0)):
            if not isinstance(bound, int) or bound < least:
                raise ValueError(f"{name}={bound!r} is not an int from {least}")
        if not 0 <= self.share <= 1:
            raise ValueError(f"share={self.share!r} is not from 0 to 1")

    @property
    def version(self) -> str:
        """Of the rules here, and of the tokens'."""
        return f"1.{version(self.of)}"

    def bounds(self, documents: int) -> tuple[int, int]:
        """In how many of so many documents a shingle must occur to be kept, and in how many it may."""
        return self.fewest, max(self.most, int(self.share * documents))

    @property
    def keeps_all(self) -> bool:
        """Whether no shingle is left out, however many documents there are: then an index can be added to."""
        return self.fewest == 1 and self.share == 1

    def __call__(self, text: str) -> list[str]:
        tokens = function(self.of)(text)
        return [" ".join(tokens[start : start + self.words]) for start in range(len(tokens) - self.words + 1)]


@dataclass(frozen=True)
class Pretokenised:
    """No analyser: documents come with their tokens, in ``toks`` instead of ``text``.

    ``toks`` is a dict from token to a whole number from 1, as PyTerrier's pipelines of learned sparse retrieval give,
    or the tokens as a list. Any string but the empty one is a token.
    """

    @property
    def version(self) -> int:
        """Of the rules here."""
        return 1

    def __call__(self, text: str) -> NoReturn:
        """Raises `ColieeError`: who made the documents' tokens has to make the query's."""
        raise ColieeError(
            "The index is one of given tokens, and nothing here makes such tokens of a text. Give queries as "
            "query_toks (a dict from token to weight) or as query_docno (the number of a document of the index)."
        )


Analysis: TypeAlias = str | English | JapaneseWords | Shingles | Pretokenised

_KINDS: dict[str, type[English | JapaneseWords | Shingles | Pretokenised]] = {
    kind.__name__: kind for kind in (English, JapaneseWords, Shingles, Pretokenised)
}


def known(analyser: Analysis) -> Analysis:
    """The analyser. Raises `ValueError` for what is none."""
    named = isinstance(analyser, str) and analyser in ANALYSERS
    if not named and not isinstance(analyser, tuple(_KINDS.values())):
        raise ValueError(f"no analyser {analyser!r}; there are {', '.join(ANALYSERS)}, and {', '.join(_KINDS)}")
    return analyser


def of_text(analyser: Analysis) -> Analysis:
    """The analyser. Raises `ValueError` for what is none, and for `Pretokenised`, which reads no text."""
    if isinstance(known(analyser), Pretokenised):
        raise ValueError(f"{analyser!r} reads no text, and texts are to be read; give another analyser")
    return analyser


def _check_base(analyser: Analysis, *kinds: type) -> None:
    """Raises `ValueError` for what is neither the name of an analyser nor of these kinds."""
    if not isinstance(of_text(analyser), (str, *kinds)):
        raise ValueError(f"of={analyser!r} is none of {', '.join([*ANALYSERS, *(kind.__name__ for kind in kinds)])}")


def function(analyser: Analysis) -> Callable[[str], list[str]]:
    """The function from text to tokens."""
    return ANALYSERS[analyser] if isinstance(analyser, str) else analyser


def version(analyser: Analysis) -> int | str:
    """The version of an analyser's rules, and of all that they rest on."""
    return ANALYSERS[analyser].version if isinstance(analyser, str) else analyser.version


def described(analyser: Analysis) -> str | dict[str, Any]:
    """The analyser as JSON can hold it.

    >>> described(Shingles(5, of="case"))["of"], from_description(described(Shingles(5))) == Shingles(5)
    ('case', True)
    """
    if isinstance(analyser, str):
        return analyser
    values = {field.name: getattr(analyser, field.name) for field in fields(analyser)}
    held = {name: described(value) if type(value) in _KINDS.values() else value for name, value in values.items()}
    return {"kind": type(analyser).__name__, **held}


def from_description(description: str | dict[str, Any]) -> Analysis:
    """The analyser of a description. Raises `ValueError` for what describes none."""
    if isinstance(description, str):
        return known(description)
    values = {
        name: from_description(value) if isinstance(value, dict) else value for name, value in description.items()
    }
    kind = values.pop("kind", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"no kind of analyser {kind!r}; there are {', '.join(_KINDS)}")
    make: Callable[..., Analysis] = _KINDS[kind]
    try:
        return make(**values)
    except TypeError:
        raise ValueError(f"{', '.join(values)} are not what {kind} needs") from None
