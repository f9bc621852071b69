"""An analysis is a plain frame with a title and notes, which shows itself and is drawn by its kind."""

from __future__ import annotations

import json
import pickle

import pandas as pd
import pytest

from ir_coliee.analysis.analysis_frame import MAX_SHOWN, AnalysisFrame
from ir_coliee.analysis.plots import PLOTS
from ir_coliee.display import Heading, Table

FRAME = AnalysisFrame.of(
    pd.DataFrame({"run": ["a", "b"], "F1": [0.25, float("nan")], "rank": pd.array([0, None], dtype="Int64")}),
    kind="figures",
    title="Figures <1>",
    notes=["F1 is a measure"],
)


def test_it_is_shown_with_its_title_and_notes_as_text_and_html() -> None:
    assert str(FRAME) == repr(FRAME)
    assert str(FRAME).splitlines() == ["Figures <1>", "run      F1  rank", "a    0.2500     0", "b", "F1 is a measure"]
    assert "Figures &lt;1&gt;" in FRAME._repr_html_()


def test_operations_return_plain_frames() -> None:
    assert type(FRAME[FRAME["run"] == "a"]) is pd.DataFrame
    assert type(FRAME.assign(more=1)) is pd.DataFrame
    again = pickle.loads(pickle.dumps(FRAME))
    assert (again.kind, again.title, again.notes) == ("figures", "Figures <1>", ("F1 is a measure",))
    pd.testing.assert_frame_equal(again, FRAME)


def test_json_has_no_nan() -> None:
    assert json.loads(json.dumps(FRAME.as_json(), allow_nan=False)) == {
        "title": "Figures <1>",
        "notes": ["F1 is a measure"],
        "rows": [{"run": "a", "F1": 0.25, "rank": 0}, {"run": "b", "F1": None, "rank": None}],
    }


def test_a_long_table_shows_its_main_rows_and_the_number_of_rows() -> None:
    rows = pd.DataFrame({"number": range(MAX_SHOWN + 5)})
    _, table, more = AnalysisFrame.of(rows, kind="numbers", title="Numbers").display("see the file")
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == [*range(MAX_SHOWN)]
    assert more == f"{MAX_SHOWN} of {MAX_SHOWN + 5} rows; see the file"
    main = AnalysisFrame.of(rows, kind="numbers", title="Numbers", main_rows="number >= 30")
    heading, table, more = main.display()
    assert heading == Heading("Numbers")
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == [30, 31, 32, 33, 34]
    assert more == f"5 of {MAX_SHOWN + 5} rows; the frame has all"
    assert len(main.table().rows) == MAX_SHOWN + 5


def test_names_are_spread_over_columns_in_their_order() -> None:
    rows = pd.DataFrame({"query": ["1", "1", "2"], "run": ["b", "a", "a"], "found": [2, 0, 3]})
    table = AnalysisFrame.of(rows, kind="found", title="Found", spread=("run", "found")).table()
    assert table.header == ["query", "b", "a"]
    assert table.rows == [["1", 2, 0], ["2", None, 3]]


def test_a_kind_without_a_drawing_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"The analysis 'figures' has no plot; there are plots of "):
        FRAME.plot()


def test_axes_are_taken_and_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setitem(PLOTS, "figures", lambda frame, ax: ax.set_title(frame.title))
    axes = FRAME.plot(width=3.5)
    assert axes.get_title() == "Figures <1>"
    assert axes.figure.get_figwidth() == 3.5
    assert FRAME.plot(axes) is axes
