"""The ids of the sample, and calls of the command line."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

TEST_IDS = [
    "coliee/task1/sample/test",
    "coliee/task2/sample/test",
    "coliee/task3/sample/en/test",
    "coliee/task3/sample/ja/test",
    "coliee/task4/sample/en/test",
    "coliee/task4/sample/ja/test",
    "coliee/pilot/sample/prediction/test",
    "coliee/pilot/sample/rationale/test",
]
TASK1, TASK2, TASK3, _, TASK4, _, PREDICTION, RATIONALE = TEST_IDS
REAL = "coliee/task1/2025/test"
#: Two answer sets of task 1; the first has a ranking beside it.
RUNS = {
    "a.run": "900656 900557\n900656 900664\n900795 900754\n900862 900593\n",
    "b.run": "900656 900557\n900656 900912\n900795 900754\n900545 900593\n",
    "a.run.trec": "900656 Q0 900557 1 3 a\n900656 Q0 900664 2 2 a\n900656 Q0 900912 3 1 a\n900795 Q0 900754 1 1 a\n",
}


class Finished(NamedTuple):
    status: int
    out: str
    err: str


def process(*arguments, program, start_new_session=False, **environment):
    """Run a program of Python in a process of its own, its output in a pipe."""
    finished = subprocess.run(
        [sys.executable, *program, *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        start_new_session=start_new_session,
        timeout=300,
        check=False,
    )
    return Finished(finished.returncode, finished.stdout, finished.stderr)


def refused(finished):
    """Check that a call was refused with one message on stderr; return the message, whose first line is the error."""
    assert "Traceback" not in finished.err
    assert finished.status == 2
    lines = [line for line in finished.err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    return finished.err[finished.err.index(lines[0]) :].rstrip("\n")


def next_commands(text):
    """The printed next commands, as lists of arguments."""
    return [shlex.split(line.removeprefix("next: "))[1:] for line in text.splitlines() if line.startswith("next: ")]


def saved(name, text):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
