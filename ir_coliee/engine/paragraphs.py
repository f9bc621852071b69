"""Evidence about the paragraphs of noticed cases, one pool of paragraphs for each query (task 2).

Texts are token numbers (`TokenTexts`). Paragraphs are given pool by pool (`Pools`), in the order of their case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.counting import available_cores
from ir_coliee.engine.pools import GroupStatistics, pool_scores, ratio_to_best
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.engine.term_counts import HashedVocabulary, read_corpus, shingle_hashes, token_hashes
from ir_coliee.engine.weightings import BM25, Collection, TfIdf, document_weights
from ir_coliee.frames import Booleans, Floats, Hashes, Integers, Numbers
from ir_coliee.text.analysers import STOP_WORDS
from ir_coliee.text.cues import rhetoric_cues
from ir_coliee.text.decisions import remove_marks

_ROUNDING = 1e-9  # a smaller deviation or singular value, relative to the values or to the largest one, is rounding


class Pools(NamedTuple):
    """Pools of paragraphs, each in the order of its case.

    Attributes
    ----------
    bounds : int64 array
        The offset of the first paragraph of each pool, followed by the number of paragraphs. No pool is empty.

    Examples
    --------
    >>> pools = Pools.of_sizes([2, 1])
    >>> pools.numbers.tolist(), pools.places.tolist()
    ([0, 0, 1], [0, 1, 0])
    """

    bounds: Integers

    @classmethod
    def of_sizes(cls, sizes: list[int]) -> Pools:
        """Make pools of the given numbers of paragraphs."""
        return cls(np.append(0, np.cumsum(np.array(sizes, dtype=np.int64))))

    @property
    def sizes(self) -> Integers:
        """The number of paragraphs of each pool."""
        return np.diff(self.bounds)

    @property
    def numbers(self) -> Integers:
        """The pool of each paragraph."""
        return np.arange(len(self.sizes)).repeat(self.sizes)

    @property
    def places(self) -> Integers:
        """The place of each paragraph in its pool, from 0."""
        return np.arange(self.bounds[-1]) - self.bounds[:-1].repeat(self.sizes)

    def neighbour(self, values: Floats, step: int) -> Floats:
        """Return the value of the paragraph ``step`` places further in the pool; 0 where there is none.

        >>> Pools.of_sizes([2, 1]).neighbour(np.array([1.0, 2.0, 3.0]), 1).tolist()
        [2.0, 0.0, 0.0]
        """
        found = np.zeros(len(values))
        places = self.places + step
        inside = np.flatnonzero((places >= 0) & (places < self.sizes.repeat(self.sizes)))
        found[inside] = values[inside + step]
        return found

    def z_scores(self, values: Floats) -> Floats:
        """Return the difference of each value from the mean of its pool in standard deviations; 0 if all are equal.

        >>> Pools.of_sizes([2, 1]).z_scores(np.array([1.0, 3.0, 5.0])).tolist()
        [-1.0, 1.0, 0.0]
        """
        centred = values - self._means(values)
        deviations = np.sqrt(self._means(centred**2))
        varies = deviations > _ROUNDING * self._means(np.abs(values))
        return np.divide(centred, deviations, out=np.zeros(len(values)), where=varies)

    def _means(self, values: Floats) -> Floats:
        return (np.bincount(self.numbers, weights=values) / self.sizes).repeat(self.sizes)

    def rank_and_z(self, values: Floats) -> Floats:
        """Return the rank (the number of higher values of the pool) and the z-score of each value (values x 2)."""
        return np.column_stack([GroupStatistics(self.numbers, values).ranks, self.z_scores(values)])

    def fivefold(self, scores: Floats) -> Floats:
        """Return score, ratio to the pool's best, rank, gap to its second best and z-score (scores x 5).

        See `ir_coliee.engine.pools` for the ratio, and for the gap in a pool of one.

        >>> Pools.of_sizes([2]).fivefold(np.array([1.0, 4.0])).tolist()
        [[1.0, 0.25, 1.0, 0.0, -1.0], [4.0, 1.0, 0.0, 3.0, 1.0]]
        """
        groups = GroupStatistics(self.numbers, scores)
        ratio = ratio_to_best(scores, groups.best(1))
        return np.column_stack([scores, ratio, groups.ranks, scores - groups.best(2), self.z_scores(scores)])


# Texts as token numbers in reading order.


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


# Tf-idf vectors of texts by words, word pairs and character n-grams, with the document frequencies of paragraphs.

_LENGTHS = range(3, 6)  # of character n-grams
_ROWS = 4096  # that are weighed at a time, which needs several times their memory


def word_counts(texts: TokenTexts) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Count the words of texts, and the pairs of consecutive words.

    Stop words, the 33 of Lucene's English analyser, are left out first, so that a pair may have stood around one.

    Parameters
    ----------
    texts : TokenTexts
        The texts.

    Returns
    -------
    tuple of csr_matrix
        texts x vocabulary, and texts x distinct pairs.
    """
    size = len(texts.vocabulary)
    is_content = np.array([word not in STOP_WORDS for word in texts.vocabulary], dtype=np.bool_)[texts.tokens]
    words, owners = texts.tokens[is_content], texts.owners[is_content]
    within = owners[1:] == owners[:-1]
    pairs = words[:-1].astype(np.int64) * size + words[1:]
    distinct, columns = np.unique(pairs[within], return_inverse=True)
    of_pairs = _counted(owners[1:][within], columns, (len(texts), len(distinct)))
    return _counted(owners, words, (len(texts), size)), of_pairs


