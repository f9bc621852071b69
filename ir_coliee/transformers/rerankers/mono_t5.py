"""Reranking by monoT5, a sequence-to-sequence model that writes whether a text is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats
from ir_coliee.models.adapters import (
    TrainingOptions,
    base_model,
    is_adapter,
    prepare_for_training,
    read_base_model,
    save_network,
)
from ir_coliee.models.batches import Pooling, padded, pair_reading
from ir_coliee.models.language_model import encodable
from ir_coliee.models.loading import LoadOptions, checkpoint_identity
from ir_coliee.models.local import Checkpoint
from ir_coliee.models.training import TrainingJob, mean_cross_entropy
from ir_coliee.transformers.answers.prompting import QuestionText, candidate_texts
from ir_coliee.transformers.estimators import check_both_classes, rescored, result_labels
from ir_coliee.transformers.rerankers.checkpoints import PairWindows
from ir_coliee.transformers.rerankers.pairs import CrossEncoderTransformer
from ir_coliee.transformers.rerankers.training import ranking_value

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
_MAX_TOKENS = 512
_SHORTEST = 8  # tokens that are left to query and text at least

Examples = list[tuple[tuple[int, ...], bool]]  # the tokens of prompts, and whether the text of each is relevant


class MonoT5Checkpoint(Checkpoint):
    """A checkpoint of monoT5 with its prompts, ``Query: … Document: … Relevant:``; weights are loaded when first used.

    Parameters
    ----------
    name : str
        The name or the folder of the checkpoint, or the folder of an adapter.
    load : LoadOptions
        Options of loading the weights; the default number format is float32.
    max_tokens : int, optional
        The largest number of tokens of a prompt. By default 512, with which the published checkpoints were trained.

    Attributes
    ----------
    words : tuple of str
        The words for a relevant and for another text.
    settings : list
        What affects the scores of a prompt besides the weights and the options of loading them.

    Raises
    ------
    ColieeError
        If the checkpoint cannot be loaded or is not a T5 model, if its tokenizer does not separate words at spaces as
        those of T5 do, if both words begin with the same token, or if max_tokens is too small.
    """

    KIND = "monoT5"

    def __init__(self, name: str, load: LoadOptions, max_tokens: int | None = None) -> None:
        base, adapter = (read_base_model(name).name, name) if is_adapter(name) else (name, None)
        super().__init__(base, replace(load, dtype=load.dtype or "float32"), adapter)
        if self.is_causal:
            raise ColieeError(f"{printable(name)} is not a sequence-to-sequence model such as monoT5.")
        self._weights = name
        given = getattr(self.config, "relevance_words", None)
        self.words: tuple[str, str] = tuple(given or _WORDS.get(base, ("true", "false")))
        self.settings = [self.words]
        self._query, self._document, self._relevant = self._encoded(["Query:", "Document:", "Relevant:"])
        whole = self.tokenizer("Query: a Document: b Relevant:", verbose=False)["input_ids"]
        first, second = self._encoded(["a", "b"])
        self._relevant.append(self.tokenizer.eos_token_id)
        if whole != [*self._query, *first, *self._document, *second, *self._relevant]:
            raise ColieeError(f"The tokenizer of {printable(base)} is not that of a T5 model, as monoT5 needs it.")
        self._answer_tokens = [ids[0] for ids in self._encoded(self.words)]  # in mT5, that of "false" is a single space
        if len({*self._answer_tokens}) == 1:
            raise ColieeError(f"{printable(base)}: {self.words[0]} and {self.words[1]} begin with the same token.")
        fixed = len(self._query) + len(self._document) + len(self._relevant)
        self._room = (max_tokens or _MAX_TOKENS) - fixed
        if self._room < _SHORTEST:
            raise ColieeError(f"max_tokens must be >= {fixed + _SHORTEST} for this model, got {max_tokens}.")

    def _encoded(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = [encodable(text) for text in texts]
        ids: list[list[int]] = self.tokenizer(encoded, add_special_tokens=False, truncation=False, verbose=False)[
            "input_ids"
        ]
        return ids

    @cached_property
    def identity(self) -> list[str]:
        """What identifies the weights, including those of an adapter."""
        of_base = [] if self.base_of_adapter is None else self.base_of_adapter.identity
        return [*of_base, *(checkpoint_identity(self._weights, self._load.revision) or [self._weights])]

    def windows(self, questions: Sequence[QuestionText], pooling: Pooling) -> list[PairWindows]:
        """Return the prompts of each query and text, one for each window, as numbers of tokens in a string."""
        distinct = list(dict.fromkeys(text for _, *pair in questions for text in pair))
        ids = dict(zip(distinct, self._encoded(distinct)))
        found = []
        for qid, query, text in questions:
            reading, windows = pair_reading(qid, len(ids[query]), len(ids[text]), self._room, pooling)
            head = [*self._query, *ids[query][: reading.query_read], *self._document]
            prompts = [[*head, *ids[text][each.start : each.stop], *self._relevant] for each in windows]
            found.append(PairWindows([(" ".join(map(str, prompt)),) for prompt in prompts], reading))
        return found

    def lengths(self, prompts: Sequence[tuple[str, ...]]) -> list[int]:
        """Return the number of tokens of each prompt."""
        return [len(_tokens(prompt)) for prompt in prompts]

    def logits(self, prompts: Sequence[tuple[str, ...]]) -> Floats:
        """Return the logarithm of the probability of the word for relevant, relative to the other, for a batch.

        Padding follows the whole prompt and is masked, so that a score does not depend on the other prompts.
        """
        import torch

        rows, network = [*map(_tokens, prompts)], self.network
        tokens, mask = padded(rows, self.tokenizer.pad_token_id), padded([[1] * len(row) for row in rows], 0)
        start = torch.full((len(rows), 1), network.config.decoder_start_token_id)
        device = network.device
        with torch.inference_mode():
            logits = network(
                input_ids=tokens.to(device), attention_mask=mask.to(device), decoder_input_ids=start.to(device)
            ).logits[:, 0, self._answer_tokens]
        return torch.log_softmax(logits.double(), dim=1)[:, :1].cpu().numpy()

    def training_job(self, examples: Examples, valid: Examples | None, training: TrainingOptions) -> TrainingJob:
        """Return the training by cross-entropy on the tokens of the words for relevant and for another text."""
        from transformers import DataCollatorForSeq2Seq, Trainer, TrainingArguments

        labels = {relevant: self.tokenizer(word)["input_ids"] for relevant, word in zip((True, False), self.words)}

        def dataset(data: Examples) -> list[dict[str, list[int]]]:
            return [
                {"input_ids": list(prompt), "attention_mask": [1] * len(prompt), "labels": labels[relevant]}
                for prompt, relevant in data
            ]

        prepare_for_training(self.network, training, self._load, base_model(self._name, self._load))
        return TrainingJob(
            Trainer,
            TrainingArguments,
            self.network,
            dataset(examples),
            None if valid is None else dataset(valid),
            self.save,
            of_trainer={
                "data_collator": DataCollatorForSeq2Seq(self.tokenizer, model=self.network),
                "compute_loss_func": _loss,
            },
        )

    def save(self, folder: str) -> None:
        """Write the weights, or only those of the adapter, and the tokenizer to a folder."""
        self.network.config.relevance_words = list(self.words)  # which are read again from there
        save_network(self.network, self.tokenizer, folder)


def _tokens(prompt: tuple[str, ...]) -> list[int]:
    return [int(token) for token in prompt[0].split()]


def _loss(outputs: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
    return mean_cross_entropy(outputs.logits, labels, num_items_in_batch)


class MonoT5(CrossEncoderTransformer):
    """Score each candidate by monoT5, which reads query and text together: R to R.

    The model reads ``Query: … Document: … Relevant:`` and writes ``true`` or ``false``. The score is the logarithm of
    the probability of ``true`` relative to ``false``, <= 0. It depends on neither the batches nor the other candidates.

    A text that does not fit into a prompt is read in overlapping windows, whose scores are pooled, and a warning tells
    how much of the texts is read. The query is read whole with each window if it takes at most half of the prompt,
    otherwise only its beginning.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a checkpoint.
    load : LoadOptions
        Number format, device, quantisation and other options of loading the weights. The default number format is
        float32. T5 models overflow in float16; use bfloat16.
    training : TrainingOptions
        Options of `fit`, which minimises the cross-entropy on the tokens of ``true`` and ``false``. Each window of a
        text is an example with the label of the text; with ``pooling="first"``, only the first window is.
    batch_size : int
        The largest number of prompts in a batch, for scoring. A batch is halved when memory runs out.
    batch_tokens : int, optional
        The largest number of tokens in a batch, including padding, for scoring.
    max_tokens : int, optional
        The largest number of tokens of a prompt. By default 512, with which the published checkpoints were trained;
        since T5 has relative positions, longer prompts are possible.
    pooling : {"max", "mean", "first"}
        The score of a text with several windows: the highest score, because one passage makes a text relevant, or the
        mean. With ``first``, only the first window is read, as in the published systems.
    score_store : ScoreStore, optional
        The store of scores that are already known. By default, scores are not stored.
    verbose : bool
        Whether to show progress bars.

    Notes
    -----
    The prompts, the words and the first tokens of these are those of the published checkpoints, so that scores equal
    those of `pyterrier_t5.MonoT5ReRanker` for a single pair that fits. That class pads a batch before it appends
    ``Relevant:``, so that its scores depend on the batch. The multilingual checkpoints of mMARCO were trained on
    ``yes`` and ``no``, which are used for them.

    References
    ----------
    Nogueira et al. Document Ranking with a Pretrained Sequence-to-Sequence Model. Findings of EMNLP 2020. Pooling by
    the highest score: Dai and Callan. Deeper Text Understanding for IR with Contextual Neural Language Modeling.
    SIGIR 2019.

    Examples
    --------
    >>> MonoT5("castorini/monot5-large-msmarco", batch_tokens=16384)
    MonoT5(model='castorini/monot5-large-msmarco', batch_tokens=16384)
    """

    LABEL = "monoT5"

    def __init__(self, model: str = "castorini/monot5-base-msmarco", **options: Any) -> None:
        super().__init__(model, **options)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates; missing texts are empty. Raises `ColieeError` for a text that is not a string."""
        return rescored(inp, self._scores(candidate_texts(inp, self)))

    def _load(self, name: str, _labels: object = None) -> MonoT5Checkpoint:
        return MonoT5Checkpoint(name, self.load, self.max_tokens)

    def _trained(self, checkpoint: MonoT5Checkpoint) -> MonoT5Checkpoint:
        return checkpoint  # which lacks nothing, or could not be loaded

    def _settings(self, checkpoint: MonoT5Checkpoint) -> dict[str, Any]:
        return {"words": checkpoint.words}

    def _examples(self, checkpoint: MonoT5Checkpoint, results: pd.DataFrame, qrels: pd.DataFrame) -> Examples:
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        candidates, labels = candidate_texts(results, self), result_labels(results, qrels)
        check_both_classes(labels)
        windows = self._windows(checkpoint, candidates, self.pooling)
        return [
            (tuple(_tokens(prompt)), bool(label > 0)) for prompts, label in zip(windows, labels) for prompt in prompts
        ]

    def _job(
        self, checkpoint: MonoT5Checkpoint, examples: Examples, valid: Examples | None, frames: tuple[Any, Any, Any]
    ) -> TrainingJob:
        job = checkpoint.training_job(examples, valid, self.training)
        return job._replace(measured=partial(ranking_value, self, checkpoint, *frames[1:]))

    def _values(self, logits: Floats) -> Floats:
        return np.asarray(logits[:, 0])
