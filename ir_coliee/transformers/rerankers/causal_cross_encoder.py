"""Cross-encoders from causal language models such as Qwen3 and Llama: they get a classification layer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TEXTS_ONLY = {"text": {"method": "forward", "method_output_name": "logits"}}


def new_cross_encoder(name: str, source: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """Return a cross-encoder of sentence-transformers.

    Left alone, sentence-transformers scores pairs with the language model's own head and its chat template, which has
    no place for a query and a document. A causal language model therefore gets a classification layer with new
    weights, as any other checkpoint without one. It reads the state of the last token, and texts without the template.

    Parameters
    ----------
    name : str
        Name or folder of the checkpoint.
    source : mapping
        Its revision, as for ``from_pretrained``.
    options : mapping
        Keyword arguments of ``CrossEncoder``.
    """
    from sentence_transformers import CrossEncoder
    from sentence_transformers.base.modules import Transformer

    if not _is_causal(name, source):
        return CrossEncoder(name, **options)
    transformer = Transformer(
        name,
        transformer_task="sequence-classification",
        modality_config=_TEXTS_ONLY,
        module_output_name="scores",
        model_kwargs=options["model_kwargs"],
        processor_kwargs={**source, **options["processor_kwargs"]},
        config_kwargs={**source, "num_labels": 1, **options.get("config_kwargs", {})},
    )
    if transformer.tokenizer.pad_token is None:
        transformer.tokenizer.pad_token = transformer.tokenizer.eos_token
    # the layer reads the last token that is not padding; padding on the left would shift the positions, whose rotations
    # have rounding errors, so that scores would depend on the other texts of a batch
    transformer.tokenizer.padding_side = "right"
    transformer.model.config.get_text_config().pad_token_id = transformer.tokenizer.pad_token_id
    transformer.model.config.pad_token_id = transformer.tokenizer.pad_token_id
    return CrossEncoder(modules=[transformer], device=options["device"])


def _is_causal(name: str, source: Mapping[str, Any]) -> bool:
    """Whether a checkpoint is a causal language model, and not one that was saved as a cross-encoder."""
    from transformers import AutoConfig
    from transformers.utils import cached_file

    (architecture,) = (AutoConfig.from_pretrained(name, **source).architectures or [""])[:1]
    file = cached_file(name, "config_sentence_transformers.json", _raise_exceptions_for_missing_entries=False, **source)
    settings = {} if file is None else json.loads(Path(file).read_text(encoding="utf-8"))
    return architecture.endswith(("ForCausalLM", "LMHeadModel")) and settings.get("model_type") != "CrossEncoder"
