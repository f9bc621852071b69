"""How fast runs are scored, cut and compared: one table of ours beside other programs, with the bounds.

All times are of this run of the program, ours and the peer's taken in turn; a ratio is the median of theirs. What a
peer would need many minutes for is timed in part and multiplied, which its line says. The figures of both sides
are compared, to 1e-12. Run it as ``python benchmarks/evaluation.py``; it takes about three minutes, of which ranx,
where it is installed, compiles for one. Ends with status 1 where a bound is missed.
"""

from __future__ import annotations

import itertools
import sys

import comparing
import scoring
import tuning
from made_up_runs import DEPTH, QUERIES
from side_by_side import as_line, heading


def main() -> int:
    """Print the table."""
    print(f"Runs of {QUERIES} queries x {DEPTH} items. A ratio below 1: ours takes less.\n")
    print(heading())
    missed = 0
    for row in itertools.chain(scoring.rows(), tuning.rows(), comparing.rows()):
        print(as_line(row), flush=True)
        missed += row.met is False
    print(f"\n{missed} of the bounds missed" if missed else "\nall bounds met")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