def _counted(rows: Integers, columns: Integers | Numbers, shape: tuple[int, int]) -> sparse.csr_matrix:
    matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    return matrix


def character_counts(words: sparse.csr_matrix, vocabulary: list[str]) -> sparse.csr_matrix:
    """Count the character 3- to 5-grams inside words, with a blank on either side of each word.

    Parameters
    ----------
    words : csr_matrix, texts x vocabulary
        Counts of words.
    vocabulary : list of str
        The word of each column.

    Returns
    -------
    csr_matrix, texts x n-grams
        The n-grams are in the order of their first occurrences: word by word, those of a word by length and place.
    """
    occurring = np.unique(words.indices)
    padded = [f" {vocabulary[word]} " for word in occurring.tolist()]
    sizes = np.array([len(word) for word in padded], dtype=np.int64)
    text = "".join(padded).encode("utf-32-le", errors="surrogatepass")
    distinct, characters = np.unique(np.frombuffer(text, np.uint32), return_inverse=True)
    owners = occurring.repeat(sizes)
    remaining = np.cumsum(sizes).repeat(sizes) - np.arange(len(owners))  # characters of the word from each one on
    numbers, found = characters.copy(), []  # the number of the n-gram that begins at each character
    for length in range(2, _LENGTHS.stop):
        places = np.flatnonzero(remaining >= length)
        keys = numbers[places] * len(distinct) + characters[places + length - 1]
        numbers[places] = np.unique(keys, return_inverse=True)[1]
        if length in _LENGTHS:
            ngrams = numbers[places] * len(_LENGTHS) + length - _LENGTHS.start
            found.append((owners[places], np.full(len(places), length), ngrams))
    rows, lengths, ngrams = map(np.concatenate, zip(*found))
    order = np.lexsort((lengths, rows))
    _, first, inverse = np.unique(ngrams[order], return_index=True, return_inverse=True)
    columns = np.argsort(np.argsort(first))[inverse]
    return words @ _counted(rows[order], columns, (len(vocabulary), len(first)))


def tf_idf(
    counts: sparse.csr_matrix, paragraphs: int, *, min_df: int = 1, max_terms: int | None = None
) -> sparse.csr_matrix:
    """Weigh counts by tf-idf and divide each row by its length.

    Term frequencies are 1 + ln tf, the idf is ln((1 + N) / (1 + df)) + 1 over the N paragraphs.

    Parameters
    ----------
    counts : csr_matrix, texts x terms
        Counts of terms.
    paragraphs : int
        The first rows, which are the paragraphs that document frequencies are computed of.
    min_df, max_terms : int
        Terms that occur in fewer paragraphs are left out, and of the others all but those that occur in most
        paragraphs; first ones among equals.

    Returns
    -------
    csr_matrix, texts x terms
    """
    of_paragraphs = counts.indices[: counts.indptr[paragraphs]]
    df = np.bincount(of_paragraphs, minlength=counts.shape[1]).astype(np.float64)
    best = np.argsort(-df, kind="stable")[:max_terms]
    kept = np.sort(best[df[best] >= min_df])
    collection = Collection(documents=paragraphs, tokens=0.0, df=df[kept], cf=df[kept])
    blocks = (counts[first : first + _ROWS][:, kept] for first in range(0, counts.shape[0], _ROWS))
    weights = [document_weights(TfIdf(), block, np.zeros(block.shape[0]), collection) for block in blocks]
    return sparse.vstack(weights, format="csr")


