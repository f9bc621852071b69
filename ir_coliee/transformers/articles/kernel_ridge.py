"""Kernel ridge regression from questions to articles."""

from __future__ import annotations

import math

from ir_coliee.editions import Dataset
from ir_coliee.engine.articles.kernel_ridge import FittedKernelRidge
from ir_coliee.engine.articles.labelled_questions import LabelledQuestions
from ir_coliee.frames import check_number
from ir_coliee.text.analysers import Analysis
from ir_coliee.transformers.articles.base import ArticleEstimator


class ArticleKernelRidge(ArticleEstimator):
    """Score articles by kernel ridge regression from texts to articles: Q to R, R to R.

    The examples of the regression are the articles, whose target is the article itself, and labelled questions, whose
    targets are their relevant articles. The kernel is the TF-IDF cosine of texts; the text of an article includes its
    caption. In contrast to `PastQuestionRetriever`, past questions and articles support each other, and what many
    questions share counts less.

    No label of a question's own exam year is used for it: the labelled questions of a year are scored as if the
    regression had been fitted without them, by a closed form. Questions without an exam year in their id count as one
    year.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    analyser : str or analyser, optional
        The analyser of the texts, for example ``characters``. By default stems without stop words in English (extra
        ``stem``), and lemmas of content words in Japanese (extra ``ja``), see `ir_coliee.text.stems`.
    ridge : float
        The ridge λ, above 0.
    num_results : int
        The largest number of articles for each question, >= 1.

    Notes
    -----
    For the kernel K of the examples, their targets Y and G = (K + λI)⁻¹, a question with the kernel row k has the
    scores k G Y. The questions B of a labelled exam year have the scores Y_B - (G_BB)⁻¹ (G Y)_B.

    References
    ----------
    C. Saunders, A. Gammerman and V. Vovk. Ridge regression learning algorithm in dual variables. ICML 1998.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyterrier as pt
    >>> dataset = pt.get_dataset("irds:coliee/task3/sample/en/train")
    >>> ridge = ArticleKernelRidge("coliee/task3/sample/en/train", analyser="characters", num_results=2)
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> ridge.fit(dataset.get_topics(), dataset.get_qrels())(question)[["qid", "rank"]].values.tolist()
    [['R99-01-A', 0], ['R99-01-A', 1]]
    """

    LABEL = "Kernel ridge"

    def __init__(
        self, dataset: Dataset, *, analyser: Analysis | None = None, ridge: float = 0.5, num_results: int = 1000
    ) -> None:
        super().__init__(dataset, analyser, num_results)
        self.ridge = check_number("ridge", ridge, "a finite number > 0", lambda value: 0 < value < math.inf)

    def fitted(self, articles: list[str], labelled: LabelledQuestions, analyser: Analysis) -> FittedKernelRidge:
        """Return the fitted regression."""
        return FittedKernelRidge.fit(articles, labelled, analyser, self.ridge)
