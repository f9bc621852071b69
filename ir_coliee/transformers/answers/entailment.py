"""Language models as judges: does a statement follow from its articles, does a paragraph entail a fragment?

A pipeline for task 4 is ``QuotedArticles(id) >> Entailment(model) >> AnswersAsDocuments()``. For 2026's combined task
the articles are retrieved ones with their texts, and their rows stay: after ``bm25 % 5 >> texts >> Entailment(model)``
each bears the answer as ``qanswer``, as `ir_coliee.GatedAccuracy` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.arguments import integer_at_least
from ir_coliee.errors import ColieeError, shown
from ir_coliee.frames import check_ids, sort_results, text_values
from ir_coliee.models.asking import replies
from ir_coliee.models.kept_replies import KeptReplies
from ir_coliee.models.questions import LanguageModel, Question, Reply, Windowed
from ir_coliee.text.japanese_writing import is_japanese
from ir_coliee.text.templates import Conversation, Template
from ir_coliee.text.templates import template as template_of
from ir_coliee.text.yes_no import Answer, yes_or_no
from ir_coliee.transformers.answers.asked import Asked, halves, warn_of, with_their_texts
from ir_coliee.transformers.answers.solved_questions import SolvedQuestions
from ir_coliee.transformers.base import BaseTransformer


class _Judge(BaseTransformer):
    """Asks a model for yes or no; see `Entailment` for the arguments."""

    def __init__(
        self,
        model: LanguageModel,
        template: str,
        *,
        solved: SolvedQuestions | None,
        samples: int,
        window: int | None,
        default: Answer,
        kept: KeptReplies | None,
        verbose: bool,
    ) -> None:
        if default not in ("Y", "N"):
            raise ValueError(f"default={default!r} is neither 'Y' nor 'N'")
        template_of(template)  # refuses what is none
        self.model = model
        self.template = template
        self.solved = solved
        self.samples = integer_at_least("samples", samples, 1)
        self.window = None if window is None else integer_at_least("window", window, 1)
        self.default = default
        self.kept = kept
        self.verbose = verbose

    def _yes(self, asked: Sequence[Asked]) -> npt.NDArray[np.float64]:
        """How probable yes is for each question: the mean over the parts of its text and the samples."""
        words, solved = template_of(self.template), self.solved.of(asked) if self.solved else [[]] * len(asked)
        if len(blank := [name for name, _, text in asked if not text.strip()]) < len(asked):
            warn_of(blank, "asked without a text, because theirs is blank")
        unlike = "not Japanese" if words.japanese else "Japanese"
        warn_of(_in_another_language(words, asked), f"{unlike}, other than the prompt {shown(self.template)}")
        askings = [
            partial(words.conversation, query, solved=examples) for (_, query, _), examples in zip(asked, solved)
        ]
        parts = [self._parts(name, text, asking) for (name, _, text), asking in zip(asked, askings)]
        warn_of([name for (name, _, _), of_one in zip(asked, parts) if len(of_one) > 1], "split and voted on")
        questions = [
            [Question(asking(part), sample) for part in of_one for sample in range(self.samples)]
            for asking, of_one in zip(askings, parts)
        ]
        said = self._said([question for of_one in questions for question in of_one])
        unread = [name for (name, _, _), of_one in zip(asked, questions) if any(said[q] is None for q in of_one)]
        warn_of(unread, f"answered with neither yes nor no, twice, and taken as {self.default}")
        otherwise = float(self.default == "Y")
        means = [[otherwise if (value := said[q]) is None else value for q in of_one] for of_one in questions]
        return np.array([np.mean(values) for values in means], dtype=np.float64)

    def _said(self, questions: Sequence[Question]) -> dict[Question, float | None]:
        """How probable yes is by each reply. One that is neither yes nor no is asked for once more."""
        first = replies(self.model, questions, self.kept, verbose=self.verbose)
        said = {question: _read(reply) for question, reply in first.items()}
        again = {question: question._replace(sample=question.sample + self.samples) for question in said}
        again = {question: other for question, other in again.items() if said[question] is None}
        second = replies(self.model, again.values(), self.kept, verbose=self.verbose)
        return said | {question: _read(second[other]) for question, other in again.items()}

    def _parts(self, name: str, text: str, asking: Callable[[str], Conversation]) -> list[str]:
        """The text in parts that fit both windows: ours, in characters, and that which the model says it has."""
        parts = [text] if self.window is None or len(text) <= self.window else _cut(text, self.window)
        if isinstance(self.model, Windowed):
            fits = self.model.fits
            parts = [part for each in parts for part in self._that_fit(name, each, lambda part: fits(asking(part)))]
        return [part for part in parts if part.strip()] or [""]

    def _that_fit(self, name: str, text: str, fits: Callable[[str], bool]) -> list[str]:
        """The text, halved until its parts fit. Raises `ColieeError` where not even a character does."""
        if fits(text):
            return [text]
        if len(text) < 2:
            shorter = "Show fewer solved questions, or" if self.solved else "Ask"
            raise ColieeError(
                f"Query {shown(name)} does not fit the window of {shown(self.model.identity)}, even without a text. "
                f"{shorter} a model with a longer window."
            )
        return [part for half in halves(text) for part in self._that_fit(name, half, fits)]


def _in_another_language(words: Template, asked: Iterable[Asked]) -> list[str]:
    """The questions in Japanese where the words of the prompt are not, and the other way round."""
    japanese = [(name, is_japanese(query)) for name, query, _ in asked]
    return [name for name, of_it in japanese if None not in (of_it, words.japanese) and of_it != words.japanese]


def _cut(text: str, size: int) -> list[str]:
    """Parts of at most ``size`` characters, taken apart between lines, and within those that are longer."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        for start in range(0, len(line), size):
            piece = line[start : start + size]
            if len(parts[-1]) + len(piece) > size:
                parts.append("")
            parts[-1] += piece
    return parts


