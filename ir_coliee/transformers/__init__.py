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

from ir_coliee.transformers.answers.classifiers import MajorityAnswer as MajorityAnswer
from ir_coliee.transformers.answers.classifiers import TfidfClassifier as TfidfClassifier
from ir_coliee.transformers.answers.prompting import CandidateEntailment as CandidateEntailment
from ir_coliee.transformers.answers.prompting import Entailment as Entailment
from ir_coliee.transformers.answers.prompting import FewShotExamples as FewShotExamples
from ir_coliee.transformers.answers.votes import AnswersAsDocuments as AnswersAsDocuments
from ir_coliee.transformers.answers.votes import MajorityVote as MajorityVote
from ir_coliee.transformers.answers.votes import QuotedArticles as QuotedArticles
from ir_coliee.transformers.candidates.cutoffs import AdaptiveCutoff as AdaptiveCutoff
from ir_coliee.transformers.candidates.cutoffs import DynamicCutoff as DynamicCutoff
from ir_coliee.transformers.candidates.cutoffs import ExpectedFCutoff as ExpectedFCutoff
from ir_coliee.transformers.candidates.cutoffs import GapCutoff as GapCutoff
from ir_coliee.transformers.candidates.cutoffs import MarginCutoff as MarginCutoff
from ir_coliee.transformers.candidates.cutoffs import PoolCutoff as PoolCutoff
from ir_coliee.transformers.candidates.cutoffs import RatioCutoff as RatioCutoff
from ir_coliee.transformers.candidates.cutoffs import ThresholdCutoff as ThresholdCutoff
from ir_coliee.transformers.candidates.cutoffs import TopK as TopK
from ir_coliee.transformers.candidates.filters import AddDuplicates as AddDuplicates
from ir_coliee.transformers.candidates.filters import CandidatePool as CandidatePool
from ir_coliee.transformers.candidates.filters import DropDuplicates as DropDuplicates
from ir_coliee.transformers.candidates.filters import DropQueries as DropQueries
from ir_coliee.transformers.candidates.filters import DropSelf as DropSelf
from ir_coliee.transformers.candidates.filters import YearFilter as YearFilter
from ir_coliee.transformers.candidates.filters import near_duplicates as near_duplicates
from ir_coliee.transformers.features.evidence import ArticleFeatures as ArticleFeatures
from ir_coliee.transformers.features.evidence import CaseFeatures as CaseFeatures
from ir_coliee.transformers.features.learning import CrossQueryFeatures as CrossQueryFeatures
from ir_coliee.transformers.features.learning import LearnedRanker as LearnedRanker
from ir_coliee.transformers.features.learning import ScoreColumns as ScoreColumns
from ir_coliee.transformers.features.learning import ScoreFeatures as ScoreFeatures
from ir_coliee.transformers.features.learning import feature_names as feature_names
from ir_coliee.transformers.features.learning import out_of_fold as out_of_fold
from ir_coliee.transformers.fusion import Agreement as Agreement
from ir_coliee.transformers.fusion import Backfill as Backfill
from ir_coliee.transformers.fusion import ReciprocalRank as ReciprocalRank
from ir_coliee.transformers.fusion import WeightedSum as WeightedSum
from ir_coliee.transformers.queries.passages import AggregatePassages as AggregatePassages
from ir_coliee.transformers.queries.passages import SplitParagraphs as SplitParagraphs
from ir_coliee.transformers.queries.texts import CleanCase as CleanCase
from ir_coliee.transformers.queries.texts import DropFrench as DropFrench
from ir_coliee.transformers.queries.texts import ExtractCitingContext as ExtractCitingContext
from ir_coliee.transformers.queries.texts import ExtractSummary as ExtractSummary
from ir_coliee.transformers.queries.texts import NormaliseJapanese as NormaliseJapanese
from ir_coliee.transformers.queries.texts import QueriesFromDataset as QueriesFromDataset
from ir_coliee.transformers.queries.tokens import SelectTerms as SelectTerms
from ir_coliee.transformers.reference_expansion import ReferenceExpansion as ReferenceExpansion
from ir_coliee.transformers.rerankers.mono_t5 import MonoT5 as MonoT5
from ir_coliee.transformers.rerankers.pairs import EntailmentClassifier as EntailmentClassifier
from ir_coliee.transformers.rerankers.pairs import PairScorer as PairScorer
from ir_coliee.transformers.rerankers.training import hard_negatives as hard_negatives
from ir_coliee.transformers.retrieval.dense import DenseIndex as DenseIndex
from ir_coliee.transformers.retrieval.dense import DenseRetriever as DenseRetriever
from ir_coliee.transformers.retrieval.evidence import ArticleScores as ArticleScores
from ir_coliee.transformers.retrieval.evidence import CaseRetriever as CaseRetriever
from ir_coliee.transformers.retrieval.indexes import LexicalIndex as LexicalIndex
from ir_coliee.transformers.retrieval.indexes import LexicalIndexer as LexicalIndexer
from ir_coliee.transformers.retrieval.paragraphs import ParagraphRetriever as ParagraphRetriever
from ir_coliee.transformers.retrieval.paragraphs import TextScorer as TextScorer
from ir_coliee.transformers.retrieval.retriever import Retriever as Retriever
