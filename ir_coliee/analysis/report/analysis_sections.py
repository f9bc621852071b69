"""The sections that are analyses of the catalogue: each with its picture, table and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ir_coliee.analysis.catalogue import ANALYSES
from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block

Section = Callable[[Inputs], Iterator[Block]]

_TITLES = {
    "Losses and false answers": ("losses", "false_answers"),
    "Cut-offs and curves": ("cutoff_curve", "recall_by_depth", "precision_recall", "answers_per_query", "calibration"),
    "Groups of queries": ("groups",),
    "Agreement of the runs": ("overlap", "correlation", "significance"),
}


def analysis_sections(inputs: Inputs) -> dict[str, Section]:
    """Return the sections by their headings. The last one has the analyses that no other section has."""
    placed = {name for names in _TITLES.values() for name in names} | {"hardest_queries"}
    titles = {**_TITLES, "More about the queries": tuple(name for name in ANALYSES if name not in placed)}
    names = {title: [name for name in names if inputs.is_for(name)] for title, names in titles.items()}
    return {title: partial(Inputs.blocks, names=of_title) for title, of_title in names.items() if of_title}
