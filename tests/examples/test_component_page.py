"""The page of components is that of its table, and what it names is tested."""

import re
from pathlib import Path

import pytest
from component_page import EXPECTATIONS, HERE, PAGE, STATES, expectations, page, read

if not PAGE.parent.is_dir():
    pytest.skip("the examples are in the repository alone", allow_module_level=True)

ROWS, RUNS = read("components-2023.csv"), read("systems-2023.csv")
RUN = {(run["task"], run["team"], run["option"]): run for run in RUNS}


def test_the_page_is_the_one_of_the_table():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tests/examples/component_page.py"


def test_each_system_with_a_description_has_components():
    described = {(run["task"], run["team"]) for run in RUNS if run["stages"]}
    assert {(row["task"], row["team"]) for row in ROWS} == described


def test_what_is_here_is_expected_of_its_run_and_what_differs_has_a_reason():
    for row in ROWS:
        assert row["here"] in STATES
        assert bool(row["expected"]) == bool(row["unit"]) == (row["here"] != "missing"), row
        assert row["note"] or row["here"] == "yes", row
        assert set(expectations(row, RUN[row["task"], row["team"], row["option"]])) <= {*EXPECTATIONS}


def test_the_tests_of_a_component_exist():
    assert [row["unit"] for row in ROWS if row["unit"] and not Path(HERE.parent, row["unit"]).is_file()] == []


def test_every_other_run_has_a_component():
    assert {key for key, run in RUN.items() if run["option"]} <= {
        (row["task"], row["team"], row["option"]) for row in ROWS
    }


def test_no_cell_breaks_the_table():
    for line in re.findall(r"^\|.*$", page(), flags=re.MULTILINE):
        assert line.count("|") == 5, line
