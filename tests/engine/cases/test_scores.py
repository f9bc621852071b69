"""Every score of `EVIDENCE` against a plain computation with loops and dicts, and what holds for all of them."""

import math
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import plain_contexts
import pytest
from plain_contexts import MARKER, made_texts, named_texts, pool_of
from scipy import sparse

from ir_coliee.engine.cases.scores import _DIMENSIONS as DIMENSIONS
from ir_coliee.engine.cases.scores import (
    EVIDENCE,
    TOTAL,
    TOTAL_OF,
    evidence_scores,
    judge_mentions,
    latent_scores,
    names_in_head,
)
from ir_coliee.engine.cases.scores import _dimensions as dimensions_of
from ir_coliee.engine.cases.terms import bigram_vectors
from ir_coliee.engine.cases.texts import TextPool, TokenSequences
from ir_coliee.text.analysers import STOP_WORDS

# --- words and n-grams -------------------------------------------------------------------------------


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


def content_pairs(tokens):
    return ngrams([token for token in tokens if token not in STOP_WORDS], 2)


def exclusive(df):
    return (df - 1) ** -1.5


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
            norms = math.hypot(*one.values()) * math.hypot(*other.values())
            return sum(one[term] * other[term] for term in one.keys() & other.keys()) / (norms or 1)

        return self.matrix(score)

    def tfidf(self):
        df = self.df(set)
        return self.cosine(
            lambda tokens: {term: (1 + math.log(tf)) * self.idf(df[term]) for term, tf in Counter(tokens).items()}
        )

    def bigrams(self, max_share=1.0):
        df = self.df(content_pairs)
        most = max_share * len(self.members)
        return self.cosine(
            lambda tokens: {term: self.idf(df[term]) for term in content_pairs(tokens) if df[term] <= most}
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


PLAIN = {
    "lexical.tfidf_cosine": lambda plain: plain.tfidf(),
    "ngram.bigram_cosine": lambda plain: plain.bigrams(),
    "ngram.shared_3grams": lambda plain: plain.shared(lambda tokens: ngrams(tokens, 3), 20, plain.idf),
    "ngram.shared_5grams": lambda plain: plain.shared(lambda tokens: ngrams(tokens, 5), 20, plain.idf),
    "ngram.rare_5grams": lambda plain: plain.shared(lambda tokens: ngrams(tokens, 5), 5, lambda df: 1),
    "exclusive.words": lambda plain: plain.shared(set, 12, exclusive),
    "exclusive.bigrams": lambda plain: plain.shared(content_pairs, 12, exclusive),
    "exclusive.5grams": lambda plain: plain.shared(lambda tokens: ngrams(tokens, 5), 12, exclusive),
}


@pytest.mark.parametrize("name", PLAIN)
def test_scores_of_words_and_ngrams_equal_plain_loops(both, name):
    pool, plain = both
    found, expected = EVIDENCE[name].compute(pool), PLAIN[name](plain)
    assert (type(found), found.dtype, found.shape) == (np.ndarray, np.float32, expected.shape)
    assert expected.any(), "a test that cannot fail"
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3])
def test_bigrams_that_many_texts_have_can_be_left_out(both, share):
    pool, plain = both
    queries, texts = bigram_vectors(pool, share)
    np.testing.assert_allclose((queries @ texts.T).toarray(), plain.bigrams(share), atol=1e-6)


def test_the_share_of_2_percent_allows_more_than_20_texts_of_a_large_pool():
    texts = [f"a lamp at the gate {'x' * (number % 5)} {number}" for number in range(26)]
    texts += [f"nothing {number} is here" for number in range(1300)]
    pool = TextPool(TokenSequences.of(texts), np.array([0]), np.arange(1, len(texts)))
    plain = Plain(texts, [0], range(1, len(texts)))
    found = EVIDENCE["ngram.shared_5grams"].compute(pool)
    expected = plain.shared(lambda tokens: ngrams(tokens, 5), 0.02 * len(texts), plain.idf)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    assert found[0, 0] > 0


# --- near citations ----------------------------------------------------------------------------------

QUERIES, TEXTS = made_texts(2)


