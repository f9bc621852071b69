"""Candidates of several pipelines with all their scores."""

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import LexicalIndex, ScoreColumns, TopK

TEXTS = ["a lamp at the gate", "a lamp a lamp", "the gate the gate the gate", "road and well", "a well at the road"]
INDEX = LexicalIndex.build([{"docno": f"d{number}", "text": text} for number, text in enumerate(TEXTS, 1)])
QUERIES = pd.DataFrame({"qid": ["1", "2"], "query": ["a lamp at the gate", "well and road"]})


def plain(pipelines, queries, num_results):
    """Rows (qid, docno, a score for each pipeline, sum), by asking for every document one by one."""
    rows = []
    for qid, query in zip(queries.qid, queries["query"]):
        asked = pd.DataFrame({"qid": [qid], "query": query})
        found = {docno for pipeline in pipelines.values() for docno in pipeline(asked).docno[:num_results]}
        table = {d: [pipeline(asked.assign(docno=d)).score[0] for pipeline in pipelines.values()] for d in found}
        best = [max(scores) for scores in zip(*table.values())]
        sums = {d: sum(score / most for score, most in zip(table[d], best) if most > 0) for d in found}
        order = sorted(found, key=lambda docno: (-sums[docno], docno))[:num_results]
        rows += [(qid, docno, *table[docno], sums[docno]) for docno in order]
    return rows


@pytest.mark.parametrize(("num_results", "depth"), [(1, 1), (2, 1), (2, 1000), (80, 2)])
def test_every_candidate_has_the_exact_score_of_every_pipeline(num_results, depth):
    pipelines = {
        "bm25": INDEX.bm25(k1=3.0, b=1.0, num_results=depth),
        "shared": INDEX.shared_idf(num_results=depth),
        "sets": INDEX.tf_idf(tf="binary", num_results=depth),
    }
    found = ScoreColumns(pipelines, num_results)(QUERIES)
    expected = pd.DataFrame(plain(pipelines, QUERIES, num_results), columns=["qid", "docno", *pipelines, "score"])
    pd.testing.assert_frame_equal(found[[*expected]], expected, check_dtype=False)


def test_results_are_scored_anew_and_keep_their_columns():
    given = pd.DataFrame({"qid": "1", "query": "lamp", "docno": ["d4", "d1"], "score": 9.0, "note": ["x", "y"]})
    found = ScoreColumns({"bm25": INDEX.bm25(), "shared": INDEX.shared_idf()})(given.assign(bm25=7.0))
    assert found[["docno", "note", "score"]].to_numpy().tolist() == [["d1", "y", 2.0], ["d4", "x", 0.0]]


def test_a_pair_that_a_pipeline_leaves_out_has_its_lowest_score():
    never = pt.apply.generic(lambda run: run[run.docno != "d2"])
    given = pd.DataFrame({"qid": "1", "query": "a lamp", "docno": ["d1", "d2", "d5"]})
    nothing = pt.apply.generic(lambda run: run[run.docno == "zz"])
    pipelines = {"some": INDEX.bm25() >> never, "none": INDEX.bm25() >> nothing, "cut": INDEX.bm25() >> TopK(1)}
    found = ScoreColumns(pipelines)(given).set_index("docno")
    assert found.some["d2"] == found.some["d5"] < found.some["d1"]
    assert set(found.none) == {0.0}
    whole = ScoreColumns({"cut": INDEX.bm25()})(given).set_index("docno")
    assert found.cut.to_dict() == whole.cut.to_dict()  # a pipeline that cuts is run again


def test_a_rewritten_query_stays_in_its_pipeline():
    first = pt.apply.query(lambda row: row["query"].split()[-1])
    found = ScoreColumns({"all": INDEX.bm25(), "last": first >> INDEX.bm25()})(QUERIES)
    assert set(found.columns) == {"qid", "query", "docno", "all", "last", "score", "rank"}
    assert set(found["query"]) == set(QUERIES["query"])


def returning(*rows):
    results = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    return pt.apply.generic(lambda _: results)


@pytest.mark.parametrize("score", [float("inf"), float("-inf")])
def test_an_infinite_score_counts_as_the_lowest(score):
    found = ScoreColumns({"one": returning(("1", "d1", score), ("1", "d2", 4.0), ("1", "d3", 2.0))})(QUERIES)
    assert dict(zip(found.docno, found.score)) == {"d2": 1.0, "d1": 0.5, "d3": 0.5}


@pytest.mark.parametrize(
    ("pipelines", "problem"),
    [
        ({}, "at least one pipeline"),
        ({"docno": INDEX.bm25()}, "column of results, got 'docno'"),
        ({"odd": pt.apply.generic(lambda run: run.assign(docno="d1"))}, "'odd' must return the column 'score'"),
        ({"one": returning(("1", "d1", 2.0), ("9", "d2", 1.0))}, "query 9, which is not in its input"),
    ],
)
def test_pipelines_without_names_scores_or_queries_of_the_input_are_refused(pipelines, problem):
    with pytest.raises((ValueError, ColieeError), match=problem):
        ScoreColumns(pipelines)(QUERIES)
