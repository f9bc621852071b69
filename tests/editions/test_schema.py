"""Edition files with mistakes: each is an error that names the file, the line, the value and what was expected."""

import os
import re
from pathlib import Path

import pytest

from ir_coliee import editions
from ir_coliee.editions import SPLITS
from ir_coliee.editions.catalogue import BUILT_IN_FOLDER
from ir_coliee.editions.files import OWN_FACTS, read_edition_file
from ir_coliee.editions.schema import Keys, validate_edition_file
from ir_coliee.errors import ColieeWarning, MalformedFileError, UnknownIdError

TASK1 = "coliee/task1/2027/test"

VALID = """\
edition: 2027
task1:
  like: 2026
  train:
    counts: {queries: 2401 M, docs: 9000 M}
  test:
    counts: {queries: 400 M}
"""


def refused(path, dataset_id=TASK1):
    with pytest.raises(MalformedFileError) as caught:
        editions.split(dataset_id)
    assert caught.value.path == path
    assert len(str(caught.value).removeprefix(str(path)).splitlines()[0]) < 400
    return caught.value


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (3, "  likes: 2026", "unknown key likes (did you mean like?)"),
        (3, "  like: 26 and more", "like is 26 and more.\nExpected: the name of another edition"),
        (3, "  like: 2028", "like: 2028 names no edition"),
        (3, "  like: 2027", "like: 2027 follows this edition in turn"),
        (3, "  like: 2017", "COLIEE 2017 has no section task1"),
        (3, "  layout: round", "layout is round.\nExpected: one of: flat, pools, cases"),
        (3, "  labels: CSV", "labels is CSV.\nExpected: one of: JSON, XML"),
        (3, "  measure: F1", "measure is F1.\nExpected: one of: MicroF1"),
        (3, "  languages: [fr]", "languages is fr.\nExpected: one of: en, ja"),
        (3, "  shares_corpus: perhaps", "shares_corpus is perhaps.\nExpected: true or false"),
        (3, "  submission: 5", "submission is 5.\nExpected: a mapping"),
        (3, "  submission: {format: a table}", "format is a table.\nExpected: one of: answer set"),
        (3, '  submission: {file: "task1.{run}"}', "file is task1.{run}.\nExpected: a file name"),
        (3, '  submission: {file: "{year}.{tag}"}', "file is {year}.{tag}.\nExpected: a file name without a folder"),
        (3, '  submission: {long_file: "{test}"}', "long_file is {test}.\nExpected: a file name without a folder"),
        (3, '  submission: {mail_subject: "{tag}"}', "mail_subject is {tag}.\nExpected: a text"),
        (3, '  submission: {file: "../{tag}"}', "file is ../{tag}.\nExpected: a file name without a folder"),
        (3, '  files: {corpus: "a/b"}', "corpus is a/b.\nExpected: a file name"),
        (3, '  files: {corpus: "files_{year}"}', "corpus is files_{year}"),
        (3, '  files: {corpus: "files_{"}', "corpus is files_{."),
        (3, "  files: {corpus: []}", "corpus is the list []"),
        (3, "  files: {corpora: x}", "unknown key corpora (did you mean corpus?)"),
        (
            5,
            "    counts: {queries: 9000}",
            "queries is 9000.\nExpected: a number and its certainty (M, O, R, C, D or U)",
        ),
        (5, "    counts: {queries: 9000 X}", "queries is 9000 X"),
        (5, "    counts: {queries: 0 M}", "queries is 0 M"),
        (5, "    counts: {query: 9 M}", "unknown key query (did you mean queries?)"),
        (5, "    continues: [2026]", "continues is 2026.\nExpected: an earlier split such as 2019 train"),
        (5, "    counts: [9 M]", "counts is the list ['9 M'].\nExpected: a mapping"),
        (1, "edition: Twenty", "edition is Twenty.\nExpected: a year, or a word in lower case"),
        (1, "edition: 2028", "edition is 2028, but the file has another name.\nExpected: a file named 2028.yaml"),
        (1, "edition: {a: b}", "edition is a mapping"),
        (
            3,
            "  leaderboard: 2099-task1",
            "leaderboard is 2099-task1.\nExpected: the name of a leaderboard of the package",
        ),
        (2, "task6:", "unknown key task6 (did you mean task"),
        (7, "    counts: {queries: 400 M", "did not find expected"),
        (7, "    counts: &x {queries: 400 M}\n    files: *x", "YAML anchors are not supported"),
        (6, "  train:", "the key train is already on line 4"),
        (7, "    counts: !odd 5", "the YAML tag !odd is not supported"),
    ],
)
def test_a_mistake_is_named_with_file_and_line(write, line, text, said):
    lines = VALID.splitlines()
    lines[line - 1] = text
    path = write("\n".join(lines) + "\n")
    error = refused(path)
    assert said in str(error)
    if "did not find" not in said and "anchor" not in said:
        assert error.line == line


