"""The windows of pairs of texts that exceed the window of a cross-encoder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ir_coliee.models.windows import Pooling, Reading, query_tokens_read, text_windows

_WORD = "a"  # a text of few tokens

Pair = tuple[str, str]


class PairWindows(NamedTuple):
    """The pairs that a cross-encoder reads in place of one pair, and how much of it they contain."""

    pairs: list[Pair]
    reading: Reading


def pair_windows(encoder: Any, qids: Iterable[str], pairs: Sequence[Pair], pooling: Pooling) -> list[PairWindows]:
    """Split pairs of a query and a text so that each fits the window of a cross-encoder.

    Parameters
    ----------
    encoder : sentence_transformers.CrossEncoder
        The model.
    qids : iterable of str
        The id of the query of each pair.
    pairs : sequence of tuple of str
        A query and a text.
    pooling : {"max", "mean", "first"}
        As in `token_windows`.

    Returns
    -------
    list of PairWindows
        A pair that fits is unchanged. The query is read with each window of the text, as far as `query_tokens_read`
        says.
    """
    tokenizer, limit = encoder.tokenizer, encoder.max_seq_length
    lengths = _lengths(tokenizer, {text for pair in pairs for text in pair} | {_WORD})
    room = None
    if limit is not None:
        of_words: int = encoder.preprocess([(_WORD, _WORD)])["input_ids"].shape[1]
        room = limit - (of_words - 2 * lengths[_WORD])
    found = []
    for qid, (query, text) in zip(qids, pairs):
        of_query, of_text = lengths[query], lengths[text]
        if room is None or of_query + of_text <= room:
            found.append(PairWindows([(query, text)], Reading(qid, of_query, of_query, of_text, of_text, 1)))
            continue
        read = query_tokens_read(of_query, of_text, room)
        beginning = text_windows(tokenizer, query, read, "first")[0]
        windows = text_windows(tokenizer, text, room - read, pooling)
        text_read = min(of_text, room - read) if pooling == "first" else of_text
        reading = Reading(qid, of_query, read, of_text, text_read, len(windows))
        found.append(PairWindows([(beginning, window) for window in windows], reading))
    return found


def _lengths(tokenizer: Any, texts: Iterable[str]) -> dict[str, int]:
    """Return the number of tokens of each text."""
    distinct = list(texts)
    encoded = tokenizer(distinct, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
    return dict(zip(distinct, map(len, encoded)))
