"""Scores by the contexts of citations equal a plain computation, with every back-end and number of threads."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_contexts
import pytest

from ir_coliee.engine.cases.contexts import (
    AGAINST,
    AGGREGATES,
    CONTEXT_SCORES,
    ContextScore,
    context_scores,
    later_texts,
)
from ir_coliee.engine.cases.texts import TextPool, TokenSequences
from ir_coliee.errors import MissingExtraError

QUERIES, TEXTS = plain_contexts.made_texts()
LATER = np.random.default_rng(0).random((len(QUERIES), len(TEXTS))) < 0.2


def pool_of(queries, texts):
    sequences = TokenSequences.of([*queries, *texts])
    return TextPool(sequences, np.arange(len(queries)), np.arange(len(queries), len(queries) + len(texts)))


POOL = pool_of(QUERIES, TEXTS)


@pytest.mark.parametrize("against", AGAINST)
@pytest.mark.parametrize("width", [5, 50])
def test_scores_are_those_of_a_plain_computation(against, width):
    definitions = {aggregate: ContextScore(width, against, aggregate) for aggregate in AGGREGATES}
    found = context_scores(POOL, definitions, excluded=LATER)
    by_query = plain_contexts.scores_of_contexts(QUERIES, TEXTS, LATER, width, against)
    assert [len(rows) for rows in by_query][1:5] == [80, 0, 1, 0]
    for aggregate in AGGREGATES:
        expected = np.array(plain_contexts.aggregate(by_query, len(TEXTS), aggregate))
        assert expected[[0, 1]].any(axis=1).all()
        assert not expected[2:5].any()  # no marker, no known term, an empty text
        assert found[aggregate].dtype == np.float32
        np.testing.assert_allclose(found[aggregate], expected, rtol=1e-6, atol=1e-6)


def test_the_scores_of_the_baseline_are_computed_as_defined():
    found = context_scores(POOL, excluded=LATER)
    assert found.keys() == CONTEXT_SCORES.keys()
    for name, definition in CONTEXT_SCORES.items():
        alone = context_scores(POOL, {"alone": definition}, excluded=LATER)["alone"]
        np.testing.assert_array_equal(found[name], alone)


@pytest.mark.slow  # numba compiles
@pytest.mark.parametrize(("backend", "threads"), [("scipy", 1), ("scipy", 2), ("numba", 1), ("numba", 2)])
def test_every_back_end_and_number_of_threads_gives_the_same_bits(backend, threads):
    if backend == "numba":
        pytest.importorskip("numba")
    expected = context_scores(POOL, excluded=LATER)
    found = context_scores(POOL, excluded=LATER, backend=backend, threads=threads)
    for name in CONTEXT_SCORES:
        assert found[name].tobytes() == expected[name].tobytes(), name


def test_equal_texts_are_ranked_in_their_order():
    pool = pool_of([f"a brass lamp {plain_contexts.MARKER}"], ["brass lamp", "no", "brass lamp"])
    scores = context_scores(pool, {"rr": ContextScore()}, excluded=np.zeros((1, 3), bool))["rr"]
    np.testing.assert_allclose(scores, [[1 / 3, 0, 1 / 4]], rtol=1e-6)


def test_a_term_of_more_than_five_percent_of_the_pieces_does_not_count():
    texts = ["brass lamp"] * 20 + [f"gate{'a' * number}" for number in range(380)]
    query = f"brass lamp {plain_contexts.MARKER}"
    for number, counts in ((20, True), (21, False)):
        pool = pool_of([query], ["brass lamp"] * (number - 20) + texts)
        scores = context_scores(pool, {"rr": ContextScore()}, excluded=np.zeros((1, len(pool.texts)), bool))["rr"]
        assert scores.any() == counts


def test_texts_of_later_years_have_no_score():
    pool = pool_of([f"a brass lamp {plain_contexts.MARKER}"], ["brass lamp"] * 4)
    properties = [SimpleNamespace(year=year) for year in (2098, 2099, 2098, 2097, None)]
    pool = replace(pool, sequences=replace(pool.sequences, properties=properties))
    assert later_texts(pool).tolist() == [[True, False, False, False]]
    for score in context_scores(pool).values():
        assert (score[0] > 0).tolist() == [False, True, True, True] or score[0, 0] < 1e-3  # softmax is never 0


def test_later_years_do_not_count_among_the_ranks():
    pool = pool_of([f"a brass lamp {plain_contexts.MARKER}"], ["brass lamp", "brass lamp and gate"])
    scores = context_scores(pool, {"rr": ContextScore()}, excluded=np.array([[True, False]]))["rr"]
    np.testing.assert_allclose(scores, [[0, 1 / 3]], rtol=1e-6)


@pytest.mark.parametrize(("queries", "texts"), [([], []), (QUERIES[:1], []), ([], TEXTS), (QUERIES[:1], ["", ""])])
def test_a_pool_without_queries_texts_or_tokens_has_scores_of_0(queries, texts):
    pool = pool_of(queries, texts)
    found = context_scores(pool, excluded=np.zeros((len(queries), len(texts)), bool))
    assert found.keys() == CONTEXT_SCORES.keys()
    for score in found.values():
        assert (score.shape, score.any()) == ((len(queries), len(texts)), False)


def test_numba_that_is_not_installed_is_refused_with_the_extra_that_brings_it(monkeypatch):
    monkeypatch.setattr("ir_coliee.engine.cases.terms.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"ir.coliee\[fast\]"):
        context_scores(POOL, excluded=LATER, backend="numba")
