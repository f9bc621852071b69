"""Court decisions of the shape that the real ones have, made up from a seed: words by Zipf's law, log-normal lengths.

A vocabulary of 150,000 words, 4,628 tokens in the mean decision, some 950 distinct content words in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse

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


def content_words(documents: int) -> Iterator[npt.NDArray[np.int64]]:
    """The words of each decision without those that carry no content."""
    return (words[words >= FUNCTION_WORDS] for words in word_numbers(documents))


def counted(decisions: Iterable[npt.NDArray[np.int64]]) -> tuple[sparse.csr_matrix, npt.NDArray[np.float64]]:
    """How often each word (`VOCABULARY` columns) is in each decision, and the decisions' lengths. No text is made."""
    distinct = [
        (words.astype(np.int32), counts.astype(np.int32))
        for words, counts in (np.unique(words, return_counts=True) for words in decisions)
    ]
    bounds = np.cumsum([0, *(len(words) for words, _ in distinct)])
    terms, frequencies = (np.concatenate(column) for column in zip(*distinct))
    lengths = np.array([counts.sum() for _, counts in distinct], dtype=np.float64)
    return sparse.csr_matrix((frequencies, terms, bounds), shape=(len(distinct), VOCABULARY)), lengths


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


_FRENCH = ["la", "le", "de", "et", "les", "à", "des", "que", "est", "du", "été", "une", "dans", "qui", "l'avis", "où"]
_ENGLISH = ["the", "of", "to", "and", "in", "that", "a", "is", "for", "was", "by", "not", "on", "as", "be", "this"]


def files(documents: int, *, seed: int = 1) -> Iterator[dict[str, str]]:
    """The same decisions as their files are: header, marks in two forms, markers, years, the last line.

    Every other word is a function word, as in English. Every third decision is in two languages: half of its paragraphs
    are doubled in French.
    """
    rng = np.random.default_rng(seed)
    for number, words in enumerate(word_numbers(documents, seed=seed)):
        bilingual, spelled = number % 3 == 0, WORDS[words]
        lines = [" <FRAGMENT_SUPPRESSED>  (FC)", "MLB unedited judgment"]
        if bilingual:
            lines += [
                "[French language version follows English language version]",
                "[La version française vient à la suite de la version anglaise]",
            ]
        lines += ["Lamp v. Gate", f"May {1 + number % 28}, {1985 + number % 40}.", "Summary:", "A lamp.", "- Topic 7"]
        for place, start in enumerate(range(0, len(spelled), _PARAGRAPH)):
            content = spelled[start : start + _PARAGRAPH : 2]
            mark = f"[{place + 1}]" if number % 2 else f" [{place + 1}] "
            lines += [mark, f"{_mixed(rng, content, _ENGLISH)}, in  <FRAGMENT_SUPPRESSED> , s. 7, on May 1, 1998."]
            if bilingual and place % 2:
                lines += [mark, f"{_mixed(rng, content, _FRENCH)}, le 1er mai 1998."]
        yield {"docno": docno(number), "text": "\n".join([*lines, "Editor: Nobody/xyz", "[End of document]"])}


def _mixed(rng: np.random.Generator, content: npt.NDArray[np.object_], function_words: list[str]) -> str:
    between = rng.choice(function_words, len(content))
    return " ".join(f"{word} {other}" for word, other in zip(between, content))
