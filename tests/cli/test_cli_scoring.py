"""The commands `score` and `leaderboard`: what is printed first, last and once."""

import json
from pathlib import Path

import pytest
from test_cli import call, empty_world  # noqa: F401  (fixtures)

TASK1 = "coliee/task1/sample/test"
TASK3 = "coliee/task3/sample/en/test"


def saved(name, text):
    Path(name).write_text(text, encoding="utf-8")
    return name


# --- score -------------------------------------------------------------------------------------------


def test_warnings_come_before_the_table_whatever_its_form(call):  # noqa: F811
    saved("one.run", "900862 900593 a\n")
    warning = "warning: one.run: 11 of 12 queries have no answer, for example 900545, and each counts as wrong"
    for form in ("table", "csv", "latex", "markdown"):
        finished = call("score", TASK1, "one.run", "--format", form)
        assert finished.status == 0
        assert finished.err.startswith(warning)
        assert "warning" not in finished.out
    content = json.loads(call("score", TASK1, "one.run", "--format", "json").out)
    assert content["one.run"]["warnings"][0].startswith("11 of 12 queries have no answer")


def test_what_holds_for_all_runs_is_said_once(call):  # noqa: F811
    saved("one.run", "R99-01-A Q0 4 1 0.9 a\n")
    saved("two.run", "R99-01-A Q0 5 1 0.9 b\n")
    finished = call("score", TASK3, "one.run", "two.run")
    assert finished.err.count("have no answer") == finished.out.count("not computed: MAP") == 1
    assert finished.err.startswith("warning: all runs: 19 of 20 queries have no answer")
    assert finished.out.count("this data is synthetic") == 1


@pytest.mark.parametrize("form", ["irds:coliee/task1/sample/test", "coliee:task1/sample/test"])
def test_score_takes_the_ids_of_pyterrier(call, form):  # noqa: F811
    saved("one.run", "900862 900593 a\n")
    assert call("score", form, "one.run").out == call("score", TASK1, "one.run").out
