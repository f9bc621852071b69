"""The command that chooses a cut-off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ir_coliee import editions
from ir_coliee.cli.app import app, example
from ir_coliee.cli.console import out, print_blocks, print_commands, print_next, safe
from ir_coliee.cli.options import AsJson, DatasetId, Quiet
from ir_coliee.editions import Split
from ir_coliee.progress import stage


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
    quiet: Quiet = False,
) -> None:
    """Choose the best cut-off of a ranked run, and estimate its value on other queries."""
    split = editions.as_split(dataset_id)
    from ir_coliee.evaluation import tuning

    with stage(f"choosing cut-offs on {split.id}"):
        measures = tuning.tuning_measures(split)
        tunings = [tuning.tune(split.id, run, test_run=test, measure=measure) for measure in measures]
    if as_json:
        out.print_json(json.dumps([tuned.record() for tuned in tunings]))
        return
    out.print(f"{split.pretty_name}: {safe(run)}")
    for tuned in tunings:
        out.print()
        print_blocks(tuned.figures())
    out.print()
    for note in dict.fromkeys(note for tuned in tunings for note in tuned.notes):
        out.print(safe(f"note: {note}"))
    if not split.is_test:  # cut-offs that were chosen on the test split must not be submitted
        _print_next_step(split, run, test, repr(tunings[0].best.cutoff))


def _print_next_step(split: Split, run: Path, test_run: Path | None, cutoff: str) -> None:
    """Print the command that submits the test run, or if it is not known, which files the command needs."""
    from ir_coliee.evaluation import tuning
    from ir_coliee.evaluation.runs.run_names import answers_of_run, run_of_other_split, submission_folder, tag_of_run

    submitted = tuning.submitted_split(split)
    test_run = test_run or run_of_other_split(run, split, submitted)
    known = test_run or run
    missing = [] if test_run else [f"the ranking of {submitted.id} by the same system as RUN"]
    command = [submitted.id, str(test_run or "RUN"), "--cutoff", cutoff]
    if submitted.submission.columns:
        command = ["submit", *command, "--tag", tag_of_run(known), "--out", submission_folder(submitted)]
        if submitted.submission.answers_file:
            answers = answers_of_run(known) if test_run else None
            missing += [] if answers else ["the file of answers Y and N as FILE"]
            command += ["--answers", str(answers or "FILE")]
    else:  # the pilot's own file has to be filled in; `submit` then checks and names it
        command = ["cut", *command, "--out", str(known.with_suffix(".jsonl"))]
    if missing:
        print_commands(f"To use this cut-off, pass {' and '.join(missing)}:", command)
    else:
        print_next(*command)