def plain_context_ngrams(queries, texts, size):
    ngrams_of = {text: ngrams(plain_contexts.read(text)[0], size) for text in {*queries, *texts}}
    number, df = len(ngrams_of), plain_contexts.document_frequencies(ngrams_of.values())
    idf = {ngram: plain_contexts.idf(times, number) for ngram, times in df.items() if 2 <= times <= 0.02 * number + 20}
    contexts = [plain_contexts.contexts(query, 40, 60, None) for query in queries]
    near = [{ngram for context in of_query for ngram in ngrams(context, size)} for of_query in contexts]
    held = [ngrams_of[text] & idf.keys() for text in texts]
    return [[sum(idf[ngram] for ngram in some & has) / math.sqrt(len(has) + 50) for has in held] for some in near]


@pytest.mark.parametrize("size", [2, 4])
def test_ngrams_near_citations_equal_a_plain_computation(size):
    # a citing text of the pool that is a candidate as well, and texts that quote the contexts of the queries
    quoting = [" ".join(plain_contexts.contexts(QUERIES[query], 40, 60, None)[0]) for query in (0, 1)]
    texts = [*TEXTS, *quoting, QUERIES[0]]
    expected = np.array(plain_context_ngrams(QUERIES, texts, size))
    assert expected[[0, 1]].any(axis=1).all()
    assert not expected[2:5].any()  # no marker, no shared words, an empty text
    distinct = list(dict.fromkeys([*QUERIES, *texts]))
    numbers = ([distinct.index(text) for text in each] for each in (QUERIES, texts))
    found = EVIDENCE[f"context.{size}grams"].compute(TextPool(TokenSequences.of(distinct), *map(np.array, numbers)))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


# --- names, judges and years ---------------------------------------------------------------------------

NAMED = r"Justice (\w+)|(\w+),? J\."


@pytest.fixture(scope="module")
def decisions():
    # names are rare, so the pool has texts without any besides
    return [*named_texts(4, 98), *(f"[1]\nFiller number {i} is grey." for i in range(196)), *named_texts(3, 99)]


@pytest.fixture(scope="module")
def pool(decisions):
    sequences = TokenSequences.of(decisions)
    return TextPool(sequences, np.arange(200, 203), np.arange(200))


def written_tokens(text):
    """The tokens as written, None for a marker."""
    found = re.findall(rf"{MARKER}|[A-Za-z]+(?:'[a-z])?|\d+", text)
    return [None if token == MARKER else token for token in found]


def written(text, capitalised, limit=None):
    found = [token for token in written_tokens(text) if token][:limit]
    return {token.lower() for token in found if token[0].isupper() == capitalised}


def near_markers(text, before, after):
    """For each marker, the tokens around it."""
    found, places, kept = written_tokens(text), [], []
    for token in found:
        if token is None:
            places.append(len(kept))
        else:
            kept.append(token)
    return [(place, kept[max(0, place - before) : place], kept[place : place + after]) for place in places], kept


def name_idf(name, members):
    upper = sum(name in written(text, True) for text in members)
    lower = sum(name in written(text, False) for text in members)
    if len(name) < 3 or not 2 <= upper <= max(2, 0.03 * len(members)) or lower > 0.3 * upper + 1:
        return 0.0
    return math.log(1 + (len(members) - upper + 0.5) / (upper + 0.5))


@pytest.mark.slow
def test_names_equal_plain_loops(pool, decisions):
    whole, near_citations = names_in_head(pool), names_in_head(pool, near_citations=True)
    for row, query in enumerate(decisions[200:]):
        near = {
            token.lower()
            for _, before, after in near_markers(query, 12, 8)[0]
            for token in before + after
            if token[0].isupper()
        }
        for column, text in enumerate(decisions[:200]):
            head = written(text, True, 500)
            for scores, names in ((whole, written(query, True)), (near_citations, near)):
                expected = sum(name_idf(name, decisions) for name in names & head)
                assert scores[row, column] == pytest.approx(expected, abs=1e-6)
    assert whole.dtype == np.float32
    assert (whole > near_citations).any()
    assert (near_citations > 0).any()


def test_only_the_head_of_a_text_and_what_is_near_a_marker_counts():
    filler = [f"Grey filler {i}" for i in range(100)]
    near, far = f"Kestry {'lamp ' * 11}{MARKER}", f"Kestry {'lamp ' * 12}{MARKER}"
    deep = f"{'lamp ' * 500}Kestry"
    sequences = TokenSequences.of(["The Kestry", "A Kestry", deep, *filler, *["A gate"] * 65, near, far])
    pool = TextPool(sequences, np.array([168, 169]), np.arange(168))
    idf = math.log(1 + (170 - 5 + 0.5) / 5.5)
    assert names_in_head(pool)[:, :4].tolist() == pytest.approx(np.array([[idf, idf, 0, 0]] * 2))
    assert names_in_head(pool, near_citations=True)[:, :2].tolist() == pytest.approx(np.array([[idf, idf], [0, 0]]))


