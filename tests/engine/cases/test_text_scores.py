"""Lexical scores, n-gram scores and exclusive sharing against plain re-computations, with loops and dicts."""

import math
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.cases import terms
from ir_coliee.engine.cases.terms import (
    bigram_cosine,
    bigram_vectors,
    exclusive_sharing,
    informative_bm25,
    num_rare_ngrams,
    shared_ngram_idf,
    tfidf_cosine,
)
from ir_coliee.engine.cases.texts import TextPool, TokenSequences
from ir_coliee.text.english import STOP_WORDS


def texts_of(seed, number):
    """Texts that quote each other, of few words, with rare words and markers between them."""
    random = np.random.default_rng(seed)
    words = ["the", "of", "a", "and", "lamp", "gate", "well", "road", "court's", "12", "Judge", "rule", "law"]
    words += [f"w{number}" for number in range(40)]
    passages = [" ".join(random.choice(words, 9)) for _ in range(12)]
    texts = []
    for text in range(number):
        pieces = [*random.choice(passages, random.integers(0, 4)), *random.choice(words, random.integers(0, 25))]
        texts.append(" ".join([*pieces, "<FRAGMENT_SUPPRESSED>", *([f"only{'x' * text}"] * (text % 3))]))
    return [*texts, "", "FRAGMENT_SUPPRESSED"]


def tokens_of(text):
    text = re.sub("<?FRAGMENT_SUPPRESSED>?", " ", text)
    return [match[0].lower() for match in re.finditer(r"[A-Za-z]+('[a-z])?|\d+", text)]


def ngrams(tokens, size):
    return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}


def content(tokens):
    return [token for token in tokens if token not in STOP_WORDS]


class Plain:
    """The texts of a pool, and the statistics of what they have."""

    def __init__(self, texts, queries, candidates):
        self.tokens = [tokens_of(text) for text in texts]
        self.queries, self.candidates = queries, candidates
        self.members = sorted({*queries, *candidates})

    def idf(self, df):
        return math.log(1 + (len(self.members) - df + 0.5) / (df + 0.5))

    def matrix(self, score):
        return np.array([[score(query, text) for text in self.candidates] for query in self.queries])

    def df(self, of_text):
        return Counter(term for member in self.members for term in of_text(self.tokens[member]))

    def cosine(self, weights):
        def score(query, text):
            one, other = weights(self.tokens[query]), weights(self.tokens[text])
            norms = [math.sqrt(sum(weight**2 for weight in each.values())) for each in (one, other)]
            return (
                sum(one[term] * other[term] for term in one.keys() & other.keys()) / math.prod(norms)
                if all(norms)
                else 0
            )

        return self.matrix(score)

    def tfidf(self):
        df = self.df(set)
        return self.cosine(
            lambda tokens: {term: (1 + math.log(tf)) * self.idf(df[term]) for term, tf in Counter(tokens).items()}
        )

    def bigrams(self, max_share=1.0):
        df = self.df(lambda tokens: ngrams(content(tokens), 2))
        most = max_share * len(self.members)
        return self.cosine(
            lambda tokens: {term: self.idf(df[term]) for term in ngrams(content(tokens), 2) if df[term] <= most}
        )

    def shared(self, of_text, max_df, weight):
        df = self.df(of_text)
        return self.matrix(
            lambda query, text: sum(
                weight(df[term])
                for term in of_text(self.tokens[query]) & of_text(self.tokens[text])
                if 2 <= df[term] <= max_df
            )
        )

    def kli40(self):
        cf = Counter(token for member in self.members for token in self.tokens[member])
        df, total = self.df(set), sum(cf.values())
        first = {token: place for place, token in enumerate(dict.fromkeys(chain.from_iterable(self.tokens)))}
        mean = total / len(self.members)

        def score(query, text):
            tokens, tf = self.tokens[query], Counter(self.tokens[text])
            share = {term: count / len(tokens) for term, count in Counter(tokens).items()}
            informativeness = {term: p * math.log(p / (cf[term] / total)) for term, p in share.items()}
            best = sorted(share, key=lambda term: (-informativeness[term], first[term]))
            length = 3 * len(self.tokens[text]) / mean
            return sum(
                Counter(tokens)[term] * self.idf(df[term]) * tf[term] * 4 / (tf[term] + length)
                for term in best[: max(1, math.floor(0.4 * len(best) + 0.5))]
                if tf[term]
            )

        return self.matrix(score)


