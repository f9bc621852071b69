"""A user's own editions below the data folder: the registry, the listings, the command line, and their mistakes."""

import os
import re
from pathlib import Path

import ir_datasets
import pytest

from ir_coliee import editions
from ir_coliee.datasets.folds import edition_blocks
from ir_coliee.editions import BUILT_IN_FOLDER, SPLITS
from ir_coliee.editions.files import read_edition_file
from ir_coliee.editions.schema import validate_edition_file
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingLabelsError, UnknownIdError

TASK1, TASK3 = "coliee/task1/2027/test", "coliee/task3/2027/en/test"
VALID = """\
edition: 2027
task1:
  like: 2026
  train:
    counts: {queries: 2401 M, docs: 9000 M}
  test:
    counts: {queries: 400 M}
"""


def test_the_file_of_ids_has_the_ids_of_this_packages_editions(home):
    ids = (BUILT_IN_FOLDER / "ids.txt").read_text(encoding="ascii").split()
    assert ids == editions.dataset_ids(), "run python -m ir_coliee.editions"


def test_an_edition_is_registered_when_it_is_asked_for(write):
    assert TASK1 not in ir_datasets.registry._registered
    write(VALID)
    assert ir_datasets.load(TASK1).queries_count() == 400
    assert "2027" in ir_datasets.load("coliee/task1/2027/train/full").documentation()["pretty_name"]
    for unknown in ("coliee/task1/2027/dev", "coliee/task2/2027/test", "coliee/task1/2028/test"):
        with pytest.raises(UnknownIdError):
            ir_datasets.load(unknown)


def test_the_first_of_several_data_folders_counts(home, write, monkeypatch, tmp_path):
    write(VALID)
    second = tmp_path / "second" / "editions"
    second.mkdir(parents=True)
    (second / "2027.yaml").write_text(VALID.replace("400 M", "5 M"), encoding="utf-8")
    (second / "2028.yaml").write_text(VALID.replace("2027", "2028"), encoding="utf-8")
    for folders, expected in (((home, second.parent), [400, 400]), ((second.parent,), [5, 400])):
        monkeypatch.setenv("COLIEE_HOME", os.pathsep.join(map(str, folders)))
        tests = [editions.split(f"coliee/task1/{year}/test") for year in (2027, 2028)]
        assert [split.counts["queries"] for split in tests] == expected
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "none"))
    assert TASK1 not in SPLITS


def test_names_for_both_splits_replace_those_that_are_taken_over_for_each(write):
    own = "files: {labels: [both.json]}\n  train: {files: {labels: [one.json]}}"
    write(f"edition: 2027\ntask1:\n  like: 2026\n  {own}\n")
    train, test, before = (editions.split(f"coliee/task1/{name}") for name in ("2027/train", "2027/test", "2026/test"))
    assert (train.files["labels"], test.files["labels"]) == (("one.json",), ("both.json",))
    assert test.files["corpus"] == tuple(name.replace("2026", "2027") for name in before.files["corpus"])


@pytest.mark.parametrize("arguments", [("list",), ("status",), ("audit", TASK1)])
def test_a_mistake_ends_a_command_with_status_2_and_names_file_and_line(write, call, arguments):
    path = write(VALID.replace("like", "likes"))
    status, _, err = call(*arguments)
    assert (status, "Traceback" in err) == (2, False)
    assert str(path) in err.replace("\n", "")
    assert "line 3" in err
    assert "unknown key likes" in err


# --- the facts of this package's editions ------------------------------------------------------------


def test_a_train_split_continues_the_splits_of_the_edition_before():
    continued = {split.id: split.continues for split in SPLITS.values() if split.continues}
    assert set(continued) == {
        *(f"coliee/task1/{year}/train" for year in (2024, 2025)),
        *(f"coliee/task2/{year}/train" for year in range(2020, 2027)),
    }
    for dataset_id, earlier in continued.items():
        split = SPLITS[dataset_id]
        before = [split.id.replace(split.edition, str(split.year - 1)), f"coliee/{split.task}/{split.year - 1}/test"]
        assert list(earlier) == before
        blocks = edition_blocks(dataset_id)
        assert min(blocks) > 0
        assert sum(blocks) == split.counts["queries"]


STATUTES = """\
edition: {}
statutes: {{like: 2025, train: {{exam_years: {}}}, test: {{exam_years: {}}}}}
task4: {{like: 2025, train: {{}}, test: {{}}}}
"""


