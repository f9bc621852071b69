"""The readers of tasks 1 and 2 on synthetic local copies; test_case_eras.py has the form of each era."""

import json

import pytest
from fixture_releases import write_task1

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingReleaseError
from ir_coliee.releases import cases
from ir_coliee.releases.cases import read_json_labels
from ir_coliee.releases.release import LocalRelease

TASK1 = SPLITS["coliee/task1/2025/test"]
TASK2 = Split(
    "task2",
    "2098",
    "en",
    "train",
    {"corpus": ("task2_train_files_2098",), "labels": ("task2_train_labels_2098.json",)},
    layout="cases",
)


def put_labels(home, labels, name="task1_test_labels_2025.json"):
    path = home / name
    path.write_text(labels if isinstance(labels, str) else json.dumps(labels), encoding="utf-8")
    return path


def put_case(home, case, paragraphs, fragment="A fragment.", base="A base case."):
    folder = home / "task2_train_files_2098" / case
    (folder / "paragraphs").mkdir(parents=True)
    (folder / "base_case.txt").write_text(base, encoding="utf-8")
    (folder / "entailed_fragment.txt").write_text(fragment, encoding="utf-8")
    for name, text in paragraphs.items():
        (folder / "paragraphs" / name).write_text(text, encoding="utf-8")
    return folder


FOUR = {f"90000{n}": f"Decision {n}." for n in (1, 2, 3, 4)}

# --- task 1: documents -----------------------------------------------------------------------------


# --- task 1: queries and gold ----------------------------------------------------------------------


def test_a_query_without_a_file_is_left_out_with_a_warning(home):
    write_task1(home, FOUR, {"900001.txt": [], "900007.txt": ["900001.txt"]})
    with pytest.warns(ColieeWarning, match=r"task1_test_labels_2025\.json.*without a file.*900007"):
        assert [query.query_id for query in cases.queries(LocalRelease.open(TASK1))] == ["900001"]


# --- the label file --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "gold"),
    [
        ({"900001.txt": ["900002.txt", "900003.txt"]}, {"900001": ("900002", "900003")}),
        ({"001": ["901.txt"], "826": "902.txt, 903.txt"}, {"001": ("901",), "826": ("902", "903")}),
        ({"001": "901.txt,902.txt ,  903.txt,"}, {"001": ("901", "902", "903")}),
        ({"001": ["901"]}, {"001": ("901",)}),
        ({"001": ["903.txt", "901.txt", "903.txt"]}, {"001": ("903", "901", "903")}),
        ({"001": []}, {"001": ()}),
        ({"001": ""}, {"001": ()}),
        ({"001": ["", "901.txt"]}, {"001": ("901",)}),
        (["900004.txt", "900005.txt"], {"900004": (), "900005": ()}),
        ({"1025": "904.txt", "999": "905.txt"}, {"1025": ("904",), "999": ("905",)}),
        ({"txt.txt": ["ttt.txt"]}, {"txt": ("ttt",)}),
        ({}, {}),
        ([], {}),
    ],
)
def test_labels_are_read_in_every_form(tmp_path, content, gold):
    found = read_json_labels(put_labels(tmp_path, content))
    assert found == gold
    assert list(found) == list(gold)


@pytest.mark.parametrize("content", ['"900001.txt"', "3", "null", "true", '["900001.txt", 3]', '[["900001.txt"]]'])
def test_a_label_file_of_another_shape_is_refused(tmp_path, content):
    with pytest.raises(MalformedFileError, match="neither an object nor a list of names"):
        read_json_labels(put_labels(tmp_path, content))


@pytest.mark.parametrize("value", [None, 3, True, {"901.txt": 1}, ["901.txt", 3], [["901.txt"]]])
def test_a_label_value_of_unknown_type_is_refused_with_its_query(tmp_path, value):
    with pytest.raises(MalformedFileError, match="002"):
        read_json_labels(put_labels(tmp_path, {"001": ["901.txt"], "002": value}))


# --- task 2 ----------------------------------------------------------------------------------------


def test_cases_and_paragraphs_are_ordered_by_number_and_keep_their_padding(home):
    put_case(home, "1000", {"010.txt": "j", "002.txt": "b", "1001.txt": "k"})
    put_case(home, "999", {"001.txt": "a"})
    assert list(cases.documents(LocalRelease.open(TASK2))) == [
        ("999_001", "a", "999"),
        ("1000_002", "b", "1000"),
        ("1000_010", "j", "1000"),
        ("1000_1001", "k", "1000"),
    ]
    assert [fragment.query_id for fragment in cases.queries(LocalRelease.open(TASK2))] == ["999", "1000"]


@pytest.mark.parametrize("name", ["entailed_fragment.txt", "base_case.txt"])
def test_a_case_that_lacks_a_piece_is_refused_with_its_folder(home, name):
    folder = put_case(home, "901", {"001.txt": "a"})
    (folder / name).unlink()
    with pytest.raises(MissingReleaseError, match=name) as caught:
        cases.full_queries(LocalRelease.open(TASK2))
    assert str(folder) in str(caught.value)


# --- files that are read when they are asked for ---------------------------------------------------


# --- task 1 until 2020 -----------------------------------------------------------------------------


def test_labels_of_which_no_query_has_a_file_are_refused(home):
    write_task1(home, FOUR, {"900008.txt": ["900001.txt"]})
    with pytest.raises(MalformedFileError, match=f"no query has a file in {home}/"), pytest.warns(ColieeWarning):
        cases.gold(LocalRelease.open(TASK1))


def test_gold_that_names_no_document_counts_with_a_warning(home):
    write_task1(home, FOUR, {"900001.txt": ["900008.txt", "900002.txt"]})
    with pytest.warns(ColieeWarning, match=r"name no document, which are kept: 1 \(900001 900008\)"):
        assert [qrel[:2] for qrel in cases.gold(LocalRelease.open(TASK1))] == [
            ("900001", "900008"),
            ("900001", "900002"),
        ]
