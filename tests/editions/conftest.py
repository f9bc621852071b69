"""A data folder of its own for each test, in which a user's editions lie."""

import sys

import ir_datasets
import pytest

from ir_coliee.cli import main


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty data folder. What ir_datasets has registered of a user's edition is forgotten afterwards."""
    folder = tmp_path / "data"
    (folder / "editions").mkdir(parents=True)
    monkeypatch.setenv("COLIEE_HOME", str(folder))
    registered = set(ir_datasets.registry)
    yield folder
    for dataset_id in set(ir_datasets.registry) - registered:
        del ir_datasets.registry._registered[dataset_id]


@pytest.fixture
def write(home):
    """A function that writes a user's edition file and returns its path."""

    def written(text, name="2027"):
        path = home / "editions" / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def call(monkeypatch, capsys):
    """A function that runs a command: exit status, standard output and standard error."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["ir_coliee", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return left.value.code or 0, captured.out, captured.err

    return run
