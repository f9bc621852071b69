"""Count the terms of documents, in this process or in worker processes."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ir_coliee.engine.corpus import Content
from ir_coliee.engine.workers import Reading
from ir_coliee.text.analysers import Analysis, Pretokenised, analyser_from_description, describe_analyser, tokeniser


class GrowingVocabulary(dict[str, int]):
    """Vocabulary that gives the next number to each new term when it is first looked up."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class Counted(NamedTuple):
    """Terms of some documents, document by document, as the numbers of their counter.

    Attributes
    ----------
    counter : int
        Number of the counter.
    new_terms : list of str
        Terms that the counter has numbered since its previous result, in order.
    terms : bytearray of int32
        Distinct terms of each document; in reading order, all tokens.
    counts : bytearray of int32
        Count of each term; empty in reading order.
    sizes : bytearray of int32
        Number of ``terms`` of each document.
    """

    counter: int
    new_terms: list[str]
    terms: bytearray
    counts: bytearray
    sizes: bytearray


class TermCounter:
    """Counter of terms. It keeps its numbering, so each term is returned as a string only once.

    Parameters
    ----------
    number : int
        Number of the counter, returned with its results.
    analyse : callable
        Returns the tokens of a document.
    in_order : bool
        Return all tokens in reading order, as shingles need them, instead of counts.
    """

    def __init__(self, number: int, analyse: Callable[[Any], Collection[str]], in_order: bool = False) -> None:
        self._number = number
        self._analyse = analyse
        self._in_order = in_order
        self._vocabulary = GrowingVocabulary()

    def count(self, documents: Sequence[Content]) -> Counted:
        """Count the terms of documents, which are texts or token counts."""
        known_terms = len(self._vocabulary)
        counted = Counted(self._number, [], bytearray(), bytearray(), bytearray())
        for document in documents:
            tokens = self._analyse(document)
            terms = tokens if self._in_order else Counter(tokens)
            numbers = f"{len(terms)}i"  # struct.pack is much faster than array.array
            counted.terms.extend(struct.pack(numbers, *map(self._vocabulary.__getitem__, terms)))
            if isinstance(terms, Counter):
                counted.counts.extend(struct.pack(numbers, *terms.values()))
            counted.sizes.extend(struct.pack("i", len(terms)))
        counted.new_terms.extend(islice(self._vocabulary, known_terms, None))
        return counted


def _unchanged(counts: dict[str, int]) -> dict[str, int]:
    return counts


def term_counter(number: int, analyser: str | dict[str, Any], in_order: bool) -> Callable[[Sequence[Content]], Counted]:
    """Return the function of a process that counts the terms of documents by a described analyser."""
    analysis = analyser_from_description(analyser)
    analyse = _unchanged if isinstance(analysis, Pretokenised) else tokeniser(analysis)
    return TermCounter(number, analyse, in_order).count


def counting_by(analyser: Analysis, in_order: bool) -> Reading:
    """Return the reading that counts the terms of documents."""
    return Reading(__name__, term_counter.__name__, (describe_analyser(analyser), in_order))
