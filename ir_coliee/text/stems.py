"""The analyser of stems of each language, and what stands in for it without its extra."""

from __future__ import annotations

from typing import NamedTuple

from ir_coliee.errors import MissingExtraError
from ir_coliee.text.analysers import Analysis, English, JapaneseLemmas, analyser_version


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
