"""The readers of tasks 1 and 2 on synthetic local copies; test_case_eras.py has the form of each era."""

import contextlib
import json
import os
import tracemalloc
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import gold_lists

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError, MissingLabelsError, MissingReleaseError
from ir_coliee.releases import cases
from ir_coliee.releases import cases as case_gold
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


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


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
    assert list(cases.decisions(LocalRelease.open(TASK1))) == [("99", "small"), ("900009", "nine"), ("900010", "ten")]


def test_litter_in_the_folder_is_no_document(home):
    corpus = put_task1(
        home,
        {"900001.txt": "one", "._900001.txt": "", ".DS_Store": "", "mapping.txt": "", "900002.json": "", "notes": ""},
    )
    (corpus / "__MACOSX").mkdir()
    (corpus / "__MACOSX" / "900003.txt").write_text("three")
    assert [decision.doc_id for decision in cases.decisions(LocalRelease.open(TASK1))] == ["900001"]


def test_an_empty_folder_is_no_copy(home):
    corpus = put_task1(home, {".DS_Store": ""})
    with pytest.raises(MissingReleaseError, match=r"whose names are numbers\.\nNot accepted, ") as caught:
        cases.decisions(LocalRelease.open(TASK1))
    assert str(corpus) in str(caught.value)


def test_documents_can_be_asked_for_by_position_by_slice_and_by_id(home):
    put_task1(home, FOUR)
    files = cases.decisions(LocalRelease.open(TASK1))
    assert len(files) == 4
    assert files[0] == ("900001", "Decision 1.")
    assert files[-1] == ("900004", "Decision 4.")
    assert [decision.doc_id for decision in files[1:3]] == ["900002", "900003"]
    assert files[files.ids.index("900003")].text == "Decision 3."
    with pytest.raises(IndexError):
        files[4]


def test_a_decision_keeps_its_text_but_for_bom_and_carriage_returns(home):
    corpus = put_task1(home, {"900001.txt": ""})
    (corpus / "900001.txt").write_bytes("\ufeff <FRAGMENT_SUPPRESSED>  (FC)\r\n[1]\r\nOne.\u00a0 \r\n".encode())
    (decision,) = cases.decisions(LocalRelease.open(TASK1))
    assert decision.text == " <FRAGMENT_SUPPRESSED>  (FC)\n[1]\nOne.\u00a0 \n"
    assert decision.default_text() == decision.text


def test_an_empty_decision_loads_with_a_warning_that_names_the_file(home):
    put_task1(home, {"900001.txt": "", "900002.txt": "two"})
    with pytest.warns(ColieeWarning, match=r"900001\.txt: texts without a letter or digit: 1 \(900001\)"):
        assert [decision.text for decision in cases.decisions(LocalRelease.open(TASK1))] == ["", "two"]


def test_a_file_that_is_added_later_is_seen(home):
    corpus = put_task1(home, {"900001.txt": "one"})
    os.utime(corpus, ns=(1, 1))
    assert len(cases.decisions(LocalRelease.open(TASK1))) == 1
    (corpus / "900002.txt").write_text("two")
    assert len(cases.decisions(LocalRelease.open(TASK1))) == 2


# --- task 1: queries and gold ----------------------------------------------------------------------


def test_only_the_label_file_says_which_documents_are_queries_and_in_which_order(home):
    put_task1(home, FOUR, {"900003.txt": ["900001.txt"], "900002.txt": ["900004.txt"]})
    assert list(cases.decision_queries(LocalRelease.open(TASK1))) == [
        ("900003", "Decision 3."),
        ("900002", "Decision 2."),
    ]


def test_the_gold_has_no_extension_and_relevance_one(home):
    put_task1(home, FOUR, {"900003.txt": ["900004.txt", "900001.txt"], "900002.txt": ["900003.txt"]})
    assert case_gold.gold(LocalRelease.open(TASK1)) == [
        ("900003", "900004", 1),
        ("900003", "900001", 1),
        ("900002", "900003", 1),
    ]


