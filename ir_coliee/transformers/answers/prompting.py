"""Base class of the transformers that prompt a language model for yes or no."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import cycle, islice

import numpy as np

from ir_coliee.errors import ColieeError, printable
from ir_coliee.frames import Floats, instance_of, integer_at_least, one_of, shown
from ir_coliee.models.language_models.language_model import (
    HasWindow,
    LanguageModel,
    Question,
    Reply,
    answers_when_cut,
    shown_model,
)
from ir_coliee.models.language_models.local import LocalModel
from ir_coliee.models.language_models.requests import get_replies
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.text.japanese_writing import is_japanese
from ir_coliee.text.templates import Conversation, Solved, Template
from ir_coliee.text.templates import template as template_of
from ir_coliee.text.yes_no import Answer, yes_or_no
from ir_coliee.transformers.answers.few_shot_examples import FewShotExamples
from ir_coliee.transformers.answers.question_texts import QuestionText, split_in_half, warn_about_questions
from ir_coliee.transformers.estimators import FittableTransformer


class YesNoPrompting(FittableTransformer):
    """Base class: prompt a language model for yes or no. See `Entailment` for the parameters."""

    def __init__(
        self,
        model: LanguageModel,
        template: str,
        *,
        examples: FewShotExamples | None,
        samples: int,
        window: int | None,
        default: Answer,
        training: TrainingOptions,
        reply_store: ReplyStore | None,
        verbose: bool,
    ) -> None:
        super().__init__()
        template_of(template)  # raises for an unknown template
        self.model = model
        self.template = template
        self.examples = examples
        self.samples = integer_at_least("samples", samples, 1)
        if self.samples > 1 and getattr(model, "temperature", None) == 0:
            raise ValueError(
                f"samples={shown(samples)} needs a model with temperature > 0; at 0 all samples are equal."
            )
        self.window = None if window is None else integer_at_least("window", window, 1)
        self.default = one_of("default", default, ("Y", "N"))
        self.training = instance_of("training", training, TrainingOptions, "TrainingOptions")
        self.reply_store = reply_store
        self.verbose = verbose

    def save(self, folder: str | os.PathLike[str]) -> str:
        """Write the fine-tuned model to a new folder. See `ir_coliee.models.LocalModel.save`."""
        saved: str = self.fitted_model().save(folder)
        return saved

    def _fit(self, questions: Sequence[QuestionText], answers: Sequence[Answer]) -> None:
        """Fine-tune the model on questions with both answers, each equally often."""
        if not isinstance(self.model, LocalModel):
            kind = type(self.model).__name__
            raise ColieeError(f"Only a model on this machine can be fine-tuned. Give a LocalModel instead of {kind}.")
        template = template_of(self.template)
        solved = self.examples.choose(questions) if self.examples else [[]] * len(questions)
        conversations = [
            template.conversation(question.query, question.text, examples)
            for question, examples in zip(questions, solved)
        ]
        rows = balanced_rows(answers)
        replies = [template.reply(answers[row]) for row in rows]
        self._fitted_model = self.model.fit(
            [conversations[row] for row in rows], replies, self.training, verbose=self.verbose
        )

    @property
    def _asked(self) -> LanguageModel:
        """The model that is asked: the fine-tuned one after `fit`."""
        return self.model if self._fitted_model is None else self._fitted_model

    def _yes_probabilities(self, questions: Sequence[QuestionText]) -> Floats:
        """Return the probability of yes for each question: the mean of its chunks and samples that have an answer."""
        template = template_of(self.template)
        if len(blank := [qid for qid, _, text in questions if not text.strip()]) < len(questions):
            warn_about_questions(blank, "asked without a text, because the text is blank")
        language = "not Japanese" if template.japanese else "Japanese"
        mismatched = _in_another_language(template, questions)
        warn_about_questions(mismatched, f"{language}, unlike the prompt {printable(self.template)}")
        requests = self._requests(questions)
        split = [qid for (qid, _, _), asked in zip(questions, requests) if len(asked) > self.samples]
        warn_about_questions(split, "split into chunks, whose probabilities are averaged")
        replies = self._replies([request for of_question in requests for request in of_question])
        answers = {request: _probability(reply) for request, reply in replies.items()}
        given = [
            [answer for request in of_question if (answer := answers[request]) is not None] for of_question in requests
        ]
        self._warn_about_answers([qid for qid, _, _ in questions], requests, replies, given)
        default = float(self.default == "Y")
        return np.array([np.mean(each) if each else default for each in given], dtype=np.float64)

    def _warn_about_answers(
        self,
        qids: Sequence[str],
        requests: Sequence[Sequence[Question]],
        replies: Mapping[Question, Reply],
        given: Sequence[Sequence[float]],
    ) -> None:
        missing = [len(of_question) - len(answers) for of_question, answers in zip(requests, given)]
        truncated = [
            qid
            for qid, num_missing, of_question in zip(qids, missing, requests)
            if num_missing and any(replies[request].truncated for request in of_question)
        ]
        default = f"the default is {self.default}"
        cut_off = f"cut off at the token limit before an answer ({default}); use a larger max_tokens"
        warn_about_questions(truncated, cut_off, depth=6)
        others = [each for each in zip(qids, missing, given) if each[0] not in set(truncated)]
        unclear = [qid for qid, _, answers in others if not answers]
        warn_about_questions(unclear, f"answered with neither yes nor no twice ({default})", depth=6)
        partly = [qid for qid, num_missing, answers in others if num_missing and answers]
        warn_about_questions(partly, "answered by some of the replies; the others do not count", depth=6)

    def stored_replies(self, question: QuestionText) -> dict[Question, Reply]:
        """Return what the reply store has for a question, without asking the model.

        Parameters
        ----------
        question : QuestionText
            The question with its text, as the transformer asks it.

        Returns
        -------
        dict of Question to Reply
            The prompts of the chunks and samples that have a reply. It is empty without a reply store.
        """
        if self.reply_store is None:
            return {}
        first = self._requests([question])[0]
        repeated = [request._replace(sample=request.sample + self.samples) for request in first]
        return self.reply_store.find(self._asked.identity, [*first, *repeated])

    def _requests(self, questions: Sequence[QuestionText]) -> list[list[Question]]:
        """Return the prompts of each question, of all its chunks and samples."""
        template = template_of(self.template)
        examples = self.examples.choose(questions) if self.examples else [[]] * len(questions)

        def requests(question: QuestionText, solved: Sequence[Solved]) -> list[Question]:
            prompt = partial(template.conversation, question.query, solved=solved)
            chunks = self._chunks(question.qid, question.text, prompt)
            return [
                Question(prompt(chunk), sample, template.schema) for chunk in chunks for sample in range(self.samples)
            ]

        return [*map(requests, questions, examples)]

    def _replies(self, requests: Sequence[Question]) -> dict[Question, Reply]:
        """Return the reply to each request. A request whose reply is neither yes nor no is made once more."""
        ask = partial(get_replies, self._asked, store=self.reply_store, verbose=self.verbose)
        first = ask(requests, description="asking" if self.samples == 1 else f"asking, {self.samples} samples of each")
        repeated = {
            request: request._replace(sample=request.sample + self.samples)
            for request, reply in first.items()
            if _probability(reply) is None
        }
        second = ask(repeated.values(), description="asking again, as replies were neither yes nor no")
        return first | {request: second[again] for request, again in repeated.items()}

    def _chunks(self, qid: str, text: str, prompt: Callable[[str], Conversation]) -> list[str]:
        """Split the text into chunks that fit ``window``, in characters, and the window of the model, if it has one."""
        chunks = [text] if self.window is None or len(text) <= self.window else _split_lines(text, self.window)
        if isinstance(self._asked, HasWindow):
            fits = self._asked.fits
            fitting = (self._fitting(qid, each, lambda chunk: fits(prompt(chunk))) for each in chunks)
            chunks = [part for parts in fitting for part in parts]
        return [chunk for chunk in chunks if chunk.strip()] or [""]

    def _fitting(self, qid: str, text: str, fits: Callable[[str], bool]) -> list[str]:
        """Halve the text until its chunks fit. Raises `ColieeError` if not even one character fits."""
        if fits(text):
            return [text]
        if len(text) < 2:
            remedy = "Use fewer few-shot examples, or" if self.examples else "Use"
            raise ColieeError(
                f"Query {printable(qid)} without a text exceeds the model's window.\n"
                f"The model is {shown_model(self._asked)}. {remedy} a model with a longer window."
            )
        return [chunk for half in split_in_half(text) for chunk in self._fitting(qid, half, fits)]


def balanced_rows(answers: Sequence[Answer]) -> list[int]:
    """Return the rows of answers, those of the rarer answer repeatedly, so that both are equally frequent.

    Examples
    --------
    >>> balanced_rows(["N", "Y", "N", "N"])
    [0, 1, 2, 3, 1, 1]
    """
    rows: dict[str, list[int]] = {"Y": [], "N": []}
    for row, answer in enumerate(answers):
        rows[answer].append(row)
    rarer, other = sorted(rows.values(), key=len)
    return [*range(len(answers)), *islice(cycle(rarer), len(other) - len(rarer))]


def _in_another_language(template: Template, questions: Iterable[QuestionText]) -> list[str]:
    """Return the questions whose language is not that of the prompt: Japanese or not."""
    japanese = [(qid, is_japanese(query)) for qid, query, _ in questions]
    return [qid for qid, is_ja in japanese if None not in (is_ja, template.japanese) and is_ja != template.japanese]


def _split_lines(text: str, size: int) -> list[str]:
    """Split a text into chunks of at most ``size`` characters, between lines where lines are not longer."""
    chunks = [""]
    for line in text.splitlines(keepends=True):
        for start in range(0, len(line), size):
            piece = line[start : start + size]
            if len(chunks[-1]) + len(piece) > size:
                chunks.append("")
            chunks[-1] += piece
    return chunks


def reply_answer(reply: Reply) -> Answer | None:
    """Read the answer of a reply's text; None if it is neither yes nor no.

    A reply that was cut off at the token limit has an answer only if it begins with it, as with a limit of one token.
    """
    if reply.truncated and not answers_when_cut(reply):
        return None
    return yes_or_no(reply.text)


def _probability(reply: Reply) -> float | None:
    """Return the probability of yes of a reply, None if it is neither yes nor no."""
    if reply.yes is not None:
        return reply.yes
    answer = reply_answer(reply)
    return None if answer is None else float(answer == "Y")
