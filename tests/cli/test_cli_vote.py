"""The command `vote`: several runs into one, in the official form."""

from pathlib import Path

import pytest
from calls import TASK1, TASK4

QUESTIONS = ("R99-01-A", "R99-01-I")


def saved(name, answers):
    Path(name).write_text("".join(f"{q} {a} {name}\n" for q, a in zip(QUESTIONS, answers)), encoding="utf-8")
    return name


def test_the_majority_is_written_in_the_official_form(call):
    runs = [saved(name, answers) for name, answers in (("a", "YN"), ("b", "YY"), ("c", "NN"))]
    finished = call("vote", TASK4, *runs, "--tag", "all", "--out", "voted")
    assert (finished.status, finished.err) == (0, "")
    sizes = "2 questions, of which 0 had a tie and get the answer no"
    assert finished.out == f"{sizes}\nfile: voted\nnext: ir_coliee score {TASK4} voted\n"
    assert Path("voted").read_text(encoding="utf-8") == "R99-01-A Y all\nR99-01-I N all\n"


def test_equal_votes_are_counted_and_a_no(call):
    finished = call("vote", TASK4, saved("a", "YY"), saved("b", "NY"), "--tag", "all", "--out", "voted")
    assert finished.out.startswith("2 questions, of which 1 had a tie and get the answer no\n")
    assert Path("voted").read_text(encoding="utf-8") == "R99-01-A N all\nR99-01-I Y all\n"


@pytest.mark.parametrize(
    ("dataset", "runs", "tag", "message"),
    [
        (TASK4, {"a": "YY"}, "all", "at least two runs, got 1"),
        (TASK4, {"a": "YY", "b": "Y"}, "all", "b: no answer to R99-01-I"),
        (TASK4, {"a": "YY", "b": "YU"}, "all", "b: 'U' is not a valid answer to question R99-01-I"),
        (TASK4, {"a": "YY", "b": "YY"}, "no tag", "tag 'no tag' has a blank"),
        (TASK1, {"a": "YY", "b": "YY"}, "all", "no single answer per question"),
    ],
)
def test_bad_input_is_an_error_and_writes_nothing(call, dataset, runs, tag, message):
    finished = call("vote", dataset, *(saved(*run) for run in runs.items()), "--tag", tag, "--out", "voted")
    assert finished.status == 2
    assert message in finished.err
    assert len(finished.err.splitlines()) <= 3  # the last is the address of the help
    assert not Path("voted").exists()
