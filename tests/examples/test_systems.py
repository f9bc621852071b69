"""The systems of 2023 in examples/systems: against what is published of them, and run on the sample.

`systems-2023.csv` is transcribed by hand, the best run of each team first, its other runs after it with their
``option``, the value of ``--run``; those without a figure are variants. ``stages`` are classes in the order in which
results pass them (alternatives with a slash), ``parameters`` the published values of attributes (with _ for a space),
or how many values they have, ``checkpoints`` the models that the source names.
"""

import ast
import csv
import dataclasses
import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyterrier as pt
import pytest
from system_scripts import SYSTEMS, as_script, run, status

if not SYSTEMS.is_dir():
    pytest.skip("the examples are in the repository alone", allow_module_level=True)

from ir_coliee import editions
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.leaderboards import official_leaderboard
from ir_coliee.evaluation.runs import stem

pytestmark = pytest.mark.slow

with (Path(__file__).parent / "systems-2023.csv").open(newline="") as file:
    ROWS = list(csv.DictReader(file))
RUNNABLE = [row for row in ROWS if row["stages"] and not row["option"]]
RUNS = [row for row in ROWS if row["stages"]]
FIGURE = {"task1": "MicroF1", "task2": "MicroF1", "task3": "MacroF2", "task4": "AnswerAccuracy"}
MODULES = {
    "ja": [],  # the Japanese checkpoints' tokenisers want it, the tiny ones do not
    "learn": ["lightgbm", "sklearn"],
    "llm": ["httpx2"],
    "neural": ["torch", "transformers", "sentence_transformers", "datasets", "accelerate"],
    "systems": ["bertopic"],
}


def named(row: dict[str, str]) -> str:
    return f"{row['task']}_{row['team'].lower()}"


#: The systems that take longest, a third of the time of all.
LONG = {"task1_ufam", "task2_captain", "task3_captain", "task3_nowj"}


def systems(rows: list[dict[str, str]]) -> pytest.MarkDecorator:
    """Tests of systems; other runs of a team, and LONG, are long."""

    def marks(row: dict[str, str]) -> list[pytest.MarkDecorator]:
        return [pytest.mark.long] if row["option"] or named(row) in LONG else []

    ids = ["-".join(filter(None, [named(row), row["option"]])) for row in rows]
    return pytest.mark.parametrize(
        "row", [pytest.param(row, id=name, marks=marks(row)) for name, row in zip(ids, rows)]
    )


def source(row: dict[str, str]) -> str:
    path = SYSTEMS / f"{named(row)}.py"
    return path.read_text() if path.exists() else ""


def test_every_row_has_its_file_and_every_file_its_row():
    assert {path.stem for path in SYSTEMS.glob("task*.py")} == {named(row) for row in RUNNABLE}


@systems([row for row in ROWS if row["figure"]])
def test_the_table_agrees_with_the_official_results(row):
    of_team = [found for found in official_rows(row) if found["team"] == row["team"]]
    official = next(found for found in of_team if found["run"] == row["run"])
    figure = FIGURE[row["task"]]
    assert official[figure] == float(row["figure"])
    if official.get("formal", "yes") == "yes" and not row["option"]:
        assert official[figure] == max(found[figure] for found in of_team if found.get("formal") != "no")


def official_rows(row: dict[str, str]) -> list[dict[str, Any]]:
    return official_leaderboard(2023, row["task"]).frame().to_dict("records")


class Ran(NamedTuple):
    """What a system printed, the pipeline that it made, and the checkpoints that it named."""

    output: str
    pipeline: pt.Transformer
    checkpoints: set[str]
    others: list[str]
    folder: Path


@pytest.fixture(autouse=True)
def working_folder(tmp_path, monkeypatch):
    """Systems write to coliee-runs in a new folder."""
    monkeypatch.chdir(tmp_path)


def skip_without_extras(row: dict[str, str]) -> None:
    missing = [name for extra in row["extras"].split() for name in MODULES[extra] if not importlib.util.find_spec(name)]
    if missing:
        pytest.skip(f"without {missing[0]}")