class Entailment(_Judge):
    """Answers each query with yes or no, in the light of its texts: Q to Q, R to R.

    ``model``: a `ir_coliee.models.ServedModel` or `LocalModel`, or anything that replies. ``template``: the
    name of one of `ir_coliee.text.templates`, or the path of yours. ``solved``: examples to show first. ``samples``:
    replies to each question, whose mean counts (self-consistency, Wang et al. 2023); they differ only with a
    temperature above 0. ``window``: the most characters of text in one question; a longer text is asked about in parts,
    whose mean counts, and a warning says so; likewise one that is too long for a model that knows its own window, as a
    `LocalModel` does. ``default``: the answer where the model says neither yes nor no when it is asked again, and where
    the mean is .5. ``kept``: a file of replies, so that a stopped run goes on. ``verbose``: a progress bar.

    The texts are the column ``text``, of several rows of a query one after the other in the order of the frame, each
    once; without the column, or where all are blank, the question is asked without them. Rows and columns stay;
    ``qanswer`` (Y or N) and ``yes`` (how probable yes is, in [0, 1]) are added. A `ColieeWarning` counts the questions
    without a text beside others that have one, and those in Japanese by a prompt that is not, or the other way round.
    Raises what the model raises, and `ColieeError` for a question that is too long for it even without a text.

    >>> from ir_coliee.models import Reply
    >>> class Cautious:
    ...     identity = "cautious"
    ...     def ask(self, questions, heard):
    ...         for question in questions:
    ...             heard(question, Reply("Answer: no"))
    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp is a person."]})
    >>> Entailment(Cautious(), "steps.en")(questions).qanswer.tolist()
    ['N']
    """

    LABEL = "Entailment"

    def __init__(
        self,
        model: LanguageModel,
        template: str = "plain.en",
        *,
        solved: SolvedQuestions | None = None,
        samples: int = 1,
        window: int | None = None,
        default: Answer = "N",
        kept: KeptReplies | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            model,
            template,
            solved=solved,
            samples=samples,
            window=window,
            default=default,
            kept=kept,
            verbose=verbose,
        )

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries. Raises `ColieeError` for a query without an id, and one that is no string."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        numbers, qids = pd.factorize(inp["qid"])
        asked = with_their_texts(inp, numbers, len(qids))
        yes = self._yes(asked)
        answers = np.where(yes == 0.5, self.default, np.where(yes > 0.5, "Y", "N")).astype(object)
        return inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)


