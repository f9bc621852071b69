"""The documentation of the datasets in ir_datasets and PyTerrier."""

import re

import ir_datasets
import pyterrier as pt
import pytest

from ir_coliee.datasets.documentation import CATALOGUE, info_url, overview_papers
from ir_coliee.editions import COLLECTIONS, SPLITS, as_split, built_in_editions, dataset_ids
from ir_coliee.errors import UnknownIdError
from ir_coliee.transformers import CandidatePool, LexicalIndex

IDS = [*dataset_ids(), "coliee/task4/2023/ja/r04/full", "coliee/task1/sample/test/full"]
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
