"""The registered ids, through the interface of ir_datasets."""

import json
import os
import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import ir_datasets
import pytest

import ir_coliee
from ir_coliee.editions import SPLITS, TASK_NAMES
from ir_coliee.errors import MissingLabelsError, MissingReleaseError, UnknownIdError
from ir_coliee.releases.release import READERS

IDS = [name for name in ir_datasets.registry if name.startswith("coliee/")]
SAMPLE_IDS = [name for name in IDS if "/sample/" in name]
SAMPLE_PARTS = [name for name in SAMPLE_IDS if name in SPLITS]
SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
each_sample_id = pytest.mark.parametrize("dataset_id", SAMPLE_IDS)
each_sample_split = pytest.mark.parametrize("dataset_id", SAMPLE_PARTS)


@pytest.fixture
def empty_home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    return tmp_path


def test_the_ids_of_the_sample():
    case_law = [f"coliee/{task}/sample/{split}" for task in ("task1", "task2") for split in ("train", "test")]
    statutes = [
        f"coliee/{task}/sample/{language}/{split}"
        for task in ("task3", "task4")
        for language in ("en", "ja")
        for split in ("train", "test", "r98", "r99")
    ]
    pilot = [
        f"coliee/pilot/sample/{task}/{split}" for task in ("prediction", "rationale") for split in ("train", "test")
    ]
    splits = case_law + statutes + pilot
    collections = [f"coliee/task3/sample/{language}{end}" for language in ("en", "ja") for end in ("", "/deleted")]
    assert sorted(SAMPLE_IDS) == sorted([*splits, *(f"{split}/full" for split in splits), *collections])


def test_every_task_has_readers_and_words():
    assert set(READERS) == set(TASK_NAMES) == {split.task for split in SPLITS.values()}


# --- counts ----------------------------------------------------------------------------------------


def plain_counts(split):
    """Queries, documents and gold labels of a split of the sample, counted in its files without our readers."""
    if split.task in ("task1", "task2"):
        gold = json.loads((SAMPLE / split.files["labels"][0]).read_text())
        corpus = SAMPLE / split.files["corpus"][0]
        docs = list(corpus.glob("*.txt" if split.task == "task1" else "*/paragraphs/*.txt"))
        # the train labels of task 1 name one pair twice, as those of the organisers do
        items = [len(set(value.split(",") if isinstance(value, str) else value)) for value in gold.values()]
        return len(gold), len(docs), sum(items)
    if split.task in ("task3", "task4"):
        suffix, head, deleted = {
            "en": ("en", r"^(?:\(.*\) *)?Article \d+(?:-\d+)*", "Deleted"),
            "ja": ("jp", r"^第?[一二三四五六七八九十百]+条(?:の[一二三四五六七八九十]+)*(?=[ 　])", "削除"),
        }[split.language]
        (code,) = SAMPLE.glob(f"*/text/civil_code_{suffix}-*.txt")
        lines = code.read_text(encoding="utf-8-sig").splitlines()
        live = [line for line in lines if re.match(head, line) and not line.endswith(deleted)]
        pairs = []
        for year in split.exam_years:
            (path,) = SAMPLE.glob(f"*/*/riteval_{year}_{suffix}.xml")
            pairs += ElementTree.parse(path).getroot().findall("pair")
        links = sum(len(re.findall(head, pair.findtext("t1"), re.MULTILINE)) for pair in pairs)
        return (len(pairs), len(live), links) if split.task == "task3" else (len(pairs), 2, len(pairs))
    (path,) = SAMPLE.glob(f"*/{split.files['instances'][0]}")
    torts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    claims = sum(len(tort["plaintiff_claims"]) + len(tort["defendant_claims"]) for tort in torts)
    return (len(torts), 2, len(torts)) if split.task == "prediction" else (len(torts), claims, claims)


