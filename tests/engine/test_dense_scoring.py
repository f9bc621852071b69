"""Scores of embeddings: exact, and the same in any block."""

import numpy as np
import pytest

from ir_coliee.engine import scoring
from ir_coliee.engine.scoring import dense_scores


def vectors_of(counts, seed):
    return np.random.default_rng(seed).normal(size=(sum(counts), 7)).astype(np.float32), np.array(counts)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_highest_similarity_of_the_windows_counts_in_blocks_of_any_size(size, monkeypatch):
    monkeypatch.setattr(scoring, "_QUERY_VECTORS", size)
    monkeypatch.setattr(scoring, "_DOCUMENT_VECTORS", size)
    queries, documents = vectors_of([1, 3, 2, 1], 0), vectors_of([2, 1, 4, 1, 1], 1)
    scores = list(dense_scores(*queries, *documents))
    for of_query, some in zip(scores, np.split(queries[0], np.cumsum(queries[1])[:-1])):
        parts = np.split(documents[0], np.cumsum(documents[1])[:-1])
        expected = [max(sum(a * b for a, b in zip(x.tolist(), y.tolist())) for x in some for y in of) for of in parts]
        np.testing.assert_allclose(of_query, expected, rtol=1e-6)
        assert (of_query == of_query.astype(np.float32)).all()


def test_equal_documents_have_equal_scores_wherever_they_are():
    some = vectors_of([1] * 300, 2)[0]
    documents = np.tile(some, (40, 1))
    for scores in dense_scores(*vectors_of([1] * 5, 3), documents, np.ones(len(documents), np.int64)):
        assert (scores.reshape(40, 300) == scores[:300]).all()


def test_no_query_and_no_document():
    nothing = np.empty((0, 7), np.float32), np.empty(0, np.int64)
    assert list(dense_scores(*nothing, *vectors_of([1], 0))) == []
    assert [scores.tolist() for scores in dense_scores(*vectors_of([1], 0), *nothing)] == [[]]
