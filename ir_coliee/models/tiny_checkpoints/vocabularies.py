"""Vocabularies of tiny tokenizers, learned from synthetic text with the libraries of the published ones."""

from __future__ import annotations

import io
import json
import string
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any

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