def test_a_case_that_notices_itself_is_left_out_with_a_warning(home):
    put_task1(home, FOUR, {"900003.txt": ["900003.txt", "900001.txt"], "900002.txt": ["900001.txt"]})
    with pytest.warns(ColieeWarning, match="themselves.*900003") as caught:
        gold = case_gold.gold(LocalRelease.open(TASK1))
    assert [qrel[:2] for qrel in gold] == [("900003", "900001"), ("900002", "900001")]
    assert "900002" not in str(caught[0].message)


def test_identical_texts_stay_two_documents(home):
    put_task1(home, {"900001.txt": "same", "900002.txt": "same"})
    assert len(list(cases.decisions(LocalRelease.open(TASK1)))) == 2


def test_a_query_without_a_file_is_left_out_with_a_warning(home):
    put_task1(home, FOUR, {"900001.txt": [], "900007.txt": ["900001.txt"]})
    with pytest.warns(ColieeWarning, match=r"task1_test_labels_2025\.json.*without a file.*900007"):
        assert [query.query_id for query in cases.decision_queries(LocalRelease.open(TASK1))] == ["900001"]


@pytest.mark.parametrize("labels", [["900003.txt", "900002.txt"], {"900003.txt": [], "900002.txt": []}])
def test_where_labels_are_not_published_queries_load_and_gold_says_what_is_missing(home, labels):
    put_task1(home, FOUR)
    put_labels(home, labels, "task1_test_no_labels_2025.json")
    assert [query.query_id for query in cases.decision_queries(LocalRelease.open(TASK1))] == ["900003", "900002"]
    with pytest.raises(MissingLabelsError) as caught:
        case_gold.gold(LocalRelease.open(TASK1))
    message = str(caught.value)
    assert "coliee/task1/2025/test" in message
    assert str(home / "task1_test_no_labels_2025.json") in message
    assert "task1_test_labels_2025.json" in message


def test_published_labels_go_before_the_file_without_labels(home):
    put_task1(home, FOUR, {"900003.txt": ["900001.txt"]})
    put_labels(home, ["900003.txt"], "task1_test_no_labels_2025.json")
    assert [qrel[:2] for qrel in case_gold.gold(LocalRelease.open(TASK1))] == [("900003", "900001")]


def test_labels_that_are_published_later_are_found_without_a_new_process(home):
    put_task1(home, FOUR)
    put_labels(home, ["900003.txt"], "task1_test_no_labels_2025.json")
    with pytest.raises(MissingLabelsError):
        case_gold.gold(LocalRelease.open(TASK1))
    put_labels(home, {"900003.txt": ["900001.txt"]})
    assert [qrel[:2] for qrel in case_gold.gold(LocalRelease.open(TASK1))] == [("900003", "900001")]


def test_without_any_label_file_documents_load_and_queries_say_that_labels_are_missing(home):
    put_task1(home, FOUR)
    assert len(cases.decisions(LocalRelease.open(TASK1))) == 4
    with pytest.raises(MissingLabelsError, match=r"task1_test_labels_2025\.json, .*task1_test_no_labels_2025\.json"):
        cases.decision_queries(LocalRelease.open(TASK1))


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


def test_of_a_repeated_query_the_last_list_counts_and_the_query_is_named(tmp_path):
    path = put_labels(tmp_path, '{"001": ["901.txt"], "002": ["902.txt"], "001": ["903.txt"]}')
    with pytest.warns(ColieeWarning, match=r"task1_test_labels_2025\.json.*001$"):
        assert read_json_labels(path) == {"001": ("903",), "002": ("902",)}


def test_a_query_repeated_under_another_spelling_is_named_too(tmp_path):
    path = put_labels(tmp_path, {"900001": ["900002"], "900001.txt": ["900003"]})
    with pytest.warns(ColieeWarning, match="900001"):
        assert read_json_labels(path) == {"900001": ("900003",)}


