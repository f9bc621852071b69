"""PyTerrier transformers for COLIEE. Importing this package imports PyTerrier (never Java)."""

from ir_coliee.engine.cluster import Cluster, local_cluster
from ir_coliee.transformers.case_features import CaseFeatures
from ir_coliee.transformers.case_text import CitingContext, CleanCase, DropFrench, Summary
from ir_coliee.transformers.classifiers import MajorityAnswer, TfidfClassifier
from ir_coliee.transformers.copies import AddCopies, DropCopies, near_duplicates
from ir_coliee.transformers.cutoffs import (
    AdaptiveCutoff,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)
from ir_coliee.transformers.entailment import AnswersAsDocuments, CandidateEntailment, Entailment, QuotedArticles
from ir_coliee.transformers.features import CompetitionFeatures, ScoreFeatures, SharedTermFeatures, feature_names
from ir_coliee.transformers.filters import DropQueries, DropSelf, TopicFilter, YearFilter
from ir_coliee.transformers.fusion import Agreement, Backfill, ReciprocalRank, WeightedSum
from ir_coliee.transformers.histograms import SimilarityHistogram
from ir_coliee.transformers.learning import Learned, boosted_classifier, lambdarank, out_of_fold
from ir_coliee.transformers.lexical_index import LexicalIndex, LexicalIndexer
from ir_coliee.transformers.on_cluster import OnCluster
from ir_coliee.transformers.passages import ParagraphRetriever, paragraph_corpus
from ir_coliee.transformers.passaging import AggregatePassages, Paragraphs, SentenceWindows
from ir_coliee.transformers.pools import CandidatePool
from ir_coliee.transformers.query_terms import CitingQuery, IDFTerms, KLITerms, LeadQuery, PLMTerms, TfIdfTerms
from ir_coliee.transformers.quotations import QuotationFeatures, QuotationIndex
from ir_coliee.transformers.references import ReferenceExpansion
from ir_coliee.transformers.retrieval import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf
from ir_coliee.transformers.scores import Scores
from ir_coliee.transformers.sharded import ShardedIndex, ShardedRetriever
from ir_coliee.transformers.solved_questions import SolvedQuestions
from ir_coliee.transformers.statute_text import FindPersons, NormaliseJapanese, Provisions, provision_corpus
from ir_coliee.transformers.text_scorer import TextScorer

__all__ = [
    "BM25",
    "AdaptiveCutoff",
    "AddCopies",
    "AggregatePassages",
    "Agreement",
    "AnswersAsDocuments",
    "Backfill",
    "CandidateEntailment",
    "CandidatePool",
    "CaseFeatures",
    "CitingContext",
    "CitingQuery",
    "CleanCase",
    "Cluster",
    "CompetitionFeatures",
    "Dirichlet",
    "DropCopies",
    "DropFrench",
    "DropQueries",
    "DropSelf",
    "DynamicCutoff",
    "Entailment",
    "ExpectedFCutoff",
    "FindPersons",
    "GapCutoff",
    "IDFTerms",
    "JelinekMercer",
    "KLITerms",
    "LeadQuery",
    "Learned",
    "LexicalIndex",
    "LexicalIndexer",
    "MajorityAnswer",
    "MarginCutoff",
    "NormaliseJapanese",
    "OnCluster",
    "PLMTerms",
    "ParagraphRetriever",
    "Paragraphs",
    "Provisions",
    "QuotationFeatures",
    "QuotationIndex",
    "QuotedArticles",
    "RatioCutoff",
    "ReciprocalRank",
    "ReferenceExpansion",
    "ScoreFeatures",
    "Scores",
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
    "lambdarank",
    "local_cluster",
    "near_duplicates",
    "out_of_fold",
    "paragraph_corpus",
    "provision_corpus",
]
