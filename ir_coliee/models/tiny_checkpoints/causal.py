"""Causal language models: GPT-2, Qwen3 with its embedder, Llama, and Gemma; with their chat templates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from ir_coliee.models.tiny_checkpoints.layout import HIDDEN, SPREAD, Files, Layout
from ir_coliee.models.tiny_checkpoints.sentence_transformers import modules
from ir_coliee.models.tiny_checkpoints.vocabularies import byte_level, byte_level_file, sentencepiece

# the forms of the published templates, without tools; {% ... -%} drops the line break behind it
_QWEN_CHAT = """\
{%- for message in messages if message.role in ('system', 'user', 'assistant') -%}
{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}
{%- endif -%}
"""
_LLAMA_CHAT = """\
{{- bos_token }}
{%- for message in messages -%}
{{ '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' + message.content | trim + '<|eot_id|>' }}
{%- endfor -%}
{%- if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif -%}
"""
_GEMMA_CHAT = """\
{{- bos_token }}
{%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif -%}
{%- for message in messages -%}
{%- if (message.role == 'user') != (loop.index0 % 2 == 0) -%}
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{%- endif -%}
{{ '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\\n' }}
{{- message.content | trim + '<end_of_turn>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif -%}
"""
_SIZES: Mapping[str, Any] = {
    "hidden_size": HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 16,
    "intermediate_size": 2 * HIDDEN,
    "initializer_range": SPREAD,
}
_SAMPLED = {"do_sample": True, "temperature": 0.6, "top_p": 0.95}
_QWEN_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>")


def _gpt2() -> Files:
    vocabulary, merges = byte_level(last=("<|endoftext|>",))
    return {"vocab.json": vocabulary, "merges.txt": merges, "tokenizer_config.json": {"model_max_length": 1024}}


def _added(tokens: tuple[str, ...], first: int) -> dict[str, Any]:
    flags = {"lstrip": False, "normalized": False, "rstrip": False, "single_word": False}
    return {
        str(first + number): {"content": token, **flags, "special": "think" not in token}
        for number, token in enumerate(tokens)
    }


def _qwen(end: str = "<|im_end|>", last: str | None = None, **settings: Any) -> Files:
    vocabulary, merges = byte_level(japanese=True)
    tokens = {"bos_token": None, "eos_token": end, "pad_token": "<|endoftext|>", "unk_token": None}
    config = {
        **tokens,
        "added_tokens_decoder": _added(_QWEN_TOKENS, first=len(json.loads(vocabulary))),
        "additional_special_tokens": ["<|im_start|>", "<|im_end|>"],
        "chat_template": _QWEN_CHAT,
        "model_max_length": 131072,
        "tokenizer_class": "Qwen2Tokenizer",
        **settings,
    }
    return {
        "vocab.json": vocabulary,
        "merges.txt": merges,
        "tokenizer.json": byte_level_file(_QWEN_TOKENS, last=last),
        "tokenizer_config.json": config,
    }


def _llama() -> Files:
    special = ("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>")
    return {
        "tokenizer.json": byte_level_file(special, first="<|begin_of_text|>"),
        "tokenizer_config.json": {
            "bos_token": "<|begin_of_text|>",
            "eos_token": "<|eot_id|>",
            "chat_template": _LLAMA_CHAT,
            "model_max_length": 131072,
            "tokenizer_class": "PreTrainedTokenizerFast",
        },
        "special_tokens_map.json": {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>"},
    }


def _spm_bpe(settings: Mapping[str, Any], **trainer: Any) -> Files:
    model = sentencepiece(japanese=True, model_type="bpe", byte_fallback=True, **trainer)
    return {"tokenizer.model": model, "tokenizer_config.json": settings}


_GEMMA_FILES = partial(
    _spm_bpe,
    {
        **{f"{name}_token": f"<{name}>" for name in ("bos", "eos", "unk", "pad")},
        "add_bos_token": True,
        "chat_template": _GEMMA_CHAT,
        "model_max_length": 10**30,
        "tokenizer_class": "GemmaTokenizer",
    },
    **{f"{name}_id": number for number, name in enumerate(("pad", "eos", "bos", "unk"))},
    **{f"{name}_piece": f"<{name}>" for name in ("pad", "eos", "bos", "unk")},
    add_dummy_prefix=False,
    user_defined_symbols="<mask>,<start_of_turn>,<end_of_turn>",
)
_LLAMA_2_FILES = partial(
    _spm_bpe,
    {
        **{"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": None},
        "add_bos_token": True,
        "legacy": False,
        "model_max_length": 4096,
        "tokenizer_class": "LlamaTokenizer",
    },
    unk_id=0,
    bos_id=1,
    eos_id=2,
    pad_id=-1,
)
_QWEN_CONFIG = {**_SIZES, "max_position_embeddings": 40960, "tie_word_embeddings": True, "rms_norm_eps": 1e-6}
_QWEN_IDS = {"bos_token_id": "<|endoftext|>", "eos_token_id": "<|im_end|>"}
_QWEN_CHAT_MODEL = Layout(
    "Qwen3ForCausalLM",
    _qwen,
    _QWEN_CONFIG,
    token_ids=_QWEN_IDS,
    generation={**_SAMPLED, "top_k": 20},
    surplus=16,
)
_INSTRUCTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
_QWEN_EMBEDDER = Layout(
    "Qwen3ForCausalLM",
    partial(_qwen, "<|endoftext|>", "<|endoftext|>", padding_side="left"),
    _QWEN_CONFIG,
    token_ids={**_QWEN_IDS, "eos_token_id": "<|endoftext|>"},
    modules=modules("lasttoken", None, {"query": _INSTRUCTION, "document": ""}),
)
_LLAMA = Layout(
    "LlamaForCausalLM",
    _llama,
    {**_SIZES, "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "tie_word_embeddings": True},
    token_ids={"bos_token_id": "<|begin_of_text|>", "eos_token_id": "<|eot_id|>"},
    generation=_SAMPLED,
)
PUBLISHED = {
    "openai-community/gpt2": Layout(
        "GPT2LMHeadModel",
        _gpt2,
        {"n_embd": HIDDEN, "n_layer": 2, "n_head": 2, "n_positions": 1024, "initializer_range": SPREAD},
        token_ids={"bos_token_id": "<|endoftext|>", "eos_token_id": "<|endoftext|>"},
        converted=True,
    ),
    "Qwen/Qwen3-0.6B": _QWEN_CHAT_MODEL,
    "Qwen/Qwen3-4B": _QWEN_CHAT_MODEL,
    "Qwen/Qwen3-8B": _QWEN_CHAT_MODEL,
    "Qwen/Qwen3-Embedding-0.6B": _QWEN_EMBEDDER,
    "meta-llama/Llama-3.1-8B-Instruct": _LLAMA,
    "meta-llama/Llama-3.2-1B-Instruct": _LLAMA,
    "meta-llama/Llama-2-7b-hf": Layout(
        "LlamaForCausalLM",
        _LLAMA_2_FILES,
        {**_SIZES, "max_position_embeddings": 4096, "bos_token_id": 1, "eos_token_id": 2},
    ),
    "google/gemma-2-2b-it": Layout(
        "Gemma2ForCausalLM",
        _GEMMA_FILES,
        {
            **_SIZES,
            "max_position_embeddings": 8192,
            "sliding_window": 64,
            "query_pre_attn_scalar": 16,
            "bos_token_id": 2,
            "eos_token_id": 1,
            "pad_token_id": 0,
        },
        converted=True,
    ),
}
