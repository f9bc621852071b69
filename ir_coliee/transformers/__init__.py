"""PyTerrier transformers for COLIEE. Importing this package imports PyTerrier, but never starts Java.

What most pipelines are made of can be imported from here; the rest, such as features for one recipe, from the modules
of the sub-packages:

- `~ir_coliee.transformers.retrieval`: indexes, and retrieval by weightings such as BM25, by evidence and embeddings.
- `~ir_coliee.transformers.queries`: rewriting of queries and texts, and splitting into passages.
- `~ir_coliee.transformers.candidates`: candidate pools, filters, duplicates and cut-offs.
- `~ir_coliee.transformers.fusion`: combination of several rankings.
- `~ir_coliee.transformers.reference_expansion`: expansion of retrieved articles along references.
- `~ir_coliee.transformers.features`: features of query-document pairs, and learning to rank.
- `~ir_coliee.transformers.rerankers`: cross-encoders, listwise reranking and selection by language models.
- `~ir_coliee.transformers.answers`: answers to yes-no questions by language models, classifiers and votes.
"""

from ir_coliee.transformers.answers.classifiers import MajorityAnswer, TfidfClassifier
from ir_coliee.transformers.answers.prompting import CandidateEntailment, Entailment, FewShotExamples
from ir_coliee.transformers.answers.votes import AnswersAsDocuments, MajorityVote, QuotedArticles
from ir_coliee.transformers.candidates.cutoffs import (
    AdaptiveCutoff,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    PoolCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)
from ir_coliee.transformers.candidates.filters import (
    AddDuplicates,
    CandidatePool,
    DropDuplicates,
    DropQueries,
    DropSelf,
    YearFilter,
    near_duplicates,
)
from ir_coliee.transformers.features.evidence import ArticleFeatures, CaseFeatures
from ir_coliee.transformers.features.learning import (
    CrossQueryFeatures,
    LearnedRanker,
    ScoreColumns,
    ScoreFeatures,
    feature_names,
    out_of_fold,
)
from ir_coliee.transformers.fusion import Agreement, Backfill, ReciprocalRank, WeightedSum
from ir_coliee.transformers.queries.passages import AggregatePassages, SplitParagraphs
from ir_coliee.transformers.queries.texts import (
    CleanCase,
    DropFrench,
    ExtractCitingContext,
    ExtractSummary,
    NormaliseJapanese,
    QueriesFromDataset,
)
from ir_coliee.transformers.queries.tokens import SelectTerms
from ir_coliee.transformers.reference_expansion import ReferenceExpansion
from ir_coliee.transformers.rerankers.mono_t5 import MonoT5
from ir_coliee.transformers.rerankers.pairs import EntailmentClassifier, PairScorer
from ir_coliee.transformers.rerankers.training import hard_negatives
from ir_coliee.transformers.retrieval.dense import DenseIndex, DenseRetriever
from ir_coliee.transformers.retrieval.evidence import ArticleScores, CaseRetriever
from ir_coliee.transformers.retrieval.indexes import LexicalIndex, LexicalIndexer
from ir_coliee.transformers.retrieval.paragraphs import ParagraphRetriever, TextScorer
from ir_coliee.transformers.retrieval.retriever import Retriever

__all__ = [
    "AdaptiveCutoff",
    "AddDuplicates",
    "AggregatePassages",
    "Agreement",
    "AnswersAsDocuments",
    "ArticleFeatures",
    "ArticleScores",
    "Backfill",
    "CandidateEntailment",
    "CandidatePool",
    "CaseFeatures",
    "CaseRetriever",
    "CleanCase",
    "CrossQueryFeatures",
    "DenseIndex",
    "DenseRetriever",
    "DropDuplicates",
    "DropFrench",
    "DropQueries",
    "DropSelf",
    "DynamicCutoff",
    "Entailment",
    "EntailmentClassifier",
    "ExpectedFCutoff",
    "ExtractCitingContext",
    "ExtractSummary",
    "FewShotExamples",
    "GapCutoff",
    "LearnedRanker",
    "LexicalIndex",
    "LexicalIndexer",
    "MajorityAnswer",
    "MajorityVote",
    "MarginCutoff",
    "MonoT5",
    "NormaliseJapanese",
    "PairScorer",
    "ParagraphRetriever",
    "PoolCutoff",
    "QueriesFromDataset",
    "QuotedArticles",
    "RatioCutoff",
    "ReciprocalRank",
    "ReferenceExpansion",
    "Retriever",
    "ScoreColumns",
    "ScoreFeatures",
    "SelectTerms",
    "SplitParagraphs",
    "TextScorer",
    "TfidfClassifier",
    "ThresholdCutoff",
    "TopK",
    "WeightedSum",
    "YearFilter",
    "feature_names",
    "hard_negatives",
    "near_duplicates",
    "out_of_fold",
]
