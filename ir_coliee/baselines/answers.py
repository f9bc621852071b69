"""Yes or no by the majority and by words: tasks 4 and 5, and the pilot."""

from __future__ import annotations

import ir_datasets
import pandas as pd

from ir_coliee.baselines.runs import BaselineRun, qrels, topics, train_of, warning
from ir_coliee.editions import Split
from ir_coliee.errors import MissingExtraError
from ir_coliee.transformers import CandidatePool, MajorityAnswer, TfidfClassifier, ThresholdCutoff, TopK


def answers(split: Split) -> list[BaselineRun]:
    """Tasks 4 and 5, and the pilot's prediction. Raises `ColieeError` for a split without a train split."""
    train = train_of(split)
    train_pool, pool = (CandidatePool(p.id)(_classified(p)) for p in (train, split))
    train_gold = qrels(train)
    majority = MajorityAnswer().fit(train_pool, train_gold)
    optimistic = warning(train, split)
    note = f"the more frequent answer of {train.id}{optimistic}"
    runs = [BaselineRun("majority", TopK(1)(majority(pool)), None, [note])]
    try:
        classifier = TfidfClassifier("query", language=split.language).fit(train_pool, train_gold)
    except MissingExtraError as error:
        runs[0].notes.append(f"the classifier was not run. {error}")
        return runs
    return [*runs, BaselineRun("tfidf", TopK(1)(classifier(pool)), None, [f"learned from {train.id}{optimistic}"])]


def _classified(split: Split) -> pd.DataFrame:
    """Topics whose query is what a classifier may look at: statement and quoted articles, or the dispute."""
    queries = ir_datasets.load(f"{split.id}/full").queries_iter()
    texts = [(q.query_id, f"{q.statement}\n{q.t1}" if split.exam_years else q.dispute) for q in queries]
    return pd.DataFrame(texts, columns=["qid", "query"])


def claims(split: Split) -> list[BaselineRun]:
    """The pilot's rationale. Raises `ColieeError` for a split without a train split."""
    train = train_of(split)
    train_pool, pool = (_claim_pool(p) for p in (train, split))
    classifier = TfidfClassifier("text", language=split.language).fit(train_pool, qrels(train))
    answers = ThresholdCutoff(0.5)(classifier(pool))
    note = f"learned from {train.id}{warning(train, split)}; a claim is accepted from probability .5"
    return [BaselineRun("tfidf", answers, None, [note])]


def _claim_pool(split: Split) -> pd.DataFrame:
    claims = [(claim.doc_id, claim.text) for claim in ir_datasets.load(split.id).docs_iter()]
    return CandidatePool(split.id)(topics(split)).merge(pd.DataFrame(claims, columns=["docno", "text"]), on="docno")
