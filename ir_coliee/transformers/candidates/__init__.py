"""Transformers that decide which items may be an answer: pools, filters, duplicates and cut-offs."""

from ir_coliee.transformers.candidates.cutoffs import (
    AdaptiveCutoff,
    Cutoff,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    PoolCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
    cutoff_classes,
)
from ir_coliee.transformers.candidates.duplicates import AddDuplicates, DropDuplicates, near_duplicates
from ir_coliee.transformers.candidates.filters import CandidatePool, DropQueries, DropSelf, TopicFilter, YearFilter

__all__ = [
    "AdaptiveCutoff",
    "AddDuplicates",
    "CandidatePool",
    "Cutoff",
    "DropDuplicates",
    "DropQueries",
    "DropSelf",
    "DynamicCutoff",
    "ExpectedFCutoff",
    "GapCutoff",
    "MarginCutoff",
    "PoolCutoff",
    "RatioCutoff",
    "ThresholdCutoff",
    "TopK",
    "TopicFilter",
    "YearFilter",
    "cutoff_classes",
    "near_duplicates",
]
