"""Evidence for articles of a code, from labelled exam questions and from the structure of exams and codes (task 3).

`ArticleKernelRidge` and `TranslationModel` are fitted to labelled questions and score all articles. `SiblingFeatures`,
`StructureFeatures`, `ReferenceFeatures` and `QuestionNumberFeatures` compute features of scores and places. A question
is never scored by labels of its own exam year.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.engine.articles.collection import (
    REFERENCE_FEATURES,
    STRUCTURE_FEATURES,
    ArticleCollection,
    ExamQuestions,
    LabelledQuestions,
    evidence,
    reference_features,
    structure_features,
)
from ir_coliee.engine.articles.evidence import (
    NUMBER_FEATURES,
    SIBLING_FEATURES,
    FittedKernelRidge,
    FittedTranslations,
    group_sizes,
    question_number_features,
    sibling_features,
)
from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError, printable
from ir_coliee.frames import (
    Floats,
    Integers,
    best_results,
    check_ids,
    check_number,
    integer_at_least,
    number_ids,
    take_rows,
    text_values,
)
from ir_coliee.text.analysers import Analysis, check_text_analyser
from ir_coliee.text.stems import Stems
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.features.scores import FeatureTransformer, checked_columns, score_values
from ir_coliee.transformers.training_labels import relevant_pairs

__all__ = [
    "ArticleKernelRidge",
    "QuestionNumberFeatures",
    "ReferenceFeatures",
    "SiblingFeatures",
    "StructureFeatures",
    "TranslationModel",
]


# Base classes of the transformers of articles: estimators that score articles, and features of matrices of scores.


_Fitted = TypeVar("_Fitted", bound="ArticleEstimator")


class ArticleEstimator(BaseEstimator):
    """Base of the estimators that score all articles of a collection for questions: Q to R, R to R.

    A subclass defines `fitted`, which returns a model with ``labelled`` and ``scores``.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    analyser : str or analyser, optional
        The analyser of the texts. By default stems without stop words in English, and lemmas of content words in
        Japanese, see `ir_coliee.text.stems`.
    num_results : int
        The largest number of articles for each question, >= 1.
    """

    def __init__(self, dataset: Dataset, analyser: Analysis | None, num_results: int) -> None:
        self.dataset = as_dataset_id(dataset)
        self.analyser = None if analyser is None else check_text_analyser(analyser)
        self.num_results = integer_at_least("num_results", num_results, 1)
        super().__init__()

    def fitted(self, articles: list[str], labelled: LabelledQuestions, analyser: Analysis) -> Any:
        """Return the model that is fitted to the articles and the labelled questions."""
        raise NotImplementedError

    def fit(self: _Fitted, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> _Fitted:
        """Fit the model.

        Parameters
        ----------
        topics : pandas.DataFrame
            Questions with the columns qid and query. One without a relevant article in the collection is ignored.
        qrels : pandas.DataFrame
            The columns qid, docno and label.

        Returns
        -------
        ArticleEstimator
            This object, fitted.

        Raises
        ------
        InsufficientTrainingDataError
            If no question has a relevant article.
        """
        pt.validate.columns(topics, includes=["qid", "query"], context=self)
        collection = ArticleCollection.of(self.dataset)
        labelled = labelled_questions(topics, qrels, collection, self)
        analyser = self.analyser
        if analyser is None:
            stems = Stems.of(collection.language)
            for note in stems.notes:
                warnings.warn(f"{type(self).__name__}: {note}", ColieeWarning, stacklevel=2)
            analyser = stems.analyser
        self._fitted_model = self.fitted(collection.texts(), labelled, analyser)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Retrieve the articles of questions (Q to R), or score the articles of the frame (R to R).

        Raises `ColieeError` for an article that the collection does not have.
        """
        with pt.validate.any(inp, context=self) as frame:
            frame.query_frame(extra_columns=["query"], mode="retrieve")
            frame.result_frame(extra_columns=["query"], mode="rescore")
        check_ids(inp)
        model = self.fitted_model()
        questions = inp.drop_duplicates("qid", ignore_index=True)
        scores = model.scores(text_values(questions, "query"), ExamQuestions.of(questions["qid"].tolist()))
        docnos = model.labelled.docnos
        if frame.mode == "rescore":
            rows, found = number_ids(inp["qid"])[0], inp.reset_index(drop=True)
            columns = _columns(docnos, inp["docno"], self.dataset)
        else:
            rows, columns = (each.ravel() for each in np.indices(scores.shape))
            found = take_rows(questions, rows).assign(docno=docnos[columns])
        scored = found.drop(columns="rank", errors="ignore").assign(score=scores[rows, columns])
        return best_results(scored, self.num_results)


