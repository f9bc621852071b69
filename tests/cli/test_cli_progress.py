"""Commands show progress on stderr, and none with --quiet."""

import itertools
import json
import re

import pytest
from cli.terminal import in_terminal
from typer.testing import CliRunner

import ir_coliee.progress
from ir_coliee.cli.command_line import app
from ir_coliee.progress import Monitor


@pytest.fixture
def hurried(monkeypatch):
    """Each look at the clock is a second later than the last one."""
    monkeypatch.setattr(ir_coliee.progress, "_MONITOR", Monitor(clock=itertools.count().__next__))


@pytest.fixture
def runs(tmp_path):
    paths = [tmp_path / "one.run", tmp_path / "other.run"]
    for path, score in zip(paths, (2, 1)):
        path.write_text(f"R99-01-A Q0 9 1 {score} x\nR99-01-A Q0 12 2 0.5 x\n")
    return [*map(str, paths)]


COMMANDS = {
    "audit": (["audit", "coliee/task2/sample/test"], "reading coliee/task2/sample/test: "),
    "synth": (["synth", "coliee/task2/2025", "--scale", "0.002", "--out", "OUT"], "writing coliee/task2/2025/test: "),
    "score": (["score", "coliee/task3/sample/en/test", "RUN", "RUN"], "scoring: 2 runs, "),
    "compare": (["compare", "coliee/task3/sample/en/test", "RUN", "RUN"], "comparing 2 runs: "),
    "diff": (["diff", "coliee/task3/sample/en/test", "RUN", "RUN"], "comparing 2 runs: "),
    "tune": (["tune", "coliee/task3/sample/en/test", "RUN"], "choosing cut-offs on coliee/task3/sample/en/test: "),
}


def filled_in(arguments, runs, out):
    remaining = iter(runs)
    return [next(remaining) if each == "RUN" else str(out) if each == "OUT" else each for each in arguments]


@pytest.mark.parametrize("name", COMMANDS)
def test_progress_is_shown_on_stderr_and_not_with_quiet(hurried, runs, tmp_path, name):
    arguments, expected = COMMANDS[name]
    shown = CliRunner().invoke(app, filled_in(arguments, runs, tmp_path / "out-1"))
    quiet = CliRunner().invoke(app, [*filled_in(arguments, runs, tmp_path / "out-2"), "--quiet"])
    assert (shown.exit_code, quiet.exit_code) == (0, 0)
    assert expected in shown.stderr
    assert expected not in quiet.stderr
    assert len(quiet.stderr.splitlines()) == sum(line.startswith("warning") for line in shown.stderr.splitlines())
    assert quiet.stdout.replace(str(tmp_path / "out-2"), "OUT") == shown.stdout.replace(str(tmp_path / "out-1"), "OUT")


def test_quiet_ends_with_the_command(hurried, tmp_path):
    CliRunner().invoke(app, ["audit", "coliee/task2/sample/test", "--quiet"])
    assert "reading" in CliRunner().invoke(app, ["audit", "coliee/task2/sample/test"]).stderr


def test_progress_does_not_disturb_json(hurried):
    shown = CliRunner().invoke(app, ["audit", "coliee/task2/sample/test", "--json"])
    assert "reading" in shown.stderr
    assert json.loads(shown.stdout)["id"] == "coliee/task2/sample/test"


@pytest.mark.slow
def test_each_stage_that_a_baseline_announces_is_shown_with_its_number(hurried, tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))  # an empty cache
    shown = CliRunner().invoke(app, ["baseline", "coliee/task2/sample/test", "--out", str(tmp_path / "runs")])
    assert shown.exit_code == 0
    learned = re.findall(r"^1 of 2: learned, (\d) of (\d): [^:,]+: [^,]+ s$", shown.stderr, re.MULTILINE)
    total = int(learned[0][1])
    assert learned == [(str(number), str(total)) for number in range(1, total + 1)]


#: A computation with a loop in a loop, a bar of tqdm, and other output; `show` draws what the thread would draw later.
PROGRAM = """
import itertools, sys
import ir_coliee.progress
from ir_coliee.progress import monitor, progress, stage, stages
from tqdm import tqdm

ir_coliee.progress._MONITOR = watched = monitor.Monitor(clock=itertools.count().__next__)
outer = tqdm(total=2, desc="an experiment", mininterval=0)
with stages("learned run of coliee/task1/sample/test", ["words", "n-grams"]):
    with stage("words"):
        for number in progress(range(3), "indexing coliee/task1/sample/train", unit="documents"):
            for _ in progress(range(2), "tokenising"):
                watched.show()
            print("printed", number)
    with stage("n-grams"):
        watched.show()
        for _ in tqdm(range(2), desc="of another library", mininterval=0, file=sys.stderr):
            watched.show()
        watched.show()
        print("warned", file=sys.stderr)
outer.update()
"""


def screen(raw):
    """What remains on the screen: a carriage return goes to the start of the line, where text is written over."""
    for line in raw.split("\n"):
        cells = []
        for piece in line.split("\r"):
            cells[: len(piece)] = piece
        yield "".join(cells).rstrip()


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_bar_is_drawn_over_another_one_or_over_other_output(columns):
    shown = in_terminal(program=("-c", PROGRAM), columns=columns)
    assert shown.status == 0
    remaining = [*screen(shown.text)]
    assert [line for line in remaining if line.startswith(("printed", "warned"))] == [
        *(f"printed {number}" for number in range(3)),
        "warned",
    ]
    assert not any(sum(line.count(sign) for sign in ("1 of 2", "2 of 2", "it/s", "printed")) > 1 for line in remaining)
    assert [line for line in remaining if " of 2: " in line] == [
        next(line for line in remaining if line.startswith(f"{number} of 2: {name}: "))
        for number, name in ((1, "words"), (2, "n-grams"))
    ]
    drawn = [piece for line in shown.text.split("\n") for piece in line.split("\r")]
    bars = [piece.rstrip() for piece in drawn if " documents [" in piece]
    assert len(bars) == 6
    assert all(len(bar) < columns for bar in bars)
    assert all(bar.startswith("1 of 2: words") and "3 documents" in bar for bar in bars)


#: A process that is forked while a bar is being drawn by a thread.
FORKED = """
import os, signal, threading
from ir_coliee.progress import _MONITOR, forms, progress, stage

def draw():
    with forms.LOCK:
        is_drawing.set()
        is_forked.wait(10)

is_drawing, is_forked = threading.Event(), threading.Event()
with stage("of the first process"):
    _MONITOR.show()
    drawing = threading.Thread(target=draw)
    drawing.start()
    is_drawing.wait(10)
    process = os.fork()
    if not process:
        signal.alarm(10)
        print("printed by", len([*progress("ab", "of the second process")]))
        os._exit(7)
    is_forked.set()
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 7
"""


@pytest.mark.slow
def test_a_process_that_is_forked_while_a_bar_is_drawn_can_print():
    shown = in_terminal(program=("-W", "ignore", "-c", FORKED))
    assert shown.status == 0, shown.text
