"""The official form of a run, edition by edition: the tables of the calls and of the packages, written down again."""

import pytest

from ir_coliee.editions import SPLITS, split
from ir_coliee.evaluation.runs import answers_split, remark_on_tag
from ir_coliee.evaluation.writing import write_run

YEARS_IN_ENGLISH = [f"{year}/en" for year in range(2018, 2026)]
OFFICIAL_LINES = {
    "t1-1 18 mine": [f"task1/{year}" for year in (2018, 2019, 2020)],
    "t2-1 13 mine": [f"task2/{year}" for year in (2018, 2019, 2020)],
    "900001 900002 mine": ["task1/sample", *(f"task1/{year}" for year in range(2021, 2027))],
    "001 013 mine": ["task2/sample", *(f"task2/{year}" for year in range(2021, 2027))],
    "R99-1-A 398-2 mine": ["task3/2017/en"],
    "R99-1-A Q0 398-2 1 2.5 mine": [f"task3/{year}" for year in ("sample/en", *YEARS_IN_ENGLISH, "2026/ja")],
    "R99-1-A N mine": [f"task4/{year}" for year in ("2017/en", *YEARS_IN_ENGLISH, "2026/ja")] + ["task5/2021/en"],
}
ITEMS = {
    "task1": ("900001", "900002"),
    "task2": ("001", "001_013"),
    "task3": ("R99-1-A", "398-2"),
    "task4": ("R99-1-A", "N"),
    "task5": ("R99-1-A", "N"),
}


@pytest.mark.parametrize("line", OFFICIAL_LINES)
def test_the_line_of_an_edition_is_the_official_one(tmp_path, line):
    for edition in OFFICIAL_LINES[line]:
        task = edition.partition("/")[0]
        query, item = {"t1-1 18 mine": ("001", "001_018")}.get(line, ITEMS[task])
        write_run(split(f"coliee/{edition}/test"), {query: {item: 2.5}}, tmp_path / "out", "mine", overwrite=True)
        assert (tmp_path / "out").read_text() == f"{line}\n", edition


def test_a_system_description_goes_with_the_runs_since_2025():
    wanted = {(of.task, of.year) for of in SPLITS.values() if of.submission.description_file}
    assert wanted == {(f"task{task}", year) for task in (1, 2, 3, 4) for year in (2025, 2026)}


def test_public_weights_are_asked_for_since_2026_and_one_of_two_languages_of_statutes_in_2025():
    def asking(words):
        return {(of.task, of.year) for of in SPLITS.values() if any(words in rule for rule in of.submission.rules)}

    assert asking("weights are public") == {(f"task{task}", 2026) for task in (1, 2, 3, 4)}
    assert asking("both languages") == {("task3", 2025), ("task4", 2025)}


def test_forms_that_nobody_has_seen_are_said_to_be_unverified():
    unverified = {(of.task, of.edition) for of in SPLITS.values() if of.submission.is_unverified}
    assert unverified == {
        *((f"task{task}", str(year)) for task in (1, 2) for year in (2020, 2022, 2023)),
        *(("task1", "2018"), ("task3", "2018"), ("task4", "2018"), ("task5", "2021"), ("task4", "2026")),
    }


def test_every_part_of_task_3_has_a_part_of_its_answers():
    for of in SPLITS.values():
        if of.task == "task3":
            answers = answers_split(of)
            assert (answers.task, answers.edition, answers.language) == ("task4", of.edition, of.language)
            assert (answers.name, answers.exam_years) == (of.name, of.exam_years)


@pytest.mark.parametrize(
    ("tag", "is_official"),
    [("univABC", True), ("a", True), ("A23456789012", True)]
    + [(tag, False) for tag in ("", "A234567890123", "a-b", "a.b", "a b", "é", "١")],
)
def test_a_tag_has_1_to_12_letters_or_digits(tag, is_official):
    assert (remark_on_tag(tag) == "") is is_official
