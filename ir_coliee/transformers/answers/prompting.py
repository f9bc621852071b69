"""Textual entailment by a language model: whether a statement follows from articles, or a fragment from a paragraph.

A pipeline for task 4 is ``QuotedArticles(id) >> Entailment(model) >> AnswersAsDocuments()``. In the combined task of
2026, the articles are retrieved: ``bm25 % 5 >> texts >> Entailment(model)`` keeps the rows of the articles and adds
``qanswer`` to each, which is the form that `ir_coliee.GatedAccuracy` needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, cycle, islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, printable, printable_list, warn
from ir_coliee.frames import Floats, check_ids, instance_of, integer_at_least, one_of, shown, text_values
from ir_coliee.models.adapters import TrainingOptions
from ir_coliee.models.language_model import (
    HasWindow,
    LanguageModel,
    Question,
    Reply,
    answers_when_cut,
    encodable,
    shown_model,
)
from ir_coliee.models.local import LocalModel
from ir_coliee.models.replies import Answer, yes_or_no
from ir_coliee.models.stores import ReplyStore, get_replies
from ir_coliee.models.templates import Conversation, Solved
from ir_coliee.models.templates import template as template_of
from ir_coliee.text.japanese import is_japanese
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers.answers.votes import ANSWER_OF_DOCUMENT
from ir_coliee.transformers.estimators import (
    FittableTransformer,
    answers_by_query,
    check_both_classes,
    check_candidates,
    relevant_pairs,
    rescored,
    result_labels,
)
from ir_coliee.transformers.retrieval.indexes import LexicalIndex

if TYPE_CHECKING:
    from ir_coliee.releases.statutes import Question as ExamQuestion


# Few-shot examples for a prompt: the most similar labelled questions, half of them answered with yes.


@dataclass(frozen=True)
class FewShotExamples:
    """Choose labelled questions of a split as few-shot examples for other questions.

    The examples are those with the highest TF-IDF cosine of articles and question together. Half of them have the
    answer yes and half the answer no; if ``number`` is odd, the remaining example is the most similar question of those
    that are left. Questions of the same exam year, and the question itself, are excluded. The most similar example
    comes last, next to the question.

    AMHR used balanced, similar examples in task 4 of COLIEE 2023; the order was chosen for this package.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A labelled split of task 4, in one language.
    number : int
        The number of examples for each question, >= 1.

    Examples
    --------
    >>> examples = FewShotExamples("coliee/task4/sample/en/train", number=2)
    >>> [example.answer for example in examples.choose([("R99-01-A", "A pledge of a boat", "")])[0]]
    ['Y', 'N']
    """

    dataset: Dataset
    number: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "dataset", as_split(self.dataset).id)
        integer_at_least("number", self.number, 1)

    @cached_property
    def _questions(self) -> dict[str, ExamQuestion]:
        questions = ir_datasets.load(f"{self.dataset}/full").queries_iter()
        labelled = {q.query_id: q for q in questions if getattr(q, "label", None) in ("Y", "N")}
        if not labelled:
            raise ColieeError(f"{self.dataset} has no labelled questions. Give the id of a labelled split of task 4.")
        return labelled

    @cached_property
    def _index(self) -> LexicalIndex:
        corpus = [{"docno": name, "text": f"{q.t1}\n{q.statement}"} for name, q in self._questions.items()]
        japanese = ir_datasets.load(self.dataset).queries_lang() == "ja"
        return LexicalIndex.build(corpus, analyser="bigrams" if japanese else "words")

    def choose(self, questions: Sequence[tuple[str, str, str]]) -> list[list[Solved]]:
        """Choose the examples for each question.

        Parameters
        ----------
        questions : sequence of tuple
            The id, the question and its articles, as in
            `ir_coliee.transformers.answers.prompting.QuestionText`.

        Returns
        -------
        list of list of Solved
            The examples for each question, the most similar last; fewer than ``number`` if the split does not have
            enough.

        Raises
        ------
        ColieeError
            If the split has no labelled question.
        """
        texts = pd.DataFrame(
            [(str(row), f"{text}\n{query}") for row, (_, query, text) in enumerate(questions)],
            columns=["qid", "query"],
        )
        ranked = self._index.tf_idf(num_results=len(self._index))(texts)
        most_similar = ranked.groupby("qid", sort=False)["docno"].agg(list).to_dict()
        return [self._balanced(qid, most_similar.get(str(row), [])) for row, (qid, _, _) in enumerate(questions)]

    def _balanced(self, qid: str, most_similar: list[str]) -> list[Solved]:
        year = exam_id(qid).year
        others = [
            self._questions[other]
            for other in most_similar
            if other != qid and not (year and self._questions[other].year == year)
        ]
        half, odd = divmod(self.number, 2)
        chosen = {q.query_id for label in ("Y", "N") for q in [q for q in others if q.label == label][:half]}
        chosen |= {q.query_id for q in [q for q in others if q.query_id not in chosen][:odd]}
        return [Solved(q.statement, q.t1, q.label) for q in reversed(others) if q.query_id in chosen]


# Questions with their texts, read from the columns of a frame.


_SEPARATOR = "\n\n"


class QuestionText(NamedTuple):
    """A question with the text that it is answered from.

    Attributes
    ----------
    qid : str
        The id of the question.
    query : str
        The question.
    text : str
        The text, for example of articles; empty for none.
    """

    qid: str
    query: str
    text: str


def question_texts(frame: pd.DataFrame) -> list[QuestionText]:
    """Return each query of a frame with the texts of its rows.

    Parameters
    ----------
    frame : pandas.DataFrame
        The columns qid and query, and optionally text.

    Returns
    -------
    list of QuestionText
        The queries in order of appearance. Their texts are joined in the order of the frame; repeated texts of a query
        and blank texts are left out.

    Raises
    ------
    ColieeError
        If a query or text is not a string.
    """
    texts: dict[object, dict[str, None]] = {}  # ordered, without duplicates
    for qid, text in zip(frame["qid"], text_values(frame, "text") if "text" in frame.columns else [""] * len(frame)):
        texts.setdefault(qid, {}).update({text: None} if text.strip() else {})
    queries = frame.drop_duplicates("qid")
    return [
        QuestionText(str(qid), encodable(query), encodable(_SEPARATOR.join(texts[qid])))
        for qid, query in zip(queries["qid"], text_values(queries, "query"))
    ]


def candidate_texts(results: pd.DataFrame, context: pt.Transformer) -> list[QuestionText]:
    """Return the query and the text of each candidate (qid, query, docno, text). A missing text is empty."""
    check_candidates(results, context)
    queries, texts = (map(encodable, text_values(results, column)) for column in ("query", "text"))
    return [QuestionText(*row) for row in zip(map(str, results["qid"]), queries, texts)]


def answered(frame: pd.DataFrame, yes: Floats, default: Answer = "N") -> pd.DataFrame:
    """Return a frame with the columns qanswer and yes, from the probability of yes of each query.

    >>> answered(pd.DataFrame({"qid": ["1", "2", "1"]}), np.array([0.75, 0.5]))["qanswer"].tolist()
    ['Y', 'N', 'Y']
    """
    numbers = pd.factorize(frame["qid"])[0]
    answers = np.where(yes == 0.5, default, np.where(yes > 0.5, "Y", "N")).astype(object)
    return frame.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)


def split_to_fit(text: str, fits: Callable[[str], bool]) -> list[str]:
    r"""Halve a text, after the line that ends nearest to its middle, until its parts fit or have a single character.

    >>> split_to_fit("one\ntwo\nthree\n", lambda part: len(part) < 9)
    ['one\ntwo\n', 'three\n']
    """
    if len(text) < 2 or fits(text):
        return [text]
    middle = len(text) // 2
    ends = [end for end in accumulate(map(len, text.splitlines(keepends=True))) if end < len(text)]
    end = min(ends, key=lambda end: abs(end - middle), default=middle)
    return [*split_to_fit(text[:end], fits), *split_to_fit(text[end:], fits)]


def warn_about_questions(qids: Iterable[str], problem: str) -> None:
    """Warn with a `ColieeWarning` that lists the questions, each once; do nothing if there is none."""
    if unique := list(dict.fromkeys(qids)):
        questions = "1 question was" if len(unique) == 1 else f"{len(unique)} questions were"
        warn(f"{questions} {problem}: {printable_list(unique)}.")


def warn_about_blank_texts(questions: Sequence[QuestionText]) -> None:
    """Warn about the questions without a text, if others have one."""
    if len(blank := [qid for qid, _, text in questions if not text.strip()]) < len(questions):
        warn_about_questions(blank, "asked without a text, because the text is blank")


class YesNoPrompting(FittableTransformer):
    """Base class: prompt a language model for yes or no. See `Entailment` for the parameters."""

    #: The template that is used by default.
    TEMPLATE: ClassVar[str]

    def __init__(
        self,
        model: LanguageModel,
        template: str | None = None,
        *,
        examples: FewShotExamples | None = None,
        samples: int = 1,
        window: int | None = None,
        default: Answer = "N",
        training: TrainingOptions = TrainingOptions(),
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__()
        self.template = self.TEMPLATE if template is None else template
        template_of(self.template)  # raises for an unknown template
        self.model = model
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
        return self.fitted_model().save(folder)

    def _fit(self, questions: Sequence[QuestionText], answers: Sequence[Answer]) -> None:
        """Fine-tune the model on questions with both answers, each equally often."""
        if not isinstance(self.model, LocalModel):
            kind = type(self.model).__name__
            raise ColieeError(f"Only a model on this machine can be fine-tuned. Give a LocalModel instead of {kind}.")
        prompts = [prompt(question.text) for prompt, question in zip(self._prompts(questions), questions)]
        rows = balanced_rows(answers)
        replies = [template_of(self.template).reply(answers[row]) for row in rows]
        self._fitted_model = self.model.fit(
            [prompts[row] for row in rows], replies, self.training, verbose=self.verbose
        )

    def _prompts(self, questions: Sequence[QuestionText]) -> list[Callable[[str], Conversation]]:
        """Return for each question the function from a text to its prompt."""
        solved = self.examples.choose(questions) if self.examples else [[]] * len(questions)
        conversation = template_of(self.template).conversation
        return [partial(conversation, query, solved=examples) for (_, query, _), examples in zip(questions, solved)]

    @property
    def _asked(self) -> LanguageModel:
        """The model that is asked: the fine-tuned one after `fit`."""
        return self.model if self._fitted_model is None else self._fitted_model

    def _yes_probabilities(self, questions: Sequence[QuestionText]) -> Floats:
        """Return the probability of yes for each question: the mean of its chunks and samples that have an answer."""
        warn_about_blank_texts(questions)
        self._warn_about_language(questions)
        schema = template_of(self.template).schema
        requests = [
            [
                Question(prompt(chunk), sample, schema)
                for chunk in self._chunks(qid, text, prompt)
                for sample in range(self.samples)
            ]
            for (qid, _, text), prompt in zip(questions, self._prompts(questions))
        ]
        qids = [qid for qid, _, _ in questions]
        split = [qid for qid, asked in zip(qids, requests) if len(asked) > self.samples]
        warn_about_questions(split, "split into chunks, whose probabilities are averaged")
        replies = self._replies([request for of_question in requests for request in of_question])
        given = [
            [yes for request in of_question if (yes := _probability(replies[request])) is not None]
            for of_question in requests
        ]
        self._warn_about_answers(qids, requests, replies, given)
        default = float(self.default == "Y")
        return np.array([np.mean(each) if each else default for each in given], dtype=np.float64)

    def _warn_about_language(self, questions: Sequence[QuestionText]) -> None:
        """Warn about the questions whose language is not that of the prompt: Japanese or not."""
        prompt_is = template_of(self.template).japanese
        if prompt_is is not None:
            others = [qid for qid, query, _ in questions if is_japanese(query) is (not prompt_is)]
            language = "not Japanese" if prompt_is else "Japanese"
            warn_about_questions(others, f"{language}, unlike the prompt {printable(self.template)}")

    def _warn_about_answers(
        self,
        qids: Sequence[str],
        requests: Sequence[Sequence[Question]],
        replies: Mapping[Question, Reply],
        given: Sequence[Sequence[float]],
    ) -> None:
        fewer = [each for each in zip(qids, requests, given) if len(each[2]) < len(each[1])]
        cut = {qid for qid, asked, _ in fewer if any(replies[request].truncated for request in asked)}
        default = f"the default is {self.default}"
        problem = f"cut off at the token limit before an answer ({default}); use a larger max_tokens"
        warn_about_questions([qid for qid, _, _ in fewer if qid in cut], problem)
        unclear = [qid for qid, _, answers in fewer if not answers and qid not in cut]
        warn_about_questions(unclear, f"answered with neither yes nor no twice ({default})")
        partly = [qid for qid, _, answers in fewer if answers and qid not in cut]
        warn_about_questions(partly, "answered by some of the replies; the others do not count")

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
        model = self._asked if isinstance(self._asked, HasWindow) else None

        def fits(chunk: str) -> bool:
            is_short = self.window is None or len(chunk) <= self.window
            return is_short and (model is None or model.fits(prompt(chunk)))

        chunks = split_to_fit(text, fits)
        if any(len(chunk) < 2 and not fits(chunk) for chunk in chunks):
            remedy = "Use fewer few-shot examples, or" if self.examples else "Use"
            raise ColieeError(
                f"Query {printable(qid)} without a text exceeds the model's window.\n"
                f"The model is {shown_model(self._asked)}. {remedy} a model with a longer window."
            )
        return [chunk for chunk in chunks if chunk.strip()] or [""]


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


# The correct answers of questions, for training.


def labelled_questions(
    topics: pd.DataFrame, qrels: pd.DataFrame, context: pt.Transformer
) -> list[tuple[QuestionText, Answer]]:
    """Return the questions of a frame that the qrels answer, with their correct answers.

    Parameters
    ----------
    topics : pandas.DataFrame
        Questions with the columns qid and query, and text if there are texts.
    qrels : pandas.DataFrame
        The columns qid, docno (Y or N, in the pilot True or False) and label.
    context : pyterrier.Transformer
        The transformer that is fitted, for messages.

    Raises
    ------
    ColieeError
        If a question has no id or no string as its text, two answers, or another one.
    """
    check_ids(topics)
    relevant = relevant_pairs(qrels, context)
    named = answers_by_query(relevant[relevant["qid"].isin(topics["qid"])])
    if (unknown := ~named.isin(ANSWER_OF_DOCUMENT).to_numpy()).any():
        qid = printable(str(named.index[int(unknown.argmax())]))
        raise ColieeError(f"Query {qid}: its answer in the qrels must be Y or N, or True or False in the pilot.")
    answers = {str(qid): ANSWER_OF_DOCUMENT[docno] for qid, docno in named.items()}
    questions = question_texts(topics[topics["qid"].isin(list(answers))])
    return [(question, answers[question.qid]) for question in questions]


def answered_questions(
    topics: pd.DataFrame, qrels: pd.DataFrame, context: pt.Transformer
) -> list[tuple[QuestionText, Answer]]:
    """Return `labelled_questions`; raise `InsufficientTrainingDataError` if not both answers occur."""
    questions = labelled_questions(topics, qrels, context)
    if len({answer for _, answer in questions}) < 2:
        raise InsufficientTrainingDataError(
            f"The {len(questions)} answers are not of both kinds; training needs questions with yes and with no."
        )
    return questions


# Textual entailment by a language model: whether a statement follows from articles, or a fragment from a paragraph.


class Entailment(YesNoPrompting):
    """Answer yes or no to each query with a language model, given the query's texts: Q to Q, R to R.

    The texts are in the column ``text``. If a query has several rows, their distinct texts are joined in the order of
    the frame. Without the column, or if all texts are blank, the prompt has no text. All rows and columns are kept; the
    columns ``qanswer`` (Y or N) and ``yes`` (the probability of yes, in [0, 1]) are added.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str, optional
        The name of one of `ir_coliee.models.templates`, or the path of a file. By default ``plain.en``.
    examples : FewShotExamples, optional
        Chooses labelled questions that the prompt shows as examples.
    samples : int
        The number of replies to each question, >= 1 (self-consistency [1]_). ``yes`` is the mean over the replies that
        have an answer: the share of yes, or the mean of their probabilities. Above 1, the model needs a temperature
        above 0. Each sample has a seed of its own.
    window : int, optional
        The largest number of characters of text in one prompt. A longer text is split into chunks whose probabilities
        are averaged, and a warning lists the questions. A text that exceeds the model's own window, such as that of a
        `LocalModel`, is split in the same way.
    default : {'N', 'Y'}
        The answer if no reply says yes or no, not even when asked once more, and if the mean probability is 0.5.
    training : TrainingOptions
        The options of `fit`.
    reply_store : ReplyStore, optional
        A file of replies, from which a stopped run continues.
    verbose : bool
        Whether to show progress.

    Warns
    -----
    ColieeWarning
        For questions without a text if other questions have one, for questions in another language than the prompt, for
        questions without an answer or with fewer answers than samples, and for replies that were cut off at the token
        limit; each with the number of questions and their ids.

    References
    ----------
    .. [1] X. Wang et al., Self-consistency improves chain of thought reasoning in language models, ICLR 2023.

    Examples
    --------
    >>> from ir_coliee.models import Reply
    >>> class Cautious:
    ...     identity = "cautious"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply("Answer: no"))
    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp is a person."]})
    >>> Entailment(Cautious(), "steps.en")(questions).qanswer.tolist()
    ['N']
    """

    LABEL = "Entailment"
    TEMPLATE = "plain.en"

    def fit(self, topics: pd.DataFrame, qrels: pd.DataFrame) -> Entailment:
        """Fine-tune the model, a `LocalModel`, on questions with texts.

        The model learns to reply to the prompts of this transformer with the answer alone, in the words of the
        template. Questions of the rarer answer are repeated, so that both answers are equally frequent; questions that
        do not fit the model's window are left out, with a warning. Each call starts from ``model``.

        Parameters
        ----------
        topics : pandas.DataFrame
            Questions with the columns qid and query, and with text as in `transform`.
        qrels : pandas.DataFrame
            The columns qid, docno (Y or N, in the pilot True or False) and label. Questions without an answer are left
            out.

        Returns
        -------
        Entailment
            This object, fitted.

        Raises
        ------
        ColieeError
            If the model is not a `LocalModel`, if not both answers occur, or if the training fails.
        """
        pt.validate.columns(topics, includes=["qid", "query"], context=self)
        questions, answers = zip(*answered_questions(topics, qrels, self))
        self._fit(questions, answers)
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises the errors of the model, and `ColieeError` for a query without an id, a query that is not a string, and a
        query that does not fit the model's window even without a text.
        """
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        return answered(inp, self._yes_probabilities(question_texts(inp)), self.default)


