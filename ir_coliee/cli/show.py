"""The command that looks at one query: show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, print_blocks, print_written
from ir_coliee.cli.options import AnswersPerRun, DatasetId, RankingPerRun, check_out, one_per_run, with_files_beside


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
    force: Annotated[bool, typer.Option("--force", help="Replace an existing page.")] = False,
) -> None:
    """Look at one query: its relevant items, the answers of runs, and why each pair matched."""
    from ir_coliee.analysis.pages.page import TEXTS_NOTICE
    from ir_coliee.analysis.query_explanation import explain

    files = runs or []
    of_runs = [path for path in one_per_run("--ranking", rankings, files) if path]
    labels = [path for path in one_per_run("--answers", answers, files) if path]
    if html is not None:
        check_out(html, [*with_files_beside(files), *of_runs, *labels], overwrite=force, option="--html")
    explanation = explain(dataset_id, query, files, rankings=of_runs or None, answers=labels or None, items=items)
    if html is not None:
        explanation.write_page(html, overwrite=force)
    if as_json:
        out.print_json(json.dumps(explanation.as_json(), allow_nan=False))
        return
    print_blocks(explanation.display())
    if html is not None:
        print_written(html)
        if explanation.is_restricted:
            out.print(TEXTS_NOTICE)
