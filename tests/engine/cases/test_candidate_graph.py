"""The features of the second round, against loops over queries and texts."""

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.cases import candidates as candidates_module
from ir_coliee.engine.cases.candidates import GRAPH_FEATURES, CandidateGraph, Candidates, graph_features


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
    monkeypatch.setattr(candidates_module, "_AT_A_TIME", 7)
    candidates, probabilities, queries, texts = given
    found = graph_features(CandidateGraph.of(candidates, queries, texts), probabilities)
    expected = plain(*given)
    assert [*expected[0]] == [*GRAPH_FEATURES]
    for column, name in enumerate(GRAPH_FEATURES):
        np.testing.assert_allclose(found[:, column], [row[name] for row in expected], atol=1e-6, err_msg=name)


def test_gold_that_only_similar_texts_tell_is_found():
    """Each query notices three texts of a topic; the first round is sure of two, and knows nothing of the third."""
    topics = np.repeat(np.eye(8), 3, axis=0)
    texts = sparse.csr_matrix(topics)
    queries = np.repeat(np.arange(8), 24)
    candidates = Candidates(queries, np.tile(np.arange(24), 8))
    relevant = candidates.texts // 3 == queries
    is_known = candidates.texts % 3 > 0
    p = np.where(relevant & is_known, 0.8, 0.2)
    features = graph_features(CandidateGraph.of(candidates, sparse.csr_matrix(np.eye(8)), texts), p)
    named = dict(zip(GRAPH_FEATURES, features[~is_known].T))
    for name in ("by_texts", "by_nearest_texts", "likely_neighbour"):
        assert ((named[name] > 0.5) == relevant[~is_known]).all()
    assert len(set(named["value"])) == len(set(named["text_rank"])) == 1


def test_candidates_of_differing_number_do_not_see_each_other():
    candidates = Candidates(np.array([0, 1, 1]), np.array([0, 0, 1]))
    texts = sparse.csr_matrix(np.array([[1.0, 0.0], [0.6, 0.8]]))
    graph = CandidateGraph.of(candidates, texts, texts)
    np.testing.assert_allclose(graph.similar, [[0, 0], [0, 0.6], [0.6, 0]], atol=1e-6)


def test_a_pool_without_candidates_has_no_features():
    nothing = Candidates(np.empty(0, np.int64), np.empty(0, np.int64))
    graph = CandidateGraph.of(nothing, sparse.csr_matrix((2, 3)), sparse.csr_matrix((0, 3)))
    assert graph_features(graph, np.empty(0)).shape == (0, 22)
