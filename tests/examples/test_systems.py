"""The systems of 2023 in examples/systems: against what methods-2023.md says of them, and run on the sample.

`systems-2023.csv` is transcribed by hand, the best run of each team first, its other runs after it with their
``option``, the value of ``--run``; those without a figure are variants. ``stages`` are classes in the order in which
results pass them (alternatives with a slash), ``parameters`` the published values of attributes (with _ for a space),
or how many values they have, ``checkpoints`` the models that the source names. ``learned``: how many models of a class
are fitted, and whether on more or fewer examples than the train part has (``>gold``, ``<gold``). ``searched``: from
where to where a search goes, or that it tries several values; of cut-offs and filters by attribute, ``weights`` by
their place in a sum.
"""

import ast
import csv
import dataclasses
import functools
import importlib.util
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ir_datasets
import pyterrier as pt
import pytest
from system_scripts import SYSTEMS, as_script, run

if not SYSTEMS.is_dir():
    pytest.skip("the examples are in the repository alone", allow_module_level=True)
from components.encoded_pairs import EncodedPairs

from ir_coliee import editions
from ir_coliee import transformers as coliee
from ir_coliee.evaluation import cutoffs as cutoff_search
from ir_coliee.evaluation import fusion as weight_search
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.leaderboards import official_leaderboard, round_half_up
from ir_coliee.evaluation.runs import stem
from ir_coliee.models import Embedder

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
METHODS = ROOT / ".." / "shared" / "reference" / "methods-2023.md"
with (Path(__file__).parent / "systems-2023.csv").open(newline="") as file:
    ROWS = list(csv.DictReader(file))
RUNNABLE = [row for row in ROWS if row["stages"] and not row["option"]]
RUNS = [row for row in ROWS if row["stages"]]
GOLD = {"task1": 859, "task2": 120}
LANGUAGE = {"task3": "en/", "task4": "ja/"}  # the parts of either have the same questions
FIGURE = {"task1": "f1", "task2": "f1", "task3": "f2", "task4": "accuracy"}
MODULES = {
    "ja": [],  # the Japanese checkpoints' tokenisers want it, the tiny ones do not
    "learn": ["lightgbm", "sklearn"],
    "llm": ["openai"],
    "neural": ["torch", "transformers", "sentence_transformers", "datasets", "accelerate"],
    "systems": ["bertopic"],
}


def named(row: dict[str, str]) -> str:
    return f"{row['task']}_{row['team'].lower()}"


#: The systems that take longest, a third of the time of all.
LONG = {"task1_ufam", "task2_captain", "task3_captain", "task3_nowj"}


def systems(rows: list[dict[str, str]]) -> pytest.MarkDecorator:
    """Tests of one system go to one process, where it runs once; other runs of a team, and LONG, are long."""

    def marks(row: dict[str, str]) -> list[pytest.MarkDecorator]:
        is_long = row["option"] or named(row) in LONG
        return [pytest.mark.xdist_group(named(row)), *([pytest.mark.long] if is_long else [])]

    ids = ["-".join(filter(None, [named(row), row["option"]])) for row in rows]
    return pytest.mark.parametrize(
        "row", [pytest.param(row, id=name, marks=marks(row)) for name, row in zip(ids, rows)]
    )


def source(row: dict[str, str]) -> str:
    path = SYSTEMS / f"{named(row)}.py"
    return path.read_text() if path.exists() else ""


def test_there_are_27_systems_and_three_without_a_paper():
    assert len(RUNNABLE) == 27
    assert len(RUNS) > 45
    assert [named(row) for row in ROWS if not row["stages"]] == ["task1_yr", "task1_llntu", "task2_llntu"]


def test_every_row_has_its_file_and_every_file_its_row():
    assert {path.stem for path in SYSTEMS.glob("task*.py")} == {named(row) for row in RUNNABLE}


