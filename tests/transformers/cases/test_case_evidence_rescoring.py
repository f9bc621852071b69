"""Retrievers by case evidence as rerankers, as columns of scores, and with unusual frames."""

import warnings

import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.transformers import (
    CitedYearRetriever,
    CitingContextRetriever,
    ExclusiveSharingRetriever,
    JudgeMentionRetriever,
    LatentSemanticRetriever,
    NameRetriever,
    PoolFeatures,
    ScoreColumns,
    ScoreFeatures,
)

# few texts share a rare name
pytestmark = pytest.mark.filterwarnings("ignore:.*and get no result:ir_coliee.errors.ColieeWarning")

TEST = "coliee/task1/2025/test"
MARKER = "<FRAGMENT_SUPPRESSED>"
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
KINDS = [
    CitingContextRetriever,
    LatentSemanticRetriever,
    NameRetriever,
    JudgeMentionRetriever,
    CitedYearRetriever,
    ExclusiveSharingRetriever,
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
CASES = pd.DataFrame(
    {"qid": ["900001", "q"], "query": [QUERY, f"Kestry, {MARKER} (1998), by Justice Odd: a brass lamp must burn."]}
)
PAIRS = CASES.merge(pd.DataFrame({"docno": [*DECISIONS]}), how="cross")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    folder = tmp_path / "task1_test_files_2025"
    folder.mkdir()
    for name, text in (DECISIONS | FILLER).items():
        (folder / f"{name}.txt").write_text(text)


def scores_of(results):
    return {(qid, docno): score for qid, docno, score in zip(results["qid"], results["docno"], results["score"])}


@every_kind
def test_pairs_have_their_scores_of_retrieval_and_0_if_they_are_not_retrieved(kind):
    found = scores_of(kind(TEST)(CASES))
    rescored = kind(TEST)(PAIRS.sample(frac=1, random_state=0))
    assert {qid for qid, _ in found} >= {"900001"}
    assert scores_of(rescored) == {pair: found.get(pair, 0.0) for pair in zip(PAIRS["qid"], PAIRS["docno"])}
    assert ("900001", "900001") not in found
    for _, rows in rescored.groupby("qid"):
        assert [*zip(-rows["score"], rows["docno"])] == sorted(zip(-rows["score"], rows["docno"]))
        assert rows["rank"].tolist() == list(range(len(DECISIONS)))


@every_kind
def test_it_is_a_column_of_scores_and_of_features(kind):
    everything = pt.Transformer.from_df(PAIRS.assign(score=1.0), uniform=True)
    columns = ScoreColumns({"all": everything, "evidence": kind(TEST)}, 50)
    features = (columns >> ScoreFeatures(["evidence"]) >> PoolFeatures(["evidence"]))(CASES)
    found = scores_of(kind(TEST)(CASES))
    pairs = [*zip(features["qid"], features["docno"])]
    assert {*pairs} == {*zip(PAIRS["qid"], PAIRS["docno"]), *found}
    assert features["evidence"].tolist() == [found.get(pair, 0.0) for pair in pairs]
    assert {len(values) for values in features["features"]} == {8}


def test_columns_of_given_results_are_computed_from_all_queries_at_once():
    documents = CitingContextRetriever(TEST, aggregate="document")
    alone = documents(PAIRS[PAIRS["qid"] == "q"])
    found = ScoreColumns({"documents": documents})(PAIRS)
    assert dict(zip(zip(found["qid"], found["docno"]), found["documents"])) == scores_of(documents(PAIRS))
    assert not scores_of(alone).items() <= scores_of(documents(PAIRS)).items()


@every_kind
def test_a_rank_cutoff_behind_rescoring_cuts(kind):
    pipeline = pt.Transformer.from_df(PAIRS.assign(score=1.0), uniform=True) >> kind(TEST) % 2
    for transformer in (pipeline, pipeline.compile()):
        assert transformer(CASES).groupby("qid").size().tolist() == [2, 2]


def test_other_columns_are_kept_and_scores_replaced():
    given = PAIRS[:3].assign(score=7.0, rank=[0, 1, 2], note=["a", "b", "c"])
    results = JudgeMentionRetriever(TEST)(given)
    assert {*results.columns} == {"qid", "query", "docno", "score", "rank", "note"}
    assert results[["docno", "score", "note"]].to_numpy().tolist() == [
        ["900002", 1.0, "b"],
        ["900003", 1.0, "c"],
        ["900001", 0.0, "a"],
    ]


def test_rows_given_twice_come_back_twice_and_the_first_text_of_a_query_counts():
    given = pd.concat([PAIRS[1:2], PAIRS[1:2], PAIRS[2:3].assign(query="nothing")])
    assert JudgeMentionRetriever(TEST)(given)["score"].tolist() == [1.0, 1.0, 1.0]
    repeated = pd.concat([CASES[:1], CASES[:1].assign(query="nothing")])
    pd.testing.assert_frame_equal(JudgeMentionRetriever(TEST)(repeated), JudgeMentionRetriever(TEST)(CASES[:1]))


@every_kind
def test_an_empty_frame_computes_nothing(kind, monkeypatch):
    monkeypatch.setattr(kind, "scores", None)
    for empty in (CASES[:0], PAIRS[:0]):
        results = kind(TEST)(empty)
        assert results.empty
        assert {*results.columns} == {"qid", "query", "docno", "score", "rank"}
        assert (results["score"].dtype, results["rank"].dtype) == ("float64", "int64")


@every_kind
def test_all_files_of_a_text_are_found_however_many_results_are_asked_for(kind):
    scores = scores_of(kind(TEST, num_results=10**6)(CASES[:1]))
    assert scores.get(("900001", "900003")) == scores.get(("900001", "900004"))


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (CitingContextRetriever, "have no suppressed citation"),
        (LatentSemanticRetriever, "have no suppressed citation"),
        (NameRetriever, "mention no rare name of a decision"),
        (JudgeMentionRetriever, "name no judge of a decision"),
        (CitedYearRetriever, "have no year of a decision near a suppressed citation"),
        (ExclusiveSharingRetriever, "share nothing rare with a decision"),
    ],
)
def test_queries_without_result_are_counted_when_retrieving_alone(kind, reason):
    plain = CASES.assign(query=[QUERY, "unheard words"])
    with pytest.warns(ColieeWarning, match=rf"^1 of 2 queries {reason}.* and get no result: q\.") as seen:
        assert {*kind(TEST)(plain)["qid"]} == {"900001"}
    assert [warning.filename for warning in seen] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind(TEST)(PAIRS.assign(query="unheard words"))


def test_a_document_of_another_split_and_a_missing_text_are_named():
    with pytest.raises(ColieeError, match=f"document 900099 is not in {TEST}"):
        NameRetriever(TEST)(PAIRS.assign(docno="900099"))
    for frame in (CASES, PAIRS):
        with pytest.raises(ColieeError, match="Query q: query must be a string, got a value of type"):
            NameRetriever(TEST)(frame.assign(query=frame["query"].where(frame["qid"] != "q")))
