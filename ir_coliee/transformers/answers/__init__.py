"""Transformers that answer questions with yes or no, and baselines for them.

Some add the column ``qanswer`` (Y or N) to queries; others score candidates whose docnos are the labels Y and N.
`AnswersAsDocuments` converts the first form into the second. `AlignmentFeatures` and `PastAnswerFeatures` are features
for learners.
"""

from ir_coliee.transformers.answers.alignment_features import AlignmentFeatures
from ir_coliee.transformers.answers.answer_documents import AnswersAsDocuments, QuotedArticles
from ir_coliee.transformers.answers.classifiers import MajorityAnswer, TfidfClassifier
from ir_coliee.transformers.answers.embedding_classifier import EmbeddingClassifier
from ir_coliee.transformers.answers.entailment import CandidateEntailment, Entailment
from ir_coliee.transformers.answers.few_shot_examples import FewShotExamples
from ir_coliee.transformers.answers.past_answers import PastAnswerFeatures
from ir_coliee.transformers.answers.text_classifier import TextClassifier
from ir_coliee.transformers.answers.votes import AlwaysNo, MajorityVote, majority_vote

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
