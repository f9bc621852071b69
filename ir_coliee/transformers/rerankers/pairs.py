"""Transformers that encode two texts together with a cross-encoder: scores of candidates, and answers to questions.

Models are given by their Hugging Face name or folder, and loaded when they are first used. The extra ``neural`` is
needed, which includes the packages for fine-tuning. `CrossEncoderTransformer.save` writes a fine-tuned model to a
folder, without any text; the folder can be given in place of a name.
"""

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy.special import expit, softmax

from ir_coliee.errors import ColieeError, printable_list
from ir_coliee.frames import Floats, check_checkpoint, check_ids, instance_of, integer_at_least, one_of
from ir_coliee.models.adapters import TrainingOptions, save_model
from ir_coliee.models.batches import POOLINGS, Pooling, halving, pool_scores, token_batches, warn_about_reading
from ir_coliee.models.loading import LoadOptions, check_head, requested_identity
from ir_coliee.models.replies import Answer
from ir_coliee.models.stores import ScoreStore, get_scores
from ir_coliee.models.training import TrainingJob, train
from ir_coliee.transformers.answers.prompting import (
    QuestionText,
    answered,
    answered_questions,
    candidate_texts,
    question_texts,
    warn_about_blank_texts,
)
from ir_coliee.transformers.estimators import BaseEstimator, rescored, result_labels
from ir_coliee.transformers.rerankers.checkpoints import CrossEncoderCheckpoint
from ir_coliee.transformers.rerankers.training import LOSSES, TrainingColumns, ranking_value, training_columns

C = TypeVar("C", bound="CrossEncoderTransformer")


