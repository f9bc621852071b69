"""The layout of a published checkpoint: configuration, network, and the files of tokenizer and modules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HIDDEN = 32
SPREAD = 0.2  # standard deviation of the weights; with the usual .02 all texts would get nearly equal scores
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
    token_ids : mapping of str to str
        Settings of the configuration that are the id of a token, with the token.
    generation : mapping
        Settings of ``generation_config.json``, to which those of ``token_ids`` are added.
    surplus : int
        Number of rows of the embedding table that no token has, as in checkpoints whose tables are padded.
    rows : callable, optional
        Returns the number of rows of the embedding table, where the installed tokenizer has other tokens than the
        published one.
    half_precision : bool
        Whether the weights are published in half precision.
    """

    network: str
    tokenizer: Callable[[], Files]
    config: Mapping[str, Any] = field(default_factory=dict)
    converted: bool = False
    modules: Files = field(default_factory=dict)
    token_ids: Mapping[str, str] = field(default_factory=dict)
    generation: Mapping[str, Any] = field(default_factory=dict)
    surplus: int = 0
    rows: Callable[[], int] | None = None
    half_precision: bool = False

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

        network_class = getattr(transformers, self.network)
        folder.mkdir()
        write_files(folder, {**self.tokenizer(), **self.modules})
        config = network_class.config_class(**self.config)
        config.save_pretrained(folder)  # the class of the tokenizer may follow from it
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        if self.converted:
            tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
        ids = {name: tokenizer.convert_tokens_to_ids(token) for name, token in self.token_ids.items()}
        config.update({**ids, "vocab_size": self.rows() if self.rows else len(tokenizer) + self.surplus})
        network = network_class(config)
        if self.generation:
            network.generation_config = transformers.GenerationConfig(**ids, **self.generation)
        (network.half() if self.half_precision else network).save_pretrained(folder)


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
