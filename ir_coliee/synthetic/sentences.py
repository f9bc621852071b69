"""Synthetic sentences and titles in English and Japanese."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from ir_coliee.synthetic import vocabulary
from ir_coliee.synthetic.vocabulary import WordNumbers
from ir_coliee.text.statutes import japanese_title

_VOCABULARY_SIZE = 20_000  # a statute has fewer words than a collection of decisions
_LONGEST_SENTENCE, _SHORTEST_SENTENCE = 34, 10
_PARTICLES = ("は、", "の", "を", "に", "と", "が、")


class SentenceWriter:
    """Writer of the sentences of one language.

    Parameters
    ----------
    language : {"en", "ja"}
        The language.
    random : numpy.random.Generator
        Random number generator.
    """

    def __init__(self, language: str, random: np.random.Generator) -> None:
        self.language, self.random = language, random
        self._vocabulary = vocabulary.english_words() if language == "en" else vocabulary.japanese_words()
        self._size = min(len(self._vocabulary), _VOCABULARY_SIZE)

    def draw_topic(self, size: int) -> WordNumbers:
        """Draw the characteristic words of a topic; ``size`` is their number."""
        return self.random.integers(100, self._size, size)

    def title(self) -> str:
        """Return a few words, as in headings and captions."""
        chosen = self._vocabulary[self.random.integers(0, self._size, 3)].tolist()
        return " ".join(word.capitalize() for word in chosen) if self.language == "en" else f"{chosen[0]}の{chosen[1]}"

    def sentence(self, topic: WordNumbers, articles: Sequence[str] = ()) -> str:
        """Write a sentence.

        Parameters
        ----------
        topic : numpy.ndarray
            Numbers of the topic's characteristic words, which most words of the sentence are drawn from.
        articles : sequence of str, optional
            Numbers of articles to which the sentence may refer.

        Returns
        -------
        str
            The sentence.
        """
        length = int(self.random.integers(_SHORTEST_SENTENCE, _LONGEST_SENTENCE))
        numbers = vocabulary.draw_words(self.random, length, self._size)
        is_topical = self.random.random(length) < 0.6
        numbers[is_topical] = self.random.choice(topic, int(is_topical.sum()))
        words: list[str] = self._vocabulary[numbers].tolist()
        reference = ""
        if articles and self.random.random() < 0.2:
            reference = articles[int(self.random.integers(len(articles)))]
        return _english(words, reference) if self.language == "en" else _japanese(words, reference)


def _english(words: list[str], article: str) -> str:
    reference = f" under Article {article}, paragraph (1)" if article else ""
    return f"{words[0].capitalize()} {' '.join(words[1:])}{reference}."


def _japanese(words: list[str], article: str) -> str:
    shorter = words[: 3 * len(words) // 4]  # words with particles fill a line sooner
    phrase = "".join(word + particle for word, particle in zip(shorter, cycle(_PARTICLES)))
    reference = f"{japanese_title(article)}第一項の規定により" if article else ""
    return f"{phrase}{reference}{words[-1]}する。"