def labelled_questions(
    topics: pd.DataFrame, qrels: pd.DataFrame, collection: ArticleCollection, context: pt.Transformer
) -> LabelledQuestions:
    """Return the questions that have a relevant article; raise `InsufficientTrainingDataError` if none has."""
    check_ids(topics)
    texts = text_values(topics, "query") if "query" in topics.columns else [""] * len(topics)
    gold = relevant_pairs(qrels, context)
    pairs = zip(gold["qid"].tolist(), gold["docno"].tolist())
    labelled = LabelledQuestions.of(dict(zip(topics["qid"].tolist(), texts)), pairs, collection.docnos.tolist())
    if not labelled.texts:
        raise InsufficientTrainingDataError(
            f"None of the {len(topics)} questions has a relevant article in the collection.\n"
            "Check that topics and qrels have the same query ids."
        )
    return labelled


class ScoreGrid(NamedTuple):
    """The rows of a frame as cells of a matrix: questions x all articles of the collection.

    Attributes
    ----------
    frame : pandas.DataFrame
        The results.
    qids : list of str
        The question of each row of the matrix.
    rows, columns : numpy.ndarray of int64
        The cell of each row of the frame.
    collection : ArticleCollection
        The articles, which are the columns of the matrix.
    """

    frame: pd.DataFrame
    qids: list[str]
    rows: Integers
    columns: Integers
    collection: ArticleCollection

    def scores(self, column: str) -> Floats:
        """Return a column of scores as a matrix, 0 for articles that the frame lacks."""
        matrix = np.zeros((len(self.qids), len(self.collection.docnos)))
        matrix[self.rows, self.columns] = score_values(self.frame, column, self.rows)
        return matrix


class ArticleFeatures(FeatureTransformer):
    """Base of the feature transformers (R to R) that compute features on matrices of questions and articles.

    A subclass defines `feature_names` and `matrices`.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = as_dataset_id(dataset)

    def matrices(self, grid: ScoreGrid) -> list[Floats]:
        """Return a matrix (questions x articles) for each feature."""
        raise NotImplementedError

    def collection(self) -> ArticleCollection:
        """Return the articles, read again once the local release has changed."""
        store = ir_datasets.load(self.dataset).docs_store()
        return self._cached((self.dataset, store), lambda: ArticleCollection.of(self.dataset))

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for an article that the collection does not have."""
        collection = self.collection()
        rows, qids = number_ids(results["qid"])
        columns = _columns(collection.docnos, results["docno"], self.dataset)
        matrices = self.matrices(ScoreGrid(results, qids.tolist(), rows, columns, collection))
        return np.column_stack([matrix[rows, columns] for matrix in matrices]).astype(np.float64)


class ScoreArticleFeatures(ArticleFeatures):
    """Base of the features that are computed from columns of scores.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.
    """

    def __init__(self, dataset: Dataset, scores: Any = ("score",)) -> None:
        super().__init__(dataset)
        self.scores = checked_columns(scores)

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores


def _columns(docnos: Any, ids: pd.Series[Any], dataset: str) -> Integers:
    columns = pd.Index(docnos, dtype=object).get_indexer(ids.to_numpy(object))
    if (unknown := columns < 0).any():
        raise ColieeError(
            f"{printable(str(ids.to_numpy(object)[unknown][0]))} is not an article of {dataset}.\n"
            "Pass results of this dataset, or the id of the dataset that they are from."
        )
    return np.asarray(columns, dtype=np.int64)


# Kernel ridge regression from questions to articles.


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


# Features of the number of a question in its exam.


