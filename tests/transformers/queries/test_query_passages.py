"""Passages of documents and queries, and what becomes of their scores, against PyTerrier's own and plain Python."""

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.text.sentences import english_sentences, japanese_sentences, windows
from ir_coliee.transformers import (
    AggregatePassages,
    LexicalIndexer,
    Retriever,
    SplitParagraphs,
    SplitSentenceWindows,
    TextScorer,
    paragraph_corpus,
)

DECISIONS = pd.DataFrame(
    {
        "docno": ["900003", "900001", "900004", "900002"],
        "text": ["Header.\n[1]\nA lamp. A gate.\n[2]\n\n[3]\nA road.", "[1]\nA well.", "", None],
        "year": [1990, 1991, 1992, 1993],
    },
    index=[4, 4, 4, 4],
)
RESULTS = pd.DataFrame(
    {
        "qid": ["b", "a", "b"],
        "query": ["[1]\nA lamp.\n[2]\nA well.", "A gate.", "[1]\nA lamp.\n[2]\nA well."],
        "docno": ["900003", "900003", "900001"],
        "text": ["[1]\nA lamp.\n[2]\nA gate.", "[1]\nA lamp.\n[2]\nA gate.", "A well."],
        "score": [1.0, 2.0, 3.0],
        "rank": [1, 0, 0],
    }
)


# --- into passages ---------------------------------------------------------------------------------


def test_documents_become_paragraphs_as_they_are_indexed():
    parted = SplitParagraphs()(DECISIONS)
    corpus = DECISIONS.fillna({"text": ""})[["docno", "text"]].to_dict("records")
    assert parted[["docno", "text"]].to_dict("records") == list(paragraph_corpus(corpus))
    assert parted["year"].tolist() == [1990, 1990, 1990, 1991, 1992, 1993]
    assert parted.columns.tolist() == DECISIONS.columns.tolist()


def test_windows_are_those_of_the_sentences():
    text = "A lamp. A gate. A well. A road. A sea."
    parted = SplitSentenceWindows(size=3, stride=2)(pd.DataFrame({"docno": ["1"], "text": [text]}))
    assert parted["docno"].tolist() == ["1%p0", "1%p1"]
    assert parted["text"].tolist() == ["A lamp. A gate. A well.", "A well. A road. A sea."]
    long = text * 100
    expected = [span.of(long) for span in windows(english_sentences(long))]
    assert SplitSentenceWindows()(pd.DataFrame({"docno": ["1"], "text": [long]}))["text"].tolist() == expected
    assert len(expected) == 25


def test_the_language_of_windows_is_an_argument():
    japanese = pd.DataFrame({"docno": ["1"], "text": ["灯。門。道。"]})
    assert SplitSentenceWindows(size=1, stride=1)(japanese)["text"].tolist() == ["灯。門。道。"]
    assert SplitSentenceWindows(size=1, stride=1, language="ja")(japanese)["text"].tolist() == ["灯。", "門。", "道。"]
    assert len(japanese_sentences("灯。門。道。")) == 3


def test_queries_become_passages_and_lose_what_stands_for_the_whole():
    queries = pd.DataFrame(
        {
            "qid": ["1"],
            "query": ["[1]\nA lamp.\n[2]\nA gate."],
            "query_toks": [{"lamp": 1.0}],
            "query_docno": ["900001"],
        }
    )
    parted = SplitParagraphs()(queries)
    assert parted.to_dict("records") == [{"qid": "1%p1", "query": "A lamp."}, {"qid": "1%p2", "query": "A gate."}]


def test_results_become_passages_of_their_documents_or_of_their_queries():
    of_documents = SplitParagraphs()(RESULTS)
    assert of_documents["docno"].tolist() == ["900003%p1", "900003%p2", "900003%p1", "900003%p2", "900001%p0"]
    assert of_documents["qid"].tolist() == ["b", "b", "a", "a", "b"]
    assert of_documents["score"].tolist() == [1, 1, 2, 2, 3]
    assert "rank" not in of_documents
    of_queries = SplitParagraphs(on="query")(RESULTS)
    assert of_queries["qid"].tolist() == ["b%p1", "b%p2", "a%p0", "b%p1", "b%p2"]
    assert of_queries["query"].tolist() == ["A lamp.", "A well.", "A gate.", "A lamp.", "A well."]
    assert of_queries["docno"].tolist() == ["900003", "900003", "900003", "900001", "900001"]


def test_results_without_texts_are_refused_where_no_column_is_named():
    with pytest.raises(pt.validate.InputValidationError, match="text"):
        SplitParagraphs()(RESULTS.drop(columns="text"))
    with pytest.raises(pt.validate.InputValidationError, match="text"):
        SplitParagraphs(on="text")(RESULTS.drop(columns="text"))


@pytest.mark.parametrize("string_type", ["str", "string", object])
def test_texts_are_shared_by_the_passages_and_not_copied(string_type):
    queries = RESULTS.astype({"query": string_type})
    parted = SplitParagraphs()(queries)
    assert parted["query"].dtype == object
    assert parted["query"].iloc[0] is parted["query"].iloc[1]


