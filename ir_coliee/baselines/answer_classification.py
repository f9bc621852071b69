"""Classifiers for tasks 4 and 5 and the pilot: the majority answer, and TF-IDF with a linear model."""

from __future__ import annotations

import ir_datasets
import pandas as pd

from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.training_data import optimism_note, qrels, topics, train_split
from ir_coliee.editions import Split
from ir_coliee.errors import MissingExtraError
from ir_coliee.transformers import CandidatePool, MajorityAnswer, TfidfClassifier, ThresholdCutoff, TopK

_ACCEPTED_FROM = 0.5  # the minimum probability of an accepted claim


def classify_answers(split: Split) -> list[BaselineRun]:
    """Answer tasks 4 and 5 and tort prediction by majority and by a TF-IDF classifier.

    Parameters
    ----------
    split : Split
        A split of task 4, task 5 or tort prediction.

    Returns
    -------
    list of BaselineRun
        The run ``majority``, and the run ``tfidf`` if scikit-learn is installed; otherwise a note of the first one
        says what to install.

    Raises
    ------
    ColieeError
        If the split has no train split.
    MissingReleaseError, MissingLabelsError
        If files or labels are missing.
    """
    train = train_split(split)
    train_pool, pool = (CandidatePool(each.id)(_texts_to_classify(each)) for each in (train, split))
    train_gold = qrels(train)
    majority = MajorityAnswer().fit(train_pool, train_gold)
    optimism = optimism_note(train, split)
    note = f"always the more frequent answer of {train.id}{optimism}"
    runs = [BaselineRun("majority", TopK(1)(majority(pool)), None, [note])]
    try:
        classifier = TfidfClassifier("query", language=split.language).fit(train_pool, train_gold)
    except MissingExtraError as error:
        runs[0].notes.append(f"the run tfidf was left out: {error}")
        return runs
    return [*runs, BaselineRun("tfidf", TopK(1)(classifier(pool)), None, [f"fitted on {train.id}{optimism}"])]


def _texts_to_classify(split: Split) -> pd.DataFrame:
    """Return topics with the text to classify as the query: the statement and its quoted articles, or the tort case."""
    queries = ir_datasets.load(f"{split.id}/full").queries_iter()
    texts = [(q.query_id, f"{q.statement}\n{q.t1}" if split.exam_years else q.dispute) for q in queries]
    classified: pd.DataFrame = pd.DataFrame(texts, columns=["qid", "query"])
    return classified


def classify_claims(split: Split) -> list[BaselineRun]:
    """Accept the claims of a tort instance by a TF-IDF classifier.

    Parameters
    ----------
    split : Split
        A split of rationale extraction.

    Returns
    -------
    list of BaselineRun
        The run ``tfidf``: claims whose probability of being accepted is at least 0.5.

    Raises
    ------
    ColieeError
        If the split has no train split.
    MissingExtraError
        If scikit-learn is not installed.
    MissingReleaseError, MissingLabelsError
        If files or labels are missing.
    """
    train = train_split(split)
    train_pool, pool = (_claim_pool(each) for each in (train, split))
    classifier = TfidfClassifier("text", language=split.language).fit(train_pool, qrels(train))
    accepted = ThresholdCutoff(_ACCEPTED_FROM)(classifier(pool))
    note = f"fitted on {train.id}{optimism_note(train, split)}; accepts claims with a probability >= {_ACCEPTED_FROM}"
    return [BaselineRun("tfidf", accepted, None, [note])]


def _claim_pool(split: Split) -> pd.DataFrame:
    claims = [(claim.doc_id, claim.text) for claim in ir_datasets.load(split.id).docs_iter()]
    pool: pd.DataFrame = CandidatePool(split.id)(topics(split)).merge(
        pd.DataFrame(claims, columns=["docno", "text"]), on="docno"
    )
    return pool
