"""`TokenSequences`: distinct texts of decisions as token numbers."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.cases.text_chunks import MARKER, PARAGRAPH, chunk_tokens
from ir_coliee.engine.cases.text_reading import ReadTexts, read_texts
from ir_coliee.engine.counting import GrowingVocabulary
from ir_coliee.engine.workers import available_cores
from ir_coliee.frames import Booleans, Integers, Numbers
from ir_coliee.text.case_properties import CaseProperties


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
    properties : list of CaseProperties
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
    properties: list[CaseProperties]

    @classmethod
    def of(cls, texts: Iterable[str], workers: int | None = None, latest_year: int = 2099) -> TokenSequences:
        """Read texts.

        Parameters
        ----------
        texts : iterable of str
            The texts, which should be distinct.
        workers : int, optional
            The number of processes, including this one; by default the number of cores. It does not affect the result.
        latest_year : int, default=2099
            The latest year that is read as one, usually that of the edition.

        Returns
        -------
        TokenSequences

        Raises
        ------
        ColieeError
            If a process ended early.
        """
        return _Builder([]).read(texts, workers, latest_year)

    def with_texts(self, texts: Iterable[str], latest_year: int = 2099) -> TokenSequences:
        """Return the sequences of these texts and of further texts, which get the next numbers.

        Parameters
        ----------
        texts : iterable of str
            The further texts.
        latest_year : int, default=2099
            See `of`.

        Returns
        -------
        TokenSequences
        """
        more = _Builder(self.vocabulary).read(texts, 1, latest_year)
        return TokenSequences(
            more.vocabulary,
            np.concatenate([self.tokens, more.tokens]),
            np.concatenate([self.capitalised, more.capitalised]),
            _joined(self.bounds, more.bounds),
            np.concatenate([self.markers, more.markers]),
            _joined(self.marker_bounds, more.marker_bounds),
            np.concatenate([self.paragraphs, more.paragraphs]),
            _joined(self.paragraph_bounds, more.paragraph_bounds),
            self.properties + more.properties,
        )

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def lengths(self) -> Integers:
        """The number of tokens of each text."""
        return np.diff(self.bounds)


class _Builder:
    """The tokens of texts that are added batch by batch, from their chunks."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._vocabulary = GrowingVocabulary(zip(vocabulary, count()))
        self._chunks = GrowingVocabulary()
        # the tokens of each chunk, one chunk after the other
        self._tokens, self._capitals, self._firsts, self._sizes = array("i"), array("b"), array("i"), array("i")
        self._numbers_of: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))  # of each counter's chunks
        self._batches: list[_Batch] = []
        self._properties: list[CaseProperties] = []
        self._marker, self._paragraph = self._number(MARKER), self._number(PARAGRAPH)

    def _number(self, chunk: str) -> int:
        number = self._chunks[chunk]
        if number == len(self._sizes):  # a new chunk
            tokens = chunk_tokens(chunk)
            self._firsts.append(len(self._tokens))
            self._sizes.append(len(tokens))
            self._tokens.extend(self._vocabulary[token.lower()] for token in tokens)
            self._capitals.extend(token[0].isupper() for token in tokens)
        return number

    def read(self, texts: Iterable[str], workers: int | None, latest_year: int) -> TokenSequences:
        for read in read_texts(texts, latest_year, workers or available_cores()):
            self._add(read)
        return self._sequences()

    def _add(self, read: ReadTexts) -> None:
        numbers_of = self._numbers_of[read.chunks.counter]
        numbers_of.extend(map(self._number, read.chunks.new_terms))
        chunks = np.array(numbers_of, np.int32)[np.frombuffer(read.chunks.terms, np.int32)]
        sizes = np.array(self._sizes, np.int32)[chunks]
        ends = _bounds(sizes)
        offsets = np.array(self._firsts, np.int32)[chunks] - ends[:-1].astype(np.int32)
        places = np.repeat(offsets, sizes) + np.arange(ends[-1], dtype=np.int32)
        chunk_bounds = _bounds(np.frombuffer(read.chunks.sizes, np.int32))
        bounds = ends[chunk_bounds]

        def positions(chunk: int) -> tuple[Numbers, Integers]:
            """Return the tokens before each such chunk, and the number of such chunks of each text."""
            found = np.flatnonzero(chunks == chunk)
            texts = np.searchsorted(chunk_bounds, found, side="right") - 1
            return (ends[found] - bounds[texts]).astype(np.int32), np.bincount(texts, minlength=len(bounds) - 1)

        self._batches.append(
            _Batch(
                np.array(self._tokens, np.int32)[places],
                np.array(self._capitals, np.bool_)[places],
                np.diff(bounds),
                *positions(self._marker),
                *positions(self._paragraph),
            )
        )
        self._properties += read.properties

    def _sequences(self) -> TokenSequences:
        numbers, sizes = np.empty(0, np.int32), np.empty(0, np.int64)
        nothing = _Batch(numbers, np.empty(0, np.bool_), sizes, numbers, sizes, numbers, sizes)
        whole = _Batch(*map(np.concatenate, zip(nothing, *self._batches)))
        return TokenSequences(
            list(self._vocabulary),
            whole.tokens,
            whole.capitalised,
            _bounds(whole.sizes),
            whole.markers,
            _bounds(whole.num_markers),
            whole.paragraphs,
            _bounds(whole.num_paragraphs),
            self._properties,
        )


class _Batch(NamedTuple):
    """Some texts as token numbers; the attributes are those of `TokenSequences`, with sizes instead of bounds."""

    tokens: Numbers
    capitalised: Booleans
    sizes: Integers
    markers: Numbers
    num_markers: Integers
    paragraphs: Numbers
    num_paragraphs: Integers


def _bounds(sizes: npt.NDArray[np.integer[Any]]) -> Integers:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def _joined(bounds: Integers, further: Integers) -> Integers:
    return np.concatenate([bounds, further[1:] + bounds[-1]])
