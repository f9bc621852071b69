"""The command that writes a page on runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, print_written
from ir_coliee.cli.options import (
    AnswersPerRun,
    DatasetId,
    Quiet,
    RankingPerRun,
    check_out,
    one_per_run,
    with_files_beside,
)


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
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write one HTML page on runs: figures, losses, groups, curves, hard queries, files and versions."""
    from ir_coliee.analysis.pages.page import TEXTS_NOTICE
    from ir_coliee.analysis.report import report as make_report

    of_runs = [path for path in one_per_run("--ranking", rankings, runs) if path]
    labels = [path for path in one_per_run("--answers", answers, runs) if path]
    check_out(file, [*with_files_beside(runs), *of_runs, *labels], overwrite=force)
    made = make_report(
        dataset_id,
        runs,
        rankings=of_runs or None,
        answers=labels or None,
        with_texts=with_texts,
    )
    made.write(file, overwrite=force)
    print_written(file)
    if made.is_restricted:
        out.print(TEXTS_NOTICE)
