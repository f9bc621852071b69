"""What every retriever by case evidence does: one score function, best files, never the query's own."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.engine.cases.texts import TextPool
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.transformers.cases import CaseEvidenceRetriever

TEST = "coliee/task1/2025/test"
TEXTS = {
    "900001": "lamp lamp lamp",
    "900002": "gate",
    "900003": "Lamp, lamp, lamp",
    "900004": "lamp",
    "900005": "lamp well",
}


class CountLamps(CaseEvidenceRetriever):
    """Scores a text by the number of lamps, if the query has one."""

    def scores(self, pool: TextPool):
        sequences = pool.sequences
        lamps = np.array(sequences.vocabulary, object)[sequences.tokens] == "lamp"
        counts = np.array([lamps[a:b].sum() for a, b in zip(sequences.bounds, sequences.bounds[1:])])
        assert sorted(pool.texts) == [0, 1, 2, 3]  # each distinct text of the documents once
        return ((counts[pool.queries][:, None] > 0) * counts[pool.texts]).astype(np.float32)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = tmp_path / "task1_test_files_2025"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


def found(retriever, **queries):
    results = retriever(pd.DataFrame({"qid": [*queries], "query": [*queries.values()]}))
    return [*results[["qid", "docno", "score", "rank"]].itertuples(index=False, name=None)]


def test_the_best_files_of_each_query_are_returned_but_its_own():
    queries = {"900004": "lamp", "900001": TEXTS["900001"], "q": "another lamp", "none": "a gate"}
    with pytest.warns(ColieeWarning, match="1 of 4 queries match no decision and get no result: none"):
        results = found(CountLamps(TEST), **queries)
    assert results == [
        ("900004", "900001", 3.0, 0),
        ("900004", "900003", 3.0, 1),
        ("900004", "900005", 1.0, 2),
        ("900001", "900003", 3.0, 0),
        ("900001", "900004", 1.0, 1),
        ("900001", "900005", 1.0, 2),
        ("q", "900001", 3.0, 0),
        ("q", "900003", 3.0, 1),
        ("q", "900004", 1.0, 2),
        ("q", "900005", 1.0, 3),
    ]
    assert [row[1] for row in found(CountLamps(TEST) % 2, q="lamp")] == ["900001", "900003"]
    assert CountLamps(TEST).fuse_rank_cutoff(2) == CountLamps(TEST, num_results=2)


def test_no_query_finds_nothing():
    empty = CountLamps(TEST)(pd.DataFrame({"qid": [], "query": []}, dtype=object))
    assert list(empty.columns) == ["qid", "query", "docno", "score", "rank"]
    assert empty.empty


def test_files_that_have_changed_are_read_again(home):
    retriever = CountLamps(TEST)
    assert found(retriever, q="lamp")[-1] == ("q", "900005", 1.0, 3)
    (home / "900005.txt").write_text("lamp lamp lamp lamp lamp")
    assert found(retriever, q="lamp")[0] == ("q", "900005", 5.0, 0)


def test_what_is_no_text_or_no_split_is_refused():
    with pytest.raises(ColieeError, match="Query q: query must be a string, got a value of type int"):
        found(CountLamps(TEST), q=5)
    with pytest.raises(ValueError, match="dataset must be a split of task 1"):
        CountLamps("coliee/task2/2025/test")
    with pytest.raises(ValueError, match="num_results must be an integer >= 1, got 0"):
        CountLamps(TEST, num_results=0)
