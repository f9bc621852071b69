"""The command `analyse`: what it prints, in which form, what it writes, and what it says of analyses it cannot make."""

import csv
import io
import json
from pathlib import Path

import pytest
from analysis.random_runs import gold_of
from calls import TEST_IDS, refused

from ir_coliee.analysis import agreement, answered_by, evaluate, hardest_queries
from ir_coliee.analysis.catalogue import ANALYSES, MAIN, chosen
from ir_coliee.editions import split

TASK1, TASK3, TASK4 = TEST_IDS[0], TEST_IDS[2], TEST_IDS[4]
A = "900656 900557\n900656 900664\n900795 900754\n900862 900593\n"
B = "900656 900557\n900656 900912\n900795 900754\n900545 900593\n"
RANKING = "900656 Q0 900557 1 3.0 a\n900656 Q0 900664 2 2.0 a\n900656 Q0 900912 3 1.0 a\n900795 Q0 900754 1 0.5 a\n"


@pytest.mark.slow
def test_all_analyses_of_the_task_are_printed_with_titles_tables_and_notes(call, two_runs):
    finished = call("analyse", TASK1, *two_runs, "--verbose")
    assert finished.status == 0
    lines = finished.out.splitlines()
    headings = [line.split(": ")[0] for line in lines if line.split(": ")[0] in ANALYSES]
    assert headings == [analysis.name for analysis in chosen(split(TASK1)) if analysis.name != "calibration"]
    evaluated = evaluate(TASK1, two_runs)
    for frame in (answered_by(evaluated), agreement(evaluated)):
        assert "\n".join(str(frame).splitlines()[1:-1]) in finished.out
    assert "not made: calibration: No run has probabilities as scores." in lines
    assert lines[-2].startswith("this data is synthetic")
    assert lines[-1] == f"next: ir_coliee show {TASK1} {hardest_queries(evaluated)['query_id'].iloc[0]} a.run b.run"
    assert call(*lines[-1].split()[2:]).status == 0
    assert "warning: all runs: " in finished.err or "warning: a.run: " in finished.err


@pytest.mark.parametrize("dataset_id", TEST_IDS)
def test_every_task_is_analysed_with_what_is_known_of_a_single_run(call, dataset_id):
    pairs = [(query, sorted(items)[0]) for query, items in gold_of(dataset_id).items() if items]
    Path("my.run").write_text("".join(f"{query} {item} mine\n" for query, item in pairs[1:]))
    short = call("analyse", dataset_id, "my.run")
    headings = [line.split(": ")[0] for line in short.out.splitlines() if line.split(": ")[0] in ANALYSES]
    assert (short.status, headings) == (0, [*MAIN])
    finished = call("analyse", dataset_id, "my.run", "--verbose")
    assert finished.status == 0
    lines = finished.out.splitlines()
    reasons = [line for line in lines if line.startswith("not made: ")]
    assert any(line.startswith("not made: agreement: At least two runs are needed") for line in reasons)
    made = {line.split(": ")[0] for line in lines} & ANALYSES.keys()
    not_made = {name for name in ANALYSES if any(f" {name}:" in line for line in reasons)}
    assert made | not_made == {analysis.name for analysis in chosen(split(dataset_id))}
    assert {"hardest_queries", "answered_by", "groups", "losses"} <= made - not_made


def test_csv_has_the_complete_frame_with_all_digits_and_notes_go_to_stderr(call, two_runs):
    finished = call("analyse", TASK1, *two_runs, "--only", "hardest_queries", "--csv")
    rows = [*csv.DictReader(io.StringIO(finished.out))]
    frame = hardest_queries(evaluate(TASK1, two_runs))
    assert [(row["query_id"], row["run"], float(row["value"])) for row in rows] == [
        *zip(frame["query_id"], frame["run"], frame["value"])
    ]
    assert all(note in finished.err for note in frame.notes)


def test_csv_has_each_miss_and_false_answer_with_cause_and_evidence(call, two_runs):
    rows = [*csv.DictReader(io.StringIO(call("analyse", TASK1, *two_runs, "--only", "items", "--csv").out))]
    assert [*rows[0]] == ["run", "query_id", "doc_id", "outcome", "stage", "cause", "detail", "evidence"]
    found = {(row["query_id"], row["doc_id"]): row for row in rows if row["run"] == "a.run"}
    assert found["900656", "900912"]["cause"] == "ranked below the cut-off"
    assert found["900656", "900664"]["outcome"] == "false"


def test_json_has_every_frame_and_the_reasons_of_those_that_are_missing(call, two_runs):
    content = json.loads(call("analyse", TASK1, *two_runs, "--json").out)
    assert content["dataset_id"] == TASK1
    assert content["analyses"].keys() | content["not_made"].keys() == {each.name for each in chosen(split(TASK1))}
    assert content["not_made"] == {"calibration": "No run has probabilities as scores."}
    for name, frame in content["analyses"].items():
        assert set(frame) == {"title", "notes", "rows"}, name
    assert len(content["analyses"]["hardest_queries"]["rows"]) == 24
    assert None in [row["p"] for row in content["analyses"]["groups"]["rows"]]  # not NaN, which JSON does not have


# --- plots -----------------------------------------------------------------------------------------


def test_plots_are_written_and_an_analysis_that_alone_cannot_be_made_is_an_error(call, two_runs):
    finished = call("analyse", TASK1, *two_runs, "--only", "hardest_queries", "--plots", "plots")
    assert "file: plots/hardest_queries.pdf" in finished.out.splitlines()
    assert Path("plots/hardest_queries.pdf").read_bytes().startswith(b"%PDF")
    assert "No run has probabilities" in refused(call("analyse", TASK1, *two_runs, "--only", "calibration"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plots", "a.run"], "a.run/hardest_queries.pdf cannot be written"),
        (["--only", "losses", "--only", "loss"], "There is no analysis 'loss'.\nThe analyses are: drift, "),
        (["--csv"], "--csv prints one table. Choose one by --only NAME.\nNames: drift"),
    ],
)
def test_options_that_cannot_be_followed_are_refused_before_the_work(call, two_runs, monkeypatch, options, message):
    def never(*_arguments, **_options):
        raise AssertionError("the work has begun")

    monkeypatch.setattr("ir_coliee.analysis.evaluate", never)
    finished = call("analyse", TASK1, *two_runs, *options)
    assert finished.status == 2
    assert finished.err.startswith(f"error: {message}")
