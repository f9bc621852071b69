"""The command that compares two runs query by query."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, print_blocks, print_next, print_written
from ir_coliee.cli.options import AnswersPerRun, AsJson, DatasetId, Quiet, RankingPerRun, one_per_run
from ir_coliee.progress import stage


@app.command(epilog=example("ir_coliee diff coliee/task1/sample/test my.run other.run --html diff.html"))
def diff(
    dataset_id: DatasetId,
    a: Annotated[Path, typer.Argument(metavar="A", help="An answer set.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another answer set.")],
    ranking: RankingPerRun = None,
    answers: AnswersPerRun = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write all queries as a page.")] = None,
    as_json: AsJson = False,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing page.")] = False,
    quiet: Quiet = False,
) -> None:
    """Compare two runs query by query: what each finds that the other does not."""
    from ir_coliee.analysis.run_difference import difference

    split = editions.as_split(dataset_id)
    rankings = [file for file in one_per_run("--ranking", ranking, [a, b]) if file]
    labels = [file for file in one_per_run("--answers", answers, [a, b]) if file]
    with stage("comparing 2 runs"):
        found = difference(split, a, b, rankings=rankings or None, answers=labels or None)
    if html is not None:
        found.write_page(html, overwrite=force)
    if as_json:
        out.print_json(json.dumps(found.as_json(), allow_nan=False))
        return
    print_blocks(found.display())
    if html is not None:
        print_written(html)
    if queries := found.largest_differences:
        print_next("show", split.id, queries[0], str(a), str(b))
