"""The section of official figures: intervals, places on the leaderboard, warnings and notes."""

from __future__ import annotations

from collections.abc import Iterator

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.report.inputs import Inputs
from ir_coliee.display import Block, Heading, Table, WarningText
from ir_coliee.evaluation.scoring import Scores, as_table, score_notes, score_warnings


def scores(inputs: Inputs) -> dict[str, Scores]:
    """Return the official figures of each run, which are computed once. Raises `MissingLabelsError`."""
    _ = inputs.runs.gold
    return inputs.runs.once(("report", "scores"), lambda: _scores(inputs.runs))


def _scores(runs: EvaluatedRuns) -> dict[str, Scores]:
    return {
        name: runs.scorer.compute(run.scored, run.remarks) for name, run in runs.runs.items() if run.scored is not None
    }


def official_figures(inputs: Inputs) -> Iterator[Block]:
    """Yield the figures of each run, and the numbers that they come from."""
    of_runs = scores(inputs)
    yield from map(WarningText, score_warnings(of_runs))
    yield as_table(of_runs)
    yield from score_notes(of_runs)
    counts = inputs.runs.counts
    sums = zip(counts.runs, counts.tp.sum(axis=1), counts.returned.sum(axis=1), counts.relevant.sum(axis=1))
    rows = [[name, len(counts.query_ids), *map(int, numbers)] for name, *numbers in sums]
    yield Heading("Numbers of items", 2)
    yield Table(["run", "queries", "hits", "returned", "relevant"], rows)
