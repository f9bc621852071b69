"""The section that compares the runs: differences, intervals and significance."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.analysis import agreement
from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block


def comparison(inputs: Inputs) -> Iterator[Block]:
    """Yield the table of all pairs of runs."""
    yield from agreement.comparison(inputs.runs).display()
