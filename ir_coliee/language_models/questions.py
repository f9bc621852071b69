"""What a language model is asked, and what it replies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ir_coliee.text.templates import Conversation


class Question(NamedTuple):
    """What a model is asked. ``sample``: of several replies to one conversation, which."""

    conversation: Conversation
    sample: int = 0


class Reply(NamedTuple):
    """What it replied. ``yes``: how probable yes is against no, in [0, 1]; None where the model does not say."""

    text: str
    yes: float | None = None


Heard = Callable[[Question, Reply], None]


class LanguageModel(Protocol):
    """Anything that replies."""

    @property
    def identity(self) -> str:
        """What its replies depend on: the model and how it is asked. Replies are kept under it."""

    def ask(self, questions: Sequence[Question], heard: Heard) -> None:
        """Ask all questions; ``heard`` is given each reply as soon as it is there, in any order, one at a time."""
