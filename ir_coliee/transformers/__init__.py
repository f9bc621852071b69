"""PyTerrier transformers for COLIEE. Importing this package imports PyTerrier (never Java)."""

from ir_coliee.transformers.classifiers import MajorityAnswer, TfidfClassifier
from ir_coliee.transformers.cutoffs import (
    DynamicCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)
from ir_coliee.transformers.filters import DropQueries, DropSelf, YearFilter
from ir_coliee.transformers.lexical_index import LexicalIndex, LexicalIndexer
from ir_coliee.transformers.passages import ParagraphRetriever, paragraph_corpus
from ir_coliee.transformers.pools import CandidatePool
from ir_coliee.transformers.retrieval import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf
from ir_coliee.transformers.text_scorer import TextScorer

__all__ = [
    "BM25",
    "CandidatePool",
    "Dirichlet",
    "DropQueries",
    "DropSelf",
    "DynamicCutoff",
    "GapCutoff",
    "JelinekMercer",
    "LexicalIndex",
    "LexicalIndexer",
    "MajorityAnswer",
    "MarginCutoff",
    "ParagraphRetriever",
    "RatioCutoff",
    "SharedIdf",
    "TextScorer",
    "TfIdf",
    "TfidfClassifier",
    "ThresholdCutoff",
    "TopK",
    "YearFilter",
    "paragraph_corpus",
]
