"""The readers of tasks 1 and 2: labels of every era, documents and queries, and names that show what is missing."""

import json
import warnings
from typing import NamedTuple

import pytest
from fixture_releases import write_task1
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
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

# --- label files of 2018 and 2019 as the organisers write them ---------------------------------------------


def entry_of_task1(folder, names, answers, prefix="some/prefix/"):
    """An entry of task 1. ``names``: id and file name of each candidate; ``answers``: what the element holds."""
    place = f"{prefix}{folder}"
    candidates = [f'<candidate_case id="{i}">{place}/candidates/{n}.txt</candidate_case>' for i, n in names]
    noticed = "" if answers is None else f"<cases_noticed>{answers}</cases_noticed>"
    return (
        f'<entry id="{folder}">\n<fact>{place}/fact.txt</fact>\n<summary>{place}/summary.txt</summary>\n'
        f"{''.join(candidates)}\n{noticed}\n</entry>\n"
    )


def entry_of_task2(folder, names, answers):
    """An entry of task 2, whose paragraphs name files."""
    inner = "".join(f'<paragraph id="{name}">p/{folder}/paragraphs/{name}.txt</paragraph>' for name in names)
    return (
        f'<entry id="{folder}"><fact>p/{folder}/fact.txt</fact><supporting_case>{inner}</supporting_case>'
        f"<entailing_paragraphs>{answers}</entailing_paragraphs></entry>"
    )


def of_2018(*entries):
    return f"<COLIEE_2018>{''.join(entries)}</COLIEE_2018>"


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
    return f"<COLIEE task='{task[-1]}'>\n{''.join(instances)}</COLIEE>\n"


class Given(NamedTuple):
    """A file that was never written: what the readers ask of one."""

    text: str

    def read_bytes(self):
        return self.text.encode()

    def __str__(self):
        return "labels"


def written(content):
    return Given(content if isinstance(content, str) else json.dumps(content))


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
def test_json_labels_are_read_in_every_form(content, gold):
    found = read_json_labels(written(content))
    assert found == gold
    assert list(found) == list(gold)


SHAPES = ['"900001.txt"', "3", "null", "true", '["900001.txt", 3]', '[["900001.txt"]]']
VALUES = [None, 3, True, {"901.txt": 1}, ["901.txt", 3], [["901.txt"]]]
ENTRY = packaged("task1", "001", ["901"], ["901"])
REFUSED = [
    *((read_json_labels, content, "neither an object nor a list of names", None) for content in SHAPES),
    *((read_json_labels, {"001": ["901.txt"], "002": value}, "002", None) for value in VALUES),
    *((read_xml_labels, text, "the file has no query", None) for text in ("<COLIEE task='1'/>", "<html>No.</html>")),
    (read_xml_labels, of_2019("task1", ENTRY, "<instance><query/></instance>"), "neither an id nor a path", 7),
]


@pytest.mark.parametrize(("read", "content", "problem", "line"), REFUSED)
def test_labels_of_another_shape_or_type_are_refused_with_query_or_line(read, content, problem, line):
    with pytest.raises(MalformedFileError, match=problem) as caught:
        read(written(content))
    assert line in (None, caught.value.line)


def instance(id_):
    """Without a path."""
    text = f"<instance id='{id_}'><query>base_case.txt</query><cases_noticed>901</cases_noticed></instance>"
    return of_2019("task1", text)


