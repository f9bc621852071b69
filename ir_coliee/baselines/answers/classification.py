"""Classifiers for tasks 4 and 5, the pilot and the answers of task 3: majority, and TF-IDF with a linear model."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import ir_datasets
import pandas as pd

from ir_coliee.baselines.answers.chance import held_out_answers, more_frequent_answer
from ir_coliee.baselines.baseline_run import BaselineRun, left_out_note
from ir_coliee.baselines.training_data import TrainingData, optimism_note, topics
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.runs import answers_split
from ir_coliee.transformers import CandidatePool, MajorityAnswer, TfidfClassifier, ThresholdCutoff, TopK

_ACCEPTED_FROM = 0.5  # the minimum probability of an accepted claim


def classify_answers(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Answer tasks 4 and 5 and tort prediction by majority and by a TF-IDF classifier.

    Parameters
    ----------
    split : Split
        A split of task 4, task 5 or tort prediction.
    training : TrainingData
        The labelled queries.

    Returns
    -------
    list of BaselineRun
        The run ``majority``, and the run ``tfidf``, fitted on statements with their articles, or without them if the
        split has none. If scikit-learn is not installed, or if all labels are the same, the second one is left out, and
        a note of the first one gives the reason.

    Raises
    ------
    MissingReleaseError
        If files are missing.
    """
    read = partial(_pool_of_texts, with_articles=_has_articles(split))
    train_pool, pool = training.load(read), read(split)
    train_gold = training.qrels()
    majority = MajorityAnswer().fit(train_pool, train_gold)
    optimism = optimism_note(training.split, split)
    note = f"always the more frequent answer of {training}{optimism}"
    of_majority = BaselineRun("majority", TopK(1)(majority(pool)), None, [note])
    try:
        classifier = TfidfClassifier("query", language=split.language).fit(train_pool, train_gold)
    except ColieeError as error:
        return [of_majority.with_notes([left_out_note("tfidf", error)])]
    notes = [f"fitted on {training}{optimism}", _chance(train_pool, train_gold, split)]
    return [of_majority, BaselineRun("tfidf", TopK(1)(classifier(pool)), None, notes)]


def _chance(pool: pd.DataFrame, gold: pd.DataFrame, split: Split) -> str:
    """Compare TF-IDF with the more frequent answer on held-out train queries."""

    def answer(train_pool: pd.DataFrame, train_gold: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
        classifier = TfidfClassifier("query", language=split.language).fit(train_pool, train_gold)
        answers: pd.DataFrame = TopK(1)(classifier(candidates))
        return answers

    try:
        held_out = held_out_answers(pool, gold, answer)
    except ColieeError as error:
        return f"without held-out train queries: {error}"
    return held_out.note("AnswerAccuracy", "the more frequent answer", more_frequent_answer(held_out.gold))


def answer_statements(split: Split, training: TrainingData) -> tuple[pd.DataFrame, str]:
    """Answer the questions of a split of task 3 with Y or N, in editions that ask for it.

    Parameters
    ----------
    split : Split
        A split of task 3.
    training : TrainingData
        The labelled questions.

    Returns
    -------
    tuple of pandas.DataFrame and str
        The answers, as of task 4, and a note. The classifier reads the statement alone, because the relevant articles
        are what the task asks for. Without scikit-learn, or if all labels are the same, the more frequent answer is
        given.
    """
    questions, train = answers_split(split), replace(training, split=answers_split(training.split))
    train_pool, train_gold = train.load(_pool), train.qrels()
    note = f"answers Y and N by {{}}, fitted on {train}{optimism_note(train.split, questions)}"
    try:
        fitted = TfidfClassifier("query", language=split.language).fit(train_pool, train_gold)
        note = note.format("TF-IDF and a linear classifier of the statement alone")
        note += f"; {_chance(train_pool, train_gold, split)}"
    except ColieeError as error:
        fitted = MajorityAnswer().fit(train_pool, train_gold)
        note = note.format("majority") + f" ({error})"
    return TopK(1)(fitted(_pool(questions))), note


def _pool(split: Split) -> pd.DataFrame:
    pool: pd.DataFrame = CandidatePool(split.id)(topics(split))
    return pool


def _has_articles(split: Split) -> bool:
    """Whether articles are quoted with the statements of a split; there are none in task 5."""
    queries = ir_datasets.load(f"{split.id}/full").queries_iter()
    return bool(split.exam_years) and any(query.t1.strip() for query in queries)


def _pool_of_texts(split: Split, with_articles: bool) -> pd.DataFrame:
    """Return the pools with the text to classify as query: the statement, with or without its articles, or the case."""

    def text(query: Any) -> str:
        statement: str = query.statement if split.exam_years else query.dispute
        return f"{statement}\n{query.t1}" if with_articles else statement

    texts = [(query.query_id, text(query)) for query in ir_datasets.load(f"{split.id}/full").queries_iter()]
    pool: pd.DataFrame = CandidatePool(split.id)(pd.DataFrame(texts, columns=["qid", "query"]))
    return pool


def classify_claims(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Accept the claims of a tort instance by a TF-IDF classifier.

    Parameters
    ----------
    split : Split
        A split of rationale extraction.
    training : TrainingData
        The labelled instances.

    Returns
    -------
    list of BaselineRun
        The run ``tfidf``: claims whose probability of being accepted is at least 0.5.

    Raises
    ------
    MissingExtraError
        If scikit-learn is not installed.
    MissingReleaseError
        If files are missing.
    """
    train, gold = training.split, training.qrels()
    train_pool, pool = (_claim_pool(each) for each in (train, split))

    def accept(labelled: pd.DataFrame, labels: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
        classifier = TfidfClassifier("text", language=split.language).fit(labelled, labels)
        accepted: pd.DataFrame = ThresholdCutoff(_ACCEPTED_FROM)(classifier(candidates))
        return accepted

    accepted = accept(train_pool, gold, pool)
    note = f"fitted on {train.id}{optimism_note(train, split)}; accepts claims with a probability >= {_ACCEPTED_FROM}"
    try:
        held_out = held_out_answers(train_pool, gold, accept)
        of_all = train_pool[train_pool["qid"].isin(held_out.gold["qid"])]
        chance = held_out.note(split.measure, "all claims accepted", of_all.assign(score=1.0))
    except ColieeError as error:
        chance = f"without held-out train queries: {error}"
    return [BaselineRun("tfidf", accepted, None, [note, chance])]


def _claim_pool(split: Split) -> pd.DataFrame:
    claims = [(claim.doc_id, claim.text) for claim in ir_datasets.load(split.id).docs_iter()]
    pool: pd.DataFrame = _pool(split).merge(pd.DataFrame(claims, columns=["docno", "text"]), on="docno")
    return pool
