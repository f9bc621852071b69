"""Texts, passages, units and links of articles; exam years and groups of questions."""

import numpy as np
import pytest

from ir_coliee.engine.articles.collection import ArticleCollection, ExamQuestions
from ir_coliee.releases.civil_code import read_civil_code

ENGLISH = """Part I Lights
Chapter I Lamps
Section 1 Oil
(Lamps)
Article 1 (1) A lamp may be lit if:
(i) it is night; or
(ii) it is foggy.
(2) A lamp may be sold.
Article 2 Article 1 applies mutatis mutandis to a gate.
Section 2 Wicks
(Wicks)
Article 3 A wick is cut under Article 1.
Chapter II Gates
(Gates)
Article 4 A gate.
Article 5 Deleted
Article 6 The provisions of the preceding Article apply mutatis mutandis to doors.
"""
JAPANESE = """第一編　灯
（灯）
第一条　灯は、次に掲げるとき、ともす。
一　夜
イ　冬の夜
二　霧
２　灯は、売る。
"""


@pytest.fixture
def collection(tmp_path):
    (tmp_path / "code.txt").write_text(ENGLISH, encoding="utf-8")
    articles = [article for article in read_civil_code(tmp_path / "code.txt", "en") if not article.deleted]
    return ArticleCollection(articles, "en")


def test_items_are_passages_with_the_words_before_the_first(collection):
    assert collection.docnos.tolist() == ["1", "2", "3", "4", "6"]
    texts, articles = collection.passages()
    assert texts[:4] == [
        "Lamps\nA lamp may be lit if:\nit is night; or",
        "Lamps\nA lamp may be lit if:\nit is foggy.",
        "Lamps\nA lamp may be sold.",
        "Lamps\nArticle 1 applies mutatis mutandis to a gate.",
    ]
    assert articles.tolist() == [0, 0, 0, 1, 2, 3, 4]


def test_japanese_subitems_belong_to_the_passage_of_their_item(tmp_path):
    (tmp_path / "code.txt").write_text(JAPANESE, encoding="utf-8")
    texts, _ = ArticleCollection(read_civil_code(tmp_path / "code.txt", "ja"), "ja").passages()
    lead = "灯\n灯は、次に掲げるとき、ともす。\n"
    assert texts == [f"{lead}夜\nイ　冬の夜", f"{lead}霧", "灯\n灯は、売る。"]


def test_full_texts_begin_with_the_headings(collection):
    first = "Part I Lights\nChapter I Lamps\nSection 1 Oil\nLamps\n"
    assert collection.full_texts()[0] == first + collection.articles[0].text
    assert collection.texts()[0] == "Lamps\n" + collection.articles[0].text


def test_units_are_articles_with_the_same_headings(collection):
    sections = [0, 0, 1, 2, 2]
    assert {level: units.tolist() for level, units in collection.units.items()} == {
        "part": [0] * 5,
        "chapter": [0, 0, 0, 1, 1],
        **dict.fromkeys(("section", "subsection", "division", "finest"), sections),
    }


@pytest.mark.parametrize(
    ("mutatis_mutandis", "edges"), [(False, {("2", "1"), ("3", "1"), ("6", "4")}), (True, {("2", "1"), ("6", "4")})]
)
def test_links_follow_the_references(collection, mutatis_mutandis, edges):
    links = np.argwhere(collection.links(mutatis_mutandis=mutatis_mutandis).toarray())
    assert {tuple(pair) for pair in collection.docnos[links]} == edges


def test_exam_questions_are_grouped_by_year_and_number():
    questions = ExamQuestions.of(["H98-01-A", "R98-01-A", "H98-01-2", "H98-02-A", "keys", "locks", "R98-1-I"])
    assert questions.years.tolist() == [2086, 2116, 2086, 2086, 0, 0, 2116]
    assert questions.numbers.tolist() == [1, 1, 1, 2, 0, 0, 1]
    assert questions.groups.tolist() == [0, 1, 0, 2, 3, 4, 1]
