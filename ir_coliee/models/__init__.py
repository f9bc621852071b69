"""Language models that are asked for an answer, and a file of what they replied, so that a stopped run goes on."""

from ir_coliee.models.asking import replies
from ir_coliee.models.kept_replies import KeptReplies
from ir_coliee.models.local import LocalModel
from ir_coliee.models.questions import LanguageModel, Question, Reply
from ir_coliee.models.server import ServedModel

__all__ = ["KeptReplies", "LanguageModel", "LocalModel", "Question", "Reply", "ServedModel", "replies"]
