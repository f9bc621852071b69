"""Memory of neural models: a formula, counts of tensors that verify it, and a table of what fits on one GPU.

Run it as ``python benchmarks/memory.py``; it takes two minutes of processor time. The formula takes the published sizes
of an architecture. It is verified by counting the bytes of all tensors that are alive at once while the real network is
trained: of its true sizes with tensors that have shapes and no values, or with two layers where the computation depends
on the values (Longformer).
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import torch
from architectures import ARCHITECTURES, Architecture, network
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

CARD = 24.0  # gigabytes of the GPU
CONTEXT = 0.8  # gigabytes of it that CUDA and its libraries take
BYTES = {"float32": 4.0, "bfloat16": 2.0, "8bit": 1.0, "4bit": 0.52}  # a weight, with the scales of its block
MIXED = 0.6  # activations in bfloat16, of which norms and softmax stay in float32, relative to float32
REPLY = 2  # tokens of the decoder


class Coefficients(NamedTuple):
    """Bytes that a layer stores for training in float32, per token and unit of a size."""

    hidden: float
    feed_forward: float
    inner: float = 0  # the sizes of all heads
    scores: float = 0  # heads times the tokens that a token attends to
    positions: float = 0  # heads times the buckets of relative positions
    reading: float = 0.5  # the share of it that is alive at once in prediction


COEFFICIENTS = {
    "bert": Coefficients(40, 8, scores=12),
    "luke": Coefficients(40, 8, scores=12),
    "deberta": Coefficients(39, 18, scores=7.5, positions=12.8, reading=1.25),
    "longformer": Coefficients(58, 8.6, scores=12.3, reading=1),
    "t5": Coefficients(32, 12, inner=16, scores=12),
    "gated t5": Coefficients(32, 32, inner=16, scores=12),
    "qwen3": Coefficients(24, 16, inner=24),
}
"""Fitted to counts of networks of several sizes; those of BERT and T5 are exact: 4 bytes a stored number."""


class Memory(NamedTuple):
    """Gigabytes, by purpose."""

    weights: float
    gradients: float
    optimiser: float
    activations: float


@cache
def parameters(sizes: Architecture) -> tuple[int, int, int]:
    """Return the number of weights, of those in linear layers without the output, and of an adapter of rank 1."""
    with torch.device("meta"):
        made = network(sizes)
    linear = [
        module
        for name, module in made.named_modules()
        if isinstance(module, torch.nn.Linear) and name not in ("lm_head", "classifier", "score")
    ]
    total = sum(weights.numel() for weights in made.parameters())
    return total, sum(each.weight.numel() for each in linear), sum(sum(each.weight.shape) for each in linear)


def memory(
    sizes: Architecture,
    batch: int,
    tokens: int,
    *,
    training: bool,
    dtype: str = "float32",
    precision: str = "float32",
    checkpointing: bool = False,
    rank: int = 0,
) -> Memory:
    """Return the memory of a model at its peak.

    ``dtype`` is the number format or quantisation of the weights; ``precision`` that of the computation in training;
    ``rank`` that of a LoRA adapter on all linear layers, 0 for training of all weights.
    """
    total, linear, adapter = parameters(sizes)
    other = total - linear
    weights = linear * BYTES[dtype] + other * (2 if dtype in ("8bit", "4bit") else BYTES[dtype])
    layer = _layer(sizes, tokens) * batch
    if not training:
        scale = 1.0 if dtype == "float32" else 0.5
        alive = max(COEFFICIENTS[sizes.family].reading * layer, _decoder(sizes, tokens) * batch)
        return Memory(weights / 1e9, 0, 0, scale * alive / 1e9)
    trained = rank * adapter if rank else total
    if precision == "bfloat16" and dtype == "float32":
        weights += 2 * linear  # their values in half precision
    scale = 1.0 if precision == "float32" else MIXED
    stored = (sizes.layers + sizes.decoder_layers) * 4 * sizes.hidden * batch * tokens if checkpointing else 0.0
    stored += scale * layer * (1 if checkpointing else sizes.layers) + scale * _decoder(sizes, tokens) * batch
    weights += 4 * trained if rank else 0
    return Memory(*(part / 1e9 for part in (weights, 4 * trained, 8 * trained, stored + _logits(sizes, batch, tokens))))


def _layer(sizes: Architecture, tokens: int) -> float:
    """Return the bytes that a layer stores for a text."""
    each = COEFFICIENTS[sizes.family]
    attended = min(tokens, sizes.window or tokens)
    return tokens * (
        each.hidden * sizes.hidden
        + each.feed_forward * sizes.feed_forward
        + each.inner * sizes.inner
        + each.scores * sizes.heads * attended
        + each.positions * sizes.heads * sizes.buckets
    )


def _decoder(sizes: Architecture, tokens: int) -> float:
    """Return the bytes that a short decoder stores for a text: keys and values of the encoded text in each layer."""
    return 8.0 * sizes.decoder_layers * tokens * sizes.inner


def _logits(sizes: Architecture, batch: int, tokens: int) -> float:
    """Return the bytes of the logits of a language model, with their gradients."""
    return 8.0 * batch * sizes.vocabulary * {"qwen3": 1, "t5": REPLY, "gated t5": REPLY}.get(sizes.family, 0)


# --- counts ------------------------------------------------------------------------------------------


class TensorBytes(TorchDispatchMode):
    """Counts the bytes of the tensors that are alive: ``now``, and at most: ``peak``."""

    def __init__(self, tensors: Iterable[Any]) -> None:
        super().__init__()
        self.now = self.peak = 0
        self._seen: set[int] = set()
        for tensor in tensors:
            self._add(tensor)

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor):
                self._add(leaf)
        return result

    def _add(self, tensor: Any) -> None:
        storage = tensor.untyped_storage()
        if (key := storage._cdata) not in self._seen:
            self._seen.add(key)
            self.now += storage.nbytes()
            self.peak = max(self.peak, self.now)
            weakref.finalize(storage, self._remove, key, storage.nbytes())

    def _remove(self, key: int, size: int) -> None:
        self._seen.discard(key)
        self.now -= size


def counted(sizes: Architecture, batch: int, tokens: int, *, training: bool, values: bool = False) -> float:
    """Return the gigabytes of the tensors that are alive at the peak of two steps of training, or of a prediction.

    With ``values`` the tensors have values.
    """
    with nullcontext() if values else FakeTensorMode(allow_non_fake_inputs=True):
        model = network(sizes).train(training)
        optimiser = torch.optim.AdamW(model.parameters())
        with TensorBytes([*model.parameters(), *model.buffers()]) as count, torch.set_grad_enabled(training):
            for _ in range(2 if training else 1):  # the optimiser's state is there from the first step on
                logits = _predict(sizes, model, batch, tokens)
                if training:
                    logits.float().sum().backward()
                    optimiser.step()
                    optimiser.zero_grad()
                del logits
        return count.peak / 1e9


def _predict(sizes: Architecture, model: Any, batch: int, tokens: int) -> Any:
    texts = torch.full((batch, tokens), 5)
    inputs: dict[str, Any] = {"input_ids": texts, "attention_mask": torch.ones_like(texts)}
    if sizes.decoder_layers:
        inputs["decoder_input_ids"] = torch.full((batch, REPLY), 5)
    if sizes.family == "qwen3":
        inputs |= {"logits_to_keep": 1, "use_cache": False}
    return model(**inputs).logits


# --- tables ------------------------------------------------------------------------------------------

VERIFIED = [
    ("cross-encoder/ms-marco-MiniLM-L6-v2", (32, 512), (16, 128)),
    ("bert-base-uncased", (16, 512), (16, 128)),
    ("microsoft/deberta-v3-large", (16, 512), (8, 256)),
    ("studio-ousia/luke-base", (16, 512), (16, 256)),
    ("t5-large", (16, 512), (8, 256)),
    ("google/flan-t5-xxl", (4, 512), (1, 1024)),
    ("Qwen/Qwen3-0.6B", (16, 512), (4, 2048)),
]

WHOLE = {"training": True}
MIX = {"training": True, "precision": "bfloat16", "checkpointing": True}
LORA = {**MIX, "dtype": "bfloat16", "rank": 16}
QLORA = {**MIX, "dtype": "4bit", "rank": 16}
READ = {"training": False, "dtype": "bfloat16"}
ROWS = [
    ("cross-encoder/ms-marco-MiniLM-L6-v2", 16, 512, [WHOLE]),
    ("roberta-base", 16, 512, [WHOLE, MIX]),
    ("studio-ousia/mluke-base", 16, 512, [WHOLE, MIX]),
    ("microsoft/deberta-v3-large", 16, 512, [WHOLE, MIX]),
    ("allenai/longformer-base-4096", 16, 4096, [WHOLE, MIX]),
    ("t5-large", 16, 512, [WHOLE, MIX]),
    ("t5-3b", 16, 512, [WHOLE, LORA]),
    ("google/mt5-large", 16, 512, [WHOLE, MIX]),
    ("google/flan-t5-xxl", 8, 1024, [{"training": False}, READ, {**READ, "dtype": "8bit"}, {**READ, "dtype": "4bit"}]),
    ("google/flan-ul2", 8, 1024, [READ, {**READ, "dtype": "4bit"}]),
    ("Qwen/Qwen3-0.6B", 16, 1024, [MIX, LORA]),
    ("Qwen/Qwen3-4B", 16, 1024, [LORA, QLORA, READ]),
    ("Qwen/Qwen3-8B", 16, 1024, [LORA, QLORA, READ, {**READ, "dtype": "4bit"}]),
]


def largest_batch(sizes: Architecture, tokens: int, options: dict[str, Any]) -> int:
    """Return the largest power of two that fits on the card, 0 if no text does."""
    fitting = [size for size in (1, 2, 4, 8, 16, 32, 64, 128) if _total(sizes, size, tokens, options) <= CARD - CONTEXT]
    return max(fitting, default=0)


def _total(sizes: Architecture, batch: int, tokens: int, options: dict[str, Any]) -> float:
    return sum(memory(sizes, batch, tokens, **options))


def _words(options: dict[str, Any]) -> str:
    words = ["training" if options["training"] else "prediction", options.get("dtype", "float32")]
    words += [f"LoRA {options['rank']}"] if "rank" in options else []
    words += ["mixed precision, checkpointing"] if options.get("checkpointing") else []
    return ", ".join(words)


def verify() -> None:
    """Print counts relative to the formula, for each architecture at two sizes."""
    print(f"{'architecture':38}{'batch':>6}{'tokens':>7}   {'use':<16}{'counted GB':>11}{'formula GB':>11}{'ratio':>6}")
    cases = [(name, ARCHITECTURES[name], *shape) for name, *shapes in VERIFIED for shape in shapes]
    longformer = "allenai/longformer-base-4096"
    two = replace(ARCHITECTURES[longformer], layers=2)
    cases += [(f"{longformer}, 2 layers", two, 1, tokens) for tokens in (1024, 2048)]
    for name, sizes, batch, tokens in cases:
        values = sizes.family == "longformer"
        for training in (True, False):
            found = counted(sizes, batch, tokens, training=training, values=values)
            formula = _total(sizes, batch, tokens, {"training": training})
            use = "training" if training else "prediction"
            print(f"{name:38}{batch:6}{tokens:7}   {use:<16}{found:11.2f}{formula:11.2f}{found / formula:6.2f}")


def main() -> None:
    """Print what was counted, and what fits."""
    verify()
    print(f"\nBy the formula (scaled); the largest batch (a power of two) on a card of {CARD:.0f} GB")
    print(f"{'architecture':38}{'weights':>9}{'batch x tokens':>16}{'GB':>8}{'largest batch':>15}   use")
    for name, batch, tokens, uses in ROWS:
        sizes = ARCHITECTURES[name]
        for options in uses:
            total, largest = _total(sizes, batch, tokens, options), largest_batch(sizes, tokens, options)
            count = f"{parameters(sizes)[0] / 1e6:.0f} M"
            print(f"{name:38}{count:>9}{f'{batch} x {tokens}':>16}{total:8.1f}{largest:15}   {_words(options)}")


if __name__ == "__main__":
    main()