@pytest.mark.parametrize("content", ['"900001.txt"', "3", "null", "true", '["900001.txt", 3]', '[["900001.txt"]]'])
def test_a_label_file_of_another_shape_is_refused(tmp_path, content):
    with pytest.raises(MalformedFileError, match="neither an object nor a list of names"):
        read_json_labels(put_labels(tmp_path, content))


@pytest.mark.parametrize("value", [None, 3, True, {"901.txt": 1}, ["901.txt", 3], [["901.txt"]]])
def test_a_label_value_of_unknown_type_is_refused_with_its_query(tmp_path, value):
    with pytest.raises(MalformedFileError, match="002"):
        read_json_labels(put_labels(tmp_path, {"001": ["901.txt"], "002": value}))


def test_broken_labels_are_refused_with_file_and_line(tmp_path):
    path = put_labels(tmp_path, '{\n"001": ["901.txt"],\n"002": ["902.txt"\n}')
    with pytest.raises(MalformedFileError) as caught:
        read_json_labels(path)
    assert (caught.value.path, caught.value.line) == (path, 4)


@settings(max_examples=60)
@given(gold_lists, st.lists(st.booleans(), min_size=6, max_size=6), st.sampled_from([".txt", ""]), st.booleans())
def test_any_gold_survives_any_way_of_writing_it(tmp_path_factory, gold, as_string, extension, repeat):
    content = {}
    for (query, items), string in zip(gold.items(), as_string):
        names = [f"{item}{extension}" for item in items] * (2 if repeat else 1)
        content[f"{query}{extension}"] = ", ".join(names) if string else names
    path = put_labels(tmp_path_factory.getbasetemp(), content, "labels.json")
    assert read_json_labels(path) == {query: tuple(items) * (2 if repeat else 1) for query, items in gold.items()}


@settings(max_examples=60)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda c: st.lists(c) | st.dictionaries(st.text(max_size=3), c),
        max_leaves=5,
    )
)
def test_any_json_is_read_or_refused_as_malformed(tmp_path_factory, content):
    path = put_labels(tmp_path_factory.getbasetemp(), json.dumps(content), "any.json")
    try:
        gold = read_json_labels(path)
    except MalformedFileError:
        return
    assert isinstance(content, dict | list)
    assert all(isinstance(item, str) for items in gold.values() for item in items)


# --- task 2 ----------------------------------------------------------------------------------------


def test_cases_and_paragraphs_are_ordered_by_number_and_keep_their_padding(home):
    put_case(home, "1000", {"010.txt": "j", "002.txt": "b", "1001.txt": "k"})
    put_case(home, "999", {"001.txt": "a"})
    assert list(cases.paragraphs(LocalRelease.open(TASK2))) == [
        ("999_001", "a", "999"),
        ("1000_002", "b", "1000"),
        ("1000_010", "j", "1000"),
        ("1000_1001", "k", "1000"),
    ]
    assert [fragment.query_id for fragment in cases.fragments(LocalRelease.open(TASK2))] == ["999", "1000"]


def test_the_file_name_is_the_number_of_a_paragraph_not_the_mark_in_it(home):
    put_case(home, "901", {"005.txt": "[7]\nA paragraph."})
    assert list(cases.paragraphs(LocalRelease.open(TASK2))) == [("901_005", "[7]\nA paragraph.", "901")]


def test_litter_among_the_cases_is_no_case(home):
    folder = put_case(home, "901", {"001.txt": "a", "._001.txt": "", ".DS_Store": ""})
    (folder.parent / ".DS_Store").write_text("")
    (folder.parent / "task2_train_labels_2097.json").write_text("{}")
    (folder.parent / "__MACOSX").mkdir()
    assert [paragraph.doc_id for paragraph in cases.paragraphs(LocalRelease.open(TASK2))] == ["901_001"]
    assert [fragment.query_id for fragment in cases.fragments(LocalRelease.open(TASK2))] == ["901"]


