"""The command baseline."""

import itertools
import json
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest
from calls import RATIONALE, TASK2, TASK4, TEST_IDS, refused, saved

from ir_coliee.baselines.recipes import BoostedLearner
from ir_coliee.synthetic import write_release


def official_figures(text):
    """The official figure of each run in the first table of a text."""
    lines = [line.split() for line in text.splitlines()]
    start = next(number for number, words in enumerate(lines) if words[:1] == ["run"])
    rows = itertools.takewhile(lambda words: len(words) > 4 and words[3] == "to", lines[start + 1 :])
    return {name.rpartition(".")[2]: float(figure) for name, figure, *_others in rows}


SLOW = [pytest.param([dataset_id], marks=pytest.mark.slow) for dataset_id in TEST_IDS]


@pytest.mark.parametrize("arguments", [["irds:coliee/task2/sample/test", "--fast"], *SLOW])
def test_the_files_of_a_baseline_are_accepted_and_have_its_figures(call, arguments):
    dataset_id = arguments[0].removeprefix("irds:")
    if not dataset_id.startswith(("coliee/task1", "coliee/task2", "coliee/task3")):
        pytest.importorskip("sklearn")
    finished = call("baseline", *arguments, "--verbose")
    assert finished.status == 0, finished.err
    for path in Path("coliee-runs").iterdir():
        assert f"\nfile: {path}\n" in finished.out
    official = official_figures(finished.out)
    assert all(0 < figure < 1 for figure in official.values())
    written = [Path("coliee-runs", f"{dataset_id.replace('/', '-')}.{tag}") for tag in official]
    for path in written:
        assert call("validate", dataset_id, path).out.startswith(f"{path}: accepted\n")
    assert official_figures(call("score", dataset_id, *written).out) == official


@pytest.mark.slow
def test_a_baseline_prints_few_lines_all_of_them_with_verbose_and_json_for_programs(call):
    short, full = call("baseline", TASK2, "--fast"), call("baseline", TASK2, "--fast", "--verbose")
    assert len(short.out.splitlines()) <= 9
    assert "bm25: cut-off" in full.out
    assert official_figures(short.out) == official_figures(full.out)
    found = json.loads(call("baseline", TASK2, "--fast", "--json").out)
    assert found["scores"]["bm25"]["figures"]["MicroF1"] == pytest.approx(official_figures(full.out)["bm25"], abs=5e-5)
    assert all(f"file: {path}" in full.out for path in found["files"]["bm25"].values())
    assert f"bm25: {found['notes']['bm25'][0]}" in full.out


def test_a_figure_that_is_optimistic_is_marked_also_in_few_lines(call):
    assert "optimistic" in call("baseline", "coliee/task2/sample/train", "--fast").out


def never(*_arguments):
    raise AssertionError("computed for nothing")


@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
@pytest.mark.parametrize("out", ["taken", "taken/deeper"])
def test_an_output_folder_that_cannot_be_made_is_refused_before_anything_is_computed(call, monkeypatch, out, overwrite):
    saved("taken", "a file where a folder should be\n")
    monkeypatch.setattr("ir_coliee.baselines.Plan.run", never)
    assert "taken is not a folder" in refused(call("baseline", TASK2, "--out", out, *overwrite))
    assert Path("taken").read_text() == "a file where a folder should be\n"


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


# --- recipes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([RATIONALE, "--fast"], "has no recipe to leave out.\nOmit --fast."),
        (
            ["coliee/task3/sample/en/test", "--ablate"],
            "nothing to ablate.\nthe run learned was left out: coliee/task3/sample/en/train has only one exam year",
        ),
        ([TASK2, "--no-pool-features"], f"--no-pool-features has no effect on the runs of {TASK2}."),
        (
            ["coliee/pilot/sample/prediction/test", "--ablate"],
            "there is nothing to ablate.\nThis baseline has no recipe.",
        ),
        ([TASK2, "--ablate", "--fast"], "there is nothing to ablate.\nOmit --fast."),
        ([TASK2, "--train", "all-but"], f"--train all-but is for an exam year of a train split; {TASK2} is none."),
    ],
)
def test_a_choice_that_a_task_does_not_have_is_refused(call, monkeypatch, arguments, complaint):
    monkeypatch.setattr("ir_coliee.baselines.Plan.run", never)
    assert complaint in refused(call("baseline", *arguments))
    assert not Path("coliee-runs").exists()


