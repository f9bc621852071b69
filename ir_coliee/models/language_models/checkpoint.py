"""A language model's checkpoint: its tokenizer, its prompts, and its network."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ir_coliee.errors import ColieeError, MissingExtraError, printable
from ir_coliee.models.language_models.chat_options import check_chat_options
from ir_coliee.models.language_models.decoding import check_finite
from ir_coliee.models.language_models.language_model import encodable
from ir_coliee.models.language_models.yes_probability import token_answer
from ir_coliee.models.loading.load_options import Dtype, LoadOptions
from ir_coliee.models.loading.loading_errors import explained
from ir_coliee.models.loading.tokenizer_checks import check_tokenizer
from ir_coliee.models.token_batches import padded
from ir_coliee.models.training.adapters import base_of_foreign_adapter, is_adapter, load_adapter, read_base_model
from ir_coliee.text.reasoning import is_marker_token
from ir_coliee.text.templates import Conversation, Turn

_BETWEEN_TURNS = "\n\n"
_WITHOUT_LIMIT = 10**9  # a tokenizer without a limit reports a larger number of tokens
# overrides settings of the checkpoint, which may request sampling or limit the length
_GREEDY = {"do_sample": False, "num_beams": 1, "max_length": None} | dict.fromkeys(("temperature", "top_k", "top_p"))


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
        check_chat_options(self._name, self.tokenizer, chat_options)
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
        if info["missing_keys"]:
            raise ColieeError(
                f"The checkpoint {printable(self._name, 40)} is not a language model, or not complete.\n"
                f"{type(network).__name__} lacks weights. Give the folder of a complete language model."
            )
        network = self._load.place(network)
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
        text: str = self.tokenizer.decode([token for token in tokens if token not in self._special_tokens])
        return text

    def pieces(self, tokens: Sequence[int]) -> list[str]:
        """Return the text of each token."""
        return [self.text([token]) for token in tokens]

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

    kinds = config.architectures or []
    networks = [getattr(transformers, kind, None) for kind in kinds]  # None: one of the checkpoint's own code
    is_encoder = type(config) in transformers.AutoModelForMaskedLM._model_mapping
    has_other_head = any("For" in kind for kind in kinds)  # a bare decoder can write, with its embeddings as the head
    if kinds and (is_encoder or has_other_head) and not any(each is None or each.can_generate() for each in networks):
        raise ColieeError(
            f"The checkpoint {printable(name, 30)} is not a language model: it is a {printable(kinds[0])}."
        )
