"""PyTerrier transformers for COLIEE. Importing this package imports PyTerrier, but never starts Java.

All public names can be imported from here. The sub-packages group them by purpose:

- `~ir_coliee.transformers.retrieval`: indexes of collections, and retrievers with weightings such as BM25.
- `~ir_coliee.transformers.queries`: rewriting of queries and texts, and splitting into passages.
- `~ir_coliee.transformers.candidates`: candidate pools, filters, duplicates and cut-offs.
- `~ir_coliee.transformers.fusion`: combination of several rankings, and expansion along references.
- `~ir_coliee.transformers.features`: features of query-document pairs, and learning to rank.
- `~ir_coliee.transformers.rerankers`: cross-encoders that score pairs of texts, and the mining of hard negatives.
- `~ir_coliee.transformers.answers`: answers to yes-no questions by language models, classifiers and votes.
"""

from ir_coliee.transformers.answers.classifiers import MajorityAnswer, TfidfClassifier
from ir_coliee.transformers.answers.embeddings import EmbeddingClassifier
from ir_coliee.transformers.answers.entailment import (
    AnswersAsDocuments,
    CandidateEntailment,
    Entailment,
    QuotedArticles,
)
from ir_coliee.transformers.answers.solved_questions import SolvedQuestions
from ir_coliee.transformers.answers.votes import AlwaysNo, MajorityVote, majority_vote
from ir_coliee.transformers.candidates import (
    AdaptiveCutoff,
    AddDuplicates,
    CandidatePool,
    DropDuplicates,
    DropQueries,
    DropSelf,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopicFilter,
    TopK,
    YearFilter,
    near_duplicates,
)
from ir_coliee.transformers.features import (
    CaseFeatures,
    CrossQueryFeatures,
    EmbeddingHistogram,
    LearnedRanker,
    ParagraphVectors,
    PastQuestionRetriever,
    QuotationFeatures,
    QuotationIndex,
    ScoreColumns,
    ScoreFeatures,
    SharedTermFeatures,
    SimilarityHistogram,
    boosted_classifier,
    feature_names,
    lambdarank,
    out_of_fold,
)
from ir_coliee.transformers.fusion import Agreement, Backfill, ReciprocalRank, ReferenceExpansion, WeightedSum
from ir_coliee.transformers.queries.case_text import CitingContext, CleanCase, DropFrench, Summary
from ir_coliee.transformers.queries.passaging import AggregatePassages, Paragraphs, SentenceWindows
from ir_coliee.transformers.queries.query_terms import CitingQuery, IDFTerms, KLITerms, LeadQuery, PLMTerms, TfIdfTerms
from ir_coliee.transformers.queries.rewriting import Rewritten
from ir_coliee.transformers.queries.statute_text import (
    ArticlesApart,
    NormaliseJapanese,
    Provisions,
    QueriesOf,
    provision_corpus,
)
from ir_coliee.transformers.rerankers.cross_encoders import EntailmentClassifier, PairScorer
from ir_coliee.transformers.rerankers.hard_negatives import hard_negatives
from ir_coliee.transformers.retrieval import (
    BM25,
    Cluster,
    Dirichlet,
    JelinekMercer,
    LexicalIndex,
    LexicalIndexer,
    OnCluster,
    ParagraphRetriever,
    Retriever,
    ShardedIndex,
    ShardedRetriever,
    SharedIdf,
    TextScorer,
    TfIdf,
    local_cluster,
    paragraph_corpus,
)

__all__ = [
    "BM25",
    "AdaptiveCutoff",
    "AddDuplicates",
    "AggregatePassages",
    "Agreement",
    "AlwaysNo",
    "AnswersAsDocuments",
    "ArticlesApart",
    "Backfill",
    "CandidateEntailment",
    "CandidatePool",
    "CaseFeatures",
    "CitingContext",
    "CitingQuery",
    "CleanCase",
    "Cluster",
    "CrossQueryFeatures",
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
    "GapCutoff",
    "IDFTerms",
    "JelinekMercer",
    "KLITerms",
    "LeadQuery",
    "LearnedRanker",
    "LexicalIndex",
    "LexicalIndexer",
    "MajorityAnswer",
    "MajorityVote",
    "MarginCutoff",
    "NormaliseJapanese",
    "OnCluster",
    "PLMTerms",
    "PairScorer",
    "ParagraphRetriever",
    "ParagraphVectors",
    "Paragraphs",
    "PastQuestionRetriever",
    "Provisions",
    "QueriesOf",
    "QuotationFeatures",
    "QuotationIndex",
    "QuotedArticles",
    "RatioCutoff",
    "ReciprocalRank",
    "ReferenceExpansion",
    "Retriever",
    "Rewritten",
    "ScoreFeatures",
    "ScoreColumns",
    "SentenceWindows",
    "ShardedIndex",
    "ShardedRetriever",
    "SharedIdf",
    "SharedTermFeatures",
    "SimilarityHistogram",
    "SolvedQuestions",
    "Summary",
    "TextScorer",
    "TfIdf",
    "TfIdfTerms",
    "TfidfClassifier",
    "ThresholdCutoff",
    "TopK",
    "TopicFilter",
    "WeightedSum",
    "YearFilter",
    "boosted_classifier",
    "feature_names",
    "hard_negatives",
    "lambdarank",
    "local_cluster",
    "majority_vote",
    "near_duplicates",
    "out_of_fold",
    "paragraph_corpus",
    "provision_corpus",
]
