"""Verbs about choices: which cut-off, and which of several runs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.commands import app
from ir_coliee.cli.terminal import AsJson, DatasetId, one_each, out, print_table, shown_safely
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError
from ir_coliee.releases import search as copies

if TYPE_CHECKING:
    import pandas as pd

    from ir_coliee.evaluation.tuning import Tuning

_RULES = {"cutoff": "best of each rule", "held_out": "held out", "by_year": "by exam year"}
_COMPARISON = {
    "low, high": "95 % interval of the difference a - b, by bootstrap over the queries",
    "p": "the share of random swaps of the two runs' answers with a difference as large; exact: all swaps were tried",
    "p_holm": "p corrected by Holm for the number of pairs; below .05 the runs differ by more than chance",
    "effect_size": "the difference in standard deviations of the queries' contributions to it",
    "detectable": "the smallest difference that so many queries show in 80 % of cases",
    "differing": "queries on which the two runs differ",
}


@app.command()
def tune(
    dataset_id: DatasetId,
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A ranked run of a split with labels, the train split say.")
    ],
    test: Annotated[
        Path | None,
        typer.Option("--test", metavar="RUN", help="The run of the test split, to see what the cut-off makes of it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Choose the cut-off of a ranked run, and say what it is worth on queries that did not choose it."""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation import tuning

    tunings = [tuning.tune(split.id, run, test_run=test, measure=measure) for measure in tuning.tuning_measures(split)]
    if as_json:
        out.print_json(json.dumps([tuned.record() for tuned in tunings]))
        return
    out.print(f"{split.pretty_name}: {shown_safely(run)}")
    for tuned in tunings:
        _print_tuning(tuned)
    for note in dict.fromkeys(note for tuned in tunings for note in tuned.notes):
        out.print(shown_safely(f"note: {note}"))
    if not split.is_test:  # what chose itself is nothing to be mailed
        _print_next_step(tuning.submitted_split(split), test or Path("RUN"), repr(tunings[0].best.cutoff))


def _print_next_step(split: Split, run: Path, cutoff: str) -> None:

    if split.submission.columns:
        call = ["ir_coliee", "submit", split.id, str(run), "--tag", "TAG", "--out", "DIR", "--cutoff", cutoff]
        call += ["--answers", "FILE"] if split.submission.answers_file else []
        out.print(f"next: {shown_safely(shlex.join(call))}", soft_wrap=True)
    else:  # the pilot's own file is filled in, which `submit` then checks and names
        out.print(f"next: in Python, ir_coliee.evaluation.runs.write_run of {cutoff}(ranking)", soft_wrap=True)


def _print_tuning(tuned: Tuning) -> None:
    measure, best = tuned.measure, tuned.best
    out.print(f"\nbest cut-off for {measure}: {best.cutoff!r}", soft_wrap=True)
    out.print(f"  {best.optimistic:.4f} on the queries that chose it, which is optimistic")
    if best.held_out == best.held_out:
        out.print(f"  {best.held_out:.4f} on others: {tuned.folds} folds, each cut by the best rule of the rest")
    if best.by_year == best.by_year:
        out.print(f"  {best.by_year:.4f} on exam years that did not, each held out in turn")
    if tuned.test_value is not None:
        out.print(f"  {tuned.test_value:.4f} on the test split")
    out.print(
        f"oracle, each query cut where it is best: {tuned.oracle:.4f}; ranking loses {tuned.lost_by_ranking:.4f} above "
        f"it, cutting {tuned.lost_by_cutting:.4f} below it\n"
    )
    _print_frame(tuned.rules.drop(columns="rule").dropna(axis="columns").rename(columns=_RULES))
    out.print("\nrecall that a cut at a depth can attain, of all gold and as the mean of the queries'")
    _print_frame(tuned.recall)
    out.print("\nitems per query")
    _print_frame(tuned.items)
    out.print()


def _print_frame(frame: pd.DataFrame) -> None:
    from ir_coliee.evaluation.score_table import cell

    print_table(list(frame.columns), [[cell(value) for value in row] for row in frame.to_numpy(object)])


@app.command()
def compare(
    dataset_id: DatasetId,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN…", help="Two run files or more, cut already.")],
    answers: Annotated[
        list[Path] | None,
        typer.Option("--answers", metavar="FILE", help="Task 3 of 2026: the Y and N of a run, one for each."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare each two runs: is their difference larger than chance, and how large could it be?"""
    split = editions.split(dataset_id)
    from ir_coliee.evaluation import comparison
    from ir_coliee.evaluation.runs import as_frame, read_run
    from ir_coliee.evaluation.runs.format_rules import answers_split
    from ir_coliee.evaluation.scoring import SYNTHETIC_NOTE
    from ir_coliee.evaluation.task_evaluation import task_evaluation

    if len(set(runs)) < 2:
        raise ColieeError(f"{len(set(runs))} run to compare: two different files or more are needed")
    if len(set(runs)) < len(runs):
        raise ColieeError("A run is given twice. Give each once.")
    frames = {str(path): as_frame(read_run(split, path)) for path in runs}
    labels = {
        str(run): as_frame(read_run(answers_split(split), file))
        for run, file in zip(runs, one_each("--answers", answers, runs))
        if file is not None
    }
    compared = comparison.compare(split.id, frames, answers=labels or None)
    if as_json:
        out.print_json(compared.to_json(orient="records", double_precision=15))
        return
    compared_by = "GatedAccuracy" if labels else str(task_evaluation(split).measure)
    out.print(f"{split.pretty_name}, {compared_by}\n")
    if compared_by != split.measure:
        out.print(f"Compared is what settles ties: for {split.measure}, give the answers, --answers.\n")
    out.print(comparison.as_table(compared), soft_wrap=True)
    out.print()
    for column, words in _COMPARISON.items():
        out.print(f"{column}: {words}")
    if copies.is_synthetic(split):
        out.print(SYNTHETIC_NOTE)
