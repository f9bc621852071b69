"""Commands that analyse runs: analyse, diff, report, show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from ir_coliee import editions
from ir_coliee.cli import options
from ir_coliee.cli.app import app, err, example, out
from ir_coliee.display import Block, Heading, Table
from ir_coliee.errors import ColieeError
from ir_coliee.progress import progress, stage

if TYPE_CHECKING:
    from ir_coliee.analysis.catalogue import Analysis
    from ir_coliee.analysis.frame import AnalysisFrame
    from ir_coliee.analysis.runs import EvaluatedRuns

_HARDEST = 5  # queries that are named by default


@app.command(epilog=example("ir_coliee analyse coliee/task1/sample/test my.run other.run --plots plots"))
def analyse(  # noqa: PLR0913 (one parameter per option)
    dataset_id: options.DatasetId,
    runs: options.Runs,
    only: Annotated[list[str] | None, Option(metavar="NAME", help="Make only this analysis; can be repeated.")] = None,
    rankings: options.RankingPerRun = None,
    answers: options.AnswersPerRun = None,
    plots: Annotated[Path | None, Option(metavar="FOLDER", help="Write each plot as FOLDER/NAME.pdf.")] = None,
    verbose: options.Verbose = False,
    as_json: options.AsJson = False,
    as_csv: options.AsCsv = False,
    overwrite: options.Overwrite = False,
    quiet: options.Quiet = False,
) -> None:
    """Analyse what one run or many find hard, and where they lose. --only with a wrong name lists the analyses."""
    split = editions.as_split(dataset_id)
    options.one_form(as_json, as_csv)
    from ir_coliee.analysis import catalogue, evaluate
    from ir_coliee.analysis.plots import save
    from ir_coliee.evaluation.scoring import messages_of_runs, synthetic_notes

    analyses = catalogue.chosen(split, only)
    others: list[Analysis] = []
    if not (only or verbose or plots or as_json or as_csv):
        others = [analysis for analysis in analyses if analysis.name not in catalogue.MAIN]
        analyses = [catalogue.ANALYSES[name] for name in catalogue.MAIN]
    if as_csv and len(analyses) != 1:
        names = ", ".join(analysis.name for analysis in analyses)
        raise ColieeError(f"--csv prints one table. Choose one by --only NAME.\nNames: {names}.")
    files = _plot_files(plots, analyses) if plots else {}
    with stage(f"reading {len(runs)} runs"):
        evaluated = evaluate(split, runs, rankings=rankings or None, answers=answers or None)
    of_runs = evaluated.runs.items()
    err.print_each(messages_of_runs({name: run.remarks.warnings for name, run in of_runs}), "warning: ")
    notes = [*messages_of_runs({name: run.remarks.notes for name, run in of_runs}), *synthetic_notes(split)]
    frames, reasons = _frames(analyses, evaluated)
    files = {name: path for name, path in files.items() if name in frames}
    for name, path in files.items():
        save(frames[name].plot(), path, overwrite=overwrite)
    if as_json:
        made = {name: frame.as_json() for name, frame in frames.items()}
        out.print_json({"dataset_id": split.id, "analyses": made, "not_made": reasons, "notes": notes})
    elif as_csv:
        (frame,) = frames.values()
        out.print_csv(frame)
        err.print_each([*frame.notes, *notes])  # because stdout goes into a file
    else:
        if others:
            out.print_blocks(block for frame in frames.values() for block in _main_blocks(frame))
        else:
            out.print_blocks(block for frame in frames.values() for block in _blocks(frame))
            out.print()
        out.print_each(f"not made: {name}: {reason}" for name, reason in reasons.items())
        out.print_each(notes)
        out.print_files(*files.values())
        if others:
            out.print(f"--only NAME makes another analysis, --verbose all: {', '.join(each.name for each in others)}")
        if "hardest_queries" in frames:
            out.print_next("show", split.id, frames["hardest_queries"]["query_id"].iloc[0], *runs)


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


def _blocks(frame: AnalysisFrame) -> Iterator[Block]:
    yield Heading(f"{frame.kind}: {frame.title}")
    _title, *others = frame.display(f"--only {frame.kind} --csv prints all")
    yield from others


def _main_blocks(frame: AnalysisFrame) -> Iterator[Block]:
    """Return what matters of an analysis that is made by default: what is lost, or the hardest queries."""
    yield Heading(f"{frame.kind}: {frame.title}")
    if frame.kind == "losses":
        yield Table.of_frame(frame.loc[frame["type"] == "loss", ["run", "name", "items", "share"]])
        yield from (note for note in frame.notes if "largest loss" in note)
    else:
        columns = [name for name in ("query_id", "relevant", "mean_value", "causes") if name in frame]
        yield Table.of_frame(frame[columns].drop_duplicates("query_id").head(_HARDEST))._replace(fold=["causes"])


def _plot_files(folder: Path, analyses: Iterable[Analysis]) -> dict[str, Path]:
    """Return the file of each analysis that has a plot; raise an error, before the work, if one cannot be written."""
    from ir_coliee.analysis.plots import PLOTS, new_axes

    new_axes()  # raises an error without matplotlib
    files = {analysis.name: folder / f"{analysis.name}.pdf" for analysis in analyses if analysis.name in PLOTS}
    for path in files.values():
        options.check_out(path, option="--plots")
    return files


@app.command(epilog=example("ir_coliee diff coliee/task1/sample/test my.run other.run --html diff.html"))
def diff(
    dataset_id: options.DatasetId,
    a: Annotated[Path, Argument(metavar="A", help="An answer set.")],
    b: Annotated[Path, Argument(metavar="B", help="Another answer set.")],
    rankings: options.RankingPerRun = None,
    answers: options.AnswersPerRun = None,
    html: options.Html = None,
    as_json: options.AsJson = False,
    overwrite: options.Overwrite = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare two runs query by query: what each of them finds that the other does not."""
    from ir_coliee import analysis

    split = editions.as_split(dataset_id)
    if html is not None:
        options.check_out(html, [a, b], *(rankings or ()), *(answers or ()), option="--html")
    with stage("comparing 2 runs"):
        found = analysis.diff(split, a, b, rankings=rankings or None, answers=answers or None)
    if html is not None:
        found.write_page(html, overwrite=overwrite)
    if as_json:
        out.print_json(found.as_json())
        return
    out.print_blocks(found.display())
    if html is not None:
        out.print_files(html)
    if queries := found.largest_differences:
        given = [("--ranking", path) for path in rankings or ()] + [("--answers", path) for path in answers or ()]
        out.print_next("show", split.id, queries[0], a, b, *(part for option in given for part in option))


