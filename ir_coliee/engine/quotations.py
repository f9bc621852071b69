"""Passages that two documents share word by word: sequences of neighbouring shingles that both have.

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

from ir_coliee.arrays import Booleans, Floats, Hashes, Integers, Numbers
from ir_coliee.engine.building import available_cores, read_corpus, token_source
from ir_coliee.engine.shingles import HashedVocabulary, Tokens, shingle_hashes, token_hashes
from ir_coliee.text.analysers import English, Shingles

_MOST_REPEATS = 8  # a shingle that a document repeats oftener is a form, no quotation (ours)
_TOGETHER = 32  # queries whose matches are sorted at once
_BITS = 24  # of a table that tells most unknown hashes from known ones, and fits into memory


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
        Where the occurrences of each document begin, and the end.
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
    """Tokens from which shingles are made, in batches of documents in reading order, and the hash of each token number.

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
    """
    sizes = np.concatenate([np.empty(0, np.int64), *(batch.sizes for batch in batches)]).astype(np.int64)
    begins = np.cumsum(sizes) - sizes  # of paragraphs, and below of documents, in tokens
    firsts = np.cumsum(paragraph_counts) - paragraph_counts
    of_part = np.arange(len(paragraph_counts)).repeat(paragraph_counts)
    in_documents = np.bincount(of_part, weights=sizes, minlength=len(paragraph_counts)).astype(np.int64)
    document_begins = np.cumsum(in_documents) - in_documents

    known = _known(vocabulary)
    nothing = np.empty(0, dtype=np.int64)
    found: list[tuple[Integers, Integers, Integers]] = [(nothing, nothing, nothing)]
    part = 0
    for batch in batches:
        hashes = shingle_hashes(tokens[batch.numbers], vocabulary.words)
        owners = np.arange(part, part + len(batch.sizes)).repeat(batch.sizes)
        within = owners[: len(hashes)] == owners[len(owners) - len(hashes) :]
        starts, columns = known(hashes, within)
        first = begins[part] if part < len(begins) else 0
        found.append((columns, starts + first, owners[starts]))
        part += len(batch.sizes)
    shingles, places, owners = map(np.concatenate, zip(*found))
    documents = of_part[owners]
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


def _known(
    vocabulary: HashedVocabulary,
) -> Callable[[Hashes, Booleans], tuple[Integers, Integers]]:
    """A function that finds the places of known hashes, where they are meant, and their columns."""
    shift = np.uint64(64 - _BITS)
    occurs = np.zeros(1 << _BITS, dtype=np.bool_)
    occurs[(vocabulary.hashes >> shift).astype(np.int64)] = True

    def known(hashes: Hashes, meant: Booleans) -> tuple[Integers, Integers]:
        starts = np.flatnonzero(meant & occurs[(hashes >> shift).astype(np.int64)])
        columns = vocabulary.columns(hashes[starts])
        return starts[columns >= 0], columns[columns >= 0]

    return known


def _rare(documents: Integers, shingles: Integers) -> Booleans:
    """Whether a document has the shingle no oftener than what is taken for a quotation."""
    order = np.lexsort((shingles, documents))
    pairs = documents[order], shingles[order]
    another = _another(*pairs)
    sizes = np.diff(np.append(np.flatnonzero(another), len(order)))
    rare = np.empty(len(order), dtype=np.bool_)
    rare[order] = (sizes <= _MOST_REPEATS).repeat(sizes)
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
    """
    find = _Matcher(queries, documents, columns)
    for start in range(0, len(pools), _TOGETHER):
        batch = pools[start : start + _TOGETHER]
        ends = np.cumsum([0, *map(len, batch)])
        matches = [find(row, pool) for row, pool in zip(rows[start : start + _TOGETHER], batch)]
        pairs = np.concatenate([pair + end for (pair, _, _), end in zip(matches, ends)])
        in_query, in_document = (np.concatenate([match[side] for match in matches]) for side in (1, 2))
        of_batch = _measured(pairs, queries, in_query, documents, in_document, words, int(ends[-1]))
        for first, last in pairwise(ends):
            yield SharedPassages(*(values[first:last] for values in of_batch))


