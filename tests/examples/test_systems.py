"""The systems of 2023 in examples/systems: against what methods-2023.md says of them, and run on the sample.

`systems-2023.csv` is transcribed by hand. ``stages`` are classes in the order in which results pass them (alternatives
with a slash), ``parameters`` the published values of attributes, ``checkpoints`` the models that the source names.
"""

import ast
import csv
import dataclasses
import importlib.util
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyterrier as pt
import pytest

from ir_coliee.evaluation.boards import official_board, round_half_up

ROOT = Path(__file__).parents[2]
SYSTEMS = ROOT / "examples" / "systems"
METHODS = ROOT / ".." / "shared" / "reference" / "methods-2023.md"
with (Path(__file__).parent / "systems-2023.csv").open(newline="") as file:
    ROWS = list(csv.DictReader(file))
RUNNABLE = [row for row in ROWS if row["stages"]]
GOLD = {"task1": 859, "task2": 120}
FIGURE = {"task1": "f1", "task2": "f1", "task3": "f2", "task4": "accuracy"}
MODULES = {
    "dense": ["pyterrier_dr"],
    "ja": [],  # the Japanese checkpoints' tokenisers want it, the tiny ones do not
    "learn": ["lightgbm", "sklearn"],
    "llm": ["openai"],
    "neural": ["torch", "transformers", "sentence_transformers", "datasets", "accelerate"],
    "t5": ["pyterrier_t5", "sentencepiece"],
    "topics": ["bertopic"],
}


def named(row: dict[str, str]) -> str:
    return f"{row['task']}_{row['team'].lower()}"


def source(row: dict[str, str]) -> str:
    path = SYSTEMS / f"{named(row)}.py"
    return path.read_text() if path.exists() else ""


def test_there_are_27_systems_and_three_without_a_paper():
    assert len(RUNNABLE) == 27
    assert [named(row) for row in ROWS if not row["stages"]] == ["task1_yr", "task1_llntu", "task2_llntu"]


def test_every_row_has_its_file_and_every_file_its_row():
    assert {path.stem for path in SYSTEMS.glob("task*.py")} == {named(row) for row in RUNNABLE}


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_table_agrees_with_the_official_results(row):
    rows = official_board(2023, row["task"]).frame().to_dict("records")
    of_team = [found for found in rows if found["team"] == row["team"]]
    (official,) = [found for found in of_team if found["run"] == row["run"]][:1]
    figure = FIGURE[row["task"]]
    assert official[figure] == float(row["figure"])
    if official.get("formal", "yes") == "yes":
        formal = [found for found in of_team if found.get("formal") != "no"]
        assert official[figure] == max(found[figure] for found in formal)
    tp, returned = int(row["tp"]), int(row["returned"] or 0)
    if row["task"] in GOLD and returned:
        counted = round_half_up(tp / returned, 4), round_half_up(tp / GOLD[row["task"]], 4)
        assert counted == (round_half_up(official["precision"], 4), round_half_up(official["recall"], 4))
        assert round_half_up(2 * tp / (returned + GOLD[row["task"]]), 4) == round_half_up(official["f1"], 4)
    elif row["task"] == "task3":
        assert (tp, returned) == (official["tp"], official["returned"])
    elif row["task"] == "task4":
        assert (tp, returned) == (official["correct"], official["total"])


@pytest.mark.skipif(not METHODS.exists(), reason="the reference documents are not here")
@pytest.mark.parametrize("row", [row for row in ROWS if row["task"] in GOLD and row["returned"]], ids=named)
def test_the_table_agrees_with_the_reference(row):
    task = METHODS.read_text().split(f"## Task {row['task'][-1]} ")[1].split("\n## ")[0]
    (line,) = [line for line in task.splitlines() if line.startswith(f"| {row['team']} |")]
    assert line.split("|")[2].startswith(f" {row['figure']} ({row['tp']}/{row['returned']}")


@pytest.mark.parametrize("row", RUNNABLE, ids=named)
def test_the_docstring_says_what_was_published_and_what_is_ours(row):
    said = ast.get_docstring(ast.parse(source(row))) or ""
    parts = re.findall(r"^(Published|Same|Differs|Ours|Run): ", said, flags=re.MULTILINE)
    assert parts == ["Published", "Same", "Differs", "Ours", "Run"]
    published = " ".join(said.split("\nSame:")[0].split())
    assert re.search(rf"(?<!\d)0?{re.escape(row['figure'])}(?!\d)", published)
    assert re.search(rf"\b{row['tp']} of {row['returned']}\b", published)
    assert f"python examples/systems/{named(row)}.py" in said


class Ran(NamedTuple):
    """What a system printed, the pipeline that it made, and the checkpoints that it named."""

    output: str
    pipeline: pt.Transformer
    checkpoints: set[str]
    others: list[str]


_RAN: dict[str, Ran] = {}


