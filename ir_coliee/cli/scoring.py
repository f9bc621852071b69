"""Commands about official figures: score, leaderboard."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import err, out, print_blocks, print_next, print_table, safe
from ir_coliee.cli.options import AnswersPerRun, AsJson, DatasetId, Format, OutputFormat, Quiet, one_per_run
from ir_coliee.cli.score_output import print_scores
from ir_coliee.display import Table
from ir_coliee.errors import ColieeError
from ir_coliee.progress import progress

if TYPE_CHECKING:
    from ir_coliee.evaluation.scoring import Scores

_RunFiles = tuple[Path, Path | None, Path | None]  # answer set, long list, answers


@app.command(epilog=example("ir_coliee score coliee/task1/sample/test my.run other.run"))
def score(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run files; one row each.")],
    long_lists: Annotated[
        list[Path] | None,
        typer.Option("--long", metavar="FILE", help="Task 3: the long list. Once per run, in the order of the runs."),
    ] = None,
    answers: AnswersPerRun = None,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="Print the counts and the measure of each query as well.")
    ] = False,
    output_format: OutputFormat = Format.table,
    quiet: Quiet = False,
) -> None:
    """Score runs with the official measures: intervals, and places on the official leaderboard."""
    from ir_coliee.evaluation import score_messages, score_table, scoring

    scorer = scoring.Scorer(dataset_id)
    files = list(zip(runs, one_per_run("--long", long_lists, runs), one_per_run("--answers", answers, runs)))
    matched = {  # all of them, before figures are computed
        name: scorer.match(run, long_list=long_list, answers=labels)
        for name, (run, long_list, labels) in progress(_row_names(files).items(), "reading", unit="runs")
    }
    scores = {name: scorer.compute(*read) for name, read in progress(matched.items(), "scoring", unit="runs")}
    if output_format is Format.json:
        out.print_json(score_table.as_json(scores, queries=per_query))
    elif output_format is Format.table:
        scores = _without_common_folder(scores)
        print_scores(scores)
        if per_query:
            print_table(Table.of_frame(score_table.per_query(scores))._replace(key=2))
        if len(set(runs)) > 1:
            of_runs = [argument for file in answers or () for argument in ("--answers", str(file))]
            print_next("compare", scorer.split.id, *map(str, runs), *of_runs)
    else:
        for warning in score_messages.score_warnings(scores):
            err.print(f"warning: {safe(warning)}")
        frame = score_table.per_query(scores) if per_query else score_table.as_frame(scores)
        frame = frame.assign(run=frame["run"].map(safe))
        typer.echo(score_table.as_text(frame, output_format.value), nl=False)
        for note in score_messages.score_notes(scores):  # on stderr, because stdout goes into a file
            err.print(safe(note))


def _without_common_folder(scores: dict[str, Scores]) -> dict[str, Scores]:
    """Name runs of one folder by their file names, and print the folder once, because long names take many lines."""
    folders = {os.path.dirname(name) for name in scores}
    folder = folders.pop()
    if len(scores) < 2 or folders or not folder or any(" + " in name for name in scores):
        return scores
    out.print(f"runs in {safe(folder)}{os.sep}", soft_wrap=True)
    return {os.path.basename(name): scored for name, scored in scores.items()}


def _row_names(files: list[_RunFiles]) -> dict[str, _RunFiles]:
    """Name each row by the path of the run; if a run is given several times, by its other files as well."""
    from ir_coliee.evaluation.runs.in_memory import path_name

    runs = [run for run, *_ in files]
    names = {}
    for row in files:
        name = " + ".join(path_name(file) for file in row if file) if runs.count(row[0]) > 1 else path_name(row[0])
        if name in names:
            raise ColieeError(f"{name} was given twice. Give each run once.")
        names[name] = row
    return names


@app.command(epilog=example("ir_coliee leaderboard 2023 task1"))
def leaderboard(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EDITION] [TASK]",
            help="Year and task in any order, or one of them, or a dataset id; without them, a list of all.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the official results of past editions as published by the organisers."""
    from ir_coliee.evaluation.leaderboard_search import find_leaderboards, overview

    found = find_leaderboards(*(words or ()))
    if as_json:
        frames = [entry.frame() for entry in found] if words else [overview(found)]
        records = [record for frame in frames for record in json.loads(frame.to_json(orient="records"))]
        out.print_json(json.dumps(records))
    elif words:
        for number, entry in enumerate(found):
            out.print("\n" * (number > 0) + f"COLIEE {entry.edition} {entry.task}")
            print_blocks(entry.display())
    else:
        rows = overview(found)
        print_table(Table([*rows.columns], rows.to_numpy(object).tolist(), fold=["measure", "best known run"], key=2))
