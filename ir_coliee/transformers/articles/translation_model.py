"""Retrieval of articles by translation: IBM model 1."""

from __future__ import annotations

from ir_coliee.editions import Dataset
from ir_coliee.engine.articles.labelled_questions import LabelledQuestions
from ir_coliee.engine.articles.translations import FittedTranslations
from ir_coliee.frames import integer_at_least
from ir_coliee.text.analysers import Analysis
from ir_coliee.transformers.articles.base import ArticleEstimator


class TranslationModel(ArticleEstimator):
    """Score articles by the probability that their words are translated into those of the question: Q to R, R to R.

    IBM model 1 [1] learns from labelled questions and their relevant articles which words of questions stand for which
    words of articles, such as "dead" for "succession". An article is translated as in [2].

    No label of a question's own exam year is used for it: a question of a labelled year is scored by translations that
    are learned from the other folds of exam years. Questions without an exam year in their id count as one year.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    analyser : str or analyser, optional
        The analyser of the texts. By default stems without stop words in English (extra ``stem``), and lemmas of
        content words in Japanese (extra ``ja``), see `ir_coliee.text.stems`. Pairs of terms are counted, so an analyser
        with many terms, such as ``characters``, takes much memory.
    folds : int
        The number of folds of exam years, >= 1.
    rounds : int
        The rounds of expectation maximisation, >= 1.
    num_results : int
        The largest number of articles for each question, >= 1.

    Notes
    -----
    The model is fitted to the pairs of question and relevant article (caption and text) and of each article with
    itself. P(w | a) = .7 Σ_t P(w | t) tf(t, a) / length(a) + .3 tf(w, a) / length(a); the score is the sum of max(0,
    ln(.7 P(w | a) / p(w) + .3)) over the distinct words w of the question, where p(w) is the frequency of the word in
    all articles and labelled questions.

    References
    ----------
    .. [1] P. F. Brown, S. A. Della Pietra, V. J. Della Pietra and R. L. Mercer. The mathematics of statistical machine
       translation: parameter estimation. Computational Linguistics 19(2), 1993.
    .. [2] A. Berger and J. Lafferty. Information retrieval as statistical translation. SIGIR 1999.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyterrier as pt
    >>> dataset = pt.get_dataset("irds:coliee/task3/sample/en/train")
    >>> model = TranslationModel("coliee/task3/sample/en/train", analyser="words", num_results=2)
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> model.fit(dataset.get_topics(), dataset.get_qrels())(question)[["qid", "rank"]].values.tolist()
    [['R99-01-A', 0], ['R99-01-A', 1]]
    """

    LABEL = "Translation model"

    def __init__(
        self,
        dataset: Dataset,
        *,
        analyser: Analysis | None = None,
        folds: int = 5,
        rounds: int = 4,
        num_results: int = 1000,
    ) -> None:
        super().__init__(dataset, analyser, num_results)
        self.folds = integer_at_least("folds", folds, 1)
        self.rounds = integer_at_least("rounds", rounds, 1)

    def fitted(self, articles: list[str], labelled: LabelledQuestions, analyser: Analysis) -> FittedTranslations:
        """Return the fitted model."""
        return FittedTranslations.fit(articles, labelled, analyser, folds=self.folds, rounds=self.rounds)
