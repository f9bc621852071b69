"""Scores of articles by their texts, and by the best of their passages, as dense matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ir_coliee.engine.building import count_terms
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import Weighting, document_weights, query_weights
from ir_coliee.frames import Floats, Integers
from ir_coliee.text.analysers import Analysis


def counted(texts: Sequence[str], analyser: Analysis) -> TermCounts:
    """Term counts of texts in their order.

    Parameters
    ----------
    texts : sequence of str
        The texts; row i of the counts belongs to ``texts[i]``.
    analyser : Analysis
        Analyser of the texts.

    Examples
    --------
    >>> counted(["a lamp", "a gate"], "words").counts.toarray().tolist()
    [[1, 0, 1], [1, 1, 0]]
    """
    # documents are sorted by their ids
    corpus = ({"docno": f"{number:08}", "text": text} for number, text in enumerate(texts))
    return count_terms(corpus, analyser, processes=1)


def text_scores(index: TermCounts, weighting: Weighting, questions: Sequence[str]) -> Floats:
    """Scores of all texts for all questions.

    Parameters
    ----------
    index : TermCounts
        The texts, see `counted`.
    weighting : Weighting
        `BM25` or `TfIdf`; the statistics are those of the index.
    questions : sequence of str
        The questions.

    Returns
    -------
    float64 array, questions x texts

    Examples
    --------
    >>> from ir_coliee.engine.weightings import TfIdf
    >>> text_scores(counted(["a lamp", "a gate"], "words"), TfIdf(), ["gate"]).round(2).tolist()
    [[0.0, 0.81]]
    """
    vectors = query_weights(weighting, index.query_vectors(questions), index.collection)
    weights = document_weights(weighting, index.counts, index.lengths, index.collection)
    scores: Floats = (vectors @ weights.T).toarray()
    return scores


def best_passages(scores: Floats, articles: Integers, size: int) -> Floats:
    """Score of the best passage of each article.

    Parameters
    ----------
    scores : float64 array, questions x passages
        Scores of the passages.
    articles : int64 array
        Row of the article of each passage, ascending, see `ArticleCollection.passages`.
    size : int
        Number of articles.

    Returns
    -------
    float64 array, questions x articles
        0 for an article without passages.

    Examples
    --------
    >>> best_passages(np.array([[1.0, 3.0, 2.0]]), np.array([0, 0, 2]), 3).tolist()
    [[3.0, 0.0, 2.0]]
    """
    best = np.zeros((len(scores), size))
    starts = np.flatnonzero(np.append(True, articles[1:] != articles[:-1])[: len(articles)])
    if len(starts):
        best[:, articles[starts]] = np.maximum.reduceat(scores, starts, axis=1)
    return best
