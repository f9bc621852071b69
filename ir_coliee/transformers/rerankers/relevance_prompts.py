"""The prompts of monoT5, and the two words that it answers with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ir_coliee.errors import ColieeError, printable
from ir_coliee.models.language_models.language_model import encodable
from ir_coliee.models.windows import Pooling, Reading, query_tokens_read, token_windows

# published checkpoints that were trained on other words than true and false
_WORDS = dict.fromkeys(
    (
        "unicamp-dl/mt5-base-en-msmarco",
        "unicamp-dl/mt5-base-en-pt-msmarco-v1",
        "unicamp-dl/mt5-base-en-pt-msmarco-v2",
        "unicamp-dl/mt5-base-mmarco-v1",
        "unicamp-dl/mt5-base-mmarco-v2",
    ),
    ("yes", "no"),
)
_SHORTEST = 8  # tokens that are left to query and text at least

Tokens = tuple[int, ...]


class PromptWindows(NamedTuple):
    """The prompts of one pair, one for each window of the text, and how much of the pair they contain."""

    prompts: list[Tokens]
    reading: Reading


class RelevancePrompts:
    """The prompts of a checkpoint: ``Query: … Document: … Relevant:``.

    Parameters
    ----------
    name : str
        The name or the folder of the checkpoint.
    tokenizer, config
        Its tokenizer and its configuration.
    max_tokens : int
        The largest number of tokens of a prompt.

    Attributes
    ----------
    words : tuple of str
        The words for a relevant and for another text.
    answer_tokens : tuple of int
        The first token of each word. In the vocabulary of mT5, that of "false" is a single space.

    Raises
    ------
    ColieeError
        If the tokenizer does not separate words at spaces as those of T5 do, if both words begin with the same token,
        or if max_tokens is too small.
    """

    def __init__(self, name: str, tokenizer: Any, config: Any, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self.words: tuple[str, str] = tuple(
            getattr(config, "relevance_words", None) or _WORDS.get(name, ("true", "false"))
        )
        self._query, self._document, self._relevant = map(tuple, self._encoded(["Query:", "Document:", "Relevant:"]))
        whole = tokenizer("Query: a Document: b Relevant:", verbose=False)["input_ids"]
        (first,), (second,) = ([ids] for ids in self._encoded(["a", "b"]))
        end = (tokenizer.eos_token_id,)
        if tuple(whole) != (*self._query, *first, *self._document, *second, *self._relevant, *end):
            raise ColieeError(f"The tokenizer of {printable(name)} is not that of a T5 model, as monoT5 needs it.")
        self._relevant += end
        relevant, other = (ids[0] for ids in self._encoded(self.words))
        if relevant == other:
            raise ColieeError(f"{printable(name)}: {self.words[0]} and {self.words[1]} begin with the same token.")
        self.answer_tokens = relevant, other
        self._room = max_tokens - len(self._query) - len(self._document) - len(self._relevant)
        if self._room < _SHORTEST:
            fixed = max_tokens - self._room
            raise ColieeError(f"max_tokens must be >= {fixed + _SHORTEST} for this model, got {max_tokens}.")

    def windows(
        self, qids: Iterable[str], pairs: Sequence[tuple[str, str]], pooling: Pooling
    ) -> Iterator[PromptWindows]:
        """Yield the prompts of each pair of a query and a text."""
        distinct = list(dict.fromkeys(text for pair in pairs for text in pair))
        ids = dict(zip(distinct, self._encoded(distinct)))
        for qid, (query, text) in zip(qids, pairs):
            query_ids, text_ids = ids[query], ids[text]
            read = query_tokens_read(len(query_ids), len(text_ids), self._room)
            head = (*self._query, *query_ids[:read], *self._document)
            windows = token_windows(len(text_ids), self._room - read, pooling)
            prompts = [(*head, *text_ids[each.start : each.stop], *self._relevant) for each in windows]
            reading = Reading(qid, len(query_ids), read, len(text_ids), windows[-1].stop, len(windows))
            yield PromptWindows(prompts, reading)

    def target(self, relevant: bool) -> list[int]:
        """Return the tokens that the model learns to write for a pair."""
        ids: list[int] = self._tokenizer(self.words[0] if relevant else self.words[1])["input_ids"]
        return ids

    def _encoded(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        ids: list[list[int]] = self._tokenizer(
            [encodable(text) for text in texts], add_special_tokens=False, truncation=False, verbose=False
        )["input_ids"]
        return ids
