"""Scores by the n-grams near citations equal a plain computation."""

import math

import numpy as np
import plain_contexts
import pytest

from ir_coliee.engine.cases.contexts import context_ngram_scores
from ir_coliee.engine.cases.texts import TextPool, TokenSequences

QUERIES, TEXTS = plain_contexts.made_texts(2)


def ngrams(tokens, size):
    return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}


def plain_scores(queries, texts, size):
    members = {*queries, *texts}
    df = plain_contexts.document_frequencies([ngrams(plain_contexts.read(text)[0], size) for text in members])
    kept = {ngram for ngram in df if 2 <= df[ngram] <= 0.02 * len(members) + 20}
    rows = []
    for query in queries:
        contexts = plain_contexts.contexts(query, 40, 60, None)
        near = {ngram for context in contexts for ngram in ngrams(context, size)} & kept
        of_texts = [ngrams(plain_contexts.read(text)[0], size) & kept for text in texts]
        rows.append(
            [
                sum(plain_contexts.idf(df[ngram], len(members)) for ngram in near & has) / math.sqrt(len(has) + 50)
                for has in of_texts
            ]
        )
    return rows


def pool_of(queries, texts):
    distinct = list(dict.fromkeys([*queries, *texts]))
    sequences = TokenSequences.of(distinct)
    numbers = [np.array([distinct.index(text) for text in each], dtype=np.int64) for each in (queries, texts)]
    return TextPool(sequences, *numbers)


@pytest.mark.parametrize("size", [2, 4])
def test_scores_are_those_of_a_plain_computation(size):
    # a citing text of the pool that is a candidate as well, and texts that quote the contexts of the queries
    quoting = [" ".join(plain_contexts.contexts(QUERIES[query], 40, 60, None)[0]) for query in (0, 1)]
    texts = [*TEXTS, *quoting, QUERIES[0]]
    expected = np.array(plain_scores(QUERIES, texts, size))
    assert expected[[0, 1]].any(axis=1).all()
    assert not expected[2:5].any()  # no marker, no shared words, an empty text
    found = context_ngram_scores(pool_of(QUERIES, texts), size)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_an_ngram_does_not_join_two_contexts():
    words = [first + second for first in "abcdefghij" for second in "klmnopqrstuv"]
    query = f"brass {plain_contexts.MARKER} {' '.join(words)} {plain_contexts.MARKER} lamp"
    joined, within = f"{words[59]} {words[80]}", f"{words[58]} {words[59]}"
    found = context_ngram_scores(pool_of([query], [joined, f"{joined} gate", within]), 2)
    assert (found[0] > 0).tolist() == [False, False, True]


@pytest.mark.parametrize(("queries", "texts"), [([], []), (QUERIES[:1], []), ([], TEXTS[:3]), (QUERIES[:1], [""])])
def test_a_pool_without_queries_or_texts_has_scores_of_0(queries, texts):
    found = context_ngram_scores(pool_of(queries, texts), 2)
    assert (found.shape, found.any()) == ((len(queries), len(texts)), False)
