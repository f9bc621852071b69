"""What all our transformers share: they say what they are, and they keep one order."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from typing import TypeVar

import pyterrier as pt

from ir_coliee.releases.search import ORGANISERS

T = TypeVar("T")


class Declared(pt.Transformer):
    """A transformer that is the sum of its constructor's arguments.

    Each argument is kept under its own name. From that follow the repr that rebuilds it, equality
    (by which ``plan="tree"`` shares the beginnings of pipelines), and pickling.
    """

    LABEL: str

    @property
    def schematic(self) -> dict[str, str]:
        """How PyTerrier draws the transformer. Without a help_url it would look for one on the network."""
        return {"label": self.LABEL, "help_url": ORGANISERS}

    def _kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` returns, made anew when ``key``, the arguments that it depends on, has changed."""
        kept: tuple[Hashable, T] | None = self.__dict__.get("_memory")
        if kept is None or kept[0] != key:
            kept = self._memory = key, make()
        return kept[1]

    def _keeps(self, key: Hashable) -> bool:
        """Whether `_kept` has what belongs to the key."""
        kept = self.__dict__.get("_memory")
        return kept is not None and bool(kept[0] == key)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_memory"}

    def _arguments(self) -> dict[str, object]:
        _self, *parameters = inspect.signature(type(self).__init__).parameters.values()
        return {p.name: getattr(self, p.name) for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._arguments().items())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._arguments() == other._arguments()

    def __hash__(self) -> int:
        return hash(repr(self))
