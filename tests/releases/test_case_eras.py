"""A synthetic local copy of every era of tasks 1 and 2, from the files to ir_datasets and PyTerrier."""

import json
import warnings

import ir_datasets
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zips import write_zip

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeWarning, MalformedFileError, MissingLabelsError
from ir_coliee.releases import cases
from ir_coliee.releases import cases as case_gold
from ir_coliee.releases.files import FindingWarning
from ir_coliee.releases.release import LocalRelease


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


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


def entry_of_task1(query, names, answers):
    place = f"organisers/disk/{query}"
    candidates = "".join(f'<candidate_case id="{n}">{place}/candidates/{n}.txt</candidate_case>' for n in names)
    noticed = "" if answers is None else f"<cases_noticed>{answers}</cases_noticed>"
    return f'<entry id="{query}"><fact>{place}/fact.txt</fact>{candidates}{noticed}</entry>'


def entry_of_task2(query, names, answers):
    place = f"organisers/disk/{query}"
    inner = "".join(f"<paragraph>{place}/paragraphs/{name}.txt</paragraph>" for name in names)
    entailing = "" if answers is None else f"<entailing_paragraphs>{answers}</entailing_paragraphs>"
    paragraphs = f"<supporting_case>{inner}</supporting_case>"
    return f'<entry id="{query}"><fact>{place}/fact.txt</fact>{paragraphs}{entailing}</entry>'


def instance_of_task1(query, names, answers, id_=None):
    inner = "".join(f"<candidate_case id='{n}'>{n}.txt</candidate_case>" for n in names)
    noticed = "" if answers is None else f"<cases_noticed>{answers}</cases_noticed>"
    path = f"<query>{query}/base_case.txt</query>"
    return f"<instance id='{id_ or query}'>{path}<candidate_cases>{inner}</candidate_cases>{noticed}</instance>"


def instance_of_task2(query, names, answers):
    """In the form of the call."""
    inner = "".join(f"<paragraph id='{n}'>\n{n}.txt\n</paragraph>" for n in names)
    entailing = "" if answers is None else f"<entailing_paragraphs>\n{answers}\n</entailing_paragraphs>"
    path = f"<case_contents>\n{query}/base_case.txt\n</case_contents>"
    return f"<instance id='t2-{query}'><query>{path}</query>{entailing}<noticed_case>{inner}</noticed_case></instance>"


def of_2018(*entries):
    return f"<COLIEE_2018>{''.join(entries)}</COLIEE_2018>"


def of_2019(task, *instances):
    return f"<COLIEE task='{task}'>{''.join(instances)}</COLIEE>"


def gold_of(dataset_id):
    return [qrel[:2] for qrel in case_gold.gold(LocalRelease.open(SPLITS[dataset_id]))]


# --- one copy of each era --------------------------------------------------------------------------

TRAIN_2018, TEST_2018 = "COLIEE2018_CaseLaw_Training_Data", "COLIEE2018_CaseLaw_Test_Data"
FLAT = {f"90000{n}.txt": f"Decision {n}." for n in (1, 2, 3)}