@pytest.mark.parametrize(
    ("text", "dataset_id", "said"),
    [
        ("edition: 2027\ntask1: {train: {}}\n", TASK1, "task1 has no measure"),
        (
            "edition: 2027\ntask1:\n  like: 2026\n  layout: null\n",
            TASK1,
            "task1 has no layout.\nExpected: layout, or like: EDITION",
        ),
        ("edition: 2027\ntask1:\n  like: 2026\n  submission: null\n", TASK1, "task1 has no submission"),
        (
            "edition: 2027\ntask1:\n  like: 2026\n  test:\n    files: {labels: null}\n",
            TASK1,
            "task1 has no test.files.labels",
        ),
        ("edition: 2027\ntask3: {like: 2026}\n", "coliee/task3/2027/ja/test", "task3 is described, but not its files"),
        (
            "edition: 2027\nstatutes: {like: 2026}\ntask3: {like: 2026}\n",
            "coliee/task3/2027/ja/test",
            "statutes has no train.exam_years",
        ),
    ],
)
def test_what_an_edition_lacks_is_named(write, text, dataset_id, said):
    assert said in str(refused(write(text), dataset_id))


@pytest.mark.parametrize(
    ("years", "is_valid"),
    [("R06", True), ("H18-R06", True), ("H29-H28", False), ("R02-H30", False), ("2006", False), ("R6", False)],
)
def test_exam_years_are_one_or_a_range(write, years, is_valid):
    path = write(
        f"edition: 2027\nstatutes:\n  like: 2026\n  train: {{exam_years: {years}}}\n"
        "  test: {exam_years: R08}\ntask3: {like: 2026}\n"
    )
    if is_valid:
        assert editions.split("coliee/task3/2027/ja/test").exam_years == ("R08",)
    else:
        assert f"exam_years is {years}" in str(refused(path, "coliee/task3/2027/ja/test"))


@pytest.mark.parametrize("content", ["", "- a list\n", "text"])
def test_a_file_without_keys_is_no_edition(write, content):
    assert "not a mapping" in str(refused(write(content)))


def test_a_file_that_is_no_utf_8_is_named(write):
    path = write("")
    path.write_bytes(b"edition: \xff\n")
    assert "YAML in UTF-8" in str(refused(path))


def test_an_edition_with_a_word_for_a_name_states_the_year_of_its_layout(write):
    path = write("edition: mine\ntask1: {like: 2026, train: {}}\n", "mine")
    assert "the key year is missing" in str(refused(path, "coliee/task1/mine/train"))
    write("edition: mine\nyear: 2026\ntask1: {like: 2026, train: {}}\n", "mine")
    assert editions.split("coliee/task1/mine/train").year == 2026


def test_a_file_with_another_suffix_is_not_read(write, tmp_path):
    path = write(VALID, "2027")
    path.rename(path.with_suffix(".yml"))
    with pytest.warns(ColieeWarning, match=r"2027\.yml is not read: rename it to 2027\.yaml"):
        assert "2027" not in editions.editions()


@pytest.mark.parametrize(
    "kind",
    ["folder", pytest.param("dangling link", marks=pytest.mark.skipif(os.name != "posix", reason="POSIX links"))],
)
def test_a_file_that_cannot_be_read_is_named_and_does_not_hinder_the_others(write, kind):
    path = write(VALID, "2027")
    path.unlink()
    if kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path.parent / "nowhere")
    with pytest.raises(MalformedFileError, match=r"2027\.yaml: it cannot be read"):
        editions.editions()
    assert editions.split("coliee/task1/2025/test").counts["queries"] == 400
    assert "coliee/task1/2025/test" in {split.id for split in editions.readable_splits()}


def test_a_mistake_in_one_file_does_not_hinder_the_others(write):
    write("edition: 2027\ntask9: {}\n")
    write(VALID.replace("2027", "2028"), "2028")
    assert editions.split("coliee/task1/2025/test").counts["queries"] == 400
    assert editions.split("coliee/task1/2028/train").counts["queries"] == 2401
    with pytest.raises(UnknownIdError) as caught:
        editions.split("coliee/task1/2028/tset")
    assert "coliee/task1/2028/test" in caught.value.nearest
    with pytest.raises(MalformedFileError, match="task9"):
        list(SPLITS)


def test_a_changed_file_is_read_again(write):
    write(VALID)
    assert editions.split(TASK1).counts["queries"] == 400
    write(VALID.replace("{queries: 400 M}", "{queries: 4001 M}"))
    assert editions.split(TASK1).counts["queries"] == 4001
    write(VALID.replace("2026", "2028"))
    write(VALID.replace("2027", "2028").replace("400 M", "5 M"), "2028")
    assert editions.split(TASK1).files == {
        role: tuple(name.replace("2028", "2027") for name in names)
        for role, names in editions.split("coliee/task1/2028/test").files.items()
    }


def test_like_takes_over_form_and_not_facts(write):
    write(VALID)
    mine, other = (editions.split(f"coliee/task1/{year}/test") for year in (2027, 2026))
    assert mine.submission == other.submission
    assert (mine.layout, mine.labels, mine.measure) == (other.layout, other.labels, other.measure)
    assert mine.counts == {"queries": 400}
    assert mine.leaderboard == ""
    assert mine.files["corpus"] == tuple(name.replace("2026", "2027") for name in other.files["corpus"])


