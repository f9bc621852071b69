"""Retrieval by each kind of evidence, as retriever, reranker and column of scores."""

import warnings

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from fixture_releases import write_task1

from ir_coliee.engine.cases.scores import EVIDENCE, Evidence
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.transformers import CaseRetriever

# few texts share a rare name
pytestmark = pytest.mark.filterwarnings("ignore:.*get no result by:ir_coliee.errors.ColieeWarning")

TEST = "coliee/task1/2025/test"
SAMPLE = "coliee/task1/sample/test"
MARKER = "<FRAGMENT_SUPPRESSED>"


def scores_of(results):
    return {(qid, docno): score for qid, docno, score in zip(results["qid"], results["docno"], results["score"])}


# --- one score function of the user's own ------------------------------------------------------------

LAMPS = {
    "900001": "lamp lamp lamp",
    "900002": "gate",
    "900003": "Lamp, lamp, lamp",
    "900004": "lamp",
    "900005": "lamp well",
}


def num_lamps(pool):
    """Score a text by the number of lamps, if the query has one."""
    sequences = pool.sequences
    lamps = np.array(sequences.vocabulary, object)[sequences.tokens] == "lamp"
    counts = np.array([lamps[a:b].sum() for a, b in zip(sequences.bounds, sequences.bounds[1:])])
    assert sorted(pool.texts) == [0, 1, 2, 3]  # each distinct text of the documents once
    return ((counts[pool.queries][:, None] > 0) * counts[pool.texts]).astype(np.float32)


@pytest.fixture
def lamps(home, monkeypatch):
    write_task1(home, LAMPS)
    monkeypatch.setitem(EVIDENCE, "own.lamps", Evidence(num_lamps, "number of lamps"))
    return CaseRetriever(TEST, "own.lamps")


def found(retriever, **queries):
    results = retriever(pd.DataFrame({"qid": [*queries], "query": [*queries.values()]}))
    return [*results[["qid", "docno", "score", "rank"]].itertuples(index=False, name=None)]


def test_the_best_files_of_each_query_are_returned_but_its_own(lamps):
    queries = {"900004": "lamp", "900001": LAMPS["900001"], "q": "another lamp", "none": "a gate"}
    with pytest.warns(ColieeWarning, match="1 of 4 queries get no result by own.lamps: none"):
        results = found(lamps, **queries)
    assert results == [
        ("900004", "900001", 3.0, 0),
        ("900004", "900003", 3.0, 1),
        ("900004", "900005", 1.0, 2),
        ("900001", "900003", 3.0, 0),
        ("900001", "900004", 1.0, 1),
        ("900001", "900005", 1.0, 2),
        ("q", "900001", 3.0, 0),
        ("q", "900003", 3.0, 1),
        ("q", "900004", 1.0, 2),
        ("q", "900005", 1.0, 3),
    ]
    assert [row[1] for row in found(lamps % 2, q="lamp")] == ["900001", "900003"]


# --- each kind of evidence ---------------------------------------------------------------------------

QUERY = (
    f"Karu, J.\nMay 1, 2015.\n[1]\nKestry v. Tammsaare, {MARKER} (1998): the brass lamp must burn until dusk."
    "\n[2]\nJustice Odd decided it."
)
DECISIONS = {
    "900001": QUERY,
    "900002": "Odd, J.\nMay 1, 1998.\n[1]\nKestry asks.\n[2]\nThe brass lamp must burn until dusk.",
    "900003": "Odd, J.\nMay 1, 1998.\n[1]\nTammsaare asks for a lamp.",
    "900004": "Odd, J.\nMay 1, 1998.\n[1]\nTammsaare asks for a lamp.",
    "900005": "Vares, J.\nMay 1, 2003.\n[1]\nNothing of it is here.",
}
FILLER = {f"91{number:04}": f"[1]\nNumber {number} is grey." for number in range(20)}
every_kind = pytest.mark.parametrize("name", [*EVIDENCE])
CASES = pd.DataFrame(
    {"qid": ["900001", "q"], "query": [QUERY, f"Kestry, {MARKER} (1998), by Justice Odd: a brass lamp must burn."]}
)
PAIRS = CASES.merge(pd.DataFrame({"docno": [*DECISIONS]}), how="cross")


