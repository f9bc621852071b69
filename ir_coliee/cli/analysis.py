"""The command that analyses runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import err, out, print_blocks, print_next, print_written, safe
from ir_coliee.cli.options import (
    AnswersPerRun,
    DatasetId,
    Format,
    OutputFormat,
    Quiet,
    RankingPerRun,
    one_per_run,
)
from ir_coliee.display import Block, Heading
from ir_coliee.errors import ColieeError, ExistingFileError
from ir_coliee.progress import progress, stage

if TYPE_CHECKING:
    from ir_coliee.analysis.analysis_frame import AnalysisFrame
    from ir_coliee.analysis.catalogue import Analysis
    from ir_coliee.analysis.evaluated_runs import EvaluatedRuns


@app.command(epilog=example("ir_coliee analyse coliee/task1/sample/test my.run other.run --plots plots"))
def analyse(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="One or more answer sets.")],
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="An analysis; can be repeated. By default all that fit the task."),
    ] = None,
    rankings: RankingPerRun = None,
    answers: AnswersPerRun = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="FOLDER", help="Write the plot of each analysis as FOLDER/NAME.pdf."),
    ] = None,
    width: Annotated[
        float | None, typer.Option(min=2, max=100, metavar="INCHES", help="Width of the plots; by default 5.5.")
    ] = None,
    output_format: OutputFormat = Format.table,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing plots.")] = False,
    quiet: Quiet = False,
) -> None:
    """Analyse what one run or many find hard, and where they lose. --only with a wrong name lists the analyses."""
    split = editions.as_split(dataset_id)
    from ir_coliee.analysis import catalogue, evaluate
    from ir_coliee.evaluation.score_messages import messages_of_runs

    analyses = catalogue.chosen(split, only)
    _check_options(analyses, plots, width, output_format)
    files = _plot_files(plots, analyses, overwrite=force) if plots else {}
    of_runs = [file for file in one_per_run("--ranking", rankings, runs) if file]
    labels = [file for file in one_per_run("--answers", answers, runs) if file]
    with stage(f"reading {len(runs)} runs"):
        evaluated = evaluate(split, runs, rankings=of_runs or None, answers=labels or None)
    for warning in messages_of_runs({name: run.remarks.warnings for name, run in evaluated.runs.items()}):
        err.print(f"warning: {safe(warning)}")
    frames, reasons = _frames(analyses, evaluated)
    _print_frames(evaluated, frames, reasons, output_format)
    for path in _save_plots(frames, files, width, overwrite=force):
        if output_format is Format.table:
            print_written(path)
    if output_format is Format.table and "hardest_queries" in frames:
        print_next("show", split.id, str(frames["hardest_queries"]["query_id"].iloc[0]), *map(str, runs))


def _check_options(analyses: Sequence[Analysis], plots: Path | None, width: float | None, form: Format) -> None:
    if width and not plots:
        raise ColieeError("--width is the width of plots. Pass --plots FOLDER.")
    if form not in (Format.table, Format.json) and len(analyses) != 1:
        names = ", ".join(analysis.name for analysis in analyses)
        raise ColieeError(f"--format {form.value} prints one table. Choose one by --only NAME.\nNames: {names}.")


def _frames(analyses: Iterable[Analysis], runs: EvaluatedRuns) -> tuple[dict[str, AnalysisFrame], dict[str, str]]:
    """Return the frames by name, and of the analyses that cannot be made the reasons; raise an error if none can."""
    frames: dict[str, AnalysisFrame] = {}
    errors: dict[str, ColieeError] = {}
    for analysis in progress([*analyses], "analysing", unit="analyses"):
        try:
            with stage(analysis.name):
                frames[analysis.name] = analysis(runs)
        except ColieeError as error:
            errors[analysis.name] = error
    if not frames:
        raise next(iter(errors.values()))
    return frames, {name: str(error).split("\n")[0] for name, error in errors.items()}


def _print_frames(runs: EvaluatedRuns, frames: dict[str, AnalysisFrame], reasons: dict[str, str], form: Format) -> None:
    from ir_coliee.evaluation.score_messages import messages_of_runs
    from ir_coliee.evaluation.score_notes import synthetic_notes

    notes = messages_of_runs({name: run.remarks.notes for name, run in runs.runs.items()})
    notes += synthetic_notes(runs.split)
    if form is Format.json:
        made = {name: frame.as_json() for name, frame in frames.items()}
        out.print_json(json.dumps({"dataset_id": runs.split.id, "analyses": made, "not_made": reasons, "notes": notes}))
    elif form is Format.table:
        print_blocks(block for frame in frames.values() for block in _blocks(frame))
        out.print()
        for line in (*_not_made(reasons), *notes):
            out.print(safe(line))
    else:
        (frame,) = frames.values()
        typer.echo(_as_text(frame, form.value), nl=False)
        for note in (*frame.notes, *notes):  # on stderr, because stdout goes into a file
            err.print(safe(note))


def _not_made(reasons: dict[str, str]) -> Iterator[str]:
    for reason in dict.fromkeys(reasons.values()):
        yield f"not made: {', '.join(name for name, each in reasons.items() if each == reason)}: {reason}"


def _blocks(frame: AnalysisFrame) -> Iterator[Block]:
    yield Heading(f"{frame.kind}: {frame.title}")
    _title, *others = frame.display(f"--only {frame.kind} --format csv prints all")
    yield from others


def _as_text(frame: AnalysisFrame, form: Literal["csv", "latex", "markdown"]) -> str:
    """Return the rows as CSV, or the table that is shown in LaTeX or Markdown."""
    import pandas as pd

    from ir_coliee.evaluation.score_table import as_text

    table = frame.table()
    shown = frame if form == "csv" else pd.DataFrame(table.rows, columns=[*table.header])
    return as_text(shown.map(lambda value: safe(value) if isinstance(value, str) else value), form)


def _plot_files(folder: Path, analyses: Iterable[Analysis], *, overwrite: bool) -> dict[str, Path]:
    """Return the file of each analysis that has a plot; raise an error, before the work, if one cannot be written."""
    from ir_coliee.analysis.plots import PLOTS
    from ir_coliee.analysis.plots.style import new_axes
    from ir_coliee.evaluation.runs.file_writing import require_writable_folder

    new_axes()  # raises an error without matplotlib
    files = {analysis.name: folder / f"{analysis.name}.pdf" for analysis in analyses if analysis.name in PLOTS}
    if not files:
        raise ColieeError("None of the analyses has a plot.")
    if (existing := [path for path in files.values() if os.path.lexists(path)]) and not overwrite:
        raise ExistingFileError(f"{existing[0]} already exists.\nChoose another folder, or pass --force to replace it.")
    require_writable_folder(folder)
    return files


def _save_plots(
    frames: Mapping[str, AnalysisFrame], files: Mapping[str, Path], width: float | None, *, overwrite: bool
) -> Iterator[Path]:
    """Draw and save the plots of the analyses that were made; yield their files."""
    from ir_coliee.analysis.plots.pictures import save

    for name, path in files.items():
        if name in frames:
            save(frames[name].plot(width=width), path, overwrite=overwrite)
            yield path
