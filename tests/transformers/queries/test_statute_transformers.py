"""Japanese normalised, articles split into provisions, and questions in another language."""

import ir_datasets
import pandas as pd
import pytest

from ir_coliee.transformers import LexicalIndex, NormaliseJapanese, ParagraphRetriever, QueriesFromDataset, TextScorer
from ir_coliee.transformers.queries.passages import SplitArticles, SplitProvisions

CORPUS = [
    {"docno": "398-2", "text": "(1) A lamp may be lent.\n(2) If:\n(i) a gate is closed; or\n(ii) a well is dry."},
    {"docno": "12", "text": "A well belongs to its keeper."},
]


def question(text, language="en", **columns):
    frame = pd.DataFrame({"qid": ["1"], "query": ["wick"], "text": [text]}).assign(**columns)
    return SplitArticles(language)(frame)


@pytest.mark.parametrize(
    ("numerals", "text", "expected"),
    [(False, "売主Ａ，第五条", "売主A、第五条"), (True, "第五条", "第5条"), (False, "", "")],
)
def test_japanese_is_normalised(numerals, text, expected):
    normalise = NormaliseJapanese(numerals=numerals)
    assert normalise(pd.DataFrame({"qid": ["1"], "query": [text]}))["query"].tolist() == [expected]


def test_provisions_have_numbers_that_lead_back_to_their_article():
    split = SplitProvisions("en", "item")
    expected = {
        "398-2%p1": "A lamp may be lent.",
        "398-2%p2": "If:",
        "398-2%p2.1": "a gate is closed; or",
        "398-2%p2.2": "a well is dry.",
        "12%p1": "A well belongs to its keeper.",
    }
    assert {one["docno"]: one["text"] for one in split.transform_iter(CORPUS)} == expected
    index = LexicalIndex.build(split.transform_iter(CORPUS))
    found = ParagraphRetriever(index).search("lamp well").set_index("docno")["score"]
    of_provisions = index.bm25().search("lamp well")
    is_of_article = of_provisions["docno"].str.startswith("398-2")
    assert found["398-2"] == pytest.approx(of_provisions["score"][is_of_article].max())
    assert set(found.index) == {"398-2", "12"}


def test_an_article_without_a_text_has_one_empty_provision():
    split = SplitProvisions("ja")(pd.DataFrame({"docno": ["1", "2"], "text": [None, ""]}))
    assert split.to_dict("list") == {"docno": ["1%p1", "2%p1"], "text": ["", ""]}


def test_quoted_articles_become_rows_in_their_order():
    articles = question("(Lamps)\nArticle 5\n(1) A lamp.\n(2) A wick.\nArticle 6 A gate.", year="R98")
    assert articles[["docno", "rank", "text", "year"]].to_numpy().tolist() == [
        ["1", 0, "(1) A lamp.\n(2) A wick.", "R98"],
        ["2", 1, "A gate.", "R98"],
    ]
    provisions = (SplitProvisions("en") >> TextScorer() % 1)(articles)
    assert provisions[["docno", "text"]].to_numpy().tolist() == [["1%p2", "A wick."]]
    assert question("")[["docno", "text"]].to_numpy().tolist() == [["1", ""]]
    many = "\n".join(f"第{numeral}条　灯{numeral}" for numeral in "一二三四五六七八九十") + "\n第十一条　門"
    assert question(many, "ja")["docno"].tolist() == [str(place) for place in range(1, 12)]


def test_queries_get_the_text_of_another_dataset_and_lose_the_tokens_of_their_own():
    other = "coliee/task3/sample/ja/test"
    texts = {query.query_id: query.default_text() for query in ir_datasets.load(other).queries_iter()}
    frame = pd.DataFrame({"qid": ["R99-01-I", "R99-01-A"], "query": "x", "docno": "1", "query_toks": [{"a": 1.0}] * 2})
    found = QueriesFromDataset(other)(frame)
    assert found["query"].tolist() == [texts["R99-01-I"], texts["R99-01-A"]]
    assert found.columns.tolist() == ["qid", "query", "docno"]
