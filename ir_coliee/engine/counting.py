"""Count the terms of documents, in this process or in worker processes."""

from __future__ import annotations

import struct
from collections import Counter, abc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from ir_coliee.engine.parallel import Reading
from ir_coliee.errors import ColieeError, printable, printable_list
from ir_coliee.text.analysers import Analysis, Pretokenised, analyser_from_description, describe_analyser, tokeniser

# Validation of the documents of a corpus while it is read.


Content: TypeAlias = str | dict[str, int]

_LARGEST_COUNT = 2**31 - 1  # counts are stored as int32


def content_column(analyser: Analysis) -> str:
    """Column of a document that an analyser reads besides ``docno``: ``text`` or ``toks``."""
    return "toks" if isinstance(analyser, Pretokenised) else "text"


def check_is_corpus(corpus: object) -> None:
    """Raise `TypeError` if an argument is not an iterable of documents, such as a dataset or its id."""
    if isinstance(corpus, str) or not isinstance(corpus, Iterable):
        kind = type(corpus).__name__
        raise TypeError(
            f"corpus must be an iterable of documents, got a value of type {kind}.\n"
            "For a dataset, use LexicalIndex.from_dataset(dataset), or pass dataset.get_corpus_iter()."
        )


def check_corpus(corpus: Iterable[Mapping[str, Any]], analyser: Analysis) -> Iterator[tuple[str, Content]]:
    """Id and content of each document of a corpus.

    Parameters
    ----------
    corpus : iterable of dict
        Documents with ``docno`` and ``text`` (``toks`` for `Pretokenised`).
    analyser : Analysis
        Analyser that will read them.

    Yields
    ------
    (str, str or dict of str to int)
        The id, and the text or the token counts.

    Raises
    ------
    TypeError
        If the corpus is not an iterable.
    ColieeError
        For anything but a dict, and for a document without an id, a text, or tokens with counts of at least 1.
    """
    check_is_corpus(corpus)
    column = content_column(analyser)
    for position, document in enumerate(corpus):
        if not isinstance(document, Mapping):
            kind = type(document).__name__
            raise ColieeError(
                f"Document {position}, counted from 0, must be a dict with docno and {column}, got a value of type "
                f"{kind}."
            )
        docno, content = document.get("docno"), document.get(column)
        if not isinstance(docno, str):
            raise ColieeError(f"Document {position}, counted from 0, must have a string as docno, got {_found(docno)}.")
        yield docno, _text(docno, content) if column == "text" else _counts(docno, content)


def check_unique_documents(docnos: abc.Collection[str]) -> None:
    """Check that no document id occurs twice.

    Raises
    ------
    ColieeError
        With the repeated ids.
    """
    if len(set(docnos)) < len(docnos):
        repeated = sorted(docno for docno, times in Counter(docnos).items() if times > 1)
        raise ColieeError(f"Documents occur more than once: {printable_list(repeated)}. Give each document once.")


def _text(docno: str, text: object) -> str:
    if not isinstance(text, str):
        raise ColieeError(f"Document {printable(docno)} must have a string as text, got {_found(text)}.")
    return text


def _counts(docno: str, toks: object) -> dict[str, int]:
    if isinstance(toks, (list, tuple)):
        for token in toks:
            _check_token(docno, token)
        return Counter(toks)
    if not isinstance(toks, Mapping):
        expected = "a dict from token to count, or a list of tokens, as toks"
        raise ColieeError(f"Document {printable(docno)} must have {expected}, got {_found(toks)}.")
    return {token: _count(docno, token, count) for token, count in toks.items()}


def _check_token(docno: str, token: object) -> None:
    if not (isinstance(token, str) and token):
        found = "an empty one" if token == "" else f"a value of type {type(token).__name__}"
        raise ColieeError(f"Document {printable(docno)} must have nonempty strings as tokens, got {found}.")


def _count(docno: str, token: object, value: Any) -> int:
    """Count of a token as an integer; ``3.0`` is accepted."""
    _check_token(docno, token)
    try:
        count = int(value)
    except (TypeError, ValueError, OverflowError):
        count = 0
    if not 1 <= count <= _LARGEST_COUNT or count != value:
        problem = f"the count of its token {printable(str(token))!r} is {printable(repr(value))}"
        raise ColieeError(
            f"Document {printable(docno)}: {problem}.\nExpected: an integer from 1 to {_LARGEST_COUNT:,}. "
            "Leave out tokens without weight; scale and round the weights of others."
        )
    return count


def _found(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


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

    def __init__(self, number: int, analyse: Callable[[Any], abc.Collection[str]], in_order: bool = False) -> None:
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