class QuestionNumberFeatures(ArticleFeatures, BaseEstimator):
    """Compute features of the number of a question and the place of an article: R to R.

    Exams go through the code in order, so the number of a question tells where its articles are. Features are the
    ``number`` of the question in its exam, the ``place`` of the article in the code (counted from 0), and the
    ``density`` of the relevant articles of other exam years around both, as value, ratio to the question's best, rank
    and gap to the second best.

    No label of a question's own exam year is used for it. The features of a question whose id has no number are 0,
    except the place.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    nearest : int
        The number of exam years to use, those nearest to the question's, >= 1.

    Notes
    -----
    A relevant article at place p of a question with number m adds exp(-(n - m)² / 2) exp(-(a - p)² / (2 · 8²)) to the
    density of the article at place a for a question with number n.

    Examples
    --------
    >>> dataset = pt.get_dataset("irds:coliee/task3/sample/en/train")
    >>> features = QuestionNumberFeatures("coliee/task3/sample/en")
    >>> features = features.fit(dataset.get_topics(), dataset.get_qrels())
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["3", "4"], "score": [2.0, 8.0]})
    >>> features(run).features.str[1].tolist()
    [2.0, 3.0]
    """

    LABEL = "Question numbers"

    def __init__(self, dataset: Dataset, nearest: int = 6) -> None:
        super().__init__(dataset)
        BaseEstimator.__init__(self)
        self.nearest = integer_at_least("nearest", nearest, 1)

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> QuestionNumberFeatures:
        """Store where the relevant articles of the questions of each exam are.

        Parameters
        ----------
        topics : pandas.DataFrame
            The labelled questions, with the column qid.
        qrels : pandas.DataFrame
            The columns qid, docno and label.

        Returns
        -------
        QuestionNumberFeatures
            This object, fitted.

        Raises
        ------
        InsufficientTrainingDataError
            If no question has a relevant article.
        """
        pt.validate.columns(topics, includes=["qid"], context=self)
        self._fitted_model = labelled_questions(topics[["qid"]], qrels, self.collection(), self)
        return self

    @property
    def feature_names(self) -> list[str]:
        """``number``, ``place``, ``density``, ``density_ratio``, ``density_rank`` and ``density_gap``."""
        return list(NUMBER_FEATURES)

    def matrices(self, grid: ScoreGrid) -> list[Floats]:
        """Compute the features as matrices."""
        model = self.fitted_model()
        features = question_number_features(
            ExamQuestions.of(grid.qids), model.exams, model.relevant, nearest=self.nearest
        )
        return [features[name] for name in NUMBER_FEATURES]


# Features of the sibling questions: those of the same exam and number.


class SiblingFeatures(ScoreArticleFeatures):
    """Compute features of the scores of an article for the sibling questions: R to R.

    The siblings of a question are the other questions of the same exam and number: R98-04-A, R98-04-I and R98-04-U ask
    about one subject, and are handed out together. No labels are used. The evidence of a column of scores is the score
    divided by the question's best, to the given power. For each column these are

    * ``mean``, ``mean_ratio``, ``mean_rank``, ``mean_gap``: the mean evidence of the siblings, its ratio to the
      question's best, its rank and its gap to the second best,
    * ``mean_section``, ``mean_chapter``, ``mean_finest``: the mean evidence summed over the articles with the same
      section, chapter or finest heading, as a ratio to the question's best,
    * ``best``: the largest evidence of a sibling,
    * ``near``: the mean evidence summed over the article and two articles before and behind it.

    ``group_size`` is the number of questions with the same exam and number, the question itself included. All features
    of siblings are 0 for a question without siblings in the frame. Pass the candidates of all questions at once; an
    article that the frame lacks for a question has the score 0.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.
    power : float
        The power of the evidence, above 0: the higher, the less the articles below a question's best count.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["R99-01-A", "R99-01-I"], "docno": ["3", "4"], "score": [2.0, 8.0]})
    >>> features = SiblingFeatures("coliee/task3/sample/en")
    >>> features(run.assign(docno="3")).features.str[1].tolist()  # the mean evidence of the other question
    [1.0, 1.0]
    >>> features(run).features.str[1].tolist()
    [0.0, 0.0]
    """

    LABEL = "Sibling features"

    def __init__(self, dataset: Dataset, scores: Sequence[str] = ("score",), power: float = 2.0) -> None:
        super().__init__(dataset, scores)
        self.power = check_number("power", power, "a finite number > 0", lambda value: 0 < value < math.inf)

    @property
    def feature_names(self) -> list[str]:
        """``group_size``, and each column with ``_siblings_`` and the name of the feature."""
        return ["group_size", *(f"{name}_siblings_{feature}" for name in self.scores for feature in SIBLING_FEATURES)]

    def matrices(self, grid: ScoreGrid) -> list[Floats]:
        """Compute the features as matrices."""
        groups, units = ExamQuestions.of(grid.qids).groups, grid.collection.all_units()
        sizes = np.broadcast_to(group_sizes(groups)[:, None], (len(grid.qids), len(grid.collection.docnos)))
        features = (sibling_features(evidence(grid.scores(name), self.power), groups, units) for name in self.scores)
        return [sizes.astype(np.float64), *(each[feature] for each in features for feature in SIBLING_FEATURES)]