def ran(row: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Ran:
    """The system of a row, run on the sample as a script in this process."""
    skip_without_extras(row)
    name, option = named(row), row["option"]
    made: list[pt.Transformer] = []
    others: list[str] = []
    models: list[Any] = []
    arguments = ["--model", "tiny", *(["--run", option] if option else []), *english(row)]
    with as_script(name, *arguments) as patched:
        import system

        made_models = system._models
        patched.setattr(system, "_models", lambda *given: models.append(made_models(*given)) or models[-1])
        patched.setattr(system, "main", keeping(system.main, made, others))
        run(name)
    return Ran(capsys.readouterr().out, made[0], set(models[0].requested), others, Path.cwd())


def english(row: dict[str, str]) -> list[str]:
    """The dataset of a run in English; the other runs are in the language of the system's default."""
    language = [found.get("language") for found in official_rows(row) if row["option"] and found["run"] == row["run"]]
    return ["--dataset", "coliee/task4/sample/en/test"] if "E" in language else []


def keeping(main: Any, made: list[pt.Transformer], names: list[str]) -> Any:
    """``main``, which puts the pipeline that it makes, and the names of the team's other runs, into lists."""

    def kept(task: str, team: str, pipeline: Any, *arguments: Any, **others: Any) -> None:
        def making(pipeline: Any) -> Any:
            return lambda split, models: made.append(pipeline(split, models)) or made[-1]

        names.extend(others.get("others", {}))
        if others.get("others"):
            others["others"] = {name: making(other) for name, other in others["others"].items()}
        main(task, team, making(pipeline), *arguments, **others)

    return kept


def stages(node: Any, seen: set[int]) -> Iterator[Any]:
    """What a pipeline is made of: parts before what holds them, so in the order in which results pass."""
    if id(node) in seen and not isinstance(node, pt.Transformer):
        return
    seen.add(id(node))
    if isinstance(node, (list, tuple)):
        for split in node:
            yield from stages(split, seen)
    elif isinstance(node, dict):
        yield from stages(list(node.values()), seen)
    elif is_part(node):
        held = node.get_params() if hasattr(node, "get_params") else vars(node)
        for name, value in held.items():
            if name not in ("_cache", "_fitted_model", "graph", "index", "model", "embedder"):
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


@systems(RUNS)
def test_the_system_is_the_published_one_and_writes_a_valid_run(row, capsys):
    found = ran(row, capsys)
    nodes = list(stages(found.pipeline, set()))
    check_output(row, found.output)
    check_stages(row, [type(node).__name__ for node in nodes])
    check_parameters(row, nodes)
    assert set(row["checkpoints"].split()) <= found.checkpoints
    check_files(row, found.folder)
    if "others=" in source(row):
        check_other_runs(row, found.others)


def check_output(row: dict[str, str], output: str) -> None:
    (best,) = [row] if row["figure"] else [best for best in RUNNABLE if named(best) == named(row)]
    lines = output.splitlines()
    (own,) = [line for line in lines if line.startswith("this pipeline on coliee/")]
    beginning = f"{best['team']} {best['run']}".strip() + ", on the test of 2023"
    (published,) = [line for line in lines if line.startswith(beginning)]
    assert own.split("/")[-3 if row["task"] in ("task3", "task4") else -2] == "sample"
    assert f"{float(best['figure']):.4f}" in published
    assert ("random weights" in output) == bool(row["extras"])


def check_stages(row: dict[str, str], names: list[str]) -> None:
    """The published stages are in their order."""
    rest = iter(names)
    for wanted in row["stages"].split():
        assert any(name in wanted.split("/") for name in rest), f"{wanted} is not where it should be: {names}"


def check_parameters(row: dict[str, str], nodes: list[Any]) -> None:
    for wanted in row["parameters"].split():
        found = []
        for alternative in wanted.split("/"):
            name, path, relation, value = re.fullmatch(r"(\w+)\.([\w.]+)(=|>=)(.+)", alternative).groups()
            values = [value_of(node, path) for node in nodes if type(node).__name__ == name]
            found.append(len(set(values)) >= int(value) if relation == ">=" else literal(value) in values)
        assert any(found), wanted


def literal(value: str) -> Any:
    try:
        return ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return value.replace("_", " ")


def check_files(row: dict[str, str], folder: Path) -> None:
    """The system wrote a valid run with its settings and figures."""
    (path,) = folder.glob("coliee-runs/*/settings.json")
    settings = json.loads(path.read_text())
    split = editions.split(settings["dataset"])
    (written,) = [path for path in path.parent.glob(f"{stem(split)}.*") if path.name.count(".") == 1]
    assert [finding for finding in validate(split, written) if finding.level == "error"] == []
    assert settings["system"] == f"{row['task']} {row['team']}"
    assert json.loads(written.with_name(f"{written.name}.figures.json").read_text())


def check_other_runs(row: dict[str, str], names: list[str]) -> None:
    """The other runs of a team have published names unless they are variants."""
    official = {found["run"] for found in official_rows(row)}
    others = [other for other in RUNS if other["option"] and named(other) == named(row)]
    assert names == [other["option"] for other in others]
    for other in others:
        assert (other["option"] in official) == bool(other["figure"])
        assert other["run"] == (other["option"] if other["figure"] else "")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("task2_iitdli", ["--model", "none/such"], "Give one for each kind: --model causal=NAME --model seq2seq=NAME"),
        ("task2_thuir", ["--model", "t5=none/such"], "t5 is not a kind of model"),
        ("task2_thuir", ["--model", "seq2seq=a", "--model", "seq2seq=b"], "given more than once"),
        ("task2_thuir", ["--model", "seq2seq="], "the name is missing"),
        ("task1_iitdli", ["--out", "file"], "cannot be written"),
        ("task1_iitdli", ["--device", "abacus"], "Give another device"),
        ("task1_iitdli", ["--batch-size", "0"], "usage:"),
        ("task1_iitdli", ["--dtype", "int8"], "usage:"),
        ("task1_iitdli", ["--dataset", "coliee/task1/simple/test"], "Unknown dataset id"),
        ("task1_iitdli", ["--dataset", "coliee/task2/sample/test"], "is not a split of task1"),
        ("task1_iitdli", ["--dataset", "coliee/task1/2023/test"], "was not found"),
    ],
)
def test_a_wrong_argument_ends_before_work_begins(name, arguments, message, tmp_path, capsys):
    if "--model" in arguments or "--device" in arguments:
        skip_without_extras({"extras": "neural llm"})
    (tmp_path / "file").write_text("")
    assert status(name, *arguments) == 2
    assert message in capsys.readouterr().err


def test_models_are_chosen_by_kind(capsys):
    skip_without_extras({"extras": "neural"})
    with as_script("task4_ua"):
        import system

        def models(*given):
            return system.Models(*system.parse_checkpoints([*given]))

        mixed = models("tiny", "entailment=own/nli")
        assert mixed.entailment("published") == "own/nli"
        assert (mixed.tiny("entailment"), mixed.tiny("encoder")) == (False, True)
        assert models("own/nli").entailment("published") == "own/nli"
        one, rest = models("seq2seq=own/t5", "own/nli"), models("seq2seq=own/t5")
        assert (one.seq2seq("published"), one.entailment("other")) == ("own/t5", "own/nli")
        assert (rest.seq2seq("published"), rest.entailment("other")) == ("own/t5", "other")


def test_a_missing_library_ends_with_the_extra(capsys):
    with as_script("task1_ufam") as patched:
        patched.setitem(sys.modules, "bertopic", None)
        with pytest.raises(SystemExit) as ended:
            run("task1_ufam")
    assert ended.value.code == 2
    assert "pip install 'ir_coliee[systems]'" in capsys.readouterr().err
