"""What the comparison of all features on a few texts does not reach: bounds, many decisions, worker processes."""

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.paragraphs import (
    Pools,
    TokenTexts,
    character_counts,
    cue_counts,
    latent_vectors,
    mean_bm25,
    quoted_features,
    quoted_names,
    tf_idf,
    word_counts,
)
from ir_coliee.text.analysers import STOP_WORDS

TEXTS = ["The lamp was lent.", "A lamp at the gate, a lamp!", "", "No lamp, no gate."]


@pytest.mark.slow
def test_tokens_are_the_same_with_worker_processes(soon_large):
    texts = [f"[1]\nThe lamp {number} was lent {number % 7} times." for number in range(200)]
    alone = TokenTexts.of(texts, processes=1)
    together = TokenTexts.of(texts, processes=2)
    assert alone.vocabulary == together.vocabulary == sorted(alone.vocabulary)
    assert alone.tokens.tolist() == together.tokens.tolist()
    assert alone.bounds.tolist() == together.bounds.tolist()
    first = [alone.vocabulary[token] for token in alone.first(1).tokens]
    assert first == ["the", "lamp", "0", "was", "lent", "0", "times"]


def test_vectors_equal_those_of_scikit_learn():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    tokens = TokenTexts.of(TEXTS)
    words, pairs = word_counts(tokens)
    read = [[tokens.vocabulary[token] for token in tokens.tokens[tokens.owners == row]] for row in range(len(TEXTS))]
    plain = [" ".join(word for word in words_of_text if word not in STOP_WORDS) for words_of_text in read]

    def products(paragraphs, **form):
        vectorizer = text.TfidfVectorizer(sublinear_tf=True, **form)
        vectorizer.fit(plain[:paragraphs])
        found = vectorizer.transform(plain)
        return (found @ found.T).toarray()

    for paragraphs in (2, 4):
        for vectors, form in (
            (tf_idf(words, paragraphs), {"token_pattern": r"\w+"}),
            (tf_idf(pairs, paragraphs), {"token_pattern": r"\w+", "ngram_range": (2, 2)}),
        ):
            assert (vectors @ vectors.T).toarray() == pytest.approx(products(paragraphs, **form))
    characters = tf_idf(character_counts(words, tokens.vocabulary), 4, min_df=3)
    expected = products(4, analyzer="char_wb", ngram_range=(3, 5), min_df=3)
    assert (characters @ characters.T).toarray() == pytest.approx(expected)


def test_character_ngrams_are_numbered_by_first_occurrence():
    texts = ["gate lamp ate", "a\U0001f600b \ud800x gate", ""]
    tokens = TokenTexts.of(texts)
    words, _ = word_counts(tokens)
    numbers = {}
    expected = [{} for _ in texts]
    for column, word in enumerate(tokens.vocabulary):
        padded = f" {word} "
        for size in (3, 4, 5) if words[:, column].nnz else ():
            for at in range(len(padded) - size + 1):
                number = numbers.setdefault(padded[at : at + size], len(numbers))
                for row, counted in enumerate(expected):
                    if count := words[row, column]:
                        counted[number] = counted.get(number, 0) + count
    found = character_counts(words, tokens.vocabulary)
    assert found.shape == (3, len(numbers))
    assert [{int(n): row[0, n] for n in row.indices} for row in found] == expected


def test_only_the_most_frequent_ngrams_are_kept():
    counts = sparse.csr_matrix([[1, 1, 1, 0], [1, 2, 1, 0], [0, 1, 1, 1], [1, 0, 1, 1]])
    kept = tf_idf(counts, 4, min_df=3, max_terms=2).toarray()
    assert kept.shape == (4, 2)  # df 3, 3, 4, 2: the third, and of two equals the first
    assert (kept[2] > 0).tolist() == [False, True]


def test_bm25_of_a_query_without_words_is_0():
    counts, _ = word_counts(TokenTexts.of(TEXTS))
    assert mean_bm25(counts, counts[2:3], Pools.of_sizes([4])).tolist() == [0.0] * 4


def test_latent_vectors_of_texts_without_words_are_zeros():
    pytest.importorskip("sklearn")
    assert not latent_vectors(sparse.csr_matrix((3, 0)), 2).any()
    vectors = tf_idf(word_counts(TokenTexts.of(TEXTS))[0], 4)
    assert np.linalg.norm(latent_vectors(vectors, 4), axis=1) == pytest.approx([1, 1, 0, 1])


