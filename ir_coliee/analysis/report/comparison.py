"""The section that compares the runs: differences, intervals and significance."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.comparison import Comparison, compare_counts
from ir_coliee.evaluation.run_counts import merge_run_counts
from ir_coliee.measures import AnswerAccuracy


def compared(inputs: Inputs) -> Comparison:
    """Return the comparison of all pairs of runs, on the official measure if the files for it are at hand.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If there is one run.
    """
    runs = inputs.runs
    counts = runs.counts
    if len(counts.runs) < 2:
        raise ColieeError("A comparison needs at least two runs, and the report was made for one.")
    scored = {name: run.scored for name, run in runs.runs.items() if run.scored is not None}
    if all(run.is_correct is not None for run in scored.values()):
        gated = merge_run_counts({name: run.gated_counts() for name, run in scored.items()})
        comparison = compare_counts(AnswerAccuracy, gated)
        comparison.measure = runs.split.measure
        return comparison
    return compare_counts(runs.measure, counts)


def comparison(inputs: Inputs) -> Iterator[Block]:
    """Yield the table of all pairs of runs."""
    yield from compared(inputs).display()
