"""Kernel ridge regression from texts to articles, with exact scores for questions that are left out in blocks.

Articles and labelled questions are examples: the target of an article is the article itself, that of a question its
relevant articles. For the kernel K and the ridge λ, G = (K + λI)⁻¹ and the coefficients are G Y.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.arrays import Floats, Integers
from ir_coliee.engine.blas_threads import one_blas_thread


class RidgeRegression(NamedTuple):
    """Solution of a kernel ridge regression.

    Attributes
    ----------
    inverse : float64 array, examples x examples
        G, the inverse of kernel and ridge.
    targets : csr_matrix, examples x articles
        Y, the relevant articles of the examples.
    """

    inverse: Floats
    targets: sparse.csr_matrix

    @classmethod
    def fit(cls, kernel: Floats, targets: sparse.csr_matrix, ridge: float = 0.5) -> RidgeRegression:
        """Solve the regression.

        Parameters
        ----------
        kernel : float64 array, examples x examples
            Similarities of the examples: symmetric and positive semidefinite.
        targets : csr_matrix, examples x articles
            1 for each relevant article of an example.
        ridge : float
            λ, above 0.

        Examples
        --------
        >>> fitted = RidgeRegression.fit(np.array([[1.0, 0.5], [0.5, 1.0]]), sparse.csr_matrix(np.eye(2)), ridge=0.5)
        >>> fitted.scores(np.array([[1.0, 0.0]])).round(3).tolist()
        [[0.75, -0.25]]
        """
        with one_blas_thread():
            inverse = np.asarray(np.linalg.inv(kernel + ridge * np.eye(len(kernel))), dtype=np.float64)
        return cls(inverse, targets)

    def scores(self, kernel: Floats, left_out: Integers | None = None) -> Floats:
        """Scores of the articles for other texts.

        Parameters
        ----------
        kernel : float64 array, texts x examples
            Similarities of the texts and the examples.
        left_out : int64 array, optional
            Numbers of the examples whose targets are not used: the scores are those of a regression without them.

        Returns
        -------
        float64 array, texts x articles

        Notes
        -----
        The coefficients without the block B are C - G_{:B} (G_BB)⁻¹ C_B for C = G Y. For the texts of the block itself
        this gives the scores Y_B - (G_BB)⁻¹ C_B. The targets of the block cancel out; they are set to 0 before, so that
        they do not even change the rounding.
        """
        block = np.empty(0, dtype=np.int64) if left_out is None else left_out
        kept = np.ones(len(self.inverse))
        kept[block] = 0.0
        with one_blas_thread():
            coefficients = np.asarray(self.inverse @ (sparse.diags(kept) @ self.targets))
            of_block = np.linalg.solve(self.inverse[np.ix_(block, block)], coefficients[block])
            coefficients -= self.inverse[:, block] @ of_block
            coefficients[block] = 0.0
            return kernel @ coefficients
