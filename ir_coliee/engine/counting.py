"""Validate the documents of a corpus while it is read, and count their terms."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ir_coliee.errors import ColieeError, printable, printable_list
from ir_coliee.text.analysers import Analysis, Pretokenised, tokeniser

Content: TypeAlias = str | dict[str, int]

_LARGEST_COUNT = 2**31 - 1  # counts are stored as int32

_Item = TypeVar("_Item")


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
        place = f"{position}, counted from 0,"
        if not isinstance(document, Mapping):
            raise _wrong(place, f"be a dict with docno and {column}", document)
        docno, content = document.get("docno"), document.get(column)
        if not isinstance(docno, str):
            raise _wrong(place, "have a string as docno", docno)
        if column == "toks":
            yield docno, _counts(docno, content)
        elif isinstance(content, str):
            yield docno, content
        else:
            raise _wrong(docno, "have a string as text", content)


def check_unique_documents(docnos: Collection[str]) -> None:
    """Check that no document id occurs twice.

    Raises
    ------
    ColieeError
        With the repeated ids.
    """
    if len(set(docnos)) < len(docnos):
        repeated = sorted(docno for docno, times in Counter(docnos).items() if times > 1)
        raise ColieeError(f"Documents occur more than once: {printable_list(repeated)}. Give each document once.")


def _wrong(document: str, expected: str, found: object) -> ColieeError:
    return ColieeError(f"Document {printable(document)} must {expected}, got a value of type {type(found).__name__}.")


def _counts(docno: str, toks: Any) -> dict[str, int]:
    """Return the counts of the tokens of a document, which may be a list of tokens."""
    if not isinstance(toks, (list, tuple, Mapping)):
        raise _wrong(docno, "have a dict from token to count, or a list of tokens, as toks", toks)
    for token in toks:
        if not (isinstance(token, str) and token):
            raise _wrong(docno, "have nonempty strings as tokens", token)
    if not isinstance(toks, Mapping):
        return Counter(toks)
    return {token: _count(docno, token, count) for token, count in toks.items()}


def _count(docno: str, token: str, value: Any) -> int:
    """Count of a token as an integer; ``3.0`` is accepted."""
    try:
        count = int(value)
    except (TypeError, ValueError, OverflowError):
        count = 0
    if not 1 <= count <= _LARGEST_COUNT or count != value:
        problem = f"the count of its token {printable(token)!r} is {printable(repr(value))}"
        raise ColieeError(
            f"Document {printable(docno)}: {problem}.\nExpected: an integer from 1 to {_LARGEST_COUNT:,}. "
            "Leave out tokens without weight; scale and round the weights of others."
        )
    return count


class GrowingVocabulary(dict[str, int]):
    """Vocabulary that gives the next number to each new term when it is first looked up."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number


class Counted(NamedTuple):
    """Terms of some documents, document by document.

    Attributes
    ----------
    vocabulary : list of str
        The distinct terms, in order of first occurrence.
    terms : bytearray of int32
        Numbers in ``vocabulary`` of the distinct terms of each document; in reading order, of all its tokens.
    counts : bytearray of int32
        Count of each term; empty in reading order.
    sizes : bytearray of int32
        Number of ``terms`` of each document.
    """

    vocabulary: list[str]
    terms: bytearray
    counts: bytearray
    sizes: bytearray


def count_tokens(documents: Sequence[_Item], analyse: Callable[[_Item], Collection[str]], in_order: bool) -> Counted:
    """Count the terms of documents.

    Parameters
    ----------
    documents : sequence
        The documents.
    analyse : callable
        Returns the tokens of a document, or their counts.
    in_order : bool
        Return all tokens in reading order, as shingles need them, instead of counts.
    """
    vocabulary = GrowingVocabulary()
    counted = Counted([], bytearray(), bytearray(), bytearray())
    for document in documents:
        tokens = analyse(document)
        terms = tokens if in_order else Counter(tokens)
        numbers = f"{len(terms)}i"  # struct.pack is much faster than array.array
        counted.terms.extend(struct.pack(numbers, *map(vocabulary.__getitem__, terms)))
        if isinstance(terms, Counter):
            counted.counts.extend(struct.pack(numbers, *terms.values()))
        counted.sizes.extend(struct.pack("i", len(terms)))
    counted.vocabulary.extend(vocabulary)
    return counted


def count_contents(documents: Sequence[Any], analyser: Analysis, in_order: bool) -> Counted:
    """Count the terms of documents by an analyser, see `count_tokens`."""
    analyse: Callable[[Any], Collection[str]] = tokeniser(analyser)
    return count_tokens(documents, dict if isinstance(analyser, Pretokenised) else analyse, in_order)
