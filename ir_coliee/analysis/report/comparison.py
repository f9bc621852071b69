"""The section that compares the runs: differences, intervals and significance."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block
from ir_coliee.evaluation.comparison import compare_counts


def comparison(inputs: Inputs) -> Iterator[Block]:
    """Yield the table of all pairs of runs. Raises `ColieeError` if there is one run, or if there are no labels."""
    measure, counts = inputs.runs.official_counts
    compared = compare_counts(measure, counts)
    yield from compared.display()
