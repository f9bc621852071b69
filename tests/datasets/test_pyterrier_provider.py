"""The two names of a dataset in PyTerrier."""

import ir_datasets
import pytest

from ir_coliee.datasets.pyterrier_provider import ColieeDatasetProvider
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError

pt = pytest.importorskip("pyterrier")

SAMPLE_PARTS = [name for name, split in SPLITS.items() if split.edition == "sample"]
each_split = pytest.mark.parametrize("dataset_id", SAMPLE_PARTS)


@each_split
def test_the_corpus_has_a_length_docnos_and_slices(dataset_id):
    dataset = pt.get_dataset(f"irds:{dataset_id}")
    corpus = dataset.get_corpus_iter(verbose=False)
    assert len(corpus) == SPLITS[dataset_id].counts["docs"]
    docnos = [doc["docno"] for doc in corpus]
    assert docnos == [doc.doc_id for doc in ir_datasets.load(dataset_id).docs]
    assert [doc["docno"] for doc in dataset.get_corpus_iter(verbose=False, start=1, count=1)] == docnos[1:2]


@each_split
def test_pyterrier_sees_every_text_field_of_the_documents(dataset_id):
    texts = {"task1": ["text"], "task2": ["text", "case_id"], "task4": ["text"], "prediction": ["text"]}
    texts["task3"] = ["caption", "effective_caption", "text", "part", "chapter", "section", "subsection", "division"]
    texts["rationale"] = ["text", "tort_id", "side"]
    assert list(pt.get_dataset(f"irds:{dataset_id}").text_loader().fields) == texts[SPLITS[dataset_id].task]


@pytest.mark.parametrize("name", ["task1/sample/tset", "nope"])
def test_an_unknown_name_is_an_error_with_the_nearest_ids(name):
    with pytest.raises(ColieeError, match=f"Unknown dataset id 'coliee/{name}'") as caught:
        pt.get_dataset(f"coliee:{name}")
    assert ("Nearest known ids: coliee/task1/sample/test" in str(caught.value)) == (name != "nope")


def test_pyterrier_lists_each_dataset_once():
    listed = [name for name in ir_datasets.registry if name.startswith("coliee/") and not name.endswith("/full")]
    assert {*SPLITS} <= {*listed}
    assert [*ColieeDatasetProvider().list_dataset_names()] == []
