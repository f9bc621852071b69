"""The majority of several runs, as frames and as files."""

from collections import Counter
from pathlib import Path

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee import editions
from ir_coliee.errors import ColieeError, MalformedRunError
from ir_coliee.evaluation.runs import load_run
from ir_coliee.evaluation.submission import vote
from ir_coliee.evaluation.writing import write_run
from ir_coliee.transformers import MajorityVote
from ir_coliee.transformers.answers.votes import majority_vote

TASK4 = editions.split("coliee/task4/sample/en/test")


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


def test_a_tie_goes_to_the_other_answer():
    assert answered(majority_vote([run("Y"), run("N")])) == {"0": "N"}
    assert answered(majority_vote([run("Y"), run("N")], default="Y")) == {"0": "Y"}


@pytest.mark.parametrize("label", ["U", "yes", "900557"])
def test_what_is_no_label_is_refused_with_its_query(label):
    with pytest.raises(ColieeError, match=f"Query 1: '{label}' is no answer"):
        majority_vote([run("YN"), run(["Y", label])])


def test_labels_of_two_tasks_are_refused():
    with pytest.raises(ColieeError, match="others True and False"):
        majority_vote([run(["Y"]), run(["True"])])


@pytest.mark.parametrize("otherwise", ["no", "False", ""])
def test_another_answer_than_yes_and_no_is_refused(otherwise):
    with pytest.raises(ValueError, match="must be 'Y' or 'N'"):
        majority_vote([run("Y")], otherwise)
    with pytest.raises(ValueError, match="must be 'Y' or 'N'"):
        MajorityVote(pt.Transformer.identity(), default=otherwise)


# --- files -------------------------------------------------------------------------------------------


def saved(folder, name, *answers):
    path = Path(folder, name)
    path.write_text("".join(f"{question} {answer} {name}\n" for question, answer in answers), encoding="utf-8")
    return path


def test_official_files_are_read_into_frames_that_vote(tmp_path):
    paths = [saved(tmp_path, name, ("R99-01-A", "Y"), ("R99-01-I", answer)) for name, answer in zip("abc", "YNN")]
    results = majority_vote([load_run(TASK4, path).frame for path in paths])
    assert answered(results) == {"R99-01-A": "Y", "R99-01-I": "N"}
    pd.testing.assert_frame_equal(vote(TASK4, paths), results)
    write_run(TASK4, results, tmp_path / "voted", "voted")
    assert (tmp_path / "voted").read_text(encoding="utf-8") == "R99-01-A Y voted\nR99-01-I N voted\n"


def test_files_with_different_questions_are_refused_by_name(tmp_path):
    paths = [saved(tmp_path, "a", ("R99-01-A", "Y"), ("R99-01-I", "Y")), saved(tmp_path, "b", ("R99-01-A", "Y"))]
    with pytest.raises(MalformedRunError, match="b: no answer to R99-01-I, which another"):
        vote(TASK4, paths)


def test_an_answer_counts_once_in_a_file_and_another_answer_is_refused_by_name(tmp_path):
    good = saved(tmp_path, "good", ("R99-01-A", "Y"))
    repeated = saved(tmp_path, "repeated", ("R99-01-A", "Y"), ("R99-01-A", "Y"))
    assert vote(TASK4, [good, repeated])["docno"].tolist() == ["Y"]
    bad = saved(tmp_path, "bad", ("R99-01-A", "Y"), ("R99-01-A", "N"))
    with pytest.raises(MalformedRunError, match="bad: Query R99-01-A has another answer"):
        vote(TASK4, [good, bad])


def test_a_file_with_another_answer_is_refused_by_name(tmp_path):
    paths = [saved(tmp_path, "a", ("R99-01-A", "Y")), saved(tmp_path, "b", ("R99-01-A", "perhaps"))]
    with pytest.raises(
        MalformedRunError, match="b: 'perhaps' is not a valid answer to question R99-01-A, expected N or Y"
    ):
        vote(TASK4, paths)


def test_tasks_without_a_single_answer_have_no_vote(tmp_path):
    with pytest.raises(ColieeError, match="coliee/task1/sample/test has no single answer per question"):
        vote(editions.split("coliee/task1/sample/test"), [tmp_path / "a", tmp_path / "b"])