class _Matcher:
    """Finds where the shingles of a query stand in the documents of its pool."""

    def __init__(self, queries: Occurrences, documents: Occurrences, columns: int) -> None:
        self._queries, self._documents = queries, documents
        self._starts, self._sizes = np.zeros(columns, np.int64), np.zeros(columns, np.int64)

    def __call__(self, row: int, pool: Integers) -> tuple[Integers, Integers, Integers]:
        """Of each match the place in the pool, and its rows among the queries' and the documents' occurrences."""
        first, last = self._queries.bounds[row], self._queries.bounds[row + 1]
        order = np.argsort(self._queries.shingles[first:last], kind="stable") + first
        ordered = self._queries.shingles[order]
        begins = np.flatnonzero(_another(ordered))
        wanted = ordered[begins]
        self._starts[wanted], self._sizes[wanted] = begins, np.diff(np.append(begins, len(order)))

        sizes = np.diff(self._documents.bounds)[pool]
        occurring = _ranges(self._documents.bounds[pool], sizes)
        owners = np.arange(len(pool)).repeat(sizes)
        shingles = self._documents.shingles[occurring]
        times = self._sizes[shingles]
        shared = times > 0
        occurring, owners, shingles, times = occurring[shared], owners[shared], shingles[shared], times[shared]
        in_query = order[_ranges(self._starts[shingles], times)]
        self._sizes[wanted] = 0
        return owners.repeat(times), in_query, occurring.repeat(times)


def _measured(
    pairs: Integers,
    queries: Occurrences,
    in_query: Integers,
    documents: Occurrences,
    in_document: Integers,
    words: int,
    number: int,
) -> SharedPassages:
    """The passages of ``number`` pairs, from their matches."""
    query_places, document_places = (
        queries.places[in_query].astype(np.int64),
        documents.places[in_document].astype(np.int64),
    )
    order = np.lexsort((query_places, query_places - document_places, pairs))
    runs = np.flatnonzero(
        _another(pairs[order], (query_places - document_places)[order], query_places[order] - np.arange(len(order)))
    )
    lengths = np.diff(np.append(runs, len(order))) + words - 1
    opening = order[runs]  # the match that each passage begins with
    of_run = pairs[opening]
    best = np.lexsort((document_places[opening], query_places[opening], -lengths, of_run))
    best = best[_another(of_run[best])]

    def at_best(values: npt.NDArray[Any]) -> Integers:
        found = np.zeros(number, dtype=np.int64)
        found[of_run[best]] = values[best]
        return found

    query_parts, document_parts = queries.paragraphs[in_query], documents.paragraphs[in_document]
    return SharedPassages(
        np.bincount(of_run, minlength=number),
        at_best(lengths),
        _covered(pairs, query_places, words, number),
        _covered(pairs, document_places, words, number),
        _different(pairs, query_parts, number),
        _different(pairs, document_parts, number),
        at_best(query_parts[opening]),
        at_best(document_parts[opening]),
    )


def _covered(pairs: Integers, places: Integers, words: int, number: int) -> Integers:
    """How many words lie in the shingles that begin at these places; several may begin at one."""
    order = np.lexsort((places, pairs))
    pairs, places = pairs[order], places[order]
    ahead = np.diff(places, append=0)
    ahead[np.append(pairs[1:] != pairs[:-1], True)[: len(pairs)]] = words
    covered = np.minimum(ahead, words)
    return np.bincount(pairs, weights=covered, minlength=number).astype(np.int64)


def _different(pairs: Integers, paragraph_counts: npt.NDArray[np.integer], number: int) -> Integers:
    order = np.lexsort((paragraph_counts, pairs))
    pairs, paragraph_counts = pairs[order], paragraph_counts[order]
    return np.asarray(np.bincount(pairs[_another(pairs, paragraph_counts)], minlength=number), dtype=np.int64)


def _ranges(starts: npt.NDArray[np.integer], sizes: Integers) -> Integers:
    """The numbers from each start, so many of each, one after the other."""
    ends = np.cumsum(sizes)
    shifts: Integers = (starts - ends + sizes).repeat(sizes)
    return shifts + np.arange(len(shifts))


def _another(*columns: npt.NDArray[Any]) -> Booleans:
    """Whether an entry is another than the one before it, in any of the columns; as the first is."""
    another = np.ones(len(columns[0]), dtype=np.bool_)
    if len(another):
        another[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return another


def fractions(portion: Integers, whole: Integers) -> Floats:
    """Elementwise ``part / whole``; 0 where the whole is 0."""
    return np.divide(portion, whole, out=np.zeros(len(portion)), where=whole > 0)
