"""``ir_coliee VERB``: thin, a function for each verb.

Exit status 0: all is well. 1: the run or copy that was checked has errors. 2: the call could not be carried out.
"""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import ir_datasets
import typer
from rich.console import Console
from rich.table import Table

import ir_coliee
from ir_coliee.datasets import copies, releases
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, MissingLabelsError, shown

if TYPE_CHECKING:
    from ir_coliee.datasets.inventory import PartStatus
    from ir_coliee.evaluation.scoring import Scores

app = typer.Typer(
    name="ir_coliee",
    help="The COLIEE tasks for ir_datasets, ir-measures and PyTerrier.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# a table that goes into a file or a pipe is never cut to the width of a terminal
out = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout and sys.stdout.isatty() else 10_000)
err = Console(
    stderr=True,
    highlight=False,
    markup=False,
    emoji=False,
    width=None if sys.stderr and sys.stderr.isatty() else 10_000,
)

_MISSING_SHOWN = 3  # names of missing files in a row of the table
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
    warnings.showwarning = partial(_show_warning, set())
    try:
        app()
    except ColieeError as error:
        err.print(f"error: {_shown(error)}")
        sys.exit(2)
    except (OSError, UnicodeError) as error:  # a folder that cannot be read, a full disk, half a character
        err.print(f"error: {_shown(error)}")
        sys.exit(2)


_WORD = re.compile(rf"[^ /{re.escape(os.sep)}]+")


def _shown(message: object) -> str:
    """A message as a terminal may have it, whatever the files of a user brought into it; paths stay whole."""
    return _WORD.sub(lambda word: shown(word[0]), str(message))


