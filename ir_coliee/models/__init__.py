"""Adapters to language models, served or local, and files that store replies and scores."""

import logging

from ir_coliee.models.embedders.embedder import Embedder
from ir_coliee.models.language_models.language_model import LanguageModel, Question, Reply
from ir_coliee.models.language_models.local import LocalModel
from ir_coliee.models.language_models.requests import get_replies
from ir_coliee.models.language_models.server import ServedModel
from ir_coliee.models.loading.conversion import convert_checkpoint
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.stores.embedding_store import EmbeddingStore
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.models.stores.score_store import ScoreStore
from ir_coliee.models.training.embedder_training import EmbeddingExample
from ir_coliee.models.training.lora import LoRA
from ir_coliee.models.training.training_options import TrainingOptions

# bitsandbytes, which other libraries import, warns that 4 bits are slower on a CPU without the package kernels
logging.getLogger("bitsandbytes.backends.cpu.ops").setLevel(logging.ERROR)

__all__ = [
    "Embedder",
    "EmbeddingExample",
    "EmbeddingStore",
    "LanguageModel",
    "LoRA",
    "LoadOptions",
    "LocalModel",
    "Question",
    "Reply",
    "ReplyStore",
    "ScoreStore",
    "ServedModel",
    "TrainingOptions",
    "convert_checkpoint",
    "get_replies",
]
