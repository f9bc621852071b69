"""Verbs about runs: a first one, its figures, the official results."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.commands import app
from ir_coliee.cli.terminal import AsJson, DatasetId, err, one_each, out, print_table, shown_safely
from ir_coliee.errors import ColieeError, MissingLabelsError

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.evaluation.scoring import Scores


@app.command()
def baseline(
    dataset_id: DatasetId,
    out_dir: Annotated[Path, typer.Option("--out", help="The folder to write the run into.")] = Path("coliee-runs"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite a run that is there already.")] = False,
    fast: Annotated[bool, typer.Option("--fast", help="Tasks 1 to 3: BM25 alone, nothing learned.")] = False,
) -> None:
    """Run the pipelines of a task that need no download, print the official measures, write official runs."""
    split = editions.split(dataset_id)
    from ir_coliee import baselines
    from ir_coliee.evaluation import scoring
    from ir_coliee.evaluation.runs import require_writable, write_run

    paths = {tag: out_dir / f"{split.id.replace('/', '-')}.{tag}" for tag in baselines.run_tags(split, fast=fast)}
    for path in paths.values():  # said now, not after the computation
        require_writable(path, overwrite=force)
    runs = baselines.run_baseline(split, fast=fast)
    try:  # written before anything is printed: the reader of a pipe may leave early
        for run in runs:
            write_run(split, run.answers, paths[run.tag], run.tag, overwrite=force)
    finally:
        out.print(f"{split.pretty_name}\n")
        for run in runs:
            for note in run.notes:
                out.print(f"{run.tag}: {shown_safely(note)}")
        try:
            scorer = scoring.Scorer(split)
            ranks = scorer.uses("ranking")
            scores = {run.tag: scorer.score(run.answers, long_list=run.ranking if ranks else None) for run in runs}
        except MissingLabelsError:
            out.print("not scored: no labels in this copy")
        else:
            _print_scores(scores)
    for run in runs:
        out.print(f"wrote {shown_safely(paths[run.tag])}")


_Files = tuple[Path, Path | None, Path | None]


class Format(str, Enum):
    """How scores are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"
    markdown = "markdown"


@app.command()
def score(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files: rivals, a row each.")],
    long: Annotated[
        list[Path] | None, typer.Option("--long", metavar="FILE", help="Task 3: the long list of a run, one for each.")
    ] = None,
    answers: Annotated[
        list[Path] | None,
        typer.Option("--answers", metavar="FILE", help="Task 3 of 2026: the Y and N of a run, one for each."),
    ] = None,
    queries: Annotated[bool, typer.Option("--per-query", help="The counts and figure of each query too.")] = False,
    form: Annotated[Format, typer.Option("--format", help="All digits in json and csv, four in the others.")] = (
        Format.table
    ),
) -> None:
    """The official figures of one or several rival runs, with intervals and places among the official runs."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation import score_table, scoring

    scorer = scoring.Scorer(split)
    files = list(zip(runs, one_each("--long", long, runs), one_each("--answers", answers, runs)))
    names = _names(files)
    scores = {
        name: scorer.score(run, long_list=ranking, answers=labels) for name, (run, ranking, labels) in names.items()
    }
    if form is Format.json:
        out.print_json(score_table.as_json(scores, queries=queries))
    elif form is Format.table:
        _print_scores(scores)
        if queries:
            _print_queries(score_table.per_query(scores))
    else:
        frame = score_table.per_query(scores) if queries else score_table.as_frame(scores)
        typer.echo(score_table.as_text(frame.assign(run=frame["run"].map(shown_safely)), form.value), nl=False)
        for note in _notes(scores):  # beside the table, which goes into a file or a paper
            err.print(shown_safely(note))


def _names(files: list[_Files]) -> dict[str, _Files]:
    """A name for each row: the run's path, and where it stands twice, those of the files beside it too."""
    runs = [run for run, *_ in files]
    names = {}
    for row in files:
        name = " + ".join(str(file) for file in row if file) if runs.count(row[0]) > 1 else str(row[0])
        if name in names:
            raise ColieeError(f"{name} is given twice. Give each run once.")
        names[name] = row
    return names


def _print_scores(scores: dict[str, Scores]) -> None:
    from ir_coliee.evaluation.score_table import cell

    figures = list(dict.fromkeys(label for scored in scores.values() for label in scored.figures))
    rows = []
    for name, scored in scores.items():
        official, *others = (cell(scored.figures.get(label, nan)) for label in figures)
        between = "" if scored.interval is None else f"{scored.interval.low:.4f} to {scored.interval.high:.4f}"
        rows.append([shown_safely(name), official, between, *others])
    print_table(["run", figures[0], "95 % interval", *figures[1:]], rows)
    for note in _notes(scores):
        out.print(shown_safely(note))


def _notes(scores: dict[str, Scores]) -> Iterator[str]:
    """What is said beside the figures: of each run, then of the gold, which is the same for all."""
    for name, scored in scores.items():
        yield from (f"{name}: {note}" for note in scored.notes)
        if scored.place:
            yield f"{name}: {scored.place.words}. {scored.place.note}"
    yield from next(iter(scores.values())).gold_notes


def _print_queries(rows: pd.DataFrame) -> None:
    from ir_coliee.evaluation.score_table import cell

    cells = rows.map(cell).to_numpy(object)
    print_table(list(rows.columns), [[shown_safely(value) for value in row] for row in cells])


@app.command()
def leaderboard(
    edition: Annotated[str, typer.Argument(metavar="EDITION", help="A year, for example 2023.")],
    task: Annotated[str, typer.Argument(metavar="TASK", help="task1 to task4.")],
    as_json: AsJson = False,
) -> None:
    """The official results of an edition, as far as they are published."""
    from ir_coliee.evaluation.leaderboards import official_leaderboard
    from ir_coliee.evaluation.score_table import cell

    found = official_leaderboard(edition, task)
    rows = found.frame()
    if as_json:
        out.print_json(rows.to_json(orient="records"))
        return
    columns = [column for column in rows.columns if column != "note"]
    print_table(columns, [[cell(value, found.digits) for value in row] for row in rows[columns].to_numpy(object)])
    out.print(found.note)
    out.print(f"Source: {found.source}")