POOLS = [
    ([0, 1, 2, 3], [5, 4, 7, 9, 8, 6]),  # in any order
    ([30, 3, 3, 31], [*range(32)]),  # queries without a word, twice, and among the texts
    ([*range(10)], [*range(10, 32)]),
]


@pytest.fixture(
    scope="module", params=[(seed, *pool) for seed, pool in enumerate(POOLS)], ids=["apart", "empty", "all"]
)
def both(request):
    """A pool of a larger collection, and the same for plain computation."""
    seed, queries, candidates = request.param
    texts = texts_of(seed, 30)
    pool = TextPool(TokenSequences.of([*texts, *texts_of(9, 5)]), np.array(queries), np.array(candidates))
    return pool, Plain(texts, queries, candidates)


def equal(scores, plain):
    assert scores.dtype == np.float32
    assert plain.any(), "a test that cannot fail"
    np.testing.assert_allclose(scores, plain, rtol=1e-6, atol=1e-6)


def test_kli40(both):
    pool, plain = both
    equal(informative_bm25(pool), plain.kli40())


def test_tfidf(both):
    pool, plain = both
    equal(tfidf_cosine(pool), plain.tfidf())


def test_bi(both):
    pool, plain = both
    equal(bigram_cosine(pool), plain.bigrams())


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3])
def test_bigrams_that_many_texts_have_can_be_left_out(both, share):
    pool, plain = both
    queries, texts = bigram_vectors(pool, share)
    np.testing.assert_allclose((queries @ texts.T).toarray(), plain.bigrams(share), atol=1e-6)


@pytest.mark.parametrize("size", [3, 5])
def test_s3_s5(both, size):
    pool, plain = both
    equal(shared_ngram_idf(pool, size), plain.shared(lambda tokens: ngrams(tokens, size), 20, plain.idf))


def test_bigrams_of_one_text_are_in_its_norm():
    # "lamp gate" is shared, "gate well" is the query's alone, "gate road" has another text that is not in the pool
    texts = ["lamp gate well", "lamp gate road", "gate road"]
    pool = TextPool(TokenSequences.of(texts), np.array([0]), np.array([1]))
    shared, alone = math.log(1 + 0.5 / 2.5), math.log(1 + 1.5 / 1.5)
    assert bigram_cosine(pool).item() == pytest.approx(shared**2 / (shared**2 + alone**2), abs=1e-6)


def test_a_text_is_as_similar_to_itself_as_can_be():
    pool = TextPool(TokenSequences.of(["lamp gate well", "lamp gate road"]), np.array([0, 0]), np.array([0, 1]))
    np.testing.assert_allclose(bigram_cosine(pool)[:, 0], 1, rtol=1e-6)
    queries, _ = bigram_vectors(pool)
    np.testing.assert_allclose((queries @ queries.T).toarray(), 1, rtol=1e-6)


def test_s5rare(both):
    pool, plain = both
    equal(num_rare_ngrams(pool), plain.shared(lambda tokens: ngrams(tokens, 5), 5, lambda df: 1))


@pytest.mark.parametrize(
    ("unit", "of_text"),
    [
        ("words", set),
        ("bigrams", lambda tokens: ngrams(content(tokens), 2)),
        ("ngrams", lambda tokens: ngrams(tokens, 5)),
    ],
)
def test_ex(both, unit, of_text):
    pool, plain = both
    equal(exclusive_sharing(pool, unit), plain.shared(of_text, 12, lambda df: (df - 1) ** -1.5))