ERAS = {
    "coliee/task1/2018/train": {
        **below(f"{TRAIN_2018}/IR/data", with_fact(pool("901", ["000", "001"], summary="In short."))),
        **below(f"{TRAIN_2018}/IR/data", with_fact(pool("902", ["000"]))),
        **below(f"{TRAIN_2018}/Entailment1/data", with_fact(case("905", ["001"]))),
        f"{TRAIN_2018}/IR/IR.xml": of_2018(
            entry_of_task1("901", ["000", "001"], "001"), entry_of_task1("902", ["000"], "0")
        ),
    },
    "coliee/task1/2018/test": {
        **below(f"{TEST_2018}/some/where", with_fact(pool("901", ["001", "002"]))),
        f"{TEST_2018}/gold_standard/ir/ir.xml": of_2018(entry_of_task1("901", ["001", "002"], "002,001")),
        f"{TEST_2018}/gold_standard/entailment/ee.xml": of_2018(entry_of_task2("901", ["001"], "1")),
        f"{TRAIN_2018}/IR/IR.xml": of_2018(entry_of_task1("901", ["001"], "001")),
    },
    "coliee/task2/2018/train": {
        **below(f"{TRAIN_2018}/Entailment1/data", with_fact(case("901", ["007", "008", "011"]))),
        **below(f"{TRAIN_2018}/IR/data", with_fact(pool("905", ["001"]))),
        f"{TRAIN_2018}/Entailment1/EE.xml": of_2018(entry_of_task2("901", ["007", "008", "011"], "3,1")),
    },
    "coliee/task2/2018/test": {
        **below(f"{TEST_2018}/Entailment1/data", with_fact(case("901", ["a1", "a2", "a10"]))),
        f"{TEST_2018}/gold_standard/entailment/ee.xml": of_2018(entry_of_task2("901", ["a1", "a2", "a10"], "3")),
        f"{TEST_2018}/gold_standard/ir/ir.xml": of_2018(entry_of_task1("901", ["001"], "001")),
    },
    "coliee/task1/2019/train": {
        **below("task1_train", pool("001", ["901", "902"], noticed_cases="902\n901\n")),
        **below("task1_train", pool("002", ["901"], noticed_cases="901\n")),
        "task1_train/task1.xml": of_2019(
            1, instance_of_task1("001", ["901", "902"], "902,901"), instance_of_task1("002", ["901"], "901")
        ),
    },
    "coliee/task1/2019/test": {
        **below("task1_test", pool("001", ["903"])),
        "task1_test/task1.xml": of_2019(1, instance_of_task1("001", ["903"], None)),
        "task1_test/task1_test_golden-labels.xml": of_2019(1, instance_of_task1("001", ["903"], "903")),
    },
    "coliee/task2/2019/train": {
        **below("task2_train", case("901", ["901", "902"], entailing_paragraphs="902\n")),
        "task2_train/task2.xml": of_2019(2, instance_of_task2("901", ["901", "902"], "902")),
    },
    "coliee/task2/2019/test": {
        **below("task2_test", case("901", ["901", "902"])),
        "task2_test/task2_test_golden-labels.xml": of_2019(2, instance_of_task2("901", ["901", "902"], "901")),
    },
    "coliee/task1/2020/train": {
        **below("task1_train_2020", pool("001", ["003", "005"])),
        "task1_train_2020_labels.json": '{"1": ["3.txt"]}',
    },
    "coliee/task1/2020/test": {
        **below("task1_test_2020", {**pool("921", ["001", "002"]), **pool("922", ["001"])}),
        "task1_test_2020_labels.json": '{"921": ["002.txt"], "922": ["001.txt"]}',
    },
    "coliee/task2/2020/train": {
        **below("task2_train_2020", case("901", ["001", "002"])),
        "task2_train_labels_2020.json": '{"901": ["002.txt"]}',
    },
    "coliee/task1/2021/train": {
        **below("task1_files", FLAT),
        "train_labels.json": '{"900001.txt": ["900002.txt", "900002.txt"]}',
        "test_no_labels.json": '["900003.txt"]',
    },
    "coliee/task1/2021/test": {
        **below("task1_files", FLAT),
        "train_labels.json": '{"900001.txt": ["900002.txt"]}',
        "task1_test_labels_2021.json": '{"900003.txt": ["900001.txt"]}',
        "test_no_labels.json": '["900003.txt"]',
    },
    "coliee/task2/2021/test": {
        **below("task2_2021_test_nolabels", case("926", ["001"])),
        "task2_test_labels_2021.json": '{"926": ["001.txt"]}',
    },
    "coliee/task1/2022/train": {
        **below("task1_train_files", FLAT),
        "task1_train_labels_2022.json": '{"900001.txt": ["900002.txt"], "900003.txt": ["900001.txt"]}',
    },
    "coliee/task2/2022/test": {
        **below("task2_2022_test", case("976", ["001", "002"])),
        "task2_test_labels_2022.json": '{"976": ["001.txt", "002.txt"]}',
    },
    "coliee/task2/2023/train": {
        **below("task2_train_files_2023", case("901", ["001", "002"])),
        "task2_train_files_2023/task2_train_labels_2022.json": '{"901": ["001.txt"]}',
        "task2_train_labels_2023.json": '{"901": ["002.txt"]}',
    },
    "coliee/task1/2023/test": {
        **below("task1_test_files_2023/task1_test_files_2023", FLAT),
        "task1_test_labels_2023.json": '{"900003.txt": ["900001.txt", "900002.txt"]}',
        "task1_test_no_labels_2023.json": '{"900003.txt": []}',
    },
    "coliee/task2/2025/test": {
        **below("task2_test_files_2025", case("986", ["001", "002", "986"])),
        "task2_test_labels_2025.json": '{"986": "001.txt, 986.txt"}',
    },
    "coliee/task1/2026/train": {
        **below("task1_train_files_2026", FLAT),
        "task1_train_labels_2026.json": '{"900001.txt": ["900002.txt"], "900002.txt": ["900003.txt"]}',
    },
    "coliee/task2/2026/test": {
        **below("task2_test_files_2026/cases", {**case("1000", ["001", "002"]), **case("999", ["001"])}),
        "task2_test_files_2026/task2_test_labels_2026.json": '{"999": ["001.txt"], "1000": "002.txt, 001.txt"}',
    },
}

