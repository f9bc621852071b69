"""PyTerrier transformers for COLIEE. Importing this package imports PyTerrier, but never starts Java.

All public names can be imported from here. The sub-packages group them by purpose:

- `~ir_coliee.transformers.retrieval`: indexes of collections, and retrievers with weightings such as BM25.
- `~ir_coliee.transformers.queries`: rewriting of queries and texts, and splitting into passages.
- `~ir_coliee.transformers.candidates`: candidate pools, filters, duplicates and cut-offs.
- `~ir_coliee.transformers.fusion`: combination of several rankings.
- `~ir_coliee.transformers.reference_expansion`: expansion of retrieved articles along references.
- `~ir_coliee.transformers.features`: features of query-document pairs, and learning to rank.
- `~ir_coliee.transformers.cases`: evidence of noticed cases.
- `~ir_coliee.transformers.articles`: evidence for articles from labelled exam questions, exams and the code.
- `~ir_coliee.transformers.rerankers`: cross-encoders, listwise reranking and selection by language models.
- `~ir_coliee.transformers.answers`: answers to yes-no questions by language models, classifiers and votes.
"""

from ir_coliee.engine.weightings import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf
from ir_coliee.transformers.answers.classifiers import (
    EmbeddingClassifier,
    MajorityAnswer,
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
from ir_coliee.transformers.articles import ArticleFeatures, ArticleScores
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
from ir_coliee.transformers.candidates.duplicates import AddDuplicates, DropDuplicates, near_duplicates
from ir_coliee.transformers.candidates.filters import CandidatePool, DropQueries, DropSelf, TopicFilter, YearFilter
from ir_coliee.transformers.cases import CaseRetriever
from ir_coliee.transformers.features.evidence import (
    CaseFeatures,
    EmbeddingHistogram,
    ParagraphVectors,
    QuotedElsewhereFeatures,
    RhetoricFeatures,
)
from ir_coliee.transformers.features.learning import LearnedRanker, boosted_classifier, lambdarank, out_of_fold
from ir_coliee.transformers.features.scores import CrossQueryFeatures, ScoreColumns, ScoreFeatures, feature_names
from ir_coliee.transformers.fusion import Agreement, Backfill, ReciprocalRank, WeightedSum
from ir_coliee.transformers.queries.passages import (
    AggregatePassages,
    SplitParagraphs,
    SplitSentenceWindows,
)
from ir_coliee.transformers.queries.texts import (
    CitationWindows,
    CleanCase,
    DropFrench,
    ExtractCitingContext,
    ExtractSummary,
    NormaliseJapanese,
    QueriesFromDataset,
    RewriteText,
    SplitArticles,
    SplitProvisions,
)
from ir_coliee.transformers.queries.tokens import SelectTerms
from ir_coliee.transformers.reference_expansion import ReferenceExpansion
from ir_coliee.transformers.rerankers.mono_t5 import MonoT5
from ir_coliee.transformers.rerankers.pairs import EntailmentClassifier, PairScorer
from ir_coliee.transformers.rerankers.prompting import ListwiseReranker, SetSelection
from ir_coliee.transformers.rerankers.training import hard_negatives, mined_rounds
from ir_coliee.transformers.retrieval.dask import Cluster, OnCluster, ShardedIndex, ShardedRetriever
from ir_coliee.transformers.retrieval.dense import DenseIndex, DenseRetriever, bi_encoder, embedding_examples
from ir_coliee.transformers.retrieval.indexes import LexicalIndex, LexicalIndexer
from ir_coliee.transformers.retrieval.paragraphs import ParagraphRetriever, paragraph_corpus
from ir_coliee.transformers.retrieval.retriever import Retriever, TextScorer

__all__ = [
    "BM25",
    "AdaptiveCutoff",
    "AddDuplicates",
    "AggregatePassages",
    "Agreement",
    "AlignmentFeatures",
    "AlwaysNo",
    "AnswersAsDocuments",
    "ArticleFeatures",
    "ArticleScores",
    "Backfill",
    "CandidateEntailment",
    "CandidatePool",
    "CaseFeatures",
    "CaseRetriever",
    "CitationWindows",
    "CleanCase",
    "Cluster",
    "CrossQueryFeatures",
    "DenseIndex",
    "DenseRetriever",
    "Dirichlet",
    "DropDuplicates",
    "DropFrench",
    "DropQueries",
    "DropSelf",
    "DynamicCutoff",
    "EmbeddingClassifier",
    "EmbeddingHistogram",
    "Entailment",
    "EntailmentClassifier",
    "ExpectedFCutoff",
    "ExtractCitingContext",
    "ExtractSummary",
    "FewShotExamples",
    "GapCutoff",
    "JelinekMercer",
    "LearnedRanker",
    "LexicalIndex",
    "LexicalIndexer",
    "ListwiseReranker",
    "MajorityAnswer",
    "MajorityVote",
    "MarginCutoff",
    "MonoT5",
    "NormaliseJapanese",
    "OnCluster",
    "PairScorer",
    "ParagraphRetriever",
    "ParagraphVectors",
    "PastAnswerFeatures",
    "PoolCutoff",
    "QueriesFromDataset",
    "QuotedArticles",
    "QuotedElsewhereFeatures",
    "RatioCutoff",
    "ReciprocalRank",
    "ReferenceExpansion",
    "Retriever",
    "RewriteText",
    "RhetoricFeatures",
    "ScoreColumns",
    "ScoreFeatures",
    "SelectTerms",
    "SetSelection",
    "ShardedIndex",
    "ShardedRetriever",
    "SharedIdf",
    "SplitArticles",
    "SplitParagraphs",
    "SplitProvisions",
    "SplitSentenceWindows",
    "TextScorer",
    "TfIdf",
    "TfidfClassifier",
    "ThresholdCutoff",
    "TopK",
    "TopicFilter",
    "WeightedSum",
    "YearFilter",
    "bi_encoder",
    "boosted_classifier",
    "embedding_examples",
    "feature_names",
    "hard_negatives",
    "lambdarank",
    "majority_vote",
    "mined_rounds",
    "near_duplicates",
    "out_of_fold",
    "paragraph_corpus",
]
