"""Features of candidates, and learning to rank.

Feature transformers append numbers to the column ``features`` of each candidate; `LearnedRanker` scores candidates with
a learner that is fitted to these features. `ScoreColumns` collects candidates with the scores of several pipelines,
from which `ScoreFeatures` and `CrossQueryFeatures` are computed.
"""

from ir_coliee.transformers.features.evidence import (
    CaseFeatures,
    QuotedElsewhereFeatures,
    RhetoricFeatures,
)
from ir_coliee.transformers.features.learning import LearnedRanker, boosted_classifier, lambdarank, out_of_fold
from ir_coliee.transformers.features.scores import (
    CrossQueryFeatures,
    EmbeddingHistogram,
    FeatureTransformer,
    ParagraphVectors,
    ScoreColumns,
    ScoreFeatures,
    feature_matrix,
    feature_names,
)

__all__ = [
    "CaseFeatures",
    "CrossQueryFeatures",
    "EmbeddingHistogram",
    "FeatureTransformer",
    "LearnedRanker",
    "ParagraphVectors",
    "QuotedElsewhereFeatures",
    "RhetoricFeatures",
    "ScoreColumns",
    "ScoreFeatures",
    "boosted_classifier",
    "feature_matrix",
    "feature_names",
    "lambdarank",
    "out_of_fold",
]