@each_sample_split
@pytest.mark.parametrize("view", ["", "/full"])
def test_every_part_of_the_sample_loads_with_the_counts_of_the_table_and_of_the_files(dataset_id, view):
    split = SPLITS[dataset_id]
    counts = plain_counts(split)
    dataset = ir_datasets.load(dataset_id + view)
    assert (split.counts["queries"], split.counts["docs"], split.counts["qrels"]) == counts
    assert (dataset.queries_count(), dataset.docs_count(), dataset.qrels_count()) == counts
    assert (len(list(dataset.queries)), len(list(dataset.docs)), len(list(dataset.qrels))) == counts


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_collections_have_the_live_articles_and_the_deleted_ones_on_request(language):
    live = ir_datasets.load(f"coliee/task3/sample/{language}")
    everything = ir_datasets.load(f"coliee/task3/sample/{language}/deleted")
    assert (live.docs_count(), everything.docs_count()) == (105, 108)
    assert [doc.doc_id for doc in everything.docs if doc.deleted] == ["41", "52:54", "72:73"]
    assert list(live.docs) == [doc for doc in everything.docs if not doc.deleted]
    assert not live.has_queries()
    assert not everything.has_qrels()


@each_sample_id
def test_the_metadata_never_contradicts_the_files(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    for entity, metadata in dataset.metadata().items():
        if "count" in metadata:
            assert metadata["count"] == getattr(dataset, f"{entity}_count")()


def test_the_metadata_are_the_counts_of_the_table():
    for dataset_id in IDS:
        split = SPLITS.get(dataset_id.removesuffix("/full"))
        metadata = ir_datasets.load(dataset_id).metadata()
        if split is None:
            assert set(metadata) == {"docs"}
        else:
            assert {entity: values["count"] for entity, values in metadata.items() if values} == split.counts


def test_without_a_local_copy_the_official_counts_are_given(empty_home):
    dataset = ir_datasets.load("coliee/task1/2025/test")
    assert (dataset.queries_count(), dataset.docs_count(), dataset.qrels_count()) == (400, 2159, 1759)


def test_the_counts_of_a_local_copy_go_before_the_official_ones(empty_home):
    corpus = empty_home / "task1_test_files_2025"
    corpus.mkdir()
    (corpus / "900001.txt").write_text("A decision.")
    dataset = ir_datasets.load("coliee/task1/2025/test")
    assert (dataset.docs_count(), dataset.queries_count()) == (1, 400)


# --- records ---------------------------------------------------------------------------------------


@each_sample_id
def test_every_record_is_of_the_class_that_is_announced_and_has_unique_string_ids(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    docs = list(dataset.docs)
    assert {type(doc) for doc in docs} == {dataset.docs_cls()}
    assert len({doc.doc_id for doc in docs}) == len(docs)
    assert all(isinstance(doc.doc_id, str) and doc.default_text().strip() for doc in docs)
    if dataset.has_queries():
        queries = list(dataset.queries)
        assert {type(query) for query in queries} == {dataset.queries_cls()}
        assert len({query.query_id for query in queries}) == len(queries)
        assert all(isinstance(query.query_id, str) and query.default_text().strip() for query in queries)


@each_sample_split
def test_every_gold_label_has_its_query_its_document_and_a_meaning(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    queries = {query.query_id for query in dataset.queries}
    docs = {doc.doc_id for doc in dataset.docs}
    qrels = list(dataset.qrels)
    judged = {qrel.query_id for qrel in qrels}
    if SPLITS[dataset_id].task == "rationale":  # an instance may be without claims
        assert judged == {query.query_id for query in ir_datasets.load(f"{dataset_id}/full").queries if query.claims}
        assert judged <= queries
    else:
        assert judged == queries
    assert {qrel.doc_id for qrel in qrels} <= docs
    assert {qrel.relevance for qrel in qrels} <= set(dataset.qrels_defs())
    assert len({(qrel.query_id, qrel.doc_id) for qrel in qrels}) == len(qrels)
    assert not [qrel for qrel in qrels if qrel.query_id == qrel.doc_id]


@each_sample_split
def test_pools_hold_the_gold_and_only_documents_and_are_where_the_task_has_them(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    assert dataset.has_scoreddocs() is (SPLITS[dataset_id].task in ("task2", "task4", "prediction", "rationale"))
    if dataset.has_scoreddocs():
        pool = [(entry.query_id, entry.doc_id) for entry in dataset.scoreddocs]
        assert len(set(pool)) == len(pool) == dataset.scoreddocs_count()
        assert {(qrel.query_id, qrel.doc_id) for qrel in dataset.qrels} <= set(pool)
        assert {doc_id for _, doc_id in pool} == {doc.doc_id for doc in dataset.docs}
        assert {query_id for query_id, _ in pool} == {qrel.query_id for qrel in dataset.qrels}


def test_the_default_view_of_the_queries_has_exactly_two_fields():
    for dataset_id in IDS:
        if dataset_id in SPLITS:
            names = ir_datasets.load(dataset_id).queries_cls()._fields
            assert names[0] == "query_id"
            assert len(names) == 2
            # such a name would collide with a column of PyTerrier, or with a field of the documents
            assert names[1] not in ("query", "qid", "docno", "text")


@each_sample_split
def test_the_full_view_has_the_same_queries_with_the_same_text(dataset_id):
    plain, full = ir_datasets.load(dataset_id), ir_datasets.load(f"{dataset_id}/full")
    assert [(q.query_id, q.default_text()) for q in plain.queries] == [
        (q.query_id, q.default_text()) for q in full.queries
    ]
    assert list(plain.qrels) == list(full.qrels)


QUESTION = {"label", "t1", "articles", "year", "question_no", "option"}


@pytest.mark.parametrize(
    ("dataset_id", "more"),
    [
        ("coliee/task2/sample/test", {"base_case"}),
        ("coliee/task1/sample/test", {"summary"}),
        ("coliee/task3/sample/en/test", QUESTION),
        ("coliee/task4/sample/ja/test", QUESTION),
        ("coliee/pilot/sample/rationale/test", {"undisputed_facts", "claims", "accepted", "court_decision"}),
    ],
)
def test_the_full_view_has_every_field(dataset_id, more):
    plain = set(ir_datasets.load(dataset_id).queries_cls()._fields)
    assert set(ir_datasets.load(f"{dataset_id}/full").queries_cls()._fields) - plain == more


def test_languages_are_those_of_the_texts():
    for dataset_id, language in [
        ("coliee/task1/sample/test", "en"),
        ("coliee/task3/sample/en/test", "en"),
        ("coliee/task3/sample/ja/test", "ja"),
        ("coliee/pilot/sample/rationale/test", "ja"),
    ]:
        dataset = ir_datasets.load(dataset_id)
        assert (dataset.docs_lang(), dataset.queries_lang()) == (language, language)


# --- documents -------------------------------------------------------------------------------------


@each_sample_split
def test_documents_can_be_sliced_counted_and_looked_up(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    docs = list(dataset.docs_iter())
    assert len(dataset.docs) == len(docs)
    assert list(dataset.docs_iter()[1:3]) == docs[1:3]
    assert list(dataset.docs_iter()[-2:]) == docs[-2:]
    assert list(dataset.docs_iter()[: 1 / 2]) == docs[: len(docs) // 2]
    assert dataset.docs[0] == dataset.docs_iter()[0] == docs[0]
    store = dataset.docs_store()
    assert store.get(docs[-1].doc_id) == docs[-1]
    assert store.get_many([docs[1].doc_id, "nowhere"]) == {docs[1].doc_id: docs[1]}
    assert dataset.docs.lookup(docs[0].doc_id) == docs[0]
    with pytest.raises(KeyError):
        store.get("nowhere")
    assert dataset.docs_store() is store


def test_the_parent_of_the_documents_is_the_part_or_the_collection():
    others = [
        "coliee/task1/2025/test/full",
        "coliee/task3/2025/en/test/as-distributed/full",
        "coliee/task3/2025/ja/r05",
    ]
    for dataset_id in [*SAMPLE_IDS, *others]:
        parent = dataset_id.removesuffix("/full")
        if dataset_id.startswith("coliee/task3/") and not dataset_id.endswith("/deleted"):
            parent = "/".join(dataset_id.split("/")[:4])
        assert ir_datasets.docs_parent_id(dataset_id) == parent


@pytest.mark.parametrize("used_before", [False, True])
@pytest.mark.parametrize("dataset_id", ["coliee/task4/sample/en/test/full", "coliee/task3/sample/ja/deleted"])
def test_a_dataset_can_be_sent_to_another_process(dataset_id, used_before):
    dataset = ir_datasets.load(dataset_id)
    if used_before:
        assert dataset.docs_count()
    sent = pickle.loads(pickle.dumps(dataset))
    assert sent.dataset_id() == dataset_id
    assert list(sent.docs) == list(dataset.docs)


# --- what is not there -----------------------------------------------------------------------------


@pytest.mark.parametrize("dataset_id", ["coliee/task1/sample/tset", "coliee/task3/sample/en/train/ful", "coliee"])
def test_an_unknown_id_is_a_key_error_of_ours(dataset_id):
    with pytest.raises(KeyError) as caught:
        ir_datasets.load(dataset_id)
    assert isinstance(caught.value, UnknownIdError)
    assert dataset_id in str(caught.value)


@pytest.mark.parametrize("dataset_id", ["colie/task1/sample/test", "colieex", "xcoliee/task1"])
def test_an_unknown_id_of_somebody_else_is_left_to_ir_datasets(dataset_id):
    with pytest.raises(KeyError) as caught:
        ir_datasets.load(dataset_id)
    assert not isinstance(caught.value, UnknownIdError)


def test_an_unknown_id_does_not_get_registered():
    before = list(ir_datasets.registry)
    with pytest.raises(UnknownIdError):
        ir_datasets.load("coliee/task1/sample/tset")
    assert list(ir_datasets.registry) == before


def test_a_missing_local_copy_names_edition_folder_names_and_organisers(empty_home):
    splits = [split for split in SPLITS.values() if split.edition != "sample"]
    assert len(splits) > 10
    for split in splits:
        with pytest.raises(MissingReleaseError) as caught:
            list(ir_datasets.load(split.id).queries_iter())
        message = str(caught.value)
        for word in (split.id, f"COLIEE {split.edition}", str(empty_home), "https://coliee.org"):
            assert word in message
        assert any(all(name in message for name in names) for names in split.files.values())
        assert isinstance(caught.value, FileNotFoundError)


def test_missing_labels_say_so_while_documents_load(empty_home):
    corpus = empty_home / "task1_test_files_2025"
    corpus.mkdir()
    (corpus / "900001.txt").write_text("A decision.")
    dataset = ir_datasets.load("coliee/task1/2025/test")
    assert [doc.doc_id for doc in dataset.docs] == ["900001"]
    for entity in (dataset.queries_iter, dataset.qrels_iter):
        with pytest.raises(MissingLabelsError, match=r"(?s)label file.*task1_test_labels_2025\.json"):
            list(entity())


def test_a_home_with_two_folders_serves_several_editions(monkeypatch, tmp_path):
    for folder, year in (("a", 2024), ("b", 2025)):
        corpus = tmp_path / folder / f"task1_test_files_{year}"
        corpus.mkdir(parents=True)
        (corpus / f"90{year}.txt").write_text("A decision.")
    monkeypatch.setenv("COLIEE_HOME", os.pathsep.join([str(tmp_path / "a"), str(tmp_path / "b")]))
    found = [[doc.doc_id for doc in ir_datasets.load(f"coliee/task1/{year}/test").docs] for year in (2024, 2025)]
    assert found == [["902024"], ["902025"]]


def test_both_splits_of_a_shared_pool_have_all_its_documents(empty_home):
    corpus = empty_home / "task1_files"
    corpus.mkdir()
    for number in (1, 2, 3):
        (corpus / f"90000{number}.txt").write_text("A decision.")
    (empty_home / "train_labels.json").write_text('{"900001.txt": ["900002.txt"]}')
    (empty_home / "test_no_labels.json").write_text('["900003.txt"]')
    train, test = (ir_datasets.load(f"coliee/task1/2021/{split}") for split in ("train", "test"))
    assert [doc.doc_id for doc in train.docs] == [doc.doc_id for doc in test.docs] == ["900001", "900002", "900003"]
    assert [query.query_id for query in train.queries] == ["900001"]
    assert [query.query_id for query in test.queries] == ["900003"]


def test_without_a_home_folder_the_commands_work_and_one_line_tells_it():
    environment = {name: value for name, value in os.environ.items() if name not in ("IR_DATASETS_HOME", "COLIEE_HOME")}
    ended = subprocess.run(
        [sys.executable, "-m", "ir_coliee", "list", "task1", "2025"],
        env={**environment, "HOME": os.devnull},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (0, 1)
    assert ended.stderr.startswith("warning: no folder for ir_datasets")
    assert "coliee/task1/2025/test" in ended.stdout
