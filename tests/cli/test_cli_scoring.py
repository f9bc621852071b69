"""The commands `score` and `leaderboard`: what is printed first, last and once."""

import json
from pathlib import Path

import pytest
from calls import TASK1, saved

from ir_coliee import leaderboard

# --- score -------------------------------------------------------------------------------------------


def test_warnings_come_before_the_table_whatever_its_form(call):
    saved("one.run", "900862 900593 a\n")
    warning = "warning: one.run: 11 of 12 queries have no answer, which counts as wrong: 900656, "
    for form in ([], ["--csv"]):
        finished = call("score", TASK1, "one.run", "--quiet", "--per-query", *form)
        assert finished.status == 0
        assert finished.err.startswith(warning)
        assert "warning" not in finished.out
    content = json.loads(call("score", TASK1, "one.run", "--json").out)
    assert content["one.run"]["warnings"][0].startswith("11 of 12 queries have no answer")


def test_two_forms_of_one_output_are_refused(call):
    assert "--json and --csv exclude each other" in call("score", TASK1, "one.run", "--json", "--csv").err


def test_two_scored_runs_can_be_compared_as_printed(call):
    runs = [saved(name, f"900862 900593 {name}\n900545 90059{name} {name}\n") for name in "12"]
    command = call("score", TASK1, *runs).out.splitlines()[-1]
    assert command == f"next: ir_coliee compare {TASK1} 1 2"
    assert call(*command.split()[2:]).status == 0


def test_each_run_has_its_place_and_the_caveats_of_the_leaderboard_come_once(call, monkeypatch):
    call("synth", "coliee/task1/2025", "--out", "copies", "--scale", "0.01")
    monkeypatch.setattr("ir_coliee.releases.release.LocalRelease.is_synthetic", False)
    labels = json.loads(Path("copies/task1_test_labels_2025.json").read_text(encoding="utf-8"))
    pairs = [(query[:-4], item[:-4]) for query, items in labels.items() for item in items]
    saved("one.run", "".join(f"{query} {item} one\n" for query, item in pairs))
    saved("two.run", "".join(f"{query} {item} two\n" for query, item in pairs[1:]))
    finished = call("score", "coliee/task1/2025/test", "one.run", "two.run")
    assert finished.status == 0
    assert "one.run: 1.0000 would have ranked 1st of 21, before JNLP JNLP_001 (0.3353)" in finished.out
    assert finished.out.count("would have ranked") == 2
    assert finished.out.count("Caveat:") == finished.out.count("the figures are not comparable") == 1


def test_all_runs_are_read_before_one_is_scored(call, monkeypatch):
    monkeypatch.setattr("ir_coliee.evaluation.scoring.Scorer.compute", lambda *_: pytest.fail("scored"))
    finished = call("score", TASK1, saved("one.run", "900862 900593 a\n"), "gone.run")
    assert finished.status == 2
    assert finished.err.startswith("error: gone.run: no such run file")


# --- leaderboard -------------------------------------------------------------------------------------


def test_the_leaderboards_of_a_year_are_printed_one_after_another(call):
    out = call("leaderboard", "2024").out
    assert [line for line in out.splitlines() if line.startswith("COLIEE")] == [
        f"COLIEE 2024 task{number}" for number in (1, 2, 3, 4)
    ]
    assert out.count("Caveat:") == 4
    records = json.loads(call("leaderboard", "2023", "task1", "--json").out)
    assert [record["MicroF1"] for record in records] == leaderboard("task1", 2023)["MicroF1"].tolist()
