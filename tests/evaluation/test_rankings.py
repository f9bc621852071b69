"""Ranked runs that nothing can be chosen or cut from are refused."""

from dataclasses import replace

import pytest

from ir_coliee.editions import split
from ir_coliee.errors import MalformedRunError
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.tuning import load_ranking

TASK1 = split("coliee/task1/sample/test")
TASK3 = replace(split("coliee/task3/sample/en/test"), excluded=("R99-99-A",))


@pytest.mark.parametrize(
    ("dataset", "run", "problem"),
    [
        (TASK1, {}, "is empty"),
        (TASK1, {"900656": {"900656": 1.0}}, "has no result that counts.\ndropped 1 answer that is the query itself"),
        (TASK3, {"R99-99-A": {"1": 1.0}}, "has no result that counts.\nanswers to questions that the organisers"),
    ],
)
def test_a_ranking_without_a_result_that_counts_is_refused(dataset, run, problem):
    with pytest.raises(MalformedRunError, match=f"the run {problem}"):
        load_ranking(Scorer(dataset), run)
