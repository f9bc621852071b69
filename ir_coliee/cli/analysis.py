"""Commands that analyse runs: analyse, diff, report, show."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from ir_coliee import editions
from ir_coliee.cli.app import (
    AnswersPerRun,
    AsJson,
    DatasetId,
    Force,
    Format,
    OutputFormat,
    Quiet,
    RankingPerRun,
    app,
    check_out,
    err,
    example,
    file_state,
    one_per_run,
    out,
    print_blocks,
    print_next,
    print_written,
    safe,
)
from ir_coliee.display import Block, Heading
from ir_coliee.errors import ColieeError
from ir_coliee.progress import progress, stage

if TYPE_CHECKING:
    from ir_coliee.analysis.analysis_frame import AnalysisFrame
    from ir_coliee.analysis.catalogue import Analysis
    from ir_coliee.analysis.evaluated_runs import EvaluatedRuns


class _FilesOfRuns(TypedDict):
    """The rankings and answers of runs that were given by options; None if they were not."""

    rankings: list[Path] | None
    answers: list[Path] | None


def _files_of_runs(runs: list[Path], rankings: list[Path] | None, answers: list[Path] | None) -> _FilesOfRuns:
    return {
        "rankings": one_per_run("--ranking", rankings, runs) or None,
        "answers": one_per_run("--answers", answers, runs) or None,
    }


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
    output_format: OutputFormat = Format.table,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Analyse what one run or many find hard, and where they lose. --only with a wrong name lists the analyses."""
    split = editions.as_split(dataset_id)
    from ir_coliee.analysis import catalogue, evaluate
    from ir_coliee.analysis.plots.pictures import save
    from ir_coliee.evaluation.scoring import messages_of_runs

    analyses = catalogue.chosen(split, only)
    if output_format not in (Format.table, Format.json) and len(analyses) != 1:
        names = ", ".join(analysis.name for analysis in analyses)
        raise ColieeError(
            f"--format {output_format.value} prints one table. Choose one by --only NAME.\nNames: {names}."
        )
    files = _plot_files(plots, analyses) if plots else {}
    with stage(f"reading {len(runs)} runs"):
        evaluated = evaluate(split, runs, **_files_of_runs(runs, rankings, answers))
    for warning in messages_of_runs({name: run.remarks.warnings for name, run in evaluated.runs.items()}):
        err.print(f"warning: {safe(warning)}")
    frames, reasons = _frames(analyses, evaluated)
    states = {path: file_state(path) for path in files.values()}
    for name in [name for name in files if name in frames]:
        save(frames[name].plot(), files[name], overwrite=force)
    _print_frames(evaluated, frames, reasons, output_format)
    if output_format is Format.table:
        for name in [name for name in files if name in frames]:
            print_written(files[name], states[files[name]])
        if "hardest_queries" in frames:
            print_next("show", split.id, str(frames["hardest_queries"]["query_id"].iloc[0]), *map(str, runs))


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
    import pandas as pd

    from ir_coliee.evaluation.scoring import as_text, messages_of_runs, synthetic_notes

    notes = messages_of_runs({name: run.remarks.notes for name, run in runs.runs.items()})
    notes += synthetic_notes(runs.split)
    if form is Format.json:
        made = {name: frame.as_json() for name, frame in frames.items()}
        out.print_json(json.dumps({"dataset_id": runs.split.id, "analyses": made, "not_made": reasons, "notes": notes}))
    elif form is Format.table:
        print_blocks(block for frame in frames.values() for block in _blocks(frame))
        out.print()
        for reason in dict.fromkeys(reasons.values()):
            names = ", ".join(name for name, each in reasons.items() if each == reason)
            out.print(safe(f"not made: {names}: {reason}"))
        for note in notes:
            out.print(safe(note))
    else:  # CSV, or the table that is shown in LaTeX or Markdown
        (frame,) = frames.values()
        table = frame.table()
        shown = frame if form is Format.csv else pd.DataFrame(table.rows, columns=[*table.header])
        out.print_text(as_text(shown.map(lambda value: safe(value) if isinstance(value, str) else value), form.value))
        for note in (*frame.notes, *notes):  # on stderr, because stdout goes into a file
            err.print(safe(note))


def _blocks(frame: AnalysisFrame) -> Iterator[Block]:
    yield Heading(f"{frame.kind}: {frame.title}")
    _title, *others = frame.display(f"--only {frame.kind} --format csv prints all")
    yield from others


