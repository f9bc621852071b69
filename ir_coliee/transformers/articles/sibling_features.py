"""Features of the sibling questions: those of the same exam and number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ir_coliee.editions import Dataset
from ir_coliee.engine.articles.exams import ExamQuestions
from ir_coliee.engine.articles.fourfold import evidence
from ir_coliee.engine.articles.siblings import SIBLING_FEATURES, group_sizes, sibling_features
from ir_coliee.frames import Floats, check_number
from ir_coliee.transformers.articles.base import ScoreArticleFeatures, ScoreGrid


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
