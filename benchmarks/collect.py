"""Run benchmarks and append their results to ``docs/results/benchmarks.csv``.

Run it as ``python benchmarks/collect.py`` on a machine with nothing else to do, or with the names of some groups:
``python benchmarks/collect.py search memory``. It takes about 20 minutes on two cores, and draws the figure
``docs/_static/benchmarks.svg`` again. With ``--draw`` it only does that.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import os
import platform
import resource
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import comparing
import indexing
import report
import retrieval
import scoring
import tuning
from collected import (
    COLLECTED,
    FIGURE,
    OTHER_BY_OURS,
    OURS,
    OURS_BY_OTHER,
    Result,
    append_results,
    figure,
    read_results,
)
from engines import DEPTH, problem
from side_by_side import Row
from synthetic_decisions import decisions

from ir_coliee import __version__
from ir_coliee.engine.building import count_terms
from ir_coliee.engine.parallel import available_cores
from ir_coliee.synthetic import write_release

DOCUMENTS, QUERIES = 4400, 959


def search() -> Iterator[Result]:
    """Yield the ratios of the engines: ours to the memory bound, the others to ours."""
    what = f"best {DEPTH:,} of whole decisions"
    for timed in retrieval.table(problem(DOCUMENTS, QUERIES), peers=True):
        name, most = timed.engine.name, timed.engine.max_bounds
        if name.startswith("ours"):
            yield _result("search", name, "the memory bound", OURS_BY_OTHER, timed.of_bound, limit=most)
        else:
            yield _result("search", what, name, OTHER_BY_OURS, timed.of_ours, limit=None)


def index() -> Iterator[Row]:
    """Yield the time of indexing beside bm25s."""
    if importlib.util.find_spec(indexing.PEER):
        yield from indexing.beside_peer(list(decisions(indexing.DOCUMENTS)))


def memory() -> Iterator[Row]:
    """Yield the memory of a report, and the memory and the size of an index."""
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["COLIEE_HOME"] = temporary
        write_release(report.LARGE, Path(temporary))
        first, *others = report.rows(report.LARGE, Path(temporary))
    yield from (row._replace(what=f"{row.what} ({first.what})") for row in others if row.unit == "MB")
    corpus = list(decisions(indexing.DOCUMENTS))
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts = count_terms(corpus, "words")
    what = f"peak memory of indexing {len(corpus):,} decisions, beside their texts"
    yield Row(what, indexing.peak_beside(held), unit="MB")
    yield from (row for row in indexing.stored(counts) if row.unit == "MB")


GROUPS: dict[str, Callable[[], Iterable[Row | Result]]] = {
    "search": search,
    "indexing": index,
    "scoring": scoring.rows,
    "tuning": tuning.rows,
    "comparing": comparing.rows,
    "memory": memory,
}


def as_result(group: str, row: Row | Result) -> Result:
    """Return a row of a table as a row of the file."""
    if isinstance(row, Result):
        return row
    if row.ratio is None:
        return _result(group, row.what, "", OURS, row.ours, unit=row.unit, limit=row.bound)
    return _result(group, row.what, row.peer_name, OURS_BY_OTHER, row.ratio, limit=row.bound, note=row.note)


def _result(
    group: str,
    what: str,
    other: str,
    quantity: str,
    value: float,
    *,
    unit: str = "times",
    limit: float | None,
    note: str = "",
) -> Result:
    shown = f"{value:.0f}" if value >= 10 else f"{value:.2g}"
    return Result(
        group,
        what,
        other,
        quantity,
        shown,
        shown,
        unit,
        "" if limit is None else f"{limit:g}",
        cores=str(available_cores()),
        machine=platform.machine(),
        version=__version__,
        date=datetime.date.today().isoformat(),
        note=note,
    )


def main() -> None:
    """Append the results of the groups, and draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}; by default all")
    parser.add_argument("--draw", action="store_true", help="only draw the figure")
    parser.add_argument("--csv", type=Path, default=COLLECTED, help="the file to append to")
    options = parser.parse_args()
    if unknown := set(options.groups).difference(GROUPS):
        parser.error(f"unknown groups: {', '.join(sorted(unknown))}")
    append_results([], options.csv)  # a file that cannot be written is refused before the work
    for group in [] if options.draw else options.groups or GROUPS:
        results = [as_result(group, row) for row in GROUPS[group]()]
        append_results(results, options.csv)
        print(f"{group}: {len(results)} results", flush=True)
    FIGURE.write_text(figure(read_results()), encoding="utf-8")


if __name__ == "__main__":
    main()