def test_a_paragraph_that_is_added_later_is_seen(home):
    folder = put_case(home, "901", {"001.txt": "a"})
    for path in (folder.parent, folder, folder / "paragraphs"):
        os.utime(path, ns=(1, 1))
    assert len(cases.paragraphs(LocalRelease.open(TASK2))) == 1
    (folder / "paragraphs" / "002.txt").write_text("b")
    assert [paragraph.doc_id for paragraph in cases.paragraphs(LocalRelease.open(TASK2))] == ["901_001", "901_002"]


def test_a_fragment_stands_as_it_is_beside_its_base_case(home):
    put_case(home, "901", {"001.txt": "a"}, fragment="\nOne.\nTwo.\n", base="[1]\nBefore. One.\nTwo.\n")
    assert list(cases.fragments(LocalRelease.open(TASK2))) == [("901", "\nOne.\nTwo.\n")]
    (found,) = cases.fragments_in_cases(LocalRelease.open(TASK2))
    assert found == ("901", "\nOne.\nTwo.\n", "[1]\nBefore. One.\nTwo.\n")
    assert found.default_text() == "\nOne.\nTwo.\n"


@pytest.mark.parametrize("name", ["entailed_fragment.txt", "base_case.txt"])
def test_a_case_that_lacks_a_piece_is_refused_with_its_folder(home, name):
    folder = put_case(home, "901", {"001.txt": "a"})
    (folder / name).unlink()
    with pytest.raises(MissingReleaseError, match=name) as caught:
        cases.fragments_in_cases(LocalRelease.open(TASK2))
    assert str(folder) in str(caught.value)


def test_the_gold_of_task_2_joins_case_and_paragraph_in_all_forms(home):
    put_case(home, "901", {"001.txt": "a", "002.txt": "b"})
    put_case(home, "1000", {"001.txt": "a", "003.txt": "c"})
    put_labels(home, {"901": ["002.txt"], "1000": "003.txt, 001.txt"}, "task2_train_labels_2098.json")
    assert case_gold.gold(LocalRelease.open(TASK2)) == [
        ("901", "901_002", 1),
        ("1000", "1000_003", 1),
        ("1000", "1000_001", 1),
    ]