def test_what_is_no_text_or_has_no_id_is_named():
    with pytest.raises(ColieeError, match=r"^docno 900001: text must be a string, got a value of type int"):
        SplitParagraphs()(pd.DataFrame({"docno": ["900001"], "text": [7]}))
    with pytest.raises(ColieeError, match=r"^The query in row 1 has no id \(qid\)"):
        SplitParagraphs()(pd.DataFrame({"qid": ["1", None], "query": ["a", "b"]}))


def test_passages_go_into_an_index_and_come_back_as_documents(tmp_path):
    index = (SplitParagraphs() >> LexicalIndexer(tmp_path / "index")).index(
        DECISIONS.fillna({"text": ""})[["docno", "text"]].to_dict("records")
    )
    found = (Retriever(index) >> AggregatePassages()).search("lamp gate road")
    assert found["docno"].tolist() == ["900003"]
    assert found["score"].iloc[0] == index.bm25().search("lamp gate road")["score"].max()


def test_passages_of_results_are_scored_and_put_together():
    scored = (SplitParagraphs() >> TextScorer())(RESULTS)
    found = AggregatePassages()(scored)
    of_passages = dict(zip(zip(scored["qid"], scored["docno"]), scored["score"]))
    assert dict(zip(zip(found["qid"], found["docno"]), found["score"])) == {
        ("b", "900001"): of_passages["b", "900001%p0"],
        ("b", "900003"): of_passages["b", "900003%p1"],
        ("a", "900003"): of_passages["a", "900003%p2"],
    }
    assert found["score"].min() > 0


def test_arguments_out_of_range_are_refused_by_name():
    for parameters in (
        {"size": 0},
        {"stride": 0},
        {"max_windows": 0},
        {"size": 1.5},
        {"language": "fr"},
        {"on": "docno"},
    ):
        with pytest.raises(ValueError, match=rf"^{next(iter(parameters))} must be "):
            SplitSentenceWindows(**parameters)
    with pytest.raises(ValueError, match=r"^on must be "):
        SplitParagraphs(on="qid")
    for aggregate in ("best", 0, -1, 1.5, None):
        with pytest.raises(ValueError, match=r"^aggregate must be "):
            AggregatePassages(aggregate)
    with pytest.raises(ValueError, match=r"^on must be .*, got .text."):
        AggregatePassages(on="text")


# --- and back --------------------------------------------------------------------------------------


@st.composite
def runs(draw):
    rows = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["q1", "q2", "q10"]),
                st.sampled_from(["a", "b", "a%p", "x%px"]),
                st.integers(0, 12),
                st.sampled_from([-2.0, 0.0, 0.25, 1.0, 7.0]),
            ),
            min_size=1,
            max_size=20,
            unique_by=lambda row: row[:3],
        )
    )
    columns = list(zip(*((qid, qid.upper(), f"{docno}%p{number}", score) for qid, docno, number, score in rows)))
    return pd.DataFrame(dict(zip(["qid", "query", "docno", "score"], columns)))


def plainly(run, aggregate):
    """The score of each (query, document), by loops."""
    passages = {}
    for qid, docno, score in zip(run["qid"], run["docno"], run["score"]):
        whole, _, number = docno.rpartition("%p")
        passages.setdefault((qid, whole), []).append((int(number), score))
    if aggregate == "first":
        return {pair: min(found)[1] for pair, found in passages.items()}
    kept = {"max": 1, "mean": None}.get(aggregate, aggregate)
    best = {pair: sorted((score for _, score in found), reverse=True)[:kept] for pair, found in passages.items()}
    return {pair: sum(scores) / len(scores) for pair, scores in best.items()}


@given(runs(), st.sampled_from(["max", "mean", "first", 1, 2, 3]))
def test_scores_are_those_of_plain_python(run, aggregate):
    found = AggregatePassages(aggregate)(run)
    assert dict(zip(zip(found["qid"], found["docno"]), found["score"])) == pytest.approx(plainly(run, aggregate))
    assert list(dict.fromkeys(found["qid"])) == list(dict.fromkeys(run["qid"]))
    for _, rows in found.groupby("qid"):
        assert rows["rank"].tolist() == list(range(len(rows)))
        assert rows["score"].is_monotonic_decreasing


@pytest.mark.slow
@given(runs(), st.sampled_from(["max", "mean", "first", 2]))
def test_the_order_of_the_rows_changes_nothing(run, aggregate):
    shuffled = run.sample(frac=1, random_state=1).sort_values("qid", kind="stable")
    columns = ["qid", "docno", "score", "rank"]
    expected = AggregatePassages(aggregate)(run.sort_values("qid", kind="stable"))
    pd.testing.assert_frame_equal(AggregatePassages(aggregate)(shuffled)[columns], expected[columns])