GOLD = {
    "coliee/task1/2018/train": "901 901_001, 902 902_000",
    "coliee/task1/2018/test": "901 901_002, 901 901_001",
    "coliee/task2/2018/train": "901 901_011, 901 901_007",
    "coliee/task2/2018/test": "901 901_a10",
    "coliee/task1/2019/train": "001 001_902, 001 001_901, 002 002_901",
    "coliee/task1/2019/test": "001 001_903",
    "coliee/task2/2019/train": "901 901_902",
    "coliee/task2/2019/test": "901 901_901",
    "coliee/task1/2020/train": "001 001_003",
    "coliee/task1/2020/test": "921 921_002, 922 922_001",
    "coliee/task2/2020/train": "901 901_002",
    "coliee/task1/2021/train": "900001 900002",
    "coliee/task1/2021/test": "900003 900001",
    "coliee/task2/2021/test": "926 926_001",
    "coliee/task1/2022/train": "900001 900002, 900003 900001",
    "coliee/task2/2022/test": "976 976_001, 976 976_002",
    "coliee/task2/2023/train": "901 901_002",
    "coliee/task1/2023/test": "900003 900001, 900003 900002",
    "coliee/task2/2025/test": "986 986_001, 986 986_986",
    "coliee/task1/2026/train": "900001 900002, 900002 900003",
    "coliee/task2/2026/test": "999 999_001, 1000 1000_002, 1000 1000_001",
}

each_era = pytest.mark.parametrize("dataset_id", ERAS)


def as_disk(home, entries):
    put(home, entries)


def as_one_zip(home, entries):
    write_zip(home / "package.zip", entries)


def as_nested_zip(home, entries):
    write_zip(home / "package.zip", below("package", {**entries, "__MACOSX/._x.txt": "", ".DS_Store": ""}))


def expected_texts(entries, dataset_id):
    """Document id to text, from the names of the entries alone."""
    layout = SPLITS[dataset_id].layout
    if layout == "flat":
        return {name.removesuffix(".txt"): text for name, text in FLAT.items()}
    found = {}
    for name, text in entries.items():
        *_, query, folder, file = f"///{name}".split("/")
        if folder == {"pools": "candidates", "cases": "paragraphs"}[layout]:
            found[f"{query}_{file.removesuffix('.txt')}"] = text
    return found


def test_the_gold_of_every_era_is_written_down():
    assert GOLD.keys() == ERAS.keys()


@pytest.mark.slow
@each_era
@pytest.mark.parametrize("write", [as_disk, as_one_zip, as_nested_zip])
@pytest.mark.filterwarnings("ignore:.*its name has no year")
def test_a_local_copy_of_every_era_loads_through_ir_datasets(home, dataset_id, write):
    entries = ERAS[dataset_id]
    write(home, entries)
    dataset = ir_datasets.load(dataset_id)
    texts = expected_texts(entries, dataset_id)

    docs = {doc.doc_id: doc.default_text() for doc in dataset.docs_iter()}
    assert docs == texts
    assert dataset.docs_handler().docs_count() == len(texts)
    store = dataset.docs_store()
    assert {doc_id: store.get(doc_id).default_text() for doc_id in texts} == texts
    with pytest.raises(KeyError):
        store.get("000000")

    gold = [tuple(pair.split()) for pair in GOLD[dataset_id].split(", ")]
    assert [qrel[:2] for qrel in dataset.qrels_iter()] == gold
    queries = [query.query_id for query in dataset.queries_iter()]
    assert queries == list(dict.fromkeys(query for query, _ in gold))
    assert dataset.has_scoreddocs() == (SPLITS[dataset_id].layout != "flat")
    if dataset.has_scoreddocs():
        pools = [(entry.query_id, entry.doc_id, entry.score) for entry in dataset.scoreddocs_iter()]
        assert pools == [(doc_id.partition("_")[0], doc_id, 0.0) for doc_id in docs]
        assert {query for query, _, _ in pools} == set(queries)
    assert LocalRelease.open(SPLITS[dataset_id]).missing == ()


