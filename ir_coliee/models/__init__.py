"""Adapters to language models, served or local, and files that store replies and scores."""

from ir_coliee.models.conversion import convert_checkpoint
from ir_coliee.models.embedder import Embedder
from ir_coliee.models.embedder_training import EmbeddingExample
from ir_coliee.models.embedding_store import EmbeddingStore
from ir_coliee.models.language_model import LanguageModel, Question, Reply
from ir_coliee.models.load_options import LoadOptions
from ir_coliee.models.local import LocalModel
from ir_coliee.models.lora import LoRA
from ir_coliee.models.offline import OfflineModel
from ir_coliee.models.reply_store import ReplyStore
from ir_coliee.models.requests import get_replies
from ir_coliee.models.score_store import ScoreStore
from ir_coliee.models.server import ServedModel
from ir_coliee.models.training_options import TrainingOptions

__all__ = [
    "Embedder",
    "EmbeddingExample",
    "EmbeddingStore",
    "LanguageModel",
    "LoRA",
    "LoadOptions",
    "LocalModel",
    "OfflineModel",
    "Question",
    "Reply",
    "ReplyStore",
    "ScoreStore",
    "ServedModel",
    "TrainingOptions",
    "convert_checkpoint",
    "get_replies",
]
