"""The readers of tasks 1 and 2: labels of every era, documents and queries, and names that show what is missing."""

import json
import warnings
from typing import NamedTuple

import pytest
from fixture_releases import write_task1
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from label_files import entry_of_task1, entry_of_task2, of_2018, of_2019, packaged, paragraphs_of
from zips import write_zip

from ir_coliee.editions import SPLITS, Split
from ir_coliee.editions.edition import ITEM_FOLDERS
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingReleaseError
from ir_coliee.releases import cases
from ir_coliee.releases.cases import read_json_labels, read_xml_labels
from ir_coliee.releases.files import DiskFolder
from ir_coliee.releases.findings import FindingWarning
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


# Every label format of tasks 1 and 2: JSON, the XML of 2018, both of 2019, a text file per case.


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


# A synthetic local copy of every era of tasks 1 and 2, from the files to ir_datasets and PyTerrier.


def put(home, entries):
    for name, text in entries.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def below(place, entries):
    return {f"{place}/{name}": text for name, text in entries.items()}


def pool(query, candidates, **others):
    """The folder of a query of task 1 until 2020."""
    return {
        f"{query}/base_case.txt": f"Query {query}.",
        **{f"{query}/candidates/{name}.txt": f"Candidate {name} of {query}." for name in candidates},
        **{f"{query}/{name}.txt": text for name, text in others.items()},
    }


def case(query, paragraphs, **others):
    """The folder of a query of task 2 since 2019."""
    return {
        f"{query}/base_case.txt": f"Before. Fragment {query}.",
        f"{query}/entailed_fragment.txt": f"Fragment {query}.",
        **{f"{query}/paragraphs/{name}.txt": f"[{name}]\nParagraph {name} of {query}." for name in paragraphs},
        **{f"{query}/{name}.txt": text for name, text in others.items()},
    }


def with_fact(folder):
    """The folder of a query as 2018 has it."""
    renamed = {name.replace("base_case", "fact"): text for name, text in folder.items()}
    return {name: text for name, text in renamed.items() if "entailed_fragment" not in name}


def gold_of(dataset_id):
    return [qrel[:2] for qrel in cases.gold(LocalRelease.open(SPLITS[dataset_id]))]


# --- one copy of each era --------------------------------------------------------------------------

TRAIN_2018, TEST_2018 = "COLIEE2018_CaseLaw_Training_Data", "COLIEE2018_CaseLaw_Test_Data"

# --- 2019 ------------------------------------------------------------------------------------------

TRAIN_2019 = SPLITS["coliee/task1/2019/train"]


def put_2019(home, of_cases, xml):
    """Train split of two queries. ``of_cases``: gold in their folders; ``xml``: in the XML file; None: not there."""
    for query, noticed in (of_cases or {"001": None, "002": None}).items():
        others = {} if noticed is None else {"noticed_cases": noticed}
        put(home, below("task1_train", pool(query, ["003", "004", "005"], **others)))
    if xml is not None:
        names = [f"{n:03}" for n in range(1, 201)]  # whatever the folder holds
        instances = [packaged("task1", query, names, answers and answers.split(",")) for query, answers in xml.items()]
        put(home, {"task1_train/task1.xml": of_2019("task1", *instances)})


AGREED = [("001", "001_003"), ("001", "001_005"), ("002", "002_004")]


@pytest.mark.parametrize(
    ("of_cases", "xml"),
    [
        ({"001": "003\n005\n", "002": "004\n"}, {"001": "3,5", "002": "4"}),
        ({"001": "003\n005\n", "002": "004\n"}, None),
        (None, {"001": "003,005", "002": "004"}),
        ({"001": "3\n5\n", "002": "4"}, {"1": "003,005", "2": "004"}),
        ({"001": "003\n005\n", "002": "004\n"}, {"001": None, "002": None}),
    ],
)
def test_gold_of_2019_is_the_same_from_xml_from_text_files_and_from_both(home, of_cases, xml):
    put_2019(home, of_cases, xml)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2019/train") == AGREED
        assert LocalRelease.open(TRAIN_2019).missing == ()


@pytest.mark.parametrize(
    ("of_cases", "differing"),
    [
        ({"001": "003\n", "002": "004\n"}, "001$"),
        ({"001": "003\n005\n", "002": "005\n"}, "002$"),
        ({"001": "003\n005\n", "002": None}, "002$"),
        ({"001": "", "002": "003\n"}, "001, 002$"),
    ],
)
def test_where_xml_and_text_files_of_2019_differ_the_xml_is_used_with_a_warning(home, of_cases, differing):
    put_2019(home, of_cases, {"001": "3,5", "002": "4"})
    with pytest.warns(ColieeWarning, match=rf"task1\.xml: the gold in the case folders differs.*: {differing}"):
        assert gold_of("coliee/task1/2019/train") == AGREED


