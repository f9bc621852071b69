"""Scores of articles by the labelled questions to which they are relevant (questions x articles)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import TfIdf, document_weights
from ir_coliee.frames import Booleans, Floats


def cosines(counts: TermCounts) -> Floats:
    """Return the TF-IDF cosines of all pairs of texts; the statistics are those of these texts.

    Examples
    --------
    >>> from ir_coliee.engine.articles.text_scores import counted
    >>> cosines(counted(["a gate", "a lamp"], "words")).round(3).tolist()
    [[1.0, 0.336], [0.336, 1.0]]
    """
    weights = document_weights(TfIdf(), counts.counts, counts.lengths, counts.collection)
    return np.asarray((weights @ weights.T).toarray())


def nearest_past(similarities: Floats, seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
    """Score an article by the most similar of the seen questions to which it is relevant.

    Parameters
    ----------
    similarities : float64 array, questions x questions
        None is negative.
    seen : bool array, questions x questions
        The questions (columns) that each question (row) learns from.
    relevant : csr_matrix, questions x articles
        1 for each relevant article.

    Returns
    -------
    float64 array, questions x articles
        0 for an article that is relevant to no seen question.

    See Also
    --------
    ir_coliee.transformers.PastQuestionRetriever : Past questions as a transformer.

    Examples
    --------
    >>> similarities, seen = np.array([[1.0, 0.5, 0.25]]), np.array([[False, True, True]])
    >>> relevant = sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> nearest_past(similarities, seen, relevant).tolist(), past_squares(similarities, seen, relevant).tolist()
    ([[0.0, 0.5]], [[0.0, 0.3125]])
    """
    of_seen, by_article = np.where(seen, similarities, 0.0), sparse.csc_matrix(relevant)
    scores = np.zeros((len(seen), relevant.shape[1]))
    for article in np.flatnonzero(np.diff(by_article.indptr)):
        questions = by_article.indices[by_article.indptr[article] : by_article.indptr[article + 1]]
        scores[:, article] = of_seen[:, questions].max(axis=1)
    return scores


def past_squares(similarities: Floats, seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
    """Score an article by the sum of squared similarities of the seen questions to which it is relevant.

    Parameters and result are those of `nearest_past`.
    """
    return np.asarray(np.where(seen, similarities**2, 0.0) @ relevant)


def gold_frequency(seen: Booleans, relevant: sparse.csr_matrix) -> Floats:
    """Return the number of seen questions to which an article is relevant; see `nearest_past`."""
    return np.asarray(seen.astype(np.float64) @ relevant)
