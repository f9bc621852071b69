"""Hugging Face language models that run on this machine, with the transformers library."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from ir_coliee.arguments import shown
from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.models.language_model import Question, Reply, ReplyCallback, check_settings, encodable
from ir_coliee.models.yes_probability import token_answer, yes_probability
from ir_coliee.text.templates import Conversation, Turn

_BETWEEN_TURNS = "\n\n"
_BLOCK = 2**20  # the number of bytes read at a time
_WITHOUT_LIMIT = 10**9  # a tokenizer without a limit reports a larger number of tokens
# overrides settings of the checkpoint, which may request sampling or limit the length
_GREEDY = {"do_sample": False, "num_beams": 1, "max_length": None} | dict.fromkeys(("temperature", "top_k", "top_p"))


@dataclass(frozen=True)
class LocalModel:
    """A sequence-to-sequence model such as T5 or a causal language model such as GPT, on this machine.

    The tokenizer's chat template formats the turns as a prompt. Without a template, the texts of the turns are joined
    by blank lines. Tokenizer and model are loaded on first use. This class needs the extra ``neural``.

    Parameters
    ----------
    name : str
        Name of a published checkpoint, or its folder.
    batch_size : int
        Number of questions per batch.
    max_tokens : int
        Maximum number of tokens of a reply.
    temperature : float
        If 0, the most probable token is chosen (greedy decoding). If above 0, tokens are sampled with a seed that
        depends on the conversation and the number of the sample, so replies do not depend on the batches or the order.
    probabilities : bool
        Compute the probability of yes from the first token of the reply that is not blank. Use this only with
        prompts that ask for a one-word answer.
    window : int, optional
        Size of the context window in tokens. The default is the limit of the checkpoint. Models with relative
        positions, such as T5, accept longer texts than those that they were trained on.
    device : str, optional
        Name of the torch device. By default a GPU if one is available, otherwise the CPU.

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
            raise ValueError(f"name must be the name or the folder of a checkpoint, got {shown(self.name)}.")
        check_settings(self, batch_size=1, max_tokens=1, **({"window": 1} if self.window is not None else {}))

    @cached_property
    def identity(self) -> str:
        """Key of the stored replies: the name of the model, or a hash of its folder, and its settings."""
        folder = Path(self.name)
        model = [folder.name, _folder_hash(folder)] if folder.is_dir() else [self.name]
        return json.dumps(["transformers", *model, self.temperature, self.max_tokens, self.probabilities])

    def fits(self, conversation: Conversation) -> bool:
        """Whether the conversation fits into the context window, including the reply for a causal model."""
        return self._in_window(self._checkpoint.prompt(conversation))

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions, the longest first. Questions that do not fit into the context window are skipped.

        Raises
        ------
        ColieeError
            At the end, if a question did not fit into the window; at the start, if the checkpoint cannot be loaded.
        """
        prompts = [(question, self._checkpoint.prompt(question.conversation)) for question in questions]
        fitting = [(question, prompt) for question, prompt in prompts if self._in_window(prompt)]
        fitting.sort(key=lambda item: -len(item[1]))  # batches of similar lengths need little padding
        for start in range(0, len(fitting), self.batch_size):
            batch = fitting[start : start + self.batch_size]
            for (question, _), reply in zip(batch, self._replies(batch)):
                on_reply(question, reply)
        if num_skipped := len(prompts) - len(fitting):
            raise ColieeError(
                f"{num_skipped} of {len(prompts)} questions are longer than the window of {printable(self.name)}, "
                f"{self._window_size} tokens{self._reply_reserve}.\nShorten them, or use a model with a longer window."
            )

    def _replies(self, batch: Sequence[tuple[Question, list[int]]]) -> list[Reply]:
        checkpoint = self._checkpoint
        yes_probabilities = _YesProbabilities(checkpoint, len(batch))
        processors: list[Any] = [yes_probabilities] if self.probabilities else []
        if self.temperature:
            processors.append(_GumbelSampler([question for question, _ in batch], self.temperature))
        texts = checkpoint.replies([prompt for _, prompt in batch], self.max_tokens, processors)
        return [Reply(text, yes) for text, yes in zip(texts, yes_probabilities.yes)]

    def _in_window(self, prompt: Sequence[int]) -> bool:
        reply = self.max_tokens if self._checkpoint.is_causal else 0
        return len(prompt) + reply <= self._window_size

    @property
    def _window_size(self) -> float:
        return self._checkpoint.window if self.window is None else self.window

    @property
    def _reply_reserve(self) -> str:
        return (
            f" of which max_tokens={self.max_tokens} are reserved for the reply" if self._checkpoint.is_causal else ""
        )

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
        check_tokenizer(name, self._tokenizer)
        self.is_causal = not self._config.is_encoder_decoder
        self._class = transformers.AutoModelForCausalLM if self.is_causal else transformers.AutoModelForSeq2SeqLM

    def _loaded(self, kind: Any, **options: Any) -> Any:
        try:
            return kind.from_pretrained(self._name, **options)
        except Exception as error:  # the libraries involved raise many types of errors
            reason = str(error).strip().partition("\n")[0]
            raise ColieeError(f"The model {printable(self._name)} cannot be loaded: {reason}") from error

    @property
    def window(self) -> float:
        """Size of the context window in tokens; infinite if neither the model nor its tokenizer has a limit."""
        config = self._config.get_text_config()
        configured = [getattr(config, "max_position_embeddings", None), getattr(config, "n_positions", None)]
        limits = [
            limit for limit in (*configured, self._tokenizer.model_max_length) if limit and limit < _WITHOUT_LIMIT
        ]
        return min(limits, default=math.inf)

    def prompt(self, conversation: Conversation) -> list[int]:
        """Return the token ids of the prompt. The reply continues them."""
        turns = [turn._replace(content=encodable(turn.content)) for turn in conversation]
        if chat := bool(self._tokenizer.chat_template):
            text = self._chat(turns)
        else:
            text = _BETWEEN_TURNS.join(turn.content for turn in turns)
        tokens: list[int] = self._tokenizer(text, add_special_tokens=not chat, verbose=False)["input_ids"]
        if self.is_causal and tokens[-1:] == [self._tokenizer.eos_token_id] and not chat:
            tokens.pop()  # after an end-of-text token, the model would not continue the prompt
        return tokens

    def _chat(self, turns: Sequence[Turn]) -> str:
        from jinja2 import TemplateError

        def format_turns(turns: Sequence[Turn]) -> str:
            text: str = self._tokenizer.apply_chat_template(
                [turn._asdict() for turn in turns], add_generation_prompt=True, tokenize=False
            )
            return text

        try:
            return format_turns(turns)
        except TemplateError:
            if turns[0].role != "system":
                raise
            # some templates have no system role, so the text of the system turn is prepended to the user turn
            system, user, *others = turns
            return format_turns([user._replace(content=f"{system.content}{_BETWEEN_TURNS}{user.content}"), *others])

    @cached_property
    def network(self) -> Any:
        """The model with its weights, on the device."""
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
        """The tokens with which yes or no can begin, by token id."""
        token_ids = range(len(self._tokenizer))
        tokens = self._tokenizer.batch_decode([[token_id] for token_id in token_ids], skip_special_tokens=True)
        return {token_id: token for token_id, token in zip(token_ids, tokens) if token_answer(token) is not None}

    def is_blank(self, token: int) -> bool:
        """Return whether the decoded token is blank, as for an end-of-text token."""
        return not self._tokenizer.decode([token]).strip()

    def replies(self, prompts: Sequence[list[int]], max_tokens: int, processors: Sequence[Any]) -> list[str]:
        """Return the replies to the prompts. ``processors`` are logits processors, called for each generated token."""
        import torch
        import transformers

        padding = next((n for n in (self._tokenizer.pad_token_id, self._tokenizer.eos_token_id) if n is not None), 0)
        longest = max(map(len, prompts))

        def pad(rows: Sequence[list[int]], value: int) -> Any:
            padding_of_rows = [[value] * (longest - len(row)) for row in rows]
            # causal models continue the last token, so they need padding on the left; other models are padded on the
            # right, so that the positions of the tokens do not change
            return torch.tensor(
                [extra + row if self.is_causal else row + extra for extra, row in zip(padding_of_rows, rows)]
            )

        tokens, mask = pad(prompts, padding), pad([[1] * len(prompt) for prompt in prompts], 0)
        with torch.inference_mode():
            generated = self.network.generate(
                input_ids=tokens.to(self.network.device),
                attention_mask=mask.to(self.network.device),
                max_new_tokens=max_tokens,
                pad_token_id=padding,
                logits_processor=transformers.LogitsProcessorList(processors),
            )
        replies = generated[:, longest:] if self.is_causal else generated
        texts: list[str] = self._tokenizer.batch_decode(replies, skip_special_tokens=True)
        return texts


def check_tokenizer(name: str, tokenizer: Any) -> None:
    """Raise `ColieeError` if a checkpoint has no tokenizer.

    Without one, the transformers library creates an empty tokenizer, which drops all words of a text.

    Raises
    ------
    ColieeError
        If the tokenizer encodes no word.
    """
    tokens = tokenizer("yes はい", verbose=False)["input_ids"]
    if not tokenizer.decode(tokens, skip_special_tokens=True).strip():
        raise ColieeError(f"The tokenizer of {printable(name)} is missing. Give the folder of a complete checkpoint.")


class _YesProbabilities:
    """Logits processor that computes the probability of yes from the first token of each reply that is not blank."""

    def __init__(self, checkpoint: _Checkpoint, replies: int) -> None:
        self._checkpoint = checkpoint
        self._blank_so_far: list[int] | None = None
        self.yes: list[float | None] = [None] * replies

    def __call__(self, tokens: Any, scores: Any) -> Any:
        if self._blank_so_far is None:
            self._blank_so_far = list(range(len(self.yes)))
        else:
            self._blank_so_far = [
                reply for reply in self._blank_so_far if self._checkpoint.is_blank(int(tokens[reply, -1]))
            ]
        for reply in self._blank_so_far:
            self.yes[reply] = self._yes_probability(scores[reply])
        return scores

    def _yes_probability(self, scores: Any) -> float | None:
        answer_tokens = self._checkpoint.answer_tokens
        logits = scores[list(answer_tokens)].tolist()
        highest = max(logits, default=0.0)  # subtracted so that not all weights underflow
        return yes_probability((word, math.exp(logit - highest)) for word, logit in zip(answer_tokens.values(), logits))


class _GumbelSampler:
    """Logits processor that samples tokens by the Gumbel-max trick, with a seed for each reply."""

    def __init__(self, questions: Sequence[Question], temperature: float) -> None:
        import torch

        self._temperature = temperature
        self._generators = [torch.Generator().manual_seed(_seed(question)) for question in questions]

    def __call__(self, _tokens: Any, scores: Any) -> Any:
        import torch

        exponentials = [torch.empty(scores.shape[1]).exponential_(generator=each) for each in self._generators]
        return scores / self._temperature - torch.stack(exponentials).log().to(scores.device)


def _seed(question: Question) -> int:
    content = json.dumps([question.conversation, question.sample]).encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")


def _best_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _folder_hash(folder: Path) -> str:
    """Return a hash of the files of a folder."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        digest.update(f"{path.name}\0{path.stat().st_size}\0".encode(errors="surrogateescape"))
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()