@pytest.mark.slow
@each_era
@pytest.mark.filterwarnings("ignore:.*its name has no year")
def test_a_local_copy_of_every_era_loads_through_pyterrier(home, dataset_id):
    pt = pytest.importorskip("pyterrier")
    put(home, ERAS[dataset_id])
    dataset = pt.get_dataset(f"irds:{dataset_id}")
    topics, qrels = dataset.get_topics(), dataset.get_qrels()
    queries = list(ir_datasets.load(dataset_id).queries_iter())
    assert list(topics.columns) == ["qid", "query"]
    assert list(zip(topics["qid"], topics["query"])) == [(query.query_id, query.default_text()) for query in queries]
    assert list(zip(qrels["qid"], qrels["docno"])) == gold_of(dataset_id)
    assert all(isinstance(docno, str) for docno in qrels["docno"])
    docnos = [doc["docno"] for doc in dataset.get_corpus_iter(verbose=False)]
    assert docnos == [doc.doc_id for doc in ir_datasets.load(dataset_id).docs_iter()]


@pytest.mark.filterwarnings("ignore:.*its name has no year")
def test_editions_side_by_side_in_one_data_folder_are_never_mixed(home):
    since_2019 = [dataset_id for dataset_id in ERAS if "/2018/" not in dataset_id]
    for dataset_id in since_2019:
        put(home, below(f"COLIEE{dataset_id.split('/')[2]}", ERAS[dataset_id]))
    for dataset_id in since_2019:
        assert gold_of(dataset_id) == [tuple(pair.split()) for pair in GOLD[dataset_id].split(", ")]
        own = home / f"COLIEE{dataset_id.split('/')[2]}"
        for role in ("corpus", "labels"):
            assert str(LocalRelease.open(SPLITS[dataset_id]).find(role).node).startswith(str(own))


def test_an_edition_that_is_not_there_takes_nothing_of_the_others(home):
    for dataset_id, entries in ERAS.items():
        put(home, below(f"COLIEE{dataset_id.split('/')[2]}", entries))
    for dataset_id in ("coliee/task1/2024/train", "coliee/task1/2024/test", "coliee/task2/2024/train"):
        assert LocalRelease.open(SPLITS[dataset_id]).find("corpus") is None
        assert LocalRelease.open(SPLITS[dataset_id]).find("labels") is None
    # the stray label file in the package of 2023 is not the one of 2022
    assert LocalRelease.open(SPLITS["coliee/task2/2022/train"]).find("labels") is None


# --- 2018 ------------------------------------------------------------------------------------------


def test_the_summary_of_2018_stands_beside_the_query_where_there_is_one(home):
    put(home, ERAS["coliee/task1/2018/train"])
    full = list(ir_datasets.load("coliee/task1/2018/train/full").queries_iter())
    assert full == [("901", "Query 901.", "In short."), ("902", "Query 902.", "")]


def test_the_two_tasks_of_2018_in_one_folder_are_distinguished(home):
    put(home, {**ERAS["coliee/task1/2018/train"], **ERAS["coliee/task2/2018/train"]})
    assert [
        query.query_id for query in cases.decision_queries(LocalRelease.open(SPLITS["coliee/task1/2018/train"]))
    ] == [
        *("901", "902", "905"),
    ]
    assert [query.query_id for query in cases.fragments(LocalRelease.open(SPLITS["coliee/task2/2018/train"]))] == [
        "901",
        "905",
    ]


@pytest.mark.parametrize("top", ["IR", "Training/IR", "IR/data", "COLIEE 2018/IR"])
def test_the_folder_of_a_task_of_2018_serves_without_the_one_above(home, top):
    put(home, {**below(top, with_fact(pool("901", ["911"]))), "IR.xml": of_2018(entry_of_task1("901", ["911"], "911"))})
    assert gold_of("coliee/task1/2018/train") == [("901", "901_911")]


def test_a_fact_is_the_query_of_task_2_of_2018(home):
    put(home, ERAS["coliee/task2/2018/train"])
    assert list(cases.fragments(LocalRelease.open(SPLITS["coliee/task2/2018/train"]))) == [
        ("901", "Before. Fragment 901.")
    ]


