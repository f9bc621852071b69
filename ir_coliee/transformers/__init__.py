"""PyTerrier transformers for COLIEE. Importing this package imports PyTerrier (never Java)."""

from ir_coliee.engine.cluster import Cluster, local_cluster
from ir_coliee.transformers.case_features import CaseFeatures
from ir_coliee.transformers.case_text import CitingContext, CleanCase, DropFrench, Summary
from ir_coliee.transformers.classifiers import MajorityAnswer, TfidfClassifier
from ir_coliee.transformers.copies import AddCopies, DropCopies, near_duplicates
from ir_coliee.transformers.cross_encoders import EntailmentClassifier, PairScorer
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
from ir_coliee.transformers.disjunctive_union import DisjunctiveUnion
from ir_coliee.transformers.embeddings import EmbeddingClassifier
from ir_coliee.transformers.entailment import AnswersAsDocuments, CandidateEntailment, Entailment, QuotedArticles
from ir_coliee.transformers.features import CompetitionFeatures, ScoreFeatures, SharedTermFeatures, feature_names
from ir_coliee.transformers.filters import DropQueries, DropSelf, TopicFilter, YearFilter
from ir_coliee.transformers.fusion import Agreement, Backfill, ReciprocalRank, WeightedSum
from ir_coliee.transformers.hard_negatives import hard_negatives
from ir_coliee.transformers.histograms import EmbeddingHistogram, ParagraphVectors, SimilarityHistogram
from ir_coliee.transformers.learning import Learned, boosted_classifier, lambdarank, out_of_fold
from ir_coliee.transformers.lexical_index import LexicalIndex, LexicalIndexer
from ir_coliee.transformers.on_cluster import OnCluster
from ir_coliee.transformers.passages import ParagraphRetriever, paragraph_corpus
from ir_coliee.transformers.passaging import AggregatePassages, Paragraphs, SentenceWindows
from ir_coliee.transformers.past_questions import PastQuestions
from ir_coliee.transformers.person_letters import swapped_persons
from ir_coliee.transformers.pools import CandidatePool
from ir_coliee.transformers.query_terms import CitingQuery, IDFTerms, KLITerms, LeadQuery, PLMTerms, TfIdfTerms
from ir_coliee.transformers.quotations import QuotationFeatures, QuotationIndex
from ir_coliee.transformers.references import ReferenceExpansion
from ir_coliee.transformers.retrieval import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf
from ir_coliee.transformers.rewriting import Rewritten
from ir_coliee.transformers.rule_parts import RulePart, SamePolarity
from ir_coliee.transformers.scores import Scores
from ir_coliee.transformers.sharded import ShardedIndex, ShardedRetriever
from ir_coliee.transformers.solved_questions import SolvedQuestions
from ir_coliee.transformers.statute_text import (
    ArticlesApart,
    FindPersons,
    NormaliseJapanese,
    Provisions,
    QueriesOf,
    provision_corpus,
)
from ir_coliee.transformers.text_scorer import TextScorer
from ir_coliee.transformers.votes import AlwaysNo, MajorityVote, majority_vote

__all__ = [
    "BM25",
    "AdaptiveCutoff",
    "AddCopies",
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
    "CompetitionFeatures",
    "Dirichlet",
    "DisjunctiveUnion",
    "DropCopies",
    "DropFrench",
    "DropQueries",
    "DropSelf",
    "DynamicCutoff",
    "EmbeddingClassifier",
    "EmbeddingHistogram",
    "Entailment",
    "EntailmentClassifier",
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
    "MajorityVote",
    "MarginCutoff",
    "NormaliseJapanese",
    "OnCluster",
    "PLMTerms",
    "PairScorer",
    "ParagraphRetriever",
    "ParagraphVectors",
    "Paragraphs",
    "PastQuestions",
    "Provisions",
    "QueriesOf",
    "QuotationFeatures",
    "QuotationIndex",
    "QuotedArticles",
    "RatioCutoff",
    "ReciprocalRank",
    "ReferenceExpansion",
    "Rewritten",
    "RulePart",
    "SamePolarity",
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
    "hard_negatives",
    "lambdarank",
    "local_cluster",
    "majority_vote",
    "near_duplicates",
    "out_of_fold",
    "paragraph_corpus",
    "provision_corpus",
    "swapped_persons",
]
