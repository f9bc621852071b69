"""Verbatim passages that two documents share: sequences of consecutive shingles that occur in both.

A judgment quotes others, from a sentence to a page. Each document is represented by the shingles that also occur in
other documents, with their positions. A passage of a pair is a sequence of positions that continues in both documents,
so with shingles of n words it has at least n words. No words are stored. Passages do not cross paragraphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.building import read_corpus, token_source
from ir_coliee.engine.shingles import HashedVocabulary, Tokens, shingle_hashes, token_hashes
from ir_coliee.engine.workers import available_cores
from ir_coliee.frames import Booleans, Floats, Hashes, Integers, Numbers
from ir_coliee.text.analysers import English, Shingles

#: A shingle that a document repeats more often is boilerplate, not a quotation (our choice).
MAX_REPEATS = 8
_TOGETHER = 32  # queries whose matches are sorted at once
_BITS = 24  # leading bits of a hash that index a table by which most unknown hashes are rejected


class Occurrences(NamedTuple):
    """Positions of the shingles of a vocabulary in documents, document by document in reading order.

    Attributes
    ----------
    shingles : int32 array
        Column of each shingle.
    places : int32 array
        Token number at which it begins, within the document.
    paragraphs : int32 array
        Paragraph number, within the document.
    bounds : int64 array
        Offset of each document in the arrays of occurrences, followed by their length.
    tokens, paragraph_counts : int64 array
        Number of tokens and of paragraphs of each document.
    """

    shingles: Numbers
    places: Numbers
    paragraphs: Numbers
    bounds: Integers
    tokens: Integers
    paragraph_counts: Integers


class SharedPassages(NamedTuple):
    """Passages that a query shares with each document of its pool; all are 0 where nothing is shared.

    Attributes
    ----------
    number : int64 array
        Number of passages.
    longest : int64 array
        Words of the longest passage.
    query_words, document_words : int64 array
        Words that lie in passages.
    query_parts, document_parts : int64 array
        Paragraphs that have passages.
    query_place, document_place : int64 array
        Paragraph of the longest passage, from 0; among equally long ones the first in the query.
    """

    number: Integers
    longest: Integers
    query_words: Integers
    document_words: Integers
    query_parts: Integers
    document_parts: Integers
    query_place: Integers
    document_place: Integers


def read_tokens(corpus: Iterable[Mapping[str, Any]], analyser: Shingles) -> tuple[list[Tokens], Hashes]:
    """Read the tokens from which shingles are made.

    Parameters
    ----------
    corpus : iterable of dict
        Documents with ``docno`` and ``text``.
    analyser : Shingles
        Its ``base`` makes the tokens.

    Returns
    -------
    batches : list of Tokens
        Batches of documents in the order of the corpus.
    tokens : uint64 array
        Hash of each token number.

    Raises
    ------
    ColieeError
        As `ir_coliee.engine.building.count_terms`.
    """
    read = read_corpus(corpus, token_source(analyser.base), True, available_cores())
    becomes = analyser.base.merged(read.terms) if isinstance(analyser.base, English) else read.terms
    has_term = np.array([term is not None for term in becomes], dtype=np.bool_)
    return [batch.select(has_term) for batch in read.batches], token_hashes(term or "" for term in becomes)


def find_occurrences(
    batches: Sequence[Tokens], tokens: Hashes, vocabulary: HashedVocabulary, paragraph_counts: Integers
) -> Occurrences:
    """Find the shingles of a vocabulary in documents.

    Parameters
    ----------
    batches : sequence of Tokens
        The paragraphs in order, a few hundred at a time.
    tokens : uint64 array
        Hash of each token number.
    vocabulary : HashedVocabulary
        The shingles.
    paragraph_counts : int64 array
        Number of paragraphs of each document.

    Returns
    -------
    Occurrences
        Without the shingles that a document repeats more than 8 times.
    """
    sizes = np.concatenate([np.empty(0, np.int64), *(batch.sizes for batch in batches)]).astype(np.int64)
    begins = np.cumsum(sizes) - sizes  # token offset of each paragraph
    firsts = np.cumsum(paragraph_counts) - paragraph_counts  # first paragraph of each document
    of_paragraph = np.arange(len(paragraph_counts)).repeat(paragraph_counts)
    in_documents = np.bincount(of_paragraph, weights=sizes, minlength=len(paragraph_counts)).astype(np.int64)
    document_begins = np.cumsum(in_documents) - in_documents

    look_up = _vocabulary_lookup(vocabulary)
    empty = np.empty(0, dtype=np.int64)
    found: list[tuple[Integers, Integers, Integers]] = [(empty, empty, empty)]
    paragraph = 0
    for batch in batches:
        hashes = shingle_hashes(tokens[batch.numbers], vocabulary.words)
        owners = np.arange(paragraph, paragraph + len(batch.sizes)).repeat(batch.sizes)
        valid = owners[: len(hashes)] == owners[len(owners) - len(hashes) :]  # a shingle lies in one paragraph
        starts, columns = look_up(hashes, valid)
        first = begins[paragraph] if paragraph < len(begins) else 0
        found.append((columns, starts + first, owners[starts]))
        paragraph += len(batch.sizes)
    shingles, places, owners = map(np.concatenate, zip(*found))
    documents = of_paragraph[owners]
    rare = _rare(documents, shingles)
    shingles, places, owners, documents = shingles[rare], places[rare], owners[rare], documents[rare]
    return Occurrences(
        shingles.astype(np.int32),
        (places - document_begins[documents]).astype(np.int32),
        (owners - firsts[documents]).astype(np.int32),
        np.searchsorted(documents, np.arange(len(paragraph_counts) + 1)),
        in_documents,
        paragraph_counts,
    )


def _vocabulary_lookup(vocabulary: HashedVocabulary) -> Callable[[Hashes, Booleans], tuple[Integers, Integers]]:
    """Function that returns the positions and columns of the valid hashes that are in the vocabulary."""
    shift = np.uint64(64 - _BITS)
    occurs = np.zeros(1 << _BITS, dtype=np.bool_)
    occurs[(vocabulary.hashes >> shift).astype(np.int64)] = True

    def look_up(hashes: Hashes, valid: Booleans) -> tuple[Integers, Integers]:
        starts = np.flatnonzero(valid & occurs[(hashes >> shift).astype(np.int64)])
        columns = vocabulary.columns(hashes[starts])
        return starts[columns >= 0], columns[columns >= 0]

    return look_up


def _rare(documents: Integers, shingles: Integers) -> Booleans:
    """Whether the shingle of an occurrence occurs at most `MAX_REPEATS` times in its document."""
    order = np.lexsort((shingles, documents))
    pairs = documents[order], shingles[order]
    sizes = np.diff(np.append(np.flatnonzero(changes(*pairs)), len(order)))
    rare = np.empty(len(order), dtype=np.bool_)
    rare[order] = (sizes <= MAX_REPEATS).repeat(sizes)
    return rare


def shared_passages(
    queries: Occurrences, rows: Integers, documents: Occurrences, pools: Sequence[Integers], words: int, columns: int
) -> Iterator[SharedPassages]:
    """Passages that each query shares with the documents of its pool.

    Parameters
    ----------
    queries : Occurrences
        Shingles of the queries.
    rows : int64 array
        Row in ``queries`` of each pool.
    documents : Occurrences
        Shingles of the documents.
    pools : sequence of int64 array
        Documents of each pool.
    words : int
        Words of a shingle.
    columns : int
        Number of different shingles.

    Yields
    ------
    SharedPassages
        One for each pool, in order, with one entry for each document of the pool.
    """
    find = _Matcher(queries, documents, columns)
    for start in range(0, len(pools), _TOGETHER):
        batch = pools[start : start + _TOGETHER]
        ends = np.cumsum([0, *map(len, batch)])
        matches = [find(row, pool) for row, pool in zip(rows[start : start + _TOGETHER], batch)]
        pairs = np.concatenate([pair + end for (pair, _, _), end in zip(matches, ends)])
        in_query, in_document = (np.concatenate([match[side] for match in matches]) for side in (1, 2))
        of_batch = _passages(pairs, queries, in_query, documents, in_document, words, int(ends[-1]))
        for first, last in pairwise(ends):
            yield SharedPassages(*(values[first:last] for values in of_batch))


class _Matcher:
    """Finds the occurrences of a query's shingles in the documents of its pool."""

    def __init__(self, queries: Occurrences, documents: Occurrences, columns: int) -> None:
        self._queries, self._documents = queries, documents
        self._starts, self._sizes = np.zeros(columns, np.int64), np.zeros(columns, np.int64)

    def __call__(self, row: int, pool: Integers) -> tuple[Integers, Integers, Integers]:
        """Position in the pool of each match, and its rows in the occurrences of the queries and of the documents."""
        first, last = self._queries.bounds[row], self._queries.bounds[row + 1]
        order = np.argsort(self._queries.shingles[first:last], kind="stable") + first
        ordered = self._queries.shingles[order]
        begins = np.flatnonzero(changes(ordered))
        wanted = ordered[begins]
        self._starts[wanted], self._sizes[wanted] = begins, np.diff(np.append(begins, len(order)))

        sizes = np.diff(self._documents.bounds)[pool]
        occurring = ranges(self._documents.bounds[pool], sizes)
        owners = np.arange(len(pool)).repeat(sizes)
        shingles = self._documents.shingles[occurring]
        times = self._sizes[shingles]
        shared = times > 0
        occurring, owners, shingles, times = occurring[shared], owners[shared], shingles[shared], times[shared]
        in_query = order[ranges(self._starts[shingles], times)]
        self._sizes[wanted] = 0
        return owners.repeat(times), in_query, occurring.repeat(times)