def test_a_gold_paragraph_with_the_number_of_its_case_is_kept(home):
    put_case(home, "002", {"001.txt": "a", "002.txt": "b"})
    put_labels(home, {"002": ["002.txt"]}, "task2_train_labels_2098.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [qrel[:2] for qrel in case_gold.gold(LocalRelease.open(TASK2))] == [("002", "002_002")]


def test_the_pool_of_a_fragment_is_its_own_paragraphs(home):
    put_case(home, "901", {"001.txt": "a", "002.txt": "b"})
    put_case(home, "902", {"001.txt": "c"})
    assert list(cases.candidates(LocalRelease.open(TASK2))) == [
        ("901", "901_001"),
        ("901", "901_002"),
        ("902", "902_001"),
    ]


def test_task_2_without_labels_loads_and_its_gold_says_what_is_missing(home):
    put_case(home, "901", {"001.txt": "a"})
    assert len(cases.fragments(LocalRelease.open(TASK2))) == 1
    with pytest.raises(MissingLabelsError, match=r"task2_train_labels_2098\.json"):
        case_gold.gold(LocalRelease.open(TASK2))


# --- files that are read when they are asked for ---------------------------------------------------


class Readings:
    """A file that counts how often it is read."""

    def __init__(self, text):
        self.text = text
        self.times = 0

    def read_bytes(self):
        self.times += 1
        return self.text.encode()


@pytest.fixture
def five():
    files = [Readings(f"Decision {n}.") for n in range(5)]
    return files, cases.TextFiles([f"90000{n}" for n in range(5)], files, cases.Decision)


@pytest.mark.parametrize("position", [0, 2, 4, -1, -5, True])
def test_a_record_is_that_of_its_position_and_only_its_file_is_read(five, position):
    files, records = five
    number = range(5)[position]
    assert records[position] == (f"90000{number}", f"Decision {number}.")
    assert [file.times for file in files] == [int(n == number) for n in range(5)]


@pytest.mark.parametrize("position", [5, -6, 100])
def test_a_position_beyond_the_end_is_an_index_error(five, position):
    with pytest.raises(IndexError):
        five[1][position]


@given(st.none() | st.integers(-7, 7), st.none() | st.integers(-7, 7), st.sampled_from([None, 1, 2, -1, -3]))
def test_any_slice_is_that_of_a_list_and_reads_nothing(start, stop, step):
    files = [Readings(str(n)) for n in range(5)]
    records = cases.TextFiles([f"90000{n}" for n in range(5)], files, cases.Decision)
    split = records[start:stop:step]
    assert sum(file.times for file in files) == 0
    assert len(split) == len(range(5)[start:stop:step])
    assert split.ids == records.ids[start:stop:step]
    assert [int(record.text) for record in split] == list(range(5))[start:stop:step]


def test_length_and_ids_read_nothing(five):
    files, records = five
    assert (len(records), records.ids[1]) == (5, "900001")
    assert sum(file.times for file in files) == 0


def test_iterating_reads_each_file_once_and_in_reverse_too(five):
    files, records = five
    assert list(reversed(list(records))) == list(records[::-1])
    assert {file.times for file in files} == {2}


def test_texts_that_were_read_are_not_kept(home):
    """Ten megabytes in ten files are never in memory together."""
    put_task1(home, {f"9000{n:02}.txt": "x" * 1_000_000 for n in range(10)})
    records = cases.decisions(LocalRelease.open(TASK1))
    tracemalloc.start()
    try:
        length = sum(len(record.text) for record in records)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert length == 10_000_000
    assert most < 5_000_000


# --- task 1 until 2020 -----------------------------------------------------------------------------

POOLS = SPLITS["coliee/task1/2020/train"]


def put_pool(home, query, candidates):
    folder = home / "task1_train_2020" / query
    (folder / "candidates").mkdir(parents=True)
    (folder / "base_case.txt").write_text(f"Query {query}.")
    for candidate in candidates:
        (folder / "candidates" / f"{candidate}.txt").write_text(f"Candidate {candidate}.")
    return folder


def age(folder):
    """Time stamps of long ago, so that a change is one."""
    for path in [*folder.rglob("*"), folder]:
        os.utime(path, ns=(1, 1))


def test_candidates_are_documents_by_query_and_number(home):
    put_pool(home, "010", ["002", "010", "001"])
    put_pool(home, "9", ["1"])
    assert list(cases.decisions(LocalRelease.open(POOLS))) == [
        ("9_1", "Candidate 1."),
        ("010_001", "Candidate 001."),
        ("010_002", "Candidate 002."),
        ("010_010", "Candidate 010."),
    ]
    assert list(cases.decision_queries(LocalRelease.open(POOLS))) == [("9", "Query 9."), ("010", "Query 010.")]


def test_a_candidate_that_is_added_or_taken_later_is_seen(home):
    folder = put_pool(home, "901", ["001"])
    age(home)
    assert cases.decisions(LocalRelease.open(POOLS)).ids == ["901_001"]
    (folder / "candidates" / "002.txt").write_text("Another.")
    assert cases.decisions(LocalRelease.open(POOLS)).ids == ["901_001", "901_002"]
    age(home)
    (folder / "candidates" / "001.txt").unlink()
    assert cases.decisions(LocalRelease.open(POOLS)).ids == ["901_002"]
    assert cases.candidates(LocalRelease.open(POOLS)) == [("901", "901_002")]


def test_candidates_that_come_while_a_release_is_unpacked_are_found(home):
    (home / "task1_train_2020" / "901").mkdir(parents=True)
    age(home)
    with pytest.raises(MissingReleaseError):
        cases.decisions(LocalRelease.open(POOLS))
    (home / "task1_train_2020" / "901" / "candidates").mkdir()
    (home / "task1_train_2020" / "901" / "candidates" / "001.txt").write_text("One.")
    assert cases.decisions(LocalRelease.open(POOLS)).ids == ["901_001"]


def test_what_has_not_changed_is_not_listed_again(home):
    put_pool(home, "901", ["001"])
    put_task1(home, FOUR)
    put_case(home, "901", {"001.txt": "a"})
    age(home)
    for records, split in ((cases.decisions, POOLS), (cases.decisions, TASK1), (cases.paragraphs, TASK2)):
        assert records(LocalRelease.open(split)) is records(LocalRelease.open(split))


def test_a_query_without_candidates_is_a_query_all_the_same(home):
    put_pool(home, "901", ["001"])
    (home / "task1_train_2020" / "902").mkdir()
    (home / "task1_train_2020" / "902" / "base_case.txt").write_text("Query 902.")
    assert cases.query_ids(LocalRelease.open(POOLS)) == ["901", "902"]
    assert cases.candidates(LocalRelease.open(POOLS)) == [("901", "901_001")]


def test_a_query_of_a_pool_without_its_case_is_refused_with_its_folder(home):
    folder = put_pool(home, "901", ["001"])
    (folder / "base_case.txt").unlink()
    with pytest.raises(MissingReleaseError, match=r"base_case\.txt is missing") as caught:
        cases.decision_queries(LocalRelease.open(POOLS))
    assert str(folder) in str(caught.value)


def test_numbers_that_no_case_has_end_in_our_warning(home):
    put_pool(home, "901", ["001"])
    long = "9" * 5000
    put_labels(home, {"901": ["001.txt", long], long: ["001.txt"]}, "task1_train_2020_labels.json")
    with pytest.warns(ColieeWarning) as caught:
        assert len(case_gold.gold(LocalRelease.open(POOLS))) == 2
    assert all(len(str(warning.message)) < 500 for warning in caught)


def test_labels_of_which_no_query_has_a_file_are_refused(home):
    put_task1(home, FOUR, {"900008.txt": ["900001.txt"]})
    with pytest.raises(MalformedFileError, match=f"no query has a file in {home}/"), pytest.warns(ColieeWarning):
        case_gold.gold(LocalRelease.open(TASK1))


def test_gold_that_names_no_document_counts_with_a_warning(home):
    put_task1(home, FOUR, {"900001.txt": ["900008.txt", "900002.txt"]})
    with pytest.warns(ColieeWarning, match="names no document of this local copy.*: 900008$"):
        assert [qrel[:2] for qrel in case_gold.gold(LocalRelease.open(TASK1))] == [
            ("900001", "900008"),
            ("900001", "900002"),
        ]


def test_of_many_ids_the_first_five_are_named_and_the_others_counted(home):
    put_task1(home, FOUR, {"900001.txt": [f"90000{n}.txt" for n in range(2, 10)] + ["900010.txt", "900011.txt"]})
    with pytest.warns(ColieeWarning, match=r": 900005, 900006, 900007, 900008, 900009 and 2 more$"):
        case_gold.gold(LocalRelease.open(TASK1))


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([b'{"900003.txt": ["900001.txt"]}', b'{"1": "900001.txt, 2"}', b'["900003.txt"]']),
    st.integers(0, 30),
    st.integers(0, 5),
    st.binary(max_size=5),
)
def test_with_any_damaged_label_file_a_split_loads_or_says_what_is_wrong(
    tmp_path_factory, monkeypatch, data, position, dropped, inserted
):
    home = tmp_path_factory.getbasetemp() / "damaged"
    if not home.exists():
        home.mkdir()
        put_task1(home, FOUR)
        put_pool(home, "1", ["2"])
    monkeypatch.setenv("COLIEE_HOME", str(home))
    for split in (TASK1, POOLS):
        name = split.files["labels"][0]
        (home / name).write_bytes(data[:position] + inserted + data[position + dropped :])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for load in (case_gold.gold, cases.query_ids):
                with contextlib.suppress(ColieeError):
                    load(LocalRelease.open(split))
        assert all(issubclass(warning.category, ColieeWarning) for warning in caught)
