"""Verbs about what is mailed: is the file right?"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from ir_coliee.cli.terminal import SHOWN_ALIKE, DatasetId, err, out, shown_safely
from ir_coliee.cli.verbs import app
from ir_coliee.datasets import releases
from ir_coliee.errors import MalformedFileError


@app.command()
def validate(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files in the official form.")],
) -> None:
    """Check run files before they are mailed. Exit status 1 when one has errors, 2 when one cannot be read."""
    part = releases.part(dataset_id)
    from ir_coliee.evaluation import validation

    failed = unreadable = False
    for path in runs:
        try:
            findings = validation.validate(part, path)
        except MalformedFileError as error:
            if str(error.path) != str(path):  # a file of the copy, without which no run can be checked
                raise
            err.print(f"error: {shown_safely(error)}")
            unreadable = True
            continue
        alike = Counter(finding.message for finding in findings)
        printed: Counter[str] = Counter()
        for finding in findings:
            printed[finding.message] += 1
            if printed[finding.message] <= SHOWN_ALIKE:
                place = f"{path}, line {finding.line}" if finding.line else f"{path}"
                out.print(shown_safely(f"{place}: {finding.level}: {finding.message}"))
            elif printed[finding.message] == alike[finding.message]:
                out.print(f"{shown_safely(path)}: {alike[finding.message] - SHOWN_ALIKE} more lines like this")
        errors = sum(finding.level == "error" for finding in findings)
        out.print(f"{shown_safely(path)}: {f'errors: {errors}' if errors else 'accepted'}")
        failed = failed or errors > 0
    if unreadable:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)
