"""Hugging Face language models that run on this machine, with the transformers library."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import os
import shutil
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError, MissingExtraError, printable
from ir_coliee.frames import check_number, instance_of, integer_at_least, shown
from ir_coliee.models.adapters import (
    TrainingOptions,
    base_model,
    base_of_foreign_adapter,
    is_adapter,
    load_adapter,
    prepare_for_training,
    read_base_model,
    save_model,
    save_network,
)
from ir_coliee.models.batches import halving, padded, token_batches
from ir_coliee.models.language_model import (
    NOT_FINITE,
    Question,
    Reply,
    ReplyCallback,
    encodable,
    named_tokens,
    settings_key,
)
from ir_coliee.models.loading import Dtype, LoadOptions, explained, folder_hash, requested_identity
from ir_coliee.models.replies import (
    first_answer_token,
    is_marker_token,
    opens_reasoning,
    split_reasoning,
    token_answer,
    yes_probability,
)
from ir_coliee.models.templates import Conversation, Turn
from ir_coliee.models.tokenizers import check_tokenizer
from ir_coliee.models.training import TrainingJob, mean_cross_entropy, train

# Logits processors for models of the transformers library: checks, the probability of yes, sampling with seeds.


def check_finite(_tokens: Any, scores: Any) -> Any:
    """Return the scores of a step of decoding; raise `ColieeError` if one is not a number, or infinite."""
    if (scores.isnan() | scores.isposinf()).any():
        raise ColieeError(f"The language model gives a score that is not a finite number.\n{NOT_FINITE}")
    return scores


class AnswerLogits:
    """Logits processor that records the logits of the tokens with which yes or no can begin, for each generated token.

    Parameters
    ----------
    answer_tokens : mapping of int to str
        The tokens, by token id.
    named : tuple of str, optional
        As in `yes_probability`.
    """

    def __init__(self, answer_tokens: Mapping[int, str], named: tuple[str, str] | None = None) -> None:
        self._tokens, self._named = answer_tokens, named
        self._steps: list[Any] = []

    def __call__(self, _tokens: Any, scores: Any) -> Any:
        """Record the logits of a step; the scores are returned unchanged."""
        self._steps.append(scores[:, list(self._tokens)])
        return scores

    def yes(self, reply: int, position: int | None) -> float | None:
        """Return the probability of yes at a token of a reply; None without a position, or without answer tokens."""
        if position is None:
            return None
        logits = self._steps[position][reply].tolist()
        highest = max(logits, default=0.0)  # subtracted so that not all weights underflow
        weighted = ((word, math.exp(logit - highest)) for word, logit in zip(self._tokens.values(), logits))
        return yes_probability(weighted, self._named)


def gumbel_sampler(questions: Sequence[Question], temperature: float) -> Callable[[Any, Any], Any]:
    """Return a logits processor that samples tokens by the Gumbel-max trick, with a seed for each reply.

    Parameters
    ----------
    questions : sequence of Question
        The questions of the batch. A seed depends on the conversation and the number of the sample.
    temperature : float
        Sampling temperature, above 0.

    Returns
    -------
    callable
        Returns scores whose highest one is that of the sampled token.
    """
    import torch

    generators = [torch.Generator().manual_seed(_seed(question)) for question in questions]

    def sampled(_tokens: Any, scores: Any) -> Any:
        exponentials = [torch.empty(scores.shape[1]).exponential_(generator=each) for each in generators]
        return scores / temperature - torch.stack(exponentials).log().to(scores.device)

    return sampled


def _seed(question: Question) -> int:
    content = json.dumps([question.conversation, question.sample]).encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")


# A language model's checkpoint: its tokenizer, its prompts, and its network.


_BETWEEN_TURNS = "\n\n"
_WITHOUT_LIMIT = 10**9  # a tokenizer without a limit reports a larger number of tokens
# overrides settings of the checkpoint, which may request sampling or limit the length
_GREEDY = {"do_sample": False, "num_beams": 1, "max_length": None} | dict.fromkeys(("temperature", "top_k", "top_p"))


@lru_cache
def _variables(template: str) -> set[str]:
    """Return the variables that a chat template reads and does not set."""
    from jinja2.meta import find_undeclared_variables
    from transformers.utils.chat_template_utils import _compile_jinja_template

    environment = _compile_jinja_template(template).environment  # it knows the tags that transformers adds
    return find_undeclared_variables(environment.parse(template)) - set(environment.globals)


class Checkpoint:
    """A checkpoint, whose weights are loaded when the first reply is requested.

    Parameters
    ----------
    name : str
        The name or the folder of the checkpoint.
    load : LoadOptions
        Options of loading the weights.
    adapter : str, optional
        The folder of an adapter of the checkpoint.

    Attributes
    ----------
    base_of_adapter : BaseModel or None
        What the adapter was trained with.
    """

    def __init__(self, name: str, load: LoadOptions, adapter: str | None = None) -> None:
        self.base_of_adapter = None
        if adapter is not None and is_adapter(adapter):
            self.base_of_adapter = read_base_model(adapter, name)
            load = self.base_of_adapter.options(load)
        elif adapter is not None:
            self.base_of_adapter = base_of_foreign_adapter(adapter, name, load)
        self._name, self._load, self._adapter = name, load, adapter
        try:
            import torch  # noqa: F401 transformers imports without it, and fails later
            import transformers
        except ImportError:
            raise MissingExtraError("A language model on this machine", "neural") from None
        with explained(name):
            self.config = transformers.AutoConfig.from_pretrained(name, **load.source())
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(name, **load.tokenizer_keywords(name))
        _check_kind(name, self.config)
        check_tokenizer(name, self.tokenizer, self.config)
        self.is_causal = not self.config.is_encoder_decoder
        self._class = transformers.AutoModelForCausalLM if self.is_causal else transformers.AutoModelForSeq2SeqLM

    @property
    def window(self) -> float:
        """Size of the context window in tokens; infinite if neither the model nor its tokenizer has a limit."""
        config = self.config.get_text_config()
        configured = [getattr(config, "max_position_embeddings", None), getattr(config, "n_positions", None)]
        limits = [limit for limit in (*configured, self.tokenizer.model_max_length) if limit and limit < _WITHOUT_LIMIT]
        return min(limits, default=math.inf)

    @property
    def padding(self) -> int:
        """The token that fills up shorter texts of a batch; what it is does not matter, since it is masked."""
        return next((n for n in (self.tokenizer.pad_token_id, self.tokenizer.eos_token_id) if n is not None), 0)

    def prompt(self, conversation: Conversation, chat_options: Mapping[str, Any]) -> list[int]:
        """Return the token ids of the prompt. The reply continues them. ``chat_options`` are for the chat template."""
        for option in chat_options:  # templates ignore those that they do not know
            if option not in _variables(str(self.tokenizer.chat_template)):
                name = printable(self._name, 40)
                raise ColieeError(
                    f"The chat template of {name} has no option {printable(option)}.\nCorrect chat_options."
                )
        turns = [turn._replace(content=encodable(turn.content)) for turn in conversation]
        if chat := bool(self.tokenizer.chat_template):
            text = self._chat(turns, chat_options)
        else:
            text = _BETWEEN_TURNS.join(turn.content for turn in turns)
        tokens: list[int] = self.tokenizer(text, add_special_tokens=not chat, verbose=False)["input_ids"]
        if self.is_causal and tokens[-1:] == [self.tokenizer.eos_token_id] and not chat:
            tokens.pop()  # after an end-of-text token, the model would not continue the prompt
        return tokens

    def _chat(self, turns: Sequence[Turn], chat_options: Mapping[str, Any]) -> str:
        try:
            text: str = self.tokenizer.apply_chat_template(
                [turn._asdict() for turn in turns], add_generation_prompt=True, tokenize=False, **chat_options
            )
        except Exception as error:  # a template can raise errors of any type
            if turns[0].role != "system":
                raise ColieeError(
                    f"The chat template of {printable(self._name, 30)} cannot be used ({type(error).__name__}).\n"
                    "Correct it in the folder of the checkpoint, or correct chat_options."
                ) from error
            # some templates have no system role, so the text of the system turn is prepended to the user turn
            system, user, *others = turns
            joined = user._replace(content=f"{system.content}{_BETWEEN_TURNS}{user.content}")
            return self._chat([joined, *others], chat_options)
        return text

    @cached_property
    def network(self) -> Any:
        """The model with its weights and its adapter, on the device."""
        return self.load_network()

    def load_network(self, default_dtype: Dtype | None = None) -> Any:
        """Load the model with its weights and its adapter; ``default_dtype`` is as in `LoadOptions.keywords`."""
        keywords = self._load.keywords(default_dtype)
        with explained(self._name):
            network, info = self._class.from_pretrained(self._name, output_loading_info=True, **keywords)
            network = self._load.place(network)
        if info["missing_keys"]:
            raise ColieeError(
                f"The checkpoint {printable(self._name, 40)} is not a language model, or not complete.\n"
                f"{type(network).__name__} lacks weights. Give the folder of a complete language model."
            )
        network.generation_config.update(**_GREEDY)
        if self._adapter is not None and self.base_of_adapter is not None:
            load_adapter(network, self._adapter, self.base_of_adapter)
        return network.eval()

    def named_tokens(self, words: Sequence[str]) -> dict[int, str]:
        """Return words that are single tokens by token id. Raises `ColieeError` for another word."""
        found = {word: self.tokenizer(word, add_special_tokens=False)["input_ids"] for word in words}
        if several := [word for word, tokens in found.items() if len(tokens) != 1]:
            raise ColieeError(
                f"{printable(several[0], 30)} is not a single token of {printable(self._name, 40)}.\n"
                "Name single tokens in probabilities, or give True for all that yes and no can begin with."
            )
        return {tokens[0]: word for word, tokens in found.items()}

    @cached_property
    def answer_tokens(self) -> dict[int, str]:
        """The tokens with which yes or no can begin, by token id."""
        token_ids = range(len(self.tokenizer))
        tokens = self.tokenizer.batch_decode([[token_id] for token_id in token_ids], skip_special_tokens=True)
        return {token_id: token for token_id, token in zip(token_ids, tokens) if token_answer(token) is not None}

    @cached_property
    def _special_tokens(self) -> frozenset[int]:
        """The special tokens that are no text, such as that of the end; not those that mark reasoning."""
        special = zip(self.tokenizer.all_special_ids, self.tokenizer.all_special_tokens)
        return frozenset(token_id for token_id, token in special if not is_marker_token(token))

    def text(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens, with the markers of reasoning and without other special tokens."""
        return str(self.tokenizer.decode([token for token in tokens if token not in self._special_tokens]))

    @cached_property
    def _end_tokens(self) -> frozenset[int]:
        ends = self.network.generation_config.eos_token_id
        return frozenset(ends if isinstance(ends, list) else [ends])

    def is_complete(self, reply: Sequence[int]) -> bool:
        """Whether a reply ends with an end-of-text token, and not at the token limit."""
        return bool(reply) and reply[-1] in self._end_tokens

    def reply_tokens(
        self, prompts: Sequence[list[int]], max_tokens: int, processors: Sequence[Any]
    ) -> Iterator[list[int]]:
        """Yield the tokens of the reply to each prompt, up to the first end-of-text token.

        ``processors`` are logits processors, called for each generated token.
        """
        import torch
        import transformers

        # causal models continue the last token, so they need padding on the left; other models are padded on the right,
        # so that the positions of the tokens do not change
        tokens = padded(prompts, self.padding, left=self.is_causal)
        mask = padded([[1] * len(prompt) for prompt in prompts], 0, left=self.is_causal)
        with torch.inference_mode():
            generated = self.network.generate(
                input_ids=tokens.to(self.network.device),
                attention_mask=mask.to(self.network.device),
                max_new_tokens=max_tokens,
                pad_token_id=self.padding,
                logits_processor=transformers.LogitsProcessorList([check_finite, *processors]),
            )
        # the reply of a causal model follows the prompt, that of other models follows a start token
        for row in generated[:, tokens.shape[1] if self.is_causal else 1 :].tolist():
            end = next((place for place, token in enumerate(row, start=1) if token in self._end_tokens), len(row))
            yield row[:end]


