"""Features of candidates, and learning to rank.

Feature transformers append numbers to the column ``features`` of each candidate; `LearnedRanker` scores candidates with
a learner that is fitted to these features. `ScoreColumns` collects candidates with the scores of several pipelines,
from which `ScoreFeatures` and `CrossQueryFeatures` are computed.
"""

from ir_coliee.transformers.features.base import FeatureTransformer, add_features, feature_matrix, feature_names
from ir_coliee.transformers.features.case_features import CaseFeatures
from ir_coliee.transformers.features.histograms import EmbeddingHistogram, ParagraphVectors
from ir_coliee.transformers.features.learned_ranker import LearnedRanker, out_of_fold
from ir_coliee.transformers.features.learners import boosted_classifier, lambdarank
from ir_coliee.transformers.features.paragraph_features import QuotedElsewhereFeatures, RhetoricFeatures
from ir_coliee.transformers.features.past_questions import PastQuestionRetriever
from ir_coliee.transformers.features.score_columns import ScoreColumns
from ir_coliee.transformers.features.score_features import CrossQueryFeatures, ScoreFeatures

__all__ = [
    "CaseFeatures",
    "CrossQueryFeatures",
    "EmbeddingHistogram",
    "FeatureTransformer",
    "LearnedRanker",
    "ParagraphVectors",
    "PastQuestionRetriever",
    "QuotedElsewhereFeatures",
    "RhetoricFeatures",
    "ScoreColumns",
    "ScoreFeatures",
    "add_features",
    "boosted_classifier",
    "feature_matrix",
    "feature_names",
    "lambdarank",
    "out_of_fold",
]
