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


_FRENCH = ["la", "le", "de", "et", "les", "à", "des", "que", "est", "du", "été", "une", "dans", "qui", "l'avis", "où"]
_ENGLISH = ["the", "of", "to", "and", "in", "that", "a", "is", "for", "was", "by", "not", "on", "as", "be", "this"]


def decision_files(documents: int, *, seed: int = 1) -> Iterator[dict[str, str]]:
    """Yield the same decisions in the form of the organisers' files.

    They have a header, paragraph numbers in two forms, suppression marks, years and an end mark. Every other word is a
    function word, as in English. In every third decision half of the paragraphs are repeated in French.
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
        for place, start in enumerate(range(0, len(spelled), _PARAGRAPH_WORDS)):
            content = spelled[start : start + _PARAGRAPH_WORDS : 2]
            mark = f"[{place + 1}]" if number % 2 else f" [{place + 1}] "
            lines += [mark, f"{_mixed(rng, content, _ENGLISH)}, in  <FRAGMENT_SUPPRESSED> , s. 7, on May 1, 1998."]
            if bilingual and place % 2:
                lines += [mark, f"{_mixed(rng, content, _FRENCH)}, le 1er mai 1998."]
        yield {"docno": docno(number), "text": "\n".join([*lines, "Editor: Nobody/xyz", "[End of document]"])}


def _mixed(rng: np.random.Generator, content: npt.NDArray[np.object_], function_words: list[str]) -> str:
    between = rng.choice(function_words, len(content))
    return " ".join(f"{word} {other}" for word, other in zip(between, content))
