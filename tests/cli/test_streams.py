"""Output that cannot be written, and what the parents' command lines print."""

import subprocess
import sys
from pathlib import Path

import pytest
from calls import TASK1, saved

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell redirections")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "redirection", "status", "problem"),
    [
        ("leaderboard 2023 task1", ">&-", 2, "error: stdout is closed"),
        *(
            (command, "> /dev/full", 2, "error: The output could not be written to stdout (No space left on device).")
            for command in ("leaderboard 2023 task1", "irds list")
        ),
        ("leaderboard 2023 task1", "2>&- > /dev/null", 0, ""),
        ("irds list", "| head -n 0", 0, ""),
    ],
)
def test_output_that_is_lost_is_an_error(redirection, status, problem, command):
    command = f"'{sys.executable}' -m ir_coliee {command} {redirection}"
    finished = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert finished.returncode == status
    assert finished.stderr.startswith(problem)
    assert "Traceback" not in finished.stderr
    assert "Exception ignored" not in finished.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["irds", "lookup", TASK1, "--qid", "900656"],
        ["irds", "export", TASK1, "docs", "--fields", "nope"],
        ["irds", "export", "nope", "docs"],
        ["irds", "nope"],
        ["measures", TASK1, "a.run", "MicroF1"],
        ["measures", "no-such-file", "a.run", "MicroP"],
        ["measures", TASK1, "a.trec", "No\x1b[31mMeasure"],
    ],
    ids=" ".join,
)
def test_errors_of_the_parents_command_lines_have_status_2_and_no_traceback(call, arguments):
    saved("a.run", "900656 900557 a\n")
    saved("a.trec", "900656 Q0 900557 1 1 a\n")
    finished = call(*arguments)
    assert finished.status == 2
    assert "Traceback" not in finished.err
    assert "\x1b" not in finished.err + finished.out
    if finished.err.startswith("error: ir_"):
        assert len(finished.err.splitlines()) == 2  # what failed, and the next step


def test_looked_up_texts_have_no_control_characters_and_exported_files_are_as_they_are(call, monkeypatch):
    def printed(_arguments):
        print("a\x1b[31mb\u202ec")

    monkeypatch.setattr("ir_datasets.main", printed)
    assert call("irds", "lookup", TASK1, "900557").out == "a\\x1b[31mb\\u202ec\n"
    assert call("irds", "export", TASK1, "docs").out == "a\x1b[31mb\u202ec\n"


def test_an_error_of_the_file_system_that_nobody_expected_is_one_message(call, monkeypatch):
    def fail(*_arguments, **_options):
        raise PermissionError(13, "Permission denied", "place")

    monkeypatch.setattr("ir_coliee.evaluation.leaderboards.find_leaderboards", fail)
    finished = call("leaderboard", "2023")
    assert (finished.status, finished.err) == (2, "error: [Errno 13] Permission denied: 'place'\n")
    assert not Path("place").exists()