@pytest.mark.parametrize("answers", [None, ""])
def test_2018_without_any_answers_says_that_labels_are_missing(home, answers):
    corpus = below(f"{TRAIN_2018}/IR/data", with_fact(pool("901", ["911"])))
    put(home, {**corpus, f"{TRAIN_2018}/IR/IR.xml": of_2018(entry_of_task1("901", ["911"], answers))})
    assert len(cases.decision_queries(LocalRelease.open(SPLITS["coliee/task1/2018/train"]))) == 1
    with pytest.raises(MissingLabelsError, match=r"Files without them: .*IR\.xml"):
        gold_of("coliee/task1/2018/train")


def test_the_positions_of_2018_count_from_1_whatever_the_numbering_of_the_files(home):
    corpus = below(f"{TRAIN_2018}/Entailment1/data", with_fact(case("901", ["000", "001", "002"])))
    paragraphs = "<paragraph>Invented words.</paragraph>" * 3
    answers = "<entailing_paragraphs>1,3</entailing_paragraphs>"
    xml = f'<entry id="901"><fact>x/901/fact.txt</fact>{paragraphs}{answers}</entry>'
    put(home, {**corpus, f"{TRAIN_2018}/Entailment1/EE.xml": of_2018(xml)})
    assert gold_of("coliee/task2/2018/train") == [("901", "901_000"), ("901", "901_002")]


# --- 2019 ------------------------------------------------------------------------------------------

TRAIN_2019 = SPLITS["coliee/task1/2019/train"]


def put_2019(home, of_cases, xml):
    """Train split of two queries. ``of_cases``: gold in their folders; ``xml``: in the XML file; None: not there."""
    for query, noticed in (of_cases or {"001": None, "002": None}).items():
        others = {} if noticed is None else {"noticed_cases": noticed}
        put(home, below("task1_train", pool(query, ["003", "004", "005"], **others)))
    if xml is not None:
        names = [f"{n:03}" for n in range(1, 201)]  # whatever the folder holds
        instances = [instance_of_task1(query, names, answers) for query, answers in xml.items()]
        put(home, {"task1_train/task1.xml": of_2019(1, *instances)})


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
    ("of_cases", "xml"),
    [
        ({"001": "005\n003\n", "002": "004\n"}, {"001": "3,5", "002": "4"}),
        ({"001": "003\n005\n003\n", "002": "004\n"}, {"001": "3,5", "002": "4"}),
        ({"001": "003\n005\n", "002": None}, {"001": "3,5", "002": None}),
        ({"001": "003\n005\n", "002": ""}, {"001": "3,5", "002": None}),
    ],
)
def test_order_repeats_and_absent_answers_are_no_difference(home, of_cases, xml):
    put_2019(home, of_cases, xml)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2019/train")[:2] == AGREED[:2]


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


def test_text_files_of_gold_serve_though_the_first_case_has_none(home):
    put_2019(home, {"001": None, "002": "004\n"}, None)
    assert gold_of("coliee/task1/2019/train") == [("002", "002_004")]
    assert LocalRelease.open(TRAIN_2019).missing == ()


def test_without_xml_and_text_files_the_labels_of_2019_are_missing(home):
    put_2019(home, None, None)
    assert len(cases.decision_queries(LocalRelease.open(TRAIN_2019))) == 2
    assert LocalRelease.open(TRAIN_2019).missing == ("labels",)
    with pytest.raises(MissingLabelsError, match=r"task1\.xml"):
        gold_of("coliee/task1/2019/train")


def test_the_numbering_of_2019_restarts_and_the_parts_stay_apart(home):
    put(home, {**ERAS["coliee/task1/2019/train"], **ERAS["coliee/task1/2019/test"]})
    assert gold_of("coliee/task1/2019/train")[0] == ("001", "001_902")
    assert gold_of("coliee/task1/2019/test") == [("001", "001_903")]
    train, test = (ir_datasets.load(f"coliee/task1/2019/{split}").docs_store() for split in ("train", "test"))
    for store, doc_id in ((train, "001_903"), (test, "001_901")):
        with pytest.raises(KeyError):
            store.get(doc_id)


def test_the_test_of_2019_without_golden_labels_loads_its_queries(home):
    entries = dict(ERAS["coliee/task1/2019/test"])
    del entries["task1_test/task1_test_golden-labels.xml"]
    put(home, entries)
    assert [
        query.query_id for query in cases.decision_queries(LocalRelease.open(SPLITS["coliee/task1/2019/test"]))
    ] == ["001"]
    with pytest.raises(MissingLabelsError, match="golden-labels"):
        gold_of("coliee/task1/2019/test")


