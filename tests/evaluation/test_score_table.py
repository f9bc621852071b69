"""The scores of rival runs as a frame, table and JSON."""

import pandas as pd

from ir_coliee.evaluation.leaderboards import place
from ir_coliee.evaluation.scoring import Scores, as_frame, as_record, as_table
from ir_coliee.evaluation.statistics import Interval


def scores(figures, *, interval=None, placed=None, queries=("900001",)):
    table = pd.DataFrame({"query_id": list(queries), "tp": 1, "returned": 3, "relevant": 2, "MicroF1": 1 / 3})
    return Scores(figures, interval, placed, table, ["a note"], ["a note on the gold"])


MINE = scores({"MicroF1": 2 / 7, "MicroP": 1.0}, interval=Interval(0.1, 0.5, 0.95), placed=place("task1", 2023, 0.29))
BARE = scores({"MicroF1": 0.25, "MicroP": 0.5})


def test_a_row_has_figures_interval_and_place():
    (row,) = as_frame({"mine": MINE}).to_dict("records")
    assert row == {
        "run": "mine",
        "MicroF1": 2 / 7,
        "MicroP": 1.0,
        "low": 0.1,
        "high": 0.5,
        "rank": 3,
        "worst": 3,
        "of": 22,
    }


def test_json_has_everything_by_run():
    content = as_record({"mine": MINE, "bare": BARE})
    assert content["mine"]["figures"] == {"MicroF1": 2 / 7, "MicroP": 1.0}
    assert content["mine"]["interval"] == {"low": 0.1, "high": 0.5, "level": 0.95}
    assert (content["mine"]["place"]["rank"], content["mine"]["place"]["of"]) == (3, 22)
    assert "3rd of 22" in content["mine"]["place"]["sentence"]
    assert content["bare"] == {
        "figures": {"MicroF1": 0.25, "MicroP": 0.5},
        "interval": None,
        "place": None,
        "warnings": [],
        "notes": ["a note"],
        "gold_notes": ["a note on the gold"],
    }


def test_the_table_has_the_figures_of_all_runs_and_an_empty_cell_for_a_missing_one():
    header, rows, *_ = as_table({"mine": MINE, "bare": BARE, "long": scores({"MicroF1": 0.5, "AP": 0.75})})
    assert header == ["run", "F1", "95 % interval", "P", "MAP"]
    assert rows == [
        ["mine", 2 / 7, "0.1000 to 0.5000", 1.0, None],
        ["bare", 0.25, "", 0.5, None],
        ["long", 0.5, "", None, 0.75],
    ]
