"""Language models of Hugging Face on this machine, with the transformers library."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.models.language_model import Question, Reply, ReplyCallback, check_settings, encodable
from ir_coliee.models.yes_probability import token_answer, yes_probability
from ir_coliee.text.templates import Conversation, Turn

_BETWEEN_TURNS = "\n\n"
_BLOCK = 2**20  # bytes that are read at a time
_WITHOUT_LIMIT = 10**9  # tokenizers that know no window name a larger one
# a checkpoint may ask for sampling, and for fewer tokens than are wanted
_GREEDY = {"do_sample": False, "num_beams": 1, "max_length": None} | dict.fromkeys(("temperature", "top_k", "top_p"))


@dataclass(frozen=True)
class LocalModel:
    """A sequence-to-sequence model such as T5 or a causal language model such as GPT, on this machine.

    The prompt is made of the turns by the tokenizer's chat template; without a template, the texts of the turns are
    joined by blank lines. Tokenizer and model are loaded when they are first needed. This needs the extra ``neural``.

    Parameters
    ----------
    name : str
        Name of a published checkpoint, or its folder.
    batch_size : int
        Number of questions that are answered at a time.
    max_tokens : int
        Largest number of tokens of a reply.
    temperature : float
        0 chooses the most probable tokens. Above 0 tokens are sampled with a seed that depends on the conversation and
        the number of the sample, so that replies do not depend on batches and order.
    probabilities : bool
        Compute the probability of yes by the first token of the reply that is not blank; for prompts that ask for
        one word.
    window : int, optional
        Largest number of tokens at a time. The default is the checkpoint's limit; models with relative positions, such
        as T5, accept longer texts than they were trained on.
    device : str, optional
        Name of the torch device; by default a GPU if there is one.

    Examples
    --------
    >>> LocalModel("google/flan-t5-xxl", temperature=0.7).batch_size
    8
    """

    name: str
    _: KW_ONLY
    batch_size: int = 8
    max_tokens: int = 512
    temperature: float = 0.0
    probabilities: bool = False
    window: int | None = None
    device: str | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name):
            raise ValueError(f"name must be the name or the folder of a checkpoint, got {self.name!r}.")
        check_settings(self, batch_size=1, max_tokens=1, **({"window": 1} if self.window is not None else {}))

    @cached_property
    def identity(self) -> str:
        """Key of the stored replies: the model, by its name or the content of its folder, and its settings."""
        folder = Path(self.name)
        model = [folder.name, _content(folder)] if folder.is_dir() else [self.name]
        return json.dumps(["transformers", *model, self.temperature, self.max_tokens, self.probabilities])

    def fits(self, conversation: Conversation) -> bool:
        """Whether the conversation fits into the context window, with the reply if the window includes it."""
        return self._in_window(self._checkpoint.prompt(conversation))

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions, the longest first. Questions that do not fit into the window do not stop the others.

        Raises
        ------
        ColieeError
            After the last question if any did not fit; at once if the checkpoint cannot be loaded.
        """
        prompts = [(question, self._checkpoint.prompt(question.conversation)) for question in questions]
        fitting = [(question, prompt) for question, prompt in prompts if self._in_window(prompt)]
        fitting.sort(key=lambda asked: -len(asked[1]))  # of similar length together, to save padding
        for start in range(0, len(fitting), self.batch_size):
            batch = fitting[start : start + self.batch_size]
            for (question, _), reply in zip(batch, self._replies(batch)):
                on_reply(question, reply)
        if left := len(prompts) - len(fitting):
            raise ColieeError(
                f"{left} of {len(prompts)} questions are longer than the window of {printable(self.name)}, "
                f"{self._most_tokens} tokens{self._room}. Shorten them, or take a model with a longer window."
            )

    def _replies(self, batch: Sequence[tuple[Question, list[int]]]) -> list[Reply]:
        checkpoint = self._checkpoint
        first = _FirstTokens(checkpoint, len(batch))
        steps: list[Any] = [first] if self.probabilities else []
        if self.temperature:
            steps.append(_Draws([question for question, _ in batch], self.temperature))
        texts = checkpoint.replies([prompt for _, prompt in batch], self.max_tokens, steps)
        return [Reply(text, yes) for text, yes in zip(texts, first.yes)]

    def _in_window(self, prompt: Sequence[int]) -> bool:
        reply = self.max_tokens if self._checkpoint.is_causal else 0
        return len(prompt) + reply <= self._most_tokens

    @property
    def _most_tokens(self) -> float:
        return self._checkpoint.window if self.window is None else self.window

    @property
    def _room(self) -> str:
        return f" of which max_tokens={self.max_tokens} are kept for the reply" if self._checkpoint.is_causal else ""

    @cached_property
    def _checkpoint(self) -> _Checkpoint:
        return _Checkpoint(self.name, self.device)

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


