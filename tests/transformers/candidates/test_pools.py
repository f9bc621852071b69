import pandas as pd
import pytest

from ir_coliee.errors import ColieeWarning
from ir_coliee.transformers import CandidatePool


def queries(*qids):
    return pd.DataFrame({"qid": list(qids), "query": [f"query {qid}" for qid in qids]})


def test_the_pool_of_a_question_is_both_answers():
    results = CandidatePool("coliee/task4/sample/ja/test")(queries("R99-01-A", "R99-99-Z", "R99-01-I"))
    assert results.to_dict("list") == {
        "qid": ["R99-01-A", "R99-01-A", "R99-01-I", "R99-01-I"],
        "query": ["query R99-01-A"] * 2 + ["query R99-01-I"] * 2,
        "docno": ["Y", "N", "Y", "N"],
        "score": [0.0] * 4,
        "rank": [0, 1, 0, 1],
    }


def test_a_dataset_without_pools_is_refused_by_name():
    with pytest.raises(ValueError, match="coliee/task1/sample/test"):
        CandidatePool("coliee/task1/sample/test")(queries("900001"))


def test_of_results_those_in_the_pool_of_their_own_query_stay():
    run = pd.DataFrame(
        {
            "qid": ["R99-01-A", "R99-01-A", "R99-99-Z", "R99-01-A"],
            "docno": ["N", "X", "Y", "Y"],
            "score": [1.0, 9.0, 1.0, 2.0],
        }
    )
    results = CandidatePool("coliee/task4/sample/en/test")(run)
    assert results[["qid", "docno", "score", "rank"]].values.tolist() == [
        ["R99-01-A", "Y", 2.0, 0],
        ["R99-01-A", "N", 1.0, 1],
    ]


@pytest.mark.parametrize("columns", [["qid", "query"], ["qid", "docno", "score"]])
def test_queries_of_another_dataset_are_warned_of(columns):
    frame = pd.DataFrame({"qid": ["H98-01-A"], "query": "A lamp.", "docno": "Y", "score": 1.0})[columns]
    with pytest.warns(ColieeWarning, match="No query has a pool in coliee/task2/sample/test .the first is H98-01-A"):
        assert CandidatePool("coliee/task2/sample/test")(frame).empty
