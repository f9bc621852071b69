"""The sample edition has its official counts and its documented properties."""

import re
from pathlib import Path

import ir_datasets
import pytest

import ir_coliee

SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
each_split = pytest.mark.parametrize("split", ["train", "test"])


def load(name):
    return ir_datasets.load(f"coliee/{name}")


def gold(name):
    found = {}
    for qrel in load(name).qrels:
        found.setdefault(qrel.query_id, []).append(qrel.doc_id)
    return found


# --- task 1 ----------------------------------------------------------------------------------------


@each_split
def test_citations_are_suppressed_and_no_case_is_named_by_its_number(split):
    docs = list(load(f"task1/sample/{split}").docs)
    queries = gold(f"task1/sample/{split}")
    assert [doc.doc_id for doc in docs if doc.doc_id in queries and "<FRAGMENT_SUPPRESSED>" not in doc.text] == []
    assert [doc.doc_id for doc in docs if re.search(r"9\d{5}", doc.text)] == []


# --- tasks 3 and 4 ---------------------------------------------------------------------------------


def test_both_codes_have_the_same_articles_of_the_same_build():
    def build(article):
        place = (article.part, article.chapter, article.section, article.subsection, article.division)
        pieces = (len(article.paragraphs), len(article.items), bool(article.caption), article.deleted)
        return article.doc_id, [bool(level) for level in place], pieces

    english, japanese = (list(load(f"task3/sample/{language}/deleted").docs) for language in ("en", "ja"))
    assert [build(article) for article in english] == [build(article) for article in japanese]


@each_split
def test_questions_gold_and_answers_are_the_same_in_both_languages(split):
    for task in ("task3", "task4"):
        assert list(load(f"{task}/sample/en/{split}").qrels) == list(load(f"{task}/sample/ja/{split}").qrels)
    english, japanese = (list(load(f"task3/sample/{language}/{split}/full").queries) for language in ("en", "ja"))
    assert [(q.query_id, q.label, q.articles) for q in english] == [(q.query_id, q.label, q.articles) for q in japanese]


def test_the_licence_is_cc0_and_the_readmes_say_that_it_is_fictional():
    assert "CC0" in (SAMPLE / "LICENSE-CC0.txt").read_text(encoding="utf-8")
    readmes = list(SAMPLE.rglob("README.txt"))
    assert readmes
    assert [path for path in readmes if "fiction" not in path.read_text(encoding="utf-8").lower()] == []
