"""The command baseline."""

import itertools
import json
import sys
from pathlib import Path

import pytest
from calls import RATIONALE, TASK2, TASK4, TEST_IDS, next_commands

from ir_coliee.baselines.recipes import BoostedLearner
from ir_coliee.synthetic import write_release


def official_figures(text):
    """The official figure of each run in the first table of a text."""
    lines = [line.split() for line in text.splitlines()]
    start = next(number for number, words in enumerate(lines) if words[:1] == ["run"])
    rows = itertools.takewhile(lambda words: len(words) > 4 and words[3] == "to", lines[start + 1 :])
    return {name.rpartition(".")[2]: float(figure) for name, figure, *_others in rows}


def next_of(dataset_id):
    """The commands that a baseline of this id names as next ones."""
    tune = ["tune"] if any(task in dataset_id for task in ("task1", "task2", "task3")) else []
    return [*tune, "score", "submit"]


NEXT = {dataset_id: next_of(dataset_id) for dataset_id in TEST_IDS}
NEXT |= {"coliee/task2/sample/train": ["tune", "score", "analyse"], "coliee/task3/sample/ja/r98": ["score", "analyse"]}


@pytest.mark.slow
@pytest.mark.parametrize(("dataset_id", "commands"), NEXT.items())
def test_the_files_of_a_baseline_have_its_figures_and_the_next_commands_work_as_printed(call, dataset_id, commands):
    if "task4" in dataset_id or "pilot" in dataset_id:
        pytest.importorskip("sklearn")
    finished = call("baseline", f"irds:{dataset_id}", "--verbose")
    assert finished.status == 0, finished.err
    assert all(f"\nfile: {path}\n" in finished.out for path in Path("coliee-runs").iterdir())
    official = official_figures(finished.out)
    assert all(0 < figure < 1 for figure in official.values())
    written = [Path("coliee-runs", f"{dataset_id.replace('/', '-')}.{tag}") for tag in official]
    for path in written:
        assert call("validate", dataset_id, path).out.startswith(f"{path}: accepted\n")
    assert official_figures(call("score", dataset_id, *written).out) == official
    printed = next_commands(finished.out)
    assert [command for command, *_ in printed] == commands
    for arguments in printed:
        assert call(*arguments).status == 0, arguments
    assert "submit" not in commands or [*Path("submission").rglob("*.*")]


def test_a_baseline_prints_few_lines_all_of_them_with_verbose_and_json_for_programs(call):
    short, full = call("baseline", TASK2, "--fast"), call("baseline", TASK2, "--fast", "--verbose")
    assert len(short.out.splitlines()) <= 9
    assert "bm25: cut-off" in full.out
    assert official_figures(short.out) == official_figures(full.out)
    found = json.loads(call("baseline", TASK2, "--fast", "--json").out)
    assert found["scores"]["bm25"]["figures"]["MicroF1"] == pytest.approx(official_figures(full.out)["bm25"], abs=5e-5)
    assert all(f"file: {path}" in full.out for path in found["files"]["bm25"].values())
    assert f"bm25: {found['notes']['bm25'][0]}" in full.out
    assert "optimistic" in call("baseline", "coliee/task2/sample/train", "--fast").out  # marked also in few lines


@pytest.mark.slow
@pytest.mark.parametrize(("dataset_id", "status"), [(TASK4, 0), (RATIONALE, 2)])
def test_without_scikit_learn_the_extra_is_named(call, dataset_id, status, monkeypatch):
    for name in ["sklearn", *sys.modules]:
        if name.partition(".")[0] == "sklearn":
            monkeypatch.setitem(sys.modules, name, None)
    finished = call("baseline", dataset_id)
    assert "Traceback" not in finished.err
    assert finished.status == status
    assert "pip install 'ir_coliee[learn]'" in finished.out + finished.err


@pytest.fixture
def quick_learners(monkeypatch):
    """Learners with few trees."""
    pytest.importorskip("lightgbm")
    for module in ("paragraphs", "articles"):
        name = f"ir_coliee.baselines.{module}.BoostedLearner"
        monkeypatch.setattr(name, lambda **_parameters: BoostedLearner(num_iterations=5, min_data_in_leaf=20))


@pytest.mark.slow
@pytest.mark.usefixtures("quick_learners")
def test_an_ablation_prints_each_family_and_writes_no_run(call):
    finished = call("baseline", TASK2, "--ablate")
    assert finished.status == 0, finished.err
    assert not Path("coliee-runs").exists()
    assert "features with the largest shares" in finished.out


@pytest.mark.slow
@pytest.mark.usefixtures("quick_learners")
def test_task_3_of_2026_is_scored_with_its_answers(call, tmp_path):
    write_release("coliee/task3/2026/ja", tmp_path / "copies", scale=0.01, seed=3, verbose=False)
    dataset_id = "coliee/task3/2026/ja/test"
    finished = call("baseline", dataset_id, "--verbose")
    assert finished.status == 0, finished.err
    assert "pass the answers" not in finished.out
    for words in ("of the statement alone", "answers right", "all relevant articles found"):
        assert words in finished.out
    printed = next_commands(finished.out)
    assert [command for command, *_ in printed] == ["tune", "score", "submit"]
    scored = [call(*arguments) for arguments in printed]
    assert [each.status for each in scored] == [0, 0, 0]
    tags = [*official_figures(finished.out)]
    assert tags == ["bm25", "learnedF2", "learned"]
    assert official_figures(scored[1].out) == official_figures(finished.out)
    names = {path.name for path in Path("submission").rglob("task3*")}
    assert names == {f"task3-IR.{tags[-1]}", f"task3-QA.{tags[-1]}"}
    for tag in tags:
        path = f"coliee-runs/coliee-task3-2026-ja-test.{tag}"
        assert call("validate", dataset_id, path).status == 0
        files = [path, "--answers", f"{path}.answers", "--tag", tag, "--out", f"mail-{tag}"]
        assert call("submit", dataset_id, *files).status == 0


def test_a_stopped_baseline_says_how_to_continue(call, monkeypatch):
    def stopped(_plan):
        raise KeyboardInterrupt

    monkeypatch.setattr("ir_coliee.baselines.Plan.run", stopped)
    finished = call("baseline", TASK2)
    assert finished.status == 130
    assert finished.err.splitlines()[-1] == "Finished stages are kept. Run the same command again to continue."
