"""Every test of a command works in a folder of its own and sees no local release of anybody's."""

import sys
from pathlib import Path

import pytest
from calls import Finished

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
    """Two answer sets of task 1; the first has a ranking beside it."""
    Path("a.run").write_text("900656 900557\n900656 900664\n900795 900754\n900862 900593\n")
    Path("b.run").write_text("900656 900557\n900656 900912\n900795 900754\n900545 900593\n")
    ranking = [("900656", "900557", 3), ("900656", "900664", 2), ("900656", "900912", 1), ("900795", "900754", 1)]
    Path("a.run.trec").write_text("".join(f"{query} Q0 {item} 1 {score} a\n" for query, item, score in ranking))
    return ["a.run", "b.run"]
