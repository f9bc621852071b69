"""The figure without the queries that are labelled in the train split too."""

import pytest
from fixture_releases import write_task1

from ir_coliee.evaluation.scoring import as_frame, as_record, as_table, score

TEST = "coliee/task1/2025/test"
RUN = {"900011": {"900014": 1.0}, "900012": {"900011": 1.0}, "900013": {"900014": 1.0, "900012": 0.5}}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A test split whose query 900011 has the text of a labelled train query."""
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    put(tmp_path, "train", {"900001": "A lamp.", "900002": "A gate.", "900003": "A door."}, ["900001"], "900003")
    texts = {"900011": "A lamp.", "900012": "A gate.", "900013": "A bell.", "900014": "A key."}
    put(tmp_path, "test", texts, ["900011", "900012", "900013"], "900014")
    return tmp_path


def put(home, split, texts, queries, noticed):
    write_task1(home, texts, {f"{query}.txt": [f"{noticed}.txt"] for query in queries}, split)


def test_the_figure_of_the_other_queries_stands_beside_the_official_one(home):
    found = score(TEST, RUN)
    assert found.figures["MicroF1"] == pytest.approx(4 / 7)  # 2 right of 4 returned and 3 relevant
    assert found.figures["MicroF1 unseen"] == pytest.approx(2 / 5)
    assert found.gold_notes[-1].endswith("left out of the unseen figure: 1")
    assert as_frame({"mine": found})["MicroF1 unseen"].tolist() == [pytest.approx(0.4)]
    assert as_record({"mine": found})["mine"]["figures"]["MicroF1 unseen"] == pytest.approx(0.4)
    header, (row,), *_ = as_table({"mine": found})
    assert header[3] == "F1 unseen"
    assert row[3] == pytest.approx(0.4)
    assert not [note for note in found.gold_notes if "not looked for" in note]


@pytest.mark.parametrize("missing", ["task1_train_labels_2025.json", "task1_train_files_2025/900001.txt"])
def test_it_is_left_out_if_the_train_split_is_not_at_hand(home, missing):
    (home / missing).unlink()
    (home / "task1_train_files_2025" / "900001.txt").unlink(missing_ok=True)
    found = score(TEST, RUN)
    (note,) = (note for note in found.gold_notes if "not looked for" in note)
    assert note.startswith("queries that are labelled in the train split too were not looked for: ")
    assert "train" in note.partition(": ")[2]
    assert "F1 unseen" not in as_table({"mine": found}).header


def test_password_protected_texts_are_not_decrypted_for_it(home, monkeypatch):
    monkeypatch.setattr("ir_coliee.releases.release.has_password", lambda file: True)
    found = score(TEST, RUN)
    assert "MicroF1 unseen" not in found.figures
    assert found.gold_notes[-1].endswith("were not looked for: the texts are in a password-protected archive")


def test_it_is_left_out_for_train_splits_and_where_no_query_is_known(home):
    assert score("coliee/task1/2025/train", {"900001": {"900003": 1.0}}).figures.get("MicroF1 unseen") is None
    assert score("coliee/task1/sample/test", {"900862": {"900593": 1.0}}).figures.get("MicroF1 unseen") is None
