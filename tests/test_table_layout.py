"""Tables at any width: the form is the first that fits, and nothing is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.display import fitting_lines

HEADER = ["run", "F1", "returned"]
ROWS = [["mine", "0.3001", "3"], ["another", "", "12"]]


def test_figures_are_aligned_to_the_right_and_text_to_the_left():
    assert fitting_lines(HEADER, ROWS) == [
        "run          F1  returned",
        "mine     0.3001         3",
        "another                12",
    ]


def test_wide_characters_take_two_columns():
    assert fitting_lines(["run", "n"], [["日本", "1"], ["abcd", "2"]]) == ["run   n", "日本  1", "abcd  2"]


def test_a_table_without_rows_has_its_header():
    assert fitting_lines(["run", "F1"], []) == ["run  F1"]


def test_names_are_folded_after_separators():
    assert fitting_lines(["run", "F1"], [["coliee-runs/task3_english.bm25", ".5"]], width=20, fold=["run"]) == [
        "run               F1",
        "coliee-runs/      .5",
        "task3_",
        "english.bm25",
    ]


def test_several_rows_of_figures_become_blocks_that_repeat_the_key():
    assert fitting_lines(HEADER, ROWS, width=18) == [
        *("run          F1", "mine     0.3001", "another"),
        "",
        *("run      returned", "mine            3", "another        12"),
    ]


def test_one_row_becomes_a_record_without_its_empty_cells():
    assert fitting_lines(HEADER, ROWS[1:], width=15) == ["run: another", "  returned  12"]


def test_rows_with_several_texts_become_records():
    rows = [["coliee/task3/sample", "Statute Law Retrieval"], ["b", "Another name"]]
    assert fitting_lines(["id", "name"], rows, width=30, fold=["name"]) == [
        *("id: coliee/task3/sample", "  name  Statute Law Retrieval", "id: b", "  name  Another name")
    ]


@given(
    st.lists(st.tuples(st.text("ab/日 -", min_size=1), *[st.text("0123.", min_size=1)] * 3), max_size=4),
    st.integers(1, 80),
)
def test_every_figure_is_whole_and_every_name_can_be_read(rows, width):
    lines = fitting_lines(["run", "F1", "P", "R"], rows, width=width, fold=["run"])
    words = [word for line in lines for word in line.split()]
    for _name, *figures in rows:
        assert set(figures) <= set(words)
    characters = sorted("".join(lines))
    for character in "ab日":
        assert characters.count(character) >= sum(name.count(character) for name, *_ in rows)


@pytest.mark.parametrize("width", [1, 20, 40, 80, 200])
def test_lines_fit_unless_a_record_has_a_longer_cell(width):
    lines = fitting_lines(HEADER, ROWS, width=width)
    assert max(map(len, lines)) <= width or lines[0] == "run: mine"
