"""The documentation of the datasets in ir_datasets and PyTerrier, and the page docs/catalogue/index.md."""

import configparser
import re
from pathlib import Path

import ir_datasets
import pyterrier as pt
import pytest

from ir_coliee.datasets.documentation import DATASETS_PAGE, info_url, overview_papers, page
from ir_coliee.editions import SPLITS, built_in_editions, dataset_ids

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "catalogue" / "index.md"
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
        assert words["info_url"] == info_url(dataset_id.split("/")[2])
        assert all(f"{{{key}," in words["bibtex"] for key in words["bibtex_ids"])
        if "/sample/" in dataset_id:
            assert "say nothing about COLIEE" in words["desc"]
            assert "CC0" in words["data_access"]
        else:
            assert "COLIEE_HOME" in words["data_access"]
            assert "https://coliee.org" in words["data_access"]


def test_no_two_ids_have_the_same_name():
    names = [ir_datasets.load(dataset_id).documentation()["pretty_name"] for dataset_id in IDS]
    assert len(set(names)) == len(names)


def test_a_paper_belongs_to_its_edition_and_has_a_doi():
    papers = {edition.name: overview_papers(edition.name) for edition in built_in_editions()}
    assert {name: [*found] for name, found in papers.items() if found} == {
        year: [f"Coliee{year}"] for year in ("2020", "2023", "2024", "2025")
    }
    for year, found in papers.items():
        for entry in found.values():
            assert re.search(rf"COLIEE\}}\)? {year}", entry)
            assert re.search(r"doi=\{10\.\d{4,}/\S+\}", entry)
            assert entry.count("{") == entry.count("}")


def test_the_entries_are_those_of_the_dataset():
    words = ir_datasets.load("coliee/task4/2023/en/test").documentation()
    assert words["bibtex_ids"] == ["Coliee2023"]
    assert words["bibtex"].startswith("@article{Coliee2023,")
    assert "10.1007/s12626-023-00152-0" in words["bibtex"]
    assert ir_datasets.load("coliee/task1/2022/test").documentation()["bibtex"] == ""


def test_pyterrier_names_our_page():
    dataset = pt.get_dataset("coliee:task1/2025/test")
    assert dataset.info_url() == f"{DATASETS_PAGE}#coliee-2025"


def test_the_address_is_below_that_of_the_documentation():
    metadata = configparser.ConfigParser()
    metadata.read(ROOT / "setup.cfg", encoding="utf-8")
    assert f"Documentation = {DATASETS_PAGE.partition('/en/')[0]}" in metadata["metadata"]["project_urls"]


@pytest.mark.skipif(not PAGE.exists(), reason="no docs here")
def test_the_page_is_up_to_date_and_has_the_section_of_each_edition():
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(), "run: python -m ir_coliee.datasets > docs/catalogue/index.md"
    anchors = [heading.lower().replace(" ", "-") for heading in re.findall("^## (.+)$", text, re.MULTILINE)]
    assert anchors == [info_url(edition.name).partition("#")[2] for edition in built_in_editions()]