POSITIONS = {"901": ("p10", "p1")}
ONE, AGAIN = [("911", "911")], entry_of_task1("902", [("911", "911")], "911")
XML = [
    # 2018: a query without answers
    *(
        (of_2018(entry_of_task1("901", ONE, answers), AGAIN), {"901": (), "902": ("911",)})
        for answers in (None, "", "  ", "\n\t\n", ",")
    ),
    # 2018: an answer is the id of a candidate, whose name is that of the file
    *(
        (of_2018(entry_of_task1("901", names, answers)), {"901": items})
        for names, answers, items in (
            ([("000", "000"), ("001", "001")], "000,001", ("000", "001")),
            ([("1", "000"), ("2", "001")], "1", ("000",)),
            ([("001", "001"), ("002", "002")], "2", ("002",)),
            ([("911", "911"), ("912", "912")], " 912 , 911\n", ("912", "911")),
            ([(" 911 ", "911")], "911", ("911",)),
            (ONE, "911,911", ("911", "911")),
            (ONE, "911.txt", ("911",)),
            (ONE, "913", ("913",)),
            ([], "911", ("911",)),
            ([("a7", "a7")], "a7", ("a7",)),
        )
    ),
    # 2018: paragraphs name no file of the folder: the position among its files counts
    *(
        (of_2018(entry_of_task2("901", [], "3,1").replace("</supp", f"{each * 3}</supp")), POSITIONS)
        for each in ("<paragraph>Invented words.</paragraph>", '<paragraph id="x"/>', "<paragraph/>")
    ),
    # 2019: without a path the id is the folder
    *(
        (instance(id_), {folder: ("901",)})
        for id_, folder in (("001", "001"), ("t1-001", "001"), ("t2-7", "7"), (" t1-001 ", "001"))
    ),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("text", "gold"), XML)
def test_xml_labels_of_2018_and_2019_are_read_in_every_form(text, gold):
    folders = {"901": ["p1", "p2", "p10"]}
    names = folders.__getitem__ if gold is POSITIONS else None
    assert read_xml_labels(Given(text), **({"item_names": names} if names else {})) == gold


@pytest.mark.parametrize("task", ["task1", "task2"])
def test_folders_count_before_ids_and_the_last_of_repeated_queries_with_a_warning(task):
    one, other = (packaged(task, "001", [item], [item]) for item in ("901", "902"))
    with pytest.warns(ColieeWarning, match=r"labels, line \d+: .*002 .* folder 010"):
        found = read_xml_labels(Given(of_2019(task, one, packaged(task, "010", ["902"], ["902"], id_="002"))))
    assert found == {"001": ("901",), "010": ("902",)}
    with pytest.warns(ColieeWarning, match=r"labels, line \d+: query 001 is repeated; the last one is used"):
        assert read_xml_labels(Given(of_2019(task, one, other))) == {"001": ("902",)}


@pytest.mark.parametrize("task", ["task1", "task2"])
def test_numbers_beyond_what_python_reads_do_no_harm(task):
    long = "9" * 5000
    entries = packaged(task, "001", ["901", long], [long, "901"]), packaged(task, long, ["901"], ["901"])
    assert read_xml_labels(Given(of_2019(task, *entries))) == {"001": (long, "901"), long: ("901",)}
    assert read_json_labels(written({long: [long]})) == {long: (long,)}


# --- local releases of every era ----------------------------------------------------------------------


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


def gold_of(dataset_id):
    return [qrel[:2] for qrel in cases.gold(LocalRelease.open(SPLITS[dataset_id]))]


FOUR = {f"90000{n}": f"Decision {n}." for n in (1, 2, 3, 4)}


def test_a_query_without_a_file_is_left_out_with_a_warning_and_if_all_are_the_labels_are_refused(home):
    write_task1(home, FOUR, {"900001.txt": [], "900007.txt": ["900001.txt"]})
    with pytest.warns(ColieeWarning, match=r"task1_test_labels_2025\.json.*without a file.*900007"):
        assert [query.query_id for query in cases.queries(LocalRelease.open(TASK1))] == ["900001"]
    write_task1(home, FOUR, {"900008.txt": ["900001.txt"]})
    with pytest.raises(MalformedFileError, match=f"no query has a file in {home}/"), pytest.warns(ColieeWarning):
        cases.gold(LocalRelease.open(TASK1))


def test_gold_that_names_no_document_counts_with_a_warning(home):
    write_task1(home, FOUR, {"900001.txt": ["900008.txt", "900002.txt"]})
    with pytest.warns(ColieeWarning, match=r"name no document, which are kept: 1 \(900001 900008\)"):
        assert gold_of(TASK1.id) == [("900001", "900008"), ("900001", "900002")]