def ran(row: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Ran:
    """The system of a row, run once on the sample, as a script in this process."""
    missing = [name for extra in row["extras"].split() for name in MODULES[extra] if not importlib.util.find_spec(name)]
    if missing:
        pytest.skip(f"without {missing[0]}")
    if (name := named(row)) not in _RAN:
        made: list[pt.Transformer] = []
        others: list[str] = []
        models: list[Any] = []
        with pytest.MonkeyPatch.context() as patched:
            patched.syspath_prepend(str(SYSTEMS))
            import system

            original = system.Models
            patched.setattr(system, "Models", lambda chosen: models.append(original(chosen)) or models[-1])
            patched.setattr(system, "main", keeping(system.main, made, others))
            patched.setattr(sys, "argv", [f"{name}.py", "--model", "tiny"])
            runpy.run_path(str(SYSTEMS / f"{name}.py"), run_name="__main__")
        _RAN[name] = Ran(capsys.readouterr().out, made[0], set(models[0].asked), others)
    return _RAN[name]


def keeping(main: Any, made: list[pt.Transformer], names: list[str]) -> Any:
    """``main``, which puts the pipeline that it makes, and the names of the team's other runs, into lists."""

    def kept(task: str, team: str, pipeline: Any, *arguments: Any, **others: Any) -> None:
        def making(part: Any, models: Any) -> pt.Transformer:
            made.append(pipeline(part, models))
            return made[-1]

        names.extend(others.get("others", {}))
        main(task, team, making, *arguments, **others)

    return kept


def stages(node: Any, seen: set[int]) -> Iterator[Any]:
    """What a pipeline is made of: parts before what holds them, so in the order in which results pass."""
    if id(node) in seen and not isinstance(node, pt.Transformer):
        return
    seen.add(id(node))
    if isinstance(node, (list, tuple)):
        for part in node:
            yield from stages(part, seen)
    elif isinstance(node, dict):
        yield from stages(list(node.values()), seen)
    elif is_part(node):
        held = node.get_params() if hasattr(node, "get_params") else vars(node)
        for name, value in held.items():
            if name not in ("_memory", "_learned", "graph", "index", "model"):
                yield from stages(value, seen)
        yield node


def is_part(node: Any) -> bool:
    ours = (
        dataclasses.is_dataclass(node) and not isinstance(node, type) and type(node).__module__.startswith("ir_coliee")
    )
    return isinstance(node, pt.Transformer) or ours or hasattr(node, "get_params")


def value_of(node: Any, path: str) -> Any:
    """An attribute of a part, or of what an attribute holds; None where there is none."""
    for name in path.split("."):
        held = node if isinstance(node, dict) else node.get_params() if hasattr(node, "get_params") else None
        node = held.get(name) if held is not None else getattr(node, name, None)
    return node


@pytest.mark.parametrize("row", RUNNABLE, ids=named)
def test_the_system_prints_its_figures_and_the_published_ones(row, capsys):
    output = ran(row, capsys).output
    (own,) = [line for line in output.splitlines() if line.startswith("this pipeline on coliee/")]
    (published,) = [
        line
        for line in output.splitlines()
        if line.startswith(f"{row['team']} {row['run']}".strip() + ",")
        and line.split(", ")[1].startswith("on the test of 2023")
    ]
    assert own.split("/")[-3 if row["task"] in ("task3", "task4") else -2] == "sample"
    assert f"{float(row['figure']):.4f}" in published
    assert ("random weights" in output) == bool(row["extras"])


@pytest.mark.parametrize("row", RUNNABLE, ids=named)
def test_the_pipeline_has_the_published_stages_in_their_order(row, capsys):
    names = [type(node).__name__ for node in stages(ran(row, capsys).pipeline, set())]
    rest = iter(names)
    for wanted in row["stages"].split():
        assert any(name in wanted.split("/") for name in rest), f"{wanted} is not where it should be: {names}"


@pytest.mark.parametrize("row", [row for row in RUNNABLE if row["parameters"]], ids=named)
def test_the_pipeline_has_the_published_parameters(row, capsys):
    nodes = list(stages(ran(row, capsys).pipeline, set()))
    for wanted in row["parameters"].split():
        found = []
        for alternative in wanted.split("/"):
            (name, path), value = alternative.split("=")[0].split(".", 1), alternative.split("=", 1)[1]
            value = (
                value
                if value.isalnum() and not value.isdigit() and value not in ("True", "None")
                else ast.literal_eval(value)
            )
            found += [value_of(node, path) == value for node in nodes if type(node).__name__ == name]
        assert any(found), wanted


@pytest.mark.parametrize("row", [row for row in RUNNABLE if row["checkpoints"]], ids=named)
def test_the_system_names_the_published_checkpoints(row, capsys):
    assert set(row["checkpoints"].split()) <= ran(row, capsys).checkpoints


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dataset", "coliee/task1/simple/test"], "Unknown dataset id"),
        (["--dataset", "coliee/task2/sample/test"], "is no part of task1"),
        (["--dataset", "coliee/task1/2023/test"], "is not in"),
    ],
)
def test_a_dataset_that_cannot_be_scored_ends_with_a_message(arguments, message, capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(SYSTEMS))
    monkeypatch.setattr(sys, "argv", ["task1_iitdli.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SYSTEMS / "task1_iitdli.py"), run_name="__main__")
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_missing_library_ends_with_the_extra(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(SYSTEMS))
    monkeypatch.setitem(sys.modules, "pyterrier_t5", None)
    monkeypatch.setattr(sys, "argv", ["task2_captain.py"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SYSTEMS / "task2_captain.py"), run_name="__main__")
    assert ended.value.code == 2
    assert "pip install 'ir_coliee[systems]'" in capsys.readouterr().err


@pytest.mark.parametrize("row", [row for row in RUNNABLE if "others=" in source(row)], ids=named)
def test_other_runs_have_published_names(row, capsys):
    official = {found["run"] for found in official_board(2023, row["task"]).frame().to_dict("records")}
    others = ran(row, capsys).others
    assert others
    assert set(others) <= official