# Features of the articles around an article: of its section and chapter, and of those beside it.


class StructureFeatures(ScoreArticleFeatures):
    """Compute features of the scores of the articles around an article: R to R.

    For each column of scores these are

    * ``best_section``, ``best_chapter``, ``best_finest``: the best score of the articles with the same section, chapter
      or finest heading,
    * ``near_1``, ``near_2``: the best score of the articles at most one and two places before or behind, without the
      article itself,
    * ``sum_section``, ``sum_chapter``, ``sum_finest``: the sum of the squared ratios to the question's best score over
      the articles with the same heading.

    An article that the frame lacks for a question has the score 0: pass as many articles of each question as possible.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["3", "4"], "score": [2.0, 8.0]})
    >>> features = StructureFeatures("coliee/task3/sample/en")(run).features
    >>> features.str[3].tolist()  # the best score of an article beside it
    [8.0, 2.0]
    """

    LABEL = "Structure features"

    @property
    def feature_names(self) -> list[str]:
        """The name of each column with ``_`` and the name of the feature."""
        return [f"{name}_{feature}" for name in self.scores for feature in STRUCTURE_FEATURES]

    def matrices(self, grid: ScoreGrid) -> list[Floats]:
        """Compute the features as matrices."""
        units = grid.collection.all_units()
        features = (structure_features(grid.scores(name), units) for name in self.scores)
        return [each[feature] for each in features for feature in STRUCTURE_FEATURES]


class ReferenceFeatures(ScoreArticleFeatures):
    """Compute features of the scores of the articles that an article refers to or that refer to it: R to R.

    For each column of scores these are the best score, as a ratio to the question's best, among

    * ``incoming``: the articles that refer to the article,
    * ``outgoing``: the articles that it refers to,
    * ``incoming_mutatis_mutandis``, ``outgoing_mutatis_mutandis``: the same, for references that apply an article
      mutatis mutandis (準用).

    They are 0 without such an article. An article that the frame lacks for a question has the score 0. The references
    are those of `ir_coliee.text.references.graph`. In contrast to `ReferenceExpansion` no articles are added.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["5", "6"], "score": [8.0, 2.0]})
    >>> ReferenceFeatures("coliee/task3/sample/en")(run).features.tolist()  # article 6 refers to article 5
    [array([0.25, 0.  , 0.  , 0.  ]), array([0., 1., 0., 0.])]
    """

    LABEL = "Reference features"

    @property
    def feature_names(self) -> list[str]:
        """The name of each column with ``_`` and the name of the feature."""
        return [f"{name}_{feature}" for name in self.scores for feature in REFERENCE_FEATURES]

    def matrices(self, grid: ScoreGrid) -> list[Floats]:
        """Compute the features as matrices."""
        features = (reference_features(grid.scores(name), grid.collection) for name in self.scores)
        return [each[feature] for each in features for feature in REFERENCE_FEATURES]


# Retrieval of articles by translation: IBM model 1.


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
