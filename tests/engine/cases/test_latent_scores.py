"""Latent semantic scores equal a plain computation with dense vectors."""

import math
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import plain_contexts
import pytest

from ir_coliee.engine.cases.scores import latent_scores
from ir_coliee.engine.cases.texts import TextPool, TokenSequences
from ir_coliee.errors import MissingExtraError

pytest.importorskip("sklearn")

QUERIES, TEXTS = plain_contexts.made_texts(1)
LATER = np.random.default_rng(0).random((len(QUERIES), len(TEXTS))) < 0.2


def pool_of(queries, texts):
    sequences = TokenSequences.of([*queries, *texts])
    return TextPool(sequences, np.arange(len(queries)), np.arange(len(queries), len(queries) + len(texts)))


POOL = pool_of(QUERIES, TEXTS)


def plain_vectors(spans, dimensions):
    df = plain_contexts.document_frequencies(spans)
    terms = sorted(term for term in df if 5 <= df[term] <= max(20, 0.1 * len(spans)))
    rows = np.zeros((len(spans), len(terms)))
    for row, span in enumerate(spans):
        for column, term in enumerate(terms):
            if term in span:
                rows[row, column] = (1 + math.log(span.count(term))) * plain_contexts.idf(df[term], len(spans))
        rows[row] /= np.linalg.norm(rows[row]) or 1
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    projected = rows @ directions[:dimensions].T
    lengths = np.linalg.norm(projected, axis=1, keepdims=True)
    return projected / np.where(lengths > 1e-9, lengths, 1)


def plain_scores(queries, texts, later, dimensions, width):
    pieces = [plain_contexts.pieces(text) for text in texts]
    contexts = [plain_contexts.contexts(query, width, width) for query in queries]
    vectors = iter(plain_vectors([span for spans in pieces + contexts for span in spans], dimensions))
    of_texts, of_queries = ([[next(vectors) for _ in spans] for spans in each] for each in (pieces, contexts))
    by_query = [
        [
            [
                0 if is_later else max((round(float(context @ piece), 6) for piece in of_text), default=0)
                for of_text, is_later in zip(of_texts, row)
            ]
            for context in of_query
        ]
        for of_query, row in zip(of_queries, later)
    ]

    def cosine(first, second):
        first, second = sum(first, np.zeros(1)), sum(second, np.zeros(1))
        lengths = np.linalg.norm(first) * np.linalg.norm(second)
        return (first @ second).item() / lengths if lengths else 0

    document = [
        [cosine(of_query, of_text) if of_query and of_text else 0 for of_text in of_texts] for of_query in of_queries
    ]
    return plain_contexts.aggregate(by_query, len(texts), "rr"), document


def test_scores_are_those_of_a_plain_computation():
    found = latent_scores(POOL, dimensions=1000, width=20, excluded=LATER)
    by_rank, document = plain_scores(QUERIES, TEXTS, LATER, 1000, 20)
    assert np.array(by_rank)[[0, 1]].any(axis=1).all()
    assert np.array(document)[[0, 1]].any(axis=1).all()
    np.testing.assert_allclose(found.document, document, atol=1e-6)
    np.testing.assert_allclose(found.rr, by_rank, atol=1e-6)


def test_one_and_two_threads_and_two_calls_give_the_same_bits():
    first, second, third = (
        latent_scores(POOL, dimensions=10, excluded=LATER, threads=threads) for threads in (1, 1, 2)
    )
    for one, other in ((first, second), (first, third)):
        assert (one.rr.tobytes(), one.document.tobytes()) == (other.rr.tobytes(), other.document.tobytes())


def test_a_truncated_projection_joins_words_that_occur_together():
    """Four topics: beyond the fourth direction there is nothing, and a text of other words of the topic is found."""
    topics = ["brass lamp harbour", "oak gate hinge", "deep well bucket", "long road stone"]
    halves = [" ".join(half) for topic in topics for half in (topic.split()[:2], topic.split()[1:], topic.split()[::2])]
    texts = [half for half in halves for _ in range(3)]
    queries = [f"the brass {plain_contexts.MARKER}", f"the gate {plain_contexts.MARKER} deep well"]
    pool = pool_of(queries, texts)
    later = np.zeros((2, len(texts)), bool)
    found = latent_scores(pool, dimensions=4, excluded=later)
    by_rank, document = plain_scores(queries, texts, later, 4, 50)
    np.testing.assert_allclose(found.document, document, atol=1e-6)
    np.testing.assert_allclose(found.rr, by_rank, atol=1e-6)
    assert found.document[0, 3:6] == pytest.approx(1, abs=1e-3)  # "lamp harbour", without the query's word


def test_later_years_have_no_rank():
    pool = pool_of([f"brass lamp {plain_contexts.MARKER}"], ["brass lamp"] * 5)
    properties = [SimpleNamespace(year=year) for year in (2098, 2099, 2098, 2097, None, 2099)]
    found = latent_scores(replace(pool, sequences=replace(pool.sequences, properties=properties)))
    np.testing.assert_allclose(found.rr, [[0, 1 / 3, 1 / 4, 1 / 5, 0]], rtol=1e-6)
    np.testing.assert_allclose(found.document, 1, rtol=1e-6)


@pytest.mark.parametrize(
    ("queries", "texts"),
    [([], []), (QUERIES[:1], []), ([], TEXTS), (QUERIES[:1], ["", ""]), ([f"a {plain_contexts.MARKER}"], ["b"])],
)
def test_a_pool_without_queries_texts_or_terms_has_scores_of_0(queries, texts):
    shape = len(queries), len(texts)
    found = latent_scores(pool_of(queries, texts), excluded=np.zeros(shape, bool))
    assert [(scores.shape, scores.any()) for scores in found] == [(shape, False)] * 2


def test_scikit_learn_that_is_not_installed_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.decomposition", None)
    with pytest.raises(MissingExtraError, match=r"ir.coliee\[learn\]"):
        latent_scores(POOL, excluded=LATER)
