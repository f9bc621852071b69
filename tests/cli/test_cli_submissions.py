"""The commands `validate` and `submit`: output, exit status, and no traceback."""

from pathlib import Path

import ir_datasets
import pytest
from calls import TASK1, TASK3, saved


def ranking(dataset_id, depth=3):
    dataset = ir_datasets.load(dataset_id)
    docs = [doc.doc_id for doc in dataset.docs_iter()][:depth]
    return "".join(
        f"{query.query_id} Q0 {doc} {rank} {-rank} x\n"
        for query in dataset.queries_iter()
        for rank, doc in enumerate(docs, start=1)
    )


# --- validate ----------------------------------------------------------------------------------------


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
    saved("a.run", ranking(TASK3, 1))
    saved("long.run", ranking(TASK3, 3))
    assert call("validate", TASK3, "a.run", "--long-list", "long.run").status == 0
    saved("long.run", ranking(TASK3, 3) + "bad\n")
    finished = call("validate", TASK3, "a.run", "--long-list", "long.run")
    assert finished.status == 1
    assert "a.run: accepted" in finished.out
    assert "long.run: errors: 1" in finished.out
    finished = call("validate", TASK3, "a.run", "--long-list", "gone")
    assert finished.status == 2
    assert finished.err.startswith("error: gone: no such run file.\nExpected: the path of a run file.\nHelp: ")


def test_validate_takes_a_folder(call):
    for tag in ("one", "two"):
        saved(f"folder/task1.{tag}", f"900656 900557 {tag}\n")
    saved("folder/SystemDescription.txt", "Task: 1\nRun tag: one\n")
    saved("folder/notes.md", "")
    finished = call("validate", f"irds:{TASK1}", "folder")
    assert finished.status == 0
    for line in ("folder/task1.one: accepted", "folder/task1.two: accepted"):
        assert line in finished.out.splitlines()
    assert f"folder/notes.md: not checked, because it is not named as a file of {TASK1}" in finished.out
    assert "no block of task1, run tag two" in finished.out


# --- submit ------------------------------------------------------------------------------------------


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
    assert call(*lines[-1].split()[2:]).status == 0
    assert Path("out/task1.mine").read_text() == "900656 900557 mine\n"


def test_a_run_with_errors_is_status_1_and_nothing_is_written(call):
    saved("a.run", "900656 900001 one\nbad\n")
    finished = call("submit", TASK1, "a.run", "--tag", "mine", "--out", "out")
    assert finished.status == 1
    assert finished.out == ""
    assert finished.err.startswith("error: a.run has 2 errors; no file was written.\nline 1: ")
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--top", "0"],
        ["--top", "1", "--cutoff", "TopK(1)"],
        ["--cutoff", "__import__('os')"],
        ["--cutoff", "TopK(\x1b)"],
        ["--long-list", "a.run"],
        ["--answers", "a.run"],
        ["--tag", "a/b"],
        ["--tag", "\x1b[31m"],
        ["--out", "a.run/deeper"],
    ],
)
def test_a_call_that_cannot_be_carried_out_is_status_2(call, options):
    saved("a.run", "900656 900557 one\n")
    finished = call("submit", TASK1, "a.run", "--tag", "mine", "--out", "out", *options)
    assert finished.status == 2
    assert "Traceback" not in finished.err
    assert "\x1b" not in finished.err
    assert not Path("out").exists()
