"""The command that runs the built-in pipelines of a task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, safe
from ir_coliee.cli.options import DatasetId
from ir_coliee.cli.score_output import print_scores
from ir_coliee.errors import MissingLabelsError


@app.command(epilog=example("ir_coliee baseline coliee/task1/sample/test"))
def baseline(
    dataset_id: DatasetId,
    folder: Annotated[Path, typer.Option("--out", help="Folder to write the runs to.")] = Path("coliee-runs"),
    fast: Annotated[bool, typer.Option("--fast", help="Tasks 1 to 3: run only BM25.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing runs.")] = False,
) -> None:
    """Run pipelines that need no download, print the official measures, and write the runs in the official format."""
    split = editions.split(dataset_id)
    from ir_coliee import baselines
    from ir_coliee.evaluation import scoring
    from ir_coliee.evaluation.runs import require_writable, write_run

    tags = baselines.run_tags(split, fast=fast)
    paths = {tag: folder / f"{split.id.replace('/', '-')}.{tag}" for tag in tags}
    for path in paths.values():  # check this before the long computation
        require_writable(path, overwrite=force)
    runs = baselines.run_baseline(split, fast=fast)
    try:  # write the runs before printing, because the reader of a pipe may exit early
        for run in runs:
            write_run(split, run.answers, paths[run.tag], run.tag, overwrite=force)
    finally:
        out.print(f"{split.pretty_name}\n")
        for run in runs:
            for note in run.notes:
                out.print(f"{run.tag}: {safe(note)}")
        try:
            scorer = scoring.Scorer(split)
            has_long_list = scorer.uses("ranking")
            scores = {
                run.tag: scorer.score(run.answers, long_list=run.ranking if has_long_list else None) for run in runs
            }
        except MissingLabelsError:
            out.print("not scored: the local release has no labels")
        else:
            print_scores(scores)
    for run in runs:
        out.print(f"wrote {safe(paths[run.tag])}")
