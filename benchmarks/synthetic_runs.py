"""Synthetic runs of the size of task 1 of 2023, and plain Python functions on them for comparison."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ir_coliee.transformers import RatioCutoff

QUERIES, DEPTH, DOCUMENTS, RELEVANT = 319, 1000, 4400, 859

Run = dict[str, dict[str, float]]
Gold = dict[str, dict[str, int]]
BestFirst = dict[str, list[tuple[str, float]]]


def run_and_qrels(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a sorted run and qrels; every query has a relevant item."""
    rng = np.random.default_rng(seed)
    docs = np.array([f"{900_000 + n}" for n in range(DOCUMENTS)], dtype=object)
    queries = np.array([f"{990_000 + n}" for n in range(QUERIES)], dtype=object)
    drawn = np.concatenate([rng.choice(DOCUMENTS, DEPTH, replace=False) for _ in range(QUERIES)])
    scores = np.sort(rng.gamma(2.0, 10.0, (QUERIES, DEPTH)), axis=1)[:, ::-1].ravel()
    run = pd.DataFrame({"qid": queries.repeat(DEPTH), "docno": docs[drawn], "score": scores})
    of_query = np.append(np.arange(QUERIES), rng.integers(0, QUERIES, RELEVANT - QUERIES))
    gold = np.unique(of_query * DEPTH + rng.geometric(0.02, RELEVANT).clip(1, DEPTH) - 1)
    return run, run.iloc[gold][["qid", "docno"]].assign(label=1)


def as_dicts(run: pd.DataFrame, qrels: pd.DataFrame) -> tuple[Run, Gold]:
    """Convert a run and qrels to the dicts that pytrec_eval takes."""
    by_query: Run = {}
    for qid, docno, score in zip(run["qid"], run["docno"], run["score"].tolist()):
        by_query.setdefault(qid, {})[docno] = score
    gold: Gold = {}
    for qid, docno in zip(qrels["qid"], qrels["docno"]):
        gold.setdefault(qid, {})[docno] = 1
    return by_query, gold


def best_first(run: Run) -> BestFirst:
    """Sort the items of each query by score."""
    return {qid: sorted(items.items(), key=lambda item: -item[1]) for qid, items in run.items()}


def cut_sorted(ranked: BestFirst, cutoff: RatioCutoff) -> Run:
    """Keep the items of each query whose score is at least ``ratio`` times the best score."""
    return {
        qid: {docno: score for docno, score in items[: cutoff.max_items] if score >= cutoff.ratio * items[0][1]}
        for qid, items in ranked.items()
    }


def cut_in_python(run: Run, cutoff: RatioCutoff) -> Run:
    """Sort and cut, as a plain script does."""
    return cut_sorted(best_first(run), cutoff)


def micro_f1_in_python(run: Run, gold: Gold) -> float:
    """Compute micro F1 from its definition."""
    hits = sum(len(run.get(qid, {}).keys() & relevant.keys()) for qid, relevant in gold.items())
    returned = sum(len(run.get(qid, {})) for qid in gold)
    return 2 * hits / (returned + sum(map(len, gold.values())))
