"""What a language model is asked, and what it replies."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import NamedTuple, Protocol, runtime_checkable

from ir_coliee.text.templates import Conversation


class Question(NamedTuple):
    """What a model is asked. ``sample``: of several replies to one conversation, which."""

    conversation: Conversation
    sample: int = 0


class Reply(NamedTuple):
    """What it replied. ``yes``: how probable yes is against no, in [0, 1]; None where the model does not say."""

    text: str
    yes: float | None = None


ReplyCallback = Callable[[Question, Reply], None]


class LanguageModel(Protocol):
    """Anything that replies. One that knows its window may say so: see `Windowed`."""

    @property
    def identity(self) -> str:
        """What its replies depend on: the model and how it is asked. Replies are kept under it."""

    def ask(self, questions: Sequence[Question], heard: ReplyCallback) -> None:
        """Ask all questions; ``heard`` is given each reply as soon as it is there, in any order, one at a time."""


@runtime_checkable
class HasWindow(Protocol):
    """What a `LanguageModel` may have beside: texts that do not fit are then split, as by `Entailment`."""

    def fits(self, conversation: Conversation) -> bool:
        """Whether the model can take the conversation, with room for its reply."""


def encodable(text: str) -> str:
    """The text with a question mark for each lone surrogate, which neither a request, a model nor a file takes.

    >>> encodable("a " + chr(0xD800) + " lamp")
    'a ? lamp'
    """
    return text.encode(errors="replace").decode()


def check_settings(model: LanguageModel, **least: int) -> None:
    """Raises `ValueError` for a field of a model that is no whole number from ``least``, or an odd temperature."""
    for name, lowest in least.items():
        value = getattr(model, name)
        if not (isinstance(value, int) and value >= lowest):
            raise ValueError(f"{name}={value!r} is not a whole number from {lowest}")
    temperature: float = getattr(model, "temperature", 0.0)
    if not (isinstance(temperature, Real) and 0 <= temperature < math.inf):
        raise ValueError(f"temperature={temperature!r} is not a number from 0")
