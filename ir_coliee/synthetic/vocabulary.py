"""Invented vocabularies, English and Japanese, whose words are drawn by a Zipf-Mandelbrot distribution."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

WordNumbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.str_]

VOCABULARY_SIZE = 150_000
#: Words with smaller numbers are too frequent to characterise a topic.
FIRST_TOPIC_WORD = 2_000
_TOPIC_WORDS = 60
_SHARE_OF_TOPIC_WORDS = 0.04
# neither numerals nor characters that structure a statute
_CHARACTERS = "門灯橋舟梨桜松竹梅鶴亀虎狐狸猫犬馬牛羊鳥魚貝花草木林森川海湖池島岸浜砂石岩峰谷丘原野空雲雨雪風霧霜露虹星"


@cache
def english_words() -> Words:
    """Return the invented English vocabulary by word number; frequent words are short."""
    onsets = np.array([*"bdfgjklmnprstvz", "br", "dr", "gl", "kr", "pl", "st", "tr"])
    vowels = np.array([*"aeiou", "ae", "io"])
    syllables = np.char.add(onsets[:, None], vowels[None, :]).ravel()
    n = len(syllables)
    count = np.arange(VOCABULARY_SIZE)
    words = np.char.add(syllables[count % n], syllables[(count // n) % n])
    return np.where(count < n * n, words, np.char.add(words, syllables[(count // n**2) % n]))


@cache
def japanese_words() -> Words:
    """Return the invented Japanese vocabulary by word number; each word has two characters."""
    characters = np.array([*_CHARACTERS])
    words = np.char.add(characters[:, None], characters[None, :]).ravel()
    return np.random.default_rng(0).permutation(words)


@cache
def _cumulative_frequency(size: int) -> npt.NDArray[np.float64]:
    frequency = 1 / (np.arange(size) + 2.7)  # Zipf-Mandelbrot
    cumulative: npt.NDArray[np.float64] = np.cumsum(frequency / frequency.sum())
    return cumulative


def draw_words(random: np.random.Generator, length: int, vocabulary_size: int = VOCABULARY_SIZE) -> WordNumbers:
    """Draw words by their frequency.

    Parameters
    ----------
    random : numpy.random.Generator
        Random number generator.
    length : int
        Number of words.
    vocabulary_size : int, optional
        Only the first ``vocabulary_size`` words of the vocabulary are drawn.

    Returns
    -------
    numpy.ndarray
        Word numbers, shape (length,).
    """
    cumulative = _cumulative_frequency(vocabulary_size)
    return np.searchsorted(cumulative[:-1], random.random(length))


def draw_topics(random: np.random.Generator, number: int) -> WordNumbers:
    """Draw the characteristic words of each topic; the result has one row for each topic."""
    return random.integers(FIRST_TOPIC_WORD, VOCABULARY_SIZE, (number, _TOPIC_WORDS))


def draw_topical_words(random: np.random.Generator, length: int, topic: WordNumbers) -> WordNumbers:
    """Draw the words of a text, some of them from the characteristic words of a topic."""
    numbers = draw_words(random, length)
    is_topical = random.random(length) < _SHARE_OF_TOPIC_WORDS
    numbers[is_topical] = random.choice(topic, int(is_topical.sum()))
    return numbers


def english_text(numbers: WordNumbers) -> str:
    """Spell out word numbers in English, separated by blanks."""
    return " ".join(english_words()[numbers].tolist())


def random_shares(random: np.random.Generator, total: int, number: int, minimum: int) -> list[int]:
    """Divide a total at random.

    Parameters
    ----------
    random : numpy.random.Generator
        Random number generator.
    total : int
        Total to divide.
    number : int
        Number of shares.
    minimum : int
        Smallest share. If ``total`` is smaller than ``number * minimum``, every share is ``minimum``.

    Returns
    -------
    list of int
        The shares.
    """
    rest = max(0, total - minimum * number)
    shares: list[int] = (minimum + random.multinomial(rest, np.full(number, 1 / number))).tolist()
    return shares
