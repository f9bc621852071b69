"""Every test of a command works in a folder of its own and sees no local release of anybody's."""

import sys

import pytest
from calls import RUNS, Finished, saved

from ir_coliee.cli import main


@pytest.fixture(autouse=True)
def empty_world(tmp_path, monkeypatch):
    """Every test works in a folder of its own and sees no local release of anybody's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "copies"))


@pytest.fixture
def call(monkeypatch, capsys):
    """Run the command line in this process."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["ir_coliee", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        status = left.value.code
        return Finished(0 if status is None else status, captured.out, captured.err)

    return run


@pytest.fixture
def two_runs(empty_world):
    """The names of two answer sets of task 1; the first has a ranking beside it."""
    return [saved(name, content).name for name, content in RUNS.items()][:2]