# Latent semantic vectors: tf-idf vectors projected on the dimensions along which paragraphs differ most.


_DIMENSIONS = 200
_OVERSAMPLES, _ITERATIONS = 10, 5


def latent_vectors(vectors: sparse.csr_matrix, paragraphs: int) -> Floats:
    """Project tf-idf vectors on the first 200 singular vectors of those of the paragraphs (or on fewer, if there are).

    Parameters
    ----------
    vectors : csr_matrix, texts x terms
        Tf-idf vectors.
    paragraphs : int
        The first rows, which are the paragraphs that the singular vectors are computed of.

    Returns
    -------
    float64 array of shape (texts, dimensions)
        Vectors of length 1, or of zeros.

    Notes
    -----
    The singular vectors are those of a randomised power iteration (Halko, Martinsson and Tropp 2011), with the start,
    the oversampling and the number of iterations of scikit-learn's ``TruncatedSVD``. That factorises the matrix of
    terms, too, in each iteration, which takes twice as long for the same result up to rounding. One thread is used, so
    that the numbers do not depend on how many there are.
    """
    from scipy.linalg import lu, qr

    own = vectors[:paragraphs]
    dimensions = min(_DIMENSIONS, *own.shape)
    if not dimensions:
        return np.zeros((vectors.shape[0], 1))
    basis = np.random.RandomState(0).normal(size=(paragraphs, dimensions + _OVERSAMPLES))
    with one_blas_thread():
        for _ in range(_ITERATIONS):
            basis, _ = lu(own @ (own.T @ basis), permute_l=True, check_finite=False)
        basis, _ = qr(np.asfortranarray(own.T @ basis), mode="economic", overwrite_a=True, check_finite=False)
        projected = vectors @ basis
        _, values, rotation = np.linalg.svd(np.linalg.qr(projected[:paragraphs], mode="r"))
        found = np.flatnonzero(values[:dimensions] > _ROUNDING * values[0])
        projected = projected @ rotation[found].T
    lengths = np.sqrt((projected**2).sum(axis=1, keepdims=True))
    return np.divide(projected, lengths, out=np.zeros_like(projected), where=lengths > 0)


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
    scores = pool_scores(BM25(), paragraphs, terms, rows, None)
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


def _incidence(elements: Integers, sets: Integers, shape: tuple[int, int]) -> sparse.csr_matrix:
    """Matrix of pairs of an element (row) and a set: ``matrix[rows].indices`` has the sets of some elements."""
    return sparse.csr_matrix((np.ones(len(sets), np.bool_), (elements, sets)), shape=shape)


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
        owners = np.arange(len(base_cases)).repeat(self._base_sizes)
        self._base_cases = _incidence(in_base_cases, owners, (known, len(base_cases)))
        self._paragraph = np.arange(len(paragraphs)).repeat(self._sizes)  # of each 6-gram of a paragraph
        entries, self._entry = np.unique(pools.numbers[self._paragraph] * known + in_paragraphs, return_inverse=True)
        self._pool = entries // known  # of each entry
        self._pool_sizes = np.bincount(self._pool, minlength=len(pools.sizes))
        self._entries = _incidence(entries % known, np.arange(len(entries)), (known, len(entries)))
        self._paragraphs = _incidence(self._entry, self._paragraph, (len(entries), len(paragraphs)))

    def features(self, decisions: Iterable[Hashes]) -> Floats:
        """Compute the eight values of `quoted_features` from the hashes of the 6-grams of each decision."""
        number = len(self._sizes)
        few, many, most = (np.zeros(number, dtype=np.int64) for _ in range(3))
        held = np.zeros(len(self._pool), dtype=np.int64)
        for hashes in decisions:
            entries = self._shared(hashes)
            held[entries] += 1
            owners, shared = np.unique(self._paragraphs[entries].indices, return_counts=True)
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
        entries = self._entries[known].indices
        of_pools = np.bincount(self._pool[entries], minlength=len(self._pool_sizes))
        of_base_cases = np.bincount(self._base_cases[known].indices, minlength=len(self._base_sizes))
        is_skipped = (of_pools > _SAME_CASE * self._pool_sizes) | (of_base_cases > _SAME_CASE * self._base_sizes)
        return entries[~is_skipped[self._pool[entries]]]
