"""The registered ids, through the interfaces of ir_datasets and PyTerrier."""

import os
import pickle
import re
import subprocess
import sys

import ir_datasets
import pyterrier as pt
import pytest

from ir_coliee.datasets.documentation import CATALOGUE, info_url, overview_papers
from ir_coliee.datasets.pyterrier_provider import ColieeDatasetProvider
from ir_coliee.editions import COLLECTIONS, SPLITS, as_split, built_in_editions, dataset_ids
from ir_coliee.errors import ColieeError, MissingReleaseError, UnknownIdError
from ir_coliee.transformers import CandidatePool, LexicalIndex

IDS = [name for name in ir_datasets.registry if name.startswith("coliee/")]
SAMPLE_IDS = [name for name in IDS if "/sample/" in name]
SAMPLE_PARTS = [name for name in SAMPLE_IDS if name in SPLITS]
each_sample_id = pytest.mark.parametrize("dataset_id", SAMPLE_IDS)
each_sample_split = pytest.mark.parametrize("dataset_id", SAMPLE_PARTS)


# --- counts ----------------------------------------------------------------------------------------


@each_sample_split
@pytest.mark.parametrize("view", ["", "/full"])
def test_every_part_of_the_sample_loads_with_the_counts_of_the_table(dataset_id, view):
    dataset = ir_datasets.load(dataset_id + view)
    for entity, number in SPLITS[dataset_id].counts.items():
        assert getattr(dataset, f"{entity}_count")() == len(list(getattr(dataset, entity))) == number


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_collections_have_the_live_articles_and_the_deleted_ones_on_request(language):
    live, everything = (ir_datasets.load(f"coliee/task3/sample/{language}{view}") for view in ("", "/deleted"))
    assert (live.docs_count(), everything.docs_count()) == (105, 108)
    assert [doc.doc_id for doc in everything.docs if doc.deleted] == ["41", "52:54", "72:73"]
    assert list(live.docs) == [doc for doc in everything.docs if not doc.deleted]
    assert not live.has_queries()
    assert not everything.has_qrels()


def test_without_a_local_copy_the_official_counts_are_given(home):
    dataset = ir_datasets.load("coliee/task1/2025/test")
    assert (dataset.queries_count(), dataset.docs_count(), dataset.qrels_count()) == (400, 2159, 1759)


# --- records ---------------------------------------------------------------------------------------


def records_by_id(records, announced):
    """Records by their id, the first field; they are of the class that is announced, and have a text."""
    found = {record[0]: record for record in records}
    assert {type(record) for record in found.values()} == {announced}
    assert len(found) == len(records)
    assert all(isinstance(name, str) and record.default_text().strip() for name, record in found.items())
    return found


