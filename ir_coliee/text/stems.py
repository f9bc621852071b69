"""The analyser of a language that reduces content words to stems or lemmas, as far as the libraries are installed."""

from __future__ import annotations

from typing import NamedTuple

from ir_coliee.errors import MissingExtraError
from ir_coliee.text.analysers import Analysis, English, JapaneseLemmas, analyser_version


class StemAnalyser(NamedTuple):
    """An analyser, and a sentence that says what it lacks (empty if it lacks nothing)."""

    analyser: Analysis
    note: str


def stem_analyser(language: str) -> StemAnalyser:
    """Return the analyser by stems of content words.

    English words are reduced by Snowball's stemmer (the extra ``stem``), Japanese ones to the lemmas of MeCab (the
    extra ``ja``). Without the extra, English content words are left as they are, and Japanese text is split into
    bigrams.

    Parameters
    ----------
    language : str
        ``en`` or ``ja``.

    Examples
    --------
    >>> stem_analyser("en").analyser in (English(), English(stem=False))
    True
    """
    stems: Analysis = JapaneseLemmas() if language == "ja" else English()
    try:
        analyser_version(stems)
    except MissingExtraError:
        if language == "ja":
            return StemAnalyser("bigrams", "without the extra ja: character bigrams instead of lemmas")
        return StemAnalyser(English(stem=False), "without the extra stem: words are not reduced to stems")
    return StemAnalyser(stems, "")
