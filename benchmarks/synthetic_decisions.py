"""Synthetic court decisions with the statistics of real ones: Zipf-distributed words and log-normal lengths.

The vocabulary has 150,000 words; an average decision has 4,628 tokens, among them some 950 distinct content words.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse

VOCABULARY = 150_000
#: Number of the most frequent words, which count as function words.
FUNCTION_WORDS = 190

_EXPONENT, _MEAN_LENGTH, _SPREAD, _LONGEST = 1.2, 4628, 0.75, 67_000
_PARAGRAPH_WORDS = 120

_SYLLABLES = ["".join(letters) for letters in itertools.product("bcdfghjklmnpqrstvwxz", "aeiou", "lmnr")]
#: The words by number, the most frequent first, of one or two syllables.
WORDS = np.array(
    [*_SYLLABLES, *map("".join, itertools.product(_SYLLABLES, repeat=2))][:VOCABULARY],
    dtype=object,
)


def word_numbers(documents: int, *, seed: int = 1) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the words of each decision in reading order, as positions in `WORDS`."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, VOCABULARY + 1) ** _EXPONENT
    cumulative = np.cumsum(weights) / weights.sum()
    lengths = rng.lognormal(np.log(_MEAN_LENGTH) - _SPREAD**2 / 2, _SPREAD, documents).clip(1, _LONGEST)
    for length in lengths.astype(int):
        yield np.searchsorted(cumulative, rng.random(length)).clip(max=VOCABULARY - 1)


def content_words(documents: int) -> Iterator[npt.NDArray[np.int64]]:
    """Return the words of each decision without function words."""
    return (words[words >= FUNCTION_WORDS] for words in word_numbers(documents))


def counted(decisions: Iterable[npt.NDArray[np.int64]]) -> tuple[sparse.csr_matrix, npt.NDArray[np.float64]]:
    """Return the matrix of word counts (a row for each decision, `VOCABULARY` columns) and the decisions' lengths."""
    distinct = [
        (words.astype(np.int32), counts.astype(np.int32))
        for words, counts in (np.unique(words, return_counts=True) for words in decisions)
    ]
    bounds = np.cumsum([0, *(len(words) for words, _ in distinct)])
    terms, frequencies = (np.concatenate(column) for column in zip(*distinct))
    lengths = np.array([counts.sum() for _, counts in distinct], dtype=np.float64)
    return sparse.csr_matrix((frequencies, terms, bounds), shape=(len(distinct), VOCABULARY)), lengths


def docno(number: int) -> str:
    """Return the document number of the decision at a position."""
    return f"{900_000 + number:06}"


def decisions(documents: int, *, seed: int = 1) -> Iterator[dict[str, str]]:
    """Yield a PyTerrier corpus with ``docno`` and ``text``, in numbered paragraphs."""
    for number, words in enumerate(word_numbers(documents, seed=seed)):
        spelled = WORDS[words]
        paragraphs = (
            f"[{place + 1}]\n{' '.join(spelled[start : start + _PARAGRAPH_WORDS])}.\n"
            for place, start in enumerate(range(0, len(spelled), _PARAGRAPH_WORDS))
        )
        yield {"docno": docno(number), "text": "\n".join(paragraphs)}
