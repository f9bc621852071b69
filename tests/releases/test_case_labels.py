"""Every label format of tasks 1 and 2: JSON, the XML of 2018, both of 2019, a text file per case."""

import json
import warnings
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError, ColieeWarning, MalformedFileError
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


def as_called(task, folder, items, answers, id_=None):
    """An instance as the call documents it: prefixed id, answers before the items, white space everywhere."""
    number = task[-1]
    query = f"\n  {folder}/base_case.txt\n"
    if task == "task2":
        fragment = f"<entailed_fragment>\n{folder}/entailed_fragment.txt\n</entailed_fragment>"
        query = f"<case_contents>\n{folder}/base_case.txt\n</case_contents>\n{fragment}"
    wrapper, item, tag = {
        "task1": ("candidate_cases", "candidate_case", "cases_noticed"),
        "task2": ("noticed_case", "paragraph", "entailing_paragraphs"),
    }[task]
    inner = "\n".join(f"<{item} id='{i}'>\n{i}.txt\n</{item}>" for i in items)
    written = "" if answers is None else f"<{tag}>\n  {','.join(answers)}\n</{tag}>\n"
    return (
        f"<instance id='t{number}-{id_ or folder}'>\n<query>{query}</query>\n{written}"
        f"<{wrapper}>\n{inner}\n</{wrapper}>\n</instance>\n"
    )


def of_2019(task, *instances):
    return given_text(f"<COLIEE task='{task[-1]}'>\n{''.join(instances)}</COLIEE>\n")


each_task = pytest.mark.parametrize("task", ["task1", "task2"])
each_form = pytest.mark.parametrize("form", [packaged, as_called])


@each_task
@each_form
def test_where_the_id_is_not_the_folder_the_folder_counts_with_a_warning_of_file_and_line(task, form):
    file = of_2019(task, form(task, "001", ["901"], ["901"]), form(task, "010", ["902"], ["902"], id_="002"))
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


@each_form
def test_of_an_instance_given_twice_the_last_is_used_with_a_warning(form):
    file = of_2019("task1", form("task1", "001", ["901"], ["901"]), form("task1", "001", ["902"], ["902"]))
    with pytest.warns(ColieeWarning, match=r"labels, line \d+: query 001 is repeated; the last one is used"):
        assert read_xml_labels(file) == {"001": ("902",)}


# --- XML that is not as expected -------------------------------------------------------------------


@pytest.mark.parametrize("text", ["<COLIEE task='1'/>", "<html><body>Not here.</body></html>"])
def test_xml_without_a_query_is_refused(text):
    with pytest.raises(MalformedFileError, match="the file has no query"):
        read_xml_labels(given_text(text))


@pytest.mark.parametrize("text", ["", "<COLIEE>", "<COLIEE>\n<instance id='1'></COLIEE>", "{}", "<a>&b;</a>"])
def test_what_is_not_well_formed_is_refused(text):
    with pytest.raises(MalformedFileError) as caught:
        read_xml_labels(given_text(text))
    assert caught.value.line is not None


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


# --- any gold, in any form -------------------------------------------------------------------------

_folders = st.integers(1, 1099).map("{:03}".format)
#: Query folder to (names of its items, gold among them), at least one query.
pooled_gold = st.dictionaries(
    _folders,
    st.lists(st.integers(0, 999).map("{:03}".format), min_size=1, max_size=6, unique=True).flatmap(
        lambda items: st.tuples(st.just(sorted(items)), st.lists(st.sampled_from(items), max_size=4, unique=True))
    ),
    min_size=1,
    max_size=5,
)


def meant(gold):
    return {folder: tuple(answers) for folder, (_, answers) in gold.items()}


@pytest.mark.slow
@settings(max_examples=80)
@given(pooled_gold, st.sampled_from(["task1", "task2"]), st.sampled_from([packaged, as_called]), st.booleans())
def test_any_gold_comes_back_from_both_forms_of_2019(gold, task, form, without_zeros):
    instances = []
    for folder, (items, answers) in gold.items():
        written = [str(int(answer)) for answer in answers] if without_zeros else answers
        instances.append(form(task, folder, items, written or None))
    assert silently(read_xml_labels, of_2019(task, *instances)) == meant(gold)


# --- any damage ------------------------------------------------------------------------------------

JSON_FILES = [
    b'{"900001.txt": ["900002.txt", "900003.txt"], "900004.txt": []}',
    b'{\n    "001": [\n        "901.txt"\n    ],\n    "826": "902.txt, 903.txt"\n}',
    b'["900004.txt", "900005.txt"]',
]
XML_FILES = [
    of_2018(entry_of_task1("901", [("911", "911"), ("912", "912")], "911,912")).data,
    of_2018(entry_of_task2("901", PATHS, "1,3")).data,
    *(of_2019(t, f(t, "001", ["901", "902"], ["902"])).data for t in ("task1", "task2") for f in (packaged, as_called)),
]
SPLICES = [
    b"<",
    b">",
    b"&",
    b"]]>",
    b"<!--",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b'"',
    b"'",
    b"[",
    b"{",
    b",",
    b"9" * 5000,
]
SPLICES += [
    b"null",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"&b;",
    b"id='",
    b"\\ud800",
    b"[" * 2000,
    b"<a>" * 50,
    b"-",
    b"1e999",
]

damage = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 8),
        st.binary(max_size=4) | st.sampled_from(SPLICES),
    ),
    min_size=1,
    max_size=4,
)


def damaged(data, places):
    """The bytes with some dropped and others put in their place, at each of these places (a share of the length)."""
    for place, dropped, inserted in places:
        position = int(place * len(data))
        data = data[:position] + inserted + data[position + dropped :]
    return data


def is_labels(found):
    return all(
        isinstance(query, str) and isinstance(items, tuple) and all(isinstance(item, str) for item in items)
        for query, items in found.items()
    )


def read_or_refuse(read, data):
    """Nothing but a result, our errors, and our warnings, whose words can be printed."""
    said = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            assert is_labels(read(Given(data)))
        except ColieeError as error:
            said.append(str(error))
    assert all(issubclass(warning.category, ColieeWarning) for warning in caught)
    for message in [*said, *(str(warning.message) for warning in caught)]:
        assert message.startswith("labels")
        message.encode()


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(st.sampled_from(JSON_FILES), damage)
def test_any_damaged_json_is_read_or_refused(data, places):
    read_or_refuse(read_json_labels, damaged(data, places))


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(st.sampled_from(XML_FILES), damage, st.booleans())
def test_any_damaged_xml_is_read_or_refused(data, places, by_position):
    listed = (lambda folder: ["004", "007", "009"]) if by_position else None
    read_or_refuse(lambda file: read_xml_labels(file, item_names=listed), damaged(data, places))
