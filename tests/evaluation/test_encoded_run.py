import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee import frames
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.evaluation.cutoffs import encode_run
from ir_coliee.frames import sort_results


def results_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "score"]).astype({"score": float})


def qrels_of(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "label"])


RESULTS = results_of([("2", "x", 9.0), ("1", "a", 3.0), ("2", "c", 8.5), ("1", "b", 2.0), ("1", "x", 0.5)])
QRELS = qrels_of([("3", "d", 1), ("1", "a", 1), ("1", "x", 2), ("2", "c", 1), ("2", "e", 0)])

ids = st.tuples(st.sampled_from("54321"), st.sampled_from("abcdef"))
scores = st.one_of(st.sampled_from([0.0, 1.0, 2.0, math.nan, math.inf, -math.inf]), st.floats(-5, 5))
runs = st.lists(st.tuples(ids, scores), max_size=20)
gold = st.dictionaries(ids, st.integers(0, 2), max_size=12)


def test_a_run_becomes_its_scores_and_hits_by_query():
    encoded = encode_run(RESULTS, QRELS)
    assert encoded.queries == ["1", "2", "3"]
    assert encoded.scores.tolist() == [[3.0, 2.0, 0.5], [9.0, 8.5, -math.inf], [-math.inf] * 3]
    assert encoded.lengths.tolist() == [3, 2, 0]
    assert encoded.hits.tolist() == [[0, 1, 1, 2], [0, 0, 1, 1], [0, 0, 0, 0]]
    assert encoded.relevant.tolist() == [2, 1, 1]
    assert encoded.depth == 3


def expected_of(results, qrels, rel):
    """The same by dictionaries, a query at a time."""
    rows = {}
    for query in sorted(set(qrels["qid"])):
        wanted = {doc for q, doc, label in zip(*map(qrels.get, qrels)) if q == query and label >= rel}
        best_first = {}
        own = sort_results(results[results["qid"] == query])
        for doc, score in zip(own["docno"], own["score"]):
            best_first.setdefault(doc, -math.inf if math.isnan(score) else score)
        hits = [0]
        for doc in best_first:
            hits.append(hits[-1] + (doc in wanted))
        rows[query] = list(best_first.values()), hits, len(wanted)
    return rows


@pytest.mark.slow
@given(runs, gold, st.integers(1, 2), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=100)
def test_encoding_gives_what_dictionaries_give(rows, judged, rel, ordered, ranked, categorical):
    results = results_of([(*pair, score) for pair, score in rows])
    qrels = qrels_of([(*pair, label) for pair, label in judged.items()])
    if ranked:
        results["rank"] = range(len(results))
    if ordered:
        results = sort_results(results)
    expected = expected_of(results, qrels, rel)
    if categorical:
        results = results.astype({"qid": "category", "docno": "category"})
    encoded = encode_run(results, qrels, rel=rel)
    assert encoded.queries == list(expected)
    assert encoded.depth == max((len(scores) for scores, _, _ in expected.values()), default=0)
    for row, (own_scores, hits, relevant) in enumerate(expected.values()):
        padding = encoded.depth - len(own_scores)
        assert encoded.scores[row].tolist() == own_scores + [-math.inf] * padding
        assert encoded.hits[row].tolist() == hits + [hits[-1]] * padding
        assert (encoded.lengths[row], encoded.relevant[row]) == (len(own_scores), relevant)


def test_a_collection_too_large_for_a_table_gives_the_same(monkeypatch):
    twice = pd.concat([RESULTS, RESULTS])
    expected = encode_run(twice, QRELS)
    monkeypatch.setattr(frames, "_TABLE_SIZE", 0)
    for results in (RESULTS, twice):
        assert encode_run(results, QRELS).hits.tolist() == expected.hits.tolist()


def test_ids_of_another_type_are_warned_of():
    with pytest.warns(ColieeWarning, match="qids of the run are like"):
        encode_run(RESULTS.assign(qid=1), QRELS)


REFUSALS = [
    *((RESULTS.drop(columns=column), QRELS, f"run has no column '{column}'") for column in ("qid", "docno")),
    *((RESULTS, QRELS.drop(columns=column), f"qrels has no column '{column}'") for column in QRELS),
    (RESULTS.assign(score="high"), QRELS, "'score' of the run must be numbers"),
    (RESULTS, QRELS.assign(label="yes"), "'label' of the qrels must be numbers"),
    (RESULTS.assign(qid=["1", None, "1", "2", "2"]), QRELS, "row 1"),
    (RESULTS.assign(qid=["1", None, None, "2", "2"]).astype({"qid": "category"}), QRELS, "row 1"),
    (RESULTS, QRELS.assign(qid=["1", None, "1", "2", "2"]), "query id"),
]


@pytest.mark.parametrize(("results", "qrels", "problem"), REFUSALS)
def test_a_frame_that_lacks_a_column_an_id_or_a_number_is_refused(results, qrels, problem):
    with pytest.raises(ColieeError, match=problem):
        encode_run(results, qrels)
