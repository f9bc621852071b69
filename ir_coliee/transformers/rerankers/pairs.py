"""Transformers that encode two texts together with a cross-encoder: scores of candidates, and answers to questions.

Models are given by their Hugging Face name or folder, and loaded when they are first used. The extra ``neural`` is
needed, which includes the packages for fine-tuning. `CrossEncoderTransformer.save` writes a fine-tuned model to a
folder, without any text; the folder can be given in place of a name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy.special import expit, softmax

from ir_coliee.errors import ColieeError, printable_list
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
from ir_coliee.models.adapters import TrainingOptions, base_model, prepare_for_training, save_encoder, save_model
from ir_coliee.models.batches import POOLINGS, Pooling, halving, pool_scores, token_batches, warn_about_reading
from ir_coliee.models.language_model import encodable
from ir_coliee.models.loading import LoadOptions, check_head, folder_hash, requested_identity, weights_identity
from ir_coliee.models.stores import ScoreStore, get_scores
from ir_coliee.models.training import TrainingJob, train
from ir_coliee.transformers.answers.prompting import (
    QuestionText,
    answered_questions,
    question_texts,
    warn_about_questions,
)
from ir_coliee.transformers.estimators import BaseEstimator, result_labels
from ir_coliee.transformers.rerankers.checkpoints import PairWindows, load_cross_encoder, pair_windows
from ir_coliee.transformers.rerankers.training import (
    LOSSES,
    Candidate,
    TrainingColumns,
    ranking_value,
    training_columns,
    training_job,
)


class CrossEncoderTransformer(BaseEstimator):
    """Base class: score pairs of texts with a cross-encoder. See `PairScorer` for the parameters."""

    def __init__(
        self,
        model: str,
        *,
        load: LoadOptions = LoadOptions(),
        training: TrainingOptions = TrainingOptions(),
        batch_size: int = 16,
        batch_tokens: int | None = None,
        max_tokens: int | None = None,
        score_store: ScoreStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.model = check_checkpoint(model)
        self.load = instance_of("load", load, LoadOptions, "LoadOptions")
        self.training = instance_of("training", training, TrainingOptions, "TrainingOptions")
        self.batch_size = integer_at_least("batch_size", batch_size, 1)
        self.batch_tokens = None if batch_tokens is None else integer_at_least("batch_tokens", batch_tokens, 1)
        self.max_tokens = None if max_tokens is None else integer_at_least("max_tokens", max_tokens, 8)
        self.score_store = score_store
        self.verbose = verbose
        self._fitted_hash = ""
        super().__init__()

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
        return save_model(partial(save_encoder, self._encoder()), folder)

    def _encoder(self) -> Any:
        if self._fitted_model is not None:
            return self._fitted_model
        return self._cached((self.model, self.max_tokens, self.training.seed, self.load), self._load_trained)

    def _load_trained(self) -> Any:
        encoder = self._load()
        check_head(self.model, encoder.transformers_model)
        return encoder

    def _load(self, labels: Mapping[int, str] | None = None) -> Any:
        """Load the model; with other labels, their weights are new."""
        return load_cross_encoder(self.model, self.max_tokens, self.training.seed, self.load, labels)

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Return the logits of each pair (row), stored or computed; equal pairs have bitwise equal logits."""
        return get_scores(pairs, self._computed, self.score_store, self._identity, verbose=self.verbose)

    def _computed(self, pairs: Sequence[tuple[str, ...]]) -> Iterator[tuple[Sequence[int], Floats]]:
        import torch

        encoder = self._encoder()

        def compute(batch: Sequence[int]) -> Floats:
            logits = encoder.predict(
                [pairs[position] for position in batch],
                batch_size=len(batch),
                show_progress_bar=False,
                activation_fn=torch.nn.Identity(),
            )
            return np.asarray(logits, dtype=np.float64).reshape(len(batch), -1)

        lengths = _lengths(encoder, pairs)
        batches = token_batches(lengths, batch_size=self.batch_size, batch_tokens=self.batch_tokens)
        yield from halving(batches, compute)

    def _identity(self) -> str:
        """Return the key of the stored scores: the weights and all settings that affect the logits."""
        if self._fitted_model is not None:
            weights = [self._fitted_hash]
        else:
            weights = weights_identity(self.model, self.load.revision, self._encoder)
        return json.dumps(["cross-encoder", *weights, self.load.identity, self.max_tokens, self.training.seed])

    def _fine_tune(
        self, examples: object, prepare: Callable[[], TrainingJob], loss: str | None = "cross-entropy"
    ) -> None:
        """Fine-tune a model, and store it as the fitted model.

        Parameters
        ----------
        examples : object
            The training and validation data, as far as they can be known before a model is loaded.
        prepare : callable
            Function that loads the model and returns its training.
        loss : str, optional
            The name of the loss function; None for the loss of single candidates that suits the model.
        """

        def prepared() -> TrainingJob:
            job = prepare()
            labels = {str(number): label for number, label in labels_of_model(job.model.config).items()}
            base = base_model(str(self.model), self.load, seed=self.training.seed, labels=labels)
            prepare_for_training(job.model.transformers_model, self.training, self.load, base)
            return job

        of_model = {"model": requested_identity(self.model), **self.load.identity, "max_tokens": self.max_tokens}
        settings = {**of_model, "loss": loss}
        of_lists = loss is not None and LOSSES[loss].form != "pairs"
        with train(self.training, settings, examples, prepared, batches_matter=of_lists, verbose=self.verbose) as state:
            self._fitted_hash = folder_hash(Path(state.model))
            self._fitted_model = load_cross_encoder(state.model, self.max_tokens, self.training.seed, self.load)


