"""Measure how fast cut-offs are searched, beside pytrec_eval and beside cutting in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytrec_eval
from side_by_side import Row, Task, alone, beside
from synthetic_runs import as_dicts, best_first, cut_in_python, micro_f1_in_python, run_and_qrels

from ir_coliee import MacroF2, MicroF1, MicroP, MicroR
from ir_coliee.evaluation.cutoffs import (
    cross_validate_cutoffs,
    cutoff_values,
    depth_values,
    encode_run,
    fit_cutoff,
    threshold_values,
)
from ir_coliee.transformers import RatioCutoff, TopK

RUNS = 25
GRID = [
    RatioCutoff(ratio / 100, max_items=max_items) for ratio in range(20, 100, 2) for max_items in range(1, 26)
]  # 1,000
BY_OTHERS = GRID[::47]  # of every depth, since 47 and 25 have no common divisor


def rows() -> Iterator[Row]:
    """Time every cut-off of one run, then a grid of cut-offs on many runs."""
    run, qrels = run_and_qrels(0)
    encoded = encode_run(run, qrels)
    as_dict, gold = as_dicts(run, qrels)
    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"P_5", "recall_5", "map"})

    def once() -> object:
        return evaluator.evaluate(as_dict)

    ranked = best_first(as_dict)
    plain = {cutoff: micro_f1_in_python(cut_in_python(as_dict, cutoff), gold) for cutoff in BY_OTHERS}
    assert np.abs(cutoff_values(encoded, MicroF1, BY_OTHERS) - [*plain.values()]).max() <= 1e-12
    at_all_depths = depth_values(encoded, MicroF1)
    for k in (1, 5, 100, 1000):
        first = {qid: dict(items[:k]) for qid, items in ranked.items()}
        assert abs(at_all_depths[k] - micro_f1_in_python(first, gold)) <= 1e-12
        assert abs(at_all_depths[k] - cutoff_values(encoded, MicroF1, [TopK(k)])[0]) <= 1e-12

    yield beside(
        "micro P, R and F1 at all 1,000 depths of an encoded run",
        lambda: [depth_values(encoded, measure) for measure in (MicroP, MicroR, MicroF1)],
        "pytrec_eval P@5, R@5, AP",
        once,
        bound=0.01,
        repeats=20,
    )
    yield beside("mean F2 at all depths", lambda: depth_values(encoded, MacroF2), "pytrec_eval", once)
    yield beside(
        "micro F1 at all 319,000 thresholds",
        lambda: threshold_values(encoded, MicroF1, encoded.scores),
        "pytrec_eval",
        once,
    )

    def by_pytrec_eval() -> object:
        return [evaluator.evaluate(cut_in_python(as_dict, cutoff)) for cutoff in BY_OTHERS]

    pairs = [(frame, gold) for frame, gold in map(run_and_qrels, range(RUNS))]
    what, ours = f"{len(GRID):,} cells x {RUNS} runs, encoding included", _all_runs(pairs)
    note, scale = f"{len(BY_OTHERS)} of {len(GRID):,} cells, 1 of {RUNS} runs timed", len(GRID) / len(BY_OTHERS) * RUNS
    yield beside(what, ours, "sort, cut, pytrec_eval", by_pytrec_eval, bound=0.001, scale=scale, note=note)
    yield beside("encoding one run", lambda: encode_run(run, qrels), "pytrec_eval", once)
    yield alone(
        "cross_validate_cutoffs with its own grid, 5 folds", lambda: cross_validate_cutoffs(run, qrels, MicroF1)
    )


def _all_runs(pairs: list[tuple[pd.DataFrame, pd.DataFrame]]) -> Task:
    return lambda: [fit_cutoff(run, qrels, MicroF1, GRID) for run, qrels in pairs]
