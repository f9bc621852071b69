"""Every label format of tasks 1 and 2: JSON, the XML of 2018, both of 2019, a text file per case."""

import json
import warnings
from typing import NamedTuple

import pytest

from ir_coliee.errors import ColieeWarning, MalformedFileError
from ir_coliee.releases.cases import gold_of_cases, read_json_labels, read_xml_labels
from ir_coliee.releases.release import LocalRelease


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


def entry_of_task1(folder, names, answers, prefix="some/prefix/"):
    """An entry of task 1. ``names``: id and file name of each candidate; ``answers``: what the element holds."""
    place = f"{prefix}{folder}"
    candidates = [f'<candidate_case id="{i}">{place}/candidates/{n}.txt</candidate_case>' for i, n in names]
    noticed = "" if answers is None else f"<cases_noticed>{answers}</cases_noticed>"
    return (
        f'<entry id="{folder}">\n<fact>{place}/fact.txt</fact>\n<summary>{place}/summary.txt</summary>\n'
        f"{''.join(candidates)}\n{noticed}\n</entry>\n"
    )


def entry_of_task2(folder, paragraphs, answers):
    inner = "".join(paragraphs)
    return (
        f'<entry id="{folder}"><fact>p/{folder}/fact.txt</fact><supporting_case>{inner}</supporting_case>'
        f"<entailing_paragraphs>{answers}</entailing_paragraphs></entry>"
    )


def of_2018(*entries):
    return given_text(f"<COLIEE_2018>{''.join(entries)}</COLIEE_2018>")


@pytest.mark.parametrize("answers", [None, "", "  ", "\n\t\n", ","])
def test_a_query_of_2018_without_answers_has_no_items(answers):
    file = of_2018(entry_of_task1("901", [("911", "911")], answers), entry_of_task1("902", [("911", "911")], "911"))
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
    assert silently(read_xml_labels, of_2018(entry_of_task1("901", names, answers))) == {"901": items}


PATHS = [f'<paragraph id="{n}">p/901/paragraphs/{n}.txt</paragraph>' for n in ("004", "007", "009")]
NAMES = [f"<paragraph>{n}.txt</paragraph>" for n in ("004", "007", "009")]
IDS = [f'<paragraph id="{n}">Invented words.</paragraph>' for n in ("4", "7", "9")]


@pytest.mark.parametrize(("paragraphs", "items"), [(PATHS, "004 009"), (NAMES, "004 009"), (IDS, "4 9")])
def test_an_answer_of_task_2_of_2018_is_a_position_from_1_whatever_the_ids(paragraphs, items):
    file = of_2018(entry_of_task2("901", paragraphs, "1,3"))
    found = silently(read_xml_labels, file, item_names=lambda folder: ["004", "007", "009"])
    assert found == {"901": tuple(items.split())}


@pytest.mark.parametrize("paragraph", ["<paragraph>Invented words.</paragraph>", '<paragraph id="x"/>', "<paragraph/>"])
def test_where_the_paragraphs_name_no_file_of_the_folder_the_position_among_its_files_counts(paragraph):
    folders = {"901": ["p1", "p2", "p10"]}
    file = of_2018(entry_of_task2("901", [paragraph] * 3, "3,1"))
    assert silently(read_xml_labels, file, item_names=folders.__getitem__) == {"901": ("p10", "p1")}


# --- 2019 ------------------------------------------------------------------------------------------


def packaged(task, folder, items, answers, id_=None):
    """An instance as the packaging script writes it. ``answers`` None: without the element."""
    query = f"{folder}/base_case.txt"
    if task == "task2":
        query = f"<base_case>{query}</base_case><entailed_fragment>{folder}/entailed_fragment.txt</entailed_fragment>"
    wrapper, item, tag = {
        "task1": ("candidate_cases", "candidate_case", "cases_noticed"),
        "task2": ("noticed_case", "paragraph", "entailing_paragraphs"),
    }[task]
    inner = " ".join(f"<{item} id='{i}'>{i}.txt</{item}>" for i in items)
    written = "" if answers is None else f"\t<{tag}>{','.join(answers)}</{tag}>\n"
    return (
        f"<instance id='{id_ or folder}'>\n\t<query>{query}</query>\n"
        f"\t<{wrapper}>{inner}</{wrapper}>\n{written}</instance>\n"
    )


def of_2019(task, *instances):
    return given_text(f"<COLIEE task='{task[-1]}'>\n{''.join(instances)}</COLIEE>\n")


each_task = pytest.mark.parametrize("task", ["task1", "task2"])


@each_task
def test_where_the_id_is_not_the_folder_the_folder_counts_with_a_warning_of_file_and_line(task):
    file = of_2019(task, packaged(task, "001", ["901"], ["901"]), packaged(task, "010", ["902"], ["902"], id_="002"))
    with pytest.warns(ColieeWarning, match=r"labels, line \d+: .*002 .* folder 010"):
        assert read_xml_labels(file) == {"001": ("901",), "010": ("902",)}


@pytest.mark.parametrize(("id_", "folder"), [("001", "001"), ("t1-001", "001"), ("t2-7", "7"), (" t1-001 ", "001")])
def test_without_a_path_the_id_is_the_folder(id_, folder):
    text = f"<instance id='{id_}'><query>base_case.txt</query><cases_noticed>901</cases_noticed></instance>"
    assert silently(read_xml_labels, of_2019("task1", text)) == {folder: ("901",)}


def test_a_query_without_id_and_path_is_refused_with_its_line():
    file = of_2019("task1", packaged("task1", "001", ["901"], ["901"]), "<instance><query/></instance>")
    with pytest.raises(MalformedFileError, match="neither an id nor a path") as caught:
        read_xml_labels(file)
    assert caught.value.line == 7


def test_of_an_instance_given_twice_the_last_is_used_with_a_warning():
    file = of_2019("task1", packaged("task1", "001", ["901"], ["901"]), packaged("task1", "001", ["902"], ["902"]))
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
    file = of_2019(task, packaged(task, "001", ["901", long], [long, "901"]), packaged(task, long, ["901"], ["901"]))
    assert read_xml_labels(file) == {"001": (long, "901"), long: ("901",)}
    assert read_json_labels(given_text(json.dumps({long: [long]}))) == {long: (long,)}


# --- a text file a case ----------------------------------------------------------------------------


def put_gold_of_cases(corpus, gold, name="noticed_cases.txt", end="\n"):
    for case, items in gold.items():
        (corpus / case).mkdir(parents=True)
        (corpus / case / name).write_bytes("".join(f"{item}{end}" for item in items).encode())


@pytest.mark.parametrize("end", ["\n", "\r\n", ".txt\n", " \n\n"])
def test_the_text_files_of_2019_have_an_item_a_line(tmp_path, monkeypatch, end):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = tmp_path / "COLIEE2019" / "task1_train"
    put_gold_of_cases(folder, {"002": ["901"], "001": ["903", "901"]}, end=end)
    for case in ("001", "002"):
        (folder / case / "candidates").mkdir()
    found = gold_of_cases(LocalRelease.open("coliee/task1/2019/train"))
    assert list(found.items()) == [("001", ("903", "901")), ("002", ("901",))]
