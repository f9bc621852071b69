"""Every label format of tasks 1 and 2: JSON, the XML of 2018, both of 2019, a text file per case."""

import json
import warnings
from typing import NamedTuple

import pytest
from label_files import entry_of_task1, entry_of_task2, of_2018, of_2019, packaged

from ir_coliee.errors import ColieeWarning, MalformedFileError
from ir_coliee.releases.cases import read_json_labels, read_xml_labels


class Given(NamedTuple):
    """A file that was never written: what the readers ask of one."""

    data: bytes

    def read_bytes(self):
        return self.data

    def __str__(self):
        return "labels"


def given_text(text):
    return Given(text.encode())


def silently(read, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return read(*arguments, **options)


# --- 2018 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answers", [None, "", "  ", "\n\t\n", ","])
def test_a_query_of_2018_without_answers_has_no_items(answers):
    file = given_text(
        of_2018(entry_of_task1("901", [("911", "911")], answers), entry_of_task1("902", [("911", "911")], "911"))
    )
    assert silently(read_xml_labels, file) == {"901": (), "902": ("911",)}


@pytest.mark.parametrize(
    ("names", "answers", "items"),
    [
        ([("000", "000"), ("001", "001")], "000,001", ("000", "001")),
        ([("1", "000"), ("2", "001")], "1", ("000",)),
        ([("001", "001"), ("002", "002")], "2", ("002",)),
        ([("911", "911"), ("912", "912")], " 912 , 911\n", ("912", "911")),
        ([(" 911 ", "911")], "911", ("911",)),
        ([("911", "911")], "911,911", ("911", "911")),
        ([("911", "911")], "911.txt", ("911",)),
        ([("911", "911")], "913", ("913",)),
        ([], "911", ("911",)),
        ([("a7", "a7")], "a7", ("a7",)),
    ],
)
def test_an_answer_is_the_id_of_a_candidate_and_its_name_is_that_of_the_file(names, answers, items):
    assert silently(read_xml_labels, given_text(of_2018(entry_of_task1("901", names, answers)))) == {"901": items}


@pytest.mark.parametrize("paragraph", ["<paragraph>Invented words.</paragraph>", '<paragraph id="x"/>', "<paragraph/>"])
def test_where_the_paragraphs_name_no_file_of_the_folder_the_position_among_its_files_counts(paragraph):
    folders = {"901": ["p1", "p2", "p10"]}
    file = given_text(of_2018(entry_of_task2("901", [paragraph] * 3, "3,1")))
    assert silently(read_xml_labels, file, item_names=folders.__getitem__) == {"901": ("p10", "p1")}


# --- 2019 ------------------------------------------------------------------------------------------


each_task = pytest.mark.parametrize("task", ["task1", "task2"])


@each_task
def test_where_the_id_is_not_the_folder_the_folder_counts_with_a_warning_of_file_and_line(task):
    file = given_text(
        of_2019(task, packaged(task, "001", ["901"], ["901"]), packaged(task, "010", ["902"], ["902"], id_="002"))
    )
    with pytest.warns(ColieeWarning, match=r"labels, line \d+: .*002 .* folder 010"):
        assert read_xml_labels(file) == {"001": ("901",), "010": ("902",)}


@pytest.mark.parametrize(("id_", "folder"), [("001", "001"), ("t1-001", "001"), ("t2-7", "7"), (" t1-001 ", "001")])
def test_without_a_path_the_id_is_the_folder(id_, folder):
    text = f"<instance id='{id_}'><query>base_case.txt</query><cases_noticed>901</cases_noticed></instance>"
    assert silently(read_xml_labels, given_text(of_2019("task1", text))) == {folder: ("901",)}


def test_a_query_without_id_and_path_is_refused_with_its_line():
    file = given_text(of_2019("task1", packaged("task1", "001", ["901"], ["901"]), "<instance><query/></instance>"))
    with pytest.raises(MalformedFileError, match="neither an id nor a path") as caught:
        read_xml_labels(file)
    assert caught.value.line == 7


def test_of_an_instance_given_twice_the_last_is_used_with_a_warning():
    file = given_text(
        of_2019("task1", packaged("task1", "001", ["901"], ["901"]), packaged("task1", "001", ["902"], ["902"]))
    )
    with pytest.warns(ColieeWarning, match=r"labels, line \d+: query 001 is repeated; the last one is used"):
        assert read_xml_labels(file) == {"001": ("902",)}


# --- XML that is not as expected -------------------------------------------------------------------


@pytest.mark.parametrize("text", ["<COLIEE task='1'/>", "<html><body>Not here.</body></html>"])
def test_xml_without_a_query_is_refused(text):
    with pytest.raises(MalformedFileError, match="the file has no query"):
        read_xml_labels(given_text(text))


@pytest.mark.parametrize("task", ["task1", "task2"])
def test_numbers_beyond_what_python_reads_do_no_harm(task):
    long = "9" * 5000
    file = given_text(
        of_2019(task, packaged(task, "001", ["901", long], [long, "901"]), packaged(task, long, ["901"], ["901"]))
    )
    assert read_xml_labels(file) == {"001": (long, "901"), long: ("901",)}
    assert read_json_labels(given_text(json.dumps({long: [long]}))) == {long: (long,)}


# --- a text file a case ----------------------------------------------------------------------------