@pytest.fixture
def release(home):
    write_task1(home, DECISIONS | FILLER)


@every_kind
def test_pairs_have_their_scores_of_retrieval_and_0_if_they_are_not_retrieved(release, name):
    found = scores_of(CaseRetriever(TEST, name)(CASES))
    rescored = CaseRetriever(TEST, name)(PAIRS.sample(frac=1, random_state=0))
    assert {qid for qid, _ in found} >= {"900001"}
    assert scores_of(rescored) == {pair: found.get(pair, 0.0) for pair in zip(PAIRS["qid"], PAIRS["docno"])}
    assert ("900001", "900001") not in found
    for _, rows in rescored.groupby("qid"):
        assert [*zip(-rows["score"], rows["docno"])] == sorted(zip(-rows["score"], rows["docno"]))
        assert rows["rank"].tolist() == list(range(len(DECISIONS)))


def test_rows_given_twice_come_back_twice_and_the_first_text_of_a_query_counts(release):
    given = pd.concat([PAIRS[1:2], PAIRS[1:2], PAIRS[2:3].assign(query="nothing")])
    assert CaseRetriever(TEST, "name.judge")(given)["score"].tolist() == [1.0, 1.0, 1.0]
    repeated = pd.concat([CASES[:1], CASES[:1].assign(query="nothing")])
    pd.testing.assert_frame_equal(
        CaseRetriever(TEST, "name.judge")(repeated), CaseRetriever(TEST, "name.judge")(CASES[:1])
    )


@every_kind
def test_an_empty_frame_computes_nothing(release, name, monkeypatch):
    monkeypatch.setitem(EVIDENCE, name, None)
    for empty in (CASES[:0], PAIRS[:0]):
        results = CaseRetriever(TEST, name)(empty)
        assert results.empty
        assert {*results.columns} == {"qid", "query", "docno", "score", "rank"}
        assert (results["score"].dtype, results["rank"].dtype) == ("float64", "int64")


@pytest.mark.parametrize("name", ["context.reciprocal_rank", "exclusive.words", "name.judge", "year.near_citation"])
def test_queries_without_result_are_counted_when_retrieving_alone(release, name):
    plain = CASES.assign(query=[QUERY, "unheard words"])
    with pytest.warns(ColieeWarning, match=rf"^1 of 2 queries get no result by {name}: q\.") as seen:
        assert {*CaseRetriever(TEST, name)(plain)["qid"]} == {"900001"}
    assert [warning.filename for warning in seen] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CaseRetriever(TEST, name)(PAIRS.assign(query="unheard words"))


def test_a_document_of_another_split_and_a_missing_text_are_named(release):
    with pytest.raises(ColieeError, match=f"Document 900099 is not in {TEST}"):
        CaseRetriever(TEST, "name.in_head")(PAIRS.assign(docno="900099"))
    for frame in (CASES, PAIRS):
        with pytest.raises(ColieeError, match="Query q: query must be a string, got a value of type"):
            CaseRetriever(TEST, "name.in_head")(frame.assign(query=frame["query"].where(frame["qid"] != "q")))


# --- planted evidence --------------------------------------------------------------------------------


def test_latent_scores_do_not_depend_on_the_order_of_the_queries():
    topics = pt.get_dataset(f"irds:{SAMPLE}").get_topics()
    retriever = CaseRetriever(SAMPLE, "latent.reciprocal_rank")
    new = topics.assign(qid="q" + topics["qid"], query=topics["query"] + " Other lamps.")  # texts that no document has
    both = pd.concat([topics, new], ignore_index=True)
    first, other = (
        retriever(queries).set_index(["qid", "docno"])["score"].sort_index()
        for queries in (both, both.sample(frac=1, random_state=3))
    )
    assert len(first) > 100
    assert first.index.equals(other.index)
    assert (first - other).abs().max() <= 1e-6