class CrossEncoderTransformer(BaseEstimator):
    """Base class: a checkpoint that reads two texts together. See `PairScorer` for the parameters.

    Attributes
    ----------
    loss : str or None
        The loss function of the training; None for the one that suits the model.
    """

    loss: str | None = None

    def __init__(
        self,
        model: str,
        *,
        load: LoadOptions = LoadOptions(),
        training: TrainingOptions = TrainingOptions(),
        batch_size: int = 16,
        batch_tokens: int | None = None,
        max_tokens: int | None = None,
        pooling: Pooling = "max",
        score_store: ScoreStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.model = check_checkpoint(model)
        self.load = instance_of("load", load, LoadOptions, "LoadOptions")
        self.training = instance_of("training", training, TrainingOptions, "TrainingOptions")
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.batch_tokens = None if batch_tokens is None else integer_at_least("batch_tokens", batch_tokens, 1)
        self.max_tokens = None if max_tokens is None else integer_at_least("max_tokens", max_tokens, 8)
        self.pooling = one_of("pooling", pooling, POOLINGS)
        self.score_store = score_store
        self.verbose = verbose
        super().__init__()

    def fit(
        self: C,
        topics_and_results: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_and_results_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> C:
        """Fine-tune the checkpoint on candidates, or `EntailmentClassifier` on questions with texts.

        Each call starts from the checkpoint, and is reproducible on the same machine.

        Parameters
        ----------
        topics_and_results : pandas.DataFrame
            Candidates with the columns qid, query, docno and text; `hard_negatives` selects them, and `mined_rounds`
            selects them anew for each round of training. Of questions, the columns qid, query and text.
        qrels : pandas.DataFrame
            The columns qid, docno and label. A candidate that they do not contain is not relevant. Labels above 1 need
            a loss on lists, ``"RankNet"`` or ``"margin"``. For questions, docno is the answer, Y or N.
        topics_and_results_valid, qrels_valid : pandas.DataFrame, optional
            The same for validation. With them, the model of the epoch with the best ``measure`` of the training or the
            lowest validation loss is used, otherwise that of the last epoch.

        Returns
        -------
        PairScorer, EntailmentClassifier or MonoT5
            This object, fitted.

        Raises
        ------
        ColieeError
            If all candidates are relevant or none is, if all answers are the same, if a label or an answer does not
            suit, if the training diverges, or if the folder of ``training`` belongs to another training.
        """
        checkpoint = self._load(self.model)
        examples, valid = self._examples(checkpoint, topics_and_results, qrels), None
        if topics_and_results_valid is not None and qrels_valid is not None:
            valid = self._examples(checkpoint, topics_and_results_valid, qrels_valid)

        def prepare() -> TrainingJob:
            frames = topics_and_results, topics_and_results_valid, qrels_valid
            return self._job(checkpoint, examples, valid, frames)

        settings = {"model": requested_identity(self.model), **self.load.identity, **self._settings(checkpoint)}
        of_lists = self.loss is not None and LOSSES[self.loss].form != "pairs"
        with train(
            self.training, settings, (examples, valid), prepare, batches_matter=of_lists, verbose=self.verbose
        ) as state:
            fitted = self._load(state.model)
            fitted.identity, fitted.network  # noqa: B018 loaded, so that the folder is no longer needed
            self._fitted_model = fitted
        return self

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write the fine-tuned model, or the model as it is, to a new folder.

        Parameters
        ----------
        folder : str or path
            A new folder, or one that has the same weights already and is left as it is. It gets weights
            and tokenizer, and no text.

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

    def _checkpoint(self) -> Any:
        """Return the fitted model, or the model as it is."""
        if self._fitted_model is not None:
            return self._fitted_model
        key = self.model, self.max_tokens, self.training.seed, self.load
        return self._cached(key, lambda: self._trained(self._load(self.model)))

    def _load(self, name: str, labels: Mapping[int, str] | None = None) -> Any:
        """Return a checkpoint, whose weights are loaded with its first use; those for other labels are new."""
        return CrossEncoderCheckpoint(name, self.max_tokens, self.training.seed, self.load, labels)

    def _trained(self, checkpoint: Any) -> Any:
        """Return a checkpoint that is used as it is; raise `ColieeError` if its classification layer does not suit."""
        check_head(self.model, checkpoint.network.transformers_model)
        labels = checkpoint.network.config.id2label
        if problem := self._problem(labels):
            names = printable_list([*labels.values()])
            help_ = f"Its labels are {names}. Give another model, or fine-tune this one with fit."
            raise ColieeError(f"{self.model} has {problem}.\n{help_}")
        return checkpoint

    def _problem(self, _labels: Mapping[int, str]) -> str:
        """Return why a model with these labels cannot be used as it is, or nothing."""
        return ""

    def _settings(self, _checkpoint: Any) -> dict[str, Any]:
        """Return the settings that a training depends on, besides the model and its options of loading."""
        return {"max_tokens": self.max_tokens, "loss": self.loss}

    @abstractmethod
    def _examples(self, checkpoint: Any, results: pd.DataFrame, qrels: pd.DataFrame) -> Any:
        """Return the training data, as far as they can be known before the weights are loaded."""

    @abstractmethod
    def _job(self, checkpoint: Any, examples: Any, valid: Any, frames: tuple[Any, Any, Any]) -> TrainingJob:
        """Return the training on examples, which are from ``frames``: the results, and those and qrels to validate."""

    @abstractmethod
    def _values(self, logits: Floats) -> Floats:
        """Return the score of each window from its logits."""

    def _scores(self, questions: Sequence[QuestionText]) -> Floats:
        """Return the score of each query and text, pooled over their windows; equal ones have bitwise equal scores."""
        if not questions:
            return np.empty(0)
        windows = self._windows(self._checkpoint(), questions, self.pooling)
        texts = [each for of_question in windows for each in of_question]
        logits = get_scores(texts, self._computed, self.score_store, self._identity, verbose=self.verbose)
        return pool_scores(self._values(logits), [*map(len, windows)], self.pooling)

    def _windows(
        self, checkpoint: Any, questions: Sequence[QuestionText], pooling: Pooling
    ) -> list[list[tuple[str, ...]]]:
        """Return the texts of each window, with a warning about what is not read at once."""
        windows = checkpoint.windows(questions, pooling)
        warn_about_reading([each.reading for each in windows], pooling)
        return [each.texts for each in windows]

    def _computed(self, texts: Sequence[tuple[str, ...]]) -> Iterator[tuple[Sequence[int], Floats]]:
        checkpoint = self._checkpoint()
        lengths = checkpoint.lengths(texts)
        batches = token_batches(lengths, batch_size=self.batch_size, batch_tokens=self.batch_tokens)
        yield from halving(batches, lambda batch: checkpoint.logits([texts[position] for position in batch]))

    def _identity(self) -> str:
        """Return the key of the stored scores: the weights and all settings that affect the logits."""
        checkpoint = self._checkpoint()
        return json.dumps([checkpoint.KIND, *checkpoint.identity, self.load.identity, *checkpoint.settings])


# Reranking by a cross-encoder.


_ONE_SCORE = {0: "relevant"}
_TWO_LABELS = {0: "not relevant", 1: "relevant"}


class PairScorer(CrossEncoderTransformer):
    """Score each candidate with a cross-encoder, which encodes query and text together: R to R.

    The score is in [0, 1]. For a model with one score it is the logistic function of the score, for a model with two
    labels the probability of the second. Without `fit`, the checkpoint is used unchanged, and needs a trained
    classification layer; `fit` gives a new one to a checkpoint without it.

    A text that does not fit into the model's window together with the query is read in overlapping windows, whose
    scores are pooled, and a warning tells how much is read. The query is read whole with each window if it takes at
    most half of the model's window, otherwise only its beginning. `fit` reads the beginning of texts, and
    replaces a classification layer that does not suit the loss: cross-entropy needs two labels, the other losses need
    one score. For a loss on pairs or lists of candidates, queries whose candidates are all relevant or all not are left
    out.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a checkpoint.
    load : LoadOptions
        Number format, device, quantisation and other options of loading the weights.
    training : TrainingOptions
        The options of the training.
    loss : str, optional
        The loss function that the training minimises: ``"binary cross-entropy"`` or ``"cross-entropy"`` (each candidate
        by itself), ``"RankNet"`` or ``"margin"`` (pairs of candidates), ``"ListNet"``, ``"ListMLE"`` or ``"Lambda"``
        (all candidates of a query), ``"contrastive"`` (a relevant candidate, another one, and candidates of other
        queries). By default, binary cross-entropy for a model with one score, cross-entropy for one with two labels.
    batch_size : int
        The largest number of pairs in a batch, for scoring. A batch is halved when memory runs out.
    batch_tokens : int, optional
        The largest number of tokens in a batch, including padding, for scoring.
    max_tokens : int, optional
        The largest number of tokens of query and text together, >= 8. By default, the model's own limit.
    pooling : {"max", "mean", "first"}
        The score of a text that exceeds this limit: the highest score of its windows, because one passage makes a text
        relevant, or their mean. With ``"first"``, only the beginning is read, which takes least time.
    score_store : ScoreStore, optional
        A file of scores. Pairs that this model has scored before, in any process, are not computed again.
    verbose : bool
        Whether to show progress bars.

    Examples
    --------
    >>> scorer = PairScorer("cross-encoder/ms-marco-MiniLM-L6-v2", max_tokens=256)
    >>> scorer.model, scorer.training.epochs
    ('cross-encoder/ms-marco-MiniLM-L6-v2', 3)
    """

    LABEL = "Pair scorer"

    def __init__(self, model: str, *, loss: str | None = None, **options: Any) -> None:
        self.loss = None if loss is None else one_of("loss", loss, list(LOSSES))
        super().__init__(model, **options)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates; missing texts are empty. Raises `ColieeError` for a text that is not a string."""
        return rescored(inp, self._scores(candidate_texts(inp, self)))

    def _problem(self, labels: Mapping[int, str]) -> str:
        number = len(labels)
        return f"{number} labels; a model with one score or two labels is needed" if number > 2 else ""

    def _examples(self, _checkpoint: Any, results: pd.DataFrame, qrels: pd.DataFrame) -> TrainingColumns:
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        candidates = candidate_texts(results, self)
        return training_columns(self.loss or "binary cross-entropy", candidates, result_labels(results, qrels))

    def _job(
        self,
        checkpoint: CrossEncoderCheckpoint,
        examples: TrainingColumns,
        valid: TrainingColumns | None,
        frames: tuple[Any, Any, Any],
    ) -> TrainingJob:
        number = checkpoint.network.num_labels
        loss = self.loss or ("cross-entropy" if number == 2 else "binary cross-entropy")
        labels = _TWO_LABELS if loss == "cross-entropy" else _ONE_SCORE
        if number != len(labels):
            checkpoint = self._load(self.model, labels)
        self._windows(checkpoint, candidate_texts(frames[0], self), "first")  # for its warning
        job = checkpoint.training_job(loss, examples, valid, self.training)
        return job._replace(measured=partial(ranking_value, self, checkpoint, *frames[1:]))

    def _values(self, logits: Floats) -> Floats:
        # in 64 bits, because scores near 1 would not be distinguishable in the model's 32 bits
        return np.asarray(expit(logits[:, 0]) if logits.shape[1] == 1 else softmax(logits, axis=1)[:, 1])


# Answers to questions by a cross-encoder for natural language inference.


# the labels of models for natural language inference, in lower case, the first one that there is
_LABELS = {"Y": ("entailment", "entail"), "N": ("contradiction", "contradict", "not_entailment")}
_NEW_LABELS = {0: "contradiction", 1: "entailment"}  # for a model without such labels


class EntailmentClassifier(CrossEncoderTransformer):
    """Answer yes or no to each query by natural language inference, with its texts as the premise: Q to Q, R to R.

    All rows and columns are kept. As with `Entailment`, the columns ``qanswer`` (Y or N) and ``yes`` are added, so that
    `AnswersAsDocuments` can follow. ``yes`` is the probability of entailment relative to contradiction; the answer is Y
    if it is above 0.5. If a query has several rows, their distinct texts are joined in the order of the frame. A
    premise that does not fit the model's window is read in overlapping windows, whose probabilities are averaged, and a
    warning tells how much is read, as in `PairScorer`.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a checkpoint.
    max_tokens : int, optional
        The largest number of tokens of the question and a window of the text together, >= 8. By default, the model's
        own limit.
    pooling : {"max", "mean", "first"}
        The probability of a text with several windows: by default the mean.
    load, training, batch_size, batch_tokens, score_store, verbose
        As in `PairScorer`. `fit` gives a checkpoint without the labels entailment and contradiction these labels, with
        new weights.

    Examples
    --------
    >>> EntailmentClassifier("facebook/bart-large-mnli", batch_size=4).model
    'facebook/bart-large-mnli'
    """

    LABEL = "NLI classifier"

    loss = "cross-entropy"

    def __init__(self, model: str, *, pooling: Pooling = "mean", **options: Any) -> None:
        super().__init__(model, pooling=pooling, **options)

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises `ColieeError` for a model without the labels entailment and contradiction.
        """
        questions = self._questions(inp)
        warn_about_blank_texts(questions)
        return answered(inp, self._scores(questions))

    def _questions(self, frame: pd.DataFrame) -> list[QuestionText]:
        pt.validate.columns(frame, includes=["qid", "query", "text"], context=self)
        check_ids(frame)
        return question_texts(frame)

    def _problem(self, labels: Mapping[int, str]) -> str:
        return "" if len(_label_of_answer(labels)) == 2 else "no labels entailment and contradiction"

    def _examples(
        self, _checkpoint: Any, topics: pd.DataFrame, qrels: pd.DataFrame
    ) -> list[tuple[QuestionText, Answer]]:
        pt.validate.columns(topics, includes=["qid", "query", "text"], context=self)
        return answered_questions(topics, qrels, self)

    def _job(
        self, checkpoint: CrossEncoderCheckpoint, examples: Any, valid: Any, _frames: tuple[Any, Any, Any]
    ) -> TrainingJob:
        if self._problem(checkpoint.network.config.id2label):
            checkpoint = self._load(self.model, _NEW_LABELS)
        of_valid = None if valid is None else self._columns(checkpoint, valid)
        return checkpoint.training_job(self.loss, self._columns(checkpoint, examples), of_valid, self.training)

    def _columns(
        self, checkpoint: CrossEncoderCheckpoint, examples: Sequence[tuple[QuestionText, Answer]]
    ) -> TrainingColumns:
        label_of = _label_of_answer(checkpoint.network.config.id2label)
        questions, answers = zip(*examples)
        windows = self._windows(checkpoint, questions, self.pooling)
        rows = [(*pair, label_of[answer]) for answer, pairs in zip(answers, windows) for pair in pairs]
        return dict(zip(("text", "query", "label"), map(list, zip(*rows))))

    def _windows(
        self, checkpoint: Any, questions: Sequence[QuestionText], pooling: Pooling
    ) -> list[list[tuple[str, ...]]]:
        """Return the texts as premises, and the queries as what may follow from them."""
        windows = super()._windows(checkpoint, questions, pooling)
        return [[(text, query) for query, text in of_question] for of_question in windows]

    def _values(self, logits: Floats) -> Floats:
        labels = _label_of_answer(self._checkpoint().network.config.id2label)
        return np.asarray(expit(logits[:, labels["Y"]] - logits[:, labels["N"]]))


def _label_of_answer(labels: Mapping[int, str]) -> dict[str, int]:
    """Return the number of the label of Y, entailment, and of N, contradiction, as far as a model has them."""
    numbers = {label.lower(): number for number, label in labels.items()}
    found = {answer: [numbers[name] for name in names if name in numbers] for answer, names in _LABELS.items()}
    return {answer: of_answer[0] for answer, of_answer in found.items() if of_answer}
