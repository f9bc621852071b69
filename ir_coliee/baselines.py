"""The first pipeline of each task, fitted on the train part: what `ir_coliee baseline` runs.

Published parameters where there are some; where the train part is at hand, its labels choose the
cut-off, never the part that is scored.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import NamedTuple

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.datasets import copies
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import ColieeError, MissingExtraError, MissingLabelsError
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.evaluation.judgments import gold
from ir_coliee.measures import MacroF2, MicroF1
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers import (
    CandidatePool,
    DropQueries,
    DropSelf,
    DynamicCutoff,
    LexicalIndex,
    MajorityAnswer,
    MarginCutoff,
    RatioCutoff,
    TfidfClassifier,
    ThresholdCutoff,
    TopK,
    YearFilter,
)
from ir_coliee.transformers.cutoffs import Cutoff

_DEPTH = 100  # as many items as task 3's long list may have; no cut-off looks deeper
_BEFORE_FILTERS = 1000  # later cases may fill half of a list, so that many more are needed at first


class BaselineRun(NamedTuple):
    """A run of the first pipeline. ``ranking`` is the list before the cut, None where nothing is ranked."""

    tag: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    notes: list[str]


def run_baseline(part: Part) -> list[BaselineRun]:
    """Run the first pipeline of a part's task. Raises `MissingCopyError` where the copy is not there."""
    return _PIPELINES[part.task].run(part)


def tags(part: Part) -> tuple[str, ...]:
    """The tags of the runs that `run_baseline` makes, known before it; without scikit-learn ``tfidf`` is not made."""
    return _PIPELINES[part.task].tags


def _topics(part: Part) -> pd.DataFrame:
    return pt.get_dataset(f"irds:{part.id}").get_topics()


def _pt_qrels(part: Part) -> pd.DataFrame:
    return gold(part).rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})


def ranker(part: Part) -> pt.Transformer:
    """Task 1: BM25 of whole cases, without the query, other queries and later cases; until 2020 in the query's
    pool. Task 2: BM25 in the pool. Task 3: BM25 over articles, Japanese as character bigrams."""
    if part.task == "task1" and part.has_pools:
        index = LexicalIndex.from_dataset(part.id, analyser="case", verbose=True)
        return CandidatePool(part.id) >> index.bm25(k1=3.0, b=1.0, verbose=True) >> YearFilter(part.id)
    if part.task == "task1":
        # k1 and b near 3 and 1 were found independently by two teams for whole-case queries
        bm25 = LexicalIndex.from_dataset(part.id, analyser="case", verbose=True).bm25(
            k1=3.0, b=1.0, num_results=_BEFORE_FILTERS, verbose=True
        )
        return (bm25 >> DropSelf() >> DropQueries(part.id) >> YearFilter(part.id)) % _DEPTH
    if part.task == "task2":
        index = LexicalIndex.from_dataset(part.id, analyser="case", verbose=True)
        return CandidatePool(part.id) >> index.bm25(statistics="pool", verbose=True)
    return LexicalIndex.from_dataset(part.id, verbose=True).bm25(num_results=_DEPTH, verbose=True)


def _cutoffs(task: str) -> tuple[ColieeMeasure, Cutoff, Iterable[Cutoff]]:
    """The measure to fit for, the published default, and the cut-offs to try."""
    if task == "task1":
        shares = np.arange(0.10, 0.99, 0.02).round(2).tolist()
        grid = (DynamicCutoff(p, l, h) for p, h in itertools.product(shares, range(4, 20)) for l in range(1, h))  # noqa: E741
        return MicroF1, DynamicCutoff(p=0.34, l=3, h=7), grid
    if task == "task2":
        margins = np.arange(0.0, 5.01, 0.25).tolist()
        return MicroF1, TopK(1), (MarginCutoff(margin, k) for k in (1, 2, 3) for margin in margins)
    ratios = np.arange(0.30, 1.01, 0.02).round(2).tolist()
    return MacroF2, TopK(1), (RatioCutoff(ratio, h) for h in range(1, 6) for ratio in ratios)


