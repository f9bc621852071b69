"""Evidence from the number of a question: exams go through the code in order."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.fourfold import FORMS, fourfold
from ir_coliee.frames import Floats, Integers

#: Names of the features that `question_number_features` computes.
NUMBER_FEATURES = ("number", "place", *(f"density{form}" for form in FORMS))


def question_number_features(
    questions: ExamQuestions, labelled: ExamQuestions, relevant: sparse.csr_matrix, *, nearest: int = 6
) -> dict[str, Floats]:
    """Features of the numbers of questions and the places of articles.

    The parameters are those of `question_number_density`.

    Returns
    -------
    dict from str to float64 array, questions x articles
        The ``number`` of the question, the ``place`` of the article from 0, and the ``density`` in its four forms
        (``density_ratio``, ``density_rank``, ``density_gap``).
    """
    density = question_number_density(questions, labelled, relevant, nearest=nearest)
    number, place = np.broadcast_arrays(questions.numbers[:, None], np.arange(relevant.shape[1]))
    features = [number.astype(np.float64), place.astype(np.float64), *fourfold(density)]
    return dict(zip(NUMBER_FEATURES, features))


def question_number_density(
    questions: ExamQuestions,
    labelled: ExamQuestions,
    relevant: sparse.csr_matrix,
    *,
    nearest: int = 6,
    number_deviation: float = 1.0,
    place_deviation: float = 8.0,
) -> Floats:
    """Density of the relevant articles of other exam years around the question's number and the article's place.

    Parameters
    ----------
    questions : ExamQuestions
        The questions to score.
    labelled : ExamQuestions
        The labelled questions. Those of a question's own exam year are left out.
    relevant : csr_matrix, labelled questions x articles
        1 for each relevant article, with the articles in the order of the code.
    nearest : int
        Number of exam years to use: those nearest to the question's, of two equally near the earlier first.
    number_deviation, place_deviation : float
        Standard deviations of the Gaussians over numbers of questions and places of articles, above 0.

    Returns
    -------
    float64 array, questions x articles
        0 for a question without an exam number.

    Notes
    -----
    A relevant article at place p of a labelled question with number m adds exp(-(n - m)² / 2σ²) exp(-(a - p)² / 2τ²) to
    the article at place a for a question with number n. The sum is not normalised.

    Examples
    --------
    >>> questions, labelled = ExamQuestions.of(["R99-02-A"]), ExamQuestions.of(["R98-02-A", "R99-02-A"])
    >>> relevant = sparse.csr_matrix(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    >>> question_number_density(questions, labelled, relevant, place_deviation=1.0).round(3).tolist()
    [[0.607, 1.0, 0.607]]
    """
    places = np.arange(relevant.shape[1], dtype=np.float64)
    around = relevant @ _gaussian(places[:, None] - places, place_deviation)
    weights = _gaussian((questions.numbers[:, None] - labelled.numbers).astype(np.float64), number_deviation)
    weights[~_seen(questions.years, labelled.years, nearest)] = 0.0
    weights[questions.numbers == 0] = weights[:, labelled.numbers == 0] = 0.0
    return np.asarray(sparse.csr_matrix(weights) @ around)


def _gaussian(differences: Floats, deviation: float) -> Floats:
    return np.exp(-(differences**2) / (2 * deviation**2))


def _seen(years: Integers, labelled_years: Integers, nearest: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Whether each labelled question (column) is of one of the years nearest to that of each question (row)."""
    known = np.unique(labelled_years[labelled_years > 0])
    seen = np.zeros((len(years), len(labelled_years)), dtype=np.bool_)
    for year in np.unique(years):
        others = known[known != year]
        near = others[np.argsort(np.abs(others - year), kind="stable")[:nearest]]
        seen[years == year] = np.isin(labelled_years, near)
    return seen
