"""The readers of the case-law tasks, on made-up copies in the layout of 2023 and later."""

import json
import os
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import gold_lists

from ir_coliee.datasets import cases
from ir_coliee.datasets.releases import PARTS, Part
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingCopyError, MissingLabelsError

TASK1 = PARTS["coliee/task1/2025/test"]
TASK2 = Part(
    "task2",
    "2098",
    "en",
    "train",
    {"corpus": ("task2_train_files_2098",), "labels": ("task2_train_labels_2098.json",)},
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
    assert list(cases.decisions(TASK1)) == [("99", "small"), ("900009", "nine"), ("900010", "ten")]


def test_litter_in_the_folder_is_no_document(home):
    corpus = put_task1(
        home,
        {"900001.txt": "one", "._900001.txt": "", ".DS_Store": "", "mapping.txt": "", "900002.json": "", "notes": ""},
    )
    (corpus / "__MACOSX").mkdir()
    (corpus / "__MACOSX" / "900003.txt").write_text("three")
    assert [decision.doc_id for decision in cases.decisions(TASK1)] == ["900001"]


def test_an_empty_folder_is_no_copy(home):
    corpus = put_task1(home, {".DS_Store": ""})
    with pytest.raises(MissingCopyError, match="no decision") as caught:
        cases.decisions(TASK1)
    assert str(corpus) in str(caught.value)


def test_documents_can_be_asked_for_by_position_by_slice_and_by_id(home):
    put_task1(home, FOUR)
    files = cases.decisions(TASK1)
    assert len(files) == 4
    assert files[0] == ("900001", "Decision 1.")
    assert files[-1] == ("900004", "Decision 4.")
    assert [decision.doc_id for decision in files[1:3]] == ["900002", "900003"]
    assert files.read("900003").text == "Decision 3."
    with pytest.raises(IndexError):
        files[4]


def test_a_decision_keeps_its_text_but_for_bom_and_carriage_returns(home):
    corpus = put_task1(home, {"900001.txt": ""})
    (corpus / "900001.txt").write_bytes("\ufeff <FRAGMENT_SUPPRESSED>  (FC)\r\n[1]\r\nOne.\u00a0 \r\n".encode())
    (decision,) = cases.decisions(TASK1)
    assert decision.text == " <FRAGMENT_SUPPRESSED>  (FC)\n[1]\nOne.\u00a0 \n"
    assert decision.default_text() == decision.text


def test_a_decision_that_is_no_utf8_loads_with_a_warning_that_names_the_file(home):
    corpus = put_task1(home, {"900001.txt": ""})
    (corpus / "900001.txt").write_bytes(b"caf\xe9")
    with pytest.warns(ColieeWarning, match=r"900001\.txt"):
        assert cases.decisions(TASK1)[0].text == "caf\ufffd"


def test_a_file_that_is_added_later_is_seen(home):
    corpus = put_task1(home, {"900001.txt": "one"})
    os.utime(corpus, ns=(1, 1))
    assert len(cases.decisions(TASK1)) == 1
    (corpus / "900002.txt").write_text("two")
    assert len(cases.decisions(TASK1)) == 2


# --- task 1: queries and gold ----------------------------------------------------------------------


def test_only_the_label_file_says_which_documents_are_queries_and_in_which_order(home):
    put_task1(home, FOUR, {"900003.txt": ["900001.txt"], "900002.txt": ["900004.txt"]})
    assert cases.decision_queries(TASK1) == [("900003", "Decision 3."), ("900002", "Decision 2.")]


def test_the_gold_has_no_extension_and_relevance_one(home):
    put_task1(home, FOUR, {"900003.txt": ["900004.txt", "900001.txt"], "900002.txt": ["900003.txt"]})
    assert cases.noticed_cases(TASK1) == [
        ("900003", "900004", 1),
        ("900003", "900001", 1),
        ("900002", "900003", 1),
    ]


def test_a_case_that_notices_itself_is_left_out_with_a_warning(home):
    put_task1(home, FOUR, {"900003.txt": ["900003.txt", "900001.txt"], "900002.txt": ["900001.txt"]})
    with pytest.warns(ColieeWarning, match="themselves.*900003") as caught:
        gold = cases.noticed_cases(TASK1)
    assert [qrel[:2] for qrel in gold] == [("900003", "900001"), ("900002", "900001")]
    assert "900002" not in str(caught[0].message)


def test_identical_texts_stay_two_documents(home):
    put_task1(home, {"900001.txt": "same", "900002.txt": "same"})
    assert len(list(cases.decisions(TASK1))) == 2


def test_a_query_without_a_file_is_left_out_with_a_warning(home):
    put_task1(home, FOUR, {"900001.txt": [], "900007.txt": ["900001.txt"]})
    with pytest.warns(ColieeWarning, match=r"task1_test_labels_2025\.json.*without a file.*900007"):
        assert [query.query_id for query in cases.decision_queries(TASK1)] == ["900001"]


@pytest.mark.parametrize("labels", [["900003.txt", "900002.txt"], {"900003.txt": [], "900002.txt": []}])
def test_where_labels_are_not_published_queries_load_and_gold_says_what_is_missing(home, labels):
    put_task1(home, FOUR)
    put_labels(home, labels, "task1_test_no_labels_2025.json")
    assert [query.query_id for query in cases.decision_queries(TASK1)] == ["900003", "900002"]
    with pytest.raises(MissingLabelsError) as caught:
        cases.noticed_cases(TASK1)
    message = str(caught.value)
    assert "coliee/task1/2025/test" in message
    assert str(home / "task1_test_no_labels_2025.json") in message
    assert "task1_test_labels_2025.json" in message


def test_published_labels_go_before_the_file_without_labels(home):
    put_task1(home, FOUR, {"900003.txt": ["900001.txt"]})
    put_labels(home, ["900003.txt"], "task1_test_no_labels_2025.json")
    assert [qrel[:2] for qrel in cases.noticed_cases(TASK1)] == [("900003", "900001")]


def test_labels_that_are_published_later_are_found_without_a_new_process(home):
    put_task1(home, FOUR)
    put_labels(home, ["900003.txt"], "task1_test_no_labels_2025.json")
    with pytest.raises(MissingLabelsError):
        cases.noticed_cases(TASK1)
    put_labels(home, {"900003.txt": ["900001.txt"]})
    assert [qrel[:2] for qrel in cases.noticed_cases(TASK1)] == [("900003", "900001")]


def test_without_any_label_file_documents_load_and_queries_say_that_labels_are_missing(home):
    put_task1(home, FOUR)
    assert len(cases.decisions(TASK1)) == 4
    with pytest.raises(MissingLabelsError, match=r"task1_test_labels_2025\.json, task1_test_no_labels_2025\.json"):
        cases.decision_queries(TASK1)


# --- the label file --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "gold"),
    [
        ({"900001.txt": ["900002.txt", "900003.txt"]}, {"900001": ("900002", "900003")}),
        ({"001": ["901.txt"], "826": "902.txt, 903.txt"}, {"001": ("901",), "826": ("902", "903")}),
        ({"001": "901.txt,902.txt ,  903.txt,"}, {"001": ("901", "902", "903")}),
        ({"001": ["901"]}, {"001": ("901",)}),
        ({"001": ["903.txt", "901.txt", "903.txt"]}, {"001": ("903", "901")}),
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
    found = cases.read_labels(put_labels(tmp_path, content))
    assert found == gold
    assert list(found) == list(gold)


def test_of_a_repeated_query_the_last_list_counts_and_the_query_is_named(tmp_path):
    path = put_labels(tmp_path, '{"001": ["901.txt"], "002": ["902.txt"], "001": ["903.txt"]}')
    with pytest.warns(ColieeWarning, match=r"task1_test_labels_2025\.json.*001$"):
        assert cases.read_labels(path) == {"001": ("903",), "002": ("902",)}


def test_a_query_repeated_under_another_spelling_is_named_too(tmp_path):
    path = put_labels(tmp_path, {"900001": ["900002"], "900001.txt": ["900003"]})
    with pytest.warns(ColieeWarning, match="900001"):
        assert cases.read_labels(path) == {"900001": ("900003",)}


@pytest.mark.parametrize("content", ['"900001.txt"', "3", "null", "true", '["900001.txt", 3]', '[["900001.txt"]]'])
def test_a_label_file_of_another_shape_is_refused(tmp_path, content):
    with pytest.raises(MalformedFileError, match="neither an object nor a list of names"):
        cases.read_labels(put_labels(tmp_path, content))


@pytest.mark.parametrize("value", [None, 3, True, {"901.txt": 1}, ["901.txt", 3], [["901.txt"]]])
def test_a_label_value_of_unknown_type_is_refused_with_its_query(tmp_path, value):
    with pytest.raises(MalformedFileError, match="'002'"):
        cases.read_labels(put_labels(tmp_path, {"001": ["901.txt"], "002": value}))


def test_broken_labels_are_refused_with_file_and_line(tmp_path):
    path = put_labels(tmp_path, '{\n"001": ["901.txt"],\n"002": ["902.txt"\n}')
    with pytest.raises(MalformedFileError) as caught:
        cases.read_labels(path)
    assert (caught.value.path, caught.value.line) == (path, 4)


@settings(max_examples=60)
@given(gold_lists, st.lists(st.booleans(), min_size=6, max_size=6), st.sampled_from([".txt", ""]), st.booleans())
def test_any_gold_survives_any_way_of_writing_it(tmp_path_factory, gold, as_string, extension, repeat):
    content = {}
    for (query, items), string in zip(gold.items(), as_string):
        names = [f"{item}{extension}" for item in items] * (2 if repeat else 1)
        content[f"{query}{extension}"] = ", ".join(names) if string else names
    path = put_labels(tmp_path_factory.getbasetemp(), content, "labels.json")
    assert cases.read_labels(path) == {query: tuple(items) for query, items in gold.items()}


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
        gold = cases.read_labels(path)
    except MalformedFileError:
        return
    assert isinstance(content, dict | list)
    assert all(isinstance(item, str) for items in gold.values() for item in items)


# --- task 2 ----------------------------------------------------------------------------------------


def test_cases_and_paragraphs_are_ordered_by_number_and_keep_their_padding(home):
    put_case(home, "1000", {"010.txt": "j", "002.txt": "b", "1001.txt": "k"})
    put_case(home, "999", {"001.txt": "a"})
    assert cases.paragraphs(TASK2) == [
        ("999_001", "a", "999"),
        ("1000_002", "b", "1000"),
        ("1000_010", "j", "1000"),
        ("1000_1001", "k", "1000"),
    ]
    assert [fragment.query_id for fragment in cases.fragments(TASK2)] == ["999", "1000"]


def test_the_file_name_is_the_number_of_a_paragraph_not_the_mark_in_it(home):
    put_case(home, "901", {"005.txt": "[7]\nA paragraph."})
    assert cases.paragraphs(TASK2) == [("901_005", "[7]\nA paragraph.", "901")]


def test_litter_among_the_cases_is_no_case(home):
    folder = put_case(home, "901", {"001.txt": "a", "._001.txt": "", ".DS_Store": ""})
    (folder.parent / ".DS_Store").write_text("")
    (folder.parent / "task2_train_labels_2097.json").write_text("{}")
    (folder.parent / "__MACOSX").mkdir()
    assert [paragraph.doc_id for paragraph in cases.paragraphs(TASK2)] == ["901_001"]
    assert [fragment.query_id for fragment in cases.fragments(TASK2)] == ["901"]


def test_a_paragraph_that_is_added_later_is_seen(home):
    folder = put_case(home, "901", {"001.txt": "a"})
    for path in (folder.parent, folder, folder / "paragraphs"):
        os.utime(path, ns=(1, 1))
    assert len(cases.paragraphs(TASK2)) == 1
    (folder / "paragraphs" / "002.txt").write_text("b")
    assert [paragraph.doc_id for paragraph in cases.paragraphs(TASK2)] == ["901_001", "901_002"]


def test_a_fragment_is_stripped_and_stands_beside_its_base_case(home):
    put_case(home, "901", {"001.txt": "a"}, fragment="\nOne.\nTwo.\n", base="[1]\nBefore. One.\nTwo.\n")
    assert cases.fragments(TASK2) == [("901", "One.\nTwo.")]
    (found,) = cases.fragments_in_cases(TASK2)
    assert found == ("901", "One.\nTwo.", "[1]\nBefore. One.\nTwo.\n")
    assert found.default_text() == "One.\nTwo."


@pytest.mark.parametrize("name", ["entailed_fragment.txt", "base_case.txt"])
def test_a_case_that_lacks_a_piece_is_refused_with_its_folder(home, name):
    folder = put_case(home, "901", {"001.txt": "a"})
    (folder / name).unlink()
    with pytest.raises(MissingCopyError, match=name) as caught:
        cases.fragments(TASK2)
    assert str(folder) in str(caught.value)


def test_the_gold_of_task_2_joins_case_and_paragraph_in_all_forms(home):
    put_case(home, "901", {"001.txt": "a", "002.txt": "b"})
    put_case(home, "1000", {"001.txt": "a", "003.txt": "c"})
    put_labels(home, {"901": ["002.txt"], "1000": "003.txt, 001.txt"}, "task2_train_labels_2098.json")
    assert cases.entailing_paragraphs(TASK2) == [
        ("901", "901_002", 1),
        ("1000", "1000_003", 1),
        ("1000", "1000_001", 1),
    ]


def test_a_gold_paragraph_with_the_number_of_its_case_is_kept(home):
    put_case(home, "901", {"901.txt": "a"})
    put_labels(home, {"901": ["901.txt"]}, "task2_train_labels_2098.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [qrel[:2] for qrel in cases.entailing_paragraphs(TASK2)] == [("901", "901_901")]


def test_the_pool_of_a_fragment_is_its_own_paragraphs(home):
    put_case(home, "901", {"001.txt": "a", "002.txt": "b"})
    put_case(home, "902", {"001.txt": "c"})
    assert list(cases.paragraph_pools(TASK2)) == [("901", "901_001"), ("901", "901_002"), ("902", "902_001")]


def test_task_2_without_labels_loads_and_its_gold_says_what_is_missing(home):
    put_case(home, "901", {"001.txt": "a"})
    assert len(cases.fragments(TASK2)) == 1
    with pytest.raises(MissingLabelsError, match=r"task2_train_labels_2098\.json"):
        cases.entailing_paragraphs(TASK2)
