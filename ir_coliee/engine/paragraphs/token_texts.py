"""Texts as token numbers in reading order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ir_coliee.engine.building import read_corpus
from ir_coliee.engine.workers import available_cores
from ir_coliee.frames import Integers, Numbers


class TokenTexts(NamedTuple):
    """Texts as token numbers.

    Attributes
    ----------
    vocabulary : list of str
        The token of each number, in lower case, sorted.
    tokens : int32 array
        The tokens of all texts, one text after the other.
    bounds : int64 array
        The offset of each text in ``tokens``, followed by their number.
    """

    vocabulary: list[str]
    tokens: Numbers
    bounds: Integers

    @classmethod
    def of(cls, texts: Iterable[str], *, processes: int | None = None) -> TokenTexts:
        """Tokenise texts as court decisions: words without suppressed markers, paragraph marks and editorial lines.

        Parameters
        ----------
        texts : iterable of str
            The texts.
        processes : int, optional
            Number of processes, including this one; by default the number of cores. It does not affect the result.

        Returns
        -------
        TokenTexts

        Examples
        --------
        >>> TokenTexts.of(["[1] A lamp.", "The lamp"]).tokens.tolist()
        [0, 1, 2, 1]
        """
        corpus = ({"docno": str(number), "text": text} for number, text in enumerate(texts))
        read = read_corpus(corpus, "case", True, processes or available_cores())
        sizes = np.concatenate([np.empty(0, np.int32), *(batch.sizes for batch in read.batches)])
        tokens = np.concatenate([np.empty(0, np.int32), *(batch.numbers for batch in read.batches)])
        order = np.argsort(np.array(read.terms, dtype=object))  # the workers number words in the order of their batches
        sorted_number = np.empty(len(order), dtype=np.int32)
        sorted_number[order] = np.arange(len(order), dtype=np.int32)
        return cls(
            [read.terms[row] for row in order], sorted_number[tokens], np.append(0, np.cumsum(sizes, dtype=np.int64))
        )

    @property
    def sizes(self) -> Integers:
        """The number of tokens of each text."""
        return np.diff(self.bounds)

    @property
    def owners(self) -> Integers:
        """The text of each token."""
        return np.arange(len(self)).repeat(self.sizes)

    def first(self, number: int) -> TokenTexts:
        """Return the first texts."""
        return TokenTexts(self.vocabulary, self.tokens[: self.bounds[number]], self.bounds[: number + 1])

    def __len__(self) -> int:
        return len(self.bounds) - 1
