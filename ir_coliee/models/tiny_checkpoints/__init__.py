"""Tiny checkpoints with random weights, to run the real code of a pipeline without a download.

They have the format of Hugging Face checkpoints, so that any code that loads a published checkpoint by name loads one
of these by its folder. The output of such a model is meaningless but reproducible, because its weights come from a
seed. A module per family of architectures lists the published checkpoints that can be imitated.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import get_args

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.frames import one_of, shown
from ir_coliee.models.loading.encoders import without_progress_bars
from ir_coliee.models.tiny_checkpoints import (
    bert,
    causal,
    deberta,
    japanese_bert,
    luke,
    modern_bert,
    roberta,
    t5,
    xlm_roberta,
)
from ir_coliee.models.tiny_checkpoints.defaults import Kind, write_default
from ir_coliee.models.tiny_checkpoints.layout import Layout

__all__ = ["PUBLISHED", "Kind", "tiny_checkpoint"]

_FAMILIES = (bert, causal, deberta, japanese_bert, luke, modern_bert, roberta, t5, xlm_roberta)
PUBLISHED: Mapping[str, Layout] = {name: layout for family in _FAMILIES for name, layout in family.PUBLISHED.items()}
"""The layouts of the published checkpoints that ``like`` can name."""


def tiny_checkpoint(kind: Kind, seed: int = 0, like: str | None = None) -> str:
    """Return the folder of a tiny checkpoint. It is written on the first call and deleted when the program ends.

    Parameters
    ----------
    kind : {"encoder", "classifier", "entailment", "seq2seq", "causal"}
        A sentence encoder (sentence-transformers), a classifier of text pairs with one score (cross-encoder), a
        classifier with the three labels of natural language inference, a sequence-to-sequence model (T5), or a
        causal language model (GPT-2).
    seed : int
        Seed of the weights.
    like : str, optional
        Name of a published checkpoint, such as ``allenai/longformer-base-4096``. The checkpoint then has its classes
        of network and tokenizer, its window and its files, with small sizes. A published checkpoint without the
        classification layer that ``kind`` needs lacks it here, too: the layer is new in whatever loads it.

    Raises
    ------
    ValueError
        If the kind is not known.
    ColieeError
        If the layout of the published checkpoint is not known here, or if it is of another kind.
    MissingExtraError
        If the extra ``neural`` is not installed.
    """
    one_of("kind", kind, get_args(Kind))
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        raise MissingExtraError("A tiny checkpoint", "neural") from None
    return _written(kind, seed, like)


@cache
def _written(kind: Kind, seed: int, like: str | None) -> str:
    import torch

    layout = None if like is None else _layout(kind, like)
    folder = Path(_folder().name) / "-".join([kind, str(seed), *(like.split("/") if like else [])])
    with torch.random.fork_rng(), without_progress_bars(reports=False):
        torch.manual_seed(seed)
        if layout is None:
            write_default(kind, str(folder))
        else:
            layout.write(folder)
    return str(folder)


def _layout(kind: Kind, like: str) -> Layout:
    if like not in PUBLISHED:
        raise ColieeError(
            f"No tiny checkpoint is like {shown(like)}: its layout is not known here.\n"
            f"Known are {', '.join(sorted(PUBLISHED))}."
        )
    layout = PUBLISHED[like]
    if layout.is_seq2seq != (kind == "seq2seq") or (kind == "causal" and not layout.is_causal):
        raise ColieeError(f"{like} is not a checkpoint of the kind {kind}: its network is {layout.network}.")
    return layout


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="tiny-checkpoints-")