@app.command(epilog=example("ir_coliee report coliee/task1/sample/test my.run other.run --out report.html"))
def report(
    dataset_id: options.DatasetId,
    runs: options.Runs,
    file: options.OutFile,
    rankings: options.RankingPerRun = None,
    answers: options.AnswersPerRun = None,
    with_texts: Annotated[bool, Option("--with-texts", help="Show texts; the page must not be passed on.")] = False,
    overwrite: options.Overwrite = False,
    quiet: options.Quiet = False,
) -> None:
    """Write one HTML page on runs: figures, losses, groups, curves, hard queries, files and versions."""
    from ir_coliee.analysis.page import TEXTS_NOTICE
    from ir_coliee.analysis.report import report as make_report

    options.check_out(file, runs, *(rankings or ()), *(answers or ()))
    made = make_report(dataset_id, runs, rankings=rankings or None, answers=answers or None, with_texts=with_texts)
    made.write(file, overwrite=overwrite)
    out.print_files(file)
    if made.is_restricted:
        out.print(TEXTS_NOTICE)


@app.command(epilog=example("ir_coliee show coliee/task1/sample/test 900656 my.run"))
def show(
    dataset_id: options.DatasetId,
    query: Annotated[str, Argument(metavar="QUERY", help="Query id.", show_default=False)] = "",
    runs: Annotated[list[Path] | None, Argument(metavar="RUN", help="Run files, if any.")] = None,
    rankings: options.RankingPerRun = None,
    answers: options.AnswersPerRun = None,
    items: Annotated[list[str] | None, Option("--item", metavar="DOCNO", help="Explain only this item.")] = None,
    html: options.Html = None,
    verbose: options.Verbose = False,
    as_json: Annotated[bool, Option("--json", help="Print JSON, with texts of the release.")] = False,
    overwrite: options.Overwrite = False,
) -> None:
    """Look at one query: its relevant items, the answers of runs, and why each pair matched."""
    from ir_coliee import analysis
    from ir_coliee.analysis.page import TEXTS_NOTICE

    files = runs or []
    if html is not None:
        options.check_out(html, files, *(rankings or ()), *(answers or ()), option="--html")
    explanation = analysis.show(
        dataset_id, query, files, rankings=rankings or None, answers=answers or None, items=items
    )
    if html is not None:
        explanation.write_page(html, overwrite=overwrite)
    if as_json:
        out.print_json(explanation.as_json())
        return
    out.print_blocks(explanation.display() if verbose or items else explanation.summary())
    if html is not None:
        out.print_files(html)
        if explanation.is_restricted:
            out.print(TEXTS_NOTICE)
