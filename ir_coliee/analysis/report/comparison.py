"""The section that compares the runs: differences, intervals and significance."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block
from ir_coliee.evaluation.comparison import Comparison, compare_counts


def compared(inputs: Inputs) -> Comparison:
    """Return the comparison of all pairs of runs, which is made once.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError
        If there is one run.
    """
    runs = inputs.runs
    measure, counts = runs.official_counts
    result = runs.once(("report", "comparison"), lambda: compare_counts(measure, counts))
    if measure != runs.measure:
        result.measure = runs.split.measure
    return result


def comparison(inputs: Inputs) -> Iterator[Block]:
    """Yield the table of all pairs of runs."""
    yield from compared(inputs).display()