def test_missing_labels_name_the_later_edition_whose_train_files_have_them(write, home):
    write(STATUTES.format("2027", "R97", "R98"))
    (home / "riteval_R98_en.xml").write_text('<questions><pair id="R98-01-A"><t1/><t2>A lamp.</t2></pair></questions>')
    test = ir_datasets.load("coliee/task4/2027/en/test")
    with pytest.raises(MissingLabelsError) as alone:
        list(test.qrels_iter())
    assert "have the labels" not in str(alone.value)
    write(STATUTES.format("2028", "R97-R98", "R99"), "2028")
    with pytest.raises(MissingLabelsError, match="labels of these queries: coliee/task4/2028/en/r98"):
        list(test.qrels_iter())


def test_a_missing_label_file_names_the_later_edition_that_continues_the_split(write, home):
    write(VALID)
    write(VALID.replace("2027", "2028").replace("train:", "train:\n    continues: [2027 test]"), "2028")
    (home / "task1_test_files_2027").mkdir()
    (home / "task1_test_files_2027" / "900001.txt").write_text("A decision.", encoding="utf-8")
    with pytest.raises(MissingLabelsError, match="labels of these queries: coliee/task1/2028/train"):
        list(ir_datasets.load(TASK1).qrels_iter())


def refused(path, dataset_id=TASK1):
    with pytest.raises(MalformedFileError) as caught:
        editions.split(dataset_id)
    assert caught.value.path == path
    assert len(str(caught.value).removeprefix(str(path)).splitlines()[0]) < 400
    return caught.value


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (1, "edition: Twenty", "edition is Twenty.\nExpected: a year, or a word in lower case"),
        (1, "edition: 2028", "edition is 2028, but the file has another name.\nExpected: a file named 2028.yaml"),
        (1, "edition: {a: b}", "edition is {'a': 'b'}"),
        (1, "year: 2027", "the key edition is missing"),
        (2, "task6:", "unknown key task6.\nExpected: a key of this section"),
        (3, "  likes: 2026", "unknown key likes"),
        (3, "  like: 26 and more", "like is 26 and more.\nExpected: a year"),
        (3, "  like: 2028", "like: 2028 names no edition"),
        (3, "  like: 2027", "like: 2027 follows this edition in turn"),
        (3, "  like: 2017", "COLIEE 2017 has no section task1"),
        (3, "  layout: round", "layout is round.\nExpected: one of: flat, pools, cases"),
        (3, "  labels: CSV", "labels is CSV.\nExpected: one of: JSON, XML"),
        (3, "  leaderboard: 2099-task1", "leaderboard is 2099-task1.\nExpected: the name of a leaderboard"),
        (3, "  submission: 5", "submission is 5.\nExpected: a valid dictionary."),
        (3, '  submission: {file: "task1.{run}"}', "file is task1.{run}.\nExpected: a file name"),
        (3, '  submission: {file: "../{tag}"}', "file is ../{tag}.\nExpected: a file name without a folder"),
        (3, '  files: {corpus: "a/b"}', "corpus is a/b.\nExpected: a file name"),
        (3, '  files: {corpus: "files_{"}', "corpus is files_{."),
        (5, "    counts: {queries: 9000}", "queries is 9000.\nExpected: a number and its certainty (M, O, R"),
        (5, "    counts: {queries: 0 M}", "queries is 0 M"),
        (5, "    continues: [2026]", "continues is 2026.\nExpected: an earlier split such as 2019 train"),
        (5, "    continues: [2027 test]", "continues names 2027 test, which is not earlier than 2027"),
        (6, "  train:", "the key train is already on line 4"),
        (7, "    counts: !odd 5", "the tag '!odd'"),
        (7, "    counts: &x {queries: 400 M}", "YAML anchors"),
    ],
)
def test_a_mistake_is_named_with_file_and_line(write, line, text, said):
    lines = VALID.splitlines()
    lines[line - 1] = text
    error = refused(write("\n".join(lines) + "\n"))
    assert said in str(error)
    if not text.startswith("year"):  # a missing key has no line
        assert error.line == line or "continues names" in said


EXAMS = "edition: 2027\nstatutes: {{like: 2025, train: {{exam_years: {}}}, test: {{{}}}}}\ntask3: {{like: 2025}}\n"


