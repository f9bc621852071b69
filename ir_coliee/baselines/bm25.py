"""BM25 with published parameters and a cut-off, for tasks 1 to 3.

The cut-off is chosen on labelled train queries, never on those of the answered split. Without labelled train queries,
the published default is used.
"""

from __future__ import annotations

import pyterrier as pt

from ir_coliee.baselines.training import BaselineRun, TrainingData, optimism_note, shares_labels, topics
from ir_coliee.editions import Split
from ir_coliee.evaluation.tuning import best_of_each_kind
from ir_coliee.measures import ColieeMeasure, MacroF2, MicroF1
from ir_coliee.progress import stage
from ir_coliee.transformers import CandidatePool, DropQueries, DropSelf, DynamicCutoff, TopK, YearFilter
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.retrieval.indexes import bm25_of_split

RANKING_LENGTH = 100  # the maximum length of the long list of task 3; all cut-offs keep fewer items
_YEAR_RULE = "latest year"  # the rule with which the figures on real releases were measured
_RESULTS_BEFORE_FILTERS = 1000  # the filters of task 1 may remove most of a ranking


def bm25_ranker(split: Split) -> pt.Transformer:
    """Return the BM25 pipeline of a split, before the cut-off: queries to at most 100 items, or to the candidate pool.

    * Task 1: whole decisions as queries, without the query itself, other query cases and later cases; in editions with
      candidate pools, the pool without later cases.
    * Task 2: the paragraphs of the pool, with term statistics of the pool.
    * Task 3: articles, Japanese ones as character bigrams.
    """
    if split.task == "task1":
        if split.has_pools:
            return CandidatePool(split.id) >> bm25_of_split(split) >> YearFilter(split.id, rule=_YEAR_RULE)
        # the terms of queries, which are documents, are counted already
        as_documents = pt.apply.generic(lambda queries: queries.assign(query_docno=queries["qid"]))
        bm25 = as_documents >> bm25_of_split(split, num_results=_RESULTS_BEFORE_FILTERS)
        allowed = bm25 >> DropSelf() >> DropQueries(split.id) >> YearFilter(split.id, rule=_YEAR_RULE)
        return allowed % RANKING_LENGTH >> pt.apply.generic(lambda ranking: ranking.drop(columns="query_docno"))
    if split.task == "task2":
        return CandidatePool(split.id) >> bm25_of_split(split)
    return bm25_of_split(split, num_results=RANKING_LENGTH)


#: The measure to optimise in each task, and the cut-off that is published for BM25.
_PUBLISHED: dict[str, tuple[ColieeMeasure, Cutoff]] = {
    "task1": (MicroF1, DynamicCutoff(ratio=0.34, min_items=3, max_items=7)),
    "task2": (MicroF1, TopK(1)),
    "task3": (MacroF2, TopK(1)),
}


def bm25_baseline(split: Split, training: TrainingData | None) -> BaselineRun:
    """Rank by BM25, with the cut-off that is chosen on the train queries.

    Of the kinds that `ir_coliee.evaluation.tuning.tune` tries, the one with the best official measure on held-out train
    queries is used: on held-out exam years, if there are several. Without training data, the published default is used.
    """
    measure, cutoff = _PUBLISHED[split.task]
    train_ranking, train_value = None, None
    note = f"cut-off {cutoff}, the published default, because there are no labelled train queries"
    with stage("bm25"):
        with stage("ranking"):
            ranking = bm25_ranker(split)(topics(split))
        if training:
            train_ranking = ranking
            if not shares_labels(training.split, split):
                with stage("ranking of the train queries"):
                    train_ranking = bm25_ranker(training.split)(training.topics())
            with stage("cut-off"):
                kinds = best_of_each_kind(train_ranking, training.qrels(), measure)
            kinds["value"] = kinds["by_year"].fillna(kinds["held_out"]).fillna(kinds["optimistic"])
            kinds = kinds.sort_values("value", ascending=False, kind="stable")
            best, train_value = kinds.iloc[0], float(kinds["value"].iloc[0])
            if best["optimistic"] > 0:
                cutoff = best["cutoff"]
                tried = ", ".join(f"{rule} {value:.4f}" for rule, value in zip(kinds["rule"], kinds["value"]))
                note = (
                    f"cut-off {cutoff}, the best kind on held-out queries of {training} ({measure}: {tried}; "
                    f"the largest is slightly too high){optimism_note(training.split, split)}"
                )
            else:  # all cut-offs have the value 0, so none of them can be preferred
                note = f"no relevant item is ranked on {training}: cut-off {cutoff}, the published default"
    return BaselineRun("bm25", cutoff(ranking), ranking, [note], train_ranking, train_value=train_value)
