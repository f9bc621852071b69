"""English stop words and stems."""

from __future__ import annotations

from collections.abc import Iterable

from ir_coliee.errors import MissingExtraError

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
    try:
        import Stemmer
    except ImportError:
        raise MissingExtraError("Stemming", "stem") from None
    # a lone surrogate cannot be written in UTF-8, which the stemmer reads
    spelled = [word.encode(errors="replace") for word in words]
    return [stem.decode() for stem in Stemmer.Stemmer("english").stemWords(spelled)]


def stemmer_version() -> str:
    """Version of the stemmer; another version may produce other stems.

    Raises
    ------
    MissingExtraError
        Without PyStemmer, the extra ``stem``.
    """
    try:
        import Stemmer
    except ImportError:
        raise MissingExtraError("Stemming", "stem") from None
    return str(Stemmer.version())
