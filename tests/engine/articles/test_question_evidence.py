"""Siblings, structure, numbers and references against loops over small matrices."""

from math import exp

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.articles.collection import (
    ExamQuestions,
    fourfold,
    linked_maxima,
    neighbour_maxima,
    neighbour_sums,
    unit_maxima,
    unit_sums,
)
from ir_coliee.engine.articles.evidence import group_sizes, question_number_density, sibling_maxima, sibling_means

SCORES = np.array([[0.5, 2.0, 0.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0], [-1.0, 3.0, 0.5, -2.0, 0.25]])
UNITS = np.array([2, 0, 0, 2, 1])
ARTICLES = range(5)


def each(compute):
    """A matrix of what a function of row and column computes."""
    return [[compute(row, column) for column in ARTICLES] for row in range(len(SCORES))]


def test_the_four_forms_of_a_score():
    value, ratio, rank, gap = fourfold(SCORES)
    second = [sorted(row)[-2] for row in SCORES]
    best = SCORES.max(axis=1)
    np.testing.assert_array_equal(value, SCORES)
    np.testing.assert_allclose(ratio, each(lambda q, a: SCORES[q, a] / best[q] if best[q] else 0))
    np.testing.assert_array_equal(rank, each(lambda q, a: sum(other > SCORES[q, a] for other in SCORES[q])))
    np.testing.assert_allclose(gap, each(lambda q, a: SCORES[q, a] - second[q]))


@pytest.mark.parametrize(("function", "plain"), [(unit_maxima, max), (unit_sums, sum)])
def test_scores_of_a_unit(function, plain):
    expected = each(lambda q, a: plain([SCORES[q, other] for other in ARTICLES if UNITS[other] == UNITS[a]]))
    np.testing.assert_allclose(function(SCORES, UNITS), expected)


@pytest.mark.parametrize("distance", [1, 2, 7])
def test_scores_of_the_neighbours(distance):
    near = {a: [other for other in ARTICLES if abs(other - a) <= distance] for a in ARTICLES}
    best = each(lambda q, a: max(SCORES[q, other] for other in near[a] if other != a))
    np.testing.assert_allclose(neighbour_maxima(SCORES, distance), best)
    np.testing.assert_allclose(neighbour_sums(SCORES, distance), each(lambda q, a: sum(SCORES[q, near[a]])))


def test_an_article_alone_has_no_neighbour():
    alone = np.array([[3.0], [-1.0]])
    assert neighbour_maxima(alone, 2).tolist() == [[0.0], [0.0]]
    assert neighbour_sums(alone, 2).tolist() == alone.tolist() == unit_maxima(alone, np.array([4])).tolist()


def test_nothing_gives_nothing():
    nothing = np.empty((2, 0))
    for found in (unit_sums(nothing, np.empty(0, int)), neighbour_maxima(nothing, 1), neighbour_sums(nothing, 1)):
        assert found.shape == (2, 0)


def test_siblings_are_the_other_questions_of_a_group():
    evidence = np.arange(20.0).reshape(5, 4) % 7
    groups = np.array([3, 1, 3, 9, 3])
    for row in range(5):
        others = [evidence[other] for other in range(5) if groups[other] == groups[row] and other != row]
        mean = np.sum(others, axis=0) / len(others) if others else np.zeros(4)
        best = np.max(others, axis=0) if others else np.zeros(4)
        np.testing.assert_allclose(sibling_means(evidence, groups)[row], mean)
        np.testing.assert_allclose(sibling_maxima(evidence, groups)[row], best)
    assert group_sizes(groups).tolist() == [3, 1, 3, 1, 3]


def test_exam_questions_are_grouped_by_year_and_number():
    questions = ExamQuestions.of(["H98-01-A", "R98-01-A", "H98-01-2", "H98-02-A", "keys", "locks", "R98-1-I"])
    assert questions.years.tolist() == [2086, 2116, 2086, 2086, 0, 0, 2116]
    assert questions.numbers.tolist() == [1, 1, 1, 2, 0, 0, 1]
    assert questions.groups.tolist() == [0, 1, 0, 2, 3, 4, 1]


QIDS = ["H97-01-A", "H98-01-A", "H99-02-A", "R97-03-A", "R98-02-A", "R98-02-I", "R99-01-A", "keys"]
RELEVANT = np.array(
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 1]]
)
YEARS = {"H97": 1988 + 97, "H98": 1988 + 98, "H99": 1988 + 99, "R97": 2018 + 97, "R98": 2018 + 98, "R99": 2018 + 99}


def plain_density(qid, relevant, nearest):
    if not qid.startswith(("H", "R")):
        return [0.0] * 4
    year, number = YEARS[qid[:3]], int(qid[4:6])
    near = sorted((other for other in YEARS.values() if other != year), key=lambda other: (abs(other - year), other))
    density = [0.0] * 4
    for other, row in zip(QIDS[:-1], relevant):
        if YEARS[other[:3]] in near[:nearest]:
            for place in range(4):
                for gold in np.flatnonzero(row):
                    weight = exp(-((number - int(other[4:6])) ** 2) / 2)
                    density[place] += weight * exp(-((place - gold) ** 2) / (2 * 8**2))
    return density


@pytest.mark.parametrize("nearest", [1, 3, 6])
def test_density_around_number_and_place(nearest):
    labelled, qids = ExamQuestions.of(QIDS), ["R98-03-U", "H98-02-A", "R99-01-A", "locks"]
    density = question_number_density(
        ExamQuestions.of(qids), labelled, sparse.csr_matrix(RELEVANT.astype(float)), nearest=nearest
    )
    np.testing.assert_allclose(density, [plain_density(qid, RELEVANT, nearest) for qid in qids], atol=1e-12)


def test_labels_of_an_exam_year_do_not_reach_its_own_density():
    questions = ExamQuestions.of(QIDS)
    permuted = RELEVANT.copy()
    permuted[[4, 5]] = RELEVANT[[5, 4]]
    before, after = (
        question_number_density(questions, questions, sparse.csr_matrix(labels.astype(float)))
        for labels in (RELEVANT, permuted)
    )
    assert np.array_equal(before[[4, 5]], after[[4, 5]])
    permuted[4] = 0  # what is not only permuted reaches the other years
    after = question_number_density(questions, questions, sparse.csr_matrix(permuted.astype(float)))
    assert np.array_equal(before[[4, 5]], after[[4, 5]])
    assert not np.allclose(before[6], after[6])


def test_best_score_of_the_linked_articles():
    links = np.array([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [1, 1, 1, 0, 1], [0, 0, 0, 1, 0]])
    expected = each(lambda q, a: max((SCORES[q, other] for other in ARTICLES if links[a, other]), default=0.0))
    np.testing.assert_array_equal(linked_maxima(SCORES, sparse.csr_matrix(links)), expected)
