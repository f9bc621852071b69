"""Contexts of suppressed citations, pieces of decisions, and their scores equal a plain computation."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_contexts
import pytest
from plain_contexts import MARKER, contexts, made_texts, pieces, pool_of

from ir_coliee.engine.cases import terms
from ir_coliee.engine.cases.contexts import ContextScore, citing_contexts, context_scores, paragraph_pieces
from ir_coliee.engine.cases.texts import TokenSequences

QUERIES, TEXTS = made_texts()
ALL = QUERIES + TEXTS
SEQUENCES = TokenSequences.of(ALL)


def tokens_of(sequences, spans):
    return [
        [
            [sequences.vocabulary[token] for token in sequences.tokens[start:end]]
            for start, end in zip(spans.starts[first:last], spans.ends[first:last])
        ]
        for first, last in zip(spans.bounds, spans.bounds[1:])
    ]


@pytest.mark.parametrize(("before", "after", "max_contexts"), [(5, 5, 80), (50, 50, 80), (40, 60, None), (2, 3, 1)])
def test_contexts_are_those_of_a_plain_computation(before, after, max_contexts):
    found = tokens_of(SEQUENCES, citing_contexts(SEQUENCES, range(len(ALL)), before, after, max_contexts))
    assert found == [contexts(text, before, after, max_contexts) for text in ALL]
    if max_contexts == 80:
        assert len(found[1]) == 80 < len(contexts(QUERIES[1], before, after, None))


def test_pieces_are_those_of_a_plain_computation():
    assert tokens_of(SEQUENCES, paragraph_pieces(SEQUENCES, range(len(ALL)))) == [pieces(text) for text in ALL]


@pytest.mark.parametrize(("between", "expected"), [(8, 1), (9, 2)])
def test_markers_that_are_at_most_eight_tokens_apart_are_one_citation(between, expected):
    sequences = TokenSequences.of([f"As in {MARKER} {'and ' * between}{MARKER} we hold."])
    assert len(citing_contexts(sequences, [0], 5, 5)) == expected


@pytest.mark.parametrize(("length", "expected"), [(299, [300]), (300, [200, 101]), (599, [200, 200, 200])])
def test_a_paragraph_of_more_than_300_tokens_is_cut_every_200(length, expected):
    sequences = TokenSequences.of(["[1]\n" + "lamp " * length])
    assert paragraph_pieces(sequences, [0]).lengths.tolist() == expected


# --- scores ----------------------------------------------------------------------------------------

AGGREGATES = ("reciprocal_rank", "maximum", "softmax", "by_text")
CITABLE = np.random.default_rng(0).random((len(QUERIES), len(TEXTS))) >= 0.2
POOL = replace(pool_of(QUERIES, TEXTS), given=CITABLE)
DEFINITIONS = {
    (width, against, aggregate): ContextScore(width, against, aggregate)
    for width in (5, 50)
    for against in ("pieces", "texts")
    for aggregate in AGGREGATES
}


@pytest.mark.parametrize("against", ["pieces", "texts"])
@pytest.mark.parametrize("width", [5, 50])
def test_scores_are_those_of_a_plain_computation(against, width):
    found = context_scores(POOL, {name: ContextScore(width, against, name) for name in AGGREGATES})
    by_query = plain_contexts.scores_of_contexts(QUERIES, TEXTS, ~CITABLE, width, against)
    assert [len(rows) for rows in by_query][1:5] == [80, 0, 1, 0]
    for aggregate in AGGREGATES:
        expected = np.array(plain_contexts.aggregate(by_query, len(TEXTS), aggregate))
        assert expected[[0, 1]].any(axis=1).all()
        assert not expected[2:5].any()  # no marker, no known term, an empty text
        assert found[aggregate].dtype == np.float32
        np.testing.assert_allclose(found[aggregate], expected, rtol=1e-6, atol=1e-6)


@pytest.mark.slow  # numba compiles
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("installed", [False, True])
def test_every_back_end_and_number_of_threads_gives_the_same_bits(monkeypatch, threads, installed):
    pytest.importorskip("numba")
    monkeypatch.setattr(terms, "_WORTH_COMPILING", -1)
    monkeypatch.setattr(terms, "find_spec", lambda name: None)
    expected = context_scores(POOL, DEFINITIONS)
    monkeypatch.setattr(terms, "find_spec", lambda name: installed)
    found = context_scores(replace(POOL, threads=threads), DEFINITIONS)
    for name in DEFINITIONS:
        assert found[name].tobytes() == expected[name].tobytes(), name


def test_equal_texts_are_ranked_in_their_order_and_those_that_cannot_be_cited_take_no_rank():
    pool = pool_of([f"a brass lamp {MARKER}"], ["brass lamp", "no", "brass lamp"])
    np.testing.assert_allclose(ContextScore()(pool), [[1 / 3, 0, 1 / 4]], rtol=1e-6)
    pool = replace(pool, given=np.array([[False, True, True]]))
    np.testing.assert_allclose(ContextScore()(pool), [[0, 0, 1 / 3]], rtol=1e-6)


def test_a_term_of_more_than_five_percent_of_the_pieces_does_not_count():
    texts = ["brass lamp"] * 20 + [f"gate{'a' * number}" for number in range(380)]
    for number, counts in ((20, True), (21, False)):
        pool = pool_of([f"brass lamp {MARKER}"], ["brass lamp"] * (number - 20) + texts)
        assert ContextScore()(pool).any() == counts


def test_texts_of_later_years_have_no_score():
    pool = pool_of([f"a brass lamp {MARKER}"], ["brass lamp"] * 4)
    properties = [SimpleNamespace(year=year) for year in (2098, 2099, 2098, 2097, None)]
    pool = replace(pool, sequences=replace(pool.sequences, properties=properties))
    assert pool.citable.tolist() == [[False, True, True, True]]
    for score in context_scores(pool, DEFINITIONS).values():
        assert (score[0] > 0).tolist() == [False, True, True, True] or score[0, 0] < 1e-3  # softmax is never 0
