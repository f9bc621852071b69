"""Each weighting against its formula, computed word by word from the documents."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from ir_coliee.engine.pools import pool_scores
from ir_coliee.engine.scoring import top_k
from ir_coliee.engine.weightings import (
    BM25,
    Collection,
    Dirichlet,
    JelinekMercer,
    SharedIdf,
    TfIdf,
    document_weights,
    query_weights,
)

VOCABULARY = ["gate", "lamp", "road", "well"]
texts = st.lists(st.sampled_from(VOCABULARY), max_size=8)
collections = st.lists(texts, min_size=1, max_size=6)
# a query of counts, or of weights that a rewriter gave
queries = st.dictionaries(st.sampled_from(VOCABULARY), st.integers(1, 4) | st.sampled_from([0.25, 1.5]), max_size=4)

weightings = st.one_of(
    st.builds(
        BM25, st.floats(0, 5), st.floats(0, 1), st.none() | st.floats(0, 1000), st.sampled_from(["lucene", "robertson"])
    ),
    st.builds(Dirichlet, st.floats(0.5, 3000)),
    st.builds(JelinekMercer, st.floats(0.01, 0.99)),
    st.builds(TfIdf, st.sampled_from(["log", "count", "binary"])),
    st.just(SharedIdf()),
)


def plain_score(weighting, docs, document, query):
    """The score of a document for a query of weighted terms; only terms of the collection count."""
    n, tokens = len(docs), sum(map(len, docs))
    df = {term: sum(term in other for other in docs) for term in VOCABULARY}
    cf = {term: sum(other.count(term) for other in docs) for term in VOCABULARY}
    query = {term: weight for term, weight in query.items() if df[term]}
    tf = Counter(document)
    shared = [term for term in query if tf[term]]
    if isinstance(weighting, BM25):
        score = 0.0
        for term in shared:
            idf = math.log((n - df[term] + 0.5) / (df[term] + 0.5) + (weighting.idf == "lucene"))
            norm = weighting.k1 * ((1 - weighting.b) + weighting.b * len(document) / (tokens / n))
            saturated = query[term]
            if weighting.k3 is not None:
                saturated = (weighting.k3 + 1) * query[term] / (weighting.k3 + query[term])
            score += idf * (weighting.k1 + 1) * tf[term] / (norm + tf[term]) * saturated
        return score
    if isinstance(weighting, Dirichlet):
        # the likelihood itself, less what depends on the query alone
        score = 0.0
        for term, weight in query.items():
            background = cf[term] / tokens
            score += weight * math.log((tf[term] + weighting.mu * background) / (len(document) + weighting.mu))
            score -= weight * math.log(background)
        return score
    if isinstance(weighting, JelinekMercer):
        score = 0.0
        for term, weight in query.items():
            background = weighting.lambda_ * cf[term] / tokens
            share = tf[term] / len(document) if document else 0.0
            score += weight * (math.log((1 - weighting.lambda_) * share + background) - math.log(background))
        return score
    if isinstance(weighting, SharedIdf):
        return sum(math.log(1 + (n - df[term] + 0.5) / (df[term] + 0.5)) for term in shared)

    def vector(terms):
        def local(frequency):
            if weighting.tf == "log":
                return 1 + math.log(frequency) if frequency >= 1 else frequency
            return frequency if weighting.tf == "count" else 1

        return {term: local(count) * (math.log((1 + n) / (1 + df[term])) + 1) for term, count in terms.items()}

    left, right = vector(query), vector(tf)
    norms = math.hypot(*left.values()) * math.hypot(*right.values())
    return sum(left[term] * right[term] for term in shared) / norms if shared else 0.0


def matrix(bags):
    made = sparse.csr_matrix([[float(bag.get(term, 0)) for term in VOCABULARY] for bag in bags])
    made.sort_indices()
    return made


def engine_parts(docs):
    counts = matrix([Counter(doc) for doc in docs])
    counts.data = counts.data.astype(np.int32)
    lengths = np.array([len(doc) for doc in docs], dtype=float)
    return counts, lengths, Collection.of(counts, lengths)


def known(docs, query):
    return {term: weight for term, weight in query.items() if any(term in doc for doc in docs)}


def retrieved(weighting, docs, query, k=100):
    counts, lengths, collection = engine_parts(docs)
    vectors = query_weights(weighting, matrix([known(docs, query)]), collection)
    by_term = document_weights(weighting, counts, lengths, collection).T.tocsr()
    return next(top_k(vectors, by_term, k, document_part=weighting.length_weights(lengths)))


@pytest.mark.slow
@given(weightings, collections, queries)
@settings(max_examples=150)
def test_scores_are_those_of_the_formula_and_rescoring_gives_the_bits_of_retrieval(weighting, docs, query):
    ranking = retrieved(weighting, docs, query)
    expected = {n: plain_score(weighting, docs, doc, query) for n, doc in enumerate(docs)}
    found = dict(zip(ranking.documents.tolist(), ranking.scores.tolist()))
    assert found.keys() == {n for n, doc in enumerate(docs) if set(doc) & set(query)}
    counts, _, collection = engine_parts(docs)
    pool = np.arange(len(docs))[::-1]
    [scores] = pool_scores(weighting, counts, matrix([known(docs, query)]), [pool], collection)
    rescored = dict(zip(pool.tolist(), scores.tolist()))
    assert rescored == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert rescored | found == rescored


@pytest.mark.slow
@given(weightings, collections, st.lists(st.tuples(queries, st.sets(st.integers(0, 5), min_size=1)), max_size=4))
@settings(max_examples=100)
def test_rescoring_with_the_pools_statistics_sees_the_pool_alone(weighting, docs, asked):
    asked = [(query, sorted(n for n in pool if n < len(docs))) for query, pool in asked]
    assume(all(pool for _, pool in asked))
    counts, _, _ = engine_parts(docs)
    vectors = matrix([query for query, _ in asked]) if asked else sparse.csr_matrix((0, len(VOCABULARY)))
    pools = [np.array(pool) for _, pool in asked]
    found = list(pool_scores(weighting, counts, vectors, pools, None))
    assert len(found) == len(asked)
    for (query, pool), scores in zip(asked, found):
        inside = [docs[number] for number in pool]
        expected = [plain_score(weighting, inside, doc, query) for doc in inside]
        assert scores.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("together", [1, 3, 7, 10_000])
def test_more_pools_than_are_fetched_at_once_are_all_scored(monkeypatch, together):
    monkeypatch.setattr("ir_coliee.engine.pools._TOGETHER", together)
    docs = [["gate"], ["lamp", "gate"], ["well", "lamp", "lamp"], ["road"]]
    asked = [({VOCABULARY[n % 4]: 1 + n}, [n % 3, 3, 2]) for n in range(150)]
    counts, _, collection = engine_parts(docs)
    pools = [np.array(pool) for _, pool in asked]
    found = list(pool_scores(SharedIdf(), counts, matrix([query for query, _ in asked]), pools, collection))
    expected = [[plain_score(SharedIdf(), docs, docs[number], query) for number in pool] for query, pool in asked]
    assert [scores.tolist() for scores in found] == [pytest.approx(scores) for scores in expected]


def test_a_document_that_scores_nothing_is_returned_where_it_shares_a_term():
    # the idf of a term in half of the documents is 0 by Robertson's formula, and below 0 for one in all
    docs = [["gate", "lamp"], ["lamp"], ["lamp", "gate"], ["lamp"]]
    assert retrieved(BM25(idf="robertson"), docs, {"gate": 1}).documents.tolist() == [0, 2]
    assert len(retrieved(BM25(idf="robertson"), docs, {"lamp": 1}).documents) == 4


@pytest.mark.parametrize(
    ("make", "name", "values"),
    [
        (BM25, "k1", [-1.0, math.inf, None]),
        (BM25, "b", [1.1, math.nan, None]),
        (BM25, "k3", [-0.1, math.nan]),
        (BM25, "idf", ["plain", ["lucene"], None]),
        (Dirichlet, "mu", [0.0, math.inf, None]),
        (JelinekMercer, "lambda_", [0.0, 1.0, None]),
        (TfIdf, "tf", ["max", None]),
    ],
)
def test_a_parameter_out_of_range_or_of_another_type_is_refused_by_name(make, name, values):
    for value in (*values, "1", [1], np.array([1.0, 2.0]), 1j, 10**400):
        with pytest.raises(ValueError, match=f"^{name} must be .*, got "):
            make(**{name: value})
