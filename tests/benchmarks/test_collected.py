"""Results of the benchmarks: their CSV, their table and their figure."""

import doctest
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import collected
from collected import (
    FIGURE,
    GROUPS,
    OTHER_BY_OURS,
    OURS,
    OURS_BY_OTHER,
    QUANTITIES,
    Result,
    append_results,
    figure,
    read_results,
    table,
)
from side_by_side import Row

collect = pytest.importorskip("collect", reason="memory is measured with resource, which Windows lacks")

ROWS = read_results()


def test_the_examples_run():
    assert doctest.testmod(collected).failed == 0


def test_the_committed_rows_are_valid():
    assert ROWS
    for row in ROWS:
        assert row.group in GROUPS
        assert row.quantity in QUANTITIES
        assert 0 < float(row.low) <= float(row.high)
        assert bool(row.other) == (row.quantity != OURS)
        assert row.unit in ("times", "ms", "s", "MB", "us")
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", row.date)
        assert row.cores == "2"


def test_the_figure_is_that_of_the_rows_and_all_bars_fit():
    assert FIGURE.read_text(encoding="utf-8") == figure(ROWS)
    assert FIGURE.stat().st_size < 60_000
    svg = ElementTree.fromstring(figure(ROWS))
    bars = svg.findall("{http://www.w3.org/2000/svg}rect")[1:]
    assert len(bars) == sum(row.quantity != OURS and "bound" not in row.other for row in ROWS)
    assert all(float(bar.get("width")) >= 2 for bar in bars)


def test_the_table_says_which_limits_are_met():
    text = table(ROWS)
    assert text.count("**missed**") == sum(row.is_met is False for row in ROWS)
    assert "rank_bm25 takes **2,600–3,200 times** as long" in text
    assert "**0.44 times** bm25s | at most 0.4: **missed**" in text


@pytest.mark.parametrize(
    ("quantity", "low", "high", "limit", "is_met", "times"),
    [
        (OTHER_BY_OURS, "2", "4", "3", False, (2, 4)),
        (OTHER_BY_OURS, "3", "4", "3", True, (3, 4)),
        (OURS_BY_OTHER, "0.25", "0.5", "0.4", False, (2, 4)),
        (OURS_BY_OTHER, "0.25", "0.5", "1", True, (2, 4)),
        (OURS_BY_OTHER, "0.25", "0.5", "", None, (2, 4)),
    ],
)
def test_limits_and_ratios_in_both_directions(quantity, low, high, limit, is_met, times):
    row = Result("search", "search", "another", quantity, low, high, "times", limit)
    assert (row.is_met, row.times) == (is_met, times)


def test_rows_of_tables_become_rows_of_the_file(tmp_path, monkeypatch):
    rows = [
        Row("ours", 1.0, "theirs", 4.0, 0.25, 0.4, "half of it"),
        Row("memory", 1234.5, unit="MB", bound=1500),
    ]
    monkeypatch.setitem(collect.GROUPS, "memory", lambda: rows)
    monkeypatch.setattr(collect, "FIGURE", tmp_path / "figure.svg")
    path = tmp_path / "benchmarks.csv"
    monkeypatch.setattr(sys, "argv", ["collect.py", "memory", "--csv", str(path)])
    collect.main()
    one, other = read_results(path)
    assert one[:8] == ("memory", "ours", "theirs", OURS_BY_OTHER, "0.25", "0.25", "times", "0.4")
    assert one.note == "half of it"
    assert other[:8] == ("memory", "memory", "", OURS, "1234", "1234", "MB", "1500")
    append_results([one], path)
    assert len(read_results(path)) == 3


def test_an_unknown_group_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["collect.py", "speed"])
    with pytest.raises(SystemExit):
        collect.main()
    assert "unknown groups: speed" in capsys.readouterr().err
