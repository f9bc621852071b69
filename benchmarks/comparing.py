"""How fast runs are compared, beside plain Python and pytrec_eval.

Makes up 25 runs of task 1's size in 2023, and prints times and ratios measured in this run, the best of five,
against their bounds. Plain Python does a hundredth of the resamples and swaps, for a few runs, and is scaled up;
its figures must be ours, to 1e-12. Run it as ``python benchmarks/comparing.py``.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytrec_eval

from ir_coliee import MacroF2, MicroF1
from ir_coliee.evaluation.comparison import compare_counts
from ir_coliee.evaluation.counts_table import CountsTable, counts_table
from ir_coliee.evaluation.intervals import intervals
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import Counts

RUNS, QUERIES, GOLD = 25, 319, 859
TIMES = 10_000  # resamples, and swaps
PLAIN_RUNS, PLAIN_TIMES = 2, 100
PAIRS = RUNS * (RUNS - 1) // 2

Dicts = dict[str, dict[str, float]]


def seconds(task: Callable[[], object]) -> float:
    """The best of five times."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def made_up() -> tuple[dict[str, Dicts], dict[str, dict[str, int]]]:
    """Runs that return some of the gold and some other cases, and the gold."""
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


def rows_of(table: CountsTable, runs: int) -> Rows:
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


def report(what: str, value: float, bound: float, unit: str = "ms") -> None:
    print(f"{what:72} {value:8.2f} {unit:5} bound {bound:g}: {'within' if value <= bound else 'MISSED'}")


def beside_plain_python(what: str, ours: float, plain: float) -> None:
    print(f"{'  ' + what + ', scaled up, to ours':72} {plain / ours:8.0f} times")


def main() -> None:
    runs, gold = made_up()
    print(f"{RUNS} runs, {QUERIES} queries, {TIMES} resamples, {TIMES} swaps, {PAIRS} pairs\n")
    encoding = seconds(lambda: counts_table(runs, gold, MicroF1))
    evaluator = pytrec_eval.RelevanceEvaluator(gold, {"set_P", "set_recall"})
    peer = seconds(lambda: [evaluator.evaluate(run) for run in runs.values()])
    print(f"{'the counts of all runs, from dicts':72} {encoding * 1000:8.2f} ms")
    print(f"{'  to set precision and recall by pytrec_eval':72} {encoding / peer:8.2f} times\n")
    for measure in (MicroF1, MacroF2):
        table = counts_table(runs, gold, measure)
        rows = rows_of(table, PLAIN_RUNS)
        few = counts_table({name: runs[name] for name in rows}, gold, measure)

        bootstrap = seconds(lambda m=measure, t=table: intervals(m, t, resamples=TIMES))
        report(f"{measure}: intervals of all runs", bootstrap * 1000, 500)
        start = time.perf_counter()
        ends = plain_intervals(measure, rows)
        taken = (time.perf_counter() - start) * (RUNS / PLAIN_RUNS) * (TIMES / PLAIN_TIMES)
        beside_plain_python("plain Python", bootstrap, taken)
        ours = [found[:2] for found in intervals(measure, few, resamples=PLAIN_TIMES).values()]
        np.testing.assert_allclose(ours, ends, rtol=0, atol=1e-12)

        # all else of a comparison is timed with a single swap, and taken off
        rest = seconds(lambda m=measure, t=table: compare_counts(m, t, permutations=1))
        whole = seconds(lambda m=measure, t=table: compare_counts(m, t, permutations=TIMES))
        report(f"{measure}: randomization of all pairs", (whole - rest) * 1000, 500)
        start = time.perf_counter()
        p_values = plain_p_values(measure, rows)
        taken = (time.perf_counter() - start) * (PAIRS / len(p_values)) * (TIMES / PLAIN_TIMES)
        beside_plain_python("plain Python", whole - rest, taken)
        found = compare_counts(measure, few, permutations=PLAIN_TIMES)["p"]
        np.testing.assert_allclose(found, p_values, rtol=0, atol=1e-12)
        report(f"{measure}: a whole comparison, intervals of the differences included", whole * 1000, 1000)
        print()


if __name__ == "__main__":
    main()