TASK2 = Split("task2", "2098", "en", "train", {"corpus": ("cases",), "labels": ("labels.json",)}, layout="cases")


def test_cases_and_paragraphs_are_ordered_by_number_and_keep_their_padding(home):
    put(home, below("cases", case("1000", ["010", "002", "1001"]) | case("999", ["001"])))
    documents = [(doc_id, case) for doc_id, _, case in cases.documents(LocalRelease.open(TASK2))]
    assert documents == [("999_001", "999"), ("1000_002", "1000"), ("1000_010", "1000"), ("1000_1001", "1000")]
    assert [fragment.query_id for fragment in cases.queries(LocalRelease.open(TASK2))] == ["999", "1000"]


@pytest.mark.parametrize("name", ["entailed_fragment.txt", "base_case.txt"])
def test_a_case_that_lacks_a_piece_is_refused_with_its_folder(home, name):
    put(home, below("cases", case("901", ["001"])))
    (home / "cases" / "901" / name).unlink()
    with pytest.raises(MissingReleaseError, match=name) as caught:
        cases.full_queries(LocalRelease.open(TASK2))
    assert str(home / "cases" / "901") in str(caught.value)


def put_2019(home, of_cases, xml):
    """Train split of two queries. ``of_cases``: gold in their folders; ``xml``: in the XML file; None: not there."""
    for query, noticed in (of_cases or {"001": None, "002": None}).items():
        others = {} if noticed is None else {"noticed_cases": noticed}
        put(home, below("task1_train", pool(query, ["003", "004", "005"], **others)))
    if xml is not None:
        names = [f"{n:03}" for n in range(1, 201)]  # whatever the folder holds
        instances = [packaged("task1", query, names, answers and answers.split(",")) for query, answers in xml.items()]
        put(home, {"task1_train/task1.xml": of_2019("task1", *instances)})


TWO = {"001": "003\n005\n", "002": "004\n"}
IN_XML = {"001": "3,5", "002": "4"}
OF_2019 = [
    (TWO, IN_XML, None),
    (TWO, None, None),
    (None, {"001": "003,005", "002": "004"}, None),
    ({"001": "3\n5\n", "002": "4"}, {"1": "003,005", "2": "004"}, None),
    (TWO, {"001": None, "002": None}, None),
    # where both differ, the XML is used with a warning
    (TWO | {"001": "003\n"}, IN_XML, "001"),
    (TWO | {"002": "005\n"}, IN_XML, "002"),
    (TWO | {"002": None}, IN_XML, "002"),
    ({"001": "", "002": "003\n"}, IN_XML, "001, 002"),
]


@pytest.mark.parametrize(("of_cases", "xml", "differing"), OF_2019)
def test_gold_of_2019_is_the_same_from_xml_from_text_files_and_from_both(home, of_cases, xml, differing):
    put_2019(home, of_cases, xml)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert gold_of("coliee/task1/2019/train") == [("001", "001_003"), ("001", "001_005"), ("002", "002_004")]
        assert LocalRelease.open("coliee/task1/2019/train").missing == ()
    said = {str(warning.message).rpartition("task1.xml: the gold in the case folders differs")[2] for warning in caught}
    assert [message.rpartition(": ")[2] for message in said] == ([differing] if differing else [])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("labels", [{"1": ["3.txt", "5.txt"]}, {"0001": ["0003", "05"]}, {"001.txt": "3.txt, 5"}])
def test_labels_of_2020_in_other_paddings_are_mapped_onto_the_names_of_the_files(home, labels):
    put(home, below("task1_train_2020", pool("001", ["003", "005"])))
    put(home, {"task1_train_2020_labels.json": json.dumps(labels)})
    assert gold_of("coliee/task1/2020/train") == [("001", "001_003"), ("001", "001_005")]


