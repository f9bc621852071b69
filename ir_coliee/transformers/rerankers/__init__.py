"""Rerankers: cross-encoders and monoT5 for pairs of texts, and language models that read several candidates."""

from ir_coliee.transformers.rerankers.cross_encoder import CrossEncoderTransformer
from ir_coliee.transformers.rerankers.entailment_classifier import EntailmentClassifier
from ir_coliee.transformers.rerankers.hard_negatives import hard_negatives
from ir_coliee.transformers.rerankers.listwise import ListwiseReranker
from ir_coliee.transformers.rerankers.mined_rounds import mined_rounds
from ir_coliee.transformers.rerankers.mono_t5 import MonoT5
from ir_coliee.transformers.rerankers.pair_scorer import PairScorer
from ir_coliee.transformers.rerankers.set_selection import SetSelection

__all__ = [
    "CrossEncoderTransformer",
    "EntailmentClassifier",
    "ListwiseReranker",
    "MonoT5",
    "PairScorer",
    "SetSelection",
    "hard_negatives",
    "mined_rounds",
]
