"""N-grams that texts share, against sets of tuples, and products of sparse matrices."""

from collections import Counter
from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ir_coliee.engine.cases.terms import ngram_rows, products
from ir_coliee.engine.term_counts import Tokens, token_hashes

HASHES = token_hashes(["lamp", "gate", "well"])
texts = st.lists(st.lists(st.integers(0, 2), max_size=9), max_size=7)


def batches_of(texts, together=3):
    groups = [texts[first : first + together] for first in range(0, len(texts), together)]
    return [Tokens(np.array([*chain(*group)], np.int32), np.array([*map(len, group)], np.int32)) for group in groups]


@given(texts, st.integers(2, 5))
def test_rows_are_the_ngrams_that_two_texts_have(texts, size):
    ngrams = [{tuple(text[start : start + size]) for start in range(len(text) - size + 1)} for text in texts]
    df = Counter(ngram for text in ngrams for ngram in text)
    shared = [[ngram for ngram in text if df[ngram] > 1] for text in ngrams]
    rows, alone = ngram_rows(batches_of(texts), HASHES, size)
    assert alone.tolist() == [len(text) - len(of_text) for text, of_text in zip(ngrams, shared)]
    assert rows.shape == (len(texts), sum(number > 1 for number in df.values()))
    dense = rows.toarray()
    assert dense.sum(axis=1).tolist() == [len(text) for text in shared]
    common = [[len({*one} & {*other}) for other in shared] for one in shared]
    assert (dense.astype(int) @ dense.T).tolist() == common
    assert rows.has_sorted_indices


def test_products_of_common_and_rare_terms_are_inner_products():
    random = np.random.default_rng(0)
    shares = np.array([1, 0.9, 0.3, 0.2, 0.05, 0])  # of the texts that have each term
    queries, texts = (random.random((size, 6)) * (random.random((size, 6)) < shares) for size in (70, 40))
    found = products(sparse.csr_matrix(queries), sparse.csr_matrix(texts))
    expected = [[sum(a * b for a, b in zip(query, text)) for text in texts] for query in queries]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
