"""The command that compares runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, print_table
from ir_coliee.cli.options import AnswersPerRun, AsJson, DatasetId, one_per_run
from ir_coliee.errors import ColieeError, printable
from ir_coliee.releases.local_release import LocalRelease


@app.command(epilog=example("ir_coliee compare coliee/task1/sample/test my.run other.run"))
def compare(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Two or more answer sets.")],
    answers: AnswersPerRun = None,
    as_json: AsJson = False,
) -> None:
    """Compare each pair of runs with a randomisation test and a bootstrap interval."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation import comparison
    from ir_coliee.evaluation.runs import as_frame, read_run
    from ir_coliee.evaluation.runs.format_rules import answers_split
    from ir_coliee.evaluation.score_notes import SYNTHETIC_NOTE

    if len(set(runs)) < 2:
        raise ColieeError(f"At least two different runs are needed for a comparison, got {len(set(runs))}.")
    if len(set(runs)) < len(runs):
        repeated = next(run for run in runs if runs.count(run) > 1)
        raise ColieeError(f"{printable(str(repeated))} was given twice. Give each run once.")
    frames = {str(path): as_frame(read_run(split, path)) for path in runs}
    labels = {
        str(run): as_frame(read_run(answers_split(split), file))
        for run, file in zip(runs, one_per_run("--answers", answers, runs))
        if file is not None
    }
    compared = comparison.compare(split.id, frames, answers=labels or None)
    if as_json:
        out.print_json(compared.to_json(orient="records", double_precision=15))
        return
    out.print(f"{split.pretty_name}, {compared.measure}\n")
    if compared.measure != split.measure:
        out.print(f"Comparing the tie-breaking measure. To compare {split.measure}, pass --answers.\n")
    print_table(comparison.as_table(compared))
    out.print()
    for column, meaning in comparison.COLUMNS.items():
        out.print(f"{column}: {meaning}")
    if LocalRelease.open(split).is_synthetic:
        out.print(SYNTHETIC_NOTE)
