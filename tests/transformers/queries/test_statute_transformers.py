"""Japanese normalised, articles split into provisions, in frames."""

import math

import ir_datasets
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import (
    AggregatePassages,
    LexicalIndex,
    LexicalIndexer,
    NormaliseJapanese,
    ParagraphRetriever,
    QueriesFromDataset,
    SplitArticles,
    SplitProvisions,
    TextScorer,
    provision_corpus,
)

ARTICLES = {
    "398-2": "(1) A lamp may be lent.\n(2) If:\n(i) a gate is closed; or\n(ii) a well is dry.",
    "12": "A well belongs to its keeper.",
}


def corpus():
    return [{"docno": docno, "text": text} for docno, text in ARTICLES.items()]


def query(*texts):
    return pd.DataFrame({"qid": [str(n) for n in range(len(texts))], "query": pd.Series(texts, dtype=object)})


def test_an_index_of_normalised_japanese_finds_both_ways_of_writing(tmp_path):
    articles = [{"docno": "1", "text": "売主Ａ，代金を"}, {"docno": "2", "text": "門"}]
    index = (NormaliseJapanese() >> LexicalIndexer(tmp_path / "index")).index(articles)
    found = (NormaliseJapanese() >> index.bm25())(query("売主A、門番"))
    assert found["docno"].tolist() == ["1"]
    assert NormaliseJapanese(numerals=True)(query("第五条"))["query"].tolist() == ["第5条"]
    assert NormaliseJapanese()(query("第五条"))["query"].tolist() == ["第五条"]


def test_a_missing_text_stays_missing():
    texts = NormaliseJapanese()(query(None, "，", math.nan, ""))["query"]
    assert texts.isna().tolist() == [True, False, True, False]
    assert (texts[1], texts[3]) == ("、", "")


def test_the_provisions_of_a_corpus_have_numbers_that_lead_back():
    assert [(one["docno"], one["text"]) for one in provision_corpus(corpus(), "en", "item")] == [
        ("398-2%p1", "A lamp may be lent."),
        ("398-2%p2", "If:"),
        ("398-2%p2.1", "a gate is closed; or"),
        ("398-2%p2.2", "a well is dry."),
        ("12%p1", "A well belongs to its keeper."),
    ]


@pytest.mark.parametrize("level", ["paragraph", "item", "subitem"])
def test_the_transformer_parts_as_the_corpus_does(level, tmp_path):
    expected = list(provision_corpus(corpus(), "en", level))
    assert SplitProvisions("en", level)(pd.DataFrame(corpus())).to_dict("records") == expected
    index = (SplitProvisions("en", level) >> LexicalIndexer(tmp_path / "index")).index(corpus())
    assert sorted(index.docnos) == sorted(one["docno"] for one in expected)


def test_articles_are_scored_by_their_provisions():
    index = LexicalIndex.build(provision_corpus(corpus(), "en", "item"))
    found = ParagraphRetriever(index).search("lamp well")
    assert set(found["docno"]) == {"398-2", "12"}
    best = max(score for docno, score in zip(*_columns(index.bm25().search("lamp well"))) if docno.startswith("398-2"))
    assert dict(zip(*_columns(found)))["398-2"] == pytest.approx(best)


def _columns(results):
    return results["docno"], results["score"]


@pytest.mark.parametrize("back", [AggregatePassages(), pt.text.max_passage()], ids=["ours", "PyTerrier's"])
def test_results_are_scored_by_their_provisions_and_put_together(back):
    results = pd.DataFrame(corpus()).assign(qid="1", query="gate closed", score=0.0)
    found = (SplitProvisions("en", "item") >> TextScorer() >> back)(results)
    scores = dict(zip(*_columns(found)))
    assert scores.keys() == {"398-2", "12"}
    assert scores["398-2"] > scores["12"] == 0


