"""The command that chooses a cut-off."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, print_next, print_table, safe
from ir_coliee.cli.options import AsJson, DatasetId
from ir_coliee.display import Table
from ir_coliee.editions import Split

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.evaluation.tuning_results import Tuning

_COLUMNS = {"cutoff": "best of each kind", "held_out": "held out", "by_year": "by exam year"}


@app.command(epilog=example("ir_coliee tune coliee/task1/2025/train train.trec --test test.trec"))
def tune(
    dataset_id: DatasetId,
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="Ranked run of a split with labels, usually the train split.")
    ],
    test: Annotated[
        Path | None,
        typer.Option("--test", metavar="RUN", help="Ranked run of the test split, to apply the cut-off to."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Choose the best cut-off of a ranked run, and estimate its value on other queries."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation import tuning

    tunings = [tuning.tune(split.id, run, test_run=test, measure=measure) for measure in tuning.tuning_measures(split)]
    if as_json:
        out.print_json(json.dumps([tuned.record() for tuned in tunings]))
        return
    out.print(f"{split.pretty_name}: {safe(run)}")
    for tuned in tunings:
        _print_tuning(tuned)
    for note in dict.fromkeys(note for tuned in tunings for note in tuned.notes):
        out.print(safe(f"note: {note}"))
    if not split.is_test:  # cut-offs that were chosen on the test split must not be submitted
        _print_next_step(tuning.submitted_split(split), test or Path("RUN"), repr(tunings[0].best.cutoff))


def _print_next_step(split: Split, run: Path, cutoff: str) -> None:
    if split.submission.columns:
        answers = ["--answers", "FILE"] if split.submission.answers_file else []
        print_next("submit", split.id, str(run), "--tag", "TAG", "--out", "DIR", "--cutoff", cutoff, *answers)
    else:  # the pilot's own file has to be filled in; `submit` then checks and names it
        out.print(
            f"next: apply {cutoff} to the ranking in Python and write it with ir_coliee.evaluation.runs.write_run",
            soft_wrap=True,
        )


def _print_tuning(tuned: Tuning) -> None:
    measure, best = tuned.measure, tuned.best
    out.print(f"\nbest cut-off for {measure}: {best.cutoff.describe()}", soft_wrap=True)
    out.print(f"  {best.optimistic:.4f} on the queries that it was chosen on (optimistic)")
    if not math.isnan(best.held_out):
        out.print(f"  {best.held_out:.4f} on held-out queries: {tuned.folds} folds, each cut by the best of the others")
    if not math.isnan(best.by_year):
        out.print(f"  {best.by_year:.4f} on held-out exam years, each cut by the best of the others")
    if tuned.test_value is not None:
        out.print(f"  {tuned.test_value:.4f} on the test split")
    out.print(
        f"oracle, with the best cut of each query: {tuned.oracle:.4f}; "
        f"lost by ranking: {tuned.lost_by_ranking:.4f}; lost by cutting: {tuned.lost_by_cutting:.4f}\n"
    )
    _print_frame(tuned.rules.drop(columns="rule").dropna(axis="columns").rename(columns=_COLUMNS))
    out.print("\nattainable recall at each depth: of all relevant items (MicroR), and averaged over queries (MacroR)")
    _print_frame(tuned.recall)
    out.print("\nitems per query")
    _print_frame(tuned.items)
    out.print()


def _print_frame(frame: pd.DataFrame) -> None:
    print_table(Table.of_frame(frame))
