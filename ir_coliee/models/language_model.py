"""The interface of language models: questions, replies, and the methods that a model must implement."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import NamedTuple, Protocol, runtime_checkable

from ir_coliee.errors import printable
from ir_coliee.frames import shown
from ir_coliee.models.replies import begins_with_answer
from ir_coliee.models.templates import Conversation


class Question(NamedTuple):
    """A question to a language model.

    Attributes
    ----------
    conversation : Conversation
        The turns of the prompt. The last turn is that of the user.
    sample : int
        Number of the sample, if several replies to the same conversation are sampled.
    schema : str
        JSON schema of the reply, for models that can be restricted to one; empty for any reply.
    """

    conversation: Conversation
    sample: int = 0
    schema: str = ""


class Reply(NamedTuple):
    """A reply of a language model.

    Attributes
    ----------
    text : str
        Text of the reply.
    yes : float or None
        Probability of yes, as opposed to no, in [0, 1]; None if the model does not compute it.
    reasoning : str
        What a reasoning model wrote before its answer; it is not part of ``text``.
    truncated : bool
        Whether the reply was cut off at the token limit, so that its text may lack the answer.
    """

    text: str
    yes: float | None = None
    reasoning: str = ""
    truncated: bool = False


#: The next step for a result that is not a finite number.
NOT_FINITE = "In half precision large values overflow: use bfloat16 or float32. Otherwise, weights are damaged."

ReplyCallback = Callable[[Question, Reply], None]


class LanguageModel(Protocol):
    """A language model. A model with a limited context window can implement `HasWindow` as well."""

    @property
    def identity(self) -> str:
        """Key of the stored replies: the model and all settings that affect its replies."""

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions. Call ``on_reply`` for each reply as it arrives, in any order, never concurrently."""


@runtime_checkable
class HasWindow(Protocol):
    """A `LanguageModel` with a known context window, so that callers can split texts that do not fit."""

    def fits(self, conversation: Conversation) -> bool:
        """Whether the conversation and a reply fit into the context window."""


def encodable(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded as UTF-8, by question marks.

    Examples
    --------
    >>> encodable("a " + chr(0xD800) + " lamp")
    'a ? lamp'
    """
    return text.encode(errors="replace").decode()


def shown_model(model: LanguageModel) -> str:
    """Return the name of a model for a message: its ``name`` or ``model``, or else its identity."""
    return printable(str(getattr(model, "name", getattr(model, "model", model.identity))))


def is_valid(reply: Reply) -> bool:
    """Whether a reply has strings as its text and reasoning, and None or a number in [0, 1] as its probability.

    Examples
    --------
    >>> is_valid(Reply("Yes", 0.5)), is_valid(Reply("Yes", 7)), is_valid(Reply(None))
    (True, False, False)
    """
    is_probability = isinstance(reply.yes, Real) and 0 <= reply.yes <= 1
    return isinstance(reply.text, str) and isinstance(reply.reasoning, str) and (reply.yes is None or is_probability)


def has_answer(reply: Reply) -> bool:
    """Whether a reply has a text that was not cut off before its answer; others are not stored and asked for again.

    Examples
    --------
    >>> has_answer(Reply("Perhaps")), has_answer(Reply("Yes, bec", truncated=True)), has_answer(Reply(""))
    (True, True, False)
    >>> has_answer(Reply("The statement", truncated=True)), has_answer(Reply("T", 0.5, truncated=True))
    (False, True)
    """
    if reply.yes is not None:
        return True
    return bool(reply.text.strip()) and (not reply.truncated or answers_when_cut(reply))


def answers_when_cut(reply: Reply) -> bool:
    """Whether a reply that was cut off at the token limit begins with its answer, yes or no."""
    return not reply.reasoning and begins_with_answer(reply.text)


def named_tokens(model: LanguageModel) -> tuple[str, str] | None:
    """Return the tokens of yes and no that the setting ``probabilities`` of a model names, None if it names none.

    Raises
    ------
    ValueError
        If the setting is neither True or False nor two different words.
    """
    given = getattr(model, "probabilities", False)
    if isinstance(given, bool):
        return None
    if not isinstance(given, tuple) or len({each for each in given if each}) != 2:
        raise ValueError(f"probabilities must be True, False, or the tokens of yes and no, got {shown(given)}.")
    return given


def settings_key(*settings: object, **options: Mapping[str, object]) -> str:
    """Return the settings of a model as the key of its stored replies.

    Options that are not set are left out, so that the replies that were stored before an option existed are found.

    Examples
    --------
    >>> settings_key("a-model", 0.7, chat_options={}), settings_key("a-model", 0.7, chat_options={"b": 1, "a": 2})
    ('["a-model", 0.7]', '["a-model", 0.7, {"chat_options": {"a": 2, "b": 1}}]')
    """
    given = {name: dict(option) for name, option in options.items() if option}
    return json.dumps([*settings, *([given] if given else [])], sort_keys=True)