def test_an_article_without_a_text_has_one_empty_provision_and_one_of_another_type_is_refused():
    parted = SplitProvisions("ja")(pd.DataFrame({"docno": ["1", "2"], "text": [None, ""]}))
    assert parted.to_dict("list") == {"docno": ["1%p1", "2%p1"], "text": ["", ""]}
    with pytest.raises(ColieeError, match="int"):
        SplitProvisions("ja")(pd.DataFrame({"docno": ["1"], "text": [5]}))


def test_an_article_of_a_corpus_without_a_number_or_a_text_is_refused():
    for article in ({"docno": "1"}, {"text": "A lamp."}, {"docno": "1", "text": None}, {"docno": 1, "text": "A lamp."}):
        with pytest.raises(ColieeError, match="needs a docno and a text"):
            list(provision_corpus([article], "en"))


@pytest.mark.parametrize("parameters", [("fr",), ("en", "chapter")])
def test_another_language_or_level_is_refused(parameters):
    with pytest.raises(ValueError, match=parameters[-1]):
        SplitProvisions(*parameters)


def test_queries_get_the_words_of_the_twin_and_lose_the_tokens_that_were_made_of_their_own():
    twin = ir_datasets.load("coliee/task3/sample/ja/test")
    words = {asked.query_id: asked.default_text() for asked in twin.queries_iter()}
    frame = query("A lamp.", "A gate.").assign(qid=["R99-01-I", "R99-01-A"], docno="1", query_toks=[{"a": 1.0}] * 2)
    found = QueriesFromDataset("coliee/task3/sample/ja/test")(frame)
    assert found["query"].tolist() == [words["R99-01-I"], words["R99-01-A"]]
    assert found.columns.tolist() == ["qid", "query", "docno"]


def test_a_query_that_the_twin_does_not_have_is_named():
    with pytest.raises(ColieeError, match="coliee/task3/sample/ja/test has no query H99-99-9"):
        QueriesFromDataset("coliee/task3/sample/ja/test")(query("A lamp.").assign(qid="H99-99-9"))


def test_quoted_articles_become_rows_of_their_own():
    questions = pd.DataFrame(
        {"qid": ["2", "1"], "query": ["a lamp", "a gate"], "year": ["R98", "R99"]}
        | {"text": ["(Lamps)\nArticle 5\n(1) A lamp.\n(2) A wick.\nArticle 6 A gate.", ""]}
    )
    rows = SplitArticles("en")(questions)
    assert rows[["qid", "docno", "rank", "text", "year"]].values.tolist() == [
        ["2", "1", 0, "(1) A lamp.\n(2) A wick.", "R98"],
        ["2", "2", 1, "A gate.", "R98"],
        ["1", "1", 0, "", "R99"],
    ]


def test_more_than_nine_quoted_articles_stay_in_their_order():
    text = "\n".join(f"第{numeral}条　灯{numeral}" for numeral in "一二三四五六七八九十") + "\n第十一条　門"
    rows = SplitArticles("ja")(pd.DataFrame({"qid": ["1"], "query": ["灯"], "text": [text]}))
    assert rows["docno"].tolist() == [str(place) for place in range(1, 12)]
    assert rows["text"].iloc[-1] == "門"


def test_quoted_articles_are_split_into_their_provisions():
    question = {"qid": ["1"], "query": ["wick"], "text": ["Article 5 (1) A lamp.\n(2) A wick.\nArticle 6 A gate."]}
    system = SplitArticles("en") >> SplitProvisions("en") >> TextScorer() % 1
    assert system(pd.DataFrame(question))[["docno", "text"]].values.tolist() == [["1%p2", "A wick."]]


def test_articles_apart_refuses_another_language_and_what_is_no_text():
    with pytest.raises(ValueError, match="'en' or 'ja'"):
        SplitArticles("fr")
    with pytest.raises(ColieeError, match="Query 1: text must be a string, got a value of type int"):
        SplitArticles("en")(pd.DataFrame({"qid": ["1"], "query": ["q"], "text": [7]}))
