"""Reranking by monoT5, a sequence-to-sequence model that writes whether a text is relevant."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
import pyterrier as pt

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
from ir_coliee.models.loading.checkpoint_identity import requested_identity
from ir_coliee.models.loading.encoders import fixed_seed
from ir_coliee.models.loading.load_options import LoadOptions
from ir_coliee.models.stores.score_store import ScoreStore, get_scores
from ir_coliee.models.token_batches import halving, token_batches
from ir_coliee.models.training.saved_models import save_model
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.models.training.training_state import open_training_state
from ir_coliee.models.windows import POOLINGS, Pooling, pool_scores, warn_about_reading
from ir_coliee.transformers.estimators import BaseEstimator
from ir_coliee.transformers.rerankers.mono_t5_checkpoint import MonoT5Checkpoint
from ir_coliee.transformers.rerankers.mono_t5_training import TrainingPrompts, fine_tune_mono_t5
from ir_coliee.transformers.rerankers.relevance_prompts import PromptWindows
from ir_coliee.transformers.training_labels import check_both_classes, result_labels


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
            The same for validation. With them, the model of the epoch with the lowest validation loss is used,
            otherwise that of the last epoch.

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
        opened = open_training_state(self.training, settings, (examples, valid))
        with fixed_seed(self.training.seed), opened as state:
            if not state.has_ended:
                fine_tune_mono_t5(checkpoint, examples, valid, self.training, state, verbose=self.verbose)
                state.end(checkpoint.save)
            self._fitted_model = MonoT5Checkpoint(state.model, self.load, self.max_tokens).loaded()
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
        scores = self._scores(self._windows(self._checkpoint(), inp)) if len(inp) else np.empty(0)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _scores(self, windows: Sequence[PromptWindows]) -> Floats:
        prompts = [(" ".join(map(str, prompt)),) for each in windows for prompt in each.prompts]
        scores = get_scores(prompts, self._computed, self.score_store, self._identity, verbose=self.verbose)[:, 0]
        return pool_scores(scores, [len(each.prompts) for each in windows], self.pooling)

    def _computed(self, prompts: Sequence[tuple[str, ...]]) -> Iterator[tuple[Sequence[int], Floats]]:
        checkpoint = self._checkpoint()
        tokens = [[int(token) for token in prompt.split()] for (prompt,) in prompts]
        batches = token_batches([*map(len, tokens)], batch_size=self.batch_size, batch_tokens=self.batch_tokens)
        yield from halving(batches, lambda batch: checkpoint.scores([tokens[position] for position in batch])[:, None])

    def _identity(self) -> str:
        """Return the key of the stored scores: the weights and all settings that affect the score of a prompt."""
        checkpoint = self._checkpoint()
        return json.dumps(["monoT5", *checkpoint.identity, self.load.identity, checkpoint.prompts.words])

    def _examples(self, checkpoint: MonoT5Checkpoint, results: pd.DataFrame, qrels: pd.DataFrame) -> TrainingPrompts:
        pt.validate.columns(results, includes=["qid", "query", "docno", "text"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(results)
        labels = result_labels(results, qrels)
        check_both_classes(labels)
        found = self._windows(checkpoint, results)
        return TrainingPrompts(
            [prompt for each in found for prompt in each.prompts],
            [bool(label > 0) for each, label in zip(found, labels) for _ in each.prompts],
        )

    def _windows(self, checkpoint: MonoT5Checkpoint, results: pd.DataFrame) -> list[PromptWindows]:
        pairs = zip(text_values(results, "query"), text_values(results, "text"))
        found = list(checkpoint.prompts.windows(results["qid"].astype(str), list(pairs), self.pooling))
        warn_about_reading([each.reading for each in found], self.pooling)
        return found

    def _checkpoint(self) -> MonoT5Checkpoint:
        fitted: MonoT5Checkpoint | None = self._fitted_model
        return fitted or self._cached((self.model, self.load, self.max_tokens), self._load)

    def _load(self) -> MonoT5Checkpoint:
        return MonoT5Checkpoint(self.model, self.load, self.max_tokens)
