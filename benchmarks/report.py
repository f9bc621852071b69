"""Measure how long ``ir_coliee report`` takes, and its peak memory, with bounds.

The runs are simulated: rankings of 100 items, in which relevant items are more often in front, cut at rank 4. They
answer the built-in sample, and a synthetic release of the true size of task 1 of 2025, with 400 queries and 2,159
decisions. Run it as ``python benchmarks/report.py``; ``--scale 0.1`` takes a tenth of the release. The exit status is 1
if a bound is missed.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import ir_datasets
from side_by_side import Row, as_line, heading

from ir_coliee.synthetic import write_release

SAMPLE, LARGE = "coliee/task1/sample/test", "coliee/task1/2025/test"
RUNS, DEPTH, KEPT = 3, 100, 4
#: Seconds and megabytes, at most.
BOUNDS = {SAMPLE: (10, 1000), LARGE: (60, 1000)}


def write_runs(dataset_id: str, folder: Path) -> list[Path]:
    """Write simulated answer sets with their rankings, and return the answer sets."""
    dataset = ir_datasets.load(dataset_id)
    documents = [document.doc_id for document in dataset.docs_iter()]
    gold: dict[str, set[str]] = {}
    for label in dataset.qrels_iter():
        gold.setdefault(label.query_id, set()).add(label.doc_id)
    paths = []
    for number in range(RUNS):
        chance = random.Random(number)
        path = folder / f"{dataset_id.replace('/', '-')}.run{number}"
        with path.open("w") as answers, path.with_name(f"{path.name}.trec").open("w") as ranking:
            for query_id, relevant in sorted(gold.items()):
                pool = {*chance.sample(documents, min(DEPTH, len(documents))), *relevant}
                scores = {each: chance.random() + (each in relevant) * chance.random() for each in sorted(pool)}
                for rank, each in enumerate(sorted(scores, key=scores.__getitem__, reverse=True)[:DEPTH]):
                    ranking.write(f"{query_id} Q0 {each} {rank + 1} {scores[each]} run{number}\n")
                    if rank < KEPT:
                        answers.write(f"{query_id} {each} run{number}\n")
        paths.append(path)
    return paths


def rows(dataset_id: str, folder: Path) -> Iterator[Row]:
    """Time the command on the runs of a split, in a process of its own."""
    runs = write_runs(dataset_id, folder)
    queries = ir_datasets.load(dataset_id).queries_count()
    what = f"report on {RUNS} runs, {queries} queries, {ir_datasets.load(dataset_id).docs_count()} decisions"
    page = folder / "report.html"
    command = [sys.executable, "-m", "ir_coliee", "report", dataset_id, *map(str, runs), "--out", str(page)]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, "--force", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    taken, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, memory = BOUNDS[dataset_id]
    yield Row(what, taken, bound=seconds)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    yield Row("its processor time, also that of several cores", spent)
    yield Row("its peak memory", after.ru_maxrss / 1024, bound=memory, unit="MB")  # of the largest process so far
    yield Row("its page", page.stat().st_size / 1e6, unit="MB")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the true size")
    options = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["COLIEE_HOME"] = temporary
        write_release(LARGE, Path(temporary), scale=options.scale)
        print(heading())
        for dataset_id in BOUNDS:
            for row in rows(dataset_id, Path(temporary)):
                print(as_line(row), flush=True)
                missed += row.met is False
    print(f"\n{missed} of the bounds missed" if missed else "\nall bounds met")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
