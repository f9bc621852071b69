"""Rerankers: cross-encoders that read query and text together, and language models that read several candidates."""

from ir_coliee.transformers.rerankers.cross_encoder import CrossEncoderTransformer
from ir_coliee.transformers.rerankers.entailment_classifier import EntailmentClassifier
from ir_coliee.transformers.rerankers.hard_negatives import hard_negatives
from ir_coliee.transformers.rerankers.listwise import ListwiseReranker
from ir_coliee.transformers.rerankers.pair_scorer import PairScorer
from ir_coliee.transformers.rerankers.set_selection import SetSelection

__all__ = [
    "CrossEncoderTransformer",
    "EntailmentClassifier",
    "ListwiseReranker",
    "PairScorer",
    "SetSelection",
    "hard_negatives",
]
