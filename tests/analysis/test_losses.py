"""The waterfall adds up for every run, and the causes name what happened to each relevant item."""

from __future__ import annotations

import pytest

from ir_coliee.analysis import evaluate, losses
from ir_coliee.analysis.evaluated_runs import EvaluatedRuns


def levels_and_losses(runs: EvaluatedRuns, name: str) -> dict[str, int]:
    """Return the items of each row of the waterfall of a run, after a check that it adds up."""
    frame = losses(runs)
    rows = frame[frame["run"] == name]
    left = 0
    for row in rows.itertuples():
        if row.type == "loss":
            left -= row.items
            assert row.items > 0
        else:
            assert row.step == 0 or row.items == left
            left = row.items
    assert left == int(runs.counts.tp[runs.counts.row(name)].sum())
    return dict(zip(rows["name"], rows["items"]))


@pytest.mark.parametrize(
    ("dataset", "query", "items"),
    [
        ("task1/sample/test", "900656", ["900557"]),
        ("task2/sample/test", "900009", ["900009_001"]),
        ("task3/sample/ja/test", "R99-01-A", ["54", "55"]),
        ("task4/sample/en/test", "R99-01-A", ["N"]),
        ("pilot/sample/prediction/test", "900101", ["True"]),
        ("pilot/sample/rationale/test", "900101", ["900101_p0"]),
    ],
)
def test_the_waterfall_of_every_task_adds_up(dataset: str, query: str, items: list[str]) -> None:
    run = {query: {item: -float(rank) for rank, item in enumerate(items)}}
    runs = evaluate(f"coliee/{dataset}", {"mine": run})
    assert levels_and_losses(runs, "mine")["gold"] == len(runs.gold)
