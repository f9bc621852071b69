"""Candidates of a pool and their features, against loops over queries and texts."""

import math
import re
from datetime import date

import numpy as np
import pytest
from plain_contexts import MARKER, named_texts, pool_of
from scipy import sparse

from ir_coliee.engine.cases import candidates as module
from ir_coliee.engine.cases.candidates import (
    GRAPH_FEATURES,
    PAIR_FEATURES,
    CandidateGraph,
    Candidates,
    best_candidates,
    graph_features,
    pair_features,
    pool_kinds,
    total_score,
)

# --- the kinds of a score ----------------------------------------------------------------------------


def scored_pool(seed, queries=5, texts=9):
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


@pytest.mark.parametrize("seed", range(3))
def test_the_four_kinds_are_those_of_the_allowed_pairs(seed):
    scores, allowed = scored_pool(seed)
    pairs = np.argwhere(allowed)
    found = pool_kinds(scores, allowed, Candidates(pairs[:, 0], pairs[:, 1]))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [plain_kinds(scores, allowed, *pair) for pair in pairs], atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_candidates_are_the_best_allowed_texts_and_equal_ones_keep_the_order_of_the_texts(seed):
    scores, allowed = scored_pool(seed)
    found = best_candidates(scores, allowed, 3)
    expected = [
        (query, text)
        for query in range(len(scores))
        for text in sorted(np.flatnonzero(allowed[query]), key=lambda text: (-scores[query, text], text))[:3]
    ]
    assert [*zip(found.queries, found.texts)] == expected
    assert found.places.tolist() == [place for query in range(5) for place in range(min(3, allowed[query].sum()))]


def test_the_total_adds_what_each_score_is_of_the_best_of_its_query():
    pools = [scored_pool(seed) for seed in range(3)]
    allowed = pools[0][1]
    total = total_score([scores for scores, _ in pools], allowed)
    for query, text in np.argwhere(allowed):
        bests = [max(scores[query][allowed[query]]) for scores, _ in pools]
        expected = sum(scores[query, text] / best for (scores, _), best in zip(pools, bests) if best > 0)
        assert total[query, text] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)])
def test_a_pool_without_queries_or_texts_has_no_candidates(shape):
    scores, allowed = np.zeros(shape, np.float32), np.ones(shape, bool)
    candidates = best_candidates(total_score([scores], allowed), allowed, 100)
    assert pool_kinds(scores, allowed, candidates).shape == (0, 4)


# --- the second round ----------------------------------------------------------------------------------


def vectors(random, number):
    counts = random.integers(0, 3, (number, 6)) * (random.random((number, 6)) < 0.6)
    lengths = np.sqrt((counts**2).sum(axis=1, keepdims=True))
    return sparse.csr_matrix(np.divide(counts, lengths, out=np.zeros(counts.shape), where=lengths > 0))


def pool(seed, queries=4, texts=30, of_query=20):
    random = np.random.default_rng(seed)
    pairs = [(query, text) for query in range(queries) for text in random.permutation(texts)[:of_query]]
    probabilities = random.integers(0, 11, len(pairs)) / 20
    candidates = Candidates(*np.array(pairs, dtype=np.int64).reshape(-1, 2).T)
    return candidates, probabilities, vectors(random, queries), vectors(random, texts)


