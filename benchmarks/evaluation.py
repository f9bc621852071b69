"""Measure how fast runs are scored and cut, in one table beside other programs, with bounds.

All times are measured in this run, ours and the other program's by turns; a ratio is the median of their ratios.
Where the other program would need many minutes, part of its work is timed and multiplied, and the line says so. The
figures of both sides must agree to 1e-12. Run it as ``python benchmarks/evaluation.py``; it takes about three
minutes, one of them for the compilation of ranx, if that is installed. The exit status is 1 if a bound is missed.
"""

from __future__ import annotations

import itertools
import sys

import scoring
import tuning
from side_by_side import as_line, heading
from synthetic_runs import DEPTH, QUERIES


def main() -> int:
    """Print the table."""
    print(f"Runs of {QUERIES} queries x {DEPTH} items. A ratio below 1: ours takes less.\n")
    print(heading())
    missed = 0
    for row in itertools.chain(scoring.rows(), tuning.rows()):
        print(as_line(row), flush=True)
        missed += row.met is False
    print(f"\n{missed} of the bounds missed" if missed else "\nall bounds met")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