def test_labels_of_the_flat_layout_in_other_paddings_are_mapped_onto_the_files_and_no_case_notices_itself(home):
    put(home, below("task1_test_files_2025", {"000123.txt": "one", "900002.txt": "two"}))
    put(home, {"task1_test_labels_2025.json": '{"900002.txt": ["123.txt"], "123.txt": ["0900002.txt", "0123.txt"]}'})
    with pytest.warns(ColieeWarning, match=r"gold names themselves, which is left out: 1 \(000123\)"):
        assert gold_of("coliee/task1/2025/test") == [("900002", "000123"), ("000123", "900002")]
    assert cases.query_ids(LocalRelease.open(SPLITS["coliee/task1/2025/test"])) == ["900002", "000123"]


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
@pytest.mark.filterwarnings("ignore::ir_coliee.releases.findings.FindingWarning")  # numbers are skipped
@pytest.mark.filterwarnings("error")
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gold=golds, zipped=st.booleans())
def test_any_gold_comes_back_from_its_positions_in_the_files_of_2018(tmp_path_factory, monkeypatch, gold, zipped):
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("COLIEE_HOME", str(home))
    place = "COLIEE2018_CaseLaw_Training_Data/Entailment1"
    entries, files = [], {}
    for query, (items, named) in gold.items():
        positions = ",".join(str(items.index(name) + 1) for name in named)
        entries.append(entry_of_task2(query, items, positions))
        files |= below(f"{place}/data", case(query, items))
    files = {name.replace("base_case", "fact"): text for name, text in files.items() if "fragment" not in name}
    files[f"{place}/EE.xml"] = of_2018(*entries)
    write_zip(home / "package.zip", files) if zipped else put(home, files)
    release = LocalRelease.open("coliee/task2/2018/train")
    expected = [(query, f"{query}_{name}") for query, (_, named) in gold.items() for name in named]
    assert sorted(gold_of(release.split.id)) == sorted(expected)
    assert cases.query_ids(release) == sorted(gold, key=int)
    assert cases.candidates(release) == [
        (query, f"{query}_{name}") for query in sorted(gold, key=int) for name in gold[query][0]
    ]


# --- names of files and folders that show that documents are missing, doubled or misnamed --------------


def numbered_case(*numbers, query="901"):
    return {f"{query}/base_case.txt": "A lamp.", **{f"{query}/paragraphs/{n}.txt": "A lamp." for n in numbers}}


def problems(folder, entries):
    put(folder, entries)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cases._documents(DiskFolder(str(folder)), None, ITEM_FOLDERS["cases"], "task2")
    return {warning.message.check: [*warning.message.ids] for warning in caught}


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
    found = problems(tmp_path, numbered_case(*numbers))
    if numbers[-1] == "0999":
        assert found.pop("otherwise-padded-number") == ["901 0999"]
    assert found == expected


def test_names_that_a_browser_or_a_person_has_changed_are_misnamed(tmp_path):
    misnamed = ["901/paragraphs/001 (1).txt", "901/paragraphs/2.txt.txt"]
    others = [*misnamed, "901/paragraphs/notes.txt", "901/paragraphs/.DS_Store", "readme.txt"]
    entries = numbered_case("001") | numbered_case("001", query="901 (1)") | dict.fromkeys(others, "A lamp.")
    assert problems(tmp_path, entries) == {"misnamed-file": ["901 (1)", *misnamed]}


def test_the_loader_warns_once_of_a_split_and_names_the_folder_and_the_next_step(home):
    corpus = home / "task2_train_files_2025"
    put(corpus, numbered_case("001", "003") | numbered_case("001", "003", query="903"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            LocalRelease.open("coliee/task2/2025/train").documents()
    assert [str(warning.message) for warning in caught if issubclass(warning.category, FindingWarning)] == [
        f"{corpus}: numbers that are skipped within a query: 2 (901 002, 903 002). "
        "Restore the missing files: the organisers number the paragraphs of a case without gaps."
    ]