class CandidateEntailment(YesNoPrompting):
    """Score each candidate by the probability that its text entails the query, given by a language model: R to R.

    Use it as a reranker for task 2 (template ``entails.en``) and for the claims of the pilot (``claim.ja``).

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str, optional
        The name of one of `ir_coliee.models.templates`, or the path of a file. By default ``entails.en``.
    examples, samples, window, default, training, reply_store, verbose
        As in `Entailment`. The score is the mean probability of yes, in [0, 1].

    Examples
    --------
    >>> from ir_coliee.models import Reply
    >>> class Fond:
    ...     identity = "of lamps"
    ...     def ask(self, questions, on_reply):
    ...         for question in questions:
    ...             on_reply(question, Reply("Yes" if "lamp" in question.conversation[-1].content else "No"))
    >>> pool = pd.DataFrame({"qid": "900", "query": "It shines.", "docno": ["1", "2"], "text": ["A gate.", "A lamp."]})
    >>> CandidateEntailment(Fond(), "entails.en")(pool.assign(score=0.0)).docno.tolist()
    ['2', '1']
    """

    LABEL = "Candidate entailment"
    TEMPLATE = "entails.en"

    def fit(self, topics_and_results: pd.DataFrame, qrels: pd.DataFrame) -> CandidateEntailment:
        """Fine-tune the model, a `LocalModel`, on candidates.

        The model learns to reply yes to the prompts of relevant candidates and no to the others, in the words of the
        template. Relevant candidates are repeated until they are as many as the others, so select these, for example
        with `hard_negatives`. Candidates that do not fit the model's window are left out, with a warning. Each call
        starts from ``model``.

        Parameters
        ----------
        topics_and_results : pandas.DataFrame
            Candidates with the columns qid, query, docno and text.
        qrels : pandas.DataFrame
            The columns qid, docno and label. A candidate that they do not contain is not relevant.

        Returns
        -------
        CandidateEntailment
            This object, fitted.

        Raises
        ------
        ColieeError
            If the model is not a `LocalModel`, if all candidates are relevant or none is, or if the training fails.
        """
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        questions = candidate_texts(topics_and_results, self)
        labels = result_labels(topics_and_results, qrels)
        check_both_classes(labels)
        self._fit(questions, ["Y" if label > 0 else "N" for label in labels])
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises the errors of `Entailment.transform`."""
        return rescored(inp, self._yes_probabilities(candidate_texts(inp, self)))
