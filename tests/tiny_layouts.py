"""Tiny checkpoints with random weights in the layouts of published ones: configuration, network, tokenizer, modules."""

from __future__ import annotations

import io
import json
import string
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, Literal

from ir_coliee.models import LoadOptions
from ir_coliee.models.adapters import save_encoder
from ir_coliee.models.loading import without_progress_bars
from ir_coliee.models.tiny_checkpoints import Kind, tiny_checkpoint
from ir_coliee.transformers.rerankers.checkpoints import load_cross_encoder

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


# Vocabularies of tiny tokenizers, learned from synthetic text with the libraries of the published ones.


ANSWERS = ("yes", "no", "true", "false", "Yes", "No", "はい", "いいえ", "正しい", "誤り")
_SUBJECTS = ("The owner of the lamp", "A lighthouse keeper", "The buyer", "Every guardian of the harbour")
_VERBS = ("may rescind", "shall return", "does not perform", "must register", "has entailed", "cites")
_OBJECTS = ("the contract.", "the relevant document.", "a query in the register.", "the obligation within two years.")
_SUBJECTS_JA = ("灯台の所有者は", "買主は", "港の後見人は", "未成年者が")
_VERBS_JA = (
    "契約を解除することができる。",
    "債務を履行しなければならない。",
    "権利を取得しない。",
    "損害の賠償を請求する。",
)
_KANA = [chr(code) for code in (*range(0x3041, 0x3094), *range(0x30A1, 0x30F7))] + list("ー、。「」（）・")
_KANJI = list(
    "一二三四五六七八九十百千万年月日人大小中上下不主事代他任使保信債償入全公共内円再出分判利前効力加動務占原反取受口合同名否土地報場売"
    "増失契妨始委姻婚子定完宣害家対専寄届履己已市帰建引当形役後得復必思急性恵悪意感成所所手才承抗抵押担持指授推損撤支故教数文断方族旨明時"
    "更期未本条果権次正死残段母比民求決法消準滅父物特状独理生用由申男留異当的益目直相知確社示祖私種移税競第第終給続総締罪者胎自行表被裁"
    "要見規親解言訂計設許訴証認語誤請譲護買責貸費資賃質贈超越足身転軽返追送通連過達遅過違遺選部配重量金銭錯開間関除限院隠集離露養黙灯港約判所裁訟義社員会議株役監査政府国憲法刑罪民事行規則条項号"
)
LETTERS = list(dict.fromkeys([*string.ascii_letters, *string.digits, *string.punctuation]))


def sentences(japanese: bool) -> list[str]:
    """Return synthetic sentences, and every character of the alphabet as a word."""
    english = [" ".join(words) for words in product(_SUBJECTS, _VERBS, _OBJECTS)]
    made = ["".join(words) for words in product(_SUBJECTS_JA, _VERBS_JA)] * 3 if japanese else []
    answers = [f"{answer}{mark}" for answer in (*ANSWERS[: None if japanese else 6], "Relevant") for mark in ",.;:?!"]
    return [*english, *made, *answers * 20, *characters(japanese)]


def characters(japanese: bool) -> list[str]:
    """Return the characters that every vocabulary has, without those of Japanese if it is not asked for."""
    return list(dict.fromkeys([*LETTERS, *(_KANA + _KANJI if japanese else [])]))


def words(japanese: bool, lower: bool) -> list[str]:
    """Return the words of the synthetic sentences and the characters: the pieces of a WordPiece vocabulary."""
    text = [*ANSWERS, *" ".join(_SUBJECTS + _VERBS + _OBJECTS).replace(".", "").split(), "rel", "##evant"]
    inner = [f"##{character}" for character in characters(japanese)]
    found = [
        *characters(japanese),
        *inner,
        *text,
        *(["契約", "解除", "債務", "権利", "買主", "こと", "でき"] * japanese),
    ]
    return list(dict.fromkeys(map(str.lower, found) if lower else found))