def labels_of_model(config: Any) -> dict[int, str]:
    """Return the labels of a model by their index."""
    return {int(index): str(label) for index, label in config.id2label.items()}


def _lengths(encoder: Any, pairs: Sequence[tuple[str, ...]]) -> list[int]:
    """Return the number of tokens of each pair, as the encoder truncates it."""
    tokens = encoder.tokenizer(list(pairs), truncation=True, max_length=encoder.max_seq_length, verbose=False)
    return [len(row) for row in tokens["input_ids"]]


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
    most half of the model's window, otherwise only its beginning. `fit` reads the beginning of texts.

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

    def __init__(
        self,
        model: str,
        *,
        load: LoadOptions = LoadOptions(),
        training: TrainingOptions = TrainingOptions(),
        loss: str | None = None,
        batch_size: int = 16,
        batch_tokens: int | None = None,
        max_tokens: int | None = None,
        pooling: Pooling = "max",
        score_store: ScoreStore | None = None,
        verbose: bool = False,
    ) -> None:
        self.pooling = one_of("pooling", pooling, POOLINGS)
        self.loss = None if loss is None else one_of("loss", loss, list(LOSSES))
        super().__init__(
            model,
            load=load,
            training=training,
            batch_size=batch_size,
            batch_tokens=batch_tokens,
            max_tokens=max_tokens,
            score_store=score_store,
            verbose=verbose,
        )

    def fit(
        self,
        topics_and_results: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_and_results_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> PairScorer:
        """Fine-tune the checkpoint on candidates.

        Each call starts from the checkpoint, and is reproducible on the same machine. A classification layer that does
        not suit the loss is replaced: cross-entropy needs two labels, the other losses need one score. For a loss on
        pairs or lists of candidates, queries whose candidates are all relevant or all not are left out.

        Parameters
        ----------
        topics_and_results : pandas.DataFrame
            Candidates with the columns qid, query, docno and text; `hard_negatives` selects them.
        qrels : pandas.DataFrame
            The columns qid, docno and label. A candidate that they do not contain is not relevant. Labels above 1 need
            a loss on lists, ``"RankNet"`` or ``"margin"``.
        topics_and_results_valid, qrels_valid : pandas.DataFrame, optional
            The same for validation. With them, the model of the epoch with the best ``measure`` of the training or the
            lowest validation loss is used, otherwise that of the last epoch.

        Returns
        -------
        PairScorer
            This object, fitted.

        Raises
        ------
        ColieeError
            If all candidates are relevant or none is, if a label does not suit the loss, if the training diverges, or
            if the folder of ``training`` belongs to another training.
        """
        examples = self._examples(topics_and_results, qrels)
        valid = None
        if topics_and_results_valid is not None and qrels_valid is not None:
            valid = self._examples(topics_and_results_valid, qrels_valid)

        def prepare() -> TrainingJob:
            encoder, loss = self._load_for_training()
            _windows(encoder, topics_and_results, "first")
            job = training_job(encoder, loss, examples, valid)
            return job._replace(measured=partial(ranking_value, self, encoder, topics_and_results_valid, qrels_valid))

        self._fine_tune((examples, valid), prepare, loss=self.loss)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates; missing texts are empty. Raises `ColieeError` for a text that is not a string."""
        pt.validate.columns(inp, includes=["qid", "query", "docno", "text"], context=self)
        check_ids(inp)
        scores = self._scores(inp) if len(inp) else np.empty(0)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _scores(self, results: pd.DataFrame) -> Floats:
        windows = _windows(self._encoder(), results, self.pooling)
        logits = self._logits([pair for each in windows for pair in each.pairs])
        # in 64 bits, because scores near 1 would not be distinguishable in the model's 32 bits
        scores = expit(logits[:, 0]) if logits.shape[1] == 1 else softmax(logits, axis=1)[:, 1]
        return pool_scores(np.asarray(scores), [len(each.pairs) for each in windows], self.pooling)

    def _load_trained(self) -> Any:
        encoder = super()._load_trained()
        if encoder.num_labels > 2:
            raise ColieeError(
                f"{self.model} has {encoder.num_labels} labels; a model with one score or two labels is needed.\n"
                f"Its labels are {printable_list(list(labels_of_model(encoder.config).values()))}. "
                "Give another model, or fine-tune this one with fit."
            )
        return encoder

    def _load_for_training(self) -> tuple[Any, str]:
        """Return the model, and the loss that it is trained with."""
        encoder = self._load()
        loss = self.loss or ("cross-entropy" if encoder.num_labels == 2 else "binary cross-entropy")
        labels = _TWO_LABELS if loss == "cross-entropy" else _ONE_SCORE
        return encoder if encoder.num_labels == len(labels) else self._load(labels), loss

    def _examples(self, results: pd.DataFrame, qrels: pd.DataFrame) -> TrainingColumns:
        pt.validate.columns(results, includes=["qid", "query", "docno", "text"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(results)
        candidates = [Candidate(qid, *pair) for qid, pair in zip(results["qid"], _pairs(results))]
        return training_columns(self.loss or "binary cross-entropy", candidates, result_labels(results, qrels))


def _windows(encoder: Any, results: pd.DataFrame, pooling: Pooling) -> list[PairWindows]:
    """Return the windows of results, with a warning about those that are not read at once."""
    windows = pair_windows(encoder, results["qid"].astype(str), _pairs(results), pooling)
    warn_about_reading([each.reading for each in windows], pooling)
    return windows


def _pairs(frame: pd.DataFrame) -> list[tuple[str, str]]:
    queries, texts = (map(encodable, text_values(frame, column)) for column in ("query", "text"))
    return list(zip(queries, texts))


# Answers to questions by a cross-encoder for natural language inference.


# the labels of models for natural language inference, in lower case
_YES_LABELS = ("entailment", "entail")
_NO_LABELS = ("contradiction", "contradict", "not_entailment")
_NEW_LABELS = {0: _NO_LABELS[0], 1: _YES_LABELS[0]}  # for a model without such labels


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
    load, training, batch_size, batch_tokens, score_store, verbose
        As in `PairScorer`.

    Examples
    --------
    >>> EntailmentClassifier("facebook/bart-large-mnli", batch_size=4).model
    'facebook/bart-large-mnli'
    """

    LABEL = "NLI classifier"

    def fit(
        self,
        topics: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> EntailmentClassifier:
        """Fine-tune the checkpoint on questions with texts.

        A checkpoint without the labels entailment and contradiction gets them, with new weights.

        Parameters
        ----------
        topics : pandas.DataFrame
            Questions with the columns qid, query and text.
        qrels : pandas.DataFrame
            The columns qid, docno (Y or N) and label.
        topics_valid, qrels_valid : pandas.DataFrame, optional
            The same for validation, as in `PairScorer.fit`.

        Returns
        -------
        EntailmentClassifier
            This object, fitted.

        Raises
        ------
        ColieeError
            If all answers are the same, or if an answer is none of Y, N, True and False.
        """
        pt.validate.columns(topics, includes=["qid", "query", "text"], context=self)
        questions = answered_questions(topics, qrels, self)
        valid = None
        if topics_valid is not None and qrels_valid is not None:
            pt.validate.columns(topics_valid, includes=["qid", "query", "text"], context=self)
            valid = answered_questions(topics_valid, qrels_valid, self)

        def prepare() -> TrainingJob:
            encoder = self._load_for_training()
            in_windows = None if valid is None else self._examples(encoder, valid)
            return training_job(encoder, "cross-entropy", self._examples(encoder, questions), in_windows)

        self._fine_tune((questions, valid), prepare)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises `ColieeError` for a model without the labels entailment and contradiction.
        """
        pt.validate.columns(inp, includes=["qid", "query", "text"], context=self)
        check_ids(inp)
        numbers, qids = pd.factorize(inp["qid"])
        yes = self._yes_probabilities(question_texts(inp, numbers, len(qids))) if len(inp) else np.empty(0)
        answers = np.where(yes > 0.5, "Y", "N").astype(object)
        frame: pd.DataFrame = inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)
        return frame

    def _yes_probabilities(self, questions: Sequence[QuestionText]) -> Floats:
        encoder = self._encoder()
        labels = _label_of_answer(self.model, encoder.config)
        premises = _premises(encoder, questions)
        if len(blank := [qid for qid, _, text in questions if not text.strip()]) < len(questions):
            warn_about_questions(blank, "asked without a text, because the text is blank")
        logits = self._logits([pair for of_question in premises for pair in of_question])
        probabilities = expit(logits[:, labels["Y"]] - logits[:, labels["N"]])
        return pool_scores(probabilities, [len(of_question) for of_question in premises], "mean")

    def _load_for_training(self) -> Any:
        encoder = self._load()
        if set(_answer_labels(encoder.config)) == {"Y", "N"}:
            return encoder
        return self._load(_NEW_LABELS)

    def _examples(self, encoder: Any, questions: Sequence[tuple[QuestionText, str]]) -> TrainingColumns:
        label_of = _label_of_answer(self.model, encoder.config)
        premises = _premises(encoder, [question for question, _ in questions])
        rows = [(*pair, label_of[answer]) for (_, answer), pairs in zip(questions, premises) for pair in pairs]
        return dict(zip(("text", "query", "label"), map(list, zip(*rows))))


def _premises(encoder: Any, questions: Sequence[QuestionText]) -> list[list[tuple[str, str]]]:
    """Return for each question the pairs of a window of its text and the question that the model reads."""
    pairs = [(encodable(query), encodable(text)) for _, query, text in questions]
    windows = pair_windows(encoder, [qid for qid, _, _ in questions], pairs, "mean")
    warn_about_reading([each.reading for each in windows], "mean")
    return [[(text, query) for query, text in each.pairs] for each in windows]


def _answer_labels(config: Any) -> dict[str, int]:
    """Return the index of the labels entailment (Y) and contradiction (N), if the model has them."""
    indexes = {label.lower(): index for index, label in labels_of_model(config).items()}
    labels = {
        answer: next(filter(indexes.__contains__, names), None)
        for answer, names in (("Y", _YES_LABELS), ("N", _NO_LABELS))
    }
    return {answer: indexes[label] for answer, label in labels.items() if label is not None}


def _label_of_answer(model: str, config: Any) -> dict[str, int]:
    if set(labels := _answer_labels(config)) != {"Y", "N"}:
        names = printable_list(list(labels_of_model(config).values()))
        raise ColieeError(
            f"{model} has no labels entailment and contradiction.\nIts labels are {names}. "
            "Give a model for natural language inference, or fine-tune this one with fit."
        )
    return labels
