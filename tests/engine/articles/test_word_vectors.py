"""Word vectors against co-occurrences counted by loops and a full singular value decomposition."""

from collections import defaultdict
from math import log

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.labelled_questions import LabelledQuestions
from ir_coliee.engine.articles.word_vectors import FittedWordVectors, cooccurrences, positive_pmi, truncated

TEXTS = [[0, 1, 2, 0, 3, 1, 4, 2], [3, 3], [], [4, 0, 2]]
TERMS = 6  # the last one does not occur


def plain_cooccurrences(window):
    counts = np.zeros((TERMS, TERMS))
    for text in TEXTS:
        for at, word in enumerate(text):
            for other in range(len(text)):
                if 0 < abs(at - other) <= window:
                    counts[word, text[other]] += 1 / abs(at - other)
    return counts


@pytest.mark.parametrize("window", [1, 2, 6, 20])
def test_cooccurrences_are_weighted_by_distance(window):
    found = cooccurrences([np.array(text, dtype=np.int64) for text in TEXTS], TERMS, window)
    np.testing.assert_allclose(found.toarray(), plain_cooccurrences(window), atol=1e-12)


@pytest.mark.parametrize("power", [1.0, 0.75])
def test_positive_pointwise_mutual_information(power):
    counts = plain_cooccurrences(6)
    share = counts.sum(axis=0) ** power / (counts.sum(axis=0) ** power).sum()
    expected = defaultdict(float)
    for word, context in np.argwhere(counts):
        information = log(counts[word, context] / counts[word].sum() / share[context])
        expected[word, context] = max(0.0, information)
    found = positive_pmi(sparse.csr_matrix(counts), power).toarray()
    np.testing.assert_allclose(found, [[expected[w, c] for c in range(TERMS)] for w in range(TERMS)], atol=1e-12)


@pytest.mark.parametrize("dimensions", [1, 3, 8, 20])
def test_the_vectors_are_those_of_the_largest_singular_values(dimensions):
    matrix = np.random.default_rng(0).random((8, 8)).round(1)
    left, values, _ = np.linalg.svd(matrix)
    kept = (left * values)[:, :dimensions]
    found = truncated(sparse.csr_matrix(matrix), dimensions)
    np.testing.assert_allclose(found @ found.T, kept @ kept.T, atol=1e-9)  # whatever the signs and the order
    assert np.array_equal(found, truncated(sparse.csr_matrix(matrix), dimensions))


ARTICLES = ["lamp oil night", "boat sea harbour", ""]


def fitted(gold, dimensions=200):
    questions = {"R98-01-A": "lantern oil night", "R98-01-I": "ship sea harbour"}
    return FittedWordVectors.fit(ARTICLES, LabelledQuestions.of(questions, gold, ["1", "2", "3"]), "words", dimensions)


def test_an_article_is_found_by_words_in_the_same_company():
    scores = fitted([("R98-01-A", "1"), ("R98-01-I", "2")]).scores(["lantern", "ship"], ExamQuestions.of(["a", "b"]))
    assert scores[0, 0] > 0.2 > abs(scores[0, 1])
    assert scores[1, 1] > 0.2 > abs(scores[1, 0])
    assert scores[:, 2].tolist() == [0, 0]


def test_labels_change_no_bit():
    scores = [
        fitted(gold, 3).scores(["lantern", "ship"], ExamQuestions.of(["a", "b"]))
        for gold in ([("R98-01-A", "1"), ("R98-01-I", "2")], [("R98-01-A", "2"), ("R98-01-I", "1")])
    ]
    assert np.array_equal(*scores)


def test_unknown_words_and_a_collection_without_words_score_nothing():
    exams = ExamQuestions.of(["a"])
    assert fitted([("R98-01-A", "1")]).scores(["unknown"], exams).tolist() == [[0, 0, 0]]
    empty = LabelledQuestions.of({"R98-01-A": ""}, [("R98-01-A", "1")], ["1"])
    assert FittedWordVectors.fit([""], empty, "words").scores(["lamp"], exams).tolist() == [[0]]