# --- the files of the package ------------------------------------------------------------------------

FILES = sorted(BUILT_IN_FOLDER.glob("*.yaml"))


def test_the_editions_of_the_package_keep_the_schema():
    assert [path.stem for path in FILES] == [*(str(year) for year in range(2017, 2027)), "sample"]
    for path in FILES:
        validate_edition_file(read_edition_file(path))


def test_the_file_on_the_page_is_complete(write):
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "add-an-edition.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    write(text)
    found = editions.edition("2027")
    assert {split.task for split in found.splits.values()} == {
        "task1",
        "task2",
        "task3",
        "task4",
        "prediction",
        "rationale",
    }
    assert found.splits[TASK1].files["corpus"][0] == "task1_test_2027"
    assert found.splits["coliee/task3/2027/ja/test"].counts["queries"] == 80


def test_the_page_names_every_key():
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "add-an-edition.md").read_text(encoding="utf-8")
    keys = {
        key
        for model in Keys.__subclasses__()
        for known in (model, *model.__subclasses__())
        for key in known.model_fields
    }
    assert {key for key in keys if f"`{key}`" not in page} <= {"built_in", "like", "train", "test"}
    assert {key for key in OWN_FACTS if f"`{key}`" not in page} == set()


# --- YAML that is not plain ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("edition: !!map 2027\n", "the YAML tag tag:yaml.org,2002:map"),
        ("edition: !!seq 2027\n", "the YAML tag tag:yaml.org,2002:seq"),
        ("edition: !!seq {a: 1}\n", "the YAML tag tag:yaml.org,2002:seq"),
        ("edition: 2027\nyear: !!int [a]\n", "the YAML tag tag:yaml.org,2002:int"),
        ("edition: 2027\nbuilt_in: !!bool [a]\n", "the YAML tag tag:yaml.org,2002:bool"),
        ("edition: 2027\ntask1: !!map [a, b]\n", "the YAML tag tag:yaml.org,2002:map"),
        ("edition: 2027\ntask1: !!set {a, b}\n", "the YAML tag tag:yaml.org,2002:set"),
        ("edition: !!binary aGVsbG8=\n", "the YAML tag tag:yaml.org,2002:binary"),
        (
            "edition: !!python/object/apply:os.getcwd []\n",
            "the YAML tag tag:yaml.org,2002:python/object/apply:os.getcwd",
        ),
        ("!!map [a]\n", "the YAML tag tag:yaml.org,2002:map"),
        ("? [a, b]\n: c\n", "a sequence is not a valid key"),
        ("{a: b}: c\n", "a mapping is not a valid key"),
        ("edition: 2027\ntask1: " + "[" * 20_000 + "]" * 20_000, "nest"),
        ("edition: 2027\ntask1: " + "{a: " * 3_000 + "5" + "}" * 3_000, "too many nested values"),
    ],
)
def test_tags_and_nested_values_are_refused(write, content, said):
    path = write(content)
    assert said in str(refused(path))
    assert editions.split("coliee/task1/sample/test").edition == "sample"
    with pytest.raises(UnknownIdError):
        editions.split("coliee/task1/2028/test")


# --- numbers and years that cannot be -------------------------------------------------------------------


@pytest.mark.parametrize("year", ["-5", "0", "1", "1999", "10000", "true", "2027.5", "9" * 5000])
def test_a_year_that_cannot_be_is_refused(write, year):
    assert ".\nExpected: a year from 2000 to 2099" in str(refused(write(f"{VALID}year: {year}\n")))


def test_a_truth_value_is_no_number_of_questions(write):
    path = write("edition: 2027\nstatutes: {like: 2025, test: {exam_years: R06, exam_year_counts: {en: {R06: [yes]}}}}")
    assert "R06 is the list [True]" in str(refused(path, "coliee/task3/2027/en/test"))


STATUTES = """\
edition: 2027
statutes: {{like: 2025, train: {{exam_years: {}}}, test: {{exam_years: {}}}}}
task3: {{like: 2025, train: {{}}, test: {{}}}}
"""


@pytest.mark.parametrize(
    ("train", "test", "said"),
    [
        ("H18-R05", "R00", "exam_years is R00"),
        ("H99", "R06", "exam_years is H99"),
        ("H31", "R06", "exam_years is H31"),
        ("H31-R01", "R06", "exam_years is H31-R01"),
        ("H1\u0668", "R06", "exam_years is H1\u0668"),
        ("H18-R05", "R05-R06", "train and test both have the exam year R05"),
    ],
)
def test_an_exam_year_that_does_not_exist_or_is_in_two_splits_is_refused(write, train, test, said):
    assert said in str(refused(write(STATUTES.format(train, test)), "coliee/task3/2027/en/test"))


@pytest.mark.parametrize("earlier", ["2027 train", "2027 test", "2028 train"])
def test_a_split_continues_only_earlier_editions(write, earlier):
    path = write(f"edition: 2027\ntask1: {{like: 2026, train: {{continues: [{earlier}]}}, test: {{}}}}\n")
    assert f"continues names {earlier}, which is not earlier than 2027" in str(refused(path))
