"""The names of run files."""

import pytest

from ir_coliee.editions import split
from ir_coliee.evaluation.runs import file_beside, run_of_other_split

TRAIN, TEST = split("coliee/task3/sample/en/train"), split("coliee/task3/sample/en/test")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("coliee-task3-sample-en-train.bm25.trec", "coliee-task3-sample-en-test.bm25.trec"),
        ("train.trec", "test.trec"),
        ("my_train.trec", "my_test.trec"),
        ("trained.trec", None),
    ],
)
def test_the_run_of_the_other_split_has_its_name_in_place_of_this_ones(tmp_path, name, other):
    (tmp_path / "tested.trec").touch()
    assert run_of_other_split(tmp_path / name, TRAIN, TEST) is None
    if other:
        (tmp_path / other).touch()
        assert run_of_other_split(tmp_path / name, TRAIN, TEST) == tmp_path / other


@pytest.mark.parametrize("name", ["test.bm25", "test.bm25.trec", "test.bm25.long"])
def test_the_answers_have_the_name_of_the_run(tmp_path, name):
    assert file_beside(tmp_path / name, ".answers") is None
    (tmp_path / "test.bm25.answers").touch()
    assert file_beside(tmp_path / name, ".answers") == tmp_path / "test.bm25.answers"
