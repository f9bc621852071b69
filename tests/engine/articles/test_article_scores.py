"""Scores and features of articles where the recipe does not reach: BM25, few articles, nearest years, rounding."""

from collections import Counter
from math import exp, log

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.collection import ExamQuestions, neighbour_maxima, neighbour_sums, unit_values
from ir_coliee.engine.articles.evidence import counted, question_number_density, text_scores
from ir_coliee.engine.weightings import BM25


def test_bm25_of_all_texts():
    texts, questions = ["lamp oil lamp", "gate oil", "boat"], ["lamp oil oil", "sea"]
    counts = [Counter(text.split()) for text in texts]
    df = Counter(word for count in counts for word in count)
    expected = np.zeros((2, 3))
    for row, question in enumerate(questions):
        for column, tf in enumerate(counts):
            norm = 1.2 * (0.25 + 0.75 * tf.total() / 2)  # the mean length is 2
            for word in {*question.split()} & {*tf}:
                idf = log(1 + (3 - df[word] + 0.5) / (df[word] + 0.5))
                expected[row, column] += question.split().count(word) * idf * tf[word] * 2.2 / (tf[word] + norm)
    np.testing.assert_allclose(text_scores(counted(texts, "words"), BM25(), questions), expected, atol=1e-12)


def test_one_article_or_none_has_no_neighbour():
    alone, nothing = np.array([[3.0], [-1.0]]), np.empty((2, 0))
    assert neighbour_maxima(alone, 2).tolist() == [[0.0], [0.0]]
    assert neighbour_sums(alone, 2).tolist() == unit_values(alone, np.array([4]), np.add).tolist() == alone.tolist()
    for found in (unit_values(nothing, np.empty(0, int), np.add), neighbour_maxima(nothing, 1)):
        assert found.shape == (2, 0)


def test_density_uses_the_six_nearest_years_and_ids_with_a_number():
    years = ["H90", "H91", "H92", "H93", "H95", "H96", "H97", "H99"]
    labelled = ExamQuestions.of([*(f"{year}-02-A" for year in years), "keys"])
    relevant = sparse.csr_matrix(np.array([*([int(place == row) for place in range(9)] for row in range(8)), [1] * 9]))
    found = question_number_density(ExamQuestions.of(["H94-03-A", "locks"]), labelled, relevant)
    near = [1, 2, 3, 4, 5, 6]  # of H90 and H99 neither, and of H91 and H97 both
    expected = [exp(-1 / 2) * sum(exp(-((place - gold) ** 2) / 128) for gold in near) for place in range(9)]
    np.testing.assert_allclose(found, [expected, [0.0] * 9], atol=1e-12)
