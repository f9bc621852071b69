"""Commands show progress on stderr, and none with --quiet."""

import itertools

import pytest
from typer.testing import CliRunner

import ir_coliee.progress
from ir_coliee.cli.command_line import app


@pytest.fixture
def hurried(monkeypatch):
    """Each look at the clock is a second later than the last one."""
    monkeypatch.setattr(ir_coliee.progress.time, "monotonic", itertools.count().__next__)


@pytest.fixture
def runs(tmp_path):
    paths = [tmp_path / "one.run", tmp_path / "other.run"]
    for path, score in zip(paths, (2, 1)):
        path.write_text(f"R99-01-A Q0 9 1 {score} x\nR99-01-A Q0 12 2 0.5 x\n")
    return [*map(str, paths)]


COMMANDS = {
    "audit": (["audit", "coliee/task2/sample/test"], "reading coliee/task2/sample/test: "),
    "synth": (["synth", "coliee/task2/2025", "--scale", "0.002", "--out", "OUT"], "writing coliee/task2/2025: "),
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
