"""Rerankers: cross-encoders that read query and text together, and the selection of their training candidates."""

from ir_coliee.transformers.rerankers.cross_encoder import CrossEncoderTransformer
from ir_coliee.transformers.rerankers.entailment_classifier import EntailmentClassifier
from ir_coliee.transformers.rerankers.hard_negatives import hard_negatives
from ir_coliee.transformers.rerankers.pair_scorer import PairScorer

__all__ = ["CrossEncoderTransformer", "EntailmentClassifier", "PairScorer", "hard_negatives"]
