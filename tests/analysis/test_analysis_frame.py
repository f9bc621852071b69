"""Frames of analyses: what of a long or wide one is shown, and that missing values become null."""

import json

import numpy as np
import pandas as pd
import pytest

from ir_coliee.analysis import AnalysisFrame
from ir_coliee.display import Heading, Table


def frame_of(num_queries, num_runs, **options):
    rows = [(f"q{q}", f"run{r}", q + r / 10) for q in range(num_queries) for r in range(num_runs)]
    frame = pd.DataFrame(rows, columns=["query_id", "run", "value"])
    return AnalysisFrame.of(frame, kind="values", title="Values", notes=["a note"], **options)


def blocks(frame, **options):
    heading, *others = frame.display(**options)
    assert heading == Heading("Values")
    assert others[-1] == "a note"
    (table,) = [each for each in others if isinstance(each, Table)]
    return table, [each for each in others[:-1] if isinstance(each, str)]


def test_a_short_frame_is_shown_completely():
    table, lines = blocks(frame_of(3, 2))
    assert ([*table.header], len(table.rows), lines) == (["query id", "run", "value"], 6, [])


def test_a_column_of_names_is_spread_over_columns():
    table, lines = blocks(frame_of(3, 2, spread=("run", "value")))
    assert [[*row] for row in table.rows] == [["q0", 0.0, 0.1], ["q1", 1.0, 1.1], ["q2", 2.0, 2.1]]
    assert ([*table.header], lines) == (["query id", "run0", "run1"], [])


def test_a_value_that_is_missing_leaves_its_cell_empty():
    frame = frame_of(2, 2)[1:]
    table = AnalysisFrame.of(frame, kind="values", title="Values", spread=("run", "value")).table()
    assert [[*row] for row in table.rows] == [["q0", 0.1, None], ["q1", 1.1, 1.0]]
    assert table.header == ["query id", "run1", "run0"]


@pytest.mark.parametrize(("main_rows", "shown"), [("", 30), ("value > 8", 7)])
def test_a_long_frame_shows_its_first_or_main_rows_and_says_so(main_rows, shown):
    table, lines = blocks(frame_of(10, 4, main_rows=main_rows), rest="ask for it")
    assert (len(table.rows), lines) == (shown, [f"{shown} of 40 rows; ask for it"])
    assert len(frame_of(10, 4, main_rows=main_rows).table().rows) == 40


def test_the_columns_of_a_whole_leaderboard_of_runs_are_left_out_and_a_line_says_so():
    frame = frame_of(2, 9, spread=("run", "value"))
    _, line, note = frame.display()
    assert (line, note) == ("without the columns of 9 runs; the frame has all", "a note")  # ids alone say nothing
    assert len(frame.table().header) == 10
    more = frame.assign(relevant=1)[["query_id", "relevant", "run", "value"]]
    more = AnalysisFrame.of(more, kind="values", title="Values", notes=["a note"], spread=("run", "value"))
    table, lines = blocks(more)
    assert (table.header, table.rows) == (["query id", "relevant"], [["q0", 1], ["q1", 1]])
    assert lines == [line]


def test_missing_values_are_null_in_json():
    frame = pd.DataFrame({"a": [1.0, np.nan], "b": pd.array([1, None], dtype="Int64"), "c": ["x", None]})
    content = AnalysisFrame.of(frame, kind="values", title="Values", notes=["a note"]).as_json()
    assert json.loads(json.dumps(content, allow_nan=False)) == {
        "title": "Values",
        "notes": ["a note"],
        "rows": [{"a": 1.0, "b": 1, "c": "x"}, {"a": None, "b": None, "c": None}],
    }


def test_numbers_of_any_size_can_be_told_apart():
    thresholds = pd.DataFrame({"setting": [1.84e-5, 6.9e-6, 2.0, float("nan")], "value": [0.5, 0.25, 0.125, 0.0]})
    rows = AnalysisFrame.of(thresholds, kind="cutoff_curve", title="F1", numbers=["setting"]).table().rows
    assert [cell for cell, _value in rows] == ["1.84e-05", "6.9e-06", "2", ""]
    assert thresholds["setting"].tolist()[:3] == [1.84e-5, 6.9e-6, 2.0]
