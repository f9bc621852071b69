"""The layout of a published checkpoint: configuration, network, and the files of tokenizer and modules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HIDDEN = 32
SPREAD = 0.5  # standard deviation of the weights; with the usual .02 all texts would get nearly equal scores
SIZES: Mapping[str, Any] = {
    "hidden_size": HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 2 * HIDDEN,
    "initializer_range": SPREAD,
}
"""Sizes of an encoder, which replace those of the published configuration."""

Files = Mapping[str, "str | bytes | Mapping[str, Any] | list[Any]"]
"""Contents of files by name: text, bytes, or what is written as JSON."""


@dataclass(frozen=True)
class Layout:
    """The layout of a published checkpoint.

    Attributes
    ----------
    network : str
        Name of the class of the published weights in the transformers library.
    tokenizer : callable
        Returns the files of the tokenizer, as they lie in the published folder, without ``tokenizer.json``.
    config : mapping
        The published configuration, with small sizes. The vocabulary's size is added.
    converted : bool
        Whether the published folder has a ``tokenizer.json`` as well.
    modules : mapping, optional
        Further files: those of sentence-transformers.
    surplus : int
        Number of rows of the embedding table that no token has, as in checkpoints whose tables are padded.
    """

    network: str
    tokenizer: Callable[[], Files]
    config: Mapping[str, Any] = field(default_factory=dict)
    converted: bool = False
    modules: Files = field(default_factory=dict)
    surplus: int = 0

    @property
    def is_seq2seq(self) -> bool:
        """Whether the network is a sequence-to-sequence model with a language model's head."""
        return self.network.endswith("ForConditionalGeneration")

    @property
    def is_causal(self) -> bool:
        """Whether the network is a causal language model."""
        return self.network.endswith(("ForCausalLM", "LMHeadModel"))

    def write(self, folder: Path) -> None:
        """Write the checkpoint to a new folder. The weights are drawn from torch's random numbers."""
        import transformers

        network = getattr(transformers, self.network)
        config = network.config_class(**self.config)
        folder.mkdir()
        config.save_pretrained(folder)  # the tokenizer's class may follow from it
        write_files(folder, {**self.tokenizer(), **self.modules})
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        if self.converted:
            tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
        config.vocab_size = len(tokenizer) + self.surplus
        network(config).save_pretrained(folder)


def write_files(folder: Path, files: Files) -> None:
    """Write files to a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=2)
            path.write_text(text, encoding="utf-8")
