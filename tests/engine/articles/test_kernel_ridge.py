"""Kernel ridge regression against its definition."""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from ir_coliee.engine.articles.evidence import RidgeRegression

# two articles and four questions; the questions of the years are 2, 3 and 4, 5
VECTORS = np.array([[3, 0, 1], [0, 2, 1], [2, 1, 0], [1, 1, 1], [0, 3, 1], [1, 0, 2]], dtype=float)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)
KERNEL = VECTORS @ VECTORS.T
TARGETS = np.array([[1, 0], [0, 1], [1, 0], [1, 1], [0, 1], [0, 1]], dtype=float)
YEAR = np.array([2, 3])


def fitted(rows):
    """The regression on some of the examples, with the solution of its linear equations."""
    kernel = KERNEL[np.ix_(rows, rows)]
    return np.linalg.solve(kernel + 0.5 * np.eye(len(rows)), TARGETS[rows])


def test_scores_are_those_of_the_solved_equations():
    regression = RidgeRegression.fit(KERNEL, sparse.csr_matrix(TARGETS), ridge=0.5)
    other = np.array([[0.2, 0.1, 0.6, 0.0, 0.3, 0.9]])
    np.testing.assert_allclose(regression.scores(other), other @ fitted(range(6)), atol=1e-9)


def test_a_year_left_out_is_a_regression_without_its_questions():
    regression = RidgeRegression.fit(KERNEL, sparse.csr_matrix(TARGETS))
    kept = [0, 1, 4, 5]
    expected = KERNEL[:, kept] @ fitted(kept)
    np.testing.assert_allclose(regression.scores(KERNEL, YEAR), expected, atol=1e-9)
    closed = TARGETS[YEAR] - np.linalg.solve(
        regression.inverse[np.ix_(YEAR, YEAR)], (regression.inverse @ TARGETS)[YEAR]
    )
    np.testing.assert_allclose(regression.scores(KERNEL[YEAR], YEAR), closed, atol=1e-9)


def test_labels_of_a_year_do_not_reach_its_own_scores():
    permuted = TARGETS.copy()
    permuted[YEAR] = permuted[YEAR][::-1]
    before, after = (RidgeRegression.fit(KERNEL, sparse.csr_matrix(labels)) for labels in (TARGETS, permuted))
    assert np.array_equal(before.scores(KERNEL[YEAR], YEAR), after.scores(KERNEL[YEAR], YEAR))
    assert not np.allclose(before.scores(KERNEL[YEAR]), after.scores(KERNEL[YEAR]), atol=1e-3)
    others = np.array([4, 5])
    assert not np.allclose(before.scores(KERNEL[others], others), after.scores(KERNEL[others], others), atol=1e-3)


@pytest.mark.slow
def test_the_scores_have_the_same_bits_with_one_thread_and_with_two():
    pytest.importorskip("threadpoolctl")
    program = """
import hashlib
import numpy as np
from scipy import sparse
from ir_coliee.engine.articles.evidence import RidgeRegression
vectors = np.random.default_rng(0).random((400, 50))
vectors /= np.sqrt((vectors**2).sum(axis=1, keepdims=True))
kernel = (sparse.csr_matrix(vectors) @ sparse.csr_matrix(vectors).T).toarray()
scores = RidgeRegression.fit(kernel, sparse.eye(400, format="csr")).scores(kernel, np.arange(300, 370))
print(hashlib.sha256(scores.tobytes()).hexdigest())
"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(outputs) == 1
