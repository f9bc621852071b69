"""Features of the paragraphs of noticed cases: scores for a query, place and style, and how often they are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.building import read_corpus
from ir_coliee.engine.counting import available_cores
from ir_coliee.engine.paragraphs.texts import Pools, TokenTexts
from ir_coliee.engine.pools import pool_scores
from ir_coliee.engine.scoring import row_sums
from ir_coliee.engine.shingles import HashedVocabulary, shingle_hashes, token_hashes
from ir_coliee.engine.weightings import BM25
from ir_coliee.frames import Booleans, Floats, Hashes, Integers
from ir_coliee.text.cues import rhetoric_cues
from ir_coliee.text.decisions import remove_marks

# Scores of the paragraphs of each pool for the text of its query.


def cosines(paragraphs: sparse.csr_matrix, queries: sparse.csr_matrix, pools: Pools) -> Floats:
    """Dot product of each paragraph with the query of its pool.

    Parameters
    ----------
    paragraphs : csr_matrix, paragraphs x terms
        Vectors of length 1.
    queries : csr_matrix, pools x terms
        Vectors of length 1.
    pools : Pools
        The pools.

    Returns
    -------
    float64 array
        One cosine for each paragraph.
    """
    query = np.zeros(paragraphs.shape[1])
    rows = np.arange(paragraphs.shape[0]).repeat(np.diff(paragraphs.indptr))
    products = np.empty(paragraphs.nnz)
    for pool, (first, last) in enumerate(pairwise(pools.bounds)):
        of_query = slice(queries.indptr[pool], queries.indptr[pool + 1])
        of_pool = slice(paragraphs.indptr[first], paragraphs.indptr[last])
        query[queries.indices[of_query]] = queries.data[of_query]
        products[of_pool] = paragraphs.data[of_pool] * query[paragraphs.indices[of_pool]]
        query[queries.indices[of_query]] = 0
    return np.bincount(rows, weights=products, minlength=paragraphs.shape[0]).astype(np.float64)


def mean_bm25(paragraphs: sparse.csr_matrix, queries: sparse.csr_matrix, pools: Pools) -> Floats:
    """BM25(1.2, .75) of each paragraph, with the statistics of its pool, per distinct term of the query.

    Parameters
    ----------
    paragraphs : csr_matrix, paragraphs x terms
        Counts.
    queries : csr_matrix, pools x terms
        Counts, of which only the terms are used.
    pools : Pools
        The pools.

    Returns
    -------
    float64 array
        One score for each paragraph; 0 if the query has no term.
    """
    terms = sparse.csr_matrix((np.ones(queries.nnz), queries.indices, queries.indptr), shape=queries.shape)
    rows = np.split(np.arange(pools.bounds[-1]), pools.bounds[1:-1])
    scores = pool_scores(BM25(), paragraphs, row_sums(paragraphs), terms, rows, None)
    return np.concatenate([*scores]) / np.maximum(np.diff(queries.indptr), 1).repeat(pools.sizes)


# Features that need no query: place, length, neighbours, quotation marks and cues.

_DIGITS = re.compile(r"\d+")
_QUOTATION_MARKS = '"“”«»'


def place_features(pools: Pools) -> dict[str, Floats]:
    """Place of each paragraph (from 1), its share of their number, places after it, and log(1 + their number)."""
    places, sizes = pools.places + 1, pools.sizes.repeat(pools.sizes)
    return {
        "place": places.astype(np.float64),
        "share_of_place": places / sizes,
        "places_from_end": (sizes - places).astype(np.float64),
        "log_pool_size": np.log1p(sizes),
    }


def form_features(texts: Sequence[str], words: Integers) -> dict[str, Floats]:
    """Features of the characters of texts.

    Parameters
    ----------
    texts : sequence of str
        The texts; their paragraph marks are left out.
    words : int64 array
        The number of words of each text.

    Returns
    -------
    dict of str to float64 array
        log(1 + characters), groups of digits per word, quotation marks, quotation marks per word, and whether the last
        character is a colon.
    """
    plain = [" ".join(remove_marks(text).split()) for text in texts]
    digits = np.array([len(_DIGITS.findall(text)) for text in plain])
    marks = np.array([sum(map(text.count, _QUOTATION_MARKS)) for text in plain])
    words = np.maximum(words, 1)
    return {
        "log_length": np.log1p([len(text) for text in plain]),
        "numbers_per_word": digits / words,
        "quotation_marks": marks.astype(np.float64),
        "quotation_marks_per_word": marks / words,
        "ends_in_colon": np.array([text.endswith(":") for text in plain], dtype=np.float64),
    }


def neighbour_features(vectors: sparse.csr_matrix, latent: Floats, pools: Pools) -> dict[str, Floats]:
    """Cosines of each paragraph with others of its pool.

    Parameters
    ----------
    vectors : csr_matrix, paragraphs x terms
        Vectors of length 1.
    latent : float64 array, paragraphs x dimensions
        Latent vectors of length 1.
    pools : Pools
        The pools.

    Returns
    -------
    dict of str to float64 array
        The cosines with the previous and the next paragraph, the mean of those with all others, the highest one with an
        earlier paragraph, and that of the latent vector with the mean of the pool's; 0 where there is no such
        paragraph.
    """
    of_pools = []
    for first, last in pairwise(pools.bounds):
        of_pool = vectors[first:last]
        cosines = (of_pool @ of_pool.T).toarray()
        np.fill_diagonal(cosines, 0)
        beside = np.diagonal(cosines, 1)
        others = cosines.sum(axis=1) / max(len(cosines) - 1, 1)
        earlier = np.tril(cosines, -1).max(axis=1)
        of_pools.append(np.stack([np.append(0, beside), np.append(beside, 0), others, earlier]))
    means = np.add.reduceat(latent, pools.bounds[:-1])
    means /= np.maximum(np.sqrt((means**2).sum(axis=1, keepdims=True)), np.finfo(np.float64).tiny)
    names = ("previous", "next", "others", "earlier")
    with_mean = (latent * means[pools.numbers]).sum(axis=1)
    return {**dict(zip(names, np.hstack(of_pools))), "latent_mean": with_mean}


def cue_names() -> list[str]:
    """Names of the features of `cue_features`."""
    return [f"{name}{kind}" for kind in ("", "_per_word") for name in rhetoric_cues()]


def cue_features(texts: TokenTexts) -> Floats:
    """Count of the cues of each list in each text, and the same per word (texts x 16, see `cue_names`)."""
    counts = cue_counts(texts, rhetoric_cues())
    return np.hstack([counts, counts / np.maximum(texts.sizes, 1)[:, None]])


def cue_counts(texts: TokenTexts, lists: Mapping[str, Iterable[Sequence[str]]]) -> Floats:
    """Count the places of each text at which a cue of a list begins.

    Parameters
    ----------
    texts : TokenTexts
        The texts.
    lists : mapping of str to iterable
        The cues of each list, each a sequence of words.

    Returns
    -------
    float64 array of shape (texts, lists)

    Examples
    --------
    >>> texts = TokenTexts.of(["I find, and I find that it is not so.", ""])
    >>> cue_counts(texts, {"voice": [("i", "find"), ("i", "find", "that")], "negation": [("not",)]}).tolist()
    [[2.0, 1.0], [0.0, 0.0]]
    """
    numbers = {word: number for number, word in enumerate(texts.vocabulary)}
    owners = texts.owners
    counts = np.zeros((len(texts), len(lists)))
    for column, cues in enumerate(lists.values()):
        begins = np.zeros(len(texts.tokens), dtype=np.bool_)
        for cue in cues:
            if numbers.keys() >= set(cue):
                begins |= _begins(texts, owners, [numbers[word] for word in cue])
        counts[:, column] = np.bincount(owners[begins], minlength=len(texts))
    return counts


def _begins(texts: TokenTexts, owners: Integers, cue: Sequence[int]) -> Booleans:
    """Whether a cue begins at each token."""
    tokens = texts.tokens
    places = np.flatnonzero(tokens == cue[0])
    places = places[places + len(cue) <= len(tokens)]
    for offset, number in enumerate(cue[1:], start=1):
        places = places[tokens[places + offset] == number]
    places = places[owners[places] == owners[places + len(cue) - 1]]
    found = np.zeros(len(tokens), dtype=np.bool_)
    found[places] = True
    return found


# How often other decisions have the word 6-grams of a paragraph: passages that courts quote are in many.

_WORDS = 6
_PREFIX_BITS = 24
_SHIFT = np.uint64(64 - _PREFIX_BITS)
_SAME_CASE = 0.4  # share of its 6-grams
_FEW, _MANY = 8, 25  # shared 6-grams
_RARE, _FREQUENT = 20, 200  # decisions that have a 6-gram

_QUOTED = (
    "decisions_sharing_8",
    "decisions_sharing_25",
    "most_shared",
    "share_of_most_shared",
    "decisions_per_ngram",
    "share_held_by_few",
    "share_held",
    "held_by_few",
)


def quoted_names() -> list[str]:
    """Return the names of the features of `quoted_features`."""
    return [f"{name}{kind}" for name in _QUOTED for kind in ("", "_rank", "_z")]


def quoted_features(
    paragraphs: TokenTexts, pools: Pools, base_cases: Sequence[str], decisions: Iterable[str] | None = None
) -> Floats:
    """Compute features of how other decisions share the word 6-grams of each paragraph.

    The 6-grams of all paragraphs are kept as hashes, and decisions are streamed past them. A decision that has more
    than 40 % of the 6-grams of a noticed case, or of the base case of its query, is taken to be one of the two, and is
    skipped for the paragraphs of that case.

    Parameters
    ----------
    paragraphs : TokenTexts
        The paragraphs, pool by pool.
    pools : Pools
        The pools.
    base_cases : sequence of str
        The base case of each pool. Several pools may have the same one.
    decisions : iterable of str, optional
        The decisions that are searched, each once. By default these are the base cases.

    Returns
    -------
    float64 array of shape (paragraphs, 24)
        Eight values, each with its rank and its z-score in the pool (see `quoted_names`); all 0 for a paragraph of less
        than 6 words.

        * log(1 + number of decisions that share at least 8 of its 6-grams), and at least 25;
        * log(1 + number of 6-grams that it shares with the decision that shares most), and their share of its own;
        * mean of log(1 + number of decisions that have a 6-gram, at most 200) over its 6-grams;
        * share of its 6-grams that 1 to 20 decisions have, and that any has; log(1 + number of the former).
    """
    numbers: dict[str, int] = {}
    of_pools = [numbers.setdefault(text, len(numbers)) for text in base_cases]
    distinct = [*map(np.unique, _ngrams_of_texts(numbers))]
    of_paragraphs = _ngrams(token_hashes(paragraphs.vocabulary)[paragraphs.tokens], paragraphs.bounds)
    known = _KnownNgrams([*map(np.unique, of_paragraphs)], pools, [distinct[number] for number in of_pools])
    values = known.features(distinct if decisions is None else _ngrams_of_texts(decisions))
    return np.hstack([np.column_stack([column, pools.rank_and_z(column)]) for column in values.T])


def _ngrams_of_texts(texts: Iterable[str]) -> Iterator[Hashes]:
    """Yield the hashes of the word 6-grams of each text."""
    corpus = ({"docno": str(number), "text": text} for number, text in enumerate(texts))
    read = read_corpus(corpus, "case", True, available_cores())
    of_word = token_hashes(read.terms)
    for numbers, sizes in read.batches:
        yield from _ngrams(of_word[numbers], np.append(0, np.cumsum(sizes)))


def _ngrams(words: Hashes, bounds: Integers) -> Iterator[Hashes]:
    """Yield the hashes of the word 6-grams of each text, from those of the words of all texts."""
    return (shingle_hashes(words[start:end], _WORDS) for start, end in pairwise(bounds))


class _Incidence(NamedTuple):
    """Which sets have each element: the sets of the elements, one element after the other."""

    sets: Integers
    bounds: Integers

    @classmethod
    def of(cls, elements: Integers, sets: Integers, number: int) -> _Incidence:
        """Collect pairs of an element, which is less than ``number``, and a set."""
        order = np.argsort(elements, kind="stable")
        return cls(sets[order], np.append(0, np.cumsum(np.bincount(elements, minlength=number))))

    def of_elements(self, elements: Integers) -> Integers:
        """Return the sets of some elements, one element after the other."""
        sizes = self.bounds[elements + 1] - self.bounds[elements]
        ends = np.cumsum(sizes)
        sets: Integers = self.sets[(self.bounds[elements] - ends + sizes).repeat(sizes) + np.arange(sizes.sum())]
        return sets


class _KnownNgrams:
    """The 6-grams of paragraphs and base cases.

    An *entry* is a 6-gram of a pool. Decisions are counted by entry and not by 6-gram, because those that are skipped
    differ between pools.
    """

    def __init__(self, paragraphs: list[Hashes], pools: Pools, base_cases: list[Hashes]) -> None:
        self._sizes = np.array([len(hashes) for hashes in paragraphs], dtype=np.int64)
        self._base_sizes = np.array([len(hashes) for hashes in base_cases], dtype=np.int64)
        hashes = np.concatenate([np.empty(0, np.uint64), *paragraphs, *base_cases])
        distinct, numbers = np.unique(hashes, return_inverse=True)
        self._vocabulary = HashedVocabulary(distinct, _WORDS)
        self._has_prefix = np.zeros(1 << _PREFIX_BITS, dtype=np.bool_)  # most 6-grams of decisions are told by a look
        self._has_prefix[distinct >> _SHIFT] = True
        known, (in_paragraphs, in_base_cases) = len(distinct), np.split(numbers, [self._sizes.sum()])
        self._base_cases = _Incidence.of(in_base_cases, np.arange(len(base_cases)).repeat(self._base_sizes), known)
        self._paragraph = np.arange(len(paragraphs)).repeat(self._sizes)  # of each 6-gram of a paragraph
        entries, self._entry = np.unique(pools.numbers[self._paragraph] * known + in_paragraphs, return_inverse=True)
        self._pool = entries // known  # of each entry
        self._pool_sizes = np.bincount(self._pool, minlength=len(pools.sizes))
        self._entries = _Incidence.of(entries % known, np.arange(len(entries)), known)
        self._paragraphs = _Incidence.of(self._entry, self._paragraph, len(entries))

    def features(self, decisions: Iterable[Hashes]) -> Floats:
        """Compute the eight values of `quoted_features` from the hashes of the 6-grams of each decision."""
        number = len(self._sizes)
        few, many, most = (np.zeros(number, dtype=np.int64) for _ in range(3))
        held = np.zeros(len(self._pool), dtype=np.int64)
        for hashes in decisions:
            entries = self._shared(hashes)
            held[entries] += 1
            owners, shared = np.unique(self._paragraphs.of_elements(entries), return_counts=True)
            few[owners] += shared >= _FEW
            many[owners] += shared >= _MANY
            most[owners] = np.maximum(most[owners], shared)
        holders = held[self._entry]  # of each 6-gram of a paragraph
        by_few = self._sums((holders >= 1) & (holders <= _RARE))
        sizes = np.maximum(self._sizes, 1)
        return np.column_stack(
            [
                *map(np.log1p, (few, many, most)),
                most / sizes,
                self._sums(np.log1p(np.minimum(holders, _FREQUENT))) / sizes,
                by_few / sizes,
                self._sums(holders >= 1) / sizes,
                np.log1p(by_few),
            ]
        )

    def _sums(self, values: Floats | Booleans) -> Floats:
        """Add values of the 6-grams of each paragraph."""
        return np.bincount(self._paragraph, weights=values, minlength=len(self._sizes)).astype(np.float64)

    def _shared(self, hashes: Hashes) -> Integers:
        """Return the entries that a decision has, without those of pools for which it is skipped."""
        candidates = np.sort(hashes[self._has_prefix[hashes >> _SHIFT]])  # neighbours are looked up much faster
        numbers = self._vocabulary.columns(candidates)
        known = np.unique(numbers[numbers >= 0])
        entries = self._entries.of_elements(known)
        of_pools = np.bincount(self._pool[entries], minlength=len(self._pool_sizes))
        of_base_cases = np.bincount(self._base_cases.of_elements(known), minlength=len(self._base_sizes))
        is_skipped = (of_pools > _SAME_CASE * self._pool_sizes) | (of_base_cases > _SAME_CASE * self._base_sizes)
        shared: Integers = entries[~is_skipped[self._pool[entries]]]
        return shared