def _retrieval(part: Part) -> list[BaselineRun]:
    measure, default, grid = _cutoffs(part.task)
    ranking = ranker(part)(_topics(part))
    cutoff, note = default, f"no labelled train part at hand: cut-off {default!r}, the published default"
    train = part.train
    if train and (train_gold := _gold_at_hand(train)) is not None:
        train_ranking = ranking if train.files == part.files else ranker(train)(_topics(train))
        fitted = fit_cutoff(grid, train_ranking, train_gold, measure)
        if fitted.value > 0:
            cutoff = fitted.cutoff
            best = f"the best on {train.id} ({measure} {fitted.value:.4f} there)"
            note = f"cut-off {cutoff!r}, {best}{_warning(train, part)}"
        else:  # all cut-offs are equally bad: the first of them says nothing
            note = f"no cut-off finds anything on {train.id}: cut-off {default!r}, the published default"
    return [BaselineRun("bm25", cutoff(ranking), ranking, [note])]


def _gold_at_hand(train: Part) -> pd.DataFrame | None:
    """The train part's gold, None where the copy or its labels are missing."""
    if copies.missing_files(train):
        return None
    try:
        return gold(train)
    except MissingLabelsError:
        return None


def _warning(train: Part, part: Part) -> str:
    """What must be said where a part is scored with the labels that it was fitted on."""
    same = train.files == part.files
    return "; fitted on the very labels that it is scored with, so the figures are optimistic" if same else ""


def _train(part: Part) -> Part:
    """The labelled train part that a classifier learns from."""
    train = part.train
    if train is None:
        raise ColieeError(f"{part.id} has no train part to learn from, or is one of its exam years")
    return train


def _answers(part: Part) -> list[BaselineRun]:
    train = _train(part)
    train_pool, pool = (CandidatePool(p.id)(_classified(p)) for p in (train, part))
    train_gold = _pt_qrels(train)
    majority = MajorityAnswer().fit(train_pool, train_gold)
    warning = _warning(train, part)
    note = f"the more frequent answer of {train.id}{warning}"
    runs = [BaselineRun("majority", TopK(1)(majority(pool)), None, [note])]
    try:
        classifier = TfidfClassifier("query", language=part.language).fit(train_pool, train_gold)
    except MissingExtraError as error:
        runs[0].notes.append(f"the classifier was not run. {error}")
        return runs
    return [*runs, BaselineRun("tfidf", TopK(1)(classifier(pool)), None, [f"learned from {train.id}{warning}"])]


def _classified(part: Part) -> pd.DataFrame:
    """Topics whose query is what a classifier may look at: statement and quoted articles, or the dispute."""
    queries = ir_datasets.load(f"{part.id}/full").queries_iter()
    texts = [(q.query_id, f"{q.statement}\n{q.t1}" if part.exam_years else q.dispute) for q in queries]
    return pd.DataFrame(texts, columns=["qid", "query"])


def _claims(part: Part) -> list[BaselineRun]:
    train = _train(part)
    train_pool, pool = (_claim_pool(p) for p in (train, part))
    classifier = TfidfClassifier("text", language=part.language).fit(train_pool, _pt_qrels(train))
    answers = ThresholdCutoff(0.5)(classifier(pool))
    note = f"learned from {train.id}{_warning(train, part)}; a claim is accepted from probability .5"
    return [BaselineRun("tfidf", answers, None, [note])]


def _claim_pool(part: Part) -> pd.DataFrame:
    claims = [(claim.doc_id, claim.text) for claim in ir_datasets.load(part.id).docs_iter()]
    return CandidatePool(part.id)(_topics(part)).merge(pd.DataFrame(claims, columns=["docno", "text"]), on="docno")


class _Pipeline(NamedTuple):
    run: Callable[[Part], list[BaselineRun]]
    tags: tuple[str, ...]


_PIPELINES = {
    "task1": _Pipeline(_retrieval, ("bm25",)),
    "task2": _Pipeline(_retrieval, ("bm25",)),
    "task3": _Pipeline(_retrieval, ("bm25",)),
    "task4": _Pipeline(_answers, ("majority", "tfidf")),
    "task5": _Pipeline(_answers, ("majority", "tfidf")),
    "prediction": _Pipeline(_answers, ("majority", "tfidf")),
    "rationale": _Pipeline(_claims, ("tfidf",)),
}
