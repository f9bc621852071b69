"""Interface of language models: questions, replies and what a model has to implement."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import NamedTuple, Protocol, runtime_checkable

from ir_coliee.text.templates import Conversation


class Question(NamedTuple):
    """A question to a language model.

    Attributes
    ----------
    conversation : Conversation
        Turns of the prompt; the last one is the user's.
    sample : int
        Number of the sample, if several replies to the same conversation are drawn.
    """

    conversation: Conversation
    sample: int = 0


class Reply(NamedTuple):
    """A reply of a language model.

    Attributes
    ----------
    text : str
        Text of the reply.
    yes : float or None
        Probability of yes against no, in [0, 1]; None if the model gives none.
    """

    text: str
    yes: float | None = None


ReplyCallback = Callable[[Question, Reply], None]


class LanguageModel(Protocol):
    """A language model. A model with a limited context window can implement `HasWindow` as well."""

    @property
    def identity(self) -> str:
        """Key of the model's stored replies: the model and the settings on which they depend."""

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions; call ``on_reply`` with each reply as it arrives, in any order, one at a time."""


@runtime_checkable
class HasWindow(Protocol):
    """A `LanguageModel` that knows its context window, so that callers can split texts that do not fit."""

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


def check_settings(model: LanguageModel, **minima: int) -> None:
    """Check integer settings of a model against their smallest values, and its temperature.

    Raises
    ------
    ValueError
        If a setting is not an integer or too small, or if the temperature is negative or not finite.
    """
    for name, smallest in minima.items():
        value = getattr(model, name)
        if not (isinstance(value, int) and value >= smallest):
            raise ValueError(f"{name} must be an integer >= {smallest}, got {value!r}.")
    temperature: float = getattr(model, "temperature", 0.0)
    if not (isinstance(temperature, Real) and 0 <= temperature < math.inf):
        raise ValueError(f"temperature must be a finite number >= 0, got {temperature!r}.")