def test_a_candidate_that_is_listed_but_has_no_file_is_no_document(home):
    put(home, below("task1_train", pool("001", ["001"])))
    put(home, {"task1_train/task1.xml": of_2019(1, instance_of_task1("001", ["001", "002"], "1"))})
    assert cases.decisions(LocalRelease.open(TRAIN_2019)).ids == ["001_001"]
    assert cases.candidates(LocalRelease.open(TRAIN_2019)) == [("001", "001_001")]
    assert gold_of("coliee/task1/2019/train") == [("001", "001_001")]


def test_gold_that_names_a_candidate_without_a_file_counts_with_a_warning(home):
    put(home, below("task1_train", pool("001", ["001"])))
    put(home, {"task1_train/task1.xml": of_2019(1, instance_of_task1("001", ["001", "002"], "1,2"))})
    with pytest.warns(ColieeWarning, match="names no document of this local copy.*: 001_002$"):
        assert gold_of("coliee/task1/2019/train") == [("001", "001_001"), ("001", "001_002")]


def test_where_id_and_folder_of_an_instance_differ_the_folder_counts(home):
    put(home, below("task1_train", {**pool("001", ["901"]), **pool("010", ["901"])}))
    instances = instance_of_task1("001", ["901"], "901"), instance_of_task1("010", ["901"], "901", id_="002")
    put(home, {"task1_train/task1.xml": of_2019(1, *instances)})
    with pytest.warns(ColieeWarning, match="id 002 lies in folder 010"):
        assert gold_of("coliee/task1/2019/train") == [("001", "001_901"), ("010", "010_901")]


