"""Where scores stand in their groups, what query and document share, and scores of pairs by both ways."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ir_coliee.engine import weightings
from ir_coliee.engine.pools import GroupStatistics, fill_missing_scores, pair_scores, pool_scores, ratio_to_best
from ir_coliee.engine.weightings import Collection, document_weights

rows = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-2.0, -0.5, 0.0, 1.0, 3.0])), max_size=20)


def numbered(groups):
    """Groups as numbers from 0 on, all of which are there."""
    return np.unique(np.array(groups, dtype=np.int64), return_inverse=True)[1].astype(np.int64)


@given(rows, st.integers(1, 4))
def test_ranks_bests_and_means_equal_plain_ones(rows, k):
    groups, scores = numbered([group for group, _ in rows]), np.array([score for _, score in rows])
    standing = GroupStatistics(groups, scores)
    mine = [sorted(scores[groups == group], reverse=True) for group in groups]
    assert standing.ranks.tolist() == [sum(other > score for other in of) for of, score in zip(mine, scores)]
    assert standing.best(k).tolist() == [of[min(k, len(of)) - 1] for of in mine]
    assert standing.means == pytest.approx([sum(of) / len(of) for of in mine])


def test_more_groups_than_sixteen_bits_count():
    groups = np.repeat(np.arange(70_000), 2)[::-1].copy()
    standing = GroupStatistics(groups, np.arange(140_000.0))
    assert standing.ranks.tolist() == [1, 0] * 70_000


def test_the_best_is_one_whatever_its_sign_and_zero_is_nothing():
    assert ratio_to_best(np.array([3.0, -1.0, 0.0]), np.array([3.0, 2.0, 3.0])).tolist() == [1, -0.5, 0]
    assert ratio_to_best(np.array([-2.0, -8.0]), np.array([-2.0, -2.0])).tolist() == [1, 0.25]
    assert ratio_to_best(np.array([0.0, -8.0]), np.array([0.0, 0.0])).tolist() == [0, 0]


@given(rows, st.lists(st.booleans(), min_size=20, max_size=20))
def test_a_missing_score_is_the_lowest_of_its_group(rows, missing):
    groups = numbered([group for group, _ in rows])
    scores = np.array([np.nan if gone else score for (_, score), gone in zip(rows, missing)])
    lowest = [min((s for of, s in zip(groups, scores) if of == group and s == s), default=0.0) for group in groups]
    expected = [low if score != score else score for low, score in zip(lowest, scores)]
    assert fill_missing_scores(scores, groups).tolist() == expected


def random_counts(rng, documents, terms):
    counts = sparse.csr_matrix(rng.poisson(0.4, (documents, terms)).astype(np.int32))
    counts.sort_indices()
    return counts


@pytest.mark.parametrize("weighting", [weightings.BM25(), weightings.Dirichlet(10), weightings.TfIdf()], ids=repr)
@pytest.mark.parametrize("cheaper", [False, True])
def test_pairs_score_the_same_by_either_way(weighting, cheaper, monkeypatch):
    rng = np.random.default_rng(4)
    counts, queries = random_counts(rng, 30, 40), random_counts(rng, 40, 40).astype(np.float64)
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    pools = [rng.permutation(30)[: rng.integers(1, 9)] for _ in range(40)]
    collection = Collection.of(counts, lengths)
    asked = []

    def by_term():
        asked.append(1)
        return document_weights(weighting, counts, lengths, collection).T.tocsr()

    for cost in ("_FETCHED", "_FETCHED_WITH_NORM"):
        monkeypatch.setattr(f"ir_coliee.engine.pools.{cost}", 1e9 if cheaper else 0)
    found = [*pair_scores(by_term, weighting, counts, queries, pools, collection)]
    assert bool(asked) is cheaper
    expected = [*pool_scores(weighting, counts, queries, pools, collection)]
    assert len(found) == len(pools)
    for mine, other in zip(found, expected):
        assert mine == pytest.approx(other)
