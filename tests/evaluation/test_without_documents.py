"""Runs are scored with the labels alone: the folder of documents, or the civil code, is not in the data folder."""

import shutil
from pathlib import Path

import ir_datasets
import pandas as pd
import pytest

from ir_coliee.errors import MissingReleaseError
from ir_coliee.evaluation.checks import Finding, validate
from ir_coliee.evaluation.comparison import compare
from ir_coliee.evaluation.scoring import score
from ir_coliee.evaluation.tuning import tune
from ir_coliee.evaluation.writing import write_run
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

SPLITS = {
    "coliee/task1/2025/test": "coliee/task1/2025",
    "coliee/task1/2018/test": "coliee/task1/2018",
    "coliee/task2/2025/test": "coliee/task2/2025",
    "coliee/task3/2025/en/test": "coliee/task3/2025/en",
}


@pytest.fixture(params=SPLITS)
def split(request, tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    write_release(SPLITS[request.param], tmp_path, scale=0.01)
    return request.param


@pytest.fixture
def run(split):
    """Every other relevant item."""
    rows = [(qrel.query_id, qrel.doc_id, 1.0) for qrel in ir_datasets.load(split).qrels_iter()]
    return pd.DataFrame(rows[::2], columns=["qid", "docno", "score"])


def remove_documents(split):
    release = LocalRelease.open(split)
    for path in [Path(str(release.find(role).node)) for role in ("corpus", "articles") if role in release.split.files]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_a_run_scores_the_same_and_what_was_not_checked_is_said_once(split, run):
    whole = score(split, run)
    remove_documents(split)
    alone = score(split, run.assign(docno=run["docno"].where(run.index > 0, "unknown")))
    assert alone.figures != whole.figures  # one item less is right
    assert alone.notes == whole.notes
    alone = score(split, run)
    assert alone.figures == whole.figures
    assert 0 < next(iter(alone.figures.values())) < 1
    assert alone.gold_notes[0].startswith("scored with the labels alone")
    assert "were not looked for: " in alone.gold_notes[-1]  # the train split has no documents either
    assert alone.gold_notes[1:-1] == [note for note in whole.gold_notes if "were not looked for: " not in note]
    assert alone.place is None  # the ids of the labels tell that they are synthetic


def test_runs_are_compared_and_a_cut_off_is_tuned(split, run):
    runs = {"half": run, "less": run.iloc[1:]}
    compared, tuned = compare(split, runs), tune(split, run, folds=2)
    remove_documents(split)
    pd.testing.assert_frame_equal(compare(split, runs), compared)
    assert tune(split, run, folds=2).best == tuned.best


def test_a_run_file_is_validated_and_scored(split, run, tmp_path):
    file = tmp_path / "one.run"
    write_run(LocalRelease.open(split).split, run, file, "one")
    whole = score(split, run)
    found = validate(split, file)
    remove_documents(split)
    note = Finding("note", None, "the documents are not at hand, so unknown items were not looked for")
    assert [finding for finding in validate(split, file) if finding != note] == found
    assert note in validate(split, file)
    assert score(split, file).figures == whole.figures


def test_without_labels_a_run_of_case_retrieval_is_validated_by_the_query_ids_of_the_test(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    (tmp_path / "task1_test_no_labels_2025.json").write_text('{"900001.txt": [], "900002.txt": []}')
    (tmp_path / "mine.run").write_text("900001 900003 mine\n")
    found = validate("coliee/task1/2025/test", tmp_path / "mine.run")
    assert [finding.message for finding in found if finding.level != "note"] == ["1 queries without an answer: 900002"]


def test_the_documents_themselves_are_still_needed(split):
    remove_documents(split)
    with pytest.raises(MissingReleaseError, match="was not found"):
        ir_datasets.load(split).docs_store()
