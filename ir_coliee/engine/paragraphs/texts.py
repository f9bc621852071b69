"""Pools of paragraphs, texts as token numbers, and their tf-idf and latent vectors (task 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.building import read_corpus
from ir_coliee.engine.counting import available_cores
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.engine.statistics import GroupStatistics, ratio_to_best
from ir_coliee.engine.weightings import Collection, TfIdf, document_weights
from ir_coliee.frames import Floats, Integers, Numbers
from ir_coliee.text.analysers import STOP_WORDS

_ROUNDING = 1e-9  # a smaller deviation, relative to the values, is due to rounding


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
        means: Floats = (np.bincount(self.numbers, weights=values) / self.sizes).repeat(self.sizes)
        return means

    def rank_and_z(self, values: Floats) -> Floats:
        """Return the rank (the number of higher values of the pool) and the z-score of each value (values x 2)."""
        return np.column_stack([GroupStatistics(self.numbers, values).ranks, self.z_scores(values)])

    def fivefold(self, scores: Floats) -> Floats:
        """Return score, ratio to the pool's best, rank, gap to its second best and z-score (scores x 5).

        See `ir_coliee.engine.statistics` for the ratio, and for the gap in a pool of one.

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
    counts: sparse.csr_matrix = words @ _counted(rows[order], columns, (len(vocabulary), len(first)))
    return counts


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
    whole: sparse.csr_matrix = sparse.vstack(weights, format="csr")
    return whole


# Latent semantic vectors: tf-idf vectors projected on the dimensions along which paragraphs differ most.


_DIMENSIONS = 200
_OVERSAMPLES, _ITERATIONS = 10, 5
_ROUNDING = 1e-9  # a smaller singular value, relative to the largest one, is 0, and its vector arbitrary


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
    unit: Floats = np.divide(projected, lengths, out=np.zeros_like(projected), where=lengths > 0)
    return unit
