"""Groups scored by their members, against plain Python."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ir_coliee.engine import weightings
from ir_coliee.engine.pools import aggregator, pool_group_scores, top_groups
from ir_coliee.engine.weightings import Collection, document_weights, query_weights

TERMS = 30
aggregates = st.sampled_from(["max", "mean"]) | st.integers(1, 6)


def plain(scores, aggregate):
    if aggregate == "max":
        return max(scores)
    chosen = sorted(scores, reverse=True)[: None if aggregate == "mean" else aggregate]
    return sum(chosen) / len(chosen)


def bounds_of(sizes):
    return np.cumsum([0, *sizes])


@given(st.lists(st.lists(st.integers(-9, 9).map(float), min_size=1, max_size=8), min_size=1, max_size=6), aggregates)
def test_a_group_gets_the_best_or_the_mean_of_its_members(groups, aggregate):
    members = np.array([*chain(*groups)])
    scores = np.array([members, -members])
    found = aggregator(bounds_of(map(len, groups)), aggregate)(scores)
    expected = [[plain(group, aggregate) for group in groups], [plain([-s for s in g], aggregate) for g in groups]]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


counts = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=3)


def plain_scores(queries, groups, aggregate, query_aggregate):
    scores = {}
    for number, group in enumerate(groups):
        pairs = [[sum(q * d for q, d in zip(query, document)) for document in group] for query in queries]
        if any(map(any, pairs)):
            scores[number] = plain([plain(of_query, aggregate) for of_query in pairs], query_aggregate)
    return scores


def matrix(groups):
    return sparse.csr_matrix(np.array([*chain(*groups)], dtype=np.float64).reshape(-1, 4))


@given(st.lists(counts, max_size=4), st.lists(counts, max_size=5), aggregates, aggregates)
def test_the_ranking_is_that_of_every_pair_scored_by_itself(queries, groups, aggregate, query_aggregate):
    def rankings(k):
        found = top_groups(
            matrix(queries),
            bounds_of(map(len, queries)),
            matrix(groups).T.tocsr(),
            bounds_of(map(len, groups)),
            k,
            aggregate=aggregate,
            query_aggregate=query_aggregate,
        )
        return [list(zip(ranking.documents.tolist(), ranking.scores.tolist())) for ranking in found]

    whole = rankings(len(groups) + 1)
    assert len(whole) == len(queries)
    for query, ranking in zip(queries, whole):
        assert dict(ranking) == pytest.approx(plain_scores(query, groups, aggregate, query_aggregate))
        assert ranking == sorted(ranking, key=lambda scored: (-scored[1], scored[0]))
    assert rankings(2) == [ranking[:2] for ranking in whole]


def random_counts(rows, rng):
    counted = sparse.random(rows, TERMS, density=0.2, random_state=rng, data_rvs=lambda n: rng.integers(1, 5, n))
    return counted.tocsr().astype(np.int32)


class Case:
    """Groups of one to 140 members and queries of one to 70, more than are scored at a time."""

    rng = np.random.default_rng(7)
    sizes = [1, 140, 3, 9, 1, 70, 17, 2]
    query_sizes = [1, 70, 2, 16, 5, 1, 33]
    bounds, query_bounds = bounds_of(sizes), bounds_of(query_sizes)
    counts = random_counts(sum(sizes), rng)
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    queries = random_counts(sum(query_sizes), rng).astype(np.float64)
    collection = Collection.of(counts, lengths)


FORMULAS = [weightings.BM25(idf="robertson"), weightings.Dirichlet(9.0), weightings.TfIdf(), weightings.JelinekMercer()]
every_formula = pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: type(formula).__name__)
every_way = pytest.mark.parametrize(("aggregate", "query_aggregate"), [("mean", "max"), (3, "mean"), ("max", 4)])


def ranked(formula, **options):
    found = top_groups(
        query_weights(formula, Case.queries, Case.collection),
        Case.query_bounds,
        document_weights(formula, Case.counts, Case.lengths, Case.collection).T.tocsr(),
        Case.bounds,
        len(Case.sizes),
        document_part=formula.length_weights(Case.lengths),
        **options,
    )
    return [list(zip(ranking.documents.tolist(), ranking.scores.tolist())) for ranking in found]


@every_formula
@pytest.mark.parametrize(("backend", "threads"), [("scipy", 3), ("numba", 1), ("numba", 3)])
def test_no_backend_and_no_number_of_threads_changes_a_bit(formula, backend, threads):
    pytest.importorskip(backend)
    ways = {"aggregate": 3, "query_aggregate": "mean"}
    expected = ranked(formula, **ways, backend="scipy")
    assert ranked(formula, **ways, backend=backend, threads=threads) == expected


@every_formula
@every_way
def test_groups_of_a_pool_get_the_scores_of_the_ranking_to_the_last_bit(formula, aggregate, query_aggregate):
    ways = {"aggregate": aggregate, "query_aggregate": query_aggregate}
    pool = [6, 1, 3, 5]
    members = [np.arange(Case.bounds[group], Case.bounds[group + 1]) for group in pool]
    documents, bounds = np.concatenate(members), bounds_of(map(len, members))
    pools = [(documents, bounds)] * len(Case.query_sizes)
    scored = pool_group_scores(formula, Case.counts, Case.queries, Case.query_bounds, pools, Case.collection, **ways)
    expected = [dict(ranking) for ranking in ranked(formula, **ways)]
    compared = 0
    for found, of_query in zip(scored, expected):
        for group, score in zip(pool, found.tolist()):
            if group in of_query:  # one that shares no term is no result
                assert score == of_query[group]
                compared += 1
    assert compared > 20