def plain(candidates, probabilities, queries, texts):
    """The features of each candidate, one after the other, from the definitions."""
    p = {(query, text): value for query, text, value in zip(*candidates, probabilities)}
    like = {"q": (queries @ queries.T).toarray(), "t": (texts @ texts.T).toarray()}
    for matrix in like.values():
        np.fill_diagonal(matrix, 0)
    number = {"q": range(queries.shape[0]), "t": range(texts.shape[0])}

    def value(query, text):
        return p.get((query, text), 0)

    def nearest(kind, one):
        bound = sorted((np.float32(like[kind][one, other]) for other in number[kind]), reverse=True)[:10][-1]
        return [other for other in number[kind] if np.float32(like[kind][one, other]) >= bound]

    def by_texts(query, text):
        return sum(value(query, other) * like["t"][other, text] for other in number["t"])

    def share(part, whole):
        return part / whole if whole > 0 else 0

    rows = []
    for query, text in zip(*candidates):
        own, others = value(query, text), [value(other, text) for other in number["q"] if other != query]
        of_query = [value(query, other) for other in number["t"]]
        by_queries = sum(like["q"][query, other] * value(other, text) for other in number["q"])
        support = by_texts(query, text)
        rows.append(
            {
                "value": own,
                "ratio": share(own, max(of_query)),
                "rank": sum(other > own for other in of_query),
                "gap": own - sorted(of_query)[-6:][0],
                "text_rank": sum(other > own for other in others),
                "text_ratio": share(own, max(own, *others, 0)),
                "text_share": share(own, own + sum(others)),
                "text_sum": own + sum(others),
                "text_margin": own - max(others, default=0),
                "text_others": sum(others),
                "query_share": share(own, sum(of_query)),
                "query_sum": sum(of_query),
                "by_texts": support,
                "by_texts_rank": sum(
                    by_texts(query, other) > support + 1e-9 for other in number["t"] if (query, other) in p
                ),
                "by_queries": by_queries,
                "by_queries_mean": share(by_queries, like["q"][query].sum()),
                "by_nearest_texts": sum(like["t"][text, other] * value(query, other) for other in nearest("t", text)),
                "by_nearest_queries": sum(
                    like["q"][query, other] * value(other, text) for other in nearest("q", query)
                ),
                "share_by_queries": share(own, own + by_queries),
                "most_similar_query": max(like["q"][query]),
                "most_similar_text": max(like["t"][text]),
                "likely_neighbour": max(
                    like["t"][text, other] * value(query, other) * (value(query, other) > 0.1) for other in number["t"]
                ),
            }
        )
    return rows


@pytest.mark.parametrize(
    "given", [pool(0), pool(1, queries=13), pool(2, queries=1), pool(3, texts=4, of_query=3), pool(4, 2, 1, 1)]
)
def test_each_feature_of_the_second_round_is_as_defined(given, monkeypatch):
    monkeypatch.setattr(module, "_AT_A_TIME", 7)
    candidates, probabilities, queries, texts = given
    found = graph_features(CandidateGraph.of(candidates, queries, texts), probabilities)
    expected = plain(*given)
    assert [*expected[0]] == [*GRAPH_FEATURES]
    for column, name in enumerate(GRAPH_FEATURES):
        np.testing.assert_allclose(found[:, column], [row[name] for row in expected], atol=1e-6, err_msg=name)


def test_a_pool_without_candidates_has_no_features():
    nothing = Candidates(np.empty(0, np.int64), np.empty(0, np.int64))
    graph = CandidateGraph.of(nothing, sparse.csr_matrix((2, 3)), sparse.csr_matrix((0, 3)))
    assert graph_features(graph, np.empty(0)).shape == (0, 22)


# --- features without a score --------------------------------------------------------------------------


def test_pair_features_equal_plain_computations():
    asked, texts = named_texts(3, 7), named_texts(20, 8)
    queries, candidates = np.repeat([0, 1, 2], 20), np.tile(np.arange(20), 3)
    found = pair_features(pool_of(asked, texts), queries, candidates)
    assert found.shape == (60, len(PAIR_FEATURES))
    for values, row, column in zip(found, queries, candidates):
        query, text = asked[row], texts[column]
        years = [max(map(int, re.findall(r"1998|2001", each)), default=None) for each in (query, text)]
        days = [header_date(each) for each in (query, text)]
        lengths = [math.log(1 + len(each)) for each in (query, text)]
        paragraphs = [len(re.findall(r"(?m)^\[", each)) for each in (query, text)]
        pinpoints = [int(number) for number in re.findall(r"para\.? (\d)", query)]
        expected = {
            "year.difference": years[0] - years[1] if all(years) else 0,
            "year.missing": float(not all(years)),
            "case.log_length_of_query": lengths[0],
            "case.log_length_of_candidate": lengths[1],
            "case.log_length_difference": lengths[0] - lengths[1],
            "case.markers_of_query": query.count(MARKER),
            "case.markers_of_candidate": text.count(MARKER),
            "case.paragraphs_of_query": paragraphs[0],
            "case.paragraphs_of_candidate": paragraphs[1],
            "year.header_date_difference": days[0] - days[1],
            "year.header_date_of_candidate": days[1],
            "case.pinpoints_held": np.mean([number <= paragraphs[1] for number in pinpoints]) if pinpoints else 0,
        }
        assert dict(zip(PAIR_FEATURES, values)) == pytest.approx(expected, abs=1e-5, nan_ok=True)


def header_date(text):
    if text.startswith("May"):
        return date(1998, 5, 1).toordinal()
    return date(2001, 6, 3).toordinal() if text.startswith("June") else math.nan