def test_equal_values_have_no_deviation():
    values = np.array([0.1 + 0.2, 0.3, 0.3, 7.0])
    assert Pools.of_sizes([3, 1]).z_scores(values).tolist() == [0.0] * 4


def test_a_cue_does_not_cross_texts_and_words_that_no_text_has_are_passed_over():
    texts = TokenTexts.of(["I set", "aside. I set aside", "set aside"])
    cues = {"disposal": [("set", "aside"), ("set", "aside", "quashed")], "voice": [("i",), ("we",)]}
    assert cue_counts(texts, cues).tolist() == [[0, 1], [1, 1], [1, 0]]


# --- quotations ----------------------------------------------------------------------------------------


def features_of(paragraphs, sizes, decisions, base_cases=None):
    tokens = TokenTexts.of(paragraphs)
    values = quoted_features(tokens, Pools.of_sizes(sizes), base_cases or [""] * len(sizes), decisions)
    return [dict(zip(quoted_names(), row)) for row in values.tolist()]


def numbered(first, last):
    return " ".join(f"w{number}" for number in range(first, last))


def test_bounds_of_shared_ngrams_and_of_decisions():
    paragraph, rest = numbered(0, 35), numbered(1000, 1400)  # 30 6-grams; the pool has 425
    decisions = [numbered(0, 12), numbered(0, 13), numbered(0, 29), numbered(0, 30)]  # 7, 8, 24 and 25 of them
    found = features_of([paragraph, rest], [2], decisions)[0]
    assert found["decisions_sharing_8"] == pytest.approx(np.log1p(3))
    assert found["decisions_sharing_25"] == pytest.approx(np.log1p(1))
    assert found["most_shared"] == pytest.approx(np.log1p(25))
    assert found["share_of_most_shared"] == pytest.approx(25 / 30)


@pytest.mark.parametrize(("number", "few", "per_ngram"), [(20, 1.0, 20), (21, 0.0, 21), (250, 0.0, 200)])
def test_ngrams_of_many_decisions(number, few, per_ngram):
    found = features_of([numbered(0, 6), numbered(100, 200)], [2], [f"{numbered(0, 6)} d{i}" for i in range(number)])[0]
    assert found["share_held_by_few"] == few
    assert found["held_by_few"] == pytest.approx(np.log1p(few))
    assert found["share_held"] == 1.0
    assert found["decisions_per_ngram"] == pytest.approx(np.log1p(per_ngram))


def test_a_decision_is_skipped_above_40_percent_of_the_case_and_only_for_this_case():
    paragraph = numbered(0, 15)  # 10 6-grams
    for decision, shared in ((numbered(0, 9), 4), (numbered(0, 10), 0)):
        of_first, of_second = features_of([paragraph, f"{paragraph} {numbered(50, 100)}"], [1, 1], [decision])
        assert of_first["most_shared"] == pytest.approx(np.log1p(shared))
        assert of_second["most_shared"] == pytest.approx(np.log1p(shared or 5))


def test_the_base_case_is_skipped_by_its_words_and_only_for_its_own_case():
    paragraphs, base_case = [f"{numbered(0, 8)} {numbered(50, 80)}"] * 2, f"{numbered(0, 8)} {numbered(200, 220)}"
    of_first, of_second = features_of(paragraphs, [1, 1], [base_case], [base_case, numbered(300, 320)])
    assert of_first["most_shared"] == 0
    assert of_second["most_shared"] == pytest.approx(np.log1p(3))


def test_a_base_case_of_several_queries_is_one_decision():
    """Of queries of one split, or because it is in the train and in the test split."""
    other = f"{numbered(0, 20)} {numbered(200, 220)}"
    base_cases = [numbered(700, 720), other, other]
    tokens = TokenTexts.of([f"{numbered(0, 20)} {numbered(50, 80)}", numbered(400, 460), numbered(500, 560)])
    found = quoted_features(tokens, Pools.of_sizes([1, 1, 1]), base_cases)
    assert found[:, quoted_names().index("decisions_sharing_8")].tolist() == [np.log1p(1), 0, 0]
    assert (found == quoted_features(tokens, Pools.of_sizes([1, 1, 1]), base_cases, base_cases[:2])).all()
