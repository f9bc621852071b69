"""The command that runs the built-in pipelines of a task."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import err, out, print_blocks, print_next, print_written, safe_lines
from ir_coliee.cli.options import DatasetId, Quiet
from ir_coliee.cli.score_output import print_scores
from ir_coliee.errors import MissingLabelsError
from ir_coliee.progress import stage

if TYPE_CHECKING:
    from ir_coliee.baselines import BaselineRun, Plan
    from ir_coliee.editions import Split
    from ir_coliee.evaluation.scoring import Scores


class TrainingYears(str, Enum):
    """The labelled questions that an exam year of the train split is answered from."""

    earlier = "earlier"
    all_but = "all-but"


@app.command(epilog=example("ir_coliee baseline coliee/task1/sample/test"))
def baseline(
    dataset_id: DatasetId,
    folder: Annotated[Path, typer.Option("--out", help="Folder to write the files to.")] = Path("coliee-runs"),
    train: Annotated[
        TrainingYears,
        typer.Option(
            "--train", help="An exam year of the train split: learn from the earlier years, or from all but this one."
        ),
    ] = TrainingYears.earlier,
    fast: Annotated[bool, typer.Option("--fast", help="Tasks 1 to 3: run only BM25.")] = False,
    recipe: Annotated[
        str | None,
        typer.Option(
            "--recipe",
            metavar="NAME",
            help="Recipe of the learned run. Task 1: lean (default), compact, best; task 2: standard; task 3: standard "
            "(default), both-languages; task 4: alignment.",
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds",
            metavar="N",
            help="Use the richest recipe that is estimated to take at most N seconds: in task 1 compact or lean, in "
            "tasks 2 to 4 the default. If there is none, its run is left out.",
        ),
    ] = None,
    no_pool_features: Annotated[
        bool,
        typer.Option("--no-pool-features", help="Task 1: no features that compare the queries of the test pool."),
    ] = False,
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate",
            help="Tasks 1 to 4: print what each family of features adds on held-out queries; write no run.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    quiet: Quiet = False,
) -> None:
    """Run pipelines that need no download, print the official measures, and write rankings and official files."""
    from ir_coliee import baselines
    from ir_coliee.baselines.baseline_files import file_names, next_commands, require_new_files, write_files
    from ir_coliee.baselines.baseline_run import is_on_another_run
    from ir_coliee.editions import as_split

    split = as_split(dataset_id)
    plan = baselines.plan_baseline(
        split,
        train=train.value,
        fast=fast,
        recipe=recipe,
        pool_features=not no_pool_features,
        max_seconds=max_seconds,
    )
    if ablate:
        _print_ablation(plan)
        return
    files = {tag: {role: folder / name for role, name in file_names(plan, tag).items()} for tag in plan.tags}
    require_new_files(files, overwrite=force)
    for note in plan.notes:
        err.print(f"note: {safe_lines(note)}")
    if plan.estimate:
        err.print(plan.estimate)
    runs = _run(plan)
    with stage("writing the files"):  # before printing, because the reader of a pipe may exit early
        written = write_files(plan, runs, files, overwrite=force)
    out.print(f"{split.pretty_name}\n")
    for run in runs:
        for note in run.notes:
            out.print(safe_lines(f"note: {note}" if is_on_another_run(note) else f"{run.tag}: {note}"))
    try:
        print_scores(_scores(split, runs, written))
    except MissingLabelsError:
        has_gold = False
        out.print("not scored: the local release has no labels")
    else:
        has_gold = True
    for path in (path for of_run in written.values() for path in of_run.values()):
        print_written(path)
    for command in next_commands(plan, written, has_gold=has_gold):
        print_next(*command)


def _print_ablation(plan: Plan) -> None:
    plan.ablated()  # raises its errors before anything is printed
    if plan.estimate:
        err.print(plan.estimate.of_ablation)
    ablation = plan.ablation()
    out.print(f"{plan.split.pretty_name}\n")
    print_blocks(ablation.display())


def _run(plan: Plan) -> list[BaselineRun]:
    """Run the pipelines. What is finished when the user stops them is kept, see `baselines.finished_stages`."""
    from ir_coliee.baselines.finished_stages import kept_stages

    kept_before = kept_stages()
    try:
        return plan.run()
    except KeyboardInterrupt:
        if kept := kept_stages() - kept_before:
            err.print(f"Finished stages that are kept: {kept}. Run the same command again to continue.")
        else:
            err.print("No finished stage is kept. The same command starts again.")
        raise


def _scores(split: Split, runs: list[BaselineRun], written: Mapping[str, Mapping[str, Path]]) -> dict[str, Scores]:
    """Score the runs, with the long lists as they are written."""
    from ir_coliee.evaluation.scoring import Scorer

    scorer = Scorer(split)
    return {
        run.tag: scorer.score(
            run.answers,
            long_list=written[run.tag].get("long"),
            answers=run.labels if scorer.uses("answers") else None,
        )
        for run in runs
    }
