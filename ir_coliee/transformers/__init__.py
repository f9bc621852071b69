"""PyTerrier transformers for COLIEE. Importing this package imports PyTerrier (never Java)."""

from ir_coliee.transformers.bm25 import BM25
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
from ir_coliee.transformers.lexical_index import LexicalIndex
from ir_coliee.transformers.pools import CandidatePool

__all__ = [
    "BM25",
    "CandidatePool",
    "DropQueries",
    "DropSelf",
    "DynamicCutoff",
    "GapCutoff",
    "LexicalIndex",
    "MajorityAnswer",
    "MarginCutoff",
    "RatioCutoff",
    "TfidfClassifier",
    "ThresholdCutoff",
    "TopK",
    "YearFilter",
]