class CandidateEntailment(_Judge):
    """Scores each candidate by how probable it is that its text entails the query: R to R.

    A reranker for task 2 (``entails.en``), and of the pilot's claims (``claim.ja``). The arguments are those of
    `Entailment`; the score is the mean probability of yes, in [0, 1].

    >>> from ir_coliee.models import Reply
    >>> class Fond:
    ...     identity = "of lamps"
    ...     def ask(self, questions, heard):
    ...         for question in questions:
    ...             heard(question, Reply("Yes" if "lamp" in question.conversation[-1].content else "No"))
    >>> pool = pd.DataFrame({"qid": "900", "query": "It shines.", "docno": ["1", "2"], "text": ["A gate.", "A lamp."]})
    >>> CandidateEntailment(Fond(), "entails.en")(pool.assign(score=0.0)).docno.tolist()
    ['2', '1']
    """

    LABEL = "Candidate entailment"

    def __init__(
        self,
        model: LanguageModel,
        template: str = "entails.en",
        *,
        samples: int = 1,
        window: int | None = None,
        default: Answer = "N",
        kept: KeptReplies | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            model, template, solved=None, samples=samples, window=window, default=default, kept=kept, verbose=verbose
        )

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises as `Entailment.transform`."""
        pt.validate.columns(inp, includes=["qid", "query", "docno", "text"], context=self)
        check_ids(inp)
        columns = (map(str, inp["qid"]), text_values(inp, "query"), text_values(inp, "text"))
        scores = self._yes(list(zip(*columns))) if len(inp) else np.empty(0)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))


class AnswersAsDocuments(BaseTransformer):
    """Makes the label documents of the answers in ``qanswer``, Y and N: Q or R to R, one row a query.

    ``yes``, ``no``: the documents, in the pilot's prediction True and False. The score is how probable the answer is
    by the column ``yes``, 1 without it. Rows of a query have one answer.

    >>> answered = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A lamp"], "qanswer": ["N"], "yes": [0.25]})
    >>> AnswersAsDocuments()(answered)[["docno", "score", "rank"]].values.tolist()
    [['N', 0.75, 0]]
    """

    LABEL = "Answers as documents"

    def __init__(self, yes: str = "Y", no: str = "N") -> None:
        self.yes = yes
        self.no = no

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """One result a query. Raises `ColieeError` for a query with two answers, and an answer but Y and N."""
        pt.validate.columns(inp, includes=["qid", "qanswer"], context=self)
        check_ids(inp)
        if (unknown := ~inp["qanswer"].isin(["Y", "N"]).to_numpy()).any():
            name = shown(str(inp["qid"].iloc[unknown.argmax()]))
            raise ColieeError(f"Query {name}: its answer in qanswer is neither Y nor N.")
        answers = inp.drop_duplicates(["qid", "qanswer"])
        if (twice := answers["qid"].duplicated()).any():
            name = shown(str(answers["qid"][twice].iloc[0]))
            raise ColieeError(f"Query {name} has two answers in qanswer; a query is answered once.")
        yes = (answers["yes"] if "yes" in answers.columns else answers["qanswer"] == "Y").astype(float)
        about_the_text = ["docno", "text", "score", "rank", "qanswer", "yes"]
        results = answers.drop(columns=about_the_text, errors="ignore").assign(
            docno=answers["qanswer"].map({"Y": self.yes, "N": self.no}).astype(object),
            score=yes.where(answers["qanswer"] == "Y", 1 - yes),
            rank=0,
        )
        return results.reset_index(drop=True)


class QuotedArticles(BaseTransformer):
    """Gives each question of a part of tasks 3 to 5 the articles that the organisers quote with it: Q to Q.

    ``dataset``: an id of task 4. The column is ``text``; it is empty for a question without articles, as all are in
    2021's task 5, and for one that is not of the part.

    >>> questions = pd.DataFrame({"qid": ["R99-01-A"], "query": ["A pledge of a boat"]})
    >>> QuotedArticles("coliee/task4/sample/en/test")(questions).text.str.len().tolist()[0] > 0
    True
    """

    LABEL = "Quoted articles"

    def __init__(self, dataset: str) -> None:
        self.dataset = dataset

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Add the articles. Raises `ColieeError` for a query without an id, and a dataset that quotes no articles."""
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        quoted = self._cached(self.dataset, self._quoted)
        texts = [quoted.get(qid, "") for qid in inp["qid"]]
        return inp.assign(text=pd.Series(texts, index=inp.index, dtype=object)).reset_index(drop=True)

    def _quoted(self) -> dict[str, str]:
        full = ir_datasets.load(f"{self.dataset}/full")
        if "t1" not in full.queries_cls()._fields:
            raise ColieeError(f"{self.dataset} quotes no articles with its questions. Give an id of task 4.")
        return {question.query_id: question.t1 for question in full.queries_iter()}


def _read(reply: Reply) -> float | None:
    if reply.yes is not None:
        return reply.yes
    answer = yes_or_no(reply.text)
    return None if answer is None else float(answer == "Y")
