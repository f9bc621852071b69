"""Run the built-in baselines on your release, and add their figures to the results gallery.

``python benchmarks/gallery.py coliee/task1/2025/test`` runs ``ir_coliee baseline`` with nothing kept and then once
more, scores the runs, and appends a row for each of them to ``docs/results/measured.csv``. A row has aggregate figures
alone: no id of a query or a document, and no name of a machine. Send the changed file as a pull request. Your data
folder is only read: what the commands keep goes into a temporary folder. Linux only. Without a split, the script draws
the figure ``docs/_static/measured.svg`` from the file again.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from baseline_costs import Taken, taken
from gallery_pages import FIGURE, figure
from measured_figures import MEASURED, Measured, append_measured, read_measured

from ir_coliee import __version__, unseen_queries
from ir_coliee.baselines import Plan, plan_baseline
from ir_coliee.baselines.files import file_names
from ir_coliee.editions import data_folders
from ir_coliee.engine.parallel import available_cores
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.leaderboards import round_half_up
from ir_coliee.evaluation.scoring import Scorer, Scores
from ir_coliee.releases.release import LocalRelease

DIGITS = 4


def measured(plan: Plan, machine: str, work: Path) -> Iterator[Measured]:
    """Run the baselines of a split, and yield their rows."""
    scorer = Scorer(plan.split)
    calls: list[tuple[list[str], tuple[str, ...]]] = [(["--fast"], ("bm25",))] if plan.has_rankings else []
    if plan.learned:
        calls.append(([], plan.learned.tags))
    for options, tags in calls:
        cold, warm = _called_twice(plan, options, work)
        for tag in tags:
            files = {role: work / "runs" / name for role, name in file_names(plan, tag).items()}
            if not files["answers"].exists():
                continue  # it was left out; the command said why
            row = Measured(
                split=plan.split.id,
                baseline=tag,
                measure=str(plan.split.measure),
                value="",
                cores=str(available_cores()),
                machine=machine,
                version=__version__,
                date=datetime.date.today().isoformat(),
            )
            scores = scorer.score(files["answers"], **_further(scorer, files))
            yield row._replace(
                **_figures(scores),
                seconds_cold=f"{cold.seconds:.1f}",
                seconds_warm=f"{warm.seconds:.1f}",
                memory_gb=f"{max(cold.gigabytes, warm.gigabytes):.2f}",
            )
            for value in (value for label, value in scores.figures.items() if label.endswith(" unseen")):
                left_out = set(scores.per_query["query_id"]).difference(unseen_queries(plan.split))
                yield row._replace(
                    value=_figure(value),
                    queries_left_out=str(len(left_out)),
                    note="without the queries whose text is a train query",
                )


def _called_twice(plan: Plan, options: list[str], work: Path) -> tuple[Taken, Taken]:
    """Run the command with nothing kept from earlier, and once more."""
    with tempfile.TemporaryDirectory() as temporary:
        folders = _folders_of_links(data_folders(), Path(temporary))
        kept = {"COLIEE_HOME": os.pathsep.join(map(str, folders)), "IR_DATASETS_HOME": temporary}
        command = ["baseline", plan.split.id, *options, "--out", str(work / "runs"), "--force"]
        before = dict(os.environ)
        os.environ.update(kept)
        try:
            return taken(command, work / "log"), taken(command, work / "log")
        finally:
            os.environ.clear()
            os.environ.update(before)


def _folders_of_links(folders: list[Path], temporary: Path) -> Iterator[Path]:
    """Yield folders with links to all that the data folders have, but the cache."""
    for number, folder in enumerate(folders):
        links = temporary / f"data{number}"
        links.mkdir()
        for path in folder.glob("*"):
            if path.name != ".cache":
                (links / path.name).symlink_to(path.absolute())
        yield links


def _further(scorer: Scorer, files: Mapping[str, Path]) -> dict[str, Path]:
    """Return the long list and the answers that the official figures need."""
    names = {"long_list": ("long", "ranking"), "answers": ("labels", "answers")}
    return {name: files[role] for name, (role, needs) in names.items() if role in files and scorer.uses(needs)}


def _figures(scores: Scores) -> dict[str, str]:
    """Return the cells of the official figure, of precision and recall, and of the interval."""
    names = list(scores.figures)
    cells = {"value": scores.figures[names[0]], "precision": scores.figures.get("P"), "recall": scores.figures.get("R")}
    if scores.interval is not None:
        cells |= {"low": scores.interval.low, "high": scores.interval.high}
    return {column: _figure(value) for column, value in cells.items() if value is not None}


def _figure(value: float) -> str:
    return str(round_half_up(value, DIGITS))


def main() -> None:
    """Append the rows of a split, or draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dataset", nargs="?", help="for example coliee/task1/2025/test; without it, draw the figure")
    parser.add_argument("--machine", default=f"{platform.machine()}, no GPU used", help="the machine in a few words")
    parser.add_argument("--csv", type=Path, default=MEASURED, help="the file to append to")
    options = parser.parse_args()
    if options.dataset is None:
        FIGURE.write_text(figure(read_measured(MEASURED)), encoding="utf-8")
        return
    try:
        plan = plan_baseline(options.dataset)
        is_fictional = plan.split.edition == "sample" or LocalRelease.open(plan.split).is_synthetic
    except ColieeError as error:
        parser.error(str(error))
    if is_fictional and options.csv.resolve() == MEASURED:
        sys.exit(f"{plan.split.id} is fictional here; the gallery has real editions alone. Name another --csv.")
    append_measured([], options.csv)  # a file that has errors or cannot be written is refused before the work
    with tempfile.TemporaryDirectory() as work:
        rows = list(measured(plan, options.machine, Path(work)))
    append_measured(rows, options.csv)
    for row in rows:
        print(f"{row.split} {row.baseline} {row.measure} {row.value}, {row.queries_left_out} queries left out")


if __name__ == "__main__":
    main()
