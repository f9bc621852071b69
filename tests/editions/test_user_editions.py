"""A user's own editions below the data folder: the registry, the listings, the command line, and their mistakes."""

import os

import ir_datasets
import pytest

from ir_coliee import editions
from ir_coliee.datasets.folds import edition_blocks
from ir_coliee.editions import BUILT_IN_FOLDER, SPLITS
from ir_coliee.errors import MalformedFileError, MissingLabelsError, UnknownIdError

VALID = """\
edition: 2027
task1:
  like: 2026
  train: {counts: {queries: 2401 M}}
  test: {counts: {queries: 400 M}}
"""
BROKEN = VALID.replace("like", "likes")


def test_the_file_of_ids_has_the_ids_of_this_packages_editions(home):
    ids = (BUILT_IN_FOLDER / "ids.txt").read_text(encoding="ascii").split()
    assert ids == editions.dataset_ids(), "run python -m ir_coliee.editions"


def test_an_edition_is_registered_when_it_is_asked_for(write):
    assert "coliee/task1/2027/test" not in ir_datasets.registry._registered
    write(VALID)
    assert ir_datasets.load("coliee/task1/2027/test").queries_count() == 400
    assert "2027" in ir_datasets.load("coliee/task1/2027/train/full").documentation()["pretty_name"]
    for unknown in ("coliee/task1/2027/dev", "coliee/task2/2027/test", "coliee/task1/2028/test"):
        with pytest.raises(UnknownIdError):
            ir_datasets.load(unknown)


def test_the_first_of_several_data_folders_counts(home, write, monkeypatch, tmp_path):
    write(VALID)
    second = tmp_path / "second" / "editions"
    second.mkdir(parents=True)
    (second / "2027.yaml").write_text(VALID.replace("400 M", "5 M"), encoding="utf-8")
    (second / "2028.yaml").write_text(VALID.replace("2027", "2028"), encoding="utf-8")
    monkeypatch.setenv("COLIEE_HOME", f"{home}{__import__('os').pathsep}{second.parent}")
    assert editions.split("coliee/task1/2027/test").counts["queries"] == 400
    assert editions.split("coliee/task1/2028/test").counts["queries"] == 400
    monkeypatch.setenv("COLIEE_HOME", str(second.parent))
    assert editions.split("coliee/task1/2027/test").counts["queries"] == 5
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "none"))
    assert "coliee/task1/2027/test" not in SPLITS


def test_names_for_both_splits_replace_those_that_are_taken_over_for_each(write):
    own = "files: {labels: [both.json]}\n  train: {files: {labels: [one.json]}}"
    write(f"edition: 2027\ntask1:\n  like: 2026\n  {own}\n")
    splits = {name: editions.split(f"coliee/task1/2027/{name}") for name in ("train", "test")}
    assert {name: split.files["labels"] for name, split in splits.items()} == {
        "train": ("one.json",),
        "test": ("both.json",),
    }
    before = editions.split("coliee/task1/2026/test").files["corpus"]
    assert splits["test"].files["corpus"] == tuple(name.replace("2026", "2027") for name in before)


@pytest.mark.parametrize("arguments", [("list",), ("status",), ("audit", "coliee/task1/2027/test")])
def test_a_mistake_ends_a_command_with_status_2_and_names_file_and_line(write, call, arguments):
    path = write(BROKEN)
    status, _, err = call(*arguments)
    assert (status, "Traceback" in err) == (2, False)
    assert str(path) in err.replace("\n", "")
    assert "line 3" in err
    assert "unknown key likes" in err


# --- the facts of this package's editions ------------------------------------------------------------


def test_a_train_split_continues_the_splits_of_the_edition_before():
    continued = {split.id: split.continues for split in SPLITS.values() if split.continues}
    assert set(continued) == {
        *(f"coliee/task1/{year}/train" for year in (2024, 2025)),
        *(f"coliee/task2/{year}/train" for year in range(2020, 2027)),
    }
    for dataset_id, earlier in continued.items():
        split = SPLITS[dataset_id]
        before = [split.id.replace(split.edition, str(split.year - 1)), f"coliee/{split.task}/{split.year - 1}/test"]
        assert list(earlier) == before
        blocks = edition_blocks(dataset_id)
        assert min(blocks) > 0
        assert sum(blocks) == split.counts["queries"]


UNLABELLED = '<questions><pair id="R98-01-A"><t1/><t2>A lamp is a thing.</t2></pair></questions>'


STATUTES = """\
edition: {}
statutes: {{like: 2025, train: {{exam_years: {}}}, test: {{exam_years: {}}}}}
task4: {{like: 2025, train: {{}}, test: {{}}}}
"""


def test_missing_labels_name_the_later_edition_whose_train_files_have_them(write, home):
    write(STATUTES.format("2027", "R97", "R98"))
    (home / "riteval_R98_en.xml").write_text(UNLABELLED)
    test = ir_datasets.load("coliee/task4/2027/en/test")
    with pytest.raises(MissingLabelsError) as alone:
        list(test.qrels_iter())
    assert "have the labels" not in str(alone.value)
    write(STATUTES.format("2028", "R97-R98", "R99"), "2028")
    with pytest.raises(MissingLabelsError, match="labels of these queries: coliee/task4/2028/en/r98"):
        list(test.qrels_iter())


def test_a_missing_label_file_names_the_later_edition_that_continues_the_split(write, home):
    write(VALID)
    write(VALID.replace("2027", "2028").replace("train: {", "train: {continues: [2027 test], "), "2028")
    (home / "task1_test_files_2027").mkdir()
    (home / "task1_test_files_2027" / "900001.txt").write_text("A decision.", encoding="utf-8")
    with pytest.raises(MissingLabelsError, match="labels of these queries: coliee/task1/2028/train"):
        list(ir_datasets.load("coliee/task1/2027/test").qrels_iter())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
def test_a_pipe_in_place_of_an_edition_file_does_not_block(tmp_path, monkeypatch):
    (tmp_path / "editions").mkdir()
    os.mkfifo(tmp_path / "editions" / "2027.yaml")
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    with pytest.raises(MalformedFileError, match=r"2027\.yaml: this is a pipe or a device"):
        editions.edition("2027")