def _show_warning(printed: set[str], message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """A warning of ours as one line, unless it was ``printed`` before; anyone else's as Python shows it."""
    if issubclass(category, ColieeWarning):
        if (words := _shown(message)) not in printed:
            err.print(f"warning: {words}")
        printed.add(words)
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
    """What is in the data folder and in which shape, what is missing, and where it goes."""
    from ir_coliee.datasets.inventory import inventory

    rows = inventory()
    if as_json:
        folders = [str(folder) for folder in copies.data_folders()]
        parts = [{**row._asdict(), "files": {r: p._asdict() for r, p in row.files.items()}} for row in rows]
        out.print_json(json.dumps({"data_folders": folders, "parts": parts}))
        return
    for folder in copies.data_folders():
        absent = "" if folder.is_dir() else " (is no folder)" if folder.exists() else " (does not exist)"
        out.print(f"Data folder: {_shown(folder.absolute())}{absent}; set COLIEE_HOME to use another")
    _print_table(["id", "here", "shape", "missing"], [_status_row(row) for row in rows])
    for row in rows:
        if row.here.startswith("cannot be read"):
            out.print(f"{row.id} {_shown(row.here)}")
        for place in row.files.values():
            if place.why:
                out.print(f"{row.id}: {_shown(place.path)} is {place.why}")
    if any(row.missing for row in rows):
        out.print(
            "Missing files go anywhere below the data folder, in folders or zips, under these names "
            "or others that are accepted: `ir_coliee status --json` lists them. The organisers give the data to "
            f"participants who sign their memorandum: {copies.ORGANISERS}"
        )


def _status_row(row: PartStatus) -> list[str]:
    kinds = dict.fromkeys(place.kind for place in row.files.values())
    missing = [names[0] for names in row.missing.values()]
    if len(missing) > _MISSING_SHOWN:  # an exam year each
        missing = [*missing[: _MISSING_SHOWN - 1], f"{len(missing) - _MISSING_SHOWN + 1} more"]
    here, _, _reason = row.here.partition(":")  # why something cannot be read stands below the table
    return [row.id, _shown(here), f"{row.layout}: {', '.join(kinds)}" if kinds else "", ", ".join(missing)]


@app.command()
def audit(
    dataset_id: DatasetId,
    as_json: AsJson = False,
) -> None:
    """Check a copy: against the table, and for what can mislead. Exit status 1 when something differs."""
    from tqdm.auto import tqdm

    from ir_coliee.datasets import audit as audits

    part = releases.part(dataset_id)
    found = audits.audit(part, progress=lambda loop: tqdm(loop, desc="reading", unit="document"))
    if as_json:
        findings = [finding._asdict() for finding in found.findings]
        out.print_json(
            json.dumps({"id": found.id, "counts": found.counts, "differs": found.differs, "findings": findings})
        )
    else:
        out.print(f"{part.pretty_name}: {', '.join(f'{number} {entity}' for entity, number in found.counts.items())}")
        for finding in found.findings:
            out.print(f"{finding.level}: {_shown(finding.message)}")
        out.print("differs from what is expected" if found.differs else "as expected")
    if found.differs:
        raise typer.Exit(1)


@app.command()
def purge() -> None:
    """Delete what is cached of the copies. The copies themselves stay as they are."""
    from ir_coliee.datasets import cache

    deleted = cache.purge()
    for folder in deleted:
        out.print(f"deleted {_shown(folder)}")
    if not deleted:
        out.print("no cache to delete")


_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command(context_settings=_PASSED_ON)
def irds(context: typer.Context) -> None:
    """The command line of ir_datasets (export, lookup, list, …) with the ids of this package."""
    with _said_in_a_line("ir_datasets"):
        ir_datasets.main(context.args)


@app.command(context_settings=_PASSED_ON)
def measures(context: typer.Context) -> None:
    """The command line of ir_measures with the measures of this package."""
    import ir_measures.__main__ as parent

    sys.argv = ["ir_coliee measures", *context.args]
    with _said_in_a_line("ir_measures"):
        parent.main_cli()


@contextmanager
def _said_in_a_line(parent: str) -> Iterator[None]:
    """A parent's command line answers bad input with a traceback or a status of its own: here with a line and 2."""
    try:
        yield
    except ColieeError:
        raise
    except SystemExit as left:
        raise typer.Exit(2 if left.code else 0) from None
    except Exception as error:
        raise ColieeError(f"{parent}: {type(error).__name__}: {error}") from None


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

    paths = {tag: out_dir / f"{part.id.replace('/', '-')}.{tag}" for tag in baselines.tags(part)}
    for path in paths.values():  # said now, not after the computation
        run_files.refuse_taken(path, overwrite=force)
    runs = baselines.run_baseline(part)
    try:  # written before anything is printed: the reader of a pipe may leave early
        for run in runs:
            run_files.write_run(part, run.answers, paths[run.tag], run.tag, overwrite=force)
    finally:
        out.print(f"{part.pretty_name}\n")
        for run in runs:
            for note in run.notes:
                out.print(f"{run.tag}: {_shown(note)}")
        try:
            scores = {run.tag: scoring.score(part, run.answers, run.ranking) for run in runs}
        except MissingLabelsError:
            out.print("not scored: no labels in this copy")
        else:
            _print_scores(part, scores)
    for run in runs:
        out.print(f"wrote {_shown(paths[run.tag])}")


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
    from ir_coliee.evaluation.boards import boards, official_board

    labels, made_up = list(next(iter(scores.values())).figures), copies.is_made_up(part)
    _print_table(
        ["run", *labels],
        [[_shown(name), *(f"{s.figures[label]:.4f}" for label in labels)] for name, s in scores.items()],
    )
    for name, scored in scores.items():
        for note in scored.notes:
            out.print(_shown(f"{name}: {note}"))
        if part.measure and part.name == "test" and (part.edition, part.task) in boards() and not made_up:
            placed = official_board(part.edition, part.task).place(scored.figures[labels[0]])
            out.print(_shown(f"{name}: {placed.words}. {placed.note}"))
    for note in next(iter(scores.values())).gold_notes:  # the same for all runs
        out.print(_shown(note))
    if part.task == "rationale":
        out.print("Which value an instance without anything to find has is not published; both are given.")
    elif part.task == "task3":
        official = "F2 is the official measure" if part.measure else "F2 only settles ties in this edition's ranking"
        out.print(f"{official}; MAP and R@k are those of the ranking before the cut-off.")
    if made_up:
        out.print("This data is made up: scores on it say nothing about COLIEE.")


@app.command()
def board(
    edition: Annotated[str, typer.Argument(metavar="EDITION", help="A year, for example 2023.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="task1 to task4.")],
    as_json: AsJson = False,
) -> None:
    """The official results of an edition, as far as they are published."""
    from ir_coliee.evaluation.boards import official_board

    found = official_board(edition, task)
    rows = found.frame()
    if as_json:
        out.print_json(rows.to_json(orient="records"))
        return
    columns = [column for column in rows.columns if column != "note"]
    _print_table(columns, [[_cell(value, found.digits) for value in row] for row in rows[columns].to_numpy(object)])
    out.print(found.note)
    out.print(f"Source: {found.source}")


def _cell(value: object, digits: int) -> str:
    """A value of a board as it was printed; empty where it is not known."""
    if isinstance(value, float):
        return "" if value != value else f"{value:.{digits}f}"
    return "" if value is None or str(value) == "<NA>" else str(value)


@app.command()
def validate(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files in the official form.")],
) -> None:
    """Check run files before they are mailed. Exit status 1 when one has errors, 2 when one cannot be read."""
    part = releases.part(dataset_id)
    from ir_coliee.evaluation import validation

    failed = unreadable = False
    for path in runs:
        try:
            findings = validation.validate(part, path)
        except MalformedFileError as error:
            if str(error.path) != str(path):  # a file of the copy, without which no run can be checked
                raise
            err.print(f"error: {_shown(error)}")
            unreadable = True
            continue
        alike = Counter(finding.message for finding in findings)
        printed: Counter[str] = Counter()
        for finding in findings:
            printed[finding.message] += 1
            if printed[finding.message] <= _SHOWN_ALIKE:
                place = f"{path}, line {finding.line}" if finding.line else f"{path}"
                out.print(_shown(f"{place}: {finding.level}: {finding.message}"))
            elif printed[finding.message] == alike[finding.message]:
                out.print(f"{_shown(path)}: {alike[finding.message] - _SHOWN_ALIKE} more lines like this")
        errors = sum(finding.level == "error" for finding in findings)
        out.print(f"{_shown(path)}: {f'errors: {errors}' if errors else 'accepted'}")
        failed = failed or errors > 0
    if unreadable:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)


@app.command()
def synth(
    dataset_id: Annotated[str, typer.Argument(metavar="ID", help="An edition, for example coliee/task1/2025.")],
    folder: Annotated[Path, typer.Option("--out", help="The folder to write into.")],
    scale: Annotated[float, typer.Option(help="The share of the true size, in (0, 1].")] = 1.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    quirks: Annotated[bool, typer.Option("--quirks", help="Plant the irregularities of real releases.")] = False,
    archive: Annotated[bool, typer.Option("--zip", help="Write each folder as a zip.")] = False,
) -> None:
    """Write a made-up release in the true layout, with something in it to be found."""
    from tqdm.auto import tqdm

    from ir_coliee.datasets import synthetic

    planted = synthetic.write_release(
        dataset_id,
        folder,
        scale=scale,
        seed=seed,
        quirks=quirks,
        archive=archive,
        progress=lambda loop: tqdm(loop, desc="writing", unit="file"),
    )
    for path in planted.paths:
        out.print(f"wrote {_shown(path)}")
    for quirk, places in planted.quirks.items():
        out.print(f"planted {quirk}: {', '.join(places[:_SHOWN_ALIKE])}{', …' if len(places) > _SHOWN_ALIKE else ''}")
    out.print(f"Every word is made up. Use it with COLIEE_HOME={_shown(folder)}")
