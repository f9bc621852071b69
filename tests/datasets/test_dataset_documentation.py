"""The documentation of the datasets in ir_datasets and PyTerrier."""

import ir_datasets
import pyterrier as pt
import pytest

from ir_coliee.datasets.documentation import CATALOGUE, info_url
from ir_coliee.editions import COLLECTIONS, SPLITS, dataset_ids

IDS = dataset_ids()
KEYS = {"pretty_name", "desc", "official_measures", "data_access", "bibtex_ids", "bibtex", "info_url"}


def test_every_id_is_documented_with_the_keys_that_ir_datasets_reads():
    for dataset_id in IDS:
        words = ir_datasets.load(dataset_id).documentation()
        assert set(words) == KEYS
        assert words["pretty_name"].startswith("COLIEE ")
        assert words["desc"].startswith("<p>")
        split = SPLITS.get(dataset_id.removesuffix("/full"))
        assert words["official_measures"] == ([split.measure] if split else [])
        assert ("Queries:" in words["desc"]) == (split is not None)
        assert words["info_url"] == info_url(split or COLLECTIONS[dataset_id.removesuffix("/deleted")])
        assert all(f"{{{key}," in words["bibtex"] for key in words["bibtex_ids"])
        if "/sample/" in dataset_id:
            assert "say nothing about COLIEE" in words["desc"]
            assert "CC0" in words["data_access"]
        else:
            assert "COLIEE_HOME" in words["data_access"]
            assert "https://coliee.org" in words["data_access"]


@pytest.mark.parametrize(
    ("dataset_id", "page"),
    [
        ("task1/2025/test", "task1-2025"),
        ("task3/2025/en", "task3-2025"),
        ("task4/2023/ja/r04/full", "task4-2023"),
        ("pilot/sample/rationale/test", "pilot-sample"),
    ],
)
def test_pyterrier_names_the_page_of_the_task_and_edition(dataset_id, page):
    assert pt.get_dataset(f"coliee:{dataset_id}").info_url() == f"{CATALOGUE}/{page.partition('-')[0]}.html#{page}"
