"""Invented words, sentences and titles in English and Japanese, drawn by a Zipf-Mandelbrot distribution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import cycle

import numpy as np
import numpy.typing as npt

from ir_coliee.text.statutes import japanese_title

#: Words by their numbers; frequent words have small numbers.
WordNumbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.str_]

_VOCABULARY_SIZE = 150_000
_FIRST_TOPIC_WORD = 2_000  # words with smaller numbers are too frequent to characterise a topic
_TOPIC_WORDS = 60
_SHARE_OF_TOPIC_WORDS = 0.04
# neither numerals nor characters that structure a statute
_CHARACTERS = "門灯橋舟梨桜松竹梅鶴亀虎狐狸猫犬馬牛羊鳥魚貝花草木林森川海湖池島岸浜砂石岩峰谷丘原野空雲雨雪風霧霜露虹星"
_STATUTE_VOCABULARY_SIZE = 20_000  # a statute has fewer words than a collection of decisions
_SHORTEST_SENTENCE, _LONGEST_SENTENCE = 10, 34
_PARTICLES = ("は、", "の", "を", "に", "と", "が、")


def scaled(size: float, scale: float, minimum: int = 3) -> int:
    """Return a share of a true size, rounded, at least ``minimum``."""
    return max(minimum, round(size * scale))


def random_shares(random: np.random.Generator, total: int, number: int, minimum: int = 1) -> list[int]:
    """Divide a total at random into a number of shares, each at least ``minimum``."""
    rest = max(0, total - minimum * number)
    return (minimum + random.multinomial(rest, np.full(number, 1 / number))).tolist()


# Vocabularies.


@cache
def _english_words() -> Words:
    onsets = np.array([*"bdfgjklmnprstvz", "br", "dr", "gl", "kr", "pl", "st", "tr"])
    vowels = np.array([*"aeiou", "ae", "io"])
    syllables = np.char.add(onsets[:, None], vowels[None, :]).ravel()
    n = len(syllables)
    count = np.arange(_VOCABULARY_SIZE)
    words = np.char.add(syllables[count % n], syllables[(count // n) % n])
    return np.where(count < n * n, words, np.char.add(words, syllables[(count // n**2) % n]))


@cache
def _japanese_words() -> Words:
    characters = np.array([*_CHARACTERS])
    words = np.char.add(characters[:, None], characters[None, :]).ravel()
    return np.random.default_rng(0).permutation(words)


@cache
def _cumulative_frequency(size: int) -> npt.NDArray[np.float64]:
    frequency = 1 / (np.arange(size) + 2.7)  # Zipf-Mandelbrot
    return np.cumsum(frequency / frequency.sum())


def draw_words(random: np.random.Generator, length: int, vocabulary_size: int = _VOCABULARY_SIZE) -> WordNumbers:
    """Draw words of the first ``vocabulary_size`` ones of a vocabulary by their frequency."""
    return np.searchsorted(_cumulative_frequency(vocabulary_size)[:-1], random.random(length))


# Texts of decisions.


def draw_topics(random: np.random.Generator, number: int) -> WordNumbers:
    """Draw the characteristic words of each topic; the result has one row for each topic."""
    return random.integers(_FIRST_TOPIC_WORD, _VOCABULARY_SIZE, (number, _TOPIC_WORDS))


def draw_topical_words(
    random: np.random.Generator, length: int, topic: WordNumbers, share: float = _SHARE_OF_TOPIC_WORDS
) -> WordNumbers:
    """Draw the words of a text, a share of them from the characteristic words of a topic."""
    return _with_topic(random, draw_words(random, length), topic, share)


def _with_topic(random: np.random.Generator, numbers: WordNumbers, topic: WordNumbers, share: float) -> WordNumbers:
    is_topical = random.random(len(numbers)) < share
    numbers[is_topical] = random.choice(topic, int(is_topical.sum()))
    return numbers


def english_text(numbers: WordNumbers) -> str:
    """Spell out word numbers in English, separated by blanks."""
    return " ".join(_english_words()[numbers].tolist())


# Sentences and titles of statutes, exam questions and tort instances.


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
        self._vocabulary = _english_words() if language == "en" else _japanese_words()
        self._size = min(len(self._vocabulary), _STATUTE_VOCABULARY_SIZE)

    def draw_topic(self, size: int) -> WordNumbers:
        """Draw the characteristic words of a topic; ``size`` is their number."""
        return self.random.integers(100, self._size, size)

    def title(self) -> str:
        """Return a few words, as in headings and captions."""
        chosen = self._vocabulary[self.random.integers(0, self._size, 3)].tolist()
        return " ".join(word.capitalize() for word in chosen) if self.language == "en" else f"{chosen[0]}の{chosen[1]}"

    def sentence(self, topic: WordNumbers, articles: Sequence[str] = ()) -> str:
        """Write a sentence, mostly in words of the topic, that may refer to one of the articles."""
        length = int(self.random.integers(_SHORTEST_SENTENCE, _LONGEST_SENTENCE))
        numbers = _with_topic(self.random, draw_words(self.random, length, self._size), topic, 0.6)
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