def _check_kind(name: str, config: Any) -> None:
    """Raise `ColieeError` if the configuration names a network that cannot write, such as a classifier's."""
    import transformers

    is_encoder = type(config) in transformers.AutoModelForMaskedLM._model_mapping
    # a bare decoder can write, with its embeddings as the head
    kinds = [kind for kind in config.architectures or [] if is_encoder or "For" in kind]
    networks = [getattr(transformers, kind, None) for kind in kinds]  # None: one of the checkpoint's own code
    if kinds and not any(each is None or each.can_generate() for each in networks):
        raise ColieeError(
            f"The checkpoint {printable(name, 30)} is not a language model: it is a {printable(kinds[0])}."
        )


_END_OF_PROMPT = 16  # tokens, in which a block of reasoning may be opened


@dataclass(frozen=True)
class LocalModel:
    """A sequence-to-sequence model such as T5 or a causal language model such as GPT, on this machine.

    The tokenizer's chat template formats the turns as a prompt. Without a template, the texts of the turns are joined
    by blank lines. Tokenizer and model are loaded on first use. This class needs the extra ``neural``.

    Parameters
    ----------
    name : str
        Name of a published checkpoint, or its folder.
    load : LoadOptions
        Number format, device, quantisation and other options of loading the weights.
    batch_size : int
        Largest number of questions per batch. A batch is halved when memory runs out.
    batch_tokens : int, optional
        Largest number of tokens of the questions of a batch, including padding.
    max_tokens : int
        Maximum number of tokens of a reply, including its reasoning. A reply that is cut off there is marked as
        ``truncated``.
    temperature : float
        If 0, the most probable token is chosen (greedy decoding). If above 0, tokens are sampled with a seed that
        depends on the conversation and the number of the sample, so replies do not depend on the batches or the order.
    probabilities : bool or tuple of str
        Compute the probability of yes from the first word of the answer, after the reasoning. Use this only with
        prompts that ask for a one-word answer. ``("yes", "no")`` names the two tokens that are compared; with True, all
        tokens are with which yes or no can begin, in English and Japanese.
    chat_options : mapping, optional
        Variables of the tokenizer's chat template, such as ``{"enable_thinking": False}``.
    adapter : str, optional
        Folder of an adapter of the checkpoint, as `fit` with ``TrainingOptions(adapter=peft.LoraConfig())`` and `save`
        write it.
    window : int, optional
        Size of the context window in tokens. The default is the limit of the checkpoint. Models with relative
        positions, such as T5, accept longer texts than those that they were trained on.

    Examples
    --------
    >>> LocalModel("google/flan-t5-xxl", temperature=0.7).batch_size
    8
    """

    name: str
    _: KW_ONLY
    load: LoadOptions = LoadOptions()
    batch_size: int = 8
    batch_tokens: int | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    probabilities: bool | tuple[str, str] = False
    chat_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    adapter: str | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name):
            raise ValueError(f"name must be the name or the folder of a checkpoint, got {shown(self.name)}.")
        given = [name for name in ("batch_tokens", "window") if getattr(self, name) is not None]
        for name in ("batch_size", "max_tokens", *given):
            integer_at_least(name, getattr(self, name), 1)
        check_number("temperature", self.temperature, "a finite number >= 0", lambda value: 0 <= value < math.inf)
        instance_of("chat_options", self.chat_options, Mapping, "a mapping")
        named_tokens(self)

    @cached_property
    def identity(self) -> str:
        """Key of the stored replies: the name of the model, or a hash of its folder, and its settings."""
        settings = requested_identity(self.name), self.temperature, self.max_tokens, self.probabilities
        adapter = {} if self.adapter is None else {"hash": folder_hash(Path(self.adapter))}
        options = {"load": self.load.identity, "chat_options": self.chat_options, "adapter": adapter}
        return settings_key("transformers", *settings, **options)

    def fit(
        self,
        conversations: Sequence[Conversation],
        replies: Sequence[str],
        training: TrainingOptions = TrainingOptions(),
        *,
        verbose: bool = False,
    ) -> LocalModel:
        """Fine-tune the checkpoint to reply to conversations.

        Only the tokens of the replies and the token of their end are learned, not those of the conversations. Each call
        starts from the checkpoint, and is reproducible on the same machine. Conversations that do not fit into the
        window together with their reply are left out.

        Parameters
        ----------
        conversations : sequence of Conversation
            The prompts, as they are asked later.
        replies : sequence of str
            The reply to each conversation.
        training : TrainingOptions
            The options of the training. With an adapter, the checkpoint's own weights stay as they are, also in 4 bits
            (``LoadOptions(quantise="4bit")``).
        verbose : bool
            Whether to show progress.

        Returns
        -------
        LocalModel
            The fine-tuned model, with the other settings of this one. Its weights are in ``training.folder``; without
            one in a temporary folder, which is deleted when the program ends, so call `save`.

        Raises
        ------
        ColieeError
            If a model with an adapter, or weights that are quantised or in half precision, are to be trained without an
            adapter, or if the training fails.
        InsufficientTrainingDataError
            If no conversation fits into the window.

        Warns
        -----
        ColieeWarning
            If conversations are left out, with their number.
        """
        if len(conversations) != len(replies):
            number = f"{len(replies)} for {len(conversations)}"
            raise ValueError(f"There must be one reply to each conversation, got {number}.")
        settings = {
            "model": requested_identity(self.name),
            **self.load.identity,
            "trained_adapter": None if self.adapter is None else requested_identity(self.adapter),
            "window": self.window,
            "chat_options": {**self.chat_options},
        }
        prepare = partial(self._training_job, conversations, replies, training)
        with train(training, settings, [*zip(conversations, replies)], prepare, verbose=verbose) as state:
            folder = state.kept()
        if training.adapter is not None:
            return replace(self, adapter=folder)
        return replace(self, name=folder, load=replace(self.load, revision=None))

    def _training_job(
        self, conversations: Sequence[Conversation], replies: Sequence[str], training: TrainingOptions
    ) -> TrainingJob:
        from transformers import Trainer, TrainingArguments

        checkpoint = Checkpoint(self.name, self.load, self.adapter)
        network = checkpoint.load_network(None if training.adapter else "float32")
        prepare_for_training(network, training, self.load, base_model(self.name, self.load))
        batch = _causal_batch if checkpoint.is_causal else _seq2seq_batch
        return TrainingJob(
            Trainer,
            TrainingArguments,
            network,
            _examples(checkpoint, network, self, conversations, replies),
            None,
            partial(save_network, network, checkpoint.tokenizer),
            {"remove_unused_columns": False, "label_names": ["labels"]},
            {
                "data_collator": partial(batch, network, checkpoint.padding),
                "compute_loss_func": partial(_loss, is_causal=checkpoint.is_causal),
            },
        )

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write a fine-tuned model to a new folder: its adapter, or all weights, and its tokenizer.

        Parameters
        ----------
        folder : str or path
            A new folder, or one that has the same weights already and is left as it is. It gets no text.

        Returns
        -------
        str
            The folder, which can be given as ``adapter``, or as ``name`` if the model has none.

        Raises
        ------
        ExistingFileError
            If the folder exists and has other weights.
        ColieeError
            If the model is a published checkpoint that was not fine-tuned.
        """
        source = Path(self.adapter or self.name)
        if not source.is_dir():
            raise ColieeError(
                f"{printable(self.name)} was not fine-tuned, so there is nothing to save. Call fit first."
            )
        return save_model(partial(shutil.copytree, source), folder)

    def fits(self, conversation: Conversation) -> bool:
        """Whether the conversation fits into the context window, including the reply for a causal model."""
        return self._in_window(self._checkpoint.prompt(conversation, self.chat_options))

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions, the longest first. Questions that do not fit into the context window are skipped.

        Raises
        ------
        ColieeError
            At the end, if a question did not fit into the window; at the start, if the checkpoint cannot be loaded.
        """
        prompts = [
            (question, self._checkpoint.prompt(question.conversation, self.chat_options)) for question in questions
        ]
        fitting = [(question, prompt) for question, prompt in prompts if self._in_window(prompt)]
        batches = token_batches(
            [len(prompt) for _, prompt in fitting], batch_size=self.batch_size, batch_tokens=self.batch_tokens
        )
        for positions, replies in halving(batches, lambda batch: self._replies([fitting[p] for p in batch])):
            for position, reply in zip(positions, replies):
                on_reply(fitting[position][0], reply)
        if num_skipped := len(prompts) - len(fitting):
            raise ColieeError(
                f"{num_skipped} of {len(prompts)} questions are longer than the window of {printable(self.name)}, "
                f"{self._window_size} tokens with the reply.\nShorten them, or use a model with a longer window."
            )

    def _replies(self, batch: Sequence[tuple[Question, list[int]]]) -> list[Reply]:
        checkpoint = self._checkpoint
        named = named_tokens(self)
        answers = checkpoint.answer_tokens if named is None else checkpoint.named_tokens(named)
        logits = AnswerLogits(answers, named) if self.probabilities else None
        processors: list[Any] = [logits] if logits else []
        if self.temperature:
            processors.append(gumbel_sampler([question for question, _ in batch], self.temperature))
        prompts = [prompt for _, prompt in batch]
        replies = []
        for number, tokens in enumerate(checkpoint.reply_tokens(prompts, self.max_tokens, processors)):
            opened = opens_reasoning(checkpoint.text(prompts[number][-_END_OF_PROMPT:]))
            reasoning, text = split_reasoning(checkpoint.text(tokens), opened=opened)
            pieces = [checkpoint.text([token]) for token in tokens]
            yes = logits.yes(number, first_answer_token(pieces, opened=opened)) if logits else None
            replies.append(Reply(text, yes, reasoning, truncated=not checkpoint.is_complete(tokens)))
        return replies

    def _in_window(self, prompt: Sequence[int]) -> bool:
        reply = self.max_tokens if self._checkpoint.is_causal else 0
        return len(prompt) + reply <= self._window_size

    @property
    def _window_size(self) -> float:
        return self._checkpoint.window if self.window is None else self.window

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(self.name, self.load, self.adapter)

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


