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


def numbered(first, last):
    return " ".join(f"w{number}" for number in range(first, last))


def features_of(paragraphs, decisions, base_cases=None):
    """Of each paragraph, which is a case of its own where there are base cases."""
    sizes = [1] * len(paragraphs) if base_cases else [len(paragraphs)]
    pools = Pools.of_sizes(sizes)
    values = quoted_features(TokenTexts.of(paragraphs), pools, base_cases or [""], decisions)
    return [dict(zip(quoted_names(), row)) for row in values.tolist()]


SIX = numbered(0, 6)  # words: one 6-gram
CASE, BASE_CASE = f"{numbered(0, 8)} {numbered(50, 80)}", f"{numbered(0, 8)} {numbered(200, 220)}"


@pytest.mark.parametrize(
    ("paragraphs", "decisions", "base_cases", "expected"),
    [
        (  # 30 6-grams of 425 of the case, and decisions with 7, 8, 24 and 25 of them
            [numbered(0, 35), numbered(1000, 1400)],
            [numbered(0, 12), numbered(0, 13), numbered(0, 29), numbered(0, 30)],
            None,
            [{"decisions_sharing_8": 3, "decisions_sharing_25": 1, "most_shared": 25, "share_of_most_shared": 25 / 30}],
        ),
        *(  # few are at most 20, and more than 200 count as 200
            (
                [SIX, numbered(100, 200)],
                [f"{SIX} d{i}" for i in range(number)],
                None,
                [{"share_held_by_few": few, "held_by_few": few, "share_held": 1, "decisions_per_ngram": per_ngram}],
            )
            for number, few, per_ngram in ((20, 1, 20), (21, 0, 21), (250, 0, 200))
        ),
        *(  # a decision is skipped above 40 percent of the 10 6-grams of the case, and only for this case
            (
                [numbered(0, 15), f"{numbered(0, 15)} {numbered(50, 100)}"],
                [numbered(0, last)],
                ["", ""],
                [{"most_shared": shared}, {"most_shared": shared or 5}],
            )
            for last, shared in ((9, 4), (10, 0))
        ),
        # the base case is skipped by its words, and only for its own case
        ([CASE, CASE], [BASE_CASE], [BASE_CASE, numbered(300, 320)], [{"most_shared": 0}, {"most_shared": 3}]),
    ],
)
def test_shared_ngrams_of_paragraphs_and_decisions(paragraphs, decisions, base_cases, expected):
    for found, values in zip(features_of(paragraphs, decisions, base_cases), expected):
        of_names = {name: value if name.startswith("share_") else np.log1p(value) for name, value in values.items()}
        assert {name: found[name] for name in of_names} == pytest.approx(of_names)


def test_a_base_case_of_several_queries_is_one_decision():
    """Of queries of one split, or because it is in the train and in the test split."""
    other = f"{numbered(0, 20)} {numbered(200, 220)}"
    base_cases = [numbered(700, 720), other, other]
    tokens = TokenTexts.of([f"{numbered(0, 20)} {numbered(50, 80)}", numbered(400, 460), numbered(500, 560)])
    found = quoted_features(tokens, Pools.of_sizes([1, 1, 1]), base_cases)
    assert found[:, quoted_names().index("decisions_sharing_8")].tolist() == [np.log1p(1), 0, 0]
    assert (found == quoted_features(tokens, Pools.of_sizes([1, 1, 1]), base_cases, base_cases[:2])).all()
