"""The commands `validate` and `submit`: output, exit status, and no traceback."""

import os
from pathlib import Path

import ir_datasets
import pytest
from calls import PREDICTION, TASK1, TASK3, saved
from samples import TORTS


def test_validate_prints_findings_then_what_shows_across_files_then_the_rules(call):
    saved("a.run", "900656 900001 one\n")
    finished = call("validate", TASK1, "a.run")
    assert finished.status == 1
    lines = finished.out.splitlines()
    assert lines[1].startswith("a.run, line 1: error: '900001' is not in the collection")
    assert lines[2] == "a.run: errors: 1"
    assert lines[3].startswith("warning: the system description SystemDescription.txt is missing")
    assert lines[-2].startswith("note: ")
    assert finished.err == ""


def test_the_long_list_is_validated_with_its_run(call):
    queries = [query.query_id for query in ir_datasets.load(TASK3).queries_iter()]
    ranks = [(rank, item) for rank, item in enumerate(("1", "2", "3"), start=1)]
    lines = [f"{query} Q0 {item} {rank} {-rank} x\n" for query in queries for rank, item in ranks]
    saved("a.run", "".join(lines[::3]))
    saved("long.run", "".join(lines))
    assert call("validate", TASK3, "a.run", "--long-list", "long.run").status == 0
    saved("long.run", "".join([*lines, "bad\n"]))
    finished = call("validate", TASK3, "a.run", "--long-list", "long.run")
    assert finished.status == 1
    assert "a.run: accepted" in finished.out
    assert "long.run: errors: 1" in finished.out


def test_validate_takes_a_folder(call):
    for tag in ("one", "two"):
        saved(f"folder/task1.{tag}", f"900656 900557 {tag}\n")
    saved("folder/SystemDescription.txt", "Task: 1\nRun tag: one\n")
    saved("folder/notes.md", "")
    finished = call("validate", f"irds:{TASK1}", "folder")
    assert finished.status == 0
    assert {"folder/task1.one: accepted", "folder/task1.two: accepted"} <= {*finished.out.splitlines()}
    assert f"folder/notes.md: not checked, because it is not named as a file of {TASK1}" in finished.out
    assert "no block of task1, run tag two" in finished.out


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd here")
@pytest.mark.parametrize(("command", "words"), [("validate", "accepted"), ("score", "1.0000")])
def test_a_run_may_come_through_a_pipe(call, command, words):
    reader, writer = os.pipe()
    os.write(writer, TORTS.read_bytes())
    os.close(writer)
    finished = call(command, PREDICTION, f"/dev/fd/{reader}")
    os.close(reader)
    assert finished.status == 0, finished.err
    assert words in finished.out


def test_submit_writes_says_so_and_prints_findings_rules_and_the_subject(call):
    saved("a.run", "900656 900557 one\n")
    finished = call("submit", TASK1, "a.run", "--tag", "mine", "--out", "out", "--team", "ours")
    lines = finished.out.splitlines()
    assert finished.status == 0
    unanswered, description = finished.err.splitlines()
    assert unanswered.startswith("warning: task1.mine: 11 of 12 queries have no answer, which counts as wrong: ")
    assert description == (
        "warning: out/SystemDescription.txt: fields to be filled in: - Machine learning models:, "
        "- External resources:, - Explaination:"
    )
    assert [line for line in lines if line.startswith("note: ")] == [
        "note: at most three runs of a group are assessed, each with a run tag of its own"
    ]
    assert lines[-5:] == [
        "files to send:",
        "file: out/task1.mine",
        "file: out/SystemDescription.txt",
        "subject of the mail: [submission] ours",
        f"next: ir_coliee validate {TASK1} out",
    ]
    assert call("validate", TASK1, "out").status == 0
    assert Path("out/task1.mine").read_text() == "900656 900557 mine\n"


def test_a_run_with_errors_is_status_1_and_nothing_is_written(call):
    saved("a.run", "900656 900001 one\nbad\n")
    finished = call("submit", TASK1, "a.run", "--tag", "mine", "--out", "out")
    assert (finished.status, finished.out) == (1, "")
    assert finished.err.startswith("error: a.run has 2 errors; no file was written.\nline 1: ")
    assert not Path("out").exists()