@systems([row for row in ROWS if row["figure"]])
def test_the_table_agrees_with_the_official_results(row):
    rows = official_leaderboard(2023, row["task"]).frame().to_dict("records")
    of_team = [found for found in rows if found["team"] == row["team"]]
    (official,) = [found for found in of_team if found["run"] == row["run"]][:1]
    figure = FIGURE[row["task"]]
    assert official[figure] == float(row["figure"])
    if official.get("formal", "yes") == "yes" and not row["option"]:
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
@systems([row for row in ROWS if row["task"] in GOLD and row["returned"] and not row["option"]])
def test_the_table_agrees_with_the_reference(row):
    task = METHODS.read_text().split(f"## Task {row['task'][-1]} ")[1].split("\n## ")[0]
    (line,) = [line for line in task.splitlines() if line.startswith(f"| {row['team']} |")]
    assert line.split("|")[2].startswith(f" {row['figure']} ({row['tp']}/{row['returned']}")


@systems([row for row in RUNS if row["figure"]])
def test_the_docstring_says_what_was_published_and_what_is_ours(row):
    said = ast.get_docstring(ast.parse(source(row))) or ""
    splits = re.findall(r"^(Published|Same|Differs|Ours|Run): ", said, flags=re.MULTILINE)
    assert splits == ["Published", "Same", "Differs", "Ours", "Run"]
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
    learned: dict[str, list[int]]  # of each class the examples of each fit
    searched: dict[str, set[Any]]  # what was tried
    folder: Path


_RAN: dict[tuple[str, str], Ran] = {}


@pytest.fixture(autouse=True)
def working_folder(tmp_path, monkeypatch):
    """Systems write to coliee-runs in a new folder."""
    monkeypatch.chdir(tmp_path)


def skip_without_extras(row: dict[str, str]) -> None:
    missing = [name for extra in row["extras"].split() for name in MODULES[extra] if not importlib.util.find_spec(name)]
    if missing:
        pytest.skip(f"without {missing[0]}")


