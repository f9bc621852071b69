"""A language model of Hugging Face's on this machine, by the transformers library."""

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
    """A model that takes a text to a text (T5 and the like) or goes on with one (GPT and the like), on this machine.

    ``name``: of a published checkpoint, or its folder. ``batch_size``: questions that it is asked at a time.
    ``temperature`` and ``max_tokens``: of its replies. At 0 they are the most probable tokens; above, they are drawn
    from all, by a seed that is the conversation and the number of the sample: the same ones in any batch and order.
    ``probabilities``: say how probable yes is, by the first token of the reply that is not blank; for prompts that ask
    for one word. ``window``: the most tokens at a time; by default what the checkpoint says, but T5 and the like, whose
    positions are relative, take longer texts than they were trained on. ``device``: as torch names it; by default a GPU
    where there is one.

    A tokenizer's chat template makes a prompt of the turns; without one, their texts stand one below the other. Both
    are loaded when they are first needed. Needs the extra ``neural``.

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
            raise ValueError(f"name={self.name!r} is neither the name of a checkpoint nor a folder")
        check_settings(self, batch_size=1, max_tokens=1, **({"window": 1} if self.window is not None else {}))

    @cached_property
    def identity(self) -> str:
        """The model, by its name or by what is in its folder, and how it is asked."""
        folder = Path(self.name)
        model = [folder.name, _content(folder)] if folder.is_dir() else [self.name]
        return json.dumps(["transformers", *model, self.temperature, self.max_tokens, self.probabilities])

    def fits(self, conversation: Conversation) -> bool:
        """Whether the conversation fits the model's window, with room for the reply where that is part of it."""
        return self._in_window(self._checkpoint.prompt(conversation))

    def ask(self, questions: Sequence[Question], heard: ReplyCallback) -> None:
        """Ask all questions, the longest first. One that does not fit the window does not keep it from the others.

        Raises `ColieeError` at the end where any did not, at once where the checkpoint cannot be loaded.
        """
        prompts = [(question, self._checkpoint.prompt(question.conversation)) for question in questions]
        fitting = [(question, prompt) for question, prompt in prompts if self._in_window(prompt)]
        fitting.sort(key=lambda asked: -len(asked[1]))  # of like length together, so that little is padding
        for start in range(0, len(fitting), self.batch_size):
            batch = fitting[start : start + self.batch_size]
            for (question, _), reply in zip(batch, self._replies(batch)):
                heard(question, reply)
        if left := len(prompts) - len(fitting):
            raise ColieeError(
                f"{left} of {len(prompts)} questions are longer than the window of {printable(self.name)}, "
                f"{self._most_tokens} tokens{self._room}. Ask shorter ones, or a model with a longer window."
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
        reply = self.max_tokens if self._checkpoint.goes_on else 0
        return len(prompt) + reply <= self._most_tokens

    @property
    def _most_tokens(self) -> float:
        return self._checkpoint.window if self.window is None else self.window

    @property
    def _room(self) -> str:
        return f" of which max_tokens={self.max_tokens} are kept for the reply" if self._checkpoint.goes_on else ""

    @cached_property
    def _checkpoint(self) -> _Checkpoint:
        return _Checkpoint(self.name, self.device)

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


class _Checkpoint:
    """A checkpoint; its weights are loaded when a reply is wanted."""

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
        self.goes_on = not self._config.is_encoder_decoder
        self._class = transformers.AutoModelForCausalLM if self.goes_on else transformers.AutoModelForSeq2SeqLM

    def _loaded(self, kind: Any, **options: Any) -> Any:
        try:
            return kind.from_pretrained(self._name, **options)
        except Exception as error:  # libraries for weights, words and downloads raise what they like
            reason = str(error).strip().partition("\n")[0]
            raise ColieeError(f"The model {printable(self._name)} cannot be loaded: {reason}") from error

    @property
    def window(self) -> float:
        """The most tokens at a time; infinite where neither the model nor its tokenizer has a limit."""
        config = self._config.get_text_config()
        told = [getattr(config, "max_position_embeddings", None), getattr(config, "n_positions", None)]
        limits = [limit for limit in (*told, self._tokenizer.model_max_length) if limit and limit < _WITHOUT_LIMIT]
        return min(limits, default=math.inf)

    def prompt(self, conversation: Conversation) -> list[int]:
        """The tokens of a conversation, at whose end the reply is to come."""
        turns = [turn._replace(content=encodable(turn.content)) for turn in conversation]
        if chat := bool(self._tokenizer.chat_template):
            text = self._chat(turns)
        else:
            text = _BETWEEN_TURNS.join(turn.content for turn in turns)
        tokens: list[int] = self._tokenizer(text, add_special_tokens=not chat, verbose=False)["input_ids"]
        if self.goes_on and tokens[-1:] == [self._tokenizer.eos_token_id] and not chat:
            tokens.pop()  # it says that a text is over, where the reply is to begin
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
            # some templates know no system: it is said at the beginning of what the user says
            system, user, *others = turns
            return filled([user._replace(content=f"{system.content}{_BETWEEN_TURNS}{user.content}"), *others])

    @cached_property
    def network(self) -> Any:
        """The model with its weights, on its device."""
        network, info = self._loaded(self._class, output_loading_info=True)
        if info["missing_keys"]:
            kind = type(network).__name__
            raise ColieeError(f"The checkpoint {printable(self._name)} is of no language model: {kind} lacks weights.")
        device = self._device or _best_device()
        try:
            network.to(device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ColieeError(f"device={device!r} cannot be used for {printable(self._name)}: {reason}") from None
        network.generation_config.update(**_GREEDY)
        return network.eval()

    @cached_property
    def speaking(self) -> dict[int, str]:
        """The tokens that begin to say yes or no, by their numbers."""
        numbers = range(len(self._tokenizer))
        words = self._tokenizer.batch_decode([[number] for number in numbers], skip_special_tokens=True)
        return {number: word for number, word in zip(numbers, words) if token_answer(word) is not None}

    def blank(self, token: int) -> bool:
        """Whether a token shows nothing; one that ends a text does."""
        return not self._tokenizer.decode([token]).strip()

    def replies(self, prompts: Sequence[list[int]], max_tokens: int, steps: Sequence[Any]) -> list[str]:
        """The texts that follow the prompts; ``steps`` see, and may change, the weights of each next token."""
        import torch
        import transformers

        padding = next((n for n in (self._tokenizer.pad_token_id, self._tokenizer.eos_token_id) if n is not None), 0)
        longest = max(map(len, prompts))

        def padded(rows: Sequence[list[int]], filling: int) -> Any:
            fill = [[filling] * (longest - len(row)) for row in rows]
            # on the left where the reply goes on with the prompt, whose last token stands beside it; else on the right,
            # so that each token has the position that it has alone
            return torch.tensor([left + row if self.goes_on else row + left for left, row in zip(fill, rows)])

        tokens, mask = padded(prompts, padding), padded([[1] * len(prompt) for prompt in prompts], 0)
        with torch.inference_mode():
            made = self.network.generate(
                input_ids=tokens.to(self.network.device),
                attention_mask=mask.to(self.network.device),
                max_new_tokens=max_tokens,
                pad_token_id=padding,
                logits_processor=transformers.LogitsProcessorList(steps),
            )
        replies = made[:, longest:] if self.goes_on else made
        texts: list[str] = self._tokenizer.batch_decode(replies, skip_special_tokens=True)
        return texts


def refuse_wordless(name: str, tokenizer: Any) -> None:
    """Raises `ColieeError` for the tokenizer that transformers makes up where a checkpoint has none: it knows no word,
    and a model would answer without having read anything."""
    tokens = tokenizer("yes はい", verbose=False)["input_ids"]
    if not tokenizer.decode(tokens, skip_special_tokens=True).strip():
        raise ColieeError(
            f"{printable(name)} has no words: its tokenizer is missing. Give the folder of a whole checkpoint."
        )


class _FirstTokens:
    """A step that notes how probable yes is, by the first token of each reply that is not blank."""

    def __init__(self, checkpoint: _Checkpoint, replies: int) -> None:
        self._checkpoint = checkpoint
        self._blank_until_now: list[int] | None = None
        self.yes: list[float | None] = [None] * replies

    def __call__(self, tokens: Any, scores: Any) -> Any:
        if self._blank_until_now is None:
            self._blank_until_now = list(range(len(self.yes)))
        else:
            self._blank_until_now = [r for r in self._blank_until_now if self._checkpoint.blank(int(tokens[r, -1]))]
        for reply in self._blank_until_now:
            self.yes[reply] = self._weighed(scores[reply])
        return scores

    def _weighed(self, scores: Any) -> float | None:
        speaking = self._checkpoint.speaking
        logits = scores[list(speaking)].tolist()
        highest = max(logits, default=0.0)  # so that not all weights are too small for a number
        return yes_probability((word, math.exp(logit - highest)) for word, logit in zip(speaking.values(), logits))


class _Draws:
    """A step after which the token of the highest weight is one drawn at random (Gumbel's trick), by a seed a reply."""

    def __init__(self, questions: Sequence[Question], temperature: float) -> None:
        import torch

        self._temperature = temperature
        self._generators = [torch.Generator().manual_seed(_seed(question)) for question in questions]

    def __call__(self, _tokens: Any, scores: Any) -> Any:
        import torch

        waits = [torch.empty(scores.shape[1]).exponential_(generator=one) for one in self._generators]
        return scores / self._temperature - torch.stack(waits).log().to(scores.device)


def _seed(question: Question) -> int:
    told = json.dumps([question.conversation, question.sample]).encode()
    return int.from_bytes(hashlib.blake2b(told, digest_size=7).digest(), "big")


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _content(folder: Path) -> str:
    """A hash of the files of a folder."""
    seen = hashlib.blake2b(digest_size=8)
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        seen.update(f"{path.name}\0{path.stat().st_size}\0".encode(errors="surrogateescape"))
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                seen.update(block)
    return seen.hexdigest()
