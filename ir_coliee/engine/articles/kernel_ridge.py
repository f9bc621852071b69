"""Kernel ridge regression from texts to articles, with exact scores for questions that are left out in blocks.

Articles and labelled questions are examples: the target of an article is the article itself, that of a question its
relevant articles. For the kernel K and the ridge λ, G = (K + λI)⁻¹ and the coefficients are G Y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.labelled_questions import LabelledQuestions
from ir_coliee.engine.articles.text_scores import counted, text_scores
from ir_coliee.engine.blas_threads import one_blas_thread
from ir_coliee.engine.term_counts import TermCounts
from ir_coliee.engine.weightings import TfIdf
from ir_coliee.frames import Floats, Integers
from ir_coliee.text.analysers import Analysis


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
            return np.asarray(kernel @ coefficients, dtype=np.float64)

    def scores_of_exams(self, kernel: Floats, years: Integers, example_years: Integers) -> Floats:
        """Scores of the articles for questions. No label of a question's own exam year is used.

        Parameters
        ----------
        kernel : float64 array, questions x examples
            Similarities of the questions and the examples.
        years : int64 array
            Exam year of each question, see `ExamQuestions`.
        example_years : int64 array
            Exam year of the labelled questions, which are the last examples.

        Returns
        -------
        float64 array, questions x articles
        """
        scores = np.zeros((len(kernel), self.targets.shape[1]))
        first = len(self.inverse) - len(example_years)
        for year in np.unique(years):
            left_out = first + np.flatnonzero(example_years == year)
            scores[years == year] = self.scores(kernel[years == year], left_out)
        return scores


@dataclass(frozen=True, eq=False)
class FittedKernelRidge:
    """Kernel ridge regression over articles and labelled questions, with TF-IDF cosines as the kernel.

    Attributes
    ----------
    index : TermCounts
        The articles, followed by the labelled questions.
    labelled : LabelledQuestions
        The labelled questions.
    regression : RidgeRegression
        The regression.
    """

    index: TermCounts
    labelled: LabelledQuestions
    regression: RidgeRegression

    @classmethod
    def fit(
        cls, articles: Sequence[str], labelled: LabelledQuestions, analyser: Analysis, ridge: float = 0.5
    ) -> FittedKernelRidge:
        """Fit the regression.

        Parameters
        ----------
        articles : sequence of str
            Texts of the articles, with their captions.
        labelled : LabelledQuestions
            The labelled questions.
        analyser : Analysis
            Analyser of the texts.
        ridge : float
            λ, above 0.
        """
        texts = [*articles, *labelled.texts]
        index = counted(texts, analyser)
        targets = sparse.vstack([sparse.eye(len(articles), format="csr"), labelled.relevant], format="csr")
        return cls(index, labelled, RidgeRegression.fit(text_scores(index, TfIdf(), texts), targets, ridge))

    def scores(self, questions: Sequence[str], exams: ExamQuestions) -> Floats:
        """Scores of the articles. No label of a question's own exam year is used.

        Parameters
        ----------
        questions : sequence of str
            Texts of the questions, of the labelled ones or others.
        exams : ExamQuestions
            Their exam years.

        Returns
        -------
        float64 array, questions x articles
        """
        kernel = text_scores(self.index, TfIdf(), questions)
        return self.regression.scores_of_exams(kernel, exams.years, self.labelled.exams.years)
