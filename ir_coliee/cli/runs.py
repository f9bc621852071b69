"""Verbs about runs: a first one, its figures, the official results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee.cli.terminal import AsJson, DatasetId, out, print_table, shown_safely
from ir_coliee.cli.verbs import app
from ir_coliee.datasets import copies, releases
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MissingLabelsError

if TYPE_CHECKING:
    from ir_coliee.evaluation.scoring import Scores


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
                out.print(f"{run.tag}: {shown_safely(note)}")
        try:
            scores = {run.tag: scoring.score(part, run.answers, run.ranking) for run in runs}
        except MissingLabelsError:
            out.print("not scored: no labels in this copy")
        else:
            _print_scores(part, scores)
    for run in runs:
        out.print(f"wrote {shown_safely(paths[run.tag])}")


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


def _print_scores(part: Part, scores: dict[str, Scores]) -> None:
    from ir_coliee.evaluation.boards import boards, official_board

    labels, made_up = list(next(iter(scores.values())).figures), copies.is_made_up(part)
    print_table(
        ["run", *labels],
        [[shown_safely(name), *(f"{s.figures[label]:.4f}" for label in labels)] for name, s in scores.items()],
    )
    for name, scored in scores.items():
        for note in scored.notes:
            out.print(shown_safely(f"{name}: {note}"))
        if part.measure and part.name == "test" and (part.edition, part.task) in boards() and not made_up:
            placed = official_board(part.edition, part.task).place(scored.figures[labels[0]])
            out.print(shown_safely(f"{name}: {placed.words}. {placed.note}"))
    for note in next(iter(scores.values())).gold_notes:  # the same for all runs
        out.print(shown_safely(note))
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
    print_table(columns, [[_cell(value, found.digits) for value in row] for row in rows[columns].to_numpy(object)])
    out.print(found.note)
    out.print(f"Source: {found.source}")


def _cell(value: object, digits: int) -> str:
    """A value of a board as it was printed; empty where it is not known."""
    if isinstance(value, float):
        return "" if value != value else f"{value:.{digits}f}"
    return "" if value is None or str(value) == "<NA>" else str(value)
