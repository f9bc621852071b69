"""Passages of documents and queries, and the aggregation of their scores, against PyTerrier and plain Python."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.text.sentences import english_sentences, windows
from ir_coliee.transformers import AggregatePassages, LexicalIndexer, SplitParagraphs
from ir_coliee.transformers.queries.passages import SplitSentenceWindows
from ir_coliee.transformers.retrieval.paragraphs import paragraph_corpus

DECISIONS = pd.DataFrame(
    {
        "docno": ["900003", "900001", "900004", "900002"],
        "text": ["Header.\n[1]\nA lamp. A gate.\n[2]\n\n[3]\nA road.", "[1]\nA well.", "", None],
        "year": [1990, 1991, 1992, 1993],
    },
    index=[4, 4, 4, 4],
)
CORPUS = DECISIONS.fillna({"text": ""})[["docno", "text"]].to_dict("records")
TWO = "[1]\nA lamp.\n[2]\nA gate."
RESULTS = pd.DataFrame(
    {"qid": ["b", "a"], "query": [TWO, "A gate."], "docno": ["900003", "900001"], "text": ["A well.", TWO]}
    | {"score": [1.0, 2.0], "rank": [0, 0]}
)

# --- into passages ---------------------------------------------------------------------------------


def test_documents_are_split_into_the_paragraphs_that_are_indexed(tmp_path):
    split = SplitParagraphs()(DECISIONS)
    assert split[["docno", "text"]].to_dict("records") == list(paragraph_corpus(CORPUS))
    assert split["year"].tolist() == [1990, 1990, 1990, 1991, 1992, 1993]
    assert split.columns.tolist() == DECISIONS.columns.tolist()
    index = (SplitParagraphs() >> LexicalIndexer(tmp_path / "index")).index(CORPUS)
    assert index.docnos.tolist() == sorted(split["docno"])


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        ({"size": 2, "stride": 1}, "A lamp. A gate. A well.", ["A lamp. A gate.", "A gate. A well."]),
        ({"size": 1, "stride": 1}, "灯。門。道。", ["灯。門。道。"]),
        ({"size": 1, "stride": 1, "language": "ja"}, "灯。門。道。", ["灯。", "門。", "道。"]),
        ({"size": 1, "stride": 1, "max_windows": 1}, "A lamp. A gate.", ["A lamp."]),
        *(({}, long, [it.of(long) for it in windows(english_sentences(long))]) for long in ["A lamp. A gate. " * 200]),
    ],
)
def test_windows_are_those_of_the_sentences(options, text, expected):
    split = SplitSentenceWindows(**options)(pd.DataFrame({"docno": ["1"], "text": [text]}))
    assert split["text"].tolist() == expected
    assert split["docno"].tolist() == [f"1%p{number}" for number in range(len(expected))]


def test_queries_become_passages_and_lose_what_describes_the_whole():
    queries = pd.DataFrame({"qid": ["1"], "query": [TWO], "query_toks": [{"lamp": 1.0}], "query_docno": ["900001"]})
    split = SplitParagraphs()(queries)
    assert split.to_dict("records") == [{"qid": "1%p1", "query": "A lamp."}, {"qid": "1%p2", "query": "A gate."}]


def test_results_become_passages_of_their_documents_or_of_their_queries():
    of_documents = SplitParagraphs()(RESULTS)
    assert of_documents.drop(columns=["query"]).to_numpy().tolist() == [
        *(["b", "900003%p0", "A well.", 1.0], ["a", "900001%p1", "A lamp.", 2.0], ["a", "900001%p2", "A gate.", 2.0])
    ]
    of_queries = SplitParagraphs(on="query")(RESULTS)
    assert of_queries.drop(columns=["text"]).to_numpy().tolist() == [
        *(["b%p1", "A lamp.", "900003", 1.0], ["b%p2", "A gate.", "900003", 1.0], ["a%p0", "A gate.", "900001", 2.0])
    ]


# --- and back --------------------------------------------------------------------------------------

ids = st.tuples(st.sampled_from(["q1", "q2", "q10"]), st.sampled_from(["a", "b", "a%p", "x%px"]), st.integers(0, 12))
rows = st.dictionaries(ids, st.sampled_from([-2.0, 0.0, 0.25, 1.0, 7.0]), min_size=1, max_size=20)


def plainly(rows, aggregate):
    """The score of each (query, document), by loops."""
    passages = {}
    for (qid, docno, number), score in rows.items():
        passages.setdefault((qid, docno), []).append((number, score))
    if aggregate == "first":
        return {pair: min(found)[1] for pair, found in passages.items()}
    kept = {"max": 1, "mean": None}.get(aggregate, aggregate)
    best = {pair: sorted((score for _, score in found), reverse=True)[:kept] for pair, found in passages.items()}
    return {pair: sum(scores) / len(scores) for pair, scores in best.items()}


@pytest.mark.slow
@given(rows, st.sampled_from(["max", "mean", "first", 1, 2, 3]))
def test_scores_are_those_of_plain_python(rows, aggregate):
    run = pd.DataFrame([(qid, f"{docno}%p{n}", score) for (qid, docno, n), score in rows.items()])
    run.columns = ["qid", "docno", "score"]
    found = AggregatePassages(aggregate)(run)
    assert dict(zip(zip(found["qid"], found["docno"]), found["score"])) == pytest.approx(plainly(rows, aggregate))
    shuffled = AggregatePassages(aggregate)(run.sample(frac=1, random_state=1))
    pd.testing.assert_frame_equal(*(each.sort_values(["qid", "rank"], ignore_index=True) for each in (found, shuffled)))


def test_of_equal_passages_the_first_stands_for_the_document_and_documents_are_in_the_order_of_ids():
    run = pd.DataFrame({"qid": "1", "docno": ["b%p0", "a%p10", "a%p9"], "score": 3.0, "text": ["0", "10", "9"]})
    for old_ranks in ({}, {"rank": [0, 1, 2]}):
        found = AggregatePassages("max")(run.assign(**old_ranks))
        assert found[["docno", "text"]].to_numpy().tolist() == [["a", "9"], ["b", "0"]]
        assert AggregatePassages("mean")(run.assign(**old_ranks))["docno"].tolist() == ["a", "b"]


def test_passages_of_queries_are_aggregated_too():
    run = pd.DataFrame(
        {"qid": ["1%p0", "1%p0", "1%p3"], "query": ["x", "x", "y"], "docno": ["a", "b", "a"], "score": [1.0, 5.0, 4.0]}
    )
    found = AggregatePassages("max", on="qid")(run)
    assert found[["qid", "query", "docno", "score"]].to_numpy().tolist() == [["1", "x", "b", 5.0], ["1", "y", "a", 4.0]]
    found = AggregatePassages("mean", on="qid")(run)
    assert found.columns.tolist() == ["qid", "docno", "score", "rank"]
    assert found[["docno", "score"]].to_numpy().tolist() == [["b", 5.0], ["a", 2.5]]


@pytest.mark.parametrize("aggregate", ["max", "mean", 1, 2])
def test_a_missing_score_counts_for_nothing(aggregate):
    run = pd.DataFrame({"qid": "1", "docno": ["a%p0", "a%p1", "b%p0"], "score": [np.nan, -3.0, np.nan]})
    found = AggregatePassages(aggregate)(run).fillna({"score": 0.0})
    assert found[["docno", "score"]].to_numpy().tolist() == [["a", -3.0], ["b", 0.0]]


@pytest.mark.parametrize("docno", ["a", "a%p", "%p1", "a%px", "a%p1x", "a%p" + "9" * 5000, "a%p١"])
@pytest.mark.parametrize("aggregate", ["max", "mean"])
def test_an_id_that_is_no_passage_stands_for_itself(aggregate, docno):
    run = pd.DataFrame({"qid": ["1"], "docno": [docno], "score": [1.0]})
    assert AggregatePassages(aggregate)(run)["docno"].tolist() == [docno]
