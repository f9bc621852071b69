"""``ir_coliee VERB``: thin, a function for each verb.

Exit status 0: all is well. 1: the run that was checked has errors. 2: the call could not be carried out.
"""

from __future__ import annotations

import io
import json
import signal
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import ir_datasets
import typer
from rich.console import Console
from rich.table import Table

import ir_coliee
from ir_coliee.datasets import copies, releases
from ir_coliee.datasets.releases import PARTS, SAMPLE, Part
from ir_coliee.errors import ColieeError, ColieeWarning, MissingLabelsError

if TYPE_CHECKING:
    from ir_coliee.evaluation.scoring import Scores

app = typer.Typer(
    name="ir_coliee",
    help="The COLIEE tasks for ir_datasets, ir-measures and PyTerrier.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# a table that goes into a file or a pipe is never cut to the width of a terminal
out = Console(highlight=False, markup=False, width=None if sys.stdout and sys.stdout.isatty() else 10_000)
err = Console(stderr=True, highlight=False, markup=False, width=None if sys.stderr and sys.stderr.isatty() else 10_000)

_SHOWN_ALIKE = 5  # findings of the same words that are printed one by one

DatasetId = Annotated[str, typer.Argument(metavar="ID", help="A dataset id, for example coliee/task1/sample/test.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON in place of a table.")]


def main() -> None:
    """Run the command line; an error of ours is one line on stderr and exit status 2."""
    if hasattr(signal, "SIGPIPE"):  # end quietly when the reader of a pipe leaves, as other tools do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character shows its number
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _show_warning
    try:
        app()
    except ColieeError as error:
        err.print(f"error: {error}")
        sys.exit(2)
    except (OSError, UnicodeError) as error:  # a folder that cannot be read, a full disk, half a character
        err.print(f"error: {error}")
        sys.exit(2)


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """A warning of ours as one line; anyone else's as Python shows it."""
    if issubclass(category, ColieeWarning):
        err.print(f"warning: {message}")
    else:
        sys.stderr.write(warnings.formatwarning(message, category, *place[:2]))


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        out.print(ir_coliee.__version__)
        raise typer.Exit


@app.command("list")
def list_ids(
    as_json: AsJson = False,
) -> None:
    """All dataset ids with their names. Behind a part, …/full gives its queries with every field."""
    ids = [name for name in ir_datasets.registry if name.startswith("coliee/") and not name.endswith("/full")]
    rows = []
    for dataset_id in sorted(ids):
        words = ir_datasets.load(dataset_id).documentation()
        rows.append({"id": dataset_id, "name": words["pretty_name"], "measure": ", ".join(words["official_measures"])})
    if as_json:
        out.print_json(json.dumps(rows))
        return
    _print_table(["id", "name", "official measure"], [list(row.values()) for row in rows])


@app.command()
def status(
    as_json: AsJson = False,
) -> None:
    """What is in the data folder, what is missing, and where it goes."""
    with copies.listed_once():
        rows = [_status_of(part) for part in PARTS.values() if part.name in ("train", "test")]
    if as_json:
        out.print_json(
            json.dumps(
                {
                    "data_folders": [str(folder) for folder in copies.data_folders()],
                    "parts": [row._asdict() for row in rows],
                }
            )
        )
        return
    for folder in copies.data_folders():
        absent = "" if folder.is_dir() else " (does not exist)"
        out.print(f"Data folder: {folder.absolute()}{absent}; set COLIEE_HOME to use another")
    _print_table(["id", "here", "missing"], [[row.id, row.here, ", ".join(row.missing)] for row in rows])
    if any(row.missing for row in rows):
        out.print(
            "Missing files go anywhere below the data folder, under these names. The organisers give the data to "
            f"participants who sign their memorandum: {copies.ORGANISERS}"
        )


class _PartStatus(NamedTuple):
    id: str
    here: str
    missing: list[str]


def _status_of(part: Part) -> _PartStatus:
    try:
        missing = copies.missing_files(part)
    except OSError as error:  # one file that cannot be read must not hide the others
        return _PartStatus(part.id, f"cannot be read: {error}", [])
    if missing:
        here = "no" if len(missing) == len(part.files) else "in part"
    else:
        here = "yes"
        if "labels" in part.files and "no_labels" in copies.find(part, "labels").name:
            here = "yes, without labels"
        if copies.is_made_up(part):
            here = "built in" if part.edition == SAMPLE else f"{here}, made up"
    return _PartStatus(part.id, here, missing)


@app.command()
def baseline(
    dataset_id: DatasetId,
    out_dir: Annotated[Path, typer.Option("--out", help="The folder to write the run into.")] = Path("coliee-runs"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a run that is there already.")] = False,
) -> None:
    """Run the first pipeline of a task, print the official measures, write the run in the official form."""
    part = releases.part(dataset_id)
    from ir_coliee import baselines
    from ir_coliee.evaluation import run_files, scoring

    runs = baselines.run_baseline(part)
    paths = {run.tag: out_dir / f"{part.id.replace('/', '-')}.{run.tag}" for run in runs}
    try:  # written before anything is printed: the reader of a pipe may leave early
        for run in runs:
            run_files.write_run(part, run.answers, paths[run.tag], run.tag, overwrite=force)
    finally:
        out.print(f"{part.pretty_name}\n")
        for run in runs:
            for note in run.notes:
                out.print(f"{run.tag}: {note}")
        try:
            scores = {run.tag: scoring.score(part, run.answers, run.ranking) for run in runs}
        except MissingLabelsError:
            out.print("not scored: no labels in this copy")
        else:
            _print_scores(part, scores)
    for path in paths.values():
        out.print(f"wrote {path}")


@app.command()
def score(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files in the official form.")],
    as_json: AsJson = False,
) -> None:
    """The official figures of one or several rival runs."""
    part = releases.part(dataset_id)
    from ir_coliee.evaluation import run_files, scoring

    frames = {str(path): run_files.as_frame(run_files.read_run(part, path)) for path in runs}
    scores = {name: scoring.score(part, frame) for name, frame in frames.items()}
    if as_json:
        out.print_json(json.dumps({name: scored._asdict() for name, scored in scores.items()}))
        return
    _print_scores(part, scores)


def _print_table(header: list[str], rows: list[list[str]]) -> None:
    table = Table(box=None)
    for column in header:
        table.add_column(column, no_wrap=column not in ("run", "name", "missing"), overflow="fold")
    for row in rows:
        table.add_row(*row)
    out.print(table)


def _print_scores(part: Part, scores: dict[str, Scores]) -> None:
    labels = list(next(iter(scores.values())).figures)
    _print_table(
        ["run", *labels], [[name, *(f"{s.figures[label]:.4f}" for label in labels)] for name, s in scores.items()]
    )
    for name, scored in scores.items():
        for note in scored.notes:
            out.print(f"{name}: {note}")
    if part.task == "rationale":
        out.print("Which value an instance without anything to find has is not published; both are given.")
    elif "MAP" in labels:
        out.print("F2 is the official measure; MAP and R@k are those of the ranking before the cut-off.")
    if copies.is_made_up(part):
        out.print("This data is made up: scores on it say nothing about COLIEE.")


@app.command()
def validate(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files in the official form.")],
) -> None:
    """Check run files before they are mailed. Exit status 1 when one has errors."""
    part = releases.part(dataset_id)
    from ir_coliee.evaluation import validation

    failed = False
    for path in runs:
        findings = validation.validate(part, path)
        alike = Counter(finding.message for finding in findings)
        shown: Counter[str] = Counter()
        for finding in findings:
            shown[finding.message] += 1
            if shown[finding.message] <= _SHOWN_ALIKE:
                place = f"{path}, line {finding.line}" if finding.line else f"{path}"
                out.print(f"{place}: {finding.level}: {finding.message}")
            elif shown[finding.message] == alike[finding.message]:
                out.print(f"{path}: {alike[finding.message] - _SHOWN_ALIKE} more lines like this")
        errors = sum(finding.level == "error" for finding in findings)
        out.print(f"{path}: {f'errors: {errors}' if errors else 'accepted'}")
        failed = failed or errors > 0
    if failed:
        raise typer.Exit(1)


@app.command()
def synth(
    dataset_id: Annotated[str, typer.Argument(metavar="ID", help="An edition, for example coliee/task1/2025.")],
    folder: Annotated[Path, typer.Option("--out", help="The folder to write into.")],
    scale: Annotated[float, typer.Option(help="The share of the true size, in (0, 1].")] = 1.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
) -> None:
    """Write a made-up release in the true layout, with something in it to be found."""
    from tqdm.auto import tqdm

    from ir_coliee.datasets import synthetic

    written = synthetic.write_release(
        dataset_id, folder, scale=scale, seed=seed, progress=lambda loop: tqdm(loop, desc="writing", unit="file")
    )
    for path in written:
        out.print(f"wrote {path}")
    out.print(f"Every word is made up. Use it with COLIEE_HOME={folder}")
