"""`TokenSequences`: distinct texts of decisions as token numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ir_coliee.arrays import Booleans, Integers, Numbers
from ir_coliee.engine.cases.text_chunks import MARKER, PARAGRAPH, chunk_tokens, text_chunks
from ir_coliee.engine.counting import GrowingVocabulary


@dataclass(frozen=True, eq=False)
class TokenSequences:
    r"""Distinct texts as token numbers in reading order, with what the evidence needs of each text.

    Tokens are ``[A-Za-z]+('[a-z])?`` and ``[0-9]+``, in lower case. Suppressed markers are no tokens.

    Attributes
    ----------
    vocabulary : list of str
        The token of each number, in lower case, in order of first occurrence.
    tokens : int32 array
        The tokens of all texts, one text after the other.
    capitalised : bool array
        Whether each token was written with a capital first letter.
    bounds : int64 array
        Text i has the tokens from ``bounds[i]`` to ``bounds[i + 1]``.
    markers : int32 array
        The number of tokens of the text that stand before each suppressed marker.
    marker_bounds : int64 array
        Text i has the markers from ``marker_bounds[i]`` to ``marker_bounds[i + 1]``.
    paragraphs : int32 array
        The token of the text, counted from 0, at which each paragraph begins: the number of its mark.
    paragraph_bounds : int64 array
        Text i has the paragraphs from ``paragraph_bounds[i]`` to ``paragraph_bounds[i + 1]``.
    properties : list
        The properties of each text.

    Examples
    --------
    >>> sequences = TokenSequences.of(["Lamps:\n[1] A lamp, as in <FRAGMENT_SUPPRESSED>.", "The Lamp's light"])
    >>> [sequences.vocabulary[token] for token in sequences.tokens[sequences.bounds[1] :]]
    ['the', "lamp's", 'light']
    >>> sequences.markers.tolist(), sequences.paragraphs.tolist(), sequences.marker_bounds.tolist()
    ([6], [1], [0, 1, 1])
    """

    vocabulary: list[str]
    tokens: Numbers
    capitalised: Booleans
    bounds: Integers
    markers: Numbers
    marker_bounds: Integers
    paragraphs: Numbers
    paragraph_bounds: Integers
    properties: list[Any]

    @classmethod
    def of(cls, texts: Iterable[str], workers: int | None = None) -> TokenSequences:
        """Read texts.

        Parameters
        ----------
        texts : iterable of str
            The texts, which should be distinct.
        workers : int, optional
            The number of processes, including this one; by default the number of cores. It does not affect the result.

        Returns
        -------
        TokenSequences
        """
        builder = _Builder()
        for text in texts:
            builder.add(text_chunks(text))
        return builder.sequences()

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def lengths(self) -> Integers:
        """The number of tokens of each text."""
        return np.diff(self.bounds)


class _Builder:
    """The tokens of texts that are added one after the other, from their chunks."""

    def __init__(self) -> None:
        self._chunks = GrowingVocabulary()
        self._vocabulary = GrowingVocabulary()
        # the tokens of each chunk, one chunk after the other
        self._tokens, self._capitals, self._firsts, self._sizes = array("i"), array("b"), array("i"), array("i")
        self._parts: list[tuple[Numbers, Booleans, Numbers, Numbers]] = []
        self._number(MARKER)
        self._number(PARAGRAPH)

    def _number(self, chunk: str) -> int:
        number = self._chunks[chunk]
        if number == len(self._sizes):  # a new chunk
            tokens = chunk_tokens(chunk)
            self._firsts.append(len(self._tokens))
            self._sizes.append(len(tokens))
            self._tokens.extend(self._vocabulary[token.lower()] for token in tokens)
            self._capitals.extend(token[0].isupper() for token in tokens)
        return number

    def add(self, chunks: list[str]) -> None:
        numbers = np.fromiter(map(self._number, chunks), np.int32, len(chunks))
        sizes = np.array(self._sizes, np.int32)[numbers]
        ends = np.cumsum(sizes)
        before = (ends - sizes).astype(np.int32)  # tokens of the text before each chunk
        length = ends[-1] if len(ends) else 0
        places = np.repeat(np.array(self._firsts, np.int32)[numbers] - before, sizes) + np.arange(length)
        tokens = np.array(self._tokens, np.int32)[places]
        capitals = np.array(self._capitals, np.bool_)[places]
        marker, paragraph = self._chunks[MARKER], self._chunks[PARAGRAPH]
        self._parts.append((tokens, capitals, before[numbers == marker], before[numbers == paragraph]))

    def sequences(self) -> TokenSequences:
        tokens, capitals, markers, paragraphs = zip(*self._parts) if self._parts else ((), (), (), ())
        return TokenSequences(
            list(self._vocabulary),
            np.concatenate([np.empty(0, np.int32), *tokens]),
            np.concatenate([np.empty(0, np.bool_), *capitals]),
            _bounds(tokens),
            np.concatenate([np.empty(0, np.int32), *markers]),
            _bounds(markers),
            np.concatenate([np.empty(0, np.int32), *paragraphs]),
            _bounds(paragraphs),
            [],
        )


def _bounds(arrays: Iterable[Numbers]) -> Integers:
    return np.cumsum(np.fromiter(chain([0], map(len, arrays)), np.int64))
