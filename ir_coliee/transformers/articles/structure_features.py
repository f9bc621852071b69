"""Features of the articles around an article: of its section and chapter, and of those beside it."""

from __future__ import annotations

from ir_coliee.engine.articles.references import REFERENCE_FEATURES, reference_features
from ir_coliee.engine.articles.structure import STRUCTURE_FEATURES, structure_features
from ir_coliee.frames import Floats
from ir_coliee.transformers.articles.base import ScoreArticleFeatures, ScoreGrid


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
