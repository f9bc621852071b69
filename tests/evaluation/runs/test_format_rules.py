"""The official form of a run, edition by edition: the tables of the calls and of the packages, written down again."""

import pytest

from ir_coliee.editions import SPLITS, split
from ir_coliee.evaluation.runs import answers_split, remark_on_tag
from ir_coliee.evaluation.writing import write_run

THREE = ("query", "item", "tag")
SIX = ("query", "Q0", "item", "rank", "score", "tag")
YEARS = range(2018, 2027)

OFFICIAL_LINES = [
    *((f"task1/{year}", ("001", "001_018"), "t1-1 18 mine") for year in (2018, 2019, 2020)),
    *((f"task2/{year}", ("001", "001_013"), "t2-1 13 mine") for year in (2018, 2019, 2020)),
    *((f"task1/{year}", ("900001", "900002"), "900001 900002 mine") for year in range(2021, 2027)),
    *((f"task2/{year}", ("001", "001_013"), "001 013 mine") for year in range(2021, 2027)),
    ("task2/2026", ("1025", "1025_004"), "1025 004 mine"),
    ("task3/2017/en", ("H98-1-2", "566"), "H98-1-2 566 mine"),
    ("task4/2017/en", ("H98-1-2", "Y"), "H98-1-2 Y mine"),
    *((f"task3/{year}/en", ("R99-1-A", "398-2"), "R99-1-A Q0 398-2 1 2.5 mine") for year in range(2018, 2026)),
    ("task1/2020", ("521", "521_000"), "t1-521 0 mine"),
    ("task1/sample", ("900001", "900002"), "900001 900002 mine"),
    ("task2/sample", ("900009", "900009_003"), "900009 003 mine"),
    *((f"task4/{year}/en", ("R99-1-A", "N"), "R99-1-A N mine") for year in range(2018, 2026)),
    ("task5/2021/en", ("R99-1-A", "N"), "R99-1-A N mine"),
    ("task3/2026/ja", ("R99-01-O", "7"), "R99-01-O Q0 7 1 2.5 mine"),
    ("task4/2026/ja", ("R99-01-O", "Y"), "R99-01-O Y mine"),
]


@pytest.mark.parametrize(("edition", "pair", "line"), OFFICIAL_LINES)
def test_the_line_of_an_edition_is_the_official_one(tmp_path, edition, pair, line):
    write_run(split(f"coliee/{edition}/test"), {pair[0]: {pair[1]: 2.5}}, tmp_path / "out", "mine")
    assert (tmp_path / "out").read_bytes() == f"{line}\n".encode()


# split, columns, file, long list, answers
FILES = [
    *((f"task{task}/{year}", THREE, f"task{task}.{{tag}}", "", "") for task in (1, 2) for year in YEARS),
    ("task3/2017/en", THREE, "{year}.task1.{tag}", "", ""),
    *((f"task3/{year}/en", SIX, "task3.{tag}", "task3-L.{tag}", "") for year in range(2018, 2026)),
    ("task3/sample/en", SIX, "task3.{tag}", "task3-L.{tag}", ""),
    ("task3/2026/ja", SIX, "task3-IR.{tag}", "", "task3-QA.{tag}"),
    ("task4/2017/en", THREE, "{year}.task2.{tag}", "", ""),
    *((f"task4/{year}/en", THREE, "task4.{tag}", "", "") for year in range(2018, 2023)),
    *((f"task4/{year}/en", THREE, "{year}.task4.{tag}", "", "") for year in range(2023, 2026)),
    ("task4/2026/ja", THREE, "task4.{tag}", "", ""),
    ("task5/2021/en", THREE, "task5.{tag}", "", ""),
    *(
        (f"pilot/{year}/{task}", (), "{test}_{team}_{affiliation}_{tag}.jsonl", "", "")
        for year in (2025, 2026)
        for task in ("prediction", "rationale")
    ),
]


@pytest.mark.parametrize(("edition", "columns", "file", "long_file", "answers_file"), FILES)
def test_the_files_of_an_edition_have_its_columns_and_names(edition, columns, file, long_file, answers_file):
    form = split(f"coliee/{edition}/test").submission
    assert (form.columns, form.file, form.long_file, form.answers_file) == (columns, file, long_file, answers_file)
    assert form.has_scores is (columns == SIX)


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