def judge_of(text):
    header, _, body = text.partition("[1]\n")
    behind_mark = [it for it in re.finditer(NAMED, body) if it.end(it.lastindex) - len(it[it.lastindex]) < 60]
    named = [*re.finditer(NAMED, header), *behind_mark]
    return named[0][named[0].lastindex] if named else ""


def test_judge_mentions_equal_plain_loops(pool, decisions):
    found = judge_mentions(pool)
    for row, query in enumerate(decisions[200:]):
        named = [first or second for first, second in re.findall(NAMED, query)]
        own = judge_of(query)
        for column, of_text in enumerate(map(judge_of, decisions[:200])):
            expected = sum(name == of_text for name in named) - (of_text == own) if of_text else 0
            assert found[row, column] == max(expected, 0)
    assert found.max() > 1
    assert found.min() == 0


def test_the_own_judge_who_is_never_named_again_is_no_negative_evidence():
    sequences = TokenSequences.of(["[1]\nKaru, J.: A lamp.", "[1]\nKaru, J.: A gate.", "[1]\nOdd, J.: A gate."])
    properties = [each._replace(judges_mentioned=()) for each in sequences.properties]
    pool = TextPool(replace(sequences, properties=properties), np.array([0]), np.array([1, 2]))
    assert judge_mentions(pool).tolist() == [[0, 0]]


def test_years_near_citations_equal_plain_loops(pool, decisions):
    found = EVIDENCE["year.near_citation"].compute(pool)
    for row, query in enumerate(decisions[200:]):
        around, kept = near_markers(query, 0, 0)
        contexts = []  # first and last marker of each
        for place, _, _ in around:
            if contexts and place - contexts[-1][1] <= 8:
                contexts[-1][1] = place
            else:
                contexts.append([place, place])
        windows = [kept[max(0, first - 12) : last + 10] for first, last in contexts[:80]]
        for column, text in enumerate(decisions[:200]):
            year = max(re.findall(r"1998|2001", text), default="none")
            assert found[row, column] == sum(year in window for window in windows)
    assert found.max() > 1


# --- latent semantics ----------------------------------------------------------------------------------

LATENT_QUERIES, LATENT_TEXTS = made_texts(1)
CITABLE = np.random.default_rng(0).random((len(LATENT_QUERIES), len(LATENT_TEXTS))) >= 0.2
LATENT_POOL = replace(pool_of(LATENT_QUERIES, LATENT_TEXTS), given=CITABLE)


def plain_vectors(spans):
    """The vectors themselves: as many dimensions as there are terms change no cosine."""
    df = plain_contexts.document_frequencies(spans)
    terms = sorted(term for term in df if 5 <= df[term] <= max(20, 0.1 * len(spans)))
    rows = np.zeros((len(spans), len(terms)))
    for row, span in enumerate(spans):
        for column, term in enumerate(terms):
            if term in span:
                rows[row, column] = (1 + math.log(span.count(term))) * plain_contexts.idf(df[term], len(spans))
        rows[row] /= np.linalg.norm(rows[row]) or 1
    return rows


def plain_latent(queries, texts, later, width):
    pieces = [plain_contexts.pieces(text) for text in texts]
    contexts = [plain_contexts.contexts(query, width, width) for query in queries]
    vectors = iter(plain_vectors([span for spans in pieces + contexts for span in spans]))
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
    return plain_contexts.aggregate(by_query, len(texts), "reciprocal_rank"), document


def test_latent_scores_are_those_of_a_plain_computation(monkeypatch):
    monkeypatch.setattr("ir_coliee.engine.cases.scores._DIMENSIONS", 1000)
    found = latent_scores(replace(LATENT_POOL))
    expected = plain_latent(LATENT_QUERIES, LATENT_TEXTS, ~CITABLE, 50)
    for scores, plain in zip(found, expected):
        assert np.array(plain)[[0, 1]].any(axis=1).all()
        np.testing.assert_allclose(scores, plain, atol=1e-6)


