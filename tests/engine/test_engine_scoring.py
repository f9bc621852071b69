from importlib.util import find_spec
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from ir_coliee.engine import scoring
from ir_coliee.engine.scoring import BACKENDS, top_k
from ir_coliee.errors import MissingExtraError

INSTALLED = [name for name in BACKENDS if name == "scipy" or find_spec(name)]
every_backend = pytest.mark.parametrize("backend", INSTALLED)

# few values, so that documents tie; negative ones and zeros, as an idf may be
weights = st.sampled_from([None, None, 0.5, 1.0, 1.0, 0.1, 0.0, -1.0])
query_weights = st.sampled_from([None, None, 1.0, 2.0, 0.3, -0.5])


def grids(values, rows, columns):
    row = st.lists(values, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows)


def matrix(grid, columns):
    """A sparse matrix whose explicit zeros stay entries; None is no entry."""
    entries = [(r, c, value) for r, row in enumerate(grid) for c, value in enumerate(row) if value is not None]
    rows, cols, data = zip(*entries) if entries else ((), (), ())
    made = sparse.coo_matrix((np.array(data, dtype=float), (rows, cols)), shape=(len(grid), columns)).tocsr()
    made.sort_indices()
    return made


def plain_ranking(query, by_term, k, parts):
    scores = {}
    for weight, row in zip(query, by_term):
        for document, value in enumerate(row):
            if weight is not None and value is not None:
                scores[document] = scores.get(document, 0.0) + weight * value
    total = 0.0
    for weight in query:
        total += weight or 0.0
    scores = {document: score + (total * parts[document] if parts else 0.0) for document, score in scores.items()}
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k]


@st.composite
def problems(draw):
    terms, documents = draw(st.integers(1, 5)), draw(st.integers(1, 7))
    by_term = draw(grids(weights, terms, documents))
    queries = draw(st.lists(st.lists(query_weights, min_size=terms, max_size=terms), max_size=5))
    parts = draw(st.none() | st.lists(st.sampled_from([0.0, -0.5, -2.0]), min_size=documents, max_size=documents))
    return queries, by_term, draw(st.integers(1, 8)), parts


@pytest.mark.slow
@every_backend
@given(problems(), st.integers(1, 3), st.sampled_from([1, 2, 32]))
@settings(max_examples=80)
def test_the_best_documents_are_those_of_a_plain_sum_to_the_last_bit(backend, problem, threads, batch):
    queries, by_term, k, parts = problem
    vectors, lists = matrix(queries, len(by_term)), matrix(by_term, len(by_term[0]))
    part = None if parts is None else np.array(parts)
    with mock.patch.dict(scoring._BATCH, {backend: batch}):
        found = list(top_k(vectors, lists, k, document_part=part, backend=backend, threads=threads))
    assert len(found) == len(queries)
    for query, ranking in zip(queries, found):
        assert list(zip(ranking.documents.tolist(), ranking.scores.tolist())) == plain_ranking(query, by_term, k, parts)


def seeded(kind):
    """Documents of which each comes three times, so that most cuts go through a tie."""
    rng = np.random.default_rng(5)
    once = sparse.random(400, 80, density=0.2, random_state=rng, format="csr")
    by_term = sparse.hstack([once, once, once]).tocsr()
    if kind == "with negative weights":
        by_term.data -= 0.3
    queries = sparse.random(150, 400, density=0.15, random_state=rng, format="csr")
    return queries, by_term


@every_backend
def test_ties_at_the_cut_go_to_the_lowest_documents(backend):
    queries, by_term = seeded("positive")
    cut_through = 0
    for few, everything in zip(top_k(queries, by_term, 50, backend=backend), top_k(queries, by_term, 240)):
        order = np.lexsort((everything.documents, -everything.scores))[:50]
        assert few.documents.tolist() == everything.documents[order].tolist()
        cut_through += everything.scores[49] == everything.scores[50]
    assert cut_through > 50


def test_numba_that_is_not_installed_is_refused_with_the_extra_that_brings_it(monkeypatch):
    monkeypatch.setattr(scoring, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[fast\]"):
        list(top_k(sparse.csr_matrix([[1.0]]), sparse.csr_matrix([[1.0]]), 5, backend="numba"))


@pytest.mark.parametrize(
    ("installed", "postings", "expected"), [(True, 3, "scipy"), (True, 2, "numba"), (False, 2, "scipy")]
)
def test_numba_is_chosen_where_it_is_installed_and_compiling_pays(monkeypatch, installed, postings, expected):
    monkeypatch.setattr(scoring, "find_spec", lambda name: object() if installed else None)
    monkeypatch.setattr(scoring, "_WORTH_COMPILING", postings)
    queries, by_term = sparse.csr_matrix([[1.0, 0], [1.0, 1.0]]), sparse.csr_matrix([[1.0, 0], [0, 1.0]])
    assert scoring._fitting(queries, by_term) == expected
