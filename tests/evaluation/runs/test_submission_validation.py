"""What shows only across the files of a submission."""

import os
from dataclasses import replace
from pathlib import Path

import ir_datasets
import pytest

from ir_coliee.editions import SPLITS, split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.checks import validate
from ir_coliee.evaluation.gold import query_ids
from ir_coliee.evaluation.runs import answers_split
from ir_coliee.evaluation.submission import files_of_folder, validate_submission
from ir_coliee.synthetic import write_release

TASK1 = split("coliee/task1/sample/test")
TASK3 = split("coliee/task3/sample/en/test")
TASK4 = split("coliee/task4/2025/en/test")
PREDICTION = split("coliee/pilot/sample/prediction/test")


def run(folder, name, tag, lines="900656 900557 {tag}\n"):
    path = folder / name
    path.write_text(lines.format(tag=tag))
    return path


def articles(folder, name, tag, number=2):
    docs = [doc.doc_id for doc in ir_datasets.load(TASK3.id).docs_iter()][:number]
    lines = "".join(f"R99-01-A Q0 {doc} {n} {-n}.0 {tag}\n" for n, doc in enumerate(docs, start=1))
    return run(folder, name, tag, lines)


def described(folder, task, *tags):
    blocks = (f"Task: {task}\nRun tag: {tag}\nExternal resources: none\n" for tag in tags)
    (folder / "SystemDescription.txt").write_text("\n".join(blocks))


def of_group(split, runs, long_lists=(), answers=()):
    found = validate_submission(split, {"run": runs, "long": long_lists, "answers": answers})
    return [finding for path, finding in found if path is None]


def found(*arguments, **files):
    return [(f.level, f.message) for f in of_group(*arguments, **files) if f.level != "note"]


def test_a_described_run_has_notes_alone_and_the_rules_come_last(tmp_path):
    described(tmp_path, "1", "one")
    findings = of_group(TASK1, [run(tmp_path, "a", "one")])
    assert [f.message for f in findings] == list(TASK1.submission.rules)
    assert {f.level for f in findings} == {"note"}


def test_a_fourth_run_is_a_warning(tmp_path):
    tags = ["one", "two", "three", "four"]
    described(tmp_path, "1", *tags)
    runs = [run(tmp_path, tag, tag) for tag in tags]
    assert found(TASK1, runs[:3]) == []
    ((level, message),) = found(TASK1, runs)
    assert level == "warning"
    assert message.startswith("4 runs")


def test_equal_tags_are_an_error_that_names_the_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # long paths are shortened
    here = Path()
    described(here, "1", "one", "two")
    runs = [run(here, "a", "one"), run(here, "b", "two"), run(here, "c", "one")]
    ((level, message),) = found(TASK1, runs)
    assert level == "error"
    assert ": a, c" in message


def test_an_answer_set_wants_its_long_list_and_the_reverse(tmp_path):
    described(tmp_path, "3", "one", "two")
    one, two = articles(tmp_path, "task3.one", "one"), articles(tmp_path, "task3.two", "two")
    long = articles(tmp_path, "task3-L.one", "one", 9)
    assert found(TASK3, [one], long_lists=[long]) == []
    ((level, message),) = found(TASK3, [one])
    assert level == "warning"
    assert "the long list with the tag 'one' is missing" in message
    assert "task3-L.one" in message
    ((level, message),) = found(TASK3, [one, two], long_lists=[long])
    assert level == "error"
    assert "'two'" in message
    ((level, message),) = found(TASK3, [one], long_lists=[long, articles(tmp_path, "task3-L.two", "two", 9)])
    assert (level, message.split(": ")[1]) == ("error", "no run has the tag 'two' of this long list")


def test_a_task_without_a_long_list_or_answers_is_told(tmp_path):
    described(tmp_path, "1", "one")
    one = run(tmp_path, "a", "one")
    assert found(TASK1, [one], long_lists=[one]) == [
        ("error", f"{TASK1.id} has no long list; omit --long-list (long_list=)")
    ]
    assert found(TASK1, [one], answers=[one]) == [
        ("error", f"{TASK1.id} has no file of answers; omit --answers (answers=)")
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "the system description "),
        ("", "no block of task1, run tag one"),
        ("Task: 2\nRun tag: one\n", "no block of task1, run tag one"),
        ("Task: 1\nRun tag: two\n", "no block of task1, run tag one"),
        ("Task: 1\nRun tag: one\nExternal resources:\n", "fields to be filled in: External resources:"),
    ],
)
def test_an_absent_or_incomplete_description_is_a_warning(tmp_path, text, words):
    if text is not None:
        (tmp_path / "SystemDescription.txt").write_text(text)
    ((level, message),) = found(TASK1, [run(tmp_path, "a", "one")])
    assert level == "warning"
    assert words in message


def test_a_description_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "SystemDescription.txt").mkdir()
    ((level, message),) = found(TASK1, [run(tmp_path, "a", "one")])
    assert level == "error"
    assert "SystemDescription.txt: " in message


@pytest.fixture
def task4(tmp_path, monkeypatch):
    write_release("coliee/task4/2025/en", tmp_path / "copy", scale=0.01)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "copy"))


