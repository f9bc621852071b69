"""Tasks 1 to 3 by words alone: BM25 with published parameters and a cut-off.

Where the train split is at hand, its labels choose the cut-off, never the split that is scored.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
import pyterrier as pt

from ir_coliee.baselines.runs import BaselineRun, gold_at_hand, same_labels, topics, warning
from ir_coliee.editions import Split
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.measures import MacroF2, MicroF1
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers import (
    CandidatePool,
    DropQueries,
    DropSelf,
    DynamicCutoff,
    LexicalIndex,
    MarginCutoff,
    RatioCutoff,
    TopK,
    YearFilter,
)
from ir_coliee.transformers.candidates.cutoffs import Cutoff

DEPTH = 100  # as many items as task 3's long list may have; no cut-off looks deeper
_BEFORE_FILTERS = 1000  # later cases may fill half of a list, so that many more are needed at first


def ranker(split: Split) -> pt.Transformer:
    """Task 1: BM25 of whole cases, without the query, other queries and later cases; until 2020 in the query's
    pool. Task 2: BM25 in the pool. Task 3: BM25 over articles, Japanese as character bigrams."""
    if split.task == "task1" and split.has_pools:
        index = LexicalIndex.from_dataset(split.id, analyser="case", verbose=True)
        return CandidatePool(split.id) >> index.bm25(k1=3.0, b=1.0, verbose=True) >> YearFilter(split.id)
    if split.task == "task1":
        # k1 and b near 3 and 1 were found independently by two teams for whole-case queries
        bm25 = LexicalIndex.from_dataset(split.id, analyser="case", verbose=True).bm25(
            k1=3.0, b=1.0, num_results=_BEFORE_FILTERS, verbose=True
        )
        return (bm25 >> DropSelf() >> DropQueries(split.id) >> YearFilter(split.id)) % DEPTH
    if split.task == "task2":
        index = LexicalIndex.from_dataset(split.id, analyser="case", verbose=True)
        return CandidatePool(split.id) >> index.bm25(statistics="pool", verbose=True)
    return LexicalIndex.from_dataset(split.id, verbose=True).bm25(num_results=DEPTH, verbose=True)


def _cutoffs(task: str) -> tuple[ColieeMeasure, Cutoff, Iterable[Cutoff]]:
    """The measure to fit for, the published default, and the cut-offs to try."""
    if task == "task1":
        shares = np.arange(0.10, 0.99, 0.02).round(2).tolist()
        grid = (
            DynamicCutoff(ratio, min_items=min_items, max_items=max_items)
            for ratio, max_items in itertools.product(shares, range(4, 20))
            for min_items in range(1, max_items)
        )
        return MicroF1, DynamicCutoff(ratio=0.34, min_items=3, max_items=7), grid
    if task == "task2":
        margins = np.arange(0.0, 5.01, 0.25).tolist()
        return MicroF1, TopK(1), (MarginCutoff(margin, max_items=n) for n in (1, 2, 3) for margin in margins)
    ratios = np.arange(0.30, 1.01, 0.02).round(2).tolist()
    return MacroF2, TopK(1), (RatioCutoff(ratio, max_items=n) for n in range(1, 6) for ratio in ratios)


def lexical(split: Split) -> list[BaselineRun]:
    """BM25 and a cut-off. Raises `MissingReleaseError` where the copy is not there."""
    measure, default, grid = _cutoffs(split.task)
    ranking = ranker(split)(topics(split))
    cutoff, note = default, f"no labelled train split at hand: cut-off {default!r}, the published default"
    train = split.train
    if train and (train_gold := gold_at_hand(train)) is not None:
        train_ranking = ranking if same_labels(train, split) else ranker(train)(topics(train))
        fitted = fit_cutoff(train_ranking, train_gold, measure, grid)
        if fitted.value > 0:
            cutoff = fitted.cutoff
            best = f"the best on {train.id} ({measure} {fitted.value:.4f} there)"
            note = f"cut-off {cutoff!r}, {best}{warning(train, split)}"
        else:  # all cut-offs are equally bad: the first of them says nothing
            note = f"no cut-off finds anything on {train.id}: cut-off {default!r}, the published default"
    return [BaselineRun("bm25", cutoff(ranking), ranking, [note])]
