"""The examples beside the systems run on the sample, and the table of all of them is right."""

import csv
import importlib.util
import re
import runpy
import sys
import warnings
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
README = (EXAMPLES / "README.md").read_text()
MEASURES = {"task1": "F1", "task2": "F1", "task3": "F2", "task4": "accuracy"}
with (Path(__file__).parent / "systems-2023.csv").open(newline="") as file:
    ROWS = [row for row in csv.DictReader(file) if not row["option"]]


def is_neural(path):
    """Whether an example has the frame of the systems, with its command line."""
    return "neural_steps" in path.read_text()


def takes_model(path):
    return '"--model"' in path.read_text() or is_neural(path)


LONG = {"task1_neural", "task3_neural", "neural_features"}  # those of tasks 2 and 4 have the same parts


def marks(path):
    return [pytest.mark.long] if path.stem in LONG else [] if takes_model(path) else [pytest.mark.without_models]


SCRIPTS = [pytest.param(path, id=path.stem, marks=marks(path)) for path in sorted(EXAMPLES.glob("*.py"))]


@pytest.mark.parametrize("path", SCRIPTS)
def test_the_example_runs_on_the_sample_and_prints_a_table(path, tmp_path, monkeypatch, capsys):
    has_model = takes_model(path)
    if has_model and not all(map(importlib.util.find_spec, ("torch", "sentence_transformers", "accelerate"))):
        pytest.skip("without the extra neural")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [path.name, *(["--model", "tiny"] if has_model else [])])
    with warnings.catch_warnings():
        if not has_model:  # the windows of tiny models are too small, of which they warn
            warnings.simplefilter("error", UserWarning)
        runpy.run_path(str(path), run_name="__main__")
    assert re.search(r"\d\.\d{2,}", capsys.readouterr().out)


@pytest.mark.parametrize("path", SCRIPTS)
def test_the_example_has_a_help_text(path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [path.name, "--help"])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(path), run_name="__main__")
    shown = capsys.readouterr().out
    assert left.value.code == 0
    assert f"python examples/{path.name}" in shown
    assert ("--dataset ID" in shown) == ("editions" in path.read_text() or is_neural(path))


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_table_of_systems_is_the_transcribed_one():
    lines = [cells(line) for line in README.splitlines() if re.match(r"\| [1-4] \|", line)]
    assert [(task, team) for task, team, *_ in lines] == [(row["task"][-1], row["team"]) for row in ROWS]
    for (task, team, file, components, here, published, extras, memory), row in zip(lines, ROWS):
        counts = f"({row['tp']}/{row['returned']})" if row["returned"] else "(no hit)"
        assert published == f"{MEASURES[row['task']]} {row['figure']} {counts}", team
        if row["stages"]:
            name = f"task{task}_{team.lower()}.py"
            assert file == f"[{name}](systems/{name})"
            assert (EXAMPLES / "systems" / name).is_file()
            assert extras == (", ".join(row["extras"].split()) or "none")
            assert len(components) > 10
            assert re.match(r"(reconstruction|simplified|stand-in): .{10}", here), team
            assert (memory == "–") == (not {*row["extras"].split()} & {"llm", "neural"})
        else:
            assert (file, components, here, extras, memory) == ("–", "no paper", "–", "–", "–")


def test_every_example_is_in_the_table():
    assert set(re.findall(r"\]\((\w+\.py)\)", README)) == {path.name for path in EXAMPLES.glob("*.py")}
