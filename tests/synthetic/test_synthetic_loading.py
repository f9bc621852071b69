"""Every id loads from a synthetic release of its edition, with the counts that were planted."""

import warnings

import ir_datasets
import pytest

import ir_coliee  # noqa: F401 (registers the ids)
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeWarning, MissingLabelsError
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release

pytestmark = pytest.mark.slow

TINY = 0.002


def release_of(split):
    """Return the common id of the splits of a release."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return split.id.rpartition("/")[0].removesuffix("/prediction").removesuffix("/rationale")


EDITIONS = sorted({release_of(split) for split in SPLITS.values() if split.edition != "sample"})


def counted(dataset_id):
    """Count the queries, documents and gold labels of a dataset; labels that it refuses to give count as none."""
    dataset = ir_datasets.load(dataset_id)
    try:
        qrels = list(dataset.qrels_iter())
    except MissingLabelsError:
        qrels = []
    queries = [query.query_id for query in dataset.queries_iter()]
    assert {qrel.query_id for qrel in qrels} <= set(queries)
    assert len(set(queries)) == len(queries)
    return len(queries), sum(1 for _ in dataset.docs_iter()), len(qrels)


@pytest.mark.parametrize("form", ["regular", "irregular", "packed", "irregular and packed"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_id_loads_with_the_counts_that_were_planted(tmp_path, monkeypatch, edition, form):
    planted = write_release(edition, tmp_path, scale=TINY, irregularities="irregular" in form, archive="packed" in form)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if "irregular" in form else "error", ColieeWarning)
        # the release is smaller than the true one
        warnings.filterwarnings("ignore", ".*though its name has no year", ColieeWarning)
        found = {dataset_id: counted(dataset_id) for dataset_id in planted.splits}
    assert found == {dataset_id: tuple(counts) for dataset_id, counts in planted.splits.items()}


@pytest.mark.parametrize(
    "edition",
    [
        *(f"coliee/task1/{year}" for year in (2018, 2019, 2020, 2021, 2025)),
        *(f"coliee/task2/{year}" for year in (2018, 2019, 2025, 2026)),
        *("coliee/task3/2017/en", "coliee/task3/2025/en", "coliee/task3/2026/ja", "coliee/pilot/2025"),
    ],
)
def test_a_release_is_recognised_as_synthetic(tmp_path, monkeypatch, edition):
    planted = write_release(edition, tmp_path, scale=TINY)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    assert [name for name in planted.splits if not LocalRelease.open(name).is_synthetic] == []


@pytest.mark.parametrize(
    ("edition", "irregularity"),
    [
        ("coliee/task1/2025", "gold without a file"),
        ("coliee/task1/2022", "repeated key"),
    ],
)
def test_a_reader_reports_what_was_planted(tmp_path, monkeypatch, edition, irregularity):
    planted = write_release(edition, tmp_path, scale=TINY, irregularities=True)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    with pytest.warns(ColieeWarning) as caught:
        list(ir_datasets.load(f"{edition}/train").qrels_iter())
    (place,) = planted.irregularities[irregularity]
    assert any(place in str(warning.message) for warning in caught)


def test_the_articles_of_a_code_are_what_was_written(tmp_path, monkeypatch):
    """The law and the file derived from it give the same articles."""
    planted = write_release("coliee/task3/2026/ja", tmp_path, scale=0.1)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    built = {article.doc_id: article.text for article in ir_datasets.load("coliee/task3/2026/ja").docs_iter()}
    (planted.paths[0] / "civil.xml").unlink()
    raw = {article.doc_id: article.text for article in ir_datasets.load("coliee/task3/2026/ja").docs_iter()}
    assert raw == built
    assert len(raw) == planted.splits["coliee/task3/2026/ja/train"].docs
