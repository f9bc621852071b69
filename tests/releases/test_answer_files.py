"""Answers that the organisers hand out after a test in separate files."""

import pytest

from ir_coliee.editions import Split
from ir_coliee.errors import MalformedFileError, MissingLabelsError
from ir_coliee.releases import statutes
from ir_coliee.releases.release import LocalRelease
from ir_coliee.releases.statutes import read_answer_file

QUESTIONS = '<dataset><pair id="R99-1-A"><t2>One.</t2></pair><pair id="R99-1-I"><t2>Two.</t2></pair></dataset>'


def a_split(task):
    return Split(
        task,
        "2098",
        "en",
        "test",
        {"articles": ("civil_code_en-1to724-2.txt",), "R99": ("TestData_en.xml",)},
        exam_years=("R99",),
        layout="pairs",
        optional_files={"gold": ("task3_test_labels.txt",), "answers": ("QA.txt",)},
    )


@pytest.fixture
def home(home):
    (home / "TestData_en.xml").write_text(QUESTIONS)
    return home


def test_gold_that_came_later_is_the_gold_of_the_test(home):
    with pytest.raises(MissingLabelsError):
        statutes.relevant_articles(LocalRelease.open(a_split("task3")))
    (home / "task3_test_labels.txt").write_text("R99-1-A Q0 398-2 1\nR99-1-I Q0 7 1\nR99-1-A Q0 8 1\n")
    found = [qrel[:2] for qrel in statutes.relevant_articles(LocalRelease.open(a_split("task3")))]
    assert found == [("R99-1-A", "398-2"), ("R99-1-A", "8"), ("R99-1-I", "7")]


def test_answers_that_came_later_are_those_of_the_test(home):
    with pytest.raises(MissingLabelsError):
        statutes.correct_answers(LocalRelease.open(a_split("task4")))
    (home / "QA.txt").write_text("R99-1-I\tN\r\nR99-1-A\tY\r\n\r\n")
    assert [qrel[:2] for qrel in statutes.correct_answers(LocalRelease.open(a_split("task4")))] == [
        ("R99-1-A", "Y"),
        ("R99-1-I", "N"),
    ]
    assert {question.label for question in statutes.questions(LocalRelease.open(a_split("task4")))} == {"Y", "N"}


@pytest.mark.parametrize("line", ["R99-1-A", "R99-1-A y", "R99-1-A yes", "Y"])
def test_a_line_that_is_no_answer_is_refused_with_its_line(tmp_path, line):
    (tmp_path / "QA.txt").write_text(f"R99-1-I\tY\n\n{line}\n")
    with pytest.raises(MalformedFileError, match=r"QA\.txt, line 3"):
        read_answer_file(tmp_path / "QA.txt")
