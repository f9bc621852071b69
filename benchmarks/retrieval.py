"""Measure search with whole decisions and scoring of short texts: ours by back-end and threads, beside others.

The memory bound is the time to read the postings of the queries' terms, at 12 bytes each (document number and
weight), at the bandwidth with which as many threads read a large array. The bound, our fastest back-end and each
engine are timed by turns, up to five times, and the medians of the ratios are printed, because other processes
disturb single times. The goal is the memory bound, which no exhaustive search can beat: ours must take at most 3
times as long with numba on two threads, and at most 6 times as long with scipy alone. What the other engines take is
shown beside it. Agreement is measured against a sorted product of sparse matrices: the share of ranks with the same
document, and the share of documents that are in both rankings. Ours must agree in all of them; an engine marked (*) is
compared by its own formula.

Run it as ``python benchmarks/retrieval.py``, or with less data: ``--documents 500 --queries 50``. The other engines
are in the extra ``benchmarks``. The exit status is 1 if a bound is missed.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import NamedTuple

import numpy as np
import short_texts
from engines import DEPTH, MAKERS, Engine, Problem, Rankings, ours, problem, sparse_times_sparse
from side_by_side import as_line, heading

from ir_coliee.engine.scoring import count_postings

BYTES_OF_A_POSTING = 12
MAX_ROUNDS, MAX_SECONDS = 5, 5.0  # no round begins after so many seconds


class Timed(NamedTuple):
    """The seconds of an engine, their ratios to the memory bound and to ours, and the agreement of its rankings."""

    engine: Engine
    seconds: float
    of_bound: float
    of_ours: float
    same_place: float
    same_set: float

    def verdicts(self) -> Iterator[tuple[str, bool]]:
        """Yield each requirement on the engine, and whether it is met."""
        if (limit := self.engine.max_bounds) is not None:
            yield f"<= {limit:g} x bound", self.of_bound <= limit
        if self.engine.exact and self.same_place < 1:
            yield "the same ranking", False


def table(given: Problem, *, peers: bool) -> Iterator[Timed]:
    """Time the engines one after the other."""
    exhaustive = exhaustively(given)
    *_, fastest = ours(given)
    large = np.ones(100_000_000)
    touched = count_postings(given.vectors, given.by_term) * BYTES_OF_A_POSTING / large.nbytes
    for engine in itertools.chain.from_iterable(make(given) for make in (MAKERS if peers else [ours])):
        with ThreadPoolExecutor(engine.threads) as pool:
            splits = np.array_split(large, engine.threads)
            rounds, begun = [], time.perf_counter()
            while len(rounds) < MAX_ROUNDS and (not rounds or time.perf_counter() - begun < MAX_SECONDS):
                bound = _seconds(lambda pool=pool, splits=splits: list(pool.map(np.sum, splits)))[0] * touched
                own = _seconds(fastest.search)[0]
                seconds, found = _seconds(engine.search)
                rounds.append((seconds / engine.share, bound, own))
        same = exhaustive if engine.by_term is None else exhaustively(given._replace(by_term=engine.by_term))
        yield Timed(
            engine,
            median(seconds for seconds, _, _ in rounds),
            median(seconds / bound for seconds, bound, _ in rounds),
            median(seconds / own for seconds, _, own in rounds),
            *agreement(found, same),
        )


def exhaustively(given: Problem) -> Rankings:
    """Return the rankings with which the others are compared."""
    (engine,) = sparse_times_sparse(given)
    return engine.search()


def _seconds(search: Callable[[], Rankings]) -> tuple[float, Rankings]:
    start = time.perf_counter()
    found = search()
    return time.perf_counter() - start, found


def agreement(found: Rankings, exhaustive: Rankings) -> tuple[float, float]:
    """Return the share of ranks with the same document, and the share of documents in both rankings."""
    pairs = list(zip(found, exhaustive))
    places = sum(len(right) for _, right in pairs)
    same = sum(int((left[: len(right)] == right[: len(left)]).sum()) for left, right in pairs)
    return same / places, sum(len(np.intersect1d(left, right)) for left, right in pairs) / places


def _line(timed: Timed, verdicts: list[tuple[str, bool]]) -> str:
    name, figures = timed.engine.name, f"{timed.seconds:9.3f} {timed.of_bound:8.2f} {timed.of_ours:8.2f}"
    asked = ", ".join(f"{what}: {'met' if met else 'MISSED'}" for what, met in verdicts)
    return f"{name:34} {figures} {timed.same_place:11.4f} {timed.same_set:9.4f}  {asked}".rstrip()


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[4400, 9500])
    parser.add_argument("--queries", type=int, default=959)
    parser.add_argument("--no-peers", action="store_true", help="leave out the other engines")
    asked = parser.parse_args()
    missed = 0
    for documents in asked.documents:
        given = problem(documents, min(asked.queries, documents))
        touched = count_postings(given.vectors, given.by_term)
        print(f"{len(given.queries)} decisions against {documents}, best {DEPTH}: {touched:.3g} postings touched")
        print(f"{'':34} {'seconds':>9} {'x bound':>8} {'x ours':>8} {'same place':>11} {'same set':>9}  asked")
        for timed in table(given, peers=not asked.no_peers):
            verdicts = list(timed.verdicts())
            print(_line(timed, verdicts), flush=True)
            missed += sum(not met for _, met in verdicts)
        print()
    print(heading())
    for row in short_texts.rows():
        print(as_line(row), flush=True)
        missed += row.met is False
    print(f"\n{missed} of the bounds missed" if missed else "\nall bounds met")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
