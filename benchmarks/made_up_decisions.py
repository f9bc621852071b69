"""Court decisions of the shape that the real ones have, made up from a seed: words by Zipf's law, log-normal lengths.

A vocabulary of 150,000 words, 4,628 tokens in the mean decision, some 950 distinct content words in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

VOCABULARY = 150_000
FUNCTION_WORDS = 190  #: so many of the most frequent words carry no content

_EXPONENT, _MEAN_LENGTH, _SPREAD, _LONGEST = 1.2, 4628, 0.75, 67_000
_PARAGRAPH = 120  # words

_SYLLABLES = ["".join(letters) for letters in itertools.product("bcdfghjklmnpqrstvwxz", "aeiou", "lmnr")]
#: The words by their number, the most frequent first: one syllable or two.
WORDS = np.array(
    [*_SYLLABLES, *map("".join, itertools.product(_SYLLABLES, repeat=2))][:VOCABULARY],
    dtype=object,
)


def word_numbers(documents: int, *, seed: int = 1) -> Iterator[npt.NDArray[np.int64]]:
    """The words of each decision, in reading order, as numbers into `WORDS`."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, VOCABULARY + 1) ** _EXPONENT
    reached = np.cumsum(weights) / weights.sum()
    lengths = rng.lognormal(np.log(_MEAN_LENGTH) - _SPREAD**2 / 2, _SPREAD, documents).clip(1, _LONGEST)
    for length in lengths.astype(int):
        yield np.searchsorted(reached, rng.random(length)).clip(max=VOCABULARY - 1)


def docno(number: int) -> str:
    """The number of the decision that comes at this place."""
    return f"{900_000 + number:06}"


def decisions(documents: int, *, seed: int = 1) -> Iterator[dict[str, str]]:
    """A PyTerrier corpus: ``docno`` and ``text``, in numbered paragraphs as the files have them."""
    for number, words in enumerate(word_numbers(documents, seed=seed)):
        spelled = WORDS[words]
        paragraphs = (
            f"[{place + 1}]\n{' '.join(spelled[start : start + _PARAGRAPH])}.\n"
            for place, start in enumerate(range(0, len(spelled), _PARAGRAPH))
        )
        yield {"docno": docno(number), "text": "\n".join(paragraphs)}
