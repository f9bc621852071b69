"""Runs are scored with the labels alone: the folder of documents, or the civil code, is not in the data folder."""

import shutil
from pathlib import Path

import ir_datasets
import pandas as pd
import pytest
from run_lines import saved

from ir_coliee.analysis.losses import false_answer_kinds
from ir_coliee.analysis.runs import evaluate, find_items
from ir_coliee.evaluation.checks import Finding, validate
from ir_coliee.evaluation.comparison import compare
from ir_coliee.evaluation.scoring import score
from ir_coliee.evaluation.submission import submit
from ir_coliee.evaluation.tuning import tune
from ir_coliee.evaluation.writing import write_run
from ir_coliee.releases.release import LocalRelease
from ir_coliee.transformers import TopK


@pytest.fixture(params=["task1/2025", "task1/2018", "task2/2026", "task3/2024/en"])
def split(request, fixture_home):
    fixture_home(request.param, irregular=False)
    return f"coliee/{request.param}/test"


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
    compared, tuned = compare(split, runs), tune(split, run)
    remove_documents(split)
    pd.testing.assert_frame_equal(compare(split, runs), compared)
    assert tune(split, run).best == tuned.best


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


def test_without_labels_a_run_of_case_retrieval_is_validated_by_the_query_ids_of_the_test(home):
    (home / "task1_test_no_labels_2025.json").write_text('{"900001.txt": [], "900002.txt": []}')
    found = validate("coliee/task1/2025/test", saved(home, "900001 900003 mine\n"))
    assert [finding.message for finding in found if finding.level != "note"] == [
        "1 of 2 queries have no answer, which counts as wrong: 900002"
    ]


LABELS = {
    "coliee/task1/2025/test": ("task1_test_labels_2025.json", '{"900001.txt": ["900002.txt"], "900003.txt": []}'),
    "coliee/task2/2023/test": ("task2_test_labels_2023.json", '{"900001": ["003.txt"], "900003": []}'),
}
GOLD = {"coliee/task1/2025/test": "900002", "coliee/task2/2023/test": "003"}
OTHER = {"coliee/task1/2025/test": "900009", "coliee/task2/2023/test": "009"}


@pytest.fixture(params=LABELS)
def labels_alone(request, tmp_path, monkeypatch):
    """A split of which the data folder has the label file alone."""
    name, content = LABELS[request.param]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).write_text(content)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "data"))
    return request.param


@pytest.mark.parametrize("spelling", ["{}", "{}.txt", "{}.0", "0{}", "00{}.txt"])
def test_the_official_ids_of_a_run_do_not_depend_on_the_labels(labels_alone, tmp_path, spelling):
    """Ids that are gold had lost their suffix where others kept it, so that a submission told the labels."""
    gold, other = (spelling.format(item[labels_alone]) for item in (GOLD, OTHER))
    file = saved(tmp_path, f"900001.txt Q0 {other} 1 2.5 mine\n900001 Q0 {gold} 2 1.5 mine\n")
    expected = f"900001 {OTHER[labels_alone]} mine\n900001 {GOLD[labels_alone]} mine\n"
    runs = [file, {"900001": {other: 2.5, gold: 1.5}}]
    runs.append(pd.DataFrame({"qid": "900001.txt", "docno": [other, gold], "score": [2.5, 1.5], "rank": [0, 1]}))
    for number, run in enumerate(runs):
        assert {*score(labels_alone, run).figures.values()} == {0.5, 1.0, 2 / 3}
        write_run(labels_alone, run, tmp_path / str(number), "mine")
        submitted, *_ = submit(labels_alone, run, tag="mine", out=tmp_path / f"out{number}", cutoff=TopK(2))
        assert (tmp_path / str(number)).read_text() == submitted.read_text() == expected
    assert not [finding for finding in validate(labels_alone, submitted) if finding.level == "error"]


def test_ids_that_are_spelled_in_two_ways_are_not_valid(labels_alone, tmp_path):
    for first, second in ((GOLD, OTHER), (OTHER, GOLD)):
        run = saved(tmp_path, f"900001 {first[labels_alone]} mine\n900001 {second[labels_alone]}.txt mine\n")
        [error] = [finding for finding in validate(labels_alone, run) if finding.level == "error"]
        assert (error.line, "ends in .txt" in error.message) == (2, True)


def test_nothing_is_said_to_be_no_candidate_where_candidates_are_not_known(labels_alone):
    runs = evaluate(labels_alone, [{"900001": {OTHER[labels_alone]: 1.0, "unheard of": 0.5}}])
    assert "andidate" not in str(false_answer_kinds(runs, "run 1").to_dict())
    assert find_items(runs.scorer.checker, "900001", ["7.txt"], ())
