"""Language models that are asked for an answer, and a file of what they replied, so that a stopped run goes on."""

from ir_coliee.models.language_model import LanguageModel, Question, Reply
from ir_coliee.models.local import LocalModel
from ir_coliee.models.reply_store import ReplyStore
from ir_coliee.models.requests import get_replies
from ir_coliee.models.server import ServedModel

__all__ = ["ReplyStore", "LanguageModel", "LocalModel", "Question", "Reply", "ServedModel", "get_replies"]
