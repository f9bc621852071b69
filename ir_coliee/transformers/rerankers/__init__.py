"""Rerankers: cross-encoders and monoT5 for pairs of texts, and language models that read several candidates."""

from ir_coliee.transformers.rerankers.mono_t5 import MonoT5
from ir_coliee.transformers.rerankers.pairs import CrossEncoderTransformer, EntailmentClassifier, PairScorer
from ir_coliee.transformers.rerankers.prompting import ListwiseReranker, SetSelection
from ir_coliee.transformers.rerankers.training import hard_negatives, mined_rounds

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
