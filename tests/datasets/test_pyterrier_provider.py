"""The two names of a dataset in PyTerrier."""

import ir_datasets
import pytest

from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError

pt = pytest.importorskip("pyterrier")

SAMPLE_PARTS = [name for name, split in SPLITS.items() if split.edition == "sample"]
each_split = pytest.mark.parametrize("dataset_id", SAMPLE_PARTS)


@each_split
@pytest.mark.parametrize("prefix", ["irds:coliee/", "coliee:"])
def test_topics_have_the_column_query_by_themselves(dataset_id, prefix):
    topics = pt.get_dataset(prefix + dataset_id.removeprefix("coliee/")).get_topics()
    queries = list(ir_datasets.load(dataset_id).queries)
    assert list(topics.columns) == ["qid", "query"]
    assert list(topics["qid"]) == [query.query_id for query in queries]
    assert list(topics["query"]) == [query.default_text() for query in queries]


@each_split
def test_both_prefixes_give_the_same_gold(dataset_id):
    name = dataset_id.removeprefix("coliee/")
    ours, theirs = pt.get_dataset(f"coliee:{name}").get_qrels(), pt.get_dataset(f"irds:coliee/{name}").get_qrels()
    assert ours.equals(theirs)
    assert {"qid", "docno", "label"} <= set(ours.columns)
    assert len(ours) == SPLITS[dataset_id].counts["qrels"]
    assert all(isinstance(docno, str) for docno in ours["docno"])


@each_split
def test_the_corpus_has_a_length_docnos_and_slices(dataset_id):
    dataset = pt.get_dataset(f"irds:{dataset_id}")
    corpus = dataset.get_corpus_iter(verbose=False)
    assert len(corpus) == SPLITS[dataset_id].counts["docs"]
    docnos = [doc["docno"] for doc in corpus]
    assert docnos == [doc.doc_id for doc in ir_datasets.load(dataset_id).docs]
    assert [doc["docno"] for doc in dataset.get_corpus_iter(verbose=False, start=1, count=1)] == docnos[1:2]


@pytest.mark.parametrize("dataset_id", ["coliee/task2/sample/test", "coliee/task4/sample/ja/test"])
def test_pools_are_results(dataset_id):
    results = pt.get_dataset(f"irds:{dataset_id}").get_results()
    pool = [(entry.query_id, entry.doc_id) for entry in ir_datasets.load(dataset_id).scoreddocs]
    assert sorted(zip(results["qid"], results["docno"])) == sorted(pool)


@each_split
def test_pyterrier_sees_every_text_field_of_the_documents(dataset_id):
    texts = {"task1": ["text"], "task2": ["text", "case_id"], "task4": ["text"], "prediction": ["text"]}
    texts["task3"] = ["caption", "effective_caption", "text", "part", "chapter", "section", "subsection", "division"]
    texts["rationale"] = ["text", "tort_id", "side"]
    assert list(pt.get_dataset(f"irds:{dataset_id}").text_loader().fields) == texts[SPLITS[dataset_id].task]


def test_a_field_of_the_full_view_is_the_query_where_it_is_asked_for():
    topics = pt.get_dataset("coliee:task3/sample/en/test/full").get_topics("statement")
    plain = pt.get_dataset("coliee:task3/sample/en/test").get_topics()
    assert topics[["qid", "query"]].equals(plain)


def test_the_text_of_documents_can_be_loaded_by_docno():
    dataset = pt.get_dataset("coliee:task3/sample/en")
    store = ir_datasets.load("coliee/task3/sample/en").docs_store()
    found = dataset.text_loader("text").transform(pt.new.ranked_documents([[1.0, 0.5]], docno=[["12-2", "1"]]))
    assert list(found["text"]) == [store.get("12-2").text, store.get("1").text]


@pytest.mark.parametrize("name", ["task1/sample/tset", "nope"])
def test_an_unknown_name_is_an_error_with_the_nearest_ids(name):
    with pytest.raises(ColieeError, match=f"Unknown dataset id 'coliee/{name}'") as caught:
        pt.get_dataset(f"coliee:{name}")
    assert ("Nearest known ids: coliee/task1/sample/test" in str(caught.value)) == (name != "nope")


def test_an_unknown_id_behind_irds_is_a_key_error():
    with pytest.raises(KeyError):
        pt.get_dataset("irds:coliee/task1/sample/tset")


def test_the_names_that_are_listed_can_be_opened():
    from ir_coliee.datasets.pyterrier_provider import ColieeDatasetProvider

    names = list(ColieeDatasetProvider().list_dataset_names())
    assert sorted(f"coliee/{name}" for name in names) == sorted(n for n in ir_datasets.registry if "coliee/" in n)
    assert "task1/sample/test" in names
    assert not [name for name in names if name.startswith("coliee/")]


def test_pyterrier_lists_our_names_under_its_own_call():
    listed = pt.datasets.list_datasets(en_only=False)
    assert "coliee:task1/sample/test" in set(listed["dataset"])