def test_the_share_of_2_percent_allows_more_than_20_texts_of_a_large_pool():
    texts = [f"a lamp at the gate {'x' * (number % 5)} {number}" for number in range(26)]
    texts += [f"nothing {number} is here" for number in range(1300)]
    pool = TextPool(TokenSequences.of(texts), np.array([0]), np.arange(1, len(texts)))
    plain = Plain(texts, [0], range(1, len(texts)))
    equal(shared_ngram_idf(pool, 5), plain.shared(lambda tokens: ngrams(tokens, 5), 0.02 * len(texts), plain.idf))
    assert shared_ngram_idf(pool, 5)[0, 0] > 0


SCORES = [
    informative_bm25,
    tfidf_cosine,
    bigram_cosine,
    num_rare_ngrams,
    lambda pool: shared_ngram_idf(pool, 3),
    *(lambda pool, unit=unit: exclusive_sharing(pool, unit) for unit in ("words", "bigrams", "ngrams")),
]


@pytest.mark.parametrize("score", SCORES)
def test_scores_have_the_same_bits_in_any_collection_and_order(score):
    """The number of a text, its place in the pool and other texts of the collection change no score."""
    texts = texts_of(5, 20)
    first = score(TextPool(TokenSequences.of(texts), np.array([1, 2]), np.array([3, 4, 5, 6])))
    again = score(TextPool(TokenSequences.of(texts), np.array([2, 1]), np.array([6, 5, 4, 3])))
    assert np.array_equal(again[::-1, ::-1], first)
    others = TokenSequences.of([*texts, *texts_of(6, 20)])
    assert np.array_equal(score(TextPool(others, np.array([1, 2]), np.array([3, 4, 5, 6]))), first)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("texts", [["", ""], ["lamp", "gate"]])
def test_nothing_is_shared_by_nothing(score, texts):
    pool = TextPool(TokenSequences.of(texts), np.array([0]), np.array([1]))
    assert score(pool).tolist() == [[0]]
    assert score(replace(pool, texts=np.array([], np.int64))).shape == (1, 0)


def test_products_of_common_and_rare_terms_are_inner_products():
    random = np.random.default_rng(0)
    shares = np.array([1, 0.9, 0.3, 0.2, 0.05, 0])  # of the texts that have each term
    queries, texts = (random.random((size, 6)) * (random.random((size, 6)) < shares) for size in (70, 40))
    found = terms.products(sparse.csr_matrix(queries), sparse.csr_matrix(texts))
    expected = [[sum(a * b for a, b in zip(query, text)) for text in texts] for query in queries]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_words_and_ngrams_of_a_collection_are_counted_once(monkeypatch):
    sequences = TokenSequences.of(texts_of(5, 20))
    pool = TextPool(sequences, np.array([1]), np.array([2, 3]))
    first = [score(pool) for score in SCORES]
    monkeypatch.setattr(terms, "ngram_rows", None)
    monkeypatch.setattr(terms, "_count_words", None)
    assert all(np.array_equal(score(pool), once) for score, once in zip(SCORES, first))


def test_terms_of_a_pool_are_selected_once():
    pool = TextPool(TokenSequences.of(texts_of(5, 20)), np.array([1]), np.array([2, 3]))
    assert terms.pool_terms(pool, terms.BIGRAMS) is terms.pool_terms(pool, terms.BIGRAMS)
    bounded = terms.pool_terms(pool, terms.WORDS).within(2, 2)
    assert set(bounded.df) == {2}
    assert (bounded.members.getnnz(axis=0) == 2).all()


def test_several_threads_count_ngrams_once(monkeypatch):
    pool = TextPool(TokenSequences.of(texts_of(5, 20)), np.array([1]), np.array([2, 3]))
    times, count = [], terms.ngram_rows
    monkeypatch.setattr(terms, "ngram_rows", lambda *told: times.append(1) or count(*told))
    with ThreadPoolExecutor(4) as executor:
        scores = [*executor.map(lambda _: shared_ngram_idf(pool, 3), range(8))]
    assert all(np.array_equal(score, scores[0]) for score in scores)
    assert len(times) == 1


def test_an_unknown_unit_is_refused():
    pool = TextPool(TokenSequences.of(["lamp"]), np.array([0]), np.array([0]))
    with pytest.raises(ValueError, match=r"unit must be .*, got 'letters'"):
        exclusive_sharing(pool, "letters")
