"""Sizes of published neural architectures, from their config.json, and empty networks of these sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Architecture:
    """The sizes of a published architecture."""

    family: str
    layers: int
    hidden: int
    heads: int
    feed_forward: int
    vocabulary: int
    head_size: int = 64
    key_heads: int = 0
    decoder_layers: int = 0
    window: int = 0  # of attention, if it is local
    buckets: int = 0  # of relative positions
    entities: int = 0
    tied: bool = True  # one table for input and output

    @property
    def inner(self) -> int:
        """Sum of the sizes of the heads."""
        return self.heads * self.head_size


def _t5(layers: int, hidden: int, heads: int, feed_forward: int, **other: Any) -> Architecture:
    sizes = {"family": "t5", "vocabulary": 32128, "decoder_layers": layers}
    return Architecture(layers=layers, hidden=hidden, heads=heads, feed_forward=feed_forward, **sizes | other)


def _qwen3(layers: int, hidden: int, heads: int, feed_forward: int, tied: bool = True) -> Architecture:
    return Architecture("qwen3", layers, hidden, heads, feed_forward, 151936, head_size=128, key_heads=8, tied=tied)


ARCHITECTURES: Mapping[str, Architecture] = {
    "cross-encoder/ms-marco-MiniLM-L6-v2": Architecture("bert", 6, 384, 12, 1536, 30522, head_size=32),
    "bert-base-uncased": Architecture("bert", 12, 768, 12, 3072, 30522),
    "roberta-base": Architecture("bert", 12, 768, 12, 3072, 50265),
    "microsoft/deberta-v3-large": Architecture("deberta", 24, 1024, 16, 4096, 128100, buckets=256),
    "allenai/longformer-base-4096": Architecture("longformer", 12, 768, 12, 3072, 50265, window=512),
    "studio-ousia/luke-base": Architecture("luke", 12, 768, 12, 3072, 50267, entities=500000),
    "studio-ousia/mluke-base": Architecture("luke", 12, 768, 12, 3072, 250004, entities=1200000),
    "t5-large": _t5(24, 1024, 16, 4096),
    "t5-3b": _t5(24, 1024, 32, 16384, head_size=128),
    "google/mt5-large": _t5(24, 1024, 16, 2816, family="gated t5", vocabulary=250112, tied=False),
    "google/flan-t5-xxl": _t5(24, 4096, 64, 10240, family="gated t5", tied=False),
    "google/flan-ul2": _t5(32, 4096, 16, 16384, family="gated t5", head_size=256, tied=False),
    "Qwen/Qwen3-0.6B": _qwen3(28, 1024, 16, 3072),
    "Qwen/Qwen3-4B": _qwen3(36, 2560, 32, 9728),
    "Qwen/Qwen3-8B": _qwen3(36, 4096, 32, 12288, tied=False),
}


def network(sizes: Architecture) -> Any:
    """Return a network of the sizes, with random weights: a classifier of one score, for T5 the language model."""
    return _NETWORKS[sizes.family](sizes)


def _common(sizes: Architecture, **other: Any) -> dict[str, Any]:
    return {
        "hidden_size": sizes.hidden,
        "num_hidden_layers": sizes.layers,
        "num_attention_heads": sizes.heads,
        "intermediate_size": sizes.feed_forward,
        "vocab_size": sizes.vocabulary,
        "num_labels": 1,
        **other,
    }


def _bert(sizes: Architecture) -> Any:
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(**_common(sizes))
    return BertForSequenceClassification._from_config(config, attn_implementation="eager")


def _longformer(sizes: Architecture) -> Any:
    from transformers import LongformerConfig, LongformerForSequenceClassification

    tokens = {"sep_token_id": 2, "pad_token_id": 1, "type_vocab_size": 1}
    config = LongformerConfig(**_common(sizes, attention_window=sizes.window, max_position_embeddings=4098, **tokens))
    return LongformerForSequenceClassification(config)


def _luke(sizes: Architecture) -> Any:
    from transformers import LukeConfig, LukeForSequenceClassification

    config = LukeConfig(**_common(sizes, entity_vocab_size=sizes.entities, entity_emb_size=256, type_vocab_size=1))
    return LukeForSequenceClassification(config)


def _deberta(sizes: Architecture) -> Any:
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification

    attention = {
        "relative_attention": True,
        "position_buckets": sizes.buckets,
        "norm_rel_ebd": "layer_norm",
        "share_att_key": True,
        "pos_att_type": ["p2c", "c2p"],
        "position_biased_input": False,
        "type_vocab_size": 0,
    }
    return DebertaV2ForSequenceClassification(DebertaV2Config(**_common(sizes, **attention)))


def _t5_network(sizes: Architecture) -> Any:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        d_model=sizes.hidden,
        d_kv=sizes.head_size,
        d_ff=sizes.feed_forward,
        num_layers=sizes.layers,
        num_decoder_layers=sizes.decoder_layers,
        num_heads=sizes.heads,
        vocab_size=sizes.vocabulary,
        feed_forward_proj="gated-gelu" if sizes.family == "gated t5" else "relu",
        tie_word_embeddings=sizes.tied,
    )
    return T5ForConditionalGeneration._from_config(config, attn_implementation="eager")


def _qwen3_network(sizes: Architecture) -> Any:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    heads = {"num_key_value_heads": sizes.key_heads, "head_dim": sizes.head_size}
    config = Qwen3Config(**_common(sizes, **heads, tie_word_embeddings=sizes.tied, pad_token_id=0))
    return Qwen3ForCausalLM._from_config(config, attn_implementation="sdpa")


_NETWORKS: Mapping[str, Callable[[Architecture], Any]] = {
    "bert": _bert,
    "deberta": _deberta,
    "longformer": _longformer,
    "luke": _luke,
    "t5": _t5_network,
    "gated t5": _t5_network,
    "qwen3": _qwen3_network,
}
