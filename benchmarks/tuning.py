"""How fast cut-offs are searched, beside pytrec_eval and beside cutting in plain Python.

Made-up runs of 319 queries x 1000 items, as in task 1 of 2023. Every ratio is of times measured in this run, the best
of three. What would take the others hours is timed on a few cut-offs and multiplied, which is said.
Run it as ``python benchmarks/tuning.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytrec_eval

from ir_coliee import MacroF2, MicroF1, MicroP, MicroR
from ir_coliee.evaluation.cutoff_analysis import oracle
from ir_coliee.evaluation.cutoff_search import (
    cross_validated,
    cutoff_values,
    depth_values,
    fit_cutoff,
    search_cutoffs,
    threshold_values,
)
from ir_coliee.evaluation.encoded_run import encode
from ir_coliee.transformers import RatioCutoff

QUERIES, DEPTH, DOCUMENTS, RELEVANT, RUNS = 319, 1000, 4400, 859, 25
GRID = [RatioCutoff(ratio / 100, h) for ratio in range(20, 100, 2) for h in range(1, 26)]  # 1,000
TIMED_BY_OTHERS = 5  # cut-offs

Run = dict[str, dict[str, float]]


def seconds(task: Callable[[], object]) -> float:
    """The best of three times."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def made_up(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A run, in order, and qrels."""
    rng = np.random.default_rng(seed)
    docs = np.array([f"{900_000 + n}" for n in range(DOCUMENTS)], dtype=object)
    queries = np.array([f"{990_000 + n}" for n in range(QUERIES)], dtype=object)
    drawn = np.concatenate([rng.choice(DOCUMENTS, DEPTH, replace=False) for _ in range(QUERIES)])
    scores = np.sort(rng.gamma(2.0, 10.0, (QUERIES, DEPTH)), axis=1)[:, ::-1].ravel()
    run = pd.DataFrame({"qid": queries.repeat(DEPTH), "docno": docs[drawn], "score": scores})
    gold = np.unique(rng.integers(0, QUERIES, RELEVANT) * DEPTH + rng.geometric(0.02, RELEVANT).clip(1, DEPTH) - 1)
    return run, run.iloc[gold][["qid", "docno"]].assign(label=1)


def as_dicts(run: pd.DataFrame, qrels: pd.DataFrame) -> tuple[Run, dict[str, dict[str, int]]]:
    """The form that pytrec_eval takes."""
    by_query: Run = {}
    for qid, docno, score in zip(run["qid"], run["docno"], run["score"].tolist()):
        by_query.setdefault(qid, {})[docno] = score
    gold: dict[str, dict[str, int]] = {}
    for qid, docno in zip(qrels["qid"], qrels["docno"]):
        gold.setdefault(qid, {})[docno] = 1
    return by_query, gold


def cut_in_python(run: Run, cutoff: RatioCutoff) -> Run:
    """What a script does: sort each query's items, keep those that reach the share of the best."""
    kept = {}
    for qid, items in run.items():
        best_first = sorted(items.items(), key=lambda item: -item[1])
        least = cutoff.ratio * best_first[0][1]
        kept[qid] = {docno: score for docno, score in best_first[: cutoff.h] if score >= least}
    return kept


def micro_f1_in_python(run: Run, gold: dict[str, dict[str, int]]) -> float:
    hits = sum(len(run.get(qid, {}).keys() & wanted.keys()) for qid, wanted in gold.items())
    returned = sum(len(run.get(qid, {})) for qid in gold)
    return 2 * hits / (returned + sum(map(len, gold.values())))


def report(what: str, value: float, bound: str = "", met: bool = True) -> None:
    print(f"{what:92} {value:10.2f} {bound}{'' if not bound else ': within' if met else ': MISSED'}")


def main() -> None:
    """Print times, ratios and bounds."""
    run, qrels = made_up(0)
    encoded = encode(run, qrels)
    as_dict, gold = as_dicts(run, qrels)
    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"P_5", "recall_5", "map"})
    whole = seconds(lambda: evaluator.evaluate(as_dict))
    report("ms: pytrec_eval, P@5, R@5 and AP of one run", whole * 1000)

    at_all = seconds(lambda: [depth_values(encoded, measure) for measure in (MicroP, MicroR, MicroF1)])
    report("ms: micro P, R and F1 at all 1,000 depths of an encoded run", at_all * 1000)
    report("  % of one pytrec_eval evaluation", 100 * at_all / whole, "bound 1", at_all < whole / 100)
    report("ms: mean F2 at all depths", seconds(lambda: depth_values(encoded, MacroF2)) * 1000)
    report("ms: micro F1 at all 319,000 thresholds", seconds(lambda: threshold_values(encoded, MicroF1)) * 1000)
    report("ms: micro F1 of 1,000 cells of k x ratio", seconds(lambda: cutoff_values(encoded, MicroF1, GRID)) * 1000)
    report("ms: mean F2 of 1,000 cells of k x ratio", seconds(lambda: cutoff_values(encoded, MacroF2, GRID)) * 1000)

    sampled = GRID[:: len(GRID) // TIMED_BY_OTHERS]
    by_trec = seconds(lambda: [evaluator.evaluate(cut_in_python(as_dict, cutoff)) for cutoff in sampled])
    in_python = seconds(lambda: [micro_f1_in_python(cut_in_python(as_dict, cutoff), gold) for cutoff in sampled])
    ours = cutoff_values(encoded, MicroF1, sampled)
    plain = [micro_f1_in_python(cut_in_python(as_dict, cutoff), gold) for cutoff in sampled]
    report("largest difference from plain Python, in 1e-12", np.abs(ours - plain).max() * 1e12, "bound 1")

    others = {"cutting in Python and pytrec_eval": by_trec, "plain Python": in_python}
    forms = {"integer codes (categorical ids)": {"qid": "category", "docno": "category"}, "strings": {}}
    for form, columns in forms.items():
        runs = [(made_up(seed)[0].astype(columns), qrels) for seed in range(RUNS)]
        report(f"ms: encoding one run from {form}", seconds(lambda r=runs: encode(*r[0])) * 1000)
        all_runs = seconds(lambda r=runs: [fit_cutoff(GRID, run, gold, MicroF1) for run, gold in r])
        report(f"ms: 1,000 cells x {RUNS} runs, encoding from {form} included", all_runs * 1000)
        for other, taken in others.items():
            ratio = taken * len(GRID) / len(sampled) * RUNS / all_runs
            report(f"  times as fast as {other} ({len(sampled)} cells timed)", ratio, "bound 1000", ratio >= 1000)

    report(
        "ms: search_cutoffs, its own grid, frame of all cells",
        seconds(lambda: search_cutoffs(run, qrels, MicroF1)) * 1000,
    )
    report("ms: cross_validated, its own grid, 5 folds", seconds(lambda: cross_validated(run, qrels, MicroF1)) * 1000)
    report("ms: oracle", seconds(lambda: oracle(run, qrels, MicroF1)) * 1000)


if __name__ == "__main__":
    main()