def ran(row: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Ran:
    """The system of a row, run once on the sample, as a script in this process."""
    skip_without_extras(row)
    name, option = named(row), row["option"]
    if (name, option) not in _RAN:
        made: list[pt.Transformer] = []
        others: list[str] = []
        models: list[Any] = []
        arguments = ["--model", "tiny", *(["--run", option] if option else []), *english(row)]
        with as_script(name, *arguments) as patched:
            learned, searched = recorded(patched)
            import system

            made_models = system._models
            patched.setattr(system, "_models", lambda *given: models.append(made_models(*given)) or models[-1])
            patched.setattr(system, "main", keeping(system.main, made, others))
            run(name)
        checkpoints = set(models[0].requested)
        _RAN[name, option] = Ran(capsys.readouterr().out, made[0], checkpoints, others, learned, searched, Path.cwd())
    return _RAN[name, option]


def english(row: dict[str, str]) -> list[str]:
    """The dataset of a run in English; the other runs are in the language of the system's default."""
    rows = official_leaderboard(2023, row["task"]).frame().to_dict("records")
    language = [found.get("language") for found in rows if row["option"] and found["run"] == row["run"]]
    return ["--dataset", "coliee/task4/sample/en/test"] if "E" in language else []


def recorded(patched: pytest.MonkeyPatch) -> tuple[dict[str, list[int]], dict[str, set[Any]]]:
    """What is learned and what is searched from now on; see `Ran`."""
    learned: dict[str, list[int]] = defaultdict(list)
    searched: dict[str, set[Any]] = defaultdict(set)

    def before(holder: Any, name: str, note: Callable[..., object]) -> None:
        original = getattr(holder, name)

        @functools.wraps(original)
        def noting(*arguments: Any, **named: Any) -> Any:
            # what can be gone through once is gone through here
            arguments = tuple(list(given) if isinstance(given, Iterator) else given for given in arguments)
            named = {key: list(given) if isinstance(given, Iterator) else given for key, given in named.items()}
            note(*arguments, **named)
            return original(*arguments, **named)

        patched.setattr(holder, name, noting)

    def fitted(estimator: Any, rows: Any, *_: Any) -> None:
        learned[type(estimator).__name__].append(rows["qid"].nunique())

    def attributes(*nodes: Any) -> None:
        for node in nodes:
            for name, value in vars(node).items():
                searched[f"{type(node).__name__}.{name}"].add(value)

    def weighed(runs: Any, *_: Any, weights: Any = None, cutoffs: Any = None, **__: Any) -> None:
        attributes(*cutoffs or ())
        for each in weights or weight_search.weight_grid(len(runs)):
            for place, weight in enumerate(each):
                searched[f"weights.{place}"].add(weight)

    for estimator in (
        coliee.PairScorer,
        coliee.MonoT5,
        coliee.EntailmentClassifier,
        coliee.LearnedRanker,
        EncodedPairs,
    ):
        before(estimator, "fit", fitted)
    before(cutoff_search, "fit_cutoff", lambda run, qrels, measure, cutoffs: attributes(*cutoffs))
    before(coliee.Entailment, "__init__", lambda _, model, template="", **__: searched["templates"].add(template))
    before(coliee.TopicFilter, "__init__", lambda _, topics, k, *__: searched["TopicFilter.k"].add(k))
    before(weight_search, "search_weights", weighed)
    before(Embedder, "fit", lambda own, examples, *_, **__: learned["Embedder"].append(len(examples)))
    return learned, searched


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
def test_the_system_prints_its_figures_and_the_published_ones(row, capsys):
    output = ran(row, capsys).output
    random = bool(row["extras"])
    if not row["figure"]:  # a variant: beside the team's best
        (row,) = [best for best in RUNNABLE if named(best) == named(row)]
    (own,) = [line for line in output.splitlines() if line.startswith("this pipeline on coliee/")]
    (published,) = [
        line
        for line in output.splitlines()
        if line.startswith(f"{row['team']} {row['run']}".strip() + ",")
        and line.split(", ")[1].startswith("on the test of 2023")
    ]
    assert own.split("/")[-3 if row["task"] in ("task3", "task4") else -2] == "sample"
    assert f"{float(row['figure']):.4f}" in published
    assert ("random weights" in output) == random


@systems(RUNS)
def test_the_pipeline_has_the_published_stages_in_their_order(row, capsys):
    names = [type(node).__name__ for node in stages(ran(row, capsys).pipeline, set())]
    rest = iter(names)
    for wanted in row["stages"].split():
        assert any(name in wanted.split("/") for name in rest), f"{wanted} is not where it should be: {names}"


@systems([row for row in RUNS if row["parameters"]])
def test_the_pipeline_has_the_published_parameters(row, capsys):
    nodes = list(stages(ran(row, capsys).pipeline, set()))
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


@systems([row for row in RUNS if row["checkpoints"]])
def test_the_system_names_the_published_checkpoints(row, capsys):
    assert set(row["checkpoints"].split()) <= ran(row, capsys).checkpoints


@systems([row for row in RUNS if row["learned"]])
def test_the_system_learns_what_is_published(row, capsys):
    learned = ran(row, capsys).learned
    train = editions.split(f"coliee/{row['task']}/sample/{LANGUAGE.get(row['task'], '')}train")
    gold = sum(1 for _ in ir_datasets.load(train.id).qrels_iter())
    for wanted in row["learned"].split():
        name, relation, number = re.fullmatch(r"(\w+)(=|>=|>|<)(\w+)", wanted).groups()
        fits = learned.get(name, [])
        if number == "gold":
            fewest = min(fits, default=0)
            assert 0 < fewest < gold if relation == "<" else fewest > gold, f"{wanted}: {fits} of {gold}"
        else:
            assert len(fits) == int(number) or (relation == ">=" and len(fits) > int(number)), f"{wanted}: {fits}"


@systems([row for row in RUNS if row["searched"]])
def test_the_system_searches_where_it_is_published(row, capsys):
    searched = ran(row, capsys).searched
    for wanted in row["searched"].split():
        name, relation, value = re.fullmatch(r"([\w.]+)(=|>=)(.+)", wanted).groups()
        tried = searched.get(name, set())
        if relation == ">=":
            assert len(tried) >= int(value), f"{wanted}: {tried}"
        else:
            assert (min(tried), max(tried)) == pytest.approx(tuple(map(float, value.split("..")))), wanted


def valid_run(folder: Path) -> tuple[Path, Path]:
    """The run that a system wrote below a folder, and its settings; the run is valid."""
    (settings,) = folder.glob("coliee-runs/*/settings.json")
    split = editions.split(json.loads(settings.read_text())["dataset"])
    (run,) = [path for path in settings.parent.glob(f"{stem(split)}.*") if path.name.count(".") == 1]
    assert [finding for finding in validate(split, run) if finding.level == "error"] == []
    return run, settings


@systems(RUNS)
def test_the_system_writes_a_valid_run_with_settings(row, capsys):
    run, settings = valid_run(ran(row, capsys).folder)
    assert json.loads(settings.read_text())["system"] == f"{row['task']} {row['team']}"
    assert json.loads(run.with_name(f"{run.name}.figures.json").read_text())


def test_the_runs_of_the_files_are_those_of_the_table():
    options = {named(row): [other["option"] for other in RUNS if named(other) == named(row)][1:] for row in RUNNABLE}
    assert {*filter(options.get, options)} == {named(row) for row in RUNNABLE if "others=" in source(row)}


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("task2_iitdli", ["none/such"], "Give one for each kind: --model causal=NAME --model seq2seq=NAME"),
        ("task3_captain", ["none/such"], "Give one for each kind: --model classifier=NAME --model seq2seq=NAME"),
        ("task4_captain", ["none/such"], "Give one for each kind: --model entailment=NAME --model seq2seq=NAME"),
        ("task2_thuir", ["t5=none/such"], "t5 is not a kind of model"),
        ("task2_thuir", ["seq2seq=a", "seq2seq=b"], "given more than once"),
        ("task2_thuir", ["seq2seq="], "the name is missing"),
    ],
)
def test_a_model_that_cannot_take_its_place_ends_with_a_message(name, arguments, message, capsys):
    skip_without_extras({"extras": "neural llm"})
    words = [word for each in arguments for word in ("--model", each)]
    with as_script(name, *words), pytest.raises(SystemExit) as ended:
        run(name)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_models_are_chosen_by_kind(capsys):
    skip_without_extras({"extras": "neural"})
    with as_script("task4_ua"):
        import system

        models = system.Models(*system.parse_checkpoints(["tiny", "entailment=own/nli"]))
        assert models.entailment("published") == "own/nli"
        assert (models.tiny("entailment"), models.tiny("encoder")) == (False, True)
        assert system.Models(*system.parse_checkpoints(["own/nli"])).entailment("published") == "own/nli"
        one, rest = (
            system.Models(*system.parse_checkpoints(["seq2seq=own/t5", "own/nli"])),
            system.Models(*system.parse_checkpoints(["seq2seq=own/t5"])),
        )
        assert (one.seq2seq("published"), one.entailment("other")) == ("own/t5", "own/nli")
        assert (rest.seq2seq("published"), rest.entailment("other")) == ("own/t5", "other")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dataset", "coliee/task1/simple/test"], "Unknown dataset id"),
        (["--dataset", "coliee/task2/sample/test"], "is not a split of task1"),
        (["--dataset", "coliee/task1/2023/test"], "was not found"),
    ],
)
def test_a_dataset_that_cannot_be_scored_ends_with_a_message(arguments, message, capsys):
    with as_script("task1_iitdli", *arguments), pytest.raises(SystemExit) as ended:
        run("task1_iitdli")
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_missing_library_ends_with_the_extra(capsys):
    with as_script("task1_ufam") as patched:
        patched.setitem(sys.modules, "bertopic", None)
        with pytest.raises(SystemExit) as ended:
            run("task1_ufam")
    assert ended.value.code == 2
    assert "pip install 'ir_coliee[systems]'" in capsys.readouterr().err


@systems([row for row in RUNNABLE if "others=" in source(row)])
def test_other_runs_have_published_names_unless_they_are_variants(row, capsys):
    official = {found["run"] for found in official_leaderboard(2023, row["task"]).frame().to_dict("records")}
    others = [other for other in RUNS if other["option"] and named(other) == named(row)]
    assert ran(row, capsys).others == [other["option"] for other in others]
    for other in others:
        assert (other["option"] in official) == bool(other["figure"])
        assert other["run"] == (other["option"] if other["figure"] else "")
