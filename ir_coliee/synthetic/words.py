"""Invented words: syllables for English, pairs of characters for Japanese; frequent and rare as in any language."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.str_]

VOCABULARY = 150_000
#: The first words are so frequent that they say nothing about a topic.
FIRST_TOPIC_WORD = 2_000
_TOPIC_WORDS = 60
_SHARE_OF_TOPIC_WORDS = 0.04
# neither numerals nor any character that structures a statute
_CHARACTERS = "門灯橋舟梨桜松竹梅鶴亀虎狐狸猫犬馬牛羊鳥魚貝花草木林森川海湖池島岸浜砂石岩峰谷丘原野空雲雨雪風霧霜露虹星"


@cache
def english() -> Words:
    """The invented English vocabulary, the frequent words short."""
    onsets = np.array([*"bdfgjklmnprstvz", "br", "dr", "gl", "kr", "pl", "st", "tr"])
    vowels = np.array([*"aeiou", "ae", "io"])
    syllables = np.char.add(onsets[:, None], vowels[None, :]).ravel()
    n = len(syllables)
    count = np.arange(VOCABULARY)
    words = np.char.add(syllables[count % n], syllables[(count // n) % n])
    return np.where(count < n * n, words, np.char.add(words, syllables[(count // n**2) % n]))


@cache
def japanese() -> Words:
    """The invented Japanese vocabulary: two characters each, in an order of no meaning."""
    characters = np.array([*_CHARACTERS])
    words = np.char.add(characters[:, None], characters[None, :]).ravel()
    return np.random.default_rng(0).permutation(words)


@cache
def _cumulative_frequency(size: int) -> npt.NDArray[np.float64]:
    frequency = 1 / (np.arange(size) + 2.7)  # Zipf and Mandelbrot
    cumulative: npt.NDArray[np.float64] = np.cumsum(frequency / frequency.sum())
    return cumulative


def draw(random: np.random.Generator, length: int, size: int = VOCABULARY) -> Numbers:
    """Numbers of words, drawn from a vocabulary of that size by their frequency."""
    cumulative = _cumulative_frequency(size)
    return np.searchsorted(cumulative[:-1], random.random(length))


def topics(random: np.random.Generator, number: int) -> Numbers:
    """For each topic the words that are typical of it."""
    return random.integers(FIRST_TOPIC_WORD, VOCABULARY, (number, _TOPIC_WORDS))


def draw_about(random: np.random.Generator, length: int, topic: Numbers) -> Numbers:
    """Numbers of words of a text about a topic."""
    words = draw(random, length)
    about = random.random(length) < _SHARE_OF_TOPIC_WORDS
    words[about] = random.choice(topic, int(about.sum()))
    return words


def spelled(words: Numbers) -> str:
    """The English words of these numbers, one blank apart."""
    return " ".join(english()[words].tolist())


def shares(random: np.random.Generator, total: int, number: int, least: int) -> list[int]:
    """A total divided among ``number``, by chance, each at least ``least``; more where the total is too small."""
    rest = max(0, total - least * number)
    divided: list[int] = (least + random.multinomial(rest, np.full(number, 1 / number))).tolist()
    return divided
