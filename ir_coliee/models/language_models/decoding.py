"""Logits processors for models of the transformers library: checks, the probability of yes, sampling with seeds."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ir_coliee.errors import ColieeError
from ir_coliee.models.language_models.language_model import Question
from ir_coliee.models.language_models.yes_probability import yes_probability


def check_finite(_tokens: Any, scores: Any) -> Any:
    """Return the scores of a step of decoding; raise `ColieeError` if one is not a number, or infinite."""
    if (scores.isnan() | scores.isposinf()).any():
        raise ColieeError(
            "The language model gives a score that is not a finite number.\n"
            "In half precision large values overflow: use bfloat16 or float32. Otherwise, weights are damaged."
        )
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


class GumbelSampler:
    """Logits processor that samples tokens by the Gumbel-max trick, with a seed for each reply.

    Parameters
    ----------
    questions : sequence of Question
        The questions of the batch. A seed depends on the conversation and the number of the sample.
    temperature : float
        Sampling temperature, above 0.
    """

    def __init__(self, questions: Sequence[Question], temperature: float) -> None:
        import torch

        self._temperature = temperature
        self._generators = [torch.Generator().manual_seed(_seed(question)) for question in questions]

    def __call__(self, _tokens: Any, scores: Any) -> Any:
        """Return scores whose highest one is that of the sampled token."""
        import torch

        exponentials = [torch.empty(scores.shape[1]).exponential_(generator=each) for each in self._generators]
        return scores / self._temperature - torch.stack(exponentials).log().to(scores.device)


def _seed(question: Question) -> int:
    content = json.dumps([question.conversation, question.sample]).encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=7).digest(), "big")