def _passages(
    pairs: Integers,
    queries: Occurrences,
    in_query: Integers,
    documents: Occurrences,
    in_document: Integers,
    words: int,
    number: int,
) -> SharedPassages:
    """Passages of ``number`` pairs of documents, from their matches."""
    query_places, document_places = (
        queries.places[in_query].astype(np.int64),
        documents.places[in_document].astype(np.int64),
    )
    order = np.lexsort((query_places, query_places - document_places, pairs))
    # consecutive matches of a passage have the same distance between the documents
    starts = np.flatnonzero(
        changes(pairs[order], (query_places - document_places)[order], query_places[order] - np.arange(len(order)))
    )
    lengths = np.diff(np.append(starts, len(order))) + words - 1
    opening = order[starts]  # the first match of each passage
    of_passage = pairs[opening]
    best = np.lexsort((document_places[opening], query_places[opening], -lengths, of_passage))
    best = best[changes(of_passage[best])]

    def at_best(values: npt.NDArray[Any]) -> Integers:
        found = np.zeros(number, dtype=np.int64)
        found[of_passage[best]] = values[best]
        return found

    query_parts, document_parts = queries.paragraphs[in_query], documents.paragraphs[in_document]
    return SharedPassages(
        np.bincount(of_passage, minlength=number),
        at_best(lengths),
        _covered(pairs, query_places, words, number),
        _covered(pairs, document_places, words, number),
        _distinct(pairs, query_parts, number),
        _distinct(pairs, document_parts, number),
        at_best(query_parts[opening]),
        at_best(document_parts[opening]),
    )


