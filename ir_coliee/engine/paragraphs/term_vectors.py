"""Tf-idf vectors of texts by words, word pairs and character n-grams, with the document frequencies of paragraphs.

Term frequencies are 1 + ln tf, the idf is ln((1 + N) / (1 + df)) + 1 over the N paragraphs, and vectors have length 1.
Stop words, the 33 of Lucene's English analyser, are left out first, so that a pair may have stood around one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.paragraphs.token_texts import TokenTexts
from ir_coliee.engine.weightings import Collection, TfIdf, document_weights
from ir_coliee.frames import Integers, Numbers
from ir_coliee.text.english import STOP_WORDS

_LENGTHS = (3, 4, 5)  # of character n-grams
_MIN_DF, _MAX_NGRAMS = 3, 200_000


class ContentWords(NamedTuple):
    """The words of texts that are no stop words, in reading order.

    Attributes
    ----------
    vocabulary : list of str
        The word of each number.
    words : int32 array
        The words of all texts, one text after the other.
    owners : int64 array
        The text of each word.
    number : int
        The number of texts.
    """

    vocabulary: list[str]
    words: Numbers
    owners: Integers
    number: int

    @classmethod
    def of(cls, texts: TokenTexts) -> ContentWords:
        """Leave the stop words of texts out."""
        is_content = np.array([word not in STOP_WORDS for word in texts.vocabulary], dtype=np.bool_)
        kept = is_content[texts.tokens]
        return cls(texts.vocabulary, texts.tokens[kept], texts.owners[kept], len(texts))

    def counts(self) -> sparse.csr_matrix:
        """Count the words (texts x vocabulary)."""
        return _counted(self.owners, self.words, (self.number, len(self.vocabulary)))

    def pair_counts(self) -> sparse.csr_matrix:
        """Count the pairs of consecutive words (texts x distinct pairs)."""
        within = self.owners[1:] == self.owners[:-1]
        pairs = self.words[:-1].astype(np.int64) * len(self.vocabulary) + self.words[1:]
        distinct, columns = np.unique(pairs[within], return_inverse=True)
        return _counted(self.owners[1:][within], columns, (self.number, len(distinct)))


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
    """
    numbers: dict[str, int] = {}
    rows, columns = [], []
    for row in np.unique(words.indices).tolist():
        padded = f" {vocabulary[row]} "
        ngrams = [padded[at : at + size] for size in _LENGTHS for at in range(len(padded) - size + 1)]
        rows.extend([row] * len(ngrams))
        columns.extend([numbers.setdefault(ngram, len(numbers)) for ngram in ngrams])
    shape = len(vocabulary), len(numbers)
    of_word = _counted(np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64), shape)
    counts: sparse.csr_matrix = words @ of_word
    return counts


def tf_idf(counts: sparse.csr_matrix, paragraphs: int) -> sparse.csr_matrix:
    """Weigh counts by tf-idf and divide each row by its length.

    Parameters
    ----------
    counts : csr_matrix, texts x terms
        Counts of terms.
    paragraphs : int
        The first rows, which are the paragraphs that document frequencies are computed of. Terms of no paragraph are
        left out.

    Returns
    -------
    csr_matrix, texts x terms
    """
    return _weighted(counts, paragraphs, min_df=1, max_terms=counts.shape[1])


def character_tf_idf(counts: sparse.csr_matrix, paragraphs: int) -> sparse.csr_matrix:
    """As `tf_idf`, of the 200,000 n-grams that occur in most paragraphs, and in at least 3; first ones among equals."""
    return _weighted(counts, paragraphs, min_df=_MIN_DF, max_terms=_MAX_NGRAMS)


def _weighted(counts: sparse.csr_matrix, paragraphs: int, *, min_df: int, max_terms: int) -> sparse.csr_matrix:
    df = np.bincount(counts[:paragraphs].indices, minlength=counts.shape[1]).astype(np.float64)
    best = np.argsort(-df, kind="stable")[:max_terms]
    kept = np.sort(best[df[best] >= min_df])
    counts = counts[:, kept]
    collection = Collection(documents=paragraphs, tokens=0.0, df=df[kept], cf=df[kept])
    return document_weights(TfIdf(), counts, np.zeros(counts.shape[0]), collection)
