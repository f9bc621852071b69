"""The results gallery: its CSV, its figure, and the script that extends it."""

import csv
import os
import platform
import re
import sys
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ir_coliee.baselines import plan_baseline

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import gallery
from gallery_pages import FIGURE, figure, tables
from measured_figures import FORMS, MEASURED, Measured, append_measured, problems, read_measured

ROWS = read_measured()
ROW = Measured("coliee/task1/2025/test", "bm25", "MicroF1", "0.2690", cores="2", version="0.1.0", date="2026-11-22")


def test_the_committed_rows_are_valid_and_of_real_editions():
    assert ROWS
    assert problems(ROWS) == []
    assert [row.split for row in ROWS if "/sample/" in row.split] == []
    assert set(Measured._fields) - {"split"} == set(FORMS)


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("split", "coliee/task1/2025/tset", "coliee/task1/2025/tset"),
        ("value", "26.90", "value is '26.90'"),
        ("value", "1.500", "between 0 and 1"),
        ("low", "0.3000", "outside its interval"),
        ("date", "22.11.2026", "date is '22.11.2026'"),
        ("cores", "", "cores is ''"),
        ("machine", "me@host", "machine is 'me@host'"),
        ("date", "2026-13-01", "date is '2026-13-01'"),
        ("note", "two\nlines", "note is"),
        ("note", "<script>", "note is"),
        ("note", "a | b", "note is"),
    ],
)
def test_a_wrong_cell_is_named_and_nothing_is_written(tmp_path, column, cell, said):
    path = tmp_path / "measured.csv"
    append_measured([ROW], path)
    before = path.read_bytes()
    with pytest.raises(SystemExit, match=re.escape(said)):
        append_measured([ROW._replace(**{"note": "again", "date": "2026-12-01", column: cell})], path)
    assert path.read_bytes() == before


def test_rows_are_appended_once(tmp_path):
    path = tmp_path / "measured.csv"
    append_measured([ROW], path)
    first = path.read_bytes()
    append_measured([ROW._replace(date="2026-12-01")], path)
    assert path.read_bytes().startswith(first)
    assert [row.date for row in read_measured(path)] == ["2026-11-22", "2026-12-01"]
    with pytest.raises(SystemExit, match="there twice"):
        append_measured([ROW], path)


def test_other_columns_are_refused(tmp_path):
    path = tmp_path / "measured.csv"
    path.write_text("split,value\n")
    with pytest.raises(SystemExit, match="columns"):
        read_measured(path)


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (b"a,b\n", "line 3: 2 cells. Expected: 17."),
        (b"x" + b",x" * 17 + b"\n", "line 3: 18 cells. Expected: 17."),
        (b'"not closed\n', "cannot be read"),
        (b"\xe9\n", "cannot be read"),
    ],
)
def test_a_broken_file_is_refused_before_the_work(tmp_path, monkeypatch, added, said):
    path = tmp_path / "measured.csv"
    append_measured([ROW], path)
    path.write_bytes(path.read_bytes() + added)
    before = path.read_bytes()
    monkeypatch.setattr(sys, "argv", ["gallery.py", "coliee/task1/sample/test", "--csv", str(path)])
    with pytest.raises(SystemExit, match=said):
        gallery.main()
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch):
    path = tmp_path / "none" / "measured.csv"
    monkeypatch.setattr(sys, "argv", ["gallery.py", "coliee/task1/sample/test", "--csv", str(path)])
    with pytest.raises(SystemExit, match=r"measured\.csv cannot be written: No such file"):
        gallery.main()


def test_an_unknown_split_is_refused(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gallery.py", "coliee/task1/sample/tset"])
    with pytest.raises(SystemExit):
        gallery.main()
    assert "gallery.py: error: Unknown dataset id" in capsys.readouterr().err


def test_rows_begin_on_a_line_of_their_own(tmp_path):
    path = tmp_path / "measured.csv"
    append_measured([ROW], path)
    path.write_bytes(path.read_bytes().rstrip())
    added = ROW._replace(date="2026-12-01")
    append_measured([added], path)
    assert read_measured(path) == [ROW, added]


def test_the_figure_is_that_of_the_rows():
    assert FIGURE.read_text(encoding="utf-8") == figure(ROWS)
    assert FIGURE.stat().st_size < 60_000


def test_every_number_of_the_figure_is_measured_or_official():
    texts = [text.text for text in ElementTree.fromstring(figure(ROWS)).iter("{http://www.w3.org/2000/svg}text")]
    shown = {number for text in texts for number in re.findall(r"\b0\.\d{3,4}\b", text or "")}
    official = {number for row in ROWS if row.leaderboard for number in _figures_of(row.leaderboard)}
    assert shown
    assert shown <= {row.value for row in ROWS} | official


def _figures_of(board):
    return {str(each) for each in (*(run.value for run in board.runs), board.top)}


def test_the_tables_have_every_row_and_the_places():
    text = tables(ROWS)
    assert [row.value for row in ROWS if row.value not in text] == []
    for row in ROWS:
        assert row.split in text
    assert "| official best, by another source | 0.3604 |" in text
    assert "above all 9 known" in text  # task 1, learned
    assert "3 of 9 known" in text  # task 3, learned
    assert "| 0.8257 |" in text  # the best of R05 in task 4, beside the exam year of another edition


def test_a_row_of_a_user_stands_beside_the_others():
    added = ROW._replace(value="0.9000", seconds_cold="3.0", memory_gb="1.25", date="2026-12-01", machine="a laptop")
    assert "| `bm25` | **0.9000** |" in tables([*ROWS, added])
    assert "a laptop" in tables([*ROWS, added])
    assert "0.9000" in figure([*ROWS, added])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")
def test_the_script_measures_the_baselines(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "none"))
    monkeypatch.setattr(gallery, "plan_baseline", lambda dataset: plan_baseline(dataset, fast=True))
    path = tmp_path / "measured.csv"
    monkeypatch.setattr(sys, "argv", ["gallery.py", "coliee/task1/sample/test", "--csv", str(path)])
    before = dict(os.environ)
    gallery.main()
    assert dict(os.environ) == before
    (row,) = read_measured(path)
    assert (row.split, row.baseline, row.measure) == ("coliee/task1/sample/test", "bm25", "MicroF1")
    assert Decimal(row.low) <= Decimal(row.value) <= Decimal(row.high)
    assert float(row.seconds_cold) > 0
    assert float(row.seconds_warm) > 0
    assert 0 < float(row.memory_gb) < 10
    assert platform.node() not in path.read_text()
    with path.open(newline="") as file:
        assert next(csv.reader(file)) == list(Measured._fields)


def test_figures_of_the_sample_do_not_enter_the_gallery(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gallery.py", "coliee/task1/sample/test"])
    before = Path(MEASURED).read_bytes()
    with pytest.raises(SystemExit, match="real editions alone"):
        gallery.main()
    assert MEASURED.read_bytes() == before


def test_what_is_kept_goes_into_links_to_the_data_folders(tmp_path):
    home = tmp_path / "home"
    (home / ".cache").mkdir(parents=True)
    (home / "release").mkdir()
    (tmp_path / "work").mkdir()
    (folder,) = gallery._folders_of_links([home], tmp_path / "work")
    assert [path.name for path in folder.iterdir()] == ["release"]
    assert (folder / "release").resolve() == home / "release"
