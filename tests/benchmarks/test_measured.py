"""The figures on real editions: their file, and the table that a page shows."""

import re
import sys
from pathlib import Path

import pandas as pd

from ir_coliee.editions import as_split

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from measured import PAGE, read_measured, table

ROWS = read_measured()


def test_each_row_is_a_figure_of_a_real_edition_with_its_version_and_date():
    for row in ROWS.itertuples():
        assert str(as_split(row.split).measure) in (row.measure, "GatedAccuracy")
        assert "/sample/" not in row.split
        assert 0 <= float(row.low or 0) <= float(row.value) <= float(row.high or 1) <= 1
        assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{8}", row.version)
        assert pd.Timestamp(row.date).year >= 2026
    assert not ROWS.duplicated(["split", "baseline", "queries_left_out", "version", "date"]).any()


def test_the_table_has_each_row_the_places_and_the_official_bests_of_exam_years():
    text = table(ROWS)
    assert text in PAGE.read_text(encoding="utf-8")
    assert text.count("\n| ") == len(ROWS) + 1
    assert "| 0.3353; 0.3604 in another source | 1 of 9 known |" in text
    assert "| below all 9 known |" in text
    [r05] = [line for line in text.splitlines() if line.startswith("| coliee/task4/2025/en/r05 |")]
    assert "| 0.8257 |" in r05
