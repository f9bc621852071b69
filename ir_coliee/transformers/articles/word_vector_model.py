"""Retrieval of articles by word vectors that are learned from the collection itself."""

from __future__ import annotations

from ir_coliee.editions import Dataset
from ir_coliee.engine.articles.labelled_questions import LabelledQuestions
from ir_coliee.engine.articles.word_vectors import FittedWordVectors
from ir_coliee.frames import integer_at_least
from ir_coliee.text.analysers import Analysis
from ir_coliee.transformers.articles.base import ArticleEstimator


class WordVectorModel(ArticleEstimator):
    """Score articles by word vectors that are learned from articles and questions: Q to R, R to R.

    Words that occur near the same words have similar vectors, so that an article may be found without a shared word. No
    model is downloaded, and the labels of the questions are only used to select those with a relevant article.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    analyser : str or analyser, optional
        The analyser of the texts. By default stems without stop words in English (extra ``stem``), and lemmas of
        content words in Japanese (extra ``ja``), see `ir_coliee.text.stems`.
    dimensions : int
        The number of dimensions, >= 1.
    num_results : int
        The largest number of articles for each question, >= 1.

    Notes
    -----
    Co-occurrences within 6 words are weighted by 1 / distance. The vectors are the rows of their positive pointwise
    mutual information, with the frequencies of contexts to the power of .75, after a truncated singular value
    decomposition [1] by scikit-learn (extra ``learn``). A text is the TF-IDF weighted sum of the vectors of its words;
    the score is the cosine.

    References
    ----------
    .. [1] O. Levy and Y. Goldberg. Neural word embedding as implicit matrix factorization. NIPS 2014.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyterrier as pt
    >>> dataset = pt.get_dataset("irds:coliee/task3/sample/en/train")
    >>> model = WordVectorModel("coliee/task3/sample/en/train", analyser="words", num_results=2)
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> model.fit(dataset.get_topics(), dataset.get_qrels())(question)[["qid", "rank"]].values.tolist()
    [['R99-01-A', 0], ['R99-01-A', 1]]
    """

    LABEL = "Word vectors"

    def __init__(
        self,
        dataset: Dataset,
        *,
        analyser: Analysis | None = None,
        dimensions: int = 200,
        num_results: int = 1000,
    ) -> None:
        super().__init__(dataset, analyser, num_results)
        self.dimensions = integer_at_least("dimensions", dimensions, 1)

    def fitted(self, articles: list[str], labelled: LabelledQuestions, analyser: Analysis) -> FittedWordVectors:
        """Return the fitted model."""
        return FittedWordVectors.fit(articles, labelled, analyser, self.dimensions)
