"""The figures on real editions: their file, the table, the picture, and the pages that repeat them."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd

from ir_coliee.editions import as_split

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from measured import FIGURE, PAGE, official, read_measured, table

ROOT = Path(__file__).parents[2]
ROWS = read_measured()
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]


def test_each_row_is_a_figure_of_a_real_edition_with_its_version_and_date():
    for row in ROWS.itertuples():
        assert str(as_split(row.split).measure) in (row.measure, "GatedAccuracy")
        assert "/sample/" not in row.split
        assert 0 <= float(row.low or 0) <= float(row.value) <= float(row.high or 1) <= 1
        assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{8}", row.version)
        assert pd.Timestamp(row.date).year >= 2026
    assert not ROWS.duplicated(["split", "baseline", "queries_left_out", "version", "date"]).any()


def test_each_number_of_the_picture_is_measured_or_official():
    texts = [text.text for text in ElementTree.parse(FIGURE).iter("{http://www.w3.org/2000/svg}text")]
    shown = {number for text in texts for number in re.findall(r"\b0\.\d{3,4}\b", text or "")}
    boards = [board for split in ROWS["split"].unique() if (board := official(split))]
    known = {str(figure) for board in boards for figure in (*(run.value for run in board.runs), board.top)}
    assert len(shown) == 10
    assert FIGURE.stat().st_size < 60_000
    assert {
        row.value for row in ROWS.itertuples() if as_split(row.split).is_test and row.queries_left_out == "0"
    } < shown
    assert shown <= {*ROWS["value"]} | known


def test_the_table_has_each_row_the_places_and_the_official_bests_of_exam_years():
    text = table(ROWS)
    assert text in PAGE.read_text(encoding="utf-8")
    assert text.count("\n| ") == len(ROWS) + 1
    assert "| 0.3353; 0.3604 in another source | 1 of 9 known |" in text
    assert "| below all 9 known |" in text
    [r05] = [line for line in text.splitlines() if line.startswith("| coliee/task4/2025/en/r05 |")]
    assert "| 0.8257 |" in r05


def test_a_page_that_repeats_a_figure_names_the_version_that_gave_it():
    figures = re.compile(
        "|".join(rf"(?<![\d.])0?{re.escape(value[1:])}(?!\d)" for value in ROWS["value"] if len(value) > 5)
    )
    repeating = [page for page in PAGES if figures.search(page.read_text(encoding="utf-8"))]
    assert repeating
    assert [page.name for page in repeating if "0.1.0" not in page.read_text(encoding="utf-8")] == []
