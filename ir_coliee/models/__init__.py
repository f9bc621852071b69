"""Adapters to language models, served or local, and files that store replies and scores."""

import logging

from ir_coliee.models.adapters import TrainingOptions
from ir_coliee.models.embedder import Embedder, EmbeddingExample
from ir_coliee.models.language_model import LanguageModel, Question, Reply
from ir_coliee.models.loading import LoadOptions
from ir_coliee.models.local import LocalModel
from ir_coliee.models.served import ServedModel
from ir_coliee.models.stores import EmbeddingStore, ReplyStore, ScoreStore, get_replies

# bitsandbytes, which other libraries import, warns that 4 bits are slower on a CPU without the package kernels
logging.getLogger("bitsandbytes.backends.cpu.ops").setLevel(logging.ERROR)

__all__ = [
    "Embedder",
    "EmbeddingExample",
    "EmbeddingStore",
    "LanguageModel",
    "LoadOptions",
    "LocalModel",
    "Question",
    "Reply",
    "ReplyStore",
    "ScoreStore",
    "ServedModel",
    "TrainingOptions",
    "get_replies",
]