def _covered(pairs: Integers, places: Integers, words: int, number: int) -> Integers:
    """Number of words covered by the shingles that begin at the given positions, which may repeat."""
    order = np.lexsort((places, pairs))
    pairs, places = pairs[order], places[order]
    gaps = np.diff(places, append=0)  # distance to the next shingle
    gaps[np.append(pairs[1:] != pairs[:-1], True)[: len(pairs)]] = words
    covered = np.minimum(gaps, words)
    return np.bincount(pairs, weights=covered, minlength=number).astype(np.int64)


def _distinct(pairs: Integers, paragraphs: npt.NDArray[np.integer], number: int) -> Integers:
    """Number of distinct paragraphs of each pair."""
    order = np.lexsort((paragraphs, pairs))
    pairs, paragraphs = pairs[order], paragraphs[order]
    return np.asarray(np.bincount(pairs[changes(pairs, paragraphs)], minlength=number), dtype=np.int64)


def ranges(starts: npt.NDArray[np.integer], sizes: Integers) -> Integers:
    """Concatenated ranges: from each start, as many consecutive numbers as its size."""
    ends = np.cumsum(sizes)
    shifts: Integers = (starts - ends + sizes).repeat(sizes)
    return shifts + np.arange(len(shifts))


def changes(*columns: npt.NDArray[Any]) -> Booleans:
    """Whether a row differs from the previous row in any of the columns; True for the first row."""
    found = np.ones(len(columns[0]), dtype=np.bool_)
    if len(found):
        found[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return found


def fractions(portion: Integers, whole: Integers) -> Floats:
    """Elementwise ``portion / whole``; 0 where ``whole`` is 0."""
    return np.divide(portion, whole, out=np.zeros(len(portion)), where=whole > 0)