# --- 2020 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        {"001": ["003.txt", "005.txt"]},
        {"1": ["3.txt", "5.txt"]},
        {"0001": ["0003", "05"]},
        {"001.txt": "3.txt, 5"},
    ],
)
def test_labels_of_2020_in_other_paddings_are_mapped_onto_the_names_of_the_files(home, labels):
    put(
        home,
        {**below("task1_train_2020", pool("001", ["003", "005"])), "task1_train_2020_labels.json": json.dumps(labels)},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2020/train") == [("001", "001_003"), ("001", "001_005")]


def test_where_two_paddings_of_a_number_are_there_the_exact_one_counts(home):
    put(home, below("task1_train_2020", pool("001", ["3", "003"])))
    for written in ("3", "003"):
        put(home, {"task1_train_2020_labels.json": json.dumps({"001": [f"{written}.txt"]})})
        assert gold_of("coliee/task1/2020/train") == [("001", f"001_{written}")]


def test_a_query_given_in_two_paddings_is_reported_and_the_last_is_used(home):
    put(home, below("task1_train_2020", pool("001", ["003", "005"])))
    put(home, {"task1_train_2020_labels.json": '{"1": ["003.txt"], "001": ["005.txt"]}'})
    with pytest.warns(ColieeWarning, match=r"query 001 is given in two spellings; the last one is used"):
        assert gold_of("coliee/task1/2020/train") == [("001", "001_005")]


def test_a_query_without_a_folder_is_left_out_with_a_warning(home):
    put(home, below("task1_train_2020", pool("001", ["003"])))
    put(home, {"task1_train_2020_labels.json": '{"001": ["003.txt"], "002": ["003.txt"]}'})
    with pytest.warns(ColieeWarning, match=r"queries without a folder were left out: 002$"):
        assert gold_of("coliee/task1/2020/train") == [("001", "001_003")]


def test_labels_of_which_no_query_has_a_folder_are_refused(home):
    put(home, below("task1_train_2020", pool("001", ["003"])))
    put(home, {"task1_train_2020_labels.json": '{"921": ["003.txt"]}'})
    with pytest.raises(MalformedFileError, match="no query has a folder"), pytest.warns(ColieeWarning):
        gold_of("coliee/task1/2020/train")


def test_a_candidate_with_the_number_of_its_query_is_no_self_pair(home):
    put(home, below("task1_train_2020", pool("001", ["001"])))
    put(home, {"task1_train_2020_labels.json": '{"001": ["001.txt"]}'})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2020/train") == [("001", "001_001")]


# --- 2021 to 2026 ----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*its name has no year")
def test_both_splits_of_2021_share_the_pool(home):
    put(home, ERAS["coliee/task1/2021/train"])
    train, test = SPLITS["coliee/task1/2021/train"], SPLITS["coliee/task1/2021/test"]
    assert (
        cases.decisions(LocalRelease.open(train)).ids
        == cases.decisions(LocalRelease.open(test)).ids
        == ["900001", "900002", "900003"]
    )
    assert cases.query_ids(LocalRelease.open(train)) == ["900001"]
    assert cases.query_ids(LocalRelease.open(test)) == ["900003"]
    with pytest.raises(MissingLabelsError, match=r"Files without them: .*test_no_labels\.json"):
        case_gold.gold(LocalRelease.open(test))


def test_of_a_repeated_query_of_2022_the_last_list_counts_and_is_reported(home):
    put(home, ERAS["coliee/task1/2022/train"])
    labels = '{"900001.txt": ["900002.txt"], "900003.txt": ["900001.txt"], "900001.txt": ["900003.txt"]}'
    put(home, {"task1_train_labels_2022.json": labels})
    with pytest.warns(ColieeWarning, match=r"repeated keys, of which the last is used: 900001\.txt"):
        assert gold_of("coliee/task1/2022/train") == [("900001", "900003"), ("900003", "900001")]


def test_repeats_in_a_list_count_once_and_can_be_asked_for(home):
    put(home, ERAS["coliee/task1/2022/train"])
    put(home, {"task1_train_labels_2022.json": '{"900001.txt": ["900003.txt", "900002.txt", "900003.txt"]}'})
    assert gold_of("coliee/task1/2022/train") == [("900001", "900003"), ("900001", "900002")]
    raw = case_gold.written_gold(LocalRelease.open(SPLITS["coliee/task1/2022/train"]))
    assert raw == {"900001": ("900003", "900002", "900003")}


def test_labels_of_the_flat_layout_in_other_paddings_are_mapped_onto_the_files(home):
    put(home, below("task1_test_files_2025", {"000123.txt": "one", "900002.txt": "two"}))
    put(home, {"task1_test_labels_2025.json": '{"900002.txt": ["123.txt"], "123.txt": ["0900002.txt"]}'})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gold_of("coliee/task1/2025/test") == [("900002", "000123"), ("000123", "900002")]
        assert cases.query_ids(LocalRelease.open(SPLITS["coliee/task1/2025/test"])) == ["900002", "000123"]


def test_a_case_that_notices_itself_under_another_padding_is_left_out(home):
    put(home, below("task1_test_files_2025", {"000123.txt": "one", "900002.txt": "two"}))
    put(home, {"task1_test_labels_2025.json": '{"000123.txt": ["123.txt", "900002.txt"]}'})
    with pytest.warns(ColieeWarning, match="notice themselves were left out: 000123"):
        assert gold_of("coliee/task1/2025/test") == [("000123", "900002")]


def test_train_and_test_of_2025_may_have_one_name_for_two_texts(home):
    put(home, below("task1_train_files_2025", {"900001.txt": "Of the train split.", "900002.txt": ""}))
    put(home, below("task1_test_files_2025", {"900001.txt": "Of the test split.", "900002.txt": ""}))
    for split in ("train", "test"):
        store = ir_datasets.load(f"coliee/task1/2025/{split}").docs_store()
        assert store.get("900001").text == f"Of the {split} split."


def test_a_query_may_be_the_gold_of_another(home):
    put(home, ERAS["coliee/task1/2026/train"])
    assert ("900001", "900002") in gold_of("coliee/task1/2026/train")
    assert "900002" in cases.query_ids(LocalRelease.open(SPLITS["coliee/task1/2026/train"]))


def test_a_file_that_no_label_names_is_a_document_all_the_same(home):
    put(
        home,
        {**below("task1_train_files_2026", FLAT), "task1_train_labels_2026.json": '{"900001.txt": ["900002.txt"]}'},
    )
    assert "900003" in cases.decisions(LocalRelease.open(SPLITS["coliee/task1/2026/train"])).ids


def test_labels_in_the_corpus_folder_are_found_and_are_no_document(home):
    put(
        home,
        below("task1_train_files_2026", {**FLAT, "task1_train_labels_2026.json": '{"900001.txt": ["900002.txt"]}'}),
    )
    assert gold_of("coliee/task1/2026/train") == [("900001", "900002")]
    assert len(cases.decisions(LocalRelease.open(SPLITS["coliee/task1/2026/train"]))) == 3


def test_cases_of_more_than_three_digits_come_behind_those_of_three(home):
    put(home, ERAS["coliee/task2/2026/test"])
    assert cases.query_ids(LocalRelease.open(SPLITS["coliee/task2/2026/test"])) == ["999", "1000"]


def test_all_value_shapes_may_stand_in_one_label_file(home):
    put(home, below("task2_train_files_2026", {**case("911", ["901", "902"]), **case("986", ["902", "903"])}))
    put(home, {"task2_train_labels_2026.json": '{"911": ["901.txt"], "986": "902.txt, 903.txt"}'})
    assert gold_of("coliee/task2/2026/train") == [("911", "911_901"), ("986", "986_902"), ("986", "986_903")]


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


def without_zeros(names):
    return ",".join(str(int(name)) for name in names)


def write_2018_task1(gold):
    entries = of_2018(*(entry_of_task1(query, items, ",".join(named)) for query, (items, named) in gold.items()))
    pools = [with_fact(pool(query, items)) for query, (items, _) in gold.items()]
    return "coliee/task1/2018/train", f"{TRAIN_2018}/IR/data", pools, {f"{TRAIN_2018}/IR/IR.xml": entries}


def write_2018_task2(gold):
    entries = of_2018(
        *(
            entry_of_task2(query, items, ",".join(str(items.index(name) + 1) for name in named))
            for query, (items, named) in gold.items()
        )
    )
    folders = [with_fact(case(query, items)) for query, (items, _) in gold.items()]
    return (
        "coliee/task2/2018/train",
        f"{TRAIN_2018}/Entailment1/data",
        folders,
        {f"{TRAIN_2018}/Entailment1/EE.xml": entries},
    )


def write_2019_packaged(gold):
    instances = (instance_of_task1(query, items, without_zeros(named)) for query, (items, named) in gold.items())
    pools = [pool(query, items) for query, (items, _) in gold.items()]
    return "coliee/task1/2019/train", "task1_train", pools, {"task1_train/task1.xml": of_2019(1, *instances)}


def write_2019_of_the_call(gold):
    instances = (instance_of_task2(query, items, ",".join(named)) for query, (items, named) in gold.items())
    folders = [case(query, items) for query, (items, _) in gold.items()]
    return "coliee/task2/2019/train", "task2_train", folders, {"task2_train/task2.xml": of_2019(2, *instances)}


def write_2019_text_files(gold):
    pools = [pool(query, items, noticed_cases="\n".join(named) + "\n") for query, (items, named) in gold.items()]
    return "coliee/task1/2019/train", "task1_train", pools, {}


def write_2020(gold):
    labels = {str(int(query)): [f"{name}.txt" for name in named] for query, (_, named) in gold.items()}
    pools = [pool(query, items) for query, (items, _) in gold.items()]
    return "coliee/task1/2020/train", "task1_train_2020", pools, {"task1_train_2020_labels.json": json.dumps(labels)}


def write_2026_strings(gold):
    labels = {query: ", ".join(f"{name}.txt" for name in named) for query, (_, named) in gold.items()}
    folders = [case(query, items) for query, (items, _) in gold.items()]
    return (
        "coliee/task2/2026/train",
        "task2_train_files_2026/cases",
        folders,
        {"task2_train_files_2026/task2_train_labels_2026.json": json.dumps(labels)},
    )


FORMS = [
    write_2018_task1,
    write_2018_task2,
    write_2019_packaged,
    write_2019_of_the_call,
    write_2019_text_files,
    write_2020,
    write_2026_strings,
]


@pytest.mark.slow
@pytest.mark.parametrize("write", FORMS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(gold=golds, zipped=st.booleans())
def test_any_gold_comes_back_from_a_copy_of_any_form(tmp_path_factory, monkeypatch, write, gold, zipped):
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("COLIEE_HOME", str(home))
    dataset_id, place, folders, labels = write(gold)
    entries = {**labels, **{name: text for folder in folders for name, text in below(place, folder).items()}}
    (as_one_zip if zipped else as_disk)(home, entries)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FindingWarning)  # numbers are skipped
        found = gold_of(dataset_id)
    assert sorted(found) == sorted((query, f"{query}_{name}") for query, (_, named) in gold.items() for name in named)
    assert cases.query_ids(LocalRelease.open(SPLITS[dataset_id])) == sorted(gold, key=int)
    assert cases.candidates(LocalRelease.open(SPLITS[dataset_id])) == [
        (query, f"{query}_{name}") for query in sorted(gold, key=int) for name in gold[query][0]
    ]