# Fine-tuning of language models on conversations with replies. It needs the extra ``neural``.


_IGNORED = -100  # the label of tokens that are not learned, in torch's cross-entropy


class _Example(NamedTuple):
    prompt: list[int]
    reply: list[int]


def _examples(
    checkpoint: Checkpoint,
    network: Any,
    model: LocalModel,
    conversations: Sequence[Conversation],
    replies: Sequence[str],
) -> list[_Example]:
    """Return the tokens of each conversation and reply that fit into the window together."""
    prompts = [checkpoint.prompt(conversation, model.chat_options) for conversation in conversations]
    end = _end_token(checkpoint, network, model.chat_options) if checkpoint.is_causal else None
    tokenised = [_reply_tokens(checkpoint.tokenizer, reply, end) for reply in replies]
    window = checkpoint.window if model.window is None else model.window
    examples = [
        _Example(prompt, reply)
        for prompt, reply in zip(prompts, tokenised)
        if len(prompt) + (len(reply) if checkpoint.is_causal else 0) <= window
    ]
    number = f"{len(prompts) - len(examples)} of {len(prompts)} conversations"
    if not examples:
        raise InsufficientTrainingDataError(f"{number} are longer than the window of {window} tokens; none is left.")
    if len(examples) < len(prompts):
        message = f"{number} are longer than the window of {window} tokens and were left out of the training."
        warnings.warn(message, ColieeWarning, stacklevel=4)
    return examples


