"""The parts of a score add up to it, and each part is what the formula says."""

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.pools import pool_scores
from ir_coliee.engine.terms import statistics_of, term_contributions
from ir_coliee.engine.weightings import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf

TEXTS = ["a lamp a gate", "lamp lamp well", "gate", "well stone stone gate lamp"]
QUERY = "lamp lamp gate kite"

WEIGHTINGS = [
    BM25(),
    BM25(k1=3.0, b=1.0),
    BM25(k1=0.0),
    BM25(k3=8.0, idf="robertson"),
    Dirichlet(),
    Dirichlet(mu=5.0),
    JelinekMercer(),
    TfIdf(),
    TfIdf(tf="count"),
    TfIdf(tf="binary"),
    SharedIdf(),
]


def random_counts(rng, rows, terms):
    """Counts as texts have them: few frequent and many rare terms, and an empty text."""
    rates = 3 / np.arange(1, terms + 1)
    counts = rng.poisson(rates, (rows, terms))
    counts[0] = 0
    return sparse.csr_matrix(counts.astype(np.int32))


@pytest.mark.parametrize("weighting", WEIGHTINGS, ids=repr)
@pytest.mark.parametrize("statistics", ["collection", "pool"])
@pytest.mark.parametrize("weighted", [False, True], ids=["frequencies", "weights"])
def test_the_parts_of_250_random_pairs_add_up_to_the_scores_of_the_engine(weighting, statistics, weighted):
    rng = np.random.default_rng(7)
    counts = random_counts(rng, 80, 60)
    queries = random_counts(rng, 26, 60)[1:].astype(np.float64)
    if weighted:
        queries.data = rng.uniform(0.01, 40, queries.nnz)
    lengths = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    pools = [np.append(rng.choice(np.arange(1, 80), 9, replace=False), 0) for _ in range(queries.shape[0])]
    of_all = statistics_of(counts)
    known = of_all if statistics == "collection" else None
    expected = pool_scores(weighting, counts, lengths, queries, pools, known)
    compared = 0
    for row, (pool, scores) in enumerate(zip(pools, expected)):
        collection = known or statistics_of(counts[pool])
        for document, score in zip(pool, scores):
            parts = term_contributions(weighting, queries[[row]], counts[[document]], collection)
            assert parts.score == pytest.approx(score, abs=1e-9)
            assert (parts.of_length is not None) == isinstance(weighting, Dirichlet)
            compared += 1
    assert compared == 250


def counted(texts):
    vocabulary = sorted({word for text in texts for word in text.split()})
    rows = [[Counter(text.split())[word] for word in vocabulary] for text in texts]
    return vocabulary, sparse.csr_matrix(np.array(rows, dtype=np.int32))


def parts_of(weighting, query, text, texts):
    """The parts by term, and the length's."""
    vocabulary, counts = counted(texts)
    frequencies = Counter(query.split())
    vector = sparse.csr_matrix([[float(frequencies[word]) for word in vocabulary]])
    parts = term_contributions(weighting, vector, counts[[texts.index(text)]], statistics_of(counts))
    return dict(zip([vocabulary[number] for number in parts.terms], parts.contributions.tolist())), parts.of_length


def df(word):
    return sum(word in text.split() for text in TEXTS)


def test_bm25_by_hand():
    text = TEXTS[1]
    words = text.split()
    mean = sum(len(each.split()) for each in TEXTS) / len(TEXTS)
    parts, of_length = parts_of(BM25(k1=1.5, b=0.5, k3=2.0), QUERY, text, TEXTS)
    idf = log(1 + (4 - df("lamp") + 0.5) / (df("lamp") + 0.5))
    norm = 1.5 * (1 - 0.5 + 0.5 * len(words) / mean)
    assert parts == {"lamp": pytest.approx(idf * 2 * 2.5 / (2 + norm) * 2 * 3 / (2 + 2))}
    assert of_length is None


def test_query_likelihood_by_hand():
    text, tokens = TEXTS[3], sum(len(each.split()) for each in TEXTS)
    cf = Counter(" ".join(TEXTS).split())
    parts, of_length = parts_of(Dirichlet(mu=10.0), QUERY, text, TEXTS)
    assert parts == {
        "lamp": pytest.approx(2 * log(1 + 1 * tokens / (10 * cf["lamp"]))),
        "gate": pytest.approx(1 * log(1 + 1 * tokens / (10 * cf["gate"]))),
    }
    assert of_length == pytest.approx(3 * log(10 / (10 + len(text.split()))))  # kite is in no text


def test_a_cosine_by_hand():
    def idf(word):
        return log(5 / (1 + df(word))) + 1

    parts, _ = parts_of(TfIdf(tf="count"), QUERY, TEXTS[0], TEXTS)
    query_norm = sqrt((2 * idf("lamp")) ** 2 + idf("gate") ** 2)
    norm = sqrt((2 * idf("a")) ** 2 + idf("lamp") ** 2 + idf("gate") ** 2)
    assert parts == {
        "lamp": pytest.approx(2 * idf("lamp") ** 2 / query_norm / norm),
        "gate": pytest.approx(idf("gate") ** 2 / query_norm / norm),
    }


def test_terms_that_the_pool_does_not_have_are_left_out():
    _, counts = counted(TEXTS)
    pool = counts[[2]]  # gate only
    parts = term_contributions(Dirichlet(mu=1.0), counts[[3]].astype(np.float64), counts[[2]], statistics_of(pool))
    assert parts.of_length == pytest.approx(1 * log(1 / 2))
    assert len(parts.terms) == 1


def test_without_shared_terms_there_are_no_parts():
    _, counts = counted(TEXTS)
    parts = term_contributions(BM25(), counts[[2]], counts[[1]], statistics_of(counts))
    assert len(parts.terms) == 0
    assert parts.score == 0.0
