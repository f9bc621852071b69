"""Results expanded along references, against plain Python."""

import math

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import answers, run

from ir_coliee.errors import ColieeError
from ir_coliee.releases.article_references import article_references
from ir_coliee.text.references.graph import Reference, ReferenceGraph
from ir_coliee.transformers import LexicalIndex, ReferenceExpansion

TASK3 = "coliee/task3/sample/en/test"


def graph(*pairs):
    """A graph of pairs, and of pairs with a kind and whether mutatis mutandis."""
    return ReferenceGraph(tuple(Reference(*pair[:2], *(pair[2:] or ("number", False)), 1) for pair in pairs), ())


# --- in the small ----------------------------------------------------------------------------------

CHAIN = graph(("1", "2"), ("2", "3"), ("3", "4"))


def docnos(expansion, results):
    return dict(zip((found := expansion(results))["docno"], found["score"]))


def test_the_article_that_applies_another_one_is_found_backwards_only():
    """The overview's example: 267 applies 210 mutatis mutandis, as part of a unit."""
    applies = graph(("267", "210", "structural", True))
    found = run(("q", "210", 8.0))
    assert docnos(ReferenceExpansion(applies, direction="incoming"), found) == {"210": 8.0, "267": 4.0}
    assert docnos(ReferenceExpansion(applies), found) == {"210": 8.0, "267": 4.0}
    assert docnos(ReferenceExpansion(applies, direction="outgoing"), found) == {"210": 8.0}


def test_only_some_kinds_of_references_are_followed():
    several = graph(
        ("1", "2", "number", False),
        ("1", "3", "structural", True),
        ("1", "4", "range", False),
        ("1", "5", "number", True),
    )
    found = run(("q", "1", 8.0))
    assert set(docnos(ReferenceExpansion(several, mutatis_mutandis=True), found)) == {"1", "3", "5"}


def test_a_missing_score_stays_last_and_offers_nothing():
    found = ReferenceExpansion(CHAIN)(run(("q", "1", math.nan), ("q", "2", 2.0)))
    assert found["docno"].tolist() == ["2", "3", "1"]
    assert math.isnan(found["score"].iloc[2])
    assert docnos(ReferenceExpansion(CHAIN), run(("q", "1", -math.inf))) == {"1": -math.inf}


def test_equal_scores_keep_their_ranks_and_stand_before_those_that_are_added():
    found = run(("q", "3", 4.0), ("q", "1", 2.0), ("q", "0", 2.0), rank=[0, 1, 2])
    assert ReferenceExpansion(CHAIN)(found)["docno"].tolist() == ["3", "1", "0", "2", "4"]


def test_added_rows_have_the_columns_of_their_query_and_no_row_those_of_documents():
    found = run(("q", "1", 2.0), query="lamp", query_toks=[{"lamp": 1.0}], text="words", label=1, rank=0)
    expanded = ReferenceExpansion(CHAIN)(found)
    assert set(expanded.columns) == {"qid", "docno", "score", "query", "query_toks", "rank"}
    assert expanded["query"].tolist() == ["lamp", "lamp"]
    assert expanded["query_toks"].tolist() == [{"lamp": 1.0}] * 2


def test_scores_below_zero_are_not_summed():
    with pytest.raises(ColieeError, match=r"q7 has a score below 0.*combine='max'"):
        ReferenceExpansion(CHAIN, combine="sum")(run(("q1", "1", 1.0), ("q7", "1", -1.0)))


# --- against plain Python --------------------------------------------------------------------------

articles = st.sampled_from([str(number) for number in range(8)])
graphs = st.lists(st.tuples(articles, articles).filter(lambda pair: pair[0] != pair[1]), max_size=14, unique=True)
rows = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c"]), articles, st.sampled_from([-4.0, -1.0, 0.0, 0.5, 1.0, 8.0, math.nan])),
    min_size=1,
    max_size=12,
    unique_by=lambda row: row[:2],
)


def distance(pairs, source, target, direction):
    """The number of references between two articles, by Floyd and Warshall."""
    steps = {(a, b) for a, b in pairs if direction != "incoming"} | {
        (b, a) for a, b in pairs if direction != "outgoing"
    }
    names = [str(number) for number in range(8)]
    length = {(a, b): 0 if a == b else 1 if (a, b) in steps else math.inf for a in names for b in names}
    for via in names:
        for a in names:
            for b in names:
                length[a, b] = min(length[a, b], length[a, via] + length[via, b])
    return length[source, target]


def plainly(pairs, rows, decay, depth, direction, combine):
    scores = {}
    for qid in {row[0] for row in rows}:
        own = {docno: score for other, docno, score in rows if other == qid}
        for target in map(str, range(8)):
            offers = []
            for source, score in own.items():
                d = distance(pairs, source, target, direction)
                if source != target and d <= depth and not math.isnan(score) and (combine == "max" or score > 0):
                    offers.append(score * decay**d if score > 0 else score / decay**d)
            if target in own:
                if math.isnan(own[target]):
                    scores[qid, target] = None
                elif combine == "sum":
                    scores[qid, target] = own[target] + sum(offers)
                else:
                    scores[qid, target] = max([own[target], *offers])
            elif offers:
                scores[qid, target] = sum(offers) if combine == "sum" else max(offers)
    return scores


@pytest.mark.slow
@settings(max_examples=80)
@given(
    graphs,
    rows,
    st.sampled_from([0.25, 0.5, 1.0]),
    st.integers(1, 4),
    st.sampled_from(["outgoing", "incoming", "both"]),
    st.sampled_from(["max", "sum"]),
)
def test_any_results_are_expanded_as_plain_python_does(pairs, rows, decay, depth, direction, combine):
    if combine == "sum":
        rows = [(qid, docno, abs(score)) for qid, docno, score in rows]
    expansion = ReferenceExpansion(graph(*pairs), decay=decay, depth=depth, direction=direction, combine=combine)
    found = expansion(run(*rows))
    scores = {(qid, docno): None if math.isnan(score) else score for qid, docno, score, _ in answers(found)}
    assert len(scores) == len(found)
    expected = plainly(pairs, rows, decay, depth, direction, combine)
    assert scores.keys() == expected.keys()
    assert {pair for pair, score in scores.items() if score is None} == {p for p, s in expected.items() if s is None}
    known = [pair for pair, score in scores.items() if score is not None]
    assert [scores[pair] for pair in known] == pytest.approx([expected[pair] for pair in known])
    assert list(dict.fromkeys(found["qid"])) == list(dict.fromkeys(row[0] for row in rows))


# --- on the sample ---------------------------------------------------------------------------------


def test_it_takes_the_graph_of_a_dataset():
    given_graph = ReferenceExpansion(article_references(TASK3))
    bm25 = LexicalIndex.from_dataset(TASK3).bm25(num_results=5)
    topics = pt.get_dataset(f"irds:{TASK3}").get_topics()
    expanded = (bm25 >> ReferenceExpansion(TASK3))(topics)
    pd.testing.assert_frame_equal(expanded, (bm25 >> given_graph)(topics))
    assert len(expanded) > 5 * len(topics)
