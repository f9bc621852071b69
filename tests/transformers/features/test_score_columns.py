"""Candidates of several pipelines with all their scores."""

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import DropSelf, LexicalIndex, TopK
from ir_coliee.transformers.features import ScoreColumns

TEXTS = {
    "d1": "a lamp at the gate",
    "d2": "a lamp a lamp",
    "d3": "the gate the gate the gate",
    "d4": "road and well",
    "d5": "a well at the road",
}
INDEX = LexicalIndex.build([{"docno": docno, "text": text} for docno, text in TEXTS.items()])
QUERIES = pd.DataFrame({"qid": ["1", "2"], "query": ["a lamp at the gate", "well and road"]})


def plain(pipelines, queries, num_results, filtered=()):
    """Rows (qid, docno, a score for each pipeline, sum), by asking for every document one by one."""
    rows = []
    for qid, query in zip(queries.qid, queries["query"]):
        runs = {name: pipeline(queries[queries.qid == qid]) for name, pipeline in pipelines.items()}
        found = {docno for run in runs.values() for docno in run.docno[:num_results]}
        table = {
            docno: {
                name: pipeline(pd.DataFrame({"qid": [qid], "query": query, "docno": docno})).score[0]
                for name, pipeline in pipelines.items()
            }
            for docno in found
        }
        best = {name: max(scores[name] for scores in table.values()) for name in pipelines}
        sums = {
            docno: sum(scores[name] / best[name] for name in pipelines if best[name] > 0)
            for docno, scores in table.items()
        }
        order = sorted(found, key=lambda docno: (-sums[docno], docno))[:num_results]
        rows += [(qid, docno, *table[docno].values(), sums[docno]) for docno in order]
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("num_results", [1, 2, 3, 80])
@pytest.mark.parametrize("depth", [1, 2, 1000])
def test_every_candidate_has_the_exact_score_of_every_pipeline(num_results, depth):
    pipelines = {
        "bm25": INDEX.bm25(k1=3.0, b=1.0, num_results=depth),
        "shared": INDEX.shared_idf(num_results=depth),
        "sets": INDEX.tf_idf(tf="binary", num_results=depth),
    }
    found = ScoreColumns(pipelines, num_results)(QUERIES)
    expected = plain(pipelines, QUERIES, num_results)
    assert list(zip(found.qid, found.docno)) == [row[:2] for row in expected]
    for column, name in enumerate([*pipelines, "score"], start=2):
        assert found[name].tolist() == pytest.approx([row[column] for row in expected])
    assert found.groupby("qid")["rank"].agg(list).tolist() == [
        list(range(len(rows))) for rows in found.groupby("qid")["docno"].agg(list)
    ]


def test_results_are_scored_anew_and_keep_their_columns():
    given = pd.DataFrame({"qid": "1", "query": "lamp", "docno": ["d4", "d1"], "score": 9.0, "note": ["x", "y"]})
    pipelines = {"bm25": INDEX.bm25(), "shared": INDEX.shared_idf()}
    found = ScoreColumns(pipelines)(given)
    assert found[["docno", "note"]].to_numpy().tolist() == [["d1", "y"], ["d4", "x"]]
    assert found.score.tolist() == [2.0, 0.0]
    stale = ScoreColumns(pipelines)(given.assign(bm25=7.0))
    assert stale.bm25.tolist() == found.bm25.tolist()


def test_a_filter_in_a_pipeline_decides_who_is_the_best():
    queries = pd.DataFrame({"qid": ["d1"], "query": [TEXTS["d1"]]})
    found = ScoreColumns({"bm25": INDEX.bm25() >> DropSelf()})(queries)
    assert "d1" not in set(found.docno)
    assert found.score[0] == 1.0


