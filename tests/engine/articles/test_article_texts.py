"""Texts, passages, units and links of articles, and the scores by them."""

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest

from ir_coliee.engine.articles.collection import ArticleCollection
from ir_coliee.engine.articles.evidence import best_passages, counted, text_scores
from ir_coliee.engine.weightings import BM25, TfIdf
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


def test_articles_are_in_the_order_of_the_code(collection):
    assert collection.docnos.tolist() == ["1", "2", "3", "4", "6"]


def test_items_are_passages_with_the_words_before_the_first(collection):
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


@pytest.mark.parametrize(
    ("level", "units"),
    [("part", [0] * 5), ("chapter", [0, 0, 0, 1, 1]), ("section", [0, 0, 1, 2, 2]), ("finest", [0, 0, 1, 2, 2])],
)
def test_units_are_articles_with_the_same_headings(collection, level, units):
    assert collection.units(level).tolist() == units


def test_an_unknown_level_is_refused(collection):
    with pytest.raises(ValueError, match=r"level must be .*, got 'book'"):
        collection.units("book")


def test_links_follow_the_references(collection):
    def pairs(*arguments, **options):
        matrix = collection.links(*arguments, **options).toarray()
        return {(collection.docnos[row], collection.docnos[column]) for row, column in np.argwhere(matrix)}

    edges = {("2", "1"), ("3", "1"), ("6", "4")}
    assert pairs("outgoing") == edges
    assert pairs("incoming") == {(target, source) for source, target in edges}
    assert pairs("outgoing", mutatis_mutandis=True) == {("2", "1"), ("6", "4")}
    assert pairs("incoming", mutatis_mutandis=True) == {("1", "2"), ("4", "6")}


TEXTS = ["lamp oil lamp", "gate oil", "boat"]


def test_bm25_and_cosine_of_all_texts():
    index, questions = counted(TEXTS, "words"), ["lamp oil oil", "sea"]
    counts = [Counter(text.split()) for text in TEXTS]
    mean = sum(count.total() for count in counts) / 3
    df = Counter(word for count in counts for word in count)
    bm25, cosine = np.zeros((2, 3)), np.zeros((2, 3))
    for row, question in enumerate(questions):
        asked = Counter(question.split())
        for column, tf in enumerate(counts):
            for word in asked.keys() & tf.keys():
                idf = log(1 + (3 - df[word] + 0.5) / (df[word] + 0.5))
                norm = 1.2 * (1 - 0.75 + 0.75 * tf.total() / mean)
                bm25[row, column] += asked[word] * idf * tf[word] * 2.2 / (tf[word] + norm)
            weights = [
                {word: (1 + log(n)) * (log(4 / (1 + df[word])) + 1) for word, n in each.items() if df[word]}
                for each in (asked, tf)
            ]
            norms = [sqrt(sum(weight**2 for weight in each.values())) for each in weights]
            if all(norms):
                dot = sum(weight * weights[1].get(word, 0) for word, weight in weights[0].items())
                cosine[row, column] = dot / norms[0] / norms[1]
    np.testing.assert_allclose(text_scores(index, BM25(), questions), bm25, atol=1e-12)
    np.testing.assert_allclose(text_scores(index, TfIdf(), questions), cosine, atol=1e-12)


def test_an_article_has_the_score_of_its_best_passage():
    scores = np.array([[0.5, 2.0, 1.0, 0.0], [1.0, 0.0, 0.0, 3.0]])
    assert best_passages(scores, np.array([0, 0, 1, 3]), 5).tolist() == [[2, 1, 0, 0, 0], [1, 0, 0, 3, 0]]
    assert best_passages(np.empty((1, 0)), np.empty(0, dtype=int), 2).tolist() == [[0, 0]]
