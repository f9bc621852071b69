"""The sample edition has its official counts and its documented properties."""

import re
from collections import Counter
from pathlib import Path

import ir_datasets
import pytest

import ir_coliee

SAMPLE = Path(ir_coliee.__file__).parent / "datasets" / "sample"
FRENCH = {"le", "la", "les", "des", "une", "est", "qu", "dans", "que", "pour"}
each_split = pytest.mark.parametrize("split", ["train", "test"])
both_languages = pytest.mark.parametrize("language", ["en", "ja"])


def load(name):
    return ir_datasets.load(f"coliee/{name}")


def gold(name):
    found = {}
    for qrel in load(name).qrels:
        found.setdefault(qrel.query_id, []).append(qrel.doc_id)
    return found


# --- task 1 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("split", "queries"), [("train", 10), ("test", 12)])
def test_task_1_has_its_queries_with_one_to_six_noticed_cases(split, queries):
    numbers = [len(cases) for cases in gold(f"task1/sample/{split}").values()]
    assert len(numbers) == queries
    assert min(numbers) >= 1
    assert max(numbers) <= 6
    assert len(set(numbers)) > 2


@each_split
def test_citations_are_suppressed_and_no_case_is_named_by_its_number(split):
    docs = list(load(f"task1/sample/{split}").docs)
    queries = gold(f"task1/sample/{split}")
    assert [doc.doc_id for doc in docs if doc.doc_id in queries and "<FRAGMENT_SUPPRESSED>" not in doc.text] == []
    assert [doc.doc_id for doc in docs if re.search(r"9\d{5}", doc.text)] == []


def test_one_pair_of_texts_is_identical_under_two_names():
    pairs = []
    for split in ("train", "test"):
        names = {}
        for path in (SAMPLE / f"task1_{split}_files_sample").iterdir():
            names.setdefault(path.read_bytes(), []).append(path.stem)
        pairs += [same for same in names.values() if len(same) > 1]
    assert [len(same) for same in pairs] == [2]


# --- task 2 ----------------------------------------------------------------------------------------


@each_split
def test_task_2_has_its_cases_paragraphs_and_gold(split):
    dataset = load(f"task2/sample/{split}")
    sizes = Counter(doc.case_id for doc in dataset.docs)
    assert len(sizes) == 8
    assert all(8 <= size <= 20 for size in sizes.values())
    numbers = [len(items) for items in gold(f"task2/sample/{split}").values()]
    assert len(numbers) == 8
    assert set(numbers) <= {1, 2, 3}
    assert len(set(numbers)) > 1


# --- tasks 3 and 4 ---------------------------------------------------------------------------------


def test_both_codes_have_the_same_articles_of_the_same_build():
    def build(article):
        place = (article.part, article.chapter, article.section, article.subsection, article.division)
        pieces = (len(article.paragraphs), len(article.items), bool(article.caption), article.deleted)
        return article.doc_id, [bool(level) for level in place], pieces

    english, japanese = (list(load(f"task3/sample/{language}/deleted").docs) for language in ("en", "ja"))
    assert [build(article) for article in english] == [build(article) for article in japanese]


@pytest.mark.parametrize(("split", "number", "year"), [("train", 30, "R98"), ("test", 20, "R99")])
@both_languages
def test_the_statements_are_of_two_exam_years_with_both_answers(language, split, number, year):
    questions = list(load(f"task4/sample/{language}/{split}/full").queries)
    assert len(questions) == number
    assert {question.query_id[:3] for question in questions} == {year}
    answers = Counter(question.label for question in questions)
    assert set(answers) == {"Y", "N"}
    assert min(answers.values()) >= number / 4
    assert {len(question.articles) for question in questions} == {1, 2}


@each_split
def test_questions_gold_and_answers_are_the_same_in_both_languages(split):
    for task in ("task3", "task4"):
        assert list(load(f"{task}/sample/en/{split}").qrels) == list(load(f"{task}/sample/ja/{split}").qrels)
    english, japanese = (list(load(f"task3/sample/{language}/{split}/full").queries) for language in ("en", "ja"))
    assert [(q.query_id, q.label, q.articles) for q in english] == [(q.query_id, q.label, q.articles) for q in japanese]


# --- the pilot -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("split", "number"), [("train", 12), ("test", 6)])
def test_the_pilot_has_its_instances_with_both_decisions(split, number):
    torts = list(load(f"pilot/sample/prediction/{split}/full").queries)
    assert len(torts) == number
    assert {tort.court_decision for tort in torts} == {True, False}
    assert {label for tort in torts for label in tort.accepted} == {True, False}
    assert {claim.side for tort in torts for claim in tort.claims} == {"p", "d"}
    assert all(re.search("[ぁ-ん]", tort.dispute) for tort in torts)


# --- all of it -------------------------------------------------------------------------------------


def test_the_licence_is_cc0_and_the_readmes_say_that_it_is_fictional():
    assert "CC0" in (SAMPLE / "LICENSE-CC0.txt").read_text(encoding="utf-8")
    readmes = list(SAMPLE.rglob("README.txt"))
    assert readmes
    assert [path for path in readmes if "fiction" not in path.read_text(encoding="utf-8").lower()] == []


def test_every_text_file_is_utf8_and_not_empty():
    for path in (path for path in SAMPLE.rglob("*") if path.is_file()):
        assert path.read_bytes().decode("utf-8").strip(), path
