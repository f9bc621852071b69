"""Shared terms: the table adds up to the score, which is that of the baseline `bm25`."""

import pytest

from ir_coliee.analysis import evaluate
from ir_coliee.analysis.evidence import Pair, shared_terms
from ir_coliee.baselines.bm25 import bm25_ranker
from ir_coliee.baselines.training import topics
from ir_coliee.editions import as_split


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dataset", "least"),
    [
        ("coliee/task1/sample/test", 5),
        ("coliee/task2/sample/test", 10),
        ("coliee/task3/sample/en/test", 30),
        ("coliee/task3/sample/ja/test", 30),
    ],
)
def test_the_table_adds_up_to_the_score_of_the_baseline(dataset, least):
    split = as_split(dataset)
    ranking = bm25_ranker(split)(topics(split)).groupby("qid").head(9)
    runs = evaluate(dataset, {"bm25": ranking})
    assert len(ranking) >= least
    for row in ranking.itertuples():
        evidence = shared_terms(Pair.of(runs, row.qid, row.docno))
        assert evidence.facts["score"] == pytest.approx(row.score, abs=1e-9)
        assert evidence.table["contribution"].sum() == pytest.approx(row.score, abs=1e-9)
        assert len(evidence.table) <= 11


def test_what_is_not_among_the_first_ten_terms_is_one_row():
    runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 1.0}}})
    table = shared_terms(Pair.of(runs, "900656", "900557")).table
    retriever = Pair.of(runs, "900656", "900557").bm25
    parts = retriever.explain(runs.queries["900656"].case, "900557")
    assert table["term"].iloc[-1] == f"{len(parts) - 10} other terms"
    assert table["term"].iloc[:-1].tolist() == parts["term"].iloc[:10].tolist()
    assert table["contribution"].iloc[-1] == pytest.approx(parts["contribution"].iloc[10:].sum())
    assert table["df"].isna().tolist() == [False] * 10 + [True]


def test_the_note_names_the_statistics():
    runs = evaluate("coliee/task2/sample/test", {"mine": {"900009": {"900009_003": 1.0}}})
    (note,) = shared_terms(Pair.of(runs, "900009", "900009_003")).notes
    assert note.endswith("BM25() with the statistics of the query's candidates; a system need not have used it.")
