"""Measure how fast runs are compared, beside plain Python and pytrec_eval.

Plain Python computes a hundredth of the resamples and permutations, for a few runs; its time is scaled up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pytrec_eval
from side_by_side import Row, alone, beside

from ir_coliee import MacroF2, MicroF1
from ir_coliee.evaluation.comparison import compare_counts
from ir_coliee.evaluation.statistics import RunCounts, count_runs, intervals
from ir_coliee.measures import ColieeMeasure
from ir_coliee.measures.counts import Counts

RUNS, QUERIES, GOLD = 25, 319, 859
TIMES = 10_000  # resamples, and swaps
PLAIN_RUNS, PLAIN_TIMES = 2, 100
PAIRS = RUNS * (RUNS - 1) // 2

Dicts = dict[str, dict[str, float]]


def synthetic_runs() -> tuple[dict[str, Dicts], dict[str, dict[str, int]]]:
    """Return runs with some of the gold and some other cases, and the gold."""
    rng = np.random.default_rng(0)
    queries = [f"{900_000 + number}" for number in range(QUERIES)]
    sizes = rng.multinomial(GOLD - QUERIES, np.full(QUERIES, 1 / QUERIES)) + 1
    gold = {
        query: {str(case): 1 for case in rng.choice(np.arange(910_000, 915_000), size, replace=False)}
        for query, size in zip(queries, sizes)
    }
    runs: dict[str, Dicts] = {}
    for number in range(RUNS):
        share = 0.2 + 0.01 * number
        runs[f"run{number}"] = {
            query: {
                **{case: 1.0 for case in gold[query] if rng.random() < share},
                **{
                    str(case): 0.5
                    for case in rng.choice(np.arange(920_000, 925_000), rng.integers(1, 6), replace=False)
                },
            }
            for query in queries
        }
    return runs, gold


Rows = dict[str, list[Counts]]


def rows_of(table: RunCounts, runs: int) -> Rows:
    arrays = (table.tp, table.returned, table.relevant)
    return {
        name: [Counts(*counts) for counts in zip(*(array[row].tolist() for array in arrays))]
        for row, name in enumerate(table.runs[:runs])
    }


def plain_value(measure: ColieeMeasure, counts: Sequence[Counts]) -> float:
    if measure is MicroF1:
        tp, returned, relevant = (sum(column) for column in zip(*counts))
        return 2 * tp / (returned + relevant)
    return sum(5 * tp / (4 * relevant + returned) for tp, returned, relevant in counts) / len(counts)


def plain_intervals(measure: ColieeMeasure, rows: Rows) -> list[tuple[float, float]]:
    drawn = np.random.default_rng(0).integers(QUERIES, size=(PLAIN_TIMES, QUERIES)).tolist()
    found = []
    for counts in rows.values():
        values = sorted(plain_value(measure, [counts[query] for query in row]) for row in drawn)
        ends = []
        for share in (0.025, 0.975):
            place = share * (PLAIN_TIMES - 1)
            below = int(place)
            ends.append(values[below] + (place - below) * (values[below + 1] - values[below]))
        found.append((ends[0], ends[1]))
    return found


def plain_p_values(measure: ColieeMeasure, rows: Rows) -> list[float]:
    swaps = np.random.default_rng(0).integers(2, size=(PLAIN_TIMES, QUERIES)).tolist()
    found = []
    for a, b in itertools.combinations(rows.values(), 2):
        observed = abs(plain_value(measure, a) - plain_value(measure, b))
        large = 0
        for swap in swaps:
            first = [y if change else x for x, y, change in zip(a, b, swap)]
            second = [x if change else y for x, y, change in zip(a, b, swap)]
            large += abs(plain_value(measure, first) - plain_value(measure, second)) >= observed - 1e-12
        found.append((large + 1) / (PLAIN_TIMES + 1))
    return found


def rows() -> Iterator[Row]:
    """Time counts, confidence intervals and comparisons of many runs."""
    runs, gold = synthetic_runs()
    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"set_P", "set_recall"})
    yield beside(
        f"the counts of {RUNS} runs as they are submitted, from dicts",
        lambda: count_runs(runs, gold, MicroF1),
        "pytrec_eval set_P, set_recall",
        lambda: [evaluator.evaluate(run) for run in runs.values()],
    )
    for measure in (MicroF1, MacroF2):
        table = count_runs(runs, gold, measure)
        few = rows_of(table, PLAIN_RUNS)
        of_few = count_runs({name: runs[name] for name in few}, gold, measure)

        ends = plain_intervals(measure, few)
        ours = [found[:2] for found in intervals(measure, of_few, resamples=PLAIN_TIMES).values()]
        np.testing.assert_allclose(ours, ends, rtol=0, atol=1e-12)
        p_values = plain_p_values(measure, few)
        found = compare_counts(measure, of_few, permutations=PLAIN_TIMES)["p"]
        np.testing.assert_allclose(found, p_values, rtol=0, atol=1e-12)

        def bootstrap(measure: ColieeMeasure = measure, table: RunCounts = table) -> object:
            return intervals(measure, table, resamples=TIMES)

        def comparison(measure: ColieeMeasure = measure, table: RunCounts = table) -> object:
            return compare_counts(measure, table, permutations=TIMES)

        what = f"{measure}: {TIMES:,} resamples x {RUNS} runs"
        yield alone(what, bootstrap, bound=0.5)
        yield beside(
            what,
            bootstrap,
            "plain Python",
            lambda m=measure, few=few: plain_intervals(m, few),
            scale=RUNS / PLAIN_RUNS * TIMES / PLAIN_TIMES,
            note=f"{PLAIN_RUNS} of {RUNS} runs, {PLAIN_TIMES} of {TIMES:,} resamples timed",
        )
        # intervals of the differences included, so that the randomization alone takes less
        what = f"{measure}: {TIMES:,} swaps x {PAIRS} pairs, a whole comparison"
        yield alone(what, comparison, bound=0.5)
        yield beside(
            what,
            comparison,
            "plain Python",
            lambda m=measure, few=few: plain_p_values(m, few),
            scale=PAIRS / len(p_values) * TIMES / PLAIN_TIMES,
            note=f"the swaps alone; {len(p_values)} of {PAIRS} pairs, {PLAIN_TIMES} of {TIMES:,} swaps timed",
        )
