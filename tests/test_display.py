"""Blocks as text and as HTML."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.display import (
    Details,
    Heading,
    Mark,
    MarkedText,
    Preformatted,
    Table,
    WarningText,
    as_html,
    as_text,
    table_lines,
)

TABLE = Table(["run", "F1", "items"], [["mine", 0.30007, 3], ["another", float("nan"), None]])


@pytest.fixture
def narrow(monkeypatch):
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((20, 24)))


def test_a_table_shows_its_values_as_cells_figures_to_the_right():
    assert table_lines(TABLE, 22) == ["run          F1  items", "mine     0.3001      3", "another"]
    assert table_lines(Table(["run", "n"], [["日本", 1], ["abcd", 2]])) == ["run   n", "日本  1", "abcd  2"]
    assert table_lines(Table(["run", "F1"], [])) == ["run  F1"]


@given(
    st.lists(st.tuples(st.text("ab/日 -", min_size=1), *[st.text("0123.", min_size=1)] * 3), max_size=4),
    st.integers(1, 80),
)
def test_every_figure_is_whole_and_every_name_can_be_read_at_any_width(rows, width):
    lines = table_lines(Table(["run", "F1", "P", "R"], rows), width)
    words = [word for line in lines for word in line.split()]
    for _name, *figures in rows:
        assert set(figures) <= set(words)
    characters = sorted("".join(lines))
    for character in "ab日":
        assert characters.count(character) >= sum(name.count(character) for name, *_ in rows)


def test_the_text_has_all_blocks_except_the_folded_ones(narrow):
    blocks = [Heading("First"), "a\x1b[31mb", TABLE, Heading("Second"), Preformatted("x\n  y"), Details("more", TABLE)]
    assert as_text(blocks).split("\n") == ["First", "a\\x1b[31mb", *table_lines(TABLE, 20), "", "Second", "x", "  y"]


def test_html_escapes_everything_and_loads_nothing():
    evil = "<img src=x onerror=alert(1)> $x$"
    table = Table([evil], [[evil]])
    text = as_html([Heading(evil), evil, table, Details(evil, table), Preformatted(evil), WarningText(evil)])
    assert "<img" not in text
    assert text.count("&lt;img") == 9
    assert "mathjax_ignore" in text
    assert "://" not in text
    assert "color" not in text


def test_control_characters_of_a_text_are_escaped_but_its_lines_and_spaces_are_kept():
    evil = "a\x1b[2J\0\u202eb\n\tc\u3000d\xa0e\ud800"
    shown = "a\\x1b[2J\\x00\\u202eb\n\tc\u3000d\xa0e\\ud800"
    assert as_text([Preformatted(evil)]) == as_text([MarkedText(evil)]) == shown
    assert as_text([MarkedText(evil, [Mark(0, 2, "shared")])]) == "[a\\x1b]" + shown[5:]
    for block in (Preformatted(evil), MarkedText(evil), Details("more", MarkedText(evil))):
        assert shown in as_html([block])
    assert "\x1b" not in as_html([MarkedText("a", [Mark(0, 1, "\x1b")]), WarningText("\x1b")])