class _Checkpoint:
    """A checkpoint, whose weights are loaded when the first reply is requested."""

    def __init__(self, name: str, device: str | None) -> None:
        self._name, self._device = name, device
        try:
            import torch  # noqa: F401 transformers imports without it, and fails later
            import transformers
        except ImportError:
            raise MissingExtraError("A language model on this machine", "neural") from None
        self._config = self._loaded(transformers.AutoConfig)
        self._tokenizer = self._loaded(transformers.AutoTokenizer)
        refuse_wordless(name, self._tokenizer)
        self.is_causal = not self._config.is_encoder_decoder
        self._class = transformers.AutoModelForCausalLM if self.is_causal else transformers.AutoModelForSeq2SeqLM

    def _loaded(self, kind: Any, **options: Any) -> Any:
        try:
            return kind.from_pretrained(self._name, **options)
        except Exception as error:  # libraries for weights, tokenizers and downloads raise many types
            reason = str(error).strip().partition("\n")[0]
            raise ColieeError(f"The model {printable(self._name)} cannot be loaded: {reason}") from error

    @property
    def window(self) -> float:
        """Largest number of tokens at a time; infinite if neither the model nor its tokenizer has a limit."""
        config = self._config.get_text_config()
        configured = [getattr(config, "max_position_embeddings", None), getattr(config, "n_positions", None)]
        limits = [
            limit for limit in (*configured, self._tokenizer.model_max_length) if limit and limit < _WITHOUT_LIMIT
        ]
        return min(limits, default=math.inf)

    def prompt(self, conversation: Conversation) -> list[int]:
        """Token ids of the prompt, after which the reply begins."""
        turns = [turn._replace(content=encodable(turn.content)) for turn in conversation]
        if chat := bool(self._tokenizer.chat_template):
            text = self._chat(turns)
        else:
            text = _BETWEEN_TURNS.join(turn.content for turn in turns)
        tokens: list[int] = self._tokenizer(text, add_special_tokens=not chat, verbose=False)["input_ids"]
        if self.is_causal and tokens[-1:] == [self._tokenizer.eos_token_id] and not chat:
            tokens.pop()  # an end-of-text token would end the prompt where the reply begins
        return tokens

    def _chat(self, turns: Sequence[Turn]) -> str:
        from jinja2 import TemplateError

        def filled(turns: Sequence[Turn]) -> str:
            text: str = self._tokenizer.apply_chat_template(
                [turn._asdict() for turn in turns], add_generation_prompt=True, tokenize=False
            )
            return text

        try:
            return filled(turns)
        except TemplateError:
            if turns[0].role != "system":
                raise
            # some templates have no system role: its text is prepended to the user turn
            system, user, *others = turns
            return filled([user._replace(content=f"{system.content}{_BETWEEN_TURNS}{user.content}"), *others])

    @cached_property
    def network(self) -> Any:
        """The network with its weights, on the device."""
        network, info = self._loaded(self._class, output_loading_info=True)
        if info["missing_keys"]:
            kind = type(network).__name__
            raise ColieeError(f"The checkpoint {printable(self._name)} is not a language model: {kind} lacks weights.")
        device = self._device or _best_device()
        try:
            network.to(device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ColieeError(f"device={device!r} cannot be used for {printable(self._name)}: {reason}") from None
        network.generation_config.update(**_GREEDY)
        return network.eval()

    @cached_property
    def answer_tokens(self) -> dict[int, str]:
        """Tokens that begin yes or no, by token id."""
        numbers = range(len(self._tokenizer))
        words = self._tokenizer.batch_decode([[number] for number in numbers], skip_special_tokens=True)
        return {number: word for number, word in zip(numbers, words) if token_answer(word) is not None}

    def blank(self, token: int) -> bool:
        """Whether a token is blank when decoded, as an end-of-text token is."""
        return not self._tokenizer.decode([token]).strip()

    def replies(self, prompts: Sequence[list[int]], max_tokens: int, steps: Sequence[Any]) -> list[str]:
        """Replies to the prompts. ``steps`` are logits processors, which see the scores of each next token."""
        import torch
        import transformers

        padding = next((n for n in (self._tokenizer.pad_token_id, self._tokenizer.eos_token_id) if n is not None), 0)
        longest = max(map(len, prompts))

        def padded(rows: Sequence[list[int]], filling: int) -> Any:
            fill = [[filling] * (longest - len(row)) for row in rows]
            # pad left for causal models, whose reply follows the last token; pad right otherwise, so that the positions
            # of the tokens do not change
            return torch.tensor([left + row if self.is_causal else row + left for left, row in zip(fill, rows)])

        tokens, mask = padded(prompts, padding), padded([[1] * len(prompt) for prompt in prompts], 0)
        with torch.inference_mode():
            made = self.network.generate(
                input_ids=tokens.to(self.network.device),
                attention_mask=mask.to(self.network.device),
                max_new_tokens=max_tokens,
                pad_token_id=padding,
                logits_processor=transformers.LogitsProcessorList(steps),
            )
        replies = made[:, longest:] if self.is_causal else made
        texts: list[str] = self._tokenizer.batch_decode(replies, skip_special_tokens=True)
        return texts


def refuse_wordless(name: str, tokenizer: Any) -> None:
    """Refuse a checkpoint without a tokenizer.

    The transformers library then creates an empty tokenizer, so that the model would not read any word.

    Raises
    ------
    ColieeError
        If the tokenizer knows no word.
    """
    tokens = tokenizer("yes はい", verbose=False)["input_ids"]
    if not tokenizer.decode(tokens, skip_special_tokens=True).strip():
        raise ColieeError(f"The tokenizer of {printable(name)} is missing. Give the folder of a complete checkpoint.")


class _FirstTokens:
    """Logits processor that computes the probability of yes by the first token of each reply that is not blank."""

    def __init__(self, checkpoint: _Checkpoint, replies: int) -> None:
        self._checkpoint = checkpoint
        self._only_blank_tokens: list[int] | None = None
        self.yes: list[float | None] = [None] * replies

    def __call__(self, tokens: Any, scores: Any) -> Any:
        if self._only_blank_tokens is None:
            self._only_blank_tokens = list(range(len(self.yes)))
        else:
            self._only_blank_tokens = [r for r in self._only_blank_tokens if self._checkpoint.blank(int(tokens[r, -1]))]
        for reply in self._only_blank_tokens:
            self.yes[reply] = self._weighed(scores[reply])
        return scores

    def _weighed(self, scores: Any) -> float | None:
        answer_tokens = self._checkpoint.answer_tokens
        logits = scores[list(answer_tokens)].tolist()
        highest = max(logits, default=0.0)  # avoids underflow of all weights
        return yes_probability((word, math.exp(logit - highest)) for word, logit in zip(answer_tokens.values(), logits))


class _Draws:
    """Logits processor that samples by the Gumbel-max trick, with one seed for each reply."""

    def __init__(self, questions: Sequence[Question], temperature: float) -> None:
        import torch

        self._temperature = temperature
        self._generators = [torch.Generator().manual_seed(_seed(question)) for question in questions]

    def __call__(self, _tokens: Any, scores: Any) -> Any:
        import torch

        waits = [torch.empty(scores.shape[1]).exponential_(generator=one) for one in self._generators]
        return scores / self._temperature - torch.stack(waits).log().to(scores.device)


def _seed(question: Question) -> int:
    content = json.dumps([question.conversation, question.sample]).encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _content(folder: Path) -> str:
    """Hash of the files of a folder."""
    seen = hashlib.blake2b(digest_size=8)
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        seen.update(f"{path.name}\0{path.stat().st_size}\0".encode(errors="surrogateescape"))
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                seen.update(block)
    return seen.hexdigest()
