"""The readers of tasks 1 and 2 on synthetic local copies; test_case_eras.py has the form of each era."""

import json
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def put_task1(home, texts, labels=None):
    corpus = home / "task1_test_files_2025"
    corpus.mkdir()
    for name, text in texts.items():
        (corpus / name).write_text(text, encoding="utf-8")
    if labels is not None:
        put_labels(home, labels)
    return corpus


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


FOUR = {f"90000{n}.txt": f"Decision {n}." for n in (1, 2, 3, 4)}

# --- task 1: documents -----------------------------------------------------------------------------


def test_the_documents_are_all_files_of_the_folder_ordered_by_number(home):
    put_task1(home, {"900010.txt": "ten", "99.txt": "small", "900009.txt": "nine"})
    assert list(cases.documents(LocalRelease.open(TASK1))) == [("99", "small"), ("900009", "nine"), ("900010", "ten")]


# --- task 1: queries and gold ----------------------------------------------------------------------


def test_only_the_label_file_says_which_documents_are_queries_and_in_which_order(home):
    put_task1(home, FOUR, {"900003.txt": ["900001.txt"], "900002.txt": ["900004.txt"]})
    assert list(cases.queries(LocalRelease.open(TASK1))) == [
        ("900003", "Decision 3."),
        ("900002", "Decision 2."),
    ]


def test_a_query_without_a_file_is_left_out_with_a_warning(home):
    put_task1(home, FOUR, {"900001.txt": [], "900007.txt": ["900001.txt"]})
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


def test_a_fragment_stands_as_it_is_beside_its_base_case(home):
    put_case(home, "901", {"001.txt": "a"}, fragment="\nOne.\nTwo.\n", base="[1]\nBefore. One.\nTwo.\n")
    assert list(cases.queries(LocalRelease.open(TASK2))) == [("901", "\nOne.\nTwo.\n")]
    (found,) = cases.full_queries(LocalRelease.open(TASK2))
    assert found == ("901", "\nOne.\nTwo.\n", "[1]\nBefore. One.\nTwo.\n")
    assert found.default_text() == "\nOne.\nTwo.\n"


@pytest.mark.parametrize("name", ["entailed_fragment.txt", "base_case.txt"])
def test_a_case_that_lacks_a_piece_is_refused_with_its_folder(home, name):
    folder = put_case(home, "901", {"001.txt": "a"})
    (folder / name).unlink()
    with pytest.raises(MissingReleaseError, match=name) as caught:
        cases.full_queries(LocalRelease.open(TASK2))
    assert str(folder) in str(caught.value)


def test_a_gold_paragraph_with_the_number_of_its_case_is_kept(home):
    put_case(home, "002", {"001.txt": "a", "002.txt": "b"})
    put_labels(home, {"002": ["002.txt"]}, "task2_train_labels_2098.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [qrel[:2] for qrel in cases.gold(LocalRelease.open(TASK2))] == [("002", "002_002")]


# --- files that are read when they are asked for ---------------------------------------------------


class Readings:
    """A file that counts how often it is read."""

    def __init__(self, text):
        self.text = text
        self.times = 0

    def read_bytes(self):
        self.times += 1
        return self.text.encode()


@given(st.none() | st.integers(-7, 7), st.none() | st.integers(-7, 7), st.sampled_from([None, 1, 2, -1, -3]))
def test_any_slice_is_that_of_a_list_and_reads_nothing(start, stop, step):
    files = [Readings(str(n)) for n in range(5)]
    records = cases.TextFiles([f"90000{n}" for n in range(5)], files, cases.Decision)
    split = records[start:stop:step]
    assert sum(file.times for file in files) == 0
    assert len(split) == len(range(5)[start:stop:step])
    assert split.ids == records.ids[start:stop:step]
    assert [int(record.text) for record in split] == list(range(5))[start:stop:step]


# --- task 1 until 2020 -----------------------------------------------------------------------------

POOLS = SPLITS["coliee/task1/2020/train"]


def put_pool(home, query, candidates):
    folder = home / "task1_train_2020" / query
    (folder / "candidates").mkdir(parents=True)
    (folder / "base_case.txt").write_text(f"Query {query}.")
    for candidate in candidates:
        (folder / "candidates" / f"{candidate}.txt").write_text(f"Candidate {candidate}.")
    return folder


def test_candidates_are_documents_by_query_and_number(home):
    put_pool(home, "010", ["002", "010", "001"])
    put_pool(home, "9", ["1"])
    assert list(cases.documents(LocalRelease.open(POOLS))) == [
        ("9_1", "Candidate 1."),
        ("010_001", "Candidate 001."),
        ("010_002", "Candidate 002."),
        ("010_010", "Candidate 010."),
    ]
    assert list(cases.queries(LocalRelease.open(POOLS))) == [("9", "Query 9."), ("010", "Query 010.")]


def test_labels_of_which_no_query_has_a_file_are_refused(home):
    put_task1(home, FOUR, {"900008.txt": ["900001.txt"]})
    with pytest.raises(MalformedFileError, match=f"no query has a file in {home}/"), pytest.warns(ColieeWarning):
        cases.gold(LocalRelease.open(TASK1))


def test_gold_that_names_no_document_counts_with_a_warning(home):
    put_task1(home, FOUR, {"900001.txt": ["900008.txt", "900002.txt"]})
    with pytest.warns(ColieeWarning, match=r"name no document, which are kept: 1 \(900001 900008\)"):
        assert [qrel[:2] for qrel in cases.gold(LocalRelease.open(TASK1))] == [
            ("900001", "900008"),
            ("900001", "900002"),
        ]
