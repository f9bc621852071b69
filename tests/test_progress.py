"""One bar on terminals and in notebooks, one line a stage in pipes, nothing else."""

import itertools
import threading

import pytest
from cli.terminal import in_terminal

import ir_coliee.progress
from ir_coliee.progress import progress, quiet, stage, steps


@pytest.fixture
def slow_clock(monkeypatch):
    """Each look at the clock is a second later than the last one."""
    monkeypatch.setattr(ir_coliee.progress.time, "monotonic", itertools.count().__next__)


def learned():
    with stage("learned run"):
        with stage("words"):
            for _ in progress(range(2), "indexing", unit="documents"):
                list(progress(range(2), "tokenising"))
        with stage("fit", from_cache=True):
            pass


def with_error():
    with pytest.raises(KeyError), stage("fitting"):
        raise KeyError


def without_end():
    for _ in progress(range(3), "searching"):
        break
    list(progress(range(3), "searching", unit="queries"))


def with_steps():
    with steps("asking", total=3, done=1, unit="questions") as advance:
        advance()


LINES = {
    learned: ["learned run, words:", "learned run, fit: from cache", "learned run:"],
    with_error: [],
    without_end: ["searching: 3 queries,"],
    with_steps: ["asking: 3 questions,"],
}


@pytest.mark.parametrize("computation", LINES, ids=lambda each: each.__name__)
def test_a_pipe_gets_a_line_for_each_stage_and_each_loop_in_none_that_ends(capsys, slow_clock, computation):
    computation()
    shown = capsys.readouterr()
    lines = [line.rstrip("0123456789. s") if line.endswith(" s") else line for line in shown.err.splitlines()]
    assert (lines, shown.out) == (LINES[computation], "")


def test_short_loops_are_not_mentioned(capsys, monkeypatch):
    monkeypatch.setattr(ir_coliee.progress.time, "monotonic", lambda: 1.0)
    learned()
    assert capsys.readouterr().err == "learned run, fit: from cache\n"


@pytest.mark.parametrize("reason", ["quiet", "verbose", "no stderr", "worker", "thread"])
def test_nothing_is_shown_where_it_is_not_wanted_and_all_items_are_given(capsys, monkeypatch, slow_clock, reason):
    given = []

    def loop():
        with stage("stage", verbose=reason != "verbose"):
            given.extend(progress(range(3), "loop", verbose=reason != "verbose"))

    with monkeypatch.context() as patched:
        if reason == "no stderr":
            patched.setattr("sys.stderr", None)
        if reason == "worker":
            patched.setattr(ir_coliee.progress, "parent_process", object)
        if reason == "thread":
            thread = threading.Thread(target=loop)
            thread.start()
            thread.join()
        elif reason == "quiet":
            with quiet():
                loop()
        else:
            loop()
    assert given == [0, 1, 2]
    assert capsys.readouterr().err == ""


def test_a_loop_of_a_cell_that_failed_does_not_hide_later_ones(capsys, monkeypatch, slow_clock):
    failed = progress(range(3), "failed")
    next(failed)
    monkeypatch.setattr("sys.last_value", KeyError(), raising=False)
    list(progress(range(3), "later"))
    failed.close()
    list(progress(range(3), "last"))
    assert [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()] == ["later", "last"]


#: A computation with a loop in a loop and other output.
PROGRAM = """
import time
from ir_coliee.cli.app import err, out
from ir_coliee.progress import progress, stage

with stage("learned run"):
    with stage("words"):
        for number in progress(range(20), "indexing coliee/task1/sample/train", unit="documents"):
            time.sleep(0.1)
            for _ in progress(range(2), "tokenising"):
                pass
            if number > 16:
                (out if number == 17 else err).print(f"printed {number}")
    with stage("n-grams"):
        time.sleep(0.6)
"""


def screen(raw):
    """What remains on the screen: a carriage return goes to the start of the line, where text is written over."""
    for line in raw.split("\n"):
        cells = []
        for piece in line.split("\r"):
            cells[: len(piece)] = piece
        yield "".join(cells).rstrip()


@pytest.mark.slow
def test_the_bar_fits_the_terminal_and_lines_are_printed_above_it():
    columns = 60
    shown = in_terminal(program=("-c", PROGRAM), columns=columns)
    assert shown.status == 0, shown.text
    remaining = [line for line in screen(shown.text) if line]
    assert remaining[:3] == ["printed 17", "printed 18", "printed 19"]
    assert [line.rpartition(":")[0] for line in remaining[3:]] == [
        "learned run, words",
        "learned run, n-grams",
        "learned run",
    ]
    bars = [piece for line in shown.text.split("\n") for piece in line.split("\r") if "documents [" in piece]
    assert bars
    assert all(len(bar) <= columns and bar.rstrip().endswith("]") for bar in bars)