def test_one_and_two_threads_give_the_same_latent_scores(monkeypatch):
    monkeypatch.setattr("ir_coliee.engine.cases.scores._DIMENSIONS", 10)
    for one, other in zip(*(latent_scores(replace(LATENT_POOL, threads=threads)) for threads in (1, 2))):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(
    ("queries", "texts"), [([], []), (QUERIES[:1], []), ([], TEXTS), (QUERIES[:1], ["", ""]), ([f"a {MARKER}"], ["b"])]
)
def test_a_pool_without_queries_texts_or_terms_has_latent_scores_of_0(queries, texts):
    shape = len(queries), len(texts)
    assert [(scores.shape, scores.any()) for scores in latent_scores(pool_of(queries, texts))] == [(shape, False)] * 2


def test_the_dimensions_of_a_large_pool_are_close_to_the_exact_ones():
    """Block Lanczos with more spans and terms than vectors, of a spectrum that falls slowly; and of a low rank."""
    random = np.random.default_rng(0)
    dense = random.standard_normal((500, 450)) / np.arange(1, 451) ** 0.7
    exact = np.linalg.svd(dense)[1][:DIMENSIONS]
    found = dimensions_of(sparse.csr_matrix(dense.astype(np.float32)))
    assert found.shape == (450, DIMENSIONS)
    np.testing.assert_allclose(found.T @ found, np.eye(DIMENSIONS), atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(dense @ found, axis=0), exact, rtol=1e-3)
    equal = np.ones((500, 450), np.float32)
    lengths = np.linalg.norm(equal @ dimensions_of(sparse.csr_matrix(equal)), axis=0)
    assert lengths[0] == pytest.approx(np.sqrt(500 * 450), rel=1e-5)
    assert lengths[1:].max() < 0.01 * lengths[0]


# --- the table -----------------------------------------------------------------------------------------

LATENT = [name for name in EVIDENCE if name.startswith("latent.")]  # rotations of equal vectors differ
EXACT = [name for name in EVIDENCE if name not in LATENT]


@pytest.mark.parametrize("name", EXACT)
def test_scores_have_the_same_bits_in_any_collection_and_order(name):
    """The number of a text, its place in the pool and other texts of the collection change no score."""
    score, texts = EVIDENCE[name].compute, texts_of(5, 20)
    first = score(TextPool(TokenSequences.of(texts), np.array([1, 2]), np.array([3, 4, 5, 6])))
    again = score(TextPool(TokenSequences.of(texts), np.array([2, 1]), np.array([3, 4, 5, 6])))
    assert np.array_equal(again[::-1], first)
    others = TokenSequences.of([*texts, *texts_of(6, 20)])
    assert np.array_equal(score(TextPool(others, np.array([1, 2]), np.array([3, 4, 5, 6]))), first)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("texts", [["", ""], ["lamp", "gate"]])
def test_nothing_is_shared_by_nothing(name, texts):
    pool = TextPool(TokenSequences.of(texts), np.array([0]), np.array([1]))
    assert EVIDENCE[name].compute(pool).tolist() == [[0]]
    assert EVIDENCE[name].compute(replace(pool, texts=np.array([], np.int64))).shape == (1, 0)


def test_scores_are_the_same_computed_together_and_alone_and_no_other_is_computed(monkeypatch):
    pool = replace(pool_of(*made_texts()), threads=2)
    together = evidence_scores(pool, EXACT)
    assert [*together] == EXACT
    for name in EXACT:
        assert together[name].tobytes() == EVIDENCE[name].compute(pool).tobytes()
    for name in {*EVIDENCE} - {"name.judge"}:
        monkeypatch.setitem(EVIDENCE, name, EVIDENCE[name]._replace(compute=None))
    assert [*evidence_scores(pool, ["name.judge"])] == ["name.judge"]


def test_the_total_is_the_sum_of_its_scores_and_the_first_column_of_the_recipe():
    pool = pool_of(*made_texts())
    total = np.zeros(pool.allowed.shape)
    for scores in evidence_scores(pool, TOTAL_OF).values():
        best = scores.max(axis=1, keepdims=True)
        total += np.divide(scores, best, out=np.zeros(scores.shape), where=best > 0)
    np.testing.assert_allclose(EVIDENCE[TOTAL].compute(pool), total, rtol=1e-5)
    assert next(iter(EVIDENCE)) == TOTAL
