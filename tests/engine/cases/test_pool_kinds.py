"""Candidates of a pool and the four kinds of a score, against loops over the pairs."""

import numpy as np
import pytest

from ir_coliee.engine.cases.candidates import Candidates, best_candidates, pool_kinds, total_score


def pool(seed, queries=5, texts=9):
    """Scores with ties and zeros, some of them negative, and pairs of which two thirds are allowed."""
    random = np.random.default_rng(seed)
    scores = random.integers(-1, 6, (queries, texts)).astype(np.float32) / 3
    return scores, random.random((queries, texts)) < 0.7


def plain_kinds(scores, allowed, query, text):
    of_query = [scores[query, other] for other in range(scores.shape[1]) if allowed[query, other]]
    of_text = [scores[other, text] for other in range(scores.shape[0]) if allowed[other, text]]
    value = scores[query, text]
    return [
        value / max(of_query) if max(of_query) > 0 else 0,
        sum(other > value for other in of_query),
        sum(other > value for other in of_text),
        value / max(of_text) if max(of_text) > 0 else 0,
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_four_kinds_are_those_of_the_allowed_pairs(seed):
    scores, allowed = pool(seed)
    pairs = np.argwhere(allowed)
    found = pool_kinds(scores, allowed, Candidates(pairs[:, 0], pairs[:, 1]))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [plain_kinds(scores, allowed, *pair) for pair in pairs], atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_candidates_are_the_best_allowed_texts_and_equal_ones_keep_the_order_of_the_texts(seed):
    scores, allowed = pool(seed)
    found = best_candidates(scores, allowed, 3)
    expected = [
        (query, text)
        for query in range(len(scores))
        for text in sorted(np.flatnonzero(allowed[query]), key=lambda text: (-scores[query, text], text))[:3]
    ]
    assert [*zip(found.queries, found.texts)] == expected
    assert found.places.tolist() == [place for query in range(5) for place in range(min(3, allowed[query].sum()))]


def test_the_total_adds_what_each_score_is_of_the_best_of_its_query():
    pools = [pool(seed) for seed in range(3)]
    allowed = pools[0][1]
    total = total_score([scores for scores, _ in pools], allowed)
    for query, text in np.argwhere(allowed):
        bests = [max(scores[query][allowed[query]]) for scores, _ in pools]
        expected = sum(scores[query, text] / best for (scores, _), best in zip(pools, bests) if best > 0)
        assert total[query, text] == pytest.approx(expected, abs=1e-6)


def test_gold_that_only_the_pool_tells_is_found_by_the_kinds_across_queries():
    """Texts differ in how similar they are to all queries; each is noticed by the query it is slightly closer to."""
    random = np.random.default_rng(0)
    noticed_by = random.permutation(np.arange(60) % 12)
    gold = noticed_by == np.arange(12)[:, None]
    scores = (random.random(60) + 0.01 * random.random((12, 60)) + 0.02 * gold).astype(np.float32)
    allowed = np.ones(scores.shape, bool)
    candidates = best_candidates(scores, allowed, 60)
    _, rank, query_rank, query_ratio = pool_kinds(scores, allowed, candidates).T
    relevant = gold[candidates.queries, candidates.texts]
    assert (query_rank == 0).tolist() == (query_ratio == 1).tolist() == relevant.tolist()
    assert relevant[rank < 5].mean() < 0.2  # by the query's own ranking, as by chance: 5 of 60


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)])
def test_a_pool_without_queries_or_texts_has_no_candidates(shape):
    scores, allowed = np.zeros(shape, np.float32), np.ones(shape, bool)
    candidates = best_candidates(total_score([scores], allowed), allowed, 100)
    assert pool_kinds(scores, allowed, candidates).shape == (0, 4)
