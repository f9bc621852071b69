"""Scores of query terms and their best share, against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ir_coliee.engine.weightings import Collection
from ir_coliee.transformers.queries.tokens import idf, kl_informativeness, parsimonious_model, select_terms, tf_idf

TERMS = 6
queries = st.lists(st.dictionaries(st.integers(0, TERMS - 1), st.integers(1, 9)), min_size=1, max_size=4)
collections = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40)), min_size=TERMS, max_size=TERMS)


def matrix(rows):
    dense = np.zeros((len(rows), TERMS))
    for row, query in enumerate(rows):
        for term, tf in query.items():
            dense[row, term] = tf
    return sparse.csr_matrix(dense)


def collection(terms):
    df, cf = np.array(terms, dtype=np.float64).T
    return Collection(5, max(float(cf.sum()), 1.0), df, cf)


def by_term(vectors, scores):
    return [
        dict(zip(vectors.indices[start:end].tolist(), scores[start:end].tolist()))
        for start, end in zip(vectors.indptr, vectors.indptr[1:])
    ]


def check(of_vectors, of_query, rows, terms):
    vectors, background = matrix(rows), collection(terms)
    shares = [max(cf, 1) / background.tokens for cf in background.cf.tolist()]
    dfs = background.df.tolist()
    for found, query in zip(by_term(vectors, of_vectors(vectors, background)), rows):
        assert found == pytest.approx(of_query(query, shares, dfs), abs=1e-12)


@given(queries, collections)
def test_kl_informativeness(rows, terms):
    def plain(query, shares, _):
        length = sum(query.values())
        return {t: tf / length * math.log(tf / length / shares[t]) for t, tf in query.items()}

    check(kl_informativeness, plain, rows, terms)


@given(queries, collections, st.sampled_from([0.01, 0.1, 0.9, 1.0]), st.sampled_from([0, 1, 2, 30]))
def test_the_parsimonious_model(rows, terms, lambda_, iterations):
    def plain(query, shares, _):
        model = {t: tf / sum(query.values()) for t, tf in query.items()}
        for _ in range(iterations):
            expected = {
                t: tf * lambda_ * model[t] / ((1 - lambda_) * shares[t] + lambda_ * model[t]) for t, tf in query.items()
            }
            model = {t: e / sum(expected.values()) for t, e in expected.items()}
        return model

    check(lambda *given: parsimonious_model(*given, lambda_=lambda_, iterations=iterations), plain, rows, terms)


@given(queries, collections)
def test_idf_and_tf_idf(rows, terms):
    check(idf, lambda query, _, dfs: {t: math.log(5 / max(dfs[t], 1)) for t in query}, rows, terms)
    check(tf_idf, lambda query, _, dfs: {t: tf * math.log(5 / max(dfs[t], 1)) for t, tf in query.items()}, rows, terms)


@pytest.mark.slow
@given(
    queries, st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), min_size=24, max_size=24), st.sampled_from([0.1, 0.5, 1])
)
@pytest.mark.parametrize("of", ["terms", "tokens"])
def test_the_best_share_is_that_of_a_sort(of, rows, scores, share):
    vectors = matrix(rows)
    of_terms = by_term(vectors, np.array(scores[: vectors.nnz]))
    for found, query, score in zip(
        by_term(kept := select_terms(vectors, np.array(scores[: vectors.nnz]), share, of), kept.data), rows, of_terms
    ):
        counted = len(query) if of == "terms" else sum(query.values())
        size = max(int(share * counted + 0.5), 1)
        assert found == {t: query[t] for t in sorted(query, key=lambda t: (-score[t], t))[:size]}


def test_without_queries_or_terms_there_is_nothing():
    empty = sparse.csr_matrix((2, 0))
    nothing = Collection(0, 0.0, np.empty(0), np.empty(0))
    for scores in (kl_informativeness, idf, tf_idf):
        assert scores(empty, nothing).tolist() == []
    assert parsimonious_model(empty, nothing, lambda_=0.1, iterations=3).tolist() == []
    assert select_terms(empty, np.empty(0), 0.5).shape == (2, 0)
