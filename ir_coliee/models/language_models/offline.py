"""Language models on the GPUs of this machine, by the offline class of vLLM."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.frames import shown
from ir_coliee.models.language_models.chat_options import check_chat_options
from ir_coliee.models.language_models.completions import messages
from ir_coliee.models.language_models.language_model import (
    Question,
    Reply,
    ReplyCallback,
    check_options,
    check_settings,
    settings_key,
)
from ir_coliee.models.language_models.yes_probability import first_answer_token, yes_probability
from ir_coliee.models.loading.checkpoint_identity import folder_hash
from ir_coliee.models.loading.loading_errors import explained
from ir_coliee.text.reasoning import opens_reasoning, split_reasoning
from ir_coliee.text.templates import Conversation

_ALTERNATIVES = 20  # the number of alternatives to a token, which is also vLLM's default limit
_END_OF_PROMPT = 16  # tokens, in which a block of reasoning may be opened
# options of the engine that distribute the work and do not change replies
_DISTRIBUTION = frozenset(
    {"tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size", "gpu_memory_utilization", "max_num_seqs"}
    | {"cpu_offload_gb", "enforce_eager", "max_num_batched_tokens", "kv_cache_memory_bytes"}
)


@dataclass(frozen=True)
class OfflineModel:
    """A language model on the GPUs of this machine, which answers whole batches without a server.

    The model is loaded by vLLM at the first question, from safetensors files. This class needs the extra ``vllm``.

    Parameters
    ----------
    name : str
        Name of a published checkpoint with a chat template, or its folder.
    batch_size : int
        Number of questions that are given to vLLM at a time; it schedules them itself. Their replies are handed over
        when all of them have arrived, so that a stopped program loses at most one batch.
    max_tokens : int
        Maximum number of tokens of a reply, including its reasoning. A reply that is cut off there is marked as
        ``truncated``.
    temperature : float
        Sampling temperature, at least 0. Above 0, the seed of a reply is the number of its sample.
    probabilities : bool
        Compute the probability of yes from the first word of the answer, after the reasoning. Use this only with
        prompts that ask for a one-word answer.
    chat_options : mapping, optional
        Variables of the chat template, such as ``{"enable_thinking": False}``.
    engine : mapping, optional
        Further keyword arguments of ``vllm.LLM``, such as ``{"tensor_parallel_size": 2, "max_model_len": 8192}``.

    Examples
    --------
    >>> OfflineModel("Qwen/Qwen3-8B", engine={"tensor_parallel_size": 2}).batch_size
    256
    """

    name: str
    _: KW_ONLY
    batch_size: int = 256
    max_tokens: int = 512
    temperature: float = 0.0
    probabilities: bool = False
    chat_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    engine: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not (isinstance(self.name, str) and self.name):
            raise ValueError(f"name must be the name or the folder of a checkpoint, got {shown(self.name)}.")
        check_settings(self, batch_size=1, max_tokens=1)
        check_options(self, "chat_options", "engine")

    @cached_property
    def identity(self) -> str:
        """Key of the stored replies: the name of the model, or a hash of its folder, and all that affects replies."""
        model = [Path(self.name).name, folder_hash(Path(self.name))] if os.path.isdir(self.name) else [self.name]
        settings = [self.temperature, self.max_tokens, self.probabilities]
        engine = {name: value for name, value in self.engine.items() if name not in _DISTRIBUTION}
        return settings_key("vllm", *model, *settings, chat_options=self.chat_options, engine=engine)

    def fits(self, conversation: Conversation) -> bool:
        """Whether the conversation and a reply fit into the context window."""
        tokenizer = self._llm.get_tokenizer()
        if hasattr(tokenizer, "get_chat_template"):  # the tokenizers of Mistral have none
            check_chat_options(self.name, tokenizer, self.chat_options)
        turns = messages(conversation)
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True, **self.chat_options)
        length = len(tokenizer(text, add_special_tokens=False)["input_ids"])
        return bool(length + self.max_tokens <= self._llm.model_config.max_model_len)

    def ask(self, questions: Sequence[Question], on_reply: ReplyCallback) -> None:
        """Ask all questions, batch after batch. Questions that do not fit into the context window are skipped.

        Raises
        ------
        ColieeError
            At the end, if a question did not fit into the window; at the start, if the model cannot be loaded.
        MissingExtraError
            If the extra ``vllm`` is not installed.
        """
        fitting = [question for question in questions if self.fits(question.conversation)]
        for start in range(0, len(fitting), self.batch_size):
            batch = fitting[start : start + self.batch_size]
            outputs = self._llm.chat(
                [messages(question.conversation) for question in batch],
                [self._sampling(question) for question in batch],
                use_tqdm=False,
                chat_template_kwargs=dict(self.chat_options),
            )
            for question, output in zip(batch, outputs):
                on_reply(question, self._reply(output))
        if num_skipped := len(questions) - len(fitting):
            raise ColieeError(
                f"{num_skipped} of {len(questions)} questions are longer than the window of {printable(self.name)}.\n"
                f"It has {self._llm.model_config.max_model_len} tokens, of which max_tokens={self.max_tokens} are "
                "reserved for the reply. Shorten the questions, or give a larger max_model_len in engine."
            )

    def _sampling(self, question: Question) -> Any:
        from vllm.sampling_params import SamplingParams, StructuredOutputsParams

        return SamplingParams(
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            seed=question.sample if self.temperature else None,
            logprobs=_ALTERNATIVES if self.probabilities else None,
            skip_special_tokens=False,  # they may be the markers of reasoning
            structured_outputs=StructuredOutputsParams(json=question.schema) if question.schema else None,
        )

    def _reply(self, output: Any) -> Reply:
        completion = output.outputs[0]
        opened = opens_reasoning(self._llm.get_tokenizer().decode(output.prompt_token_ids[-_END_OF_PROMPT:]))
        reasoning, text = split_reasoning(completion.text, opened=opened)
        yes = _yes_probability(completion, opened=opened) if completion.logprobs else None
        return Reply(text, yes, reasoning, truncated=completion.finish_reason == "length")

    @cached_property
    def _llm(self) -> Any:
        try:
            import vllm
        except ImportError:
            raise MissingExtraError("A model in offline batches", "vllm") from None
        with explained(self.name):
            return vllm.LLM(self.name, **{"load_format": "safetensors", **self.engine})

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _yes_probability(completion: Any, *, opened: bool) -> float | None:
    steps = list(completion.logprobs)
    tokens = [step[token].decoded_token or "" for step, token in zip(steps, completion.token_ids)]
    position = first_answer_token(tokens, opened=opened)
    if position is None:
        return None
    return yes_probability((each.decoded_token or "", math.exp(each.logprob)) for each in steps[position].values())
