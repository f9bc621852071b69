"""The files of a baseline: all or none are written, and calls for other splits can share a folder."""

import pytest

from ir_coliee.baselines import plan, plan_baseline
from ir_coliee.baselines.plan import files_of, write_files
from ir_coliee.editions import SPLITS

TEST = SPLITS["coliee/task2/sample/test"]


@pytest.fixture(scope="module")
def fast():
    plan = plan_baseline(TEST, fast=True)
    return plan, plan.run()


def test_a_stopped_write_leaves_no_file(fast, tmp_path, monkeypatch):
    def stopped(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(plan, "write_ranking", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_files(*fast, files_of(fast[0], tmp_path))
    assert not [*tmp_path.iterdir()]


def test_results_are_kept_beside_a_file_with_other_content(fast, tmp_path):
    plan, runs = fast
    files = files_of(plan, tmp_path)
    files["bm25"]["train"].write_text("mine\n")
    write_files(plan, runs, files)
    assert files["bm25"]["train"].read_text() == "mine\n"
    assert {path.name for path in tmp_path.iterdir() if path.suffix != ".new"} == {files["bm25"]["train"].name}
    computed = {path.name.removesuffix(".new"): path.read_bytes() for path in tmp_path.glob("*.new")}
    written = write_files(plan, runs, files, overwrite=True)["bm25"].values()
    assert computed == {path.name: path.read_bytes() for path in written}


def test_the_ranking_of_the_train_split_is_shared_by_the_calls_for_both_splits(fast, tmp_path):
    plan, runs = fast
    of_train = plan_baseline(TEST.train, fast=True)
    files = files_of(plan, tmp_path)
    write_files(plan, runs, files)
    written = write_files(of_train, of_train.run(), files_of(of_train, tmp_path))
    assert written["bm25"]["train"] == files["bm25"]["train"]