@each_sample_id
def test_every_record_is_of_the_class_that_is_announced_and_every_gold_label_has_its_query_and_document(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    docs = records_by_id(list(dataset.docs), dataset.docs_cls())
    if not dataset.has_queries():
        return
    full, qrels = ir_datasets.load(f"{dataset_id}/full"), list(dataset.qrels)
    plain, queries = (records_by_id(list(view.queries), view.queries_cls()) for view in (dataset, full))
    assert [(name, query.default_text()) for name, query in plain.items()] == [
        (name, query.default_text()) for name, query in queries.items()
    ]
    assert list(full.qrels) == qrels
    # an instance of the pilot may be without claims
    judged = {name for name, query in queries.items() if "rationale" not in dataset_id or query.claims}
    assert {qrel.query_id for qrel in qrels} == judged
    assert {qrel.doc_id for qrel in qrels} <= {*docs}
    assert {qrel.relevance for qrel in qrels} <= set(dataset.qrels_defs())
    assert len({(qrel.query_id, qrel.doc_id) for qrel in qrels}) == len(qrels)
    assert not [qrel for qrel in qrels if qrel.query_id == qrel.doc_id]


# --- documents -------------------------------------------------------------------------------------


@each_sample_split
def test_documents_can_be_sliced_and_looked_up_also_in_pyterrier(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    docs, store = list(dataset.docs_iter()), dataset.docs_store()
    assert [*dataset.docs_iter()[1:3], dataset.docs[0], dataset.docs_iter()[0]] == [*docs[1:3], docs[0], docs[0]]
    assert store.get_many([docs[1].doc_id, "nowhere"]) == {docs[1].doc_id: docs[1]}
    assert store.get(docs[-1].doc_id) == docs[-1]
    assert dataset.docs_store() is store
    with pytest.raises(KeyError):
        store.get("nowhere")
    corpus = pt.get_dataset(f"irds:{dataset_id}").get_corpus_iter(verbose=False)
    assert len(corpus) == len(docs)
    assert [doc["docno"] for doc in corpus] == [doc.doc_id for doc in docs]
    texts = {"task1": ["text"], "task2": ["text", "case_id"], "task4": ["text"], "prediction": ["text"]}
    texts["task3"] = ["caption", "effective_caption", "text", "part", "chapter", "section", "subsection", "division"]
    texts["rationale"] = ["text", "tort_id", "side"]
    assert list(pt.get_dataset(f"irds:{dataset_id}").text_loader().fields) == texts[SPLITS[dataset_id].task]


@pytest.mark.parametrize("dataset_id", ["coliee/task4/sample/en/test/full", "coliee/task3/sample/ja/deleted"])
def test_a_dataset_can_be_sent_to_another_process_also_after_use(dataset_id):
    dataset = ir_datasets.load(dataset_id)
    for _ in range(2):
        sent = pickle.loads(pickle.dumps(dataset))
        assert sent.dataset_id() == dataset_id
        assert list(sent.docs) == list(dataset.docs)


# --- what is not there -----------------------------------------------------------------------------


def test_a_missing_local_copy_names_edition_folder_names_and_organisers(home):
    for split in SPLITS.values():
        if split.edition != "sample":
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
    command = [sys.executable, "-m", "ir_coliee", "list", "task1", "2025"]
    ended = subprocess.run(command, env={**environment, "HOME": os.devnull}, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.count("\n")) == (0, 1)
    assert ended.stderr.startswith("warning: no folder for ir_datasets")
    assert "coliee/task1/2025/test" in ended.stdout


@pytest.mark.parametrize("name", ["task1/sample/tset", "nope"])
def test_an_unknown_name_is_an_error_with_the_nearest_ids(name):
    with pytest.raises(ColieeError, match=f"Unknown dataset id 'coliee/{name}'") as caught:
        pt.get_dataset(f"coliee:{name}")
    assert ("Nearest known ids: coliee/task1/sample/test" in str(caught.value)) == (name != "nope")


def test_pyterrier_lists_each_dataset_once():
    listed = [name for name in ir_datasets.registry if name.startswith("coliee/") and not name.endswith("/full")]
    assert {*SPLITS} <= {*listed}
    assert [*ColieeDatasetProvider().list_dataset_names()] == []


KEYS = {"pretty_name", "desc", "official_measures", "data_access", "bibtex_ids", "bibtex", "info_url"}


def test_every_id_is_documented_with_the_keys_that_ir_datasets_reads():
    for dataset_id in [*dataset_ids(), "coliee/task4/2023/ja/r04/full", "coliee/task1/sample/test/full"]:
        words = ir_datasets.load(dataset_id).documentation()
        split = SPLITS.get(dataset_id.removesuffix("/full"))
        assert set(words) == KEYS
        assert (words["pretty_name"][:7], words["desc"][:3]) == ("COLIEE ", "<p>")
        assert words["official_measures"] == ([split.measure] if split else [])
        assert ("Queries:" in words["desc"]) == (split is not None)
        assert words["info_url"] == info_url(split or COLLECTIONS[dataset_id.removesuffix("/deleted")])
        assert all(f"{{{key}," in words["bibtex"] for key in words["bibtex_ids"])
        if "/sample/" in dataset_id:
            assert ("say nothing about COLIEE" in words["desc"], "CC0" in words["data_access"]) == (True, True)
        else:
            assert all(each in words["data_access"] for each in ("COLIEE_HOME", "https://coliee.org"))


def test_a_paper_has_title_authors_year_and_doi():
    for edition in built_in_editions():
        for entry in overview_papers(edition.name).values():
            assert {*re.findall(r"^  (\w+)=\{.+\},?$", entry, re.MULTILINE)} >= {"title", "author", "year", "doi"}
            assert "others" not in entry


@pytest.mark.parametrize(
    ("dataset_id", "name", "papers"),
    [
        ("coliee", "COLIEE", 7),
        ("coliee/task1", "COLIEE Legal Case Retrieval", 7),
        ("coliee/pilot/2025", "COLIEE 2025", 1),
        ("coliee/task3/2023", "COLIEE 2023 Statute Law Retrieval", 1),
    ],
)
def test_an_id_above_those_of_splits_is_documented_and_not_listed(dataset_id, name, papers):
    words = ir_datasets.load(dataset_id).documentation()
    assert (set(words), words["pretty_name"], len(words["bibtex_ids"])) == (KEYS, name, papers)
    depth = len(dataset_id.split("/")) + 1
    children = {"/".join(name.split("/")[:depth]) for name in SPLITS if name.startswith(f"{dataset_id}/")}
    assert {*re.findall("<kbd>(.*?)</kbd>", words["desc"])} == children
    for call in (as_split, LexicalIndex.from_dataset, CandidatePool):
        with pytest.raises(UnknownIdError):
            call(dataset_id)


PAGES = "task1/2025/test", "task3/2025/en", "task4/2023/ja/r04/full", "pilot/sample/rationale/test"


@pytest.mark.parametrize("dataset_id", PAGES)
def test_pyterrier_names_the_page_of_the_task_and_edition(dataset_id):
    task, edition, *_ = dataset_id.split("/")
    assert pt.get_dataset(f"coliee:{dataset_id}").info_url() == f"{CATALOGUE}/{task}.html#{task}-{edition}"
