"""Measure the time that ``import ir_coliee`` adds to importing ir_datasets and ir_measures.

The bound is a median difference of 60 ms over 20 alternating pairs of fresh interpreters. Run it as ``python
benchmarks/import_time.py``.
"""

import statistics
import subprocess
import sys
import time

RUNS = 20
BOUND_MS = 60
PARENTS = "import ir_datasets, ir_measures"
OURS = PARENTS + ", ir_coliee"


def milliseconds(statement: str) -> float:
    """Return the wall time of a fresh interpreter that runs the statement."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    """Print both medians, their difference and the bound."""
    milliseconds(OURS)  # the first import compiles
    pairs = [(milliseconds(PARENTS), milliseconds(OURS)) for _ in range(RUNS)]
    parents, ours = (statistics.median(column) for column in zip(*pairs))
    added = statistics.median(b - a for a, b in pairs)
    print(f"parents {parents:.0f} ms, with ir_coliee {ours:.0f} ms, ratio {ours / parents:.2f}")
    print(f"added {added:.0f} ms (median difference over {RUNS} pairs); bound {BOUND_MS} ms")


if __name__ == "__main__":
    main()
