"""Answers to questions by a cross-encoder for natural language inference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
from scipy.special import expit

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, printable, printable_list
from ir_coliee.frames import Floats, check_ids
from ir_coliee.models.language_models.language_model import encodable
from ir_coliee.transformers.answers.question_texts import (
    QuestionText,
    question_texts,
    split_in_half,
    warn_about_questions,
)
from ir_coliee.transformers.rerankers.cross_encoder import CrossEncoderTransformer, labels_of_model
from ir_coliee.transformers.rerankers.fine_tuning import TrainingData
from ir_coliee.transformers.rerankers.losses import TrainingColumns
from ir_coliee.transformers.training_labels import answers_by_query, relevant_pairs

# the labels of models for natural language inference, in lower case
_YES_LABELS = ("entailment", "entail")
_NO_LABELS = ("contradiction", "contradict", "not_entailment")
_NEW_LABELS = {0: _NO_LABELS[0], 1: _YES_LABELS[0]}  # for a model without such labels


class EntailmentClassifier(CrossEncoderTransformer):
    """Answer yes or no to each query by natural language inference, with its texts as the premise: Q to Q, R to R.

    All rows and columns are kept. As with `Entailment`, the columns ``qanswer`` (Y or N) and ``yes`` are added, so that
    `AnswersAsDocuments` can follow. ``yes`` is the probability of entailment relative to contradiction; the answer is Y
    if it is above 0.5. If a query has several rows, their distinct texts are joined in the order of the frame. A
    premise that does not fit the model's window is split, between lines where possible; the probabilities of its chunks
    are averaged, and a warning lists the questions.

    Parameters
    ----------
    model : str
        The Hugging Face name or the folder of a checkpoint.
    max_tokens : int, optional
        The largest number of tokens of the question and a chunk of the text together, >= 8. By default, the model's own
        limit.
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
            If all answers are the same, or if an answer is neither Y nor N.
        """
        questions = self._questions(topics, qrels)
        valid = None
        if topics_valid is not None and qrels_valid is not None:
            valid = self._questions(topics_valid, qrels_valid)

        def prepare() -> TrainingData:
            encoder = self._load_for_training()
            in_chunks = None if valid is None else self._examples(encoder, valid)
            return TrainingData(encoder, "cross-entropy", self._examples(encoder, questions), in_chunks)

        self._fine_tune((questions, valid), prepare)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises `ColieeError` for a model without the labels entailment and contradiction, and for a query that is longer
        than the model's window.
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
        chunks = [_chunks(encoder, *question) for question in questions]
        if len(blank := [qid for qid, _, text in questions if not text.strip()]) < len(questions):
            warn_about_questions(blank, "asked without a text, because the text is blank")
        split = [qid for (qid, _, _), of_question in zip(questions, chunks) if len(of_question) > 1]
        warn_about_questions(split, "split into chunks, whose probabilities are averaged")
        logits = self._logits([pair for of_question in chunks for pair in of_question])
        probabilities = expit(logits[:, labels["Y"]] - logits[:, labels["N"]])
        ends = np.cumsum([len(of_question) for of_question in chunks])
        return np.array([each.mean() for each in np.split(probabilities, ends[:-1])], dtype=np.float64)

    def _load_for_training(self) -> Any:
        encoder = self._load()
        if set(_answer_labels(encoder.config)) == {"Y", "N"}:
            return encoder
        return self._load_with_labels(_NEW_LABELS)

    def _questions(self, topics: pd.DataFrame, qrels: pd.DataFrame) -> list[tuple[QuestionText, str]]:
        """Return the answered questions with their answers."""
        pt.validate.columns(topics, includes=["qid", "query", "text"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(topics)
        relevant = relevant_pairs(qrels, self)
        if (unknown := ~relevant["docno"].isin(["Y", "N"]).to_numpy()).any():
            name = printable(str(relevant["qid"].iloc[unknown.argmax()]))
            raise ColieeError(f"Query {name}: its answer in the qrels must be Y or N.")
        answers = answers_by_query(relevant).to_dict()
        answered = topics[topics["qid"].isin(list(answers))]
        numbers, qids = pd.factorize(answered["qid"])
        if len(set(map(answers.__getitem__, qids))) < 2:
            raise InsufficientTrainingDataError(
                f"All {len(qids)} answers are the same; training needs questions with Y and with N."
            )
        return [(question, answers[question[0]]) for question in question_texts(answered, numbers, len(qids))]

    def _examples(self, encoder: Any, questions: Sequence[tuple[QuestionText, str]]) -> TrainingColumns:
        label_of = _label_of_answer(self.model, encoder.config)
        rows = [(*pair, label_of[answer]) for question, answer in questions for pair in _chunks(encoder, *question)]
        return dict(zip(("text", "query", "label"), map(list, zip(*rows))))


def _chunks(encoder: Any, qid: str, query: str, text: str) -> list[tuple[str, str]]:
    """Return pairs of a chunk of the text and the query, each of which fits the model's window."""
    window, query, text = encoder.max_seq_length, encodable(query), encodable(text)

    def fits(chunk: str) -> bool:
        return window is None or len(encoder.tokenizer(chunk, query, verbose=False)["input_ids"]) <= window

    if not fits(""):
        raise ColieeError(
            f"Query {printable(qid)} is longer than the model's limit of {window} tokens, even without a text."
        )
    chunks = [chunk for chunk in _split_to_fit(text, fits) if chunk.strip()]
    return [(chunk, query) for chunk in chunks or [""]]


def _split_to_fit(text: str, fits: Callable[[str], bool]) -> list[str]:
    if len(text) < 2 or fits(text):
        return [text]
    return [chunk for half in split_in_half(text) for chunk in _split_to_fit(half, fits)]


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
