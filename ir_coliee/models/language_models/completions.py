"""Chat completions of a server: the request for a question, and the reply in a response."""

from __future__ import annotations

import json
import math
from typing import Any

from ir_coliee.errors import printable
from ir_coliee.models.language_models.http_client import InvalidReplyError
from ir_coliee.models.language_models.language_model import Question, Reply, encodable, is_valid
from ir_coliee.models.language_models.yes_probability import first_answer_token, yes_probability
from ir_coliee.text.reasoning import answer_start, split_reasoning
from ir_coliee.text.templates import Conversation

_REASONING_FIELDS = ("reasoning", "reasoning_content")  # of servers that split reasoning from the answer
_NO_ANSWER = frozenset({"content_filter", "tool_calls", "function_call", "abort", "error"})  # reasons of an end


class NoAnswerError(InvalidReplyError):
    """The server replied, but not with an answer to the question. The message contains nothing of the reply."""


def messages(conversation: Conversation) -> list[dict[str, str]]:
    """Return the turns of a conversation as the messages of a request."""
    return [{"role": turn.role, "content": encodable(turn.content)} for turn in conversation]


def response_format(question: Question) -> dict[str, Any]:
    """Return the parameter that restricts the reply to the schema of a question; an empty dict without a schema."""
    if not question.schema:
        return {}
    schema = {"name": "answer", "schema": json.loads(question.schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def parse_completion(completion: Any, model: str, named: tuple[str, str] | None = None) -> Reply:
    """Return the reply of a completion of a model; ``named`` is as in `yes_probability`.

    Raises
    ------
    InvalidReplyError
        If the completion has no reply, or an invalid one.
    NoAnswerError
        If the reply is not an answer of this model: a refusal, a filtered text, a call of a tool, or no text at all.
    """
    try:
        choice = completion.choices[0]
        _check_answer(completion, choice, model)
        fields = (getattr(choice.message, name, None) for name in _REASONING_FIELDS)
        apart = next(filter(None, fields), "")
        reasoning, text = split_reasoning(choice.message.content or "")
        yes = _yes_probability(choice.logprobs, text, named, is_split=bool(apart))
        reply = Reply(text, yes, "\n\n".join(filter(None, (apart, reasoning))), choice.finish_reason == "length")
    except (AttributeError, LookupError, TypeError, OverflowError):
        raise InvalidReplyError("a reply without a choice") from None
    if not is_valid(reply):
        raise InvalidReplyError("a reply whose text or probability is invalid")
    return reply


def _check_answer(completion: Any, choice: Any, model: str) -> None:
    if getattr(choice, "index", None) not in (0, None):
        raise NoAnswerError("a reply to another question: its index is not 0")
    if not _is_same_model(getattr(completion, "model", None), model):
        raise NoAnswerError(f"a reply of another model, {printable(completion.model, 40)}")
    reason, message = choice.finish_reason, choice.message
    if reason in _NO_ANSWER:
        raise NoAnswerError(f"a reply without an answer ({reason})")
    for name in ("refusal", "tool_calls", "function_call"):
        if getattr(message, name, None):
            raise NoAnswerError(f"a reply without an answer ({name})")
    if message.content is None and reason != "length":
        raise NoAnswerError("a reply without a text")


def _is_same_model(replied: Any, asked: str) -> bool:
    """Whether a reply is of the model that was asked; servers add dates, and folders or endings of files."""
    if not (isinstance(replied, str) and replied):
        return True
    one, other = replied.casefold(), asked.casefold()
    return one in other or other in one


def _yes_probability(logprobs: Any, answer: str, named: tuple[str, str] | None, *, is_split: bool) -> float | None:
    """Return the probability of yes from the token with which the answer begins, and its alternatives.

    Servers that split reasoning from the answer return the tokens of both, or of the answer only.
    """
    content = (logprobs and logprobs.content) or []
    tokens = [token.token for token in content]
    text = "".join(tokens)
    if is_split and not answer_start(text):
        start = text.rfind(answer) if answer else -1
        if start < 0:
            return None
        tokens = _from_offset(tokens, start)
    position = first_answer_token(tokens)
    if position is None:
        return None
    alternatives = content[len(content) - len(tokens) + position].top_logprobs
    return yes_probability(((each.token, math.exp(each.logprob)) for each in alternatives), named)


def _from_offset(tokens: list[str], offset: int) -> list[str]:
    """Return the tokens from that which begins at an offset of their text, or contains it."""
    for number, token in enumerate(tokens):
        offset -= len(token)
        if offset < 0:
            return tokens[number:]
    return []