# --- 2020 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [{"1": ["3.txt", "5.txt"]}, {"0001": ["0003", "05"]}, {"001.txt": "3.txt, 5"}])
def test_labels_of_2020_in_other_paddings_are_mapped_onto_the_names_of_the_files(home, labels):
    put(home, below("task1_train_2020", pool("001", ["003", "005"])))
    put(home, {"task1_train_2020_labels.json": json.dumps(labels)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2020/train") == [("001", "001_003"), ("001", "001_005")]


# --- 2021 to 2026 ----------------------------------------------------------------------------------


def test_labels_of_the_flat_layout_in_other_paddings_are_mapped_onto_the_files_and_no_case_notices_itself(home):
    put(home, below("task1_test_files_2025", {"000123.txt": "one", "900002.txt": "two"}))
    put(home, {"task1_test_labels_2025.json": '{"900002.txt": ["123.txt"], "123.txt": ["0900002.txt", "0123.txt"]}'})
    with pytest.warns(ColieeWarning, match=r"gold names themselves, which is left out: 1 \(000123\)"):
        assert gold_of("coliee/task1/2025/test") == [("900002", "000123"), ("000123", "900002")]
    assert cases.query_ids(LocalRelease.open(SPLITS["coliee/task1/2025/test"])) == ["900002", "000123"]


# --- any gold --------------------------------------------------------------------------------------

#: Query to (its items, the gold among them).
golds = st.dictionaries(
    st.integers(1, 1030).map("{:03}".format),
    st.lists(st.integers(1, 200).map("{:03}".format), min_size=1, max_size=5, unique=True).flatmap(
        lambda items: st.tuples(
            st.just(sorted(items)), st.lists(st.sampled_from(items), min_size=1, max_size=3, unique=True)
        )
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gold=golds, zipped=st.booleans())
def test_any_gold_comes_back_from_its_positions_in_the_files_of_2018(tmp_path_factory, monkeypatch, gold, zipped):
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("COLIEE_HOME", str(home))
    place = f"{TRAIN_2018}/Entailment1"
    written, entries = [], {}
    for query, (items, named) in gold.items():
        positions = ",".join(str(items.index(name) + 1) for name in named)
        written.append(entry_of_task2(query, paragraphs_of(query, items), positions))
        entries |= below(f"{place}/data", with_fact(case(query, items)))
    entries[f"{place}/EE.xml"] = of_2018(*written)
    if zipped:
        write_zip(home / "package.zip", entries)
    else:
        put(home, entries)
    release = LocalRelease.open("coliee/task2/2018/train")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FindingWarning)  # numbers are skipped
        found = gold_of(release.split.id)
    assert sorted(found) == sorted((query, f"{query}_{name}") for query, (_, named) in gold.items() for name in named)
    assert cases.query_ids(release) == sorted(gold, key=int)
    assert cases.candidates(release) == [
        (query, f"{query}_{name}") for query in sorted(gold, key=int) for name in gold[query][0]
    ]


# Names of files and folders that show that documents are missing, doubled or misnamed.


def put_names(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("A lamp.")
    return folder


def problems(folder, layout):
    corpus = DiskFolder(str(folder))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cases._documents(corpus, None, ITEM_FOLDERS.get(layout, ""), "task2")
    return {warning.message.check: [*warning.message.ids] for warning in caught}


def numbered_case(*numbers, query="901", items="paragraphs"):
    return [f"{query}/base_case.txt", *(f"{query}/{items}/{number}.txt" for number in numbers)]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (["001", "002", "003"], {}),
        (["1", "2", "10"], {"skipped-paragraph": ["901 03-09"]}),
        (["000", "001"], {}),
        (["001", "003", "004", "0999"], {"skipped-paragraph": ["901 002", "901 0005-0998"]}),
        (["002"], {"skipped-paragraph": ["901 001"]}),
        (["001", "2", "003"], {"otherwise-padded-number": ["901 2"]}),
        (["001", "002", "02"], {"repeated-number": ["901 002=02"], "otherwise-padded-number": ["901 02"]}),
        (["998", "999", "1000"], {"skipped-paragraph": ["901 001-997"]}),
    ],
)
def test_the_numbers_of_the_paragraphs_of_a_case(tmp_path, numbers, expected):
    found = problems(put_names(tmp_path, *numbered_case(*numbers)), "cases")
    if numbers[-1] == "0999":
        assert found.pop("otherwise-padded-number") == ["901 0999"]
    assert found == expected


def test_names_that_a_browser_or_a_person_has_changed_are_misnamed(tmp_path):
    put_names(
        tmp_path,
        *numbered_case("001"),
        *numbered_case("001", query="901 (1)"),
        "901/paragraphs/001 (1).txt",
        "901/paragraphs/2.txt.txt",
    )
    put_names(tmp_path, "901/paragraphs/notes.txt", "901/paragraphs/.DS_Store", "readme.txt")
    expected = ["901 (1)", "901/paragraphs/001 (1).txt", "901/paragraphs/2.txt.txt"]
    assert problems(tmp_path, "cases") == {"misnamed-file": expected}


def test_the_loader_warns_once_of_a_split_and_names_the_folder_and_the_next_step(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    put_names(
        tmp_path / "task2_train_files_2025",
        *numbered_case("001", "003"),
        *numbered_case("001", "003", query="903"),
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            LocalRelease.open("coliee/task2/2025/train").documents()
    (message,) = (str(warning.message) for warning in caught if issubclass(warning.category, FindingWarning))
    assert message == (
        f"{tmp_path / 'task2_train_files_2025'}: numbers that are skipped within a query: 2 (901 002, 903 002). "
        "Restore the missing files: the organisers number the paragraphs of a case without gaps."
    )
