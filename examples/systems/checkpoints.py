"""The choice of checkpoints: the published ones of a system, or those of ``--model``; and how they are loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from run_folder import RunFolder

from ir_coliee.errors import ColieeError
from ir_coliee.models import LoadOptions
from ir_coliee.models.loading import checkpoint_identity
from ir_coliee.models.tiny_checkpoints import Kind, tiny_checkpoint

TINY = "tiny"
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Models:
    """The checkpoints of a system: the published ones, or those of ``--model``, and the settings of the command line.

    Several models of one kind have different seeds, so that tiny models differ as well. A system with several
    kinds of models requests all of them before it loads or trains one, so that an unsuitable name is refused at once.
    """

    chosen: Mapping[Kind, str] = field(default_factory=dict)
    otherwise: str | None = None  # the name for kinds without their own
    load: LoadOptions = field(default_factory=LoadOptions)
    batch_size: int | None = None  # None: the default of each model
    folder: RunFolder | None = None  # None: nothing is kept
    requested: dict[str, Kind] = field(default_factory=dict)  # kind by published name

    def tiny(self, kind: Kind) -> bool:
        """Return whether models of a kind have random weights."""
        return self._name(kind) == TINY

    def encoder(self, published: str, seed: int = 0) -> str:
        """Name or folder of a sentence encoder."""
        return self._of("encoder", published, seed)

    def classifier(self, published: str, seed: int = 0) -> str:
        """Name or folder of a classifier of text pairs with one score."""
        return self._of("classifier", published, seed)

    def entailment(self, published: str, seed: int = 0) -> str:
        """Name or folder of a classifier of text pairs with the labels of natural language inference."""
        return self._of("entailment", published, seed)

    def seq2seq(self, published: str, seed: int = 0) -> str:
        """Name or folder of a sequence-to-sequence model such as T5."""
        return self._of("seq2seq", published, seed)

    def causal(self, published: str) -> str:
        """Name of a causal language model, such as GPT, on a server; of a tiny one, the folder."""
        self._request("causal", published)
        return tiny_checkpoint("causal") if self.tiny("causal") else self._name("causal") or published

    def _name(self, kind: Kind) -> str | None:
        return self.chosen.get(kind, self.otherwise)

    def _of(self, kind: Kind, published: str, seed: int) -> str:
        self._request(kind, published)
        return tiny_checkpoint(kind, seed) if self.tiny(kind) else self._name(kind) or published

    def _request(self, kind: Kind, published: str) -> None:
        self.requested[published] = kind
        kinds = sorted(set(self.requested.values()) - set(self.chosen))
        if self.otherwise not in (None, TINY) and len(kinds) > 1:
            each = " ".join(f"--model {other}=NAME" for other in kinds)
            raise ColieeError(
                f"--model {self.otherwise} cannot serve two kinds of models. Give one for each kind: {each}."
            )

    def identities(self) -> dict[str, str]:
        """Return what identifies each requested checkpoint: its name and commit, or the hash of its folder."""
        return {published: self._identity(published, kind) for published, kind in self.requested.items()}

    def _identity(self, published: str, kind: Kind) -> str:
        if self.tiny(kind):
            return "random weights"
        name = self._name(kind) or published
        return " ".join([name, *(checkpoint_identity(name) or ["not on this machine"])[-1:]])


def parse_checkpoints(arguments: Sequence[str]) -> tuple[dict[Kind, str], str | None]:
    """Parse ``--model``: KIND=NAME, or NAME for the others. Return the names by kind, and that of the others."""
    chosen: dict[str | None, str] = {}
    for each in arguments:
        kind, equals, name = each.partition("=")
        if not equals or Path(each).exists():  # a folder may have such a name
            kind, name = None, each
        elif kind not in KINDS:
            raise ColieeError(f"--model {each}: {kind} is not a kind of model. Use one of {', '.join(KINDS)}.")
        if not name or kind in chosen:
            raise ColieeError(
                f"--model {each}: {'given more than once' if name else 'the name is missing'}. Give each kind once."
            )
        chosen[kind] = name
    otherwise = chosen.pop(None, None)
    return chosen, otherwise
