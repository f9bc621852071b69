"""Reranking by monoT5, a sequence-to-sequence model that writes whether a text is relevant."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import (
    Floats,
    check_checkpoint,
    check_ids,
    instance_of,
    integer_at_least,
    one_of,
    sort_results,
    text_values,
)
from ir_coliee.models.adapters import (
    TrainingOptions,
    base_model,
    is_adapter,
    prepare_for_training,
    read_base_model,
    save_model,
    save_network,
)
from ir_coliee.models.batches import (
    POOLINGS,
    Pooling,
    Reading,
    halving,
    padded,
    pair_reading,
    pool_scores,
    token_batches,
    warn_about_reading,
)
from ir_coliee.models.language_model import encodable
from ir_coliee.models.loading import LoadOptions, checkpoint_identity, requested_identity
from ir_coliee.models.local import Checkpoint
from ir_coliee.models.stores import ScoreStore, get_scores
from ir_coliee.models.training import TrainingJob, mean_cross_entropy, train
from ir_coliee.transformers.estimators import BaseEstimator, check_both_classes, result_labels
from ir_coliee.transformers.rerankers.training import ranking_value

# The prompts of monoT5, and the two words that it answers with.


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
Examples = list[tuple[Tokens, bool]]  # prompts, and whether the text of each is relevant


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
    ) -> Iterator[tuple[list[Tokens], Reading]]:
        """Yield the prompts of each pair of a query and a text, one for each window, and how much is read."""
        distinct = list(dict.fromkeys(text for pair in pairs for text in pair))
        ids = dict(zip(distinct, self._encoded(distinct)))
        for qid, (query, text) in zip(qids, pairs):
            query_ids, text_ids = ids[query], ids[text]
            reading, windows = pair_reading(qid, len(query_ids), len(text_ids), self._room, pooling)
            head = (*self._query, *query_ids[: reading.query_read], *self._document)
            prompts = [(*head, *text_ids[each.start : each.stop], *self._relevant) for each in windows]
            yield prompts, reading

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


# A checkpoint of monoT5: its prompts, its scores, and its training. It needs the extra ``neural``.


class MonoT5Checkpoint(Checkpoint):
    """A checkpoint of monoT5, whose weights are loaded with its first use.

    Parameters
    ----------
    name : str
        The name or the folder of the checkpoint, or the folder of an adapter.
    load : LoadOptions
        Options of loading the weights; the default number format is float32.
    max_tokens : int
        The largest number of tokens of a prompt.

    Raises
    ------
    ColieeError
        If the checkpoint cannot be loaded or is not a T5 model.
    """

    def __init__(self, name: str, load: LoadOptions, max_tokens: int) -> None:
        base, adapter = (read_base_model(name).name, name) if is_adapter(name) else (name, None)
        super().__init__(base, replace(load, dtype=load.dtype or "float32"), adapter)
        if self.is_causal:
            raise ColieeError(f"{printable(name)} is not a sequence-to-sequence model such as monoT5.")
        self._weights = name
        self.prompts = RelevancePrompts(base, self.tokenizer, self.config, max_tokens)

    @cached_property
    def identity(self) -> list[str]:
        """What identifies the weights, including those of an adapter."""
        of_base = [] if self.base_of_adapter is None else self.base_of_adapter.identity
        return [*of_base, *(checkpoint_identity(self._weights, self._load.revision) or [self._weights])]

    def scores(self, prompts: Sequence[Sequence[int]]) -> Floats:
        """Return the logarithm of the probability of the word for relevant, relative to the other, for a batch.

        Padding follows the whole prompt and is masked, so that a score does not depend on the other prompts.
        """
        import torch

        network, padding = self.network, self.tokenizer.pad_token_id
        tokens, mask = padded(prompts, padding), padded([[1] * len(prompt) for prompt in prompts], 0)
        start = torch.full((len(prompts), 1), network.config.decoder_start_token_id)
        device = network.device
        with torch.inference_mode():
            logits = network(
                input_ids=tokens.to(device), attention_mask=mask.to(device), decoder_input_ids=start.to(device)
            ).logits[:, 0, list(self.prompts.answer_tokens)]
        scores: Floats = torch.log_softmax(logits.double(), dim=1)[:, 0].cpu().numpy()
        return scores

    def training_job(self, examples: Examples, valid: Examples | None, training: TrainingOptions) -> TrainingJob:
        """Return the training by cross-entropy on the tokens of the words for relevant and for another text."""
        from transformers import DataCollatorForSeq2Seq, Trainer, TrainingArguments

        labels = {relevant: self.prompts.target(relevant) for relevant in (False, True)}

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
        self.network.config.relevance_words = list(self.prompts.words)  # `RelevancePrompts` reads them again
        save_network(self.network, self.tokenizer, folder)


def _loss(outputs: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
    return mean_cross_entropy(outputs.logits, labels, num_items_in_batch)


class MonoT5(BaseEstimator):
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
        Options of `fit`.
    batch_size : int
        The largest number of prompts in a batch, for scoring. A batch is halved when memory runs out.
    batch_tokens : int, optional
        The largest number of tokens in a batch, including padding, for scoring.
    max_tokens : int
        The largest number of tokens of a prompt. The published checkpoints were trained with 512; since T5 has relative
        positions, longer prompts are possible.
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

    def __init__(
        self,
        model: str = "castorini/monot5-base-msmarco",
        *,
        load: LoadOptions = LoadOptions(),
        training: TrainingOptions = TrainingOptions(),
        batch_size: int = 16,
        batch_tokens: int | None = None,
        max_tokens: int = 512,
        pooling: Pooling = "max",
        score_store: ScoreStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.model = check_checkpoint(model)
        self.load = instance_of("load", load, LoadOptions, "LoadOptions")
        self.training = instance_of("training", training, TrainingOptions, "TrainingOptions")
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.batch_tokens = None if batch_tokens is None else integer_at_least("batch_tokens", batch_tokens, 1)
        self.max_tokens = integer_at_least("max_tokens", max_tokens, 8)
        self.pooling = one_of("pooling", pooling, POOLINGS)
        self.score_store = score_store
        self.verbose = verbose
        super().__init__()

    def fit(
        self,
        topics_and_results: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_and_results_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> MonoT5:
        """Fine-tune the checkpoint on candidates by cross-entropy on the tokens of ``true`` and ``false``.

        Each call starts from the checkpoint, and is reproducible on the same machine. Each window of a text is an
        example with the label of the text; with ``pooling="first"``, only the first window is.

        Parameters
        ----------
        topics_and_results : pandas.DataFrame
            Candidates with the columns qid, query, docno and text; `hard_negatives` selects them, and `mined_rounds`
            selects them anew for each round of training.
        qrels : pandas.DataFrame
            The columns qid, docno and label. A candidate that they do not contain is not relevant.
        topics_and_results_valid, qrels_valid : pandas.DataFrame, optional
            The same for validation. With them, the model of the epoch with the best ``measure`` of the training or the
            lowest validation loss is used, otherwise that of the last epoch.

        Returns
        -------
        MonoT5
            This object, fitted.

        Raises
        ------
        ColieeError
            If all candidates are relevant or none is, if the training diverges, or if the folder of ``training``
            belongs to another training.
        """
        checkpoint = self._load()
        examples = self._examples(checkpoint, topics_and_results, qrels)
        valid = None
        if topics_and_results_valid is not None and qrels_valid is not None:
            valid = self._examples(checkpoint, topics_and_results_valid, qrels_valid)
        settings = {"model": requested_identity(self.model), **self.load.identity, "words": checkpoint.prompts.words}

        def prepare() -> TrainingJob:
            job = checkpoint.training_job(examples, valid, self.training)
            valid_data = topics_and_results_valid, qrels_valid
            return job._replace(measured=partial(ranking_value, self, checkpoint, *valid_data))

        with train(self.training, settings, (examples, valid), prepare, verbose=self.verbose) as state:
            fitted = MonoT5Checkpoint(state.model, self.load, self.max_tokens)
            fitted.identity, fitted.network  # noqa: B018 loaded, so that the folder is no longer needed
            self._fitted_model = fitted
        return self

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write the fine-tuned model, or the model as it is, to a new folder.

        Parameters
        ----------
        folder : str or path
            A new folder, or one that has the same weights already and is left as it is. It gets weights
            and tokenizer, of a model with an adapter only the weights of the adapter, and no text.

        Returns
        -------
        str
            The folder, which can be given as ``model``.

        Raises
        ------
        ExistingFileError
            If the folder exists and has other weights.
        """
        return save_model(self._checkpoint().save, folder)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates; missing texts are empty. Raises `ColieeError` for a text that is not a string."""
        pt.validate.columns(inp, includes=["qid", "query", "docno", "text"], context=self)
        check_ids(inp)
        scores = self._scores(inp) if len(inp) else np.empty(0)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _scores(self, results: pd.DataFrame) -> Floats:
        of_texts = self._prompts(self._checkpoint(), results)
        prompts = [(" ".join(map(str, prompt)),) for of_text in of_texts for prompt in of_text]
        scores = get_scores(prompts, self._computed, self.score_store, self._identity, verbose=self.verbose)[:, 0]
        return pool_scores(scores, [*map(len, of_texts)], self.pooling)

    def _computed(self, prompts: Sequence[tuple[str, ...]]) -> Iterator[tuple[Sequence[int], Floats]]:
        checkpoint = self._checkpoint()
        tokens = [[int(token) for token in prompt.split()] for (prompt,) in prompts]
        batches = token_batches([*map(len, tokens)], batch_size=self.batch_size, batch_tokens=self.batch_tokens)
        yield from halving(batches, lambda batch: checkpoint.scores([tokens[position] for position in batch])[:, None])

    def _identity(self) -> str:
        """Return the key of the stored scores: the weights and all settings that affect the score of a prompt."""
        checkpoint = self._checkpoint()
        return json.dumps(["monoT5", *checkpoint.identity, self.load.identity, checkpoint.prompts.words])

    def _examples(self, checkpoint: MonoT5Checkpoint, results: pd.DataFrame, qrels: pd.DataFrame) -> Examples:
        pt.validate.columns(results, includes=["qid", "query", "docno", "text"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(results)
        labels = result_labels(results, qrels)
        check_both_classes(labels)
        of_texts = self._prompts(checkpoint, results)
        return [(prompt, bool(label > 0)) for of_text, label in zip(of_texts, labels) for prompt in of_text]

    def _prompts(self, checkpoint: MonoT5Checkpoint, results: pd.DataFrame) -> list[list[Tokens]]:
        """Return the prompts of each text, with a warning about those that are not read at once."""
        pairs = zip(text_values(results, "query"), text_values(results, "text"))
        found = list(checkpoint.prompts.windows(results["qid"].astype(str), list(pairs), self.pooling))
        warn_about_reading([reading for _, reading in found], self.pooling)
        return [prompts for prompts, _ in found]

    def _checkpoint(self) -> MonoT5Checkpoint:
        fitted: MonoT5Checkpoint | None = self._fitted_model
        return fitted or self._cached((self.model, self.load, self.max_tokens), self._load)

    def _load(self) -> MonoT5Checkpoint:
        return MonoT5Checkpoint(self.model, self.load, self.max_tokens)
