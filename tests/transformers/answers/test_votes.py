"""The majority of several runs. Files are those of `tests/cli/test_cli_vote.py`."""

from collections import Counter

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import MajorityVote
from ir_coliee.transformers.answers.votes import majority_vote


def run(answers):
    """A run of one answer a query, from a string such as "YN", whose queries are numbered."""
    rows = [(str(number), answer, 1.0) for number, answer in enumerate(answers) if answer != "-"]
    return pd.DataFrame(rows, columns=["qid", "docno", "score"])


def answered(results):
    return dict(zip(results["qid"], results["docno"]))


@pytest.mark.slow
@given(st.lists(st.text("YN-", min_size=3, max_size=3), min_size=1, max_size=6), st.sampled_from("YN"))
def test_the_majority_is_what_a_counter_says(votes, otherwise):
    expected = {}
    for number in range(3):
        counted = Counter(of_run[number] for of_run in votes if of_run[number] != "-")
        if counted:
            tied = counted["Y"] == counted["N"]
            expected[str(number)] = otherwise if tied else counted.most_common(1)[0][0]
    assert answered(majority_vote([run(each) for each in votes], otherwise)) == expected


@pytest.mark.parametrize(
    ("runs", "options", "error", "message"),
    [
        (["YN", ["Y", "U"]], {}, ColieeError, "Query 1: 'U' is no answer"),
        (["YN", ["Y", "900557"]], {}, ColieeError, "Query 1: '900557' is no answer"),
        ([["Y"], ["True"]], {}, ColieeError, "others True and False"),
        (["Y"], {"default": "no"}, ValueError, "must be 'Y' or 'N'"),
        (["Y"], {"default": ""}, ValueError, "must be 'Y' or 'N'"),
    ],
)
def test_what_is_no_answer_is_refused(runs, options, error, message):
    with pytest.raises(error, match=message):
        majority_vote([run(each) for each in runs], **options)


def test_the_default_of_the_transformer_is_checked_when_it_is_made():
    with pytest.raises(ValueError, match="must be 'Y' or 'N'"):
        MajorityVote(pt.Transformer.identity(), default="False")
