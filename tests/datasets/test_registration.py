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
from ir_coliee.editions import SPLITS
from ir_coliee.errors import MissingReleaseError

IDS = [name for name in ir_datasets.registry if name.startswith("coliee/")]
SAMPLE_IDS = [name for name in IDS if "/sample/" in name]
SAMPLE_PARTS = [name for name in SAMPLE_IDS if name in SPLITS]
SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
each_sample_id = pytest.mark.parametrize("dataset_id", SAMPLE_IDS)
each_sample_split = pytest.mark.parametrize("dataset_id", SAMPLE_PARTS)


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


def test_without_a_local_copy_the_official_counts_are_given(home):
    dataset = ir_datasets.load("coliee/task1/2025/test")
    assert (dataset.queries_count(), dataset.docs_count(), dataset.qrels_count()) == (400, 2159, 1759)


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
def test_the_full_view_has_the_same_queries_with_the_same_text(dataset_id):
    plain, full = ir_datasets.load(dataset_id), ir_datasets.load(f"{dataset_id}/full")
    assert [(q.query_id, q.default_text()) for q in plain.queries] == [
        (q.query_id, q.default_text()) for q in full.queries
    ]
    assert list(plain.qrels) == list(full.qrels)


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


def test_a_missing_local_copy_names_edition_folder_names_and_organisers(home):
    splits = [split for split in SPLITS.values() if split.edition != "sample"]
    assert len(splits) > 10
    for split in splits:
        with pytest.raises(MissingReleaseError) as caught:
            list(ir_datasets.load(split.id).queries_iter())
        message = str(caught.value)
        for word in (split.id, f"COLIEE {split.edition}", str(home), "https://coliee.org"):
            assert word in message
        assert any(all(name in message for name in names) for names in split.files.values())
        assert isinstance(caught.value, FileNotFoundError)


@pytest.mark.slow
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
