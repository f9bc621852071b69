"""Textual entailment by a language model: whether a statement follows from articles, or a fragment from a paragraph.

A pipeline for task 4 is ``QuotedArticles(id) >> Entailment(model) >> AnswersAsDocuments()``. In the combined task of
2026, the articles are retrieved: ``bm25 % 5 >> texts >> Entailment(model)`` keeps the rows of the articles and adds
``qanswer`` to each, which is the form that `ir_coliee.GatedAccuracy` needs.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.frames import check_ids, sort_results, text_values
from ir_coliee.models.language_models.language_model import LanguageModel
from ir_coliee.models.stores.reply_store import ReplyStore
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.text.yes_no import Answer
from ir_coliee.transformers.answers.few_shot_examples import FewShotExamples
from ir_coliee.transformers.answers.prompting import YesNoPrompting
from ir_coliee.transformers.answers.question_answers import question_answers
from ir_coliee.transformers.answers.question_texts import QuestionText, question_texts
from ir_coliee.transformers.training_labels import check_both_classes, result_labels


class Entailment(YesNoPrompting):
    """Answer yes or no to each query with a language model, given the query's texts: Q to Q, R to R.

    The texts are in the column ``text``. If a query has several rows, their distinct texts are joined in the order of
    the frame. Without the column, or if all texts are blank, the prompt has no text. All rows and columns are kept; the
    columns ``qanswer`` (Y or N) and ``yes`` (the probability of yes, in [0, 1]) are added.

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str
        The name of one of `ir_coliee.text.templates`, or the path of a file.
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

    def __init__(
        self,
        model: LanguageModel,
        template: str = "plain.en",
        *,
        examples: FewShotExamples | None = None,
        samples: int = 1,
        window: int | None = None,
        default: Answer = "N",
        training: TrainingOptions = TrainingOptions(),
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            model,
            template,
            examples=examples,
            samples=samples,
            window=window,
            default=default,
            training=training,
            reply_store=reply_store,
            verbose=verbose,
        )

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
        check_ids(topics)
        answers = question_answers(topics, qrels, self)
        answered = topics[topics["qid"].isin(list(answers))]
        numbers, qids = pd.factorize(answered["qid"])
        self._fit(question_texts(answered, numbers, len(qids)), [answers[str(qid)] for qid in qids])
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Answer the queries.

        Raises the errors of the model, and `ColieeError` for a query without an id, a query that is not a string, and a
        query that does not fit the model's window even without a text.
        """
        pt.validate.columns(inp, includes=["qid", "query"], context=self)
        check_ids(inp)
        numbers, qids = pd.factorize(inp["qid"])
        yes = self._yes_probabilities(question_texts(inp, numbers, len(qids)))
        answers = np.where(yes == 0.5, self.default, np.where(yes > 0.5, "Y", "N")).astype(object)
        frame: pd.DataFrame = inp.assign(qanswer=answers[numbers], yes=yes[numbers]).reset_index(drop=True)
        return frame


class CandidateEntailment(YesNoPrompting):
    """Score each candidate by the probability that its text entails the query, given by a language model: R to R.

    Use it as a reranker for task 2 (template ``entails.en``) and for the claims of the pilot (``claim.ja``).

    Parameters
    ----------
    model : LanguageModel
        A `ir_coliee.models.ServedModel` or `LocalModel`, or any object with its interface.
    template : str
        The name of one of `ir_coliee.text.templates`, or the path of a file.
    samples, window, default, training, reply_store, verbose
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

    def __init__(
        self,
        model: LanguageModel,
        template: str = "entails.en",
        *,
        samples: int = 1,
        window: int | None = None,
        default: Answer = "N",
        training: TrainingOptions = TrainingOptions(),
        reply_store: ReplyStore | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            model,
            template,
            examples=None,
            samples=samples,
            window=window,
            default=default,
            training=training,
            reply_store=reply_store,
            verbose=verbose,
        )

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
        questions = self._candidates(topics_and_results)
        labels = result_labels(topics_and_results, qrels)
        check_both_classes(labels)
        self._fit(questions, ["Y" if label > 0 else "N" for label in labels])
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises the errors of `Entailment.transform`."""
        questions = self._candidates(inp)
        scores = self._yes_probabilities(questions) if questions else np.empty(0)
        return sort_results(inp.drop(columns="rank", errors="ignore").assign(score=scores))

    def _candidates(self, results: pd.DataFrame) -> list[QuestionText]:
        pt.validate.columns(results, includes=["qid", "query", "docno", "text"], context=self)
        check_ids(results)
        columns = (map(str, results["qid"]), text_values(results, "query"), text_values(results, "text"))
        return [QuestionText(*row) for row in zip(*columns)]
