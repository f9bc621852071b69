"""The command that compares runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import err, out, print_table, safe
from ir_coliee.cli.options import AnswersPerRun, DatasetId, Format, OutputFormat, Quiet, one_per_run
from ir_coliee.errors import ColieeError
from ir_coliee.progress import stage


@app.command(epilog=example("ir_coliee compare coliee/task1/sample/test my.run other.run"))
def compare(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Two or more answer sets.")],
    answers: AnswersPerRun = None,
    output_format: OutputFormat = Format.table,
    quiet: Quiet = False,
) -> None:
    """Compare each pair of runs with a randomisation test and a bootstrap interval."""
    from ir_coliee.evaluation import comparison
    from ir_coliee.evaluation.score_notes import synthetic_notes
    from ir_coliee.evaluation.score_table import as_text

    split = editions.as_split(dataset_id)
    if len(set(runs)) < 2:
        raise ColieeError(f"At least two different runs are needed for a comparison, got {len(set(runs))}.")
    labels = [file for file in one_per_run("--answers", answers, runs) if file]
    with stage(f"comparing {len(set(runs))} runs"):
        compared = comparison.compare(split, runs, answers=labels or None)
    if output_format is Format.json:
        out.print_json(compared.to_json(orient="records", double_precision=15))
        return
    notes = synthetic_notes(split)
    if output_format is not Format.table:
        frame = compared if output_format is Format.csv else comparison.for_publication(compared)
        names = {name: frame[name].map(safe) for name in frame.columns[:2]}
        typer.echo(as_text(frame.assign(**names), output_format.value), nl=False)
        for note in (f"{split.pretty_name}, {compared.measure}. {comparison.caption(compared)}", *notes):
            err.print(note)  # because stdout goes into a file
        return
    out.print(f"{split.pretty_name}, {compared.measure}\n")
    if compared.measure != split.measure:
        out.print(f"Comparing the tie-breaking measure. To compare {split.measure}, pass --answers.\n")
    print_table(comparison.as_table(compared))
    out.print()
    for column, meaning in comparison.COLUMNS.items():
        out.print(f"{column}: {meaning}")
    for note in notes:
        out.print(note)
