"""Word vectors from co-occurrences in a small collection: positive pointwise mutual information, truncated by SVD.

References
----------
O. Levy and Y. Goldberg. Neural word embedding as implicit matrix factorization. NIPS 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.labelled_questions import LabelledQuestions
from ir_coliee.engine.articles.text_scores import counted
from ir_coliee.engine.blas_threads import one_blas_thread
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import TfIdf, document_weights, query_weights
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Floats, Integers
from ir_coliee.text.analysers import Analysis, tokeniser


def cooccurrences(texts: Sequence[Integers], terms: int, window: int = 6) -> sparse.csr_matrix:
    """Co-occurrences of words, weighted by 1 / distance.

    Parameters
    ----------
    texts : sequence of int64 array
        Texts as numbers of words in reading order.
    terms : int
        Number of different words.
    window : int
        Largest distance, at least 1.

    Returns
    -------
    csr_matrix, terms x terms

    Examples
    --------
    >>> cooccurrences([np.array([0, 1, 0])], 2).toarray().tolist()
    [[1.0, 2.0], [2.0, 0.0]]
    """
    words = np.concatenate([np.empty(0, dtype=np.int64), *texts])
    of_text = np.arange(len(texts)).repeat([len(text) for text in texts])
    total = sparse.csr_matrix((terms, terms))
    for distance in range(1, window + 1):
        near = of_text[distance:] == of_text[:-distance]
        first, second = words[:-distance][near], words[distance:][near]
        pairs = sparse.csr_matrix((np.full(len(first), 1 / distance), (first, second)), shape=(terms, terms))
        total = total + pairs + pairs.T
    return sparse.csr_matrix(total)


def positive_pmi(counts: sparse.csr_matrix, power: float = 0.75) -> sparse.csr_matrix:
    """Positive pointwise mutual information of words and contexts.

    Parameters
    ----------
    counts : csr_matrix, words x contexts
        Co-occurrences.
    power : float
        Power of the frequencies of contexts; below 1, rare contexts count less.

    Returns
    -------
    csr_matrix, words x contexts
        max(0, ln(n(w, c) / n(w) / p(c))), where p(c) = n(c)^power / Σ n(c')^power.

    Examples
    --------
    >>> positive_pmi(sparse.csr_matrix(np.array([[0.0, 1.0], [1.0, 0.0]]))).toarray().round(3).tolist()
    [[0.0, 0.693], [0.693, 0.0]]
    """
    cells = sparse.coo_matrix(counts)
    of_words, of_contexts = (np.asarray(counts.sum(axis=axis), dtype=np.float64).ravel() for axis in (1, 0))
    contexts = of_contexts**power
    information = np.log(cells.data * contexts.sum() / (of_words[cells.row] * contexts[cells.col]))
    positive = information > 0
    cells_kept = information[positive], (cells.row[positive], cells.col[positive])
    return sparse.csr_matrix(cells_kept, shape=counts.shape)


def truncated(matrix: sparse.csr_matrix, dimensions: int) -> Floats:
    """Rows of a square matrix in the space of its largest singular values: U Σ, up to signs and order of columns.

    Parameters
    ----------
    matrix : csr_matrix, terms x terms
    dimensions : int
        Largest number of dimensions, at least 1.

    Returns
    -------
    float64 array, terms x dimensions

    Raises
    ------
    MissingExtraError
        Without scikit-learn, the extra ``learn``.
    """
    try:
        from sklearn.utils.extmath import randomized_svd
    except ImportError:
        raise MissingExtraError("A truncated singular value decomposition", "learn") from None
    if not matrix.nnz:
        return np.zeros((matrix.shape[0], 1))
    with one_blas_thread():
        left, values, _ = randomized_svd(matrix, min(dimensions, matrix.shape[0]), n_iter=10, random_state=0)
        return np.asarray(left * values, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class FittedWordVectors:
    """Word vectors that are learned from articles and questions without labels.

    Attributes
    ----------
    index : TermCounts
        The articles, followed by the questions.
    labelled : LabelledQuestions
        The questions.
    vectors : float64 array, terms x dimensions
        The vectors of the words of the index.
    """

    index: TermCounts
    labelled: LabelledQuestions
    vectors: Floats

    @classmethod
    def fit(
        cls, articles: Sequence[str], labelled: LabelledQuestions, analyser: Analysis, dimensions: int = 200
    ) -> FittedWordVectors:
        """Learn the vectors.

        Parameters
        ----------
        articles : sequence of str
            Texts of the articles, with their captions.
        labelled : LabelledQuestions
            Further texts. Labels are not used.
        analyser : Analysis
            Analyser of the texts.
        dimensions : int
            Number of dimensions, at least 1.
        """
        texts = [*articles, *labelled.texts]
        index, tokens = counted(texts, analyser), tokeniser(analyser)
        words = [
            np.array([index.vocabulary[token] for token in tokens(text) if token in index.vocabulary], dtype=np.int64)
            for text in texts
        ]
        information = positive_pmi(cooccurrences(words, len(index.vocabulary)))
        return cls(index, labelled, truncated(information, dimensions))

    def scores(self, questions: Sequence[str], _exams: ExamQuestions) -> Floats:
        """Cosines of questions and articles by their TF-IDF weighted sums of word vectors.

        Parameters
        ----------
        questions : sequence of str
            Texts of the questions.

        Returns
        -------
        float64 array, questions x articles
            0 for a text without a known word.
        """
        index, size = self.index, self.labelled.relevant.shape[1]
        vectors = query_weights(TfIdf(), index.query_vectors(questions), index.collection)
        articles = document_weights(TfIdf(), index.counts, index.lengths, index.collection)[:size]
        with one_blas_thread():
            return _unit_rows(vectors @ self.vectors) @ _unit_rows(articles @ self.vectors).T


def _unit_rows(vectors: Floats) -> Floats:
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    unit: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
