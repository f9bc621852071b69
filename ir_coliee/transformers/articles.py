"""Evidence for articles of a code, from labelled exam questions and from the structure of exams and codes (task 3).

`ArticleScores` scores all articles by one kind of evidence of the table `ir_coliee.engine.articles.evidence.EVIDENCE`:
shared terms, past questions, kernel ridge regression, translation or the number of a question. A question is never
scored by labels of its own exam year. `ArticleFeatures` computes features of columns of scores: of the sibling
questions, of the articles around an article, and of those that it refers to.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Literal, get_args

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_dataset_id
from ir_coliee.engine.articles.collection import (
    REFERENCE_FEATURES,
    SIBLING_FEATURES,
    STRUCTURE_FEATURES,
    ArticleCollection,
    ArticleQuestions,
    ExamQuestions,
    evidence,
    group_sizes,
    reference_features,
    sibling_features,
    structure_features,
)
from ir_coliee.engine.articles.evidence import EVIDENCE, TOTAL, ArticleEvidence
from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError, printable
from ir_coliee.frames import (
    Floats,
    Integers,
    best_results,
    check_ids,
    check_number,
    integer_at_least,
    number_ids,
    one_of,
    take_rows,
    text_values,
)
from ir_coliee.text.analysers import Stems
from ir_coliee.transformers.base import Ranker
from ir_coliee.transformers.estimators import BaseEstimator, relevant_pairs
from ir_coliee.transformers.features.scores import FeatureTransformer, checked_columns, score_values

_COLUMNS = ["qid", "query"]


class ArticleScores(Ranker, BaseEstimator):
    """Score articles by one kind of evidence: Q to R, R to R.

    Statistics of terms are those of the articles, of the labelled questions that the transformer is fitted to, and of
    the questions of the frame. Of a question that is in both, the text of the frame is used, and the labels. No label
    of a question's own exam year is used for it, so that the scores of train questions are as honest as those of a
    test. Questions without an exam year in their id count as one year.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    evidence : str
        The name of a score of the table `ir_coliee.engine.articles.evidence.EVIDENCE`, which has the formula and the
        source of each. Some of them:

        * ``ridge.stems``, ``ridge.characters``: kernel ridge regression from texts to articles. In contrast to past
          questions, these and articles support each other, and what many questions share counts less.
        * ``translation.ibm1``: words of articles stand for other words of questions, such as "succession" for "dead".
          A question of a labelled year is scored by translations that are learned from the other of five folds.
        * ``past.words_nearest``: the most similar labelled question to which the article is relevant.
        * ``number.density``: exams go through the code in order, so the number of a question tells where its articles
          are.
    num_results : int
        The largest number of articles for each question, >= 1.

    Examples
    --------
    >>> dataset = pt.get_dataset("irds:coliee/task3/sample/en/train")
    >>> ridge = ArticleScores("coliee/task3/sample/en/train", "ridge.characters", num_results=2)
    >>> question = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> ridge.fit(dataset.get_topics(), dataset.get_qrels())(question)[["qid", "rank"]].values.tolist()
    [['R99-01-A', 0], ['R99-01-A', 1]]
    """

    LABEL = "Article scores"

    def __init__(self, dataset: Dataset, evidence: str, *, num_results: int = 1000) -> None:
        self.dataset = as_dataset_id(dataset)
        self.evidence = one_of("evidence", evidence, tuple(EVIDENCE))
        self.num_results = integer_at_least("num_results", num_results, 1)
        super().__init__()

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame, *_validation: object) -> ArticleScores:
        """Keep labelled questions.

        Parameters
        ----------
        topics : pandas.DataFrame
            Questions with the columns qid and query.
        qrels : pandas.DataFrame
            The columns qid, docno and label. Articles that the collection lacks are ignored.

        Returns
        -------
        ArticleScores
            This object, fitted.

        Raises
        ------
        InsufficientTrainingDataError
            If no question has a relevant article.
        """
        pt.validate.columns(topics, includes=_COLUMNS, context=self)
        check_ids(topics)
        train = topics[_COLUMNS].assign(query=text_values(topics, "query")).drop_duplicates("qid", ignore_index=True)
        gold = relevant_pairs(qrels, self)[["qid", "docno"]]
        if not ArticleQuestions.of(ArticleCollection.of(self.dataset), train, gold).labelled.any():
            raise InsufficientTrainingDataError(
                f"None of the {len(train)} questions has a relevant article in the collection.\n"
                "Check that topics and qrels have the same query ids."
            )
        if self.evidence == TOTAL or "stems" in EVIDENCE[self.evidence].formula:
            for note in Stems.of(ArticleCollection.of(self.dataset).language).notes:
                warnings.warn(f"{type(self).__name__}: {note}", ColieeWarning, stacklevel=2)
        self._fitted_model = train, gold
        return self

    def _retrieve(self, queries: pd.DataFrame) -> pd.DataFrame:
        questions = queries.drop_duplicates("qid", ignore_index=True)
        collection, scores = self._article_scores(questions)
        rows, columns = (each.ravel() for each in np.indices(scores.shape))
        found = take_rows(questions.drop(columns="rank", errors="ignore"), rows)
        return best_results(found.assign(docno=collection.docnos[columns], score=scores.ravel()), self.num_results)

    def _scores(self, results: pd.DataFrame) -> Floats:
        collection, scores = self._article_scores(results.drop_duplicates("qid", ignore_index=True))
        return scores[number_ids(results["qid"])[0], _columns(collection, results["docno"], self.dataset)]

    def _article_scores(self, questions: pd.DataFrame) -> tuple[ArticleCollection, Floats]:
        """Return the articles, and their scores for the questions."""
        train, gold = self.fitted_model()
        collection = ArticleCollection.of(self.dataset)
        asked = questions[_COLUMNS].assign(query=text_values(questions, "query"))
        text_of = dict(zip(asked["qid"], asked["query"]))
        known = train.assign(query=[text_of.get(qid, text) for qid, text in zip(train["qid"], train["query"])])
        pool = ArticleQuestions.of(collection, known, gold, asked[~asked["qid"].isin(train["qid"])])
        rows = pd.Index(pool.qids, dtype=object).get_indexer(pd.Index(asked["qid"], dtype=object)).astype(np.int64)
        found = ArticleEvidence(pool, rows, Stems.of(collection.language).analyser)
        return collection, found.scores([self.evidence])[self.evidence]


Family = Literal["siblings", "structure", "references", "number"]


class ArticleFeatures(FeatureTransformer):
    """Compute features of columns of scores, among the questions of an exam and the articles of a code: R to R.

    No labels are used. An article that the frame lacks for a question has the score 0: pass the candidates of all
    questions of an exam at once, with as many articles of each as possible.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split or a collection of articles of task 3.
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.
    families : sequence of {"siblings", "structure", "references", "number"}
        The features to compute. ``siblings`` are the other questions of the same exam and number: R98-04-A, R98-04-I
        and R98-04-U ask about one subject. Their evidence is the score divided by the question's best, to a power.

        * ``siblings.mean``, ``siblings.mean_ratio``, ``siblings.mean_rank``, ``siblings.mean_gap``: the mean evidence
          of the siblings, its ratio to the question's best, its rank and its gap to the second best;
          ``siblings.mean_section``, ``siblings.mean_chapter``, ``siblings.mean_finest``: the mean summed over the
          articles with the same heading, as a ratio to the question's best; ``siblings.best``: the largest evidence of
          a sibling; ``siblings.near``: the mean summed over the article and two articles before and behind it. All
          are 0 for a question without siblings in the frame.
        * ``structure.best_section``, ``structure.best_chapter``, ``structure.best_finest``: the best score of the
          articles with the same section, chapter or finest heading; ``structure.near_1``, ``structure.near_2``: that of
          the articles at most one and two places before or behind, without the article itself;
          ``structure.sum_section``, ``structure.sum_chapter``, ``structure.sum_finest``: the sum of the squared ratios
          to the question's best score over the articles with the same heading.
        * ``references.incoming``, ``references.outgoing``: the best score, as a ratio to the question's best, of the
          articles that refer to the article, and of those that it refers to;
          ``references.incoming_mutatis_mutandis``, ``references.outgoing_mutatis_mutandis``: the same, for references
          that apply an article mutatis mutandis (準用). In contrast to `ReferenceExpansion` no articles are added.
        * ``number.number``, ``number.place``, ``number.group_size``: the number of the question in its exam, the place
          of the article in the code (counted from 0), and the number of questions with the same exam and number, the
          question itself included. They do not depend on the scores.
    power : float
        The power of the siblings' evidence, above 0: the higher, the less the articles below a question's best count.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "R99-01-A", "docno": ["5", "6"], "score": [8.0, 2.0]})
    >>> features = ArticleFeatures("coliee/task3/sample/en", families=["references"])
    >>> features.feature_names[:2]
    ['score.references.incoming', 'score.references.outgoing']
    >>> features(run).features.tolist()  # article 6 refers to article 5
    [array([0.25, 0.  , 0.  , 0.  ]), array([0., 1., 0., 0.])]
    """

    LABEL = "Article features"

    def __init__(
        self,
        dataset: Dataset,
        scores: Sequence[str] = ("score",),
        *,
        families: Sequence[str] = get_args(Family),
        power: float = 2.0,
    ) -> None:
        self.dataset = as_dataset_id(dataset)
        self.scores = checked_columns(scores)
        self.families = [one_of("families", family, get_args(Family)) for family in families]
        self.power = check_number("power", power, "a finite number > 0", lambda value: 0 < value < math.inf)

    @property
    def feature_names(self) -> list[str]:
        """The name of each column with the family and the name of the feature; those of numbers without a column."""
        of_scores = [
            f"{name}.{family}.{feature}"
            for name in self.scores
            for family in self.families
            for feature in _FEATURES.get(family, ())
        ]
        return [*of_scores, *(_NUMBERS if "number" in self.families else ())]

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features. Raises `ColieeError` for an article that the collection does not have."""
        store = ir_datasets.load(self.dataset).docs_store()  # another object once the local release has changed
        collection = self._cached((self.dataset, store), lambda: ArticleCollection.of(self.dataset))
        rows, qids = number_ids(results["qid"])
        columns = _columns(collection, results["docno"], self.dataset)
        exams = ExamQuestions.of(qids.tolist())
        found: list[Floats | Integers] = []
        for name in self.scores:
            scores = np.zeros((len(qids), len(collection.docnos)))
            scores[rows, columns] = score_values(results, name, rows)
            for family in self.families:
                matrices: dict[str, Floats] = {}
                if family == "siblings":
                    matrices = sibling_features(evidence(scores, self.power), exams.groups, collection.units)
                elif family == "structure":
                    matrices = structure_features(scores, collection.units)
                elif family == "references":
                    matrices = reference_features(scores, collection)
                found += [matrix[rows, columns] for matrix in matrices.values()]
        if "number" in self.families:
            found += [exams.numbers[rows], columns, group_sizes(exams.groups)[rows]]
        return np.column_stack(found).astype(np.float64)


_FEATURES = {
    "siblings": SIBLING_FEATURES,
    "structure": STRUCTURE_FEATURES,
    "references": REFERENCE_FEATURES,
}
_NUMBERS = ("number.number", "number.place", "number.group_size")


def _columns(collection: ArticleCollection, ids: pd.Series[Any], dataset: str) -> Integers:
    columns = pd.Index(collection.docnos, dtype=object).get_indexer(pd.Index(ids, dtype=object))
    if (unknown := columns < 0).any():
        raise ColieeError(
            f"{printable(str(ids.to_numpy(object)[unknown][0]))} is not an article of {dataset}.\n"
            "Pass results of this dataset, or the id of the dataset that they are from."
        )
    return np.asarray(columns, dtype=np.int64)