@cache
def byte_level(special: Sequence[str] = (), last: Sequence[str] = (), japanese: bool = False) -> tuple[str, str]:
    """Learn a byte-level BPE vocabulary, as those of GPT-2, RoBERTa and Qwen.

    Parameters
    ----------
    special, last : sequence of str
        Special tokens at the beginning and at the end of the vocabulary.
    japanese : bool
        Whether the text has Japanese sentences as well.

    Returns
    -------
    tuple of str
        The contents of ``vocab.json`` and ``merges.txt``.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=480 + len(special),
        special_tokens=list(special),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences(japanese), trainer)
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = model["vocab"] | {token: len(model["vocab"]) + number for number, token in enumerate(last)}
    merges = "\n".join(["#version: 0.2", *(" ".join(merge) for merge in model["merges"]), ""])
    return json.dumps(vocabulary, ensure_ascii=False), merges


def byte_level_file(special: Sequence[str], first: str | None = None, last: str | None = None) -> str:
    """Return a ``tokenizer.json`` with a byte-level BPE vocabulary, for checkpoints that have no other file.

    Parameters
    ----------
    special : sequence of str
        Special tokens, which follow the others.
    first, last : str, optional
        The special tokens before and after a text. Without ``last``, the second text of a pair has ``first`` as well.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    vocabulary, merges = byte_level(japanese=True)
    pairs = [(left, right) for left, right in (line.split(" ") for line in merges.splitlines()[1:])]
    tokenizer = Tokenizer(models.BPE(json.loads(vocabulary), pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(special))
    around = [token for token in (first, last) if token]
    if around:
        text, pair = [first, "$A", last], [None if last else first, "$B", last]
        tokenizer.post_processor = processors.TemplateProcessing(
            single=" ".join(filter(None, text)),
            pair=" ".join(filter(None, [*text, *pair])),
            special_tokens=[(token, tokenizer.token_to_id(token)) for token in around],
        )
    return str(tokenizer.to_str())


@cache
def sentencepiece(japanese: bool = False, **settings: Any) -> bytes:
    """Learn a sentencepiece model.

    Parameters
    ----------
    japanese : bool
        Whether the text has Japanese sentences as well.
    **settings
        Settings of sentencepiece's trainer: the model type and the special pieces with their ids.
    """
    from sentencepiece import SentencePieceTrainer

    model = io.BytesIO()
    lines: Iterable[str] = iter(sentences(japanese))
    SentencePieceTrainer.train(
        sentence_iterator=lines,
        model_writer=model,
        vocab_size=900 if japanese else 300,
        character_coverage=1.0,
        hard_vocab_limit=False,
        num_threads=1,
        minloglevel=2,
        **settings,
    )
    return model.getvalue()


# The files of sentence-transformers beside an encoder: its modules, pooling, window and prompts.


Pooling = Literal["mean", "cls", "lasttoken"]
_MODULES = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
_MODES = {
    "cls": "pooling_mode_cls_token",
    "mean": "pooling_mode_mean_tokens",
    "lasttoken": "pooling_mode_lasttoken",
}


def modules(pooling: Pooling, window: int | None, prompts: Mapping[str, str] | None = None) -> Files:
    """Return the files, as older versions wrote them and published checkpoints have them.

    Parameters
    ----------
    pooling : {"mean", "cls", "lasttoken"}
        How the vectors of the tokens become one; it is normalised after that.
    window : int or None
        The largest number of tokens; None for the tokenizer's own.
    prompts : mapping of str to str, optional
        Texts that are put before queries and documents.
    """
    listed = [
        {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for number, (path, kind) in enumerate(_MODULES.items())
    ]
    versions = {"sentence_transformers": "2.0.0", "transformers": "4.6.1", "pytorch": "1.8.1"}
    prompt_settings = {"prompts": dict(prompts), "default_prompt_name": None} if prompts else {}
    return {
        "modules.json": listed,
        "1_Pooling/config.json": {
            "word_embedding_dimension": HIDDEN,
            **{mode: name == pooling for name, mode in _MODES.items()},
        },
        "sentence_bert_config.json": {"max_seq_length": window, "do_lower_case": False},
        "config_sentence_transformers.json": {"__version__": versions, **prompt_settings},
    }


# The layouts of published checkpoints, in families.


def _numbered(*names: str, suffix: str = "_token_id") -> dict[str, int]:
    """Settings whose values are 0, 1, 2, …"""
    return {f"{name}{suffix}": number for number, name in enumerate(names)}


def _labels(*labels: str) -> dict[str, Any]:
    return {"id2label": dict(enumerate(labels)), "label2id": _numbered(*labels, suffix="")}


# BERT and its relatives with WordPiece vocabularies, and Japanese ones, whose words are those of MeCab.

_UNUSED = [f"[unused{number}]" for number in range(99)]  # between [PAD] and the others, whose ids are 100 to 103
_BERT: Mapping[str, Any] = {**SIZES, "max_position_embeddings": 512, "pad_token_id": 0}


def _word_piece() -> Files:
    vocabulary = ["[PAD]", *_UNUSED, "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words(japanese=False, lower=True)]
    settings = {"do_lower_case": True, "model_max_length": 512}
    return {"vocab.txt": "\n".join([*vocabulary, ""]), "tokenizer_config.json": settings}


def _mecab() -> Files:
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words(japanese=True, lower=False)]
    kinds = {"word_tokenizer_type": "mecab", "subword_tokenizer_type": "wordpiece"}
    settings = {"do_lower_case": False, **kinds, "model_max_length": 512}
    return {"vocab.txt": "\n".join([*vocabulary, ""]), "tokenizer_config.json": settings}


# RoBERTa and Longformer with byte-level BPE vocabularies, whose positions begin after the padding index.

_SHIFTED: Mapping[str, Any] = {**SIZES, "type_vocab_size": 1, **_numbered("bos", "pad", "eos")}
_ROBERTA = {**_SHIFTED, "max_position_embeddings": 514}
_LONGFORMER = {**_SHIFTED, "max_position_embeddings": 4098, "attention_window": [32, 32], "sep_token_id": 2}


def _byte_level() -> Files:
    vocabulary, merges = byte_level(("<s>", "<pad>", "</s>", "<unk>"), ("<mask>",))
    return {"vocab.json": vocabulary, "merges.txt": merges}


# XLM-RoBERTa with a sentencepiece vocabulary whose ids are shifted by one, and mLUKE, which reads entities as well.

_SHIFTED_TOKENS = {
    **dict.fromkeys(("bos_token", "cls_token"), "<s>"),
    **dict.fromkeys(("eos_token", "sep_token"), "</s>"),
    "unk_token": "<unk>",
    "pad_token": "<pad>",
    "mask_token": {"content": "<mask>", "single_word": False, "lstrip": True, "rstrip": False, "normalized": True},
}
_ENTITIES = ("[MASK]", "[UNK]", "[PAD]", "[MASK2]")
_LUKE = {
    **_ROBERTA,
    "entity_emb_size": 16,
    "use_entity_aware_attention": True,
    "entity_vocab_size": len(_ENTITIES),
}


def _shifted_pieces() -> bytes:
    """Return a sentencepiece model in which the unknown piece is the first and no piece is for padding."""
    return sentencepiece(japanese=True, unk_id=0, bos_id=1, eos_id=2, pad_id=-1)


def _xlm_roberta() -> Files:
    settings = {**_SHIFTED_TOKENS, "model_max_length": 512, "tokenizer_class": "XLMRobertaTokenizer"}
    return {
        "sentencepiece.bpe.model": _shifted_pieces(),
        "tokenizer_config.json": settings,
        "special_tokens_map.json": _SHIFTED_TOKENS,
    }


def _mluke() -> Files:
    special = {**_SHIFTED_TOKENS, "additional_special_tokens": ["<ent>", "<ent2>", "<ent>", "<ent2>"]}
    return {
        "sentencepiece.bpe.model": _shifted_pieces(),
        "entity_vocab.json": _numbered(*_ENTITIES, suffix=""),
        "added_tokens.json": {"<ent>": _mluke_rows() - 2, "<ent2>": _mluke_rows() - 1},
        "tokenizer_config.json": {**special, "tokenizer_class": "MLukeTokenizer", "model_max_length": 512},
        "special_tokens_map.json": special,
    }


def _mluke_rows() -> int:
    from sentencepiece import SentencePieceProcessor

    pieces: int = SentencePieceProcessor(model_proto=_shifted_pieces()).vocab_size()
    return pieces + 4  # <pad>, which has no piece, <mask>, <ent> and <ent2>


# DeBERTa with a byte-level BPE vocabulary, and DeBERTa-v3 with a sentencepiece vocabulary. Positions are relative.

_RELATIVE: Mapping[str, Any] = {
    **SIZES,
    "relative_attention": True,
    "max_relative_positions": -1,
    "max_position_embeddings": 512,
    "position_biased_input": False,
    "type_vocab_size": 0,
    "pad_token_id": 0,
    "layer_norm_eps": 1e-7,
}
_V1 = {**_RELATIVE, "pos_att_type": "c2p|p2c", **_labels("CONTRADICTION", "NEUTRAL", "ENTAILMENT")}
_V3 = {
    **_RELATIVE,
    "pos_att_type": "p2c|c2p",
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
}
_DEBERTA_SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")
_PIECES = ("pad", "bos", "eos", "unk")


def _deberta() -> Files:
    vocabulary, merges = byte_level(_DEBERTA_SPECIAL, ("[MASK]",))
    settings = {"do_lower_case": False, "vocab_type": "gpt2"}
    return {"vocab.json": vocabulary, "merges.txt": merges, "tokenizer_config.json": settings}


def _deberta_v3() -> Files:
    pieces = {f"{name}_piece": piece for name, piece in zip(_PIECES, _DEBERTA_SPECIAL)}
    return {
        "spm.model": sentencepiece(**_numbered(*_PIECES, suffix="_id"), **pieces),
        "tokenizer_config.json": {"do_lower_case": False, "vocab_type": "spm"},
    }


# ModernBERT with local and global attention.

_MODERN_SPECIAL = ("unk", "cls", "sep", "pad", "mask")
_MODERN_TOKENS = {f"{name}_token": f"[{name.upper()}]" for name in _MODERN_SPECIAL}
_MODERN: Mapping[str, Any] = {
    **SIZES,
    "max_position_embeddings": 8192,
    "local_attention": 32,
    "global_attn_every_n_layers": 2,
    "reference_compile": False,
}
_MODERN_IDS = {f"{name}_token_id": f"[{name.upper()}]" for name in ("cls", "sep", "pad")}
_MODERN_IDS |= {"bos_token_id": "[CLS]", "eos_token_id": "[SEP]"}


def _modern_bert() -> Files:
    settings = {**_MODERN_TOKENS, "model_max_length": 8192, "tokenizer_class": "PreTrainedTokenizerFast"}
    return {
        "tokenizer.json": byte_level_file([*_MODERN_TOKENS.values()], "[CLS]", "[SEP]"),
        "tokenizer_config.json": settings,
        "special_tokens_map.json": _MODERN_TOKENS,
    }


# monoT5, flan-T5 and mT5 with sentencepiece vocabularies.

_T5: Mapping[str, Any] = {
    "d_model": HIDDEN,
    "d_kv": 16,
    "d_ff": 2 * HIDDEN,
    "num_layers": 2,
    "num_heads": 2,
    "n_positions": 512,
    "decoder_start_token_id": 0,
    "pad_token_id": 0,
    "eos_token_id": 1,
    "relative_attention_num_buckets": 32,
}
_FACTOR = 1.2  # of the spread of the weights: with the usual 1 all replies would be padding
_GATED = {**_T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "initializer_factor": _FACTOR}
_T5_TOKENS = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


def _t5(japanese: bool, window: Mapping[str, int], special: Sequence[str] | None = None) -> Files:
    model = sentencepiece(japanese=japanese, **_numbered("pad", "eos", "unk", suffix="_id"), bos_id=-1)
    extra = {"extra_ids": len(special or ()), "additional_special_tokens": special}
    more = {"additional_special_tokens": special} if special else {}
    return {
        "spiece.model": model,
        "tokenizer_config.json": {**_T5_TOKENS, **extra, **window},
        "special_tokens_map.json": {**_T5_TOKENS, **more},
    }


_SPIECE = partial(_t5, False, {"model_max_length": 512}, [f"<extra_id_{number}>" for number in range(100)])

# Causal language models: GPT-2, Qwen3 with its embedder, Llama, and Gemma; with their chat templates, in the forms of
# the published ones, without tools; {% ... -%} drops the line break behind it.

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
_CAUSAL: Mapping[str, Any] = {**SIZES, "num_key_value_heads": 1, "head_dim": 16}
_QWEN_CONFIG = {**_CAUSAL, "max_position_embeddings": 40960, "tie_word_embeddings": True, "rms_norm_eps": 1e-6}
_QWEN_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>")
_SAMPLED = {"do_sample": True, "temperature": 0.6, "top_p": 0.95}
_INSTRUCTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


def _ends(first: str, last: str) -> dict[str, str]:
    return {"bos_token_id": first, "eos_token_id": last}


def _gpt2() -> Files:
    vocabulary, merges = byte_level(last=("<|endoftext|>",))
    return {"vocab.json": vocabulary, "merges.txt": merges, "tokenizer_config.json": {"model_max_length": 1024}}


def _qwen(end: str = "<|im_end|>", last: str | None = None, **settings: Any) -> Files:
    vocabulary, merges = byte_level(japanese=True)
    flags = {"lstrip": False, "normalized": False, "rstrip": False, "single_word": False}
    added = {
        str(number): {"content": token, **flags, "special": "think" not in token}
        for number, token in enumerate(_QWEN_TOKENS, start=len(json.loads(vocabulary)))
    }
    config = {
        **{"bos_token": None, "eos_token": end, "pad_token": "<|endoftext|>", "unk_token": None},
        "added_tokens_decoder": added,
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
    ends = {"bos_token": "<|begin_of_text|>", "eos_token": "<|eot_id|>"}
    settings = {"model_max_length": 131072, "tokenizer_class": "PreTrainedTokenizerFast"}
    return {
        "tokenizer.json": byte_level_file(special, first="<|begin_of_text|>"),
        "tokenizer_config.json": {**ends, "chat_template": _LLAMA_CHAT, **settings},
        "special_tokens_map.json": ends,
    }


def _gemma() -> Files:
    tokens = ("pad", "eos", "bos", "unk")
    model = sentencepiece(
        japanese=True,
        model_type="bpe",
        byte_fallback=True,
        **_numbered(*tokens, suffix="_id"),
        **{f"{name}_piece": f"<{name}>" for name in tokens},
        add_dummy_prefix=False,
        user_defined_symbols="<mask>,<start_of_turn>,<end_of_turn>",
    )
    settings = {
        **{f"{name}_token": f"<{name}>" for name in ("bos", "eos", "unk", "pad")},
        "add_bos_token": True,
        "chat_template": _GEMMA_CHAT,
        "model_max_length": 10**30,
        "tokenizer_class": "GemmaTokenizer",
    }
    return {"tokenizer.model": model, "tokenizer_config.json": settings}


PUBLISHED: Mapping[str, Layout] = {
    "bert-base-uncased": Layout("BertForMaskedLM", _word_piece, _BERT, converted=True),
    "CSHaitao/SAILER_en_finetune": Layout("BertModel", _word_piece, _BERT),
    "intfloat/e5-base-v2": Layout("BertModel", _word_piece, _BERT, converted=True, modules=modules("mean", 512)),
    "BAAI/bge-base-en-v1.5": Layout("BertModel", _word_piece, _BERT, converted=True, modules=modules("cls", 512)),
    # those of 2019 do not name their dictionary, which was ipadic
    "cl-tohoku/bert-base-japanese-whole-word-masking": Layout(
        "BertForMaskedLM", _mecab, {**_BERT, "tokenizer_class": "BertJapaneseTokenizer"}
    ),
    "roberta-base": Layout("RobertaForMaskedLM", _byte_level, _ROBERTA, converted=True),
    "allenai/longformer-base-4096": Layout("LongformerForMaskedLM", _byte_level, _LONGFORMER, converted=True),
    "FacebookAI/xlm-roberta-base": Layout("XLMRobertaForMaskedLM", _xlm_roberta, _ROBERTA, converted=True),
    "studio-ousia/mluke-base": Layout("LukeForMaskedLM", _mluke, _LUKE, rows=_mluke_rows),
    "microsoft/deberta-large-mnli": Layout("DebertaForSequenceClassification", _deberta, _V1),
    # published without a head, in half precision
    "microsoft/deberta-v3-base": Layout("DebertaV2Model", _deberta_v3, _V3, half_precision=True),
    "answerdotai/ModernBERT-base": Layout("ModernBertForMaskedLM", _modern_bert, _MODERN, token_ids=_MODERN_IDS),
    "castorini/monot5-large-msmarco": Layout("T5ForConditionalGeneration", _SPIECE, _T5, surplus=28),
    "google/flan-t5-large": Layout("T5ForConditionalGeneration", _SPIECE, _GATED, converted=True, surplus=28),
    "csebuetnlp/mT5_multilingual_XLSum": Layout(
        "MT5ForConditionalGeneration", partial(_t5, True, {}), {**_GATED, "tokenizer_class": "T5Tokenizer"}
    ),
    "openai-community/gpt2": Layout(
        "GPT2LMHeadModel",
        _gpt2,
        {"n_embd": HIDDEN, "n_layer": 2, "n_head": 2, "n_positions": 1024, "initializer_range": SPREAD},
        token_ids=_ends("<|endoftext|>", "<|endoftext|>"),
        converted=True,
    ),
    "Qwen/Qwen3-0.6B": Layout(
        "Qwen3ForCausalLM",
        _qwen,
        _QWEN_CONFIG,
        token_ids=_ends("<|endoftext|>", "<|im_end|>"),
        generation={**_SAMPLED, "top_k": 20},
        surplus=16,
    ),
    "Qwen/Qwen3-Embedding-0.6B": Layout(
        "Qwen3ForCausalLM",
        partial(_qwen, "<|endoftext|>", "<|endoftext|>", padding_side="left"),
        _QWEN_CONFIG,
        token_ids=_ends("<|endoftext|>", "<|endoftext|>"),
        modules=modules("lasttoken", None, {"query": _INSTRUCTION, "document": ""}),
    ),
    "meta-llama/Llama-3.1-8B-Instruct": Layout(
        "LlamaForCausalLM",
        _llama,
        {**_CAUSAL, "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "tie_word_embeddings": True},
        token_ids=_ends("<|begin_of_text|>", "<|eot_id|>"),
        generation=_SAMPLED,
    ),
    "google/gemma-2-2b-it": Layout(
        "Gemma2ForCausalLM",
        _gemma,
        {
            **_CAUSAL,
            "max_position_embeddings": 8192,
            "sliding_window": 64,
            "query_pre_attn_scalar": 16,
            **_numbered("pad", "eos", "bos"),
        },
        converted=True,
    ),
}
_FOLDER = tempfile.TemporaryDirectory(prefix="tiny-layouts-")


def tiny_like(name: str | None, kind: Kind = "classifier", seed: int = 0) -> str:
    """Return the folder of a tiny checkpoint in the layout of a published one; without a name, the package's."""
    return tiny_checkpoint(kind, seed) if name is None else _written(name, seed)


@cache
def _written(name: str, seed: int) -> str:
    import torch

    folder = Path(_FOLDER.name) / "-".join([str(seed), *name.split("/")])
    with torch.random.fork_rng(), without_progress_bars(reports=False):
        torch.manual_seed(seed)
        PUBLISHED[name].write(folder)
    return str(folder)


@cache
def with_layer(folder: str) -> str:
    """Return the folder of a cross-encoder with a checkpoint's weights and a classification layer of random ones."""
    encoder = load_cross_encoder(folder, None, 0, LoadOptions(device="cpu"))
    return save_encoder(encoder, f"{folder}-with-layer")
