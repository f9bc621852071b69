"""A stand-in for vLLM 0.33 with the signatures of its offline class, for machines without a GPU.

Names, order, kinds and defaults of the parameters are those of vLLM's sources (types are left out), so a call that
vLLM would refuse is refused here. The tokens of a reply are its words, and a space belongs to the word after it.
"""

import re
import types
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass
class StructuredOutputsParams:
    json: object = None
    regex: object = None
    choice: object = None
    grammar: object = None
    json_object: object = None
    disable_any_whitespace: bool = False
    disable_additional_properties: bool = False
    whitespace_pattern: object = None
    structural_tag: object = None

    def __post_init__(self):
        kinds = (self.json, self.regex, self.choice, self.grammar, self.json_object, self.structural_tag)
        assert sum(kind is not None for kind in kinds) == 1


@dataclass
class SamplingParams:
    n: int = 1
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    repetition_penalty: float = 1.0
    temperature: float = 1.0
    watermarking: object = None
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    seed: object = None
    stop: object = None
    stop_token_ids: object = None
    ignore_eos: bool = False
    max_tokens: object = 16
    min_tokens: int = 0
    logprobs: object = None
    prompt_logprobs: object = None
    prompt_logprob_token_ids: object = None
    prompt_logprob_start: object = None
    logprob_token_ids: object = None
    flat_logprobs: bool = False
    detokenize: bool = True
    skip_special_tokens: bool = True
    spaces_between_special_tokens: bool = True
    include_stop_str_in_output: bool = False
    output_kind: object = None
    stream_interval: object = None
    skip_clone: bool = False
    output_text_buffer_length: int = 0
    _eos_token_id: object = None
    _all_stop_token_ids: set = field(default_factory=set)
    _watermarking_skipped: bool = False
    structured_outputs: object = None
    logit_bias: object = None
    allowed_token_ids: object = None
    extra_args: object = None
    bad_words: object = None
    _bad_words_token_ids: object = None
    skip_reading_prefix_cache: object = None
    thinking_token_budget: object = None
    repetition_detection: object = None


@dataclass
class Logprob:
    logprob: float
    rank: object = None
    decoded_token: object = None


@dataclass
class CompletionOutput:
    index: int
    text: str
    token_ids: list
    cumulative_logprob: object
    logprobs: object
    routed_experts: object = None
    finish_reason: object = None
    stop_reason: object = None
    lora_request: object = None


class RequestOutput:
    def __init__(self, request_id, prompt, prompt_token_ids, prompt_logprobs, outputs, finished, **_others):
        self.request_id, self.prompt, self.prompt_token_ids = request_id, prompt, prompt_token_ids
        self.prompt_logprobs, self.outputs, self.finished = prompt_logprobs, outputs, finished


class Tokenizer:
    """One token a character; the chat template opens a block of reasoning if it is told to."""

    chat_template = "{% for turn in messages %}{{ turn.content }}{% endfor %}{% if enable_thinking %}<think>{% endif %}"
    special_tokens_map: ClassVar[dict] = {}

    def get_chat_template(self):
        return self.chat_template

    def apply_chat_template(self, conversation, *, tokenize, add_generation_prompt, enable_thinking=False):
        assert not tokenize
        assert add_generation_prompt
        turns = "".join(f"<{turn['role']}>{turn['content']}" for turn in conversation)
        return turns + "<assistant>" + "<think>\n" * enable_thinking

    def __call__(self, text, *, add_special_tokens):
        assert not add_special_tokens
        return {"input_ids": [*map(ord, text)]}

    def decode(self, token_ids):
        return "".join(map(chr, token_ids))


def stand_in(says, window=2000):
    """A module ``vllm`` whose model says ``says(messages, sampling_params, token_limit)`` and notes its batches."""
    module = types.ModuleType("vllm")
    module.batches, module.loaded = [], []

    class LLM:
        def __init__(
            self,
            model,
            *,
            runner="auto",
            convert="auto",
            tokenizer=None,
            tokenizer_mode="auto",
            skip_tokenizer_init=False,
            trust_remote_code=False,
            allowed_local_media_path="",
            allowed_media_domains=None,
            tensor_parallel_size=1,
            dtype="auto",
            quantization=None,
            revision=None,
            tokenizer_revision=None,
            chat_template=None,
            seed=0,
            gpu_memory_utilization=0.92,
            load_format="auto",  # from here on in **kwargs, as fields of EngineArgs
            max_model_len=None,
        ):
            module.loaded.append((model, load_format, trust_remote_code, tensor_parallel_size, dtype))
            self.model_config = types.SimpleNamespace(max_model_len=max_model_len or window)

        def get_tokenizer(self):
            return Tokenizer()

        def chat(
            self,
            messages,
            sampling_params=None,
            use_tqdm=True,
            lora_request=None,
            priority=None,
            chat_template=None,
            chat_template_content_format="auto",
            add_generation_prompt=True,
            continue_final_message=False,
            tools=None,
            chat_template_kwargs=None,
            tokenization_kwargs=None,
            mm_processor_kwargs=None,
        ):
            assert len(messages) == len(sampling_params)
            module.batches.append([turns[-1]["content"] for turns in messages])
            prompts = [
                Tokenizer().apply_chat_template(
                    turns, tokenize=False, add_generation_prompt=add_generation_prompt, **(chat_template_kwargs or {})
                )
                for turns in messages
            ]
            return [
                RequestOutput(str(n), None, [*map(ord, prompt)], None, [completed(says(turns, each), each)], True)
                for n, (prompt, turns, each) in enumerate(zip(prompts, messages, sampling_params))
            ]

    module.LLM = LLM
    module.sampling_params = types.ModuleType("vllm.sampling_params")
    module.sampling_params.SamplingParams = SamplingParams
    module.sampling_params.StructuredOutputsParams = StructuredOutputsParams
    return module


def completed(text, sampling):
    tokens = re.findall(r"</?\w+>|\s?\w+|\s|\W", text)
    finished = len(tokens) < sampling.max_tokens
    tokens = tokens[: sampling.max_tokens]
    steps = None
    if sampling.logprobs is not None:  # each token with half of the probability, the rest to the opposite word
        other = {"Yes": "No", "No": "Yes", " Yes": " No", " No": " Yes"}
        steps = [{0: Logprob(-0.25, 1, token), 1: Logprob(-1.5, 2, other.get(token, "?"))} for token in tokens]
    ids = [0] * len(tokens)
    return CompletionOutput(0, "".join(tokens), ids, None, steps, finish_reason="stop" if finished else "length")
