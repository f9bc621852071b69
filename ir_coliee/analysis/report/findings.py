"""The first section: the main findings on each run in plain words, and what would mend them."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ir_coliee.analysis.report.advice import OF_CAUSE, OF_KIND
from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.analysis.report.official_figures import scores
from ir_coliee.display import Block, Heading, Table
from ir_coliee.evaluation.scoring import Scores

_SMALL = 0.05  # a loss of fewer relevant items, or a kind of fewer returned items, is not among the findings
_SIGNIFICANT = 0.05
_GAIN = 0.005  # a better cut-off with less gain is not worth a change
_GROUPS = 3  # named groups


def findings(inputs: Inputs) -> Iterator[Block]:
    """Yield for each run its figure, its losses, its false answers, its cut-off, and the groups that differ."""
    for name, scored in scores(inputs).items():
        if len(inputs.runs.runs) > 1:
            yield Heading(name, 2)
        yield _figure(inputs, name, scored)
        rows = [*_losses(inputs, name), *_false_answers(inputs, name)]
        if rows:
            yield Table(["finding", "items", "share", "what would mend it"], rows)
        yield from _cutoff(inputs, name)
        yield from _groups(inputs, name)


def _figure(inputs: Inputs, name: str, scored: Scores) -> str:
    counts = inputs.runs.counts
    tp, returned, relevant = (
        int(array[counts.row(name)].sum()) for array in (counts.tp, counts.returned, counts.relevant)
    )
    label, value = next(iter(scored.figures.items()))
    certainty = f" (95 % interval {scored.interval.low:.4f} to {scored.interval.high:.4f})" if scored.interval else ""
    place = f" {scored.place.sentence}." if scored.place else ""
    return (
        f"{label} is {value:.4f}{certainty}.{place} Of {relevant} relevant items {tp} are returned and "
        f"{relevant - tp} are missed; {returned - tp} of {returned} returned items are false."
    )


def _losses(inputs: Inputs, name: str) -> Iterator[list[object]]:
    """Yield a row for each large loss, the largest first."""
    frame = inputs.result("losses")
    lost = frame[(frame["run"] == name) & (frame["type"] == "loss") & (frame["share"] >= _SMALL)]
    for row in lost.sort_values("items", ascending=False, kind="stable").itertuples():
        yield [
            f"missed: {row.name}",
            row.items,
            f"{row.share:.1%} of the relevant items",
            OF_CAUSE.get(str(row.name), ""),
        ]


def _false_answers(inputs: Inputs, name: str) -> Iterator[list[object]]:
    """Yield a row for each frequent kind of false answers that can be explained."""
    frame = inputs.result("false_answers")
    found = frame[(frame["run"] == name) & frame["kind"].isin([*OF_KIND]) & (frame["share"] >= _SMALL)]
    for row in found.itertuples():
        yield [f"false: {row.kind}", row.items, f"{row.share:.1%} of the returned items", OF_KIND[str(row.kind)]]


def _cutoff(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield how much the best cut-off of the ranking would gain."""
    if not inputs.is_for("cutoff_curve"):
        return
    frame = inputs.result("cutoff_curve")
    points = frame[frame["run"] == name].set_index("point")
    if "chosen" not in points.index:
        yield "The best cut-off is not known, because no ranking of the run was found (--ranking)."
        return
    chosen, best = points.loc["chosen"], points[points.index == "best"].iloc[0]
    kept = f"{chosen['returned']:.2f} items per query are returned"
    if best["value"] - chosen["value"] < _GAIN:
        yield f"The cut-off is near the best one of this ranking ({best['value']:.4f}): {kept}."
        return
    direction = "too strict" if best["returned"] > chosen["returned"] else "too weak"
    yield (
        f"The cut-off is {direction}: {kept}. The best one, {_described(best)}, returns {best['returned']:.2f} and has "
        f"{inputs.runs.measure} {best['value']:.4f} instead of {chosen['value']:.4f}. It was chosen on these labels, so "
        "that its figure is optimistic: ir_coliee tune chooses a cut-off on the train split."
    )


def _described(point: pd.Series) -> str:
    """Return the rule of a cut-off with its number."""
    setting = point["setting"]
    return {
        "rank": f"the first {setting:g} items",
        "threshold": f"scores from {setting:.4f}",
        "ratio": f"scores from {setting:g} times the best of the query",
    }[point["cutoff"]]


def _groups(inputs: Inputs, name: str) -> Iterator[str]:
    """Yield the groups of queries that differ most clearly from the others."""
    if not inputs.is_for("groups"):
        return
    frame = inputs.result("groups")
    of_run = frame[(frame["run"] == name) & (frame["p_holm"] < _SIGNIFICANT)]
    if of_run.empty:
        yield "No group of queries differs significantly from the other queries."
    for row in of_run.sort_values("p_holm", kind="stable").head(_GROUPS).itertuples():
        side = "higher" if row.difference > 0 else "lower"
        yield (
            f"Queries with {row.property} {row.group} ({row.queries} queries) differ: their figure is {row.value:.4f}, "
            f"{abs(row.difference):.4f} {side} than that of the others (p {row.p_holm:.4f}, corrected)."
        )