def _reply_tokens(tokenizer: Any, reply: str, end: int | None) -> list[int]:
    if end is None:  # the tokenizer of a sequence-to-sequence model adds the token of the end itself
        return list(tokenizer(text_target=encodable(reply))["input_ids"])
    return [*tokenizer(encodable(reply), add_special_tokens=False)["input_ids"], end]


def _end_token(checkpoint: Checkpoint, network: Any, chat_options: Mapping[str, Any]) -> int:
    """Return the token that ends a reply: the first end-of-text token that the chat template writes after one."""
    ends, tokenizer = network.generation_config.eos_token_id, checkpoint.tokenizer
    after = ""
    if tokenizer.chat_template:
        turns = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "REPLY"}]
        after = tokenizer.apply_chat_template(turns, tokenize=False, **chat_options).rpartition("REPLY")[2]
    candidates = [end for end in (ends if isinstance(ends, list) else [ends]) if end is not None]
    tokens = *tokenizer(after, add_special_tokens=False)["input_ids"], tokenizer.eos_token_id, *candidates
    known: list[int] = [token for token in tokens if token in candidates]
    if not known:
        raise ColieeError(
            f"{printable(network.name_or_path)} has no end-of-text token, so it cannot learn to end a reply."
        )
    return known[0]


def _causal_batch(network: Any, padding: int, examples: Sequence[_Example]) -> dict[str, Any]:
    """Return prompts and replies, padded on the left, so that the logits of the last tokens suffice for the loss."""
    texts = [example.prompt + example.reply for example in examples]
    mask = padded([[1] * len(text) for text in texts], 0, left=True)
    labels = [[_IGNORED] * len(example.prompt) + example.reply for example in examples]
    batch = {
        "input_ids": padded(texts, padding, left=True),
        "attention_mask": mask,
        "labels": padded(labels, _IGNORED, left=True),
        "position_ids": (mask.cumsum(1) - 1).clamp(min=0),
        "logits_to_keep": max(len(example.reply) for example in examples) + 1,
    }
    arguments = inspect.signature(network.forward).parameters
    return {name: value for name, value in batch.items() if name in (*arguments, "labels")}


def _seq2seq_batch(network: Any, padding: int, examples: Sequence[_Example]) -> dict[str, Any]:
    labels = padded([example.reply for example in examples], _IGNORED)
    return {
        "input_ids": padded([example.prompt for example in examples], padding),
        "attention_mask": padded([[1] * len(example.prompt) for example in examples], 0),
        "labels": labels,
        "decoder_input_ids": network.prepare_decoder_input_ids_from_labels(labels=labels),
    }


def _loss(outputs: Any, labels: Any, num_items_in_batch: Any = None, *, is_causal: bool) -> Any:
    logits = outputs.logits
    if is_causal:  # the logits of a token are those of the next one
        labels = labels[:, -logits.shape[1] :][:, 1:]
        logits = logits[:, :-1]
    return mean_cross_entropy(logits, labels, num_items_in_batch)