@pytest.mark.parametrize(
    ("text", "dataset_id", "said"),
    [
        ("edition: 2027\ntask1: {train: {}}\n", TASK1, "task1, or the section of its files, has no layout"),
        ("edition: 2027\ntask1:\n  like: 2026\n  submission: null\n", TASK1, "has no submission.\nExpected: this key"),
        ("edition: 2027\ntask1:\n  like: 2026\n  test:\n    files: {labels: null}\n", TASK1, "has no labels"),
        ("edition: 2027\ntask3: {like: 2025}\n", TASK3, "task3, or the section of its files, has no statutes"),
        ("edition: 2027\nstatutes: {like: 2025}\ntask3: {like: 2025}\n", TASK3, "has no exam_years"),
        (EXAMS.format("H18-R05", "exam_years: R00"), TASK3, "exam_years is R00"),
        *(
            (EXAMS.format(years, "exam_years: R08"), TASK3, f"exam_years is {years}")
            for years in ("H99", "H31-R01", "H29-H28", "R02-H30", "H1\u0668", "2006")
        ),
        (
            EXAMS.format("H18-R05", "exam_years: R05-R06"),
            TASK3,
            "two splits have the id coliee/task3/2027/en/r05",
        ),
        (
            EXAMS.format("H18-R05", "exam_years: R06, exam_year_counts: {en: {R06: [yes]}}"),
            TASK3,
            "R06 is True.\nExpected: a valid integer",
        ),
        ("edition: mine\ntask1: {like: 2026, train: {}}\n", "coliee/task1/mine/train", "the key year is missing"),
        *((f"{VALID}year: {year}\n", TASK1, f"year is {year}") for year in ("1999", "10000", "2027.5")),
        *((content, TASK1, "not a mapping") for content in ("", "- a list\n", "text")),
        # YAML that is not plain
        ("edition: !!binary aGVsbG8=\n", TASK1, "edition is b'hello'"),
        ("edition: !!python/object/apply:os.getcwd []\n", TASK1, "could not determine a constructor"),
        ("? [a, b]\n: c\n", TASK1, "unhashable key"),
        ("edition: 2027\ntask1: " + "[" * 20_000 + "]" * 20_000, TASK1, "nest"),
        ("edition: 2027\ntask1: " + "{a: " * 3_000 + "5" + "}" * 3_000, TASK1, "more than 20 nested values"),
        pytest.param(f"{VALID}year: {'9' * 5000}\n", TASK1, "", id="a very long number"),
    ],
)
def test_what_an_edition_lacks_or_cannot_have_is_named(write, text, dataset_id, said):
    path = write(text, dataset_id.split("/")[2])
    assert said in str(refused(path, dataset_id))
    assert editions.split("coliee/task1/sample/test").edition == "sample"
    with pytest.raises(UnknownIdError):
        editions.split("coliee/task1/2028/test")


def test_a_file_that_is_not_read_is_named_in_a_warning(write):
    write(VALID, "2026")
    with pytest.warns(ColieeWarning, match=r"2026\.yaml is not read: .*has its edition"):
        assert "2027" not in editions.editions()


PLACES = {
    "folder": (lambda path: path.mkdir(), "it cannot be read"),
    "dangling link": (lambda path: path.symlink_to(path.parent / "nowhere"), "it cannot be read"),
    "pipe": (os.mkfifo, "this is a pipe or a device"),
}


@pytest.mark.skipif(os.name != "posix", reason="POSIX links and pipes")
@pytest.mark.parametrize("kind", PLACES)
def test_a_file_that_cannot_be_read_is_named_and_does_not_hinder_the_others(home, kind):
    make, problem = PLACES[kind]
    make(home / "editions" / "2027.yaml")
    with pytest.raises(MalformedFileError, match=rf"2027\.yaml: {problem}"):
        editions.edition("2027")
    assert editions.split("coliee/task1/2025/test").counts["queries"] == 400
    assert "coliee/task1/2025/test" in {split.id for split in editions.readable_splits()}


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

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "add-an-edition.md").read_text(encoding="utf-8")


def test_the_editions_of_the_package_keep_the_schema():
    for path in BUILT_IN_FOLDER.glob("*.yaml"):
        validate_edition_file(read_edition_file(path))


def test_the_file_on_the_page_is_complete(write):
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    write(text)
    found = editions.edition("2027")
    tasks = {"task1", "task2", "task3", "task4", "prediction", "rationale"}
    assert {split.task for split in found.splits.values()} == tasks
    assert found.splits[TASK1].files["corpus"][0] == "task1_test_2027"
    assert found.splits["coliee/task3/2027/ja/test"].counts["queries"] == 80