def test_a_pair_that_a_pipeline_leaves_out_scores_as_its_lowest():
    never = pt.apply.generic(lambda run: run[run.docno != "d2"])
    given = pd.DataFrame({"qid": "1", "query": "a lamp", "docno": ["d1", "d2", "d5"]})
    found = ScoreColumns({"bm25": INDEX.bm25(), "some": INDEX.bm25() >> never})(given).set_index("docno")
    assert found.some["d2"] == found.some["d5"] < found.some["d1"]
    nothing = pt.apply.generic(lambda run: run[run.docno == "zz"])
    assert set(ScoreColumns({"none": INDEX.bm25() >> nothing})(given).none) == {0.0}


def test_a_pipeline_that_cuts_is_asked_again():
    given = pd.DataFrame({"qid": "1", "query": "a lamp at the gate", "docno": list(TEXTS)})
    whole, cut = ScoreColumns({"s": INDEX.bm25()})(given), ScoreColumns({"s": INDEX.bm25() >> TopK(1)})(given)
    assert cut.s.tolist() == whole.s.tolist()


def test_a_rewritten_query_stays_in_its_pipeline():
    first = pt.apply.query(lambda row: row["query"].split()[-1])
    found = ScoreColumns({"all": INDEX.bm25(), "last": first >> INDEX.bm25()})(QUERIES)
    assert set(found.columns) == {"qid", "query", "docno", "all", "last", "score", "rank"}
    assert set(found["query"]) == set(QUERIES["query"])


def test_a_pipeline_without_scores_is_named():
    with pytest.raises(ColieeError, match="'odd' must return the column 'score'"):
        ScoreColumns({"odd": pt.apply.generic(lambda run: run.assign(docno="d1"))})(QUERIES)


@pytest.mark.parametrize(
    ("pipelines", "problem"), [({}, "at least one pipeline"), ({"docno": INDEX.bm25()}, "column of results")]
)
def test_names_of_columns_are_refused(pipelines, problem):
    with pytest.raises(ValueError, match=problem):
        ScoreColumns(pipelines)


def test_its_pipelines_are_seen_by_pyterrier_and_run_in_an_experiment():
    scores = ScoreColumns({"bm25": INDEX.bm25(), "shared": INDEX.shared_idf()})
    assert list(pt.inspect.subtransformers(scores)) == ["bm25", "shared"]
    qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["d1", "d5"], "label": 1})
    table = pt.Experiment([scores % 1, scores % 2], QUERIES, qrels, ["recip_rank"], plan="tree")
    assert table["recip_rank"].tolist() == pytest.approx([0.5, 0.75])


def test_a_candidate_is_among_the_best_of_one_pipeline_at_least():
    def fixed(scores):
        def run(inp):
            docnos = inp["docno"] if "docno" in inp.columns else pd.Series([*scores])
            return pd.DataFrame({"qid": "1", "docno": docnos, "score": docnos.map(scores).astype(float)})

        return pt.apply.generic(run)

    pipelines = {"one": fixed({"a": 10, "x": 9, "b": 0}), "other": fixed({"b": 10, "x": 9, "a": 1})}
    queries = pd.DataFrame({"qid": ["1"], "query": "lamp"})
    assert ScoreColumns(pipelines, 1)(queries).docno.tolist() == ["a"]
    assert ScoreColumns(pipelines, 2)(queries).docno.tolist() == ["x", "a"]


def returning(*rows):
    results = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    return pt.apply.generic(lambda _: results)


def test_results_of_a_query_that_was_not_asked_are_refused():
    with pytest.raises(ColieeError, match="query 9, which is not in its input"):
        ScoreColumns({"one": returning(("1", "d1", 2.0), ("9", "d2", 1.0))})(QUERIES)


@pytest.mark.parametrize("score", [float("inf"), float("-inf")])
def test_an_infinite_score_counts_as_the_lowest(score):
    found = ScoreColumns({"one": returning(("1", "d1", score), ("1", "d2", 4.0), ("1", "d3", 2.0))})(QUERIES)
    assert dict(zip(found.docno, found.score)) == {"d2": 1.0, "d1": 0.5, "d3": 0.5}