def _plot_files(folder: Path, analyses: Iterable[Analysis]) -> dict[str, Path]:
    """Return the file of each analysis that has a plot; raise an error, before the work, if one cannot be written."""
    from ir_coliee.analysis.plots import PLOTS
    from ir_coliee.analysis.plots.style import new_axes

    new_axes()  # raises an error without matplotlib
    files = {analysis.name: folder / f"{analysis.name}.pdf" for analysis in analyses if analysis.name in PLOTS}
    if not files:
        raise ColieeError("None of the analyses has a plot.")
    for path in files.values():
        check_out(path, option="--plots")
    return files


@app.command(epilog=example("ir_coliee diff coliee/task1/sample/test my.run other.run --html diff.html"))
def diff(
    dataset_id: DatasetId,
    a: Annotated[Path, typer.Argument(metavar="A", help="An answer set.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another answer set.")],
    rankings: RankingPerRun = None,
    answers: AnswersPerRun = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page with all queries and items.")
    ] = None,
    as_json: AsJson = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Compare two runs query by query: what each of them finds that the other does not."""
    from ir_coliee.analysis.run_difference import difference

    split = editions.as_split(dataset_id)
    files = _files_of_runs([a, b], rankings, answers)
    before = check_out(html, [a, b], *(rankings or ()), *(answers or ()), option="--html") if html else None
    with stage("comparing 2 runs"):
        found = difference(split, a, b, **files)
    if html is not None:
        found.write_page(html, overwrite=force)
    if as_json:
        out.print_json(json.dumps(found.as_json(), allow_nan=False))
        return
    print_blocks(found.display())
    if html is not None:
        print_written(html, before)
    if queries := found.largest_differences:
        options = [("--ranking", path) for path in rankings or ()] + [("--answers", path) for path in answers or ()]
        print_next("show", split.id, queries[0], str(a), str(b), *(str(part) for option in options for part in option))


@app.command(epilog=example("ir_coliee report coliee/task1/sample/test my.run other.run --out report.html"))
def report(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Answer sets.")],
    file: Annotated[Path, typer.Option("--out", metavar="FILE", help="HTML file to write.")],
    rankings: RankingPerRun = None,
    answers: AnswersPerRun = None,
    with_texts: Annotated[
        bool,
        typer.Option("--with-texts", help="Show texts of the release; the page must then not be passed on."),
    ] = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Write one HTML page on runs: figures, losses, groups, curves, hard queries, files and versions."""
    from ir_coliee.analysis.pages.page import TEXTS_NOTICE
    from ir_coliee.analysis.report import report as make_report

    before = check_out(file, runs, *(rankings or ()), *(answers or ()))
    made = make_report(dataset_id, runs, **_files_of_runs(runs, rankings, answers), with_texts=with_texts)
    made.write(file, overwrite=force)
    print_written(file, before)
    if made.is_restricted:
        out.print(TEXTS_NOTICE)


@app.command(epilog=example("ir_coliee show coliee/task1/sample/test 900656 my.run"))
def show(
    dataset_id: DatasetId,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Query id.", show_default=False)] = "",
    runs: Annotated[list[Path] | None, typer.Argument(metavar="RUN", help="Run files, if any.")] = None,
    rankings: RankingPerRun = None,
    answers: AnswersPerRun = None,
    items: Annotated[
        list[str] | None,
        typer.Option("--item", metavar="DOCNO", help="Explain this item instead of all returned and relevant ones."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page with all items and texts, which only you can read."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON; its keys texts and evidence contain texts of the release.")
    ] = False,
    force: Force = False,
) -> None:
    """Look at one query: its relevant items, the answers of runs, and why each pair matched."""
    from ir_coliee.analysis.pages.page import TEXTS_NOTICE
    from ir_coliee.analysis.query_explanation import explain

    files = runs or []
    before = check_out(html, files, *(rankings or ()), *(answers or ()), option="--html") if html else None
    explanation = explain(dataset_id, query, files, **_files_of_runs(files, rankings, answers), items=items)
    if html is not None:
        explanation.write_page(html, overwrite=force)
    if as_json:
        out.print_json(json.dumps(explanation.as_json(), allow_nan=False))
        return
    print_blocks(explanation.display())
    if html is not None:
        print_written(html, before)
        if explanation.is_restricted:
            out.print(TEXTS_NOTICE)