@pytest.mark.parametrize(
    ("aggregate", "peer"),
    [
        ("max", pt.text.max_passage()),
        ("mean", pt.text.mean_passage()),
        (2, pt.text.kmaxavg_passage(2)),
        ("first", pt.text.first_passage()),
    ],
)
def test_columns_and_scores_are_those_of_pyterrier(aggregate, peer):
    rng = np.random.default_rng(3)
    docnos = [f"{docno}%p{number}" for docno in "abc" for number in range(4)]
    run = pd.DataFrame({"qid": np.repeat(["1", "2"], 12), "query": "x", "docno": docnos * 2, "score": rng.random(24)})
    run = run.assign(text=run["docno"] + " text", docid=7, rank=0)
    found, expected = AggregatePassages(aggregate)(run), peer(run)
    assert set(found.columns) == set(expected.columns)
    in_order = expected.sort_values(["qid", "rank"])[found.columns].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, in_order, check_dtype=False)


def test_the_best_and_the_first_passage_bring_their_columns():
    run = pd.DataFrame({"qid": "1", "docno": ["a%p10", "a%p9"], "score": [4.0, 1.0], "text": ["ten", "nine"]})
    assert AggregatePassages("max")(run)["text"].tolist() == ["ten"]
    assert AggregatePassages("first")(run)["text"].tolist() == ["nine"]
    assert AggregatePassages("mean")(run).columns.tolist() == ["qid", "docno", "score", "rank"]


def test_of_equal_passages_the_first_stands_for_the_document():
    run = pd.DataFrame({"qid": "1", "docno": ["a%p10", "a%p9"], "score": [1.0, 1.0], "text": ["ten", "nine"]})
    assert AggregatePassages("max")(run)["text"].tolist() == ["nine"]


def test_documents_of_equal_scores_are_in_the_order_of_their_numbers_and_not_of_old_ranks():
    run = pd.DataFrame({"qid": "1", "docno": ["b%p0", "a%p0", "a%p1"], "score": [3.0, 3.0, 3.0], "rank": [0, 1, 2]})
    assert AggregatePassages("mean")(run)["docno"].tolist() == ["a", "b"]
    assert AggregatePassages("max")(run)["docno"].tolist() == ["a", "b"]


def test_queries_are_put_together_too():
    run = pd.DataFrame(
        {"qid": ["1%p0", "1%p0", "1%p3"], "query": ["x", "x", "y"], "docno": ["a", "b", "a"], "score": [1.0, 5.0, 4.0]}
    )
    found = AggregatePassages("max", on="qid")(run)
    assert found[["qid", "query", "docno", "score"]].to_numpy().tolist() == [["1", "x", "b", 5.0], ["1", "y", "a", 4.0]]
    found = AggregatePassages("mean", on="qid")(run)
    assert found.columns.tolist() == ["qid", "docno", "score", "rank"]
    assert found[["docno", "score"]].to_numpy().tolist() == [["b", 5.0], ["a", 2.5]]


def test_a_missing_score_counts_for_nothing():
    run = pd.DataFrame({"qid": "1", "docno": ["a%p0", "a%p1", "b%p0"], "score": [np.nan, -3.0, np.nan]})
    for aggregate in ("max", "mean", 1, 2):
        found = AggregatePassages(aggregate)(run)
        assert found["docno"].tolist() == ["a", "b"]
        assert found["score"].iloc[0] == -3
        assert np.isnan(found["score"].iloc[1])


@pytest.mark.parametrize("docno", ["a", "a%p", "%p1", "a%px", "a%p1x", "a%p" + "9" * 5000, "a%p١"])
def test_an_id_that_is_no_passage_stands_for_itself(docno):
    run = pd.DataFrame({"qid": ["1"], "docno": [docno], "score": [1.0]})
    for aggregate in ("max", "mean", "first"):
        assert AggregatePassages(aggregate)(run)["docno"].tolist() == [docno]


def test_a_row_without_an_id_is_named():
    for column in ("qid", "docno"):
        run = pd.DataFrame({"qid": ["1", "1"], "docno": ["a%p0", "a%p1"], "score": [1.0, 2.0]})
        run.loc[1, column] = None
        with pytest.raises(ColieeError, match=rf"in row 1 has no id \({column}\)"):
            AggregatePassages()(run)


def test_an_aggregate_can_be_searched_for():
    run = pt.Transformer.from_df(
        pd.DataFrame({"qid": "1", "query": "x", "docno": ["a%p0", "b%p0", "b%p1"], "score": [2.0, 3.0, 0.0]})
    )
    aggregate = AggregatePassages("max")
    gold = pd.DataFrame({"qid": ["1"], "docno": ["a"], "label": [1]})
    queries = pd.DataFrame({"qid": ["1"], "query": ["x"]})
    grid = {aggregate: {"aggregate": ["max", "mean"]}}
    best, _ = pt.GridScan(run >> aggregate, grid, queries, gold, ["recip_rank"], dataframe=False)[1]
    assert best[0][1:] == ("aggregate", "mean")
