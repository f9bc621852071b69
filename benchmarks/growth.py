"""Measure how search cost grows with the postings that whole decisions touch: same queries, more documents.

For each back-end, on one thread, it prints the seconds for 1,000 to 50,000 decisions and the exponent of a line
through the logarithms; an exponent of 1 means that cost is proportional to postings. Up to 1.1 is accepted, because
the scores of more documents fit a cache less well. Decisions are generated as word counts, without text, so that 4 GB
of memory are enough. If matplotlib is installed (the extra ``benchmarks``), a plot is saved too. Run it as ``python
benchmarks/growth.py``. The exit status is 1 if the bound is missed.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
from engines import DEPTH, bm25_by_term
from scipy import sparse
from synthetic_decisions import content_words, counted
from timing import seconds

from ir_coliee.engine.scoring import BACKENDS, Backend, count_postings, top_k

MAX_EXPONENT = 1.1

Points = dict[Backend, list[tuple[int, float]]]  #: postings touched, seconds


def measured(sizes: list[int], queries: int) -> Points:
    """Yield a line of the table for each collection, as soon as it is measured."""
    installed: list[Backend] = [name for name in BACKENDS if name == "scipy" or find_spec(name)]
    counts, lengths = counted(content_words(max(sizes)))
    vectors = counts[:queries].astype(np.float64)
    points: Points = {backend: [] for backend in installed}
    print(f"{'documents':>10} {'postings touched':>17}" + "".join(f"{name + ', s':>12}" for name in installed))
    for size in sizes:
        touched, spent = of_prefix(counts[:size], lengths[:size], vectors, installed)
        for backend, of_backend in spent.items():
            points[backend].append((touched, of_backend))
        print(f"{size:10,} {touched:17,}" + "".join(f"{time:12.4f}" for time in spent.values()), flush=True)
    return points


def of_prefix(
    counts: sparse.csr_matrix, lengths: npt.NDArray[np.float64], vectors: sparse.csr_matrix, backends: list[Backend]
) -> tuple[int, dict[Backend, float]]:
    """Return the number of postings touched in these documents, and the seconds of each back-end."""
    by_term = bm25_by_term(counts, lengths)
    spent = {}
    for backend in backends:
        search(vectors[:1], by_term, backend)  # compiles
        spent[backend] = seconds(partial(search, vectors, by_term, backend))
    return count_postings(vectors, by_term), spent


def search(vectors: sparse.csr_matrix, by_term: sparse.csr_matrix, backend: Backend) -> None:
    """Search the best results of each query on one thread."""
    for _ in top_k(vectors, by_term, DEPTH, backend=backend):
        pass


def exponent(points: list[tuple[int, float]]) -> float:
    """Return the slope of the line through the logarithms."""
    touched, spent = np.log(np.array(points, dtype=np.float64)).T
    return float(np.polyfit(touched, spent, 1)[0])


def draw(points: Points, path: Path) -> None:
    """Save a plot with logarithmic axes; the file name determines the format."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log", xlabel="postings touched", ylabel="seconds")
    for backend, of_backend in points.items():
        axes.plot(*zip(*of_backend), marker="o", label=f"{backend}, exponent {exponent(of_backend):.2f}")
    axes.legend()
    figure.savefig(path)


def main() -> int:
    """Print the table and the exponents, and save the plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[1000, 5000, 20_000, 50_000])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--plot", type=Path, default=Path(tempfile.gettempdir()) / "growth.svg")
    asked = parser.parse_args()
    points = measured(asked.documents, asked.queries)
    missed = 0
    for backend, of_backend in points.items():
        found = exponent(of_backend)
        missed += found > MAX_EXPONENT
        print(f"{backend}: exponent {found:.3f}, bound {MAX_EXPONENT}: {'met' if found <= MAX_EXPONENT else 'MISSED'}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if find_spec("matplotlib"):
        draw(points, asked.plot)
        print(f"drawn as {asked.plot}")
    else:
        print("matplotlib is not installed: nothing is drawn")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
