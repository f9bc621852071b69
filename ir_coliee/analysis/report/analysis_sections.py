"""The sections that are analyses of the catalogue: each with its picture, table and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ir_coliee.analysis.catalogue import ANALYSES
from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block

_TITLES = {
    "Where relevant items are lost": ("losses", "false_answers"),
    "Cut-offs and curves": ("cutoff_curve", "recall_by_depth", "precision_recall", "answers_per_query", "calibration"),
    "Groups of queries": ("groups",),
    "Agreement of the runs": ("overlap", "correlation", "significance"),
}


def analysis_sections() -> dict[str, Callable[[Inputs], Iterator[Block]]]:
    """Return the sections by their headings. The last one has the analyses that no other section has."""
    placed = {name for names in _TITLES.values() for name in names} | {"hardest_queries"}
    titles = {**_TITLES, "More about the queries": tuple(name for name in ANALYSES if name not in placed)}
    return {title: partial(_section, names) for title, names in titles.items()}


def _section(names: tuple[str, ...], inputs: Inputs) -> Iterator[Block]:
    yield from inputs.blocks(*(name for name in names if inputs.is_for(name)))
