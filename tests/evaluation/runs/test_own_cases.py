"""Each query's own case is dropped before a ranking of task 1 is cut."""

import pandas as pd
import pytest

from ir_coliee.editions import split
from ir_coliee.errors import ColieeWarning
from ir_coliee.evaluation.runs import without_own_cases
from ir_coliee.evaluation.submission import submit
from ir_coliee.transformers import TopK

TASK1 = split("coliee/task1/sample/test")
RANKING = pd.DataFrame(
    {"qid": ["900656"] * 3, "docno": ["900656", "900557", "900912"], "score": [3.0, 2.0, 1.0]}, dtype=object
)


def test_only_task_1_has_query_cases():
    other = pd.DataFrame({"qid": ["9"], "docno": ["9"], "score": [1.0]})
    assert without_own_cases(split("coliee/task3/sample/en/test"), other) == (other, [])
    kept, notes = without_own_cases(TASK1, RANKING)
    assert kept["docno"].tolist() == ["900557", "900912"]
    assert notes == ["dropped 1 answer that is the query itself"]
    assert without_own_cases(TASK1, kept)[1] == []


def test_a_submission_is_cut_after_the_query_itself_was_dropped(tmp_path):
    with pytest.warns(ColieeWarning, match="dropped 1 answer that is the query itself"):
        submit(TASK1.id, RANKING, tag="mine", out=tmp_path, cutoff=TopK(1))
    assert (tmp_path / "task1.mine").read_text() == "900656 900557 mine\n"


def test_an_answer_set_is_submitted_as_it_is(tmp_path):
    submit(TASK1.id, RANKING, tag="mine", out=tmp_path)
    assert (tmp_path / "task1.mine").read_text().splitlines()[0] == "900656 900656 mine"