@pytest.mark.slow
def test_an_ablation_prints_each_family_and_writes_no_run(call, monkeypatch):
    pytest.importorskip("lightgbm")
    quick = partial(BoostedLearner, num_iterations=5, min_data_in_leaf=20)
    monkeypatch.setattr("ir_coliee.baselines.paragraphs.BoostedLearner", lambda **_parameters: quick())
    finished = call("baseline", TASK2, "--ablate")
    assert finished.status == 0, finished.err
    assert not Path("coliee-runs").exists()
    assert "features with the largest shares" in finished.out


# --- where the next step begins --------------------------------------------------------------------


def next_commands(text):
    """The printed commands, as lists of arguments."""
    return [shlex.split(line.removeprefix("next: "))[1:] for line in text.splitlines() if line.startswith("next: ")]


NEXT = {
    "coliee/task1/sample/test": ["tune", "score", "submit"],
    "coliee/task2/sample/test": ["tune", "score", "submit"],
    "coliee/task2/sample/train": ["tune", "score", "analyse"],
    "coliee/task3/sample/ja/test": ["tune", "score", "submit"],
    "coliee/task3/sample/ja/r98": ["score", "analyse"],
    "coliee/task4/sample/en/test": ["score", "submit"],
    "coliee/pilot/sample/prediction/test": ["score", "submit"],
    "coliee/pilot/sample/rationale/test": ["score", "submit"],
}


@pytest.mark.slow
@pytest.mark.parametrize(("dataset_id", "commands"), NEXT.items())
def test_the_printed_next_commands_work_as_printed(call, dataset_id, commands):
    finished = call("baseline", dataset_id)
    printed = next_commands(finished.out)
    assert [command for command, *_ in printed] == commands
    for arguments in printed:
        assert call(*arguments).status == 0, arguments
    if "submit" in commands:
        assert len([*Path("submission").rglob("*.*")]) >= 1


@pytest.fixture
def statutes_of_2026(tmp_path, monkeypatch):
    """A synthetic release of 2026, whose task 3 asks for answers Y and N."""
    write_release("coliee/task3/2026/ja", tmp_path / "copies", scale=0.01, seed=3, verbose=False)
    return tmp_path / "copies"


@pytest.mark.slow
@pytest.mark.parametrize(("options", "tags"), [(["--fast"], ["bm25"]), ([], ["bm25", "learnedF2", "learned"])])
def test_task_3_of_2026_is_scored_with_its_answers(call, statutes_of_2026, options, tags):
    if not options:
        pytest.importorskip("lightgbm")
    finished = call("baseline", "coliee/task3/2026/ja/test", "--verbose", *options)
    assert finished.status == 0, finished.err
    assert "pass the answers" not in finished.out
    assert "of the statement alone" in finished.out
    assert "answers right" in finished.out
    assert "all relevant articles found" in finished.out
    printed = next_commands(finished.out)
    assert [command for command, *_ in printed] == ["tune", "score", "submit"]
    scored = [call(*arguments) for arguments in printed]
    assert [each.status for each in scored] == [0, 0, 0]
    assert [*official_figures(finished.out)] == tags
    assert official_figures(scored[1].out) == official_figures(finished.out)
    names = {path.name for path in Path("submission").rglob("task3*")}
    assert names == {f"task3-IR.{tags[-1]}", f"task3-QA.{tags[-1]}"}
    for tag in tags:
        path = f"coliee-runs/coliee-task3-2026-ja-test.{tag}"
        assert call("validate", "coliee/task3/2026/ja/test", path).status == 0
        files = [path, "--answers", f"{path}.answers", "--tag", tag, "--out", f"mail-{tag}"]
        assert call("submit", "coliee/task3/2026/ja/test", *files).status == 0


def test_a_stopped_baseline_says_how_to_continue(call, monkeypatch):
    def stopped(_plan):
        raise KeyboardInterrupt

    monkeypatch.setattr("ir_coliee.baselines.Plan.run", stopped)
    finished = call("baseline", TASK2)
    assert finished.status == 130
    assert finished.err.splitlines()[-1] == "Finished stages are kept. Run the same command again to continue."
