"""Measure how fast runs are scored and cut beside other programs, with bounds.

Where the other program would need many minutes, part of its work is timed and multiplied. The figures of both sides
must agree to 1e-12. Run it as ``python benchmarks/evaluation.py``. The exit status is 1 if a bound is missed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import ir_measures
import numpy as np
import pandas as pd
import pytrec_eval
from ir_measures import SetF
from side_by_side import Row, beside, print_rows

from ir_coliee import MicroF1
from ir_coliee.evaluation.cutoffs import cutoff_values, encode_run, fit_cutoff
from ir_coliee.transformers import RatioCutoff

QUERIES, DEPTH, DOCUMENTS, RELEVANT = 319, 1000, 4400, 859  # task 1 of 2023
RUNS = 25
GRID = [RatioCutoff(ratio / 100, max_items=number) for ratio in range(20, 100, 2) for number in range(1, 26)]
BY_OTHERS = GRID[::47]  # of every depth, since 47 and 25 have no common divisor

Run = dict[str, dict[str, float]]


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


def as_dict(frame: pd.DataFrame, column: str) -> dict[str, dict[str, float]]:
    """Convert a frame to the dicts that pytrec_eval takes."""
    return {qid: dict(zip(rows["docno"], rows[column].tolist())) for qid, rows in frame.groupby("qid", sort=False)}


def cut_in_python(run: Run, cutoff: RatioCutoff) -> Run:
    """Sort and cut, as a plain script does."""
    ranked = {qid: sorted(items.items(), key=lambda item: -item[1]) for qid, items in run.items()}
    return {
        qid: {docno: score for docno, score in items[: cutoff.max_items] if score >= cutoff.ratio * items[0][1]}
        for qid, items in ranked.items()
    }


def micro_f1_in_python(run: Run, gold: dict[str, dict[str, float]]) -> float:
    """Compute micro F1 from its definition."""
    hits = sum(len(run.get(qid, {}).keys() & relevant.keys()) for qid, relevant in gold.items())
    return 2 * hits / (sum(len(run.get(qid, {})) for qid in gold) + sum(map(len, gold.values())))


def rows() -> Iterator[Row]:
    """Time the computation of micro F1 of a run, then a grid of cut-offs on many runs."""
    run, qrels = run_and_qrels(0)
    names = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}
    frames = qrels.rename(columns=names), run.rename(columns=names)
    plain, gold = as_dict(run, "score"), as_dict(qrels, "label")
    assert abs(ir_measures.calc_aggregate([MicroF1], *frames)[MicroF1] - micro_f1_in_python(plain, gold)) <= 1e-12
    yield beside(
        "MicroF1 by calc_aggregate",
        lambda: ir_measures.calc_aggregate([MicroF1], *frames),
        "SetF of ir_measures",
        lambda: ir_measures.calc_aggregate([SetF], *frames),
        bound=1,
    )
    expected = [micro_f1_in_python(cut_in_python(plain, cutoff), gold) for cutoff in BY_OTHERS]
    assert np.abs(cutoff_values(encode_run(run, qrels), MicroF1, BY_OTHERS) - expected).max() <= 1e-12
    evaluator = pytrec_eval.RelevanceEvaluator({qid: dict.fromkeys(items, 1) for qid, items in gold.items()}, {"set_F"})
    pairs = [run_and_qrels(seed) for seed in range(RUNS)]
    yield beside(
        f"{len(GRID):,} cut-offs of {RUNS} runs",
        lambda: [fit_cutoff(*pair[::-1], MicroF1, GRID) for pair in pairs],
        "sort, cut, pytrec_eval",
        lambda: [evaluator.evaluate(cut_in_python(plain, cutoff)) for cutoff in BY_OTHERS],
        bound=0.001,
        scale=len(GRID) / len(BY_OTHERS) * RUNS,
    )


if __name__ == "__main__":
    sys.exit(print_rows(rows()))
