"""The command that compares two runs query by query."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, print_blocks, print_next, print_written
from ir_coliee.cli.options import (
    AnswersPerRun,
    AsJson,
    DatasetId,
    Quiet,
    RankingPerRun,
    check_out,
    one_per_run,
    with_files_beside,
)
from ir_coliee.progress import stage


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
    force: Annotated[bool, typer.Option("--force", help="Replace an existing page.")] = False,
    quiet: Quiet = False,
) -> None:
    """Compare two runs query by query: what each of them finds that the other does not."""
    from ir_coliee.analysis.run_difference import difference

    split = editions.as_split(dataset_id)
    of_runs = [path for path in one_per_run("--ranking", rankings, [a, b]) if path]
    labels = [path for path in one_per_run("--answers", answers, [a, b]) if path]
    if html is not None:
        check_out(html, [*with_files_beside([a, b]), *of_runs, *labels], overwrite=force, option="--html")
    with stage("comparing 2 runs"):
        found = difference(split, a, b, rankings=of_runs or None, answers=labels or None)
    if html is not None:
        found.write_page(html, overwrite=force)
    if as_json:
        out.print_json(json.dumps(found.as_json(), allow_nan=False))
        return
    print_blocks(found.display())
    if html is not None:
        print_written(html)
    if queries := found.largest_differences:
        options = [("--ranking", path) for path in of_runs] + [("--answers", path) for path in labels]
        files = [str(a), str(b), *(str(part) for option in options for part in option)]
        print_next("show", split.id, queries[0], *files)