@pytest.mark.usefixtures("task4")
def test_runs_of_reference_years_are_asked_for_by_a_note(tmp_path):
    path = run(tmp_path, "R06.task4.one", "one", "R99-01-A Y {tag}\n")
    (note,) = [f for f in of_group(TASK4, [path]) if "exam years" in f.message]
    assert (note.level, all(year in note.message for year in TASK4.submission.reference_years)) == ("note", True)


def test_the_articles_of_2026_want_their_answers(tmp_path, monkeypatch):
    write_release("coliee/task3/2026/ja", tmp_path / "copy", scale=0.01)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "copy"))
    row = SPLITS["coliee/task3/2026/ja/test"]
    (tmp_path / "runs").mkdir()
    described(tmp_path / "runs", "3", "one")
    query_id = query_ids(row)[0]
    one = run(tmp_path / "runs", "task3-IR.one", "one", f"{query_id} Q0 1 1 1.0 one\n")
    labels = run(tmp_path / "runs", "task3-QA.one", "one", f"{query_id} Y one\n")
    others = run(tmp_path / "runs", "task3-QA.two", "two", f"{query_id} Y two\n")
    assert answers_split(row).task == "task4"
    assert found(row, [one], answers=[labels]) == []
    assert [level for level, _ in found(row, [one])] == ["warning"]
    assert [level for level, _ in found(row, [one], answers=[others])] == ["error", "error"]


def test_the_suffix_that_the_call_of_2019_put_behind_a_long_lists_tag_is_known(tmp_path):
    described(tmp_path, "3", "one")
    answers, long = articles(tmp_path, "task3.one", "one"), articles(tmp_path, "task3-L.one", "one-L", 9)
    assert found(TASK3, [answers], long_lists=[long]) == []
    assert not any("run tag" in finding.message for finding in validate(TASK3, long))


def test_an_answer_set_that_looks_like_a_ranking_is_a_warning(tmp_path):
    described(tmp_path, "3", "one")
    answers, long = articles(tmp_path, "task3.one", "one", 20), articles(tmp_path, "task3-L.one", "one", 20)
    ((level, message),) = found(TASK3, [answers], long_lists=[long])
    assert level == "warning"
    assert "20 items per query look like a ranking: every item counts as an answer" in message
    gated = replace(TASK3, measure="GatedAccuracy")  # as in 2026, when only ties depend on superfluous articles
    assert (
        "20 items per query look like a ranking: accuracy does not penalise"
        in found(gated, [answers], long_lists=[long])[0][1]
    )
    assert found(TASK3, [articles(tmp_path, "task3.one", "one", 19)], long_lists=[long]) == []


def test_the_files_of_a_folder_are_those_with_an_official_name(tmp_path):
    for name in ("task1.one", "task1.two", "task2.one", "notes.md", ".hidden", "SystemDescription.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "task1.folder").mkdir()
    named, others = files_of_folder(split("coliee/task1/2026/test"), tmp_path)
    assert [path.name for path in named] == ["task1.one", "task1.two"]
    assert [path.name for path in others] == ["notes.md", "task1.folder", "task2.one"]


def test_a_folder_without_a_run_of_the_split_is_refused_with_the_expected_name(tmp_path):
    (tmp_path / "task2.one").write_text("")
    expected = (
        r"is named as a run of coliee/task3/2026/ja/test\.\nExpected: task3-IR\.\{tag\}\. Files in it: task2\.one\."
    )
    with pytest.raises(ColieeError, match=expected):
        files_of_folder(split("coliee/task3/2026/ja/test"), tmp_path)


@pytest.mark.parametrize("name", ["task1.other", "task1.one"])
def test_a_tag_that_differs_from_the_name_of_the_file_is_a_warning(tmp_path, name):
    path = tmp_path / name
    path.write_text("900862 900593 one\n")
    found = [finding for finding in of_group(TASK1, [path]) if "its name states" in finding.message]
    expected = f"{path}: its name states the run tag 'other', its lines 'one'; make both the same"
    assert [(finding.level, finding.message) for finding in found] == (
        [("warning", expected)] if name == "task1.other" else []
    )


@pytest.mark.usefixtures("task4")
def test_the_files_of_several_exam_years_with_one_tag_are_one_run(tmp_path):
    described(tmp_path, "4", "one")
    names = ["R06.task4.one", "H30.task4.one", "R01.task4.one", "R02.task4.one"]
    runs = [run(tmp_path, name, "one", f"{name[:3]}-901-A Y {{tag}}\n") for name in names]
    assert found(TASK4, runs) == []
    other = run(tmp_path, "R01.task4.two", "one", "R01-901-A Y {tag}\n")
    assert any(message.startswith("2 runs have the tag one") for _, message in found(TASK4, [*runs, other]))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_a_folder_of_runs_is_not_read(tmp_path):
    run(tmp_path, "task1.one", "one")
    os.mkfifo(tmp_path / "task1.pipe")
    named, others = files_of_folder(TASK1, tmp_path)
    assert ([path.name for path in named], [path.name for path in others]) == (["task1.one"], ["task1.pipe"])
