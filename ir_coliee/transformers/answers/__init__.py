"""Transformers that answer questions with yes or no, and baselines for them.

Some add the column ``qanswer`` (Y or N) to queries; others score candidates whose docnos are the labels Y and N.
`AnswersAsDocuments` converts the first form into the second. `AlignmentFeatures` and `PastAnswerFeatures` are features
for learners.
"""

from ir_coliee.transformers.answers.classifiers import (
    EmbeddingClassifier,
    MajorityAnswer,
    TextClassifier,
    TfidfClassifier,
)
from ir_coliee.transformers.answers.features import AlignmentFeatures, PastAnswerFeatures
from ir_coliee.transformers.answers.prompting import CandidateEntailment, Entailment, FewShotExamples
from ir_coliee.transformers.answers.votes import (
    AlwaysNo,
    AnswersAsDocuments,
    MajorityVote,
    QuotedArticles,
    majority_vote,
)

__all__ = [
    "AlignmentFeatures",
    "AlwaysNo",
    "AnswersAsDocuments",
    "CandidateEntailment",
    "EmbeddingClassifier",
    "Entailment",
    "FewShotExamples",
    "MajorityAnswer",
    "MajorityVote",
    "PastAnswerFeatures",
    "QuotedArticles",
    "TextClassifier",
    "TfidfClassifier",
    "majority_vote",
]
