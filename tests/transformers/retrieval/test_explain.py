"""`Retriever.explain`: the terms of a score, as a frame."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.engine.weightings import BM25, Dirichlet, JelinekMercer, SharedIdf, TfIdf
from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import Shingles
from ir_coliee.transformers import LexicalIndex, ParagraphRetriever, Retriever
from ir_coliee.transformers.retrieval.dask import ShardedIndex
from ir_coliee.transformers.retrieval.paragraphs import paragraph_corpus

WORDS = [f"w{number}" for number in range(40)]


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(3)
    rates = 1 / np.arange(1, 41)
    texts = [" ".join(rng.choice(WORDS, rng.integers(1, 60), p=rates / rates.sum())) for _ in range(50)]
    return [{"docno": f"d{number:02d}", "text": text} for number, text in enumerate([*texts, ""])]


@pytest.fixture(scope="module")
def pairs(corpus):
    """60 pairs: queries as text, as weights and as documents, and 5 documents each."""
    rng = np.random.default_rng(5)
    rows = []
    for query in range(12):
        text = " ".join(rng.choice([*WORDS, "unknown"], 12))
        weights = {word: float(rng.uniform(0.1, 9)) for word in rng.choice(WORDS, 6, replace=False)}
        row = {"qid": str(query), "query": text, "query_toks": weights, "query_docno": f"d{query:02d}"}
        rows += [{**row, "docno": f"d{number:02d}"} for number in rng.choice(51, 5, replace=False)]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    "weighting",
    [BM25(k1=3.0, b=1.0), BM25(k3=5.0, idf="robertson"), Dirichlet(), JelinekMercer(), TfIdf(), SharedIdf()],
    ids=repr,
)
@pytest.mark.parametrize("statistics", ["collection", "pool"])
def test_contributions_add_up_to_the_scores(corpus, pairs, weighting, statistics):
    retriever = Retriever(LexicalIndex.build(corpus), weighting, statistics=statistics)
    pools = pairs.groupby("qid")["docno"].agg(list)
    columns = ["query", "query_toks", "query_docno"]
    for number, column in enumerate(columns):
        scored = retriever(pairs[["qid", column, "docno"]]).iloc[number::3]
        assert len(scored) == 20
        for _, row in scored.iterrows():
            parts = retriever.explain(row, row["docno"], pool=pools[row["qid"]])
            assert parts["contribution"].sum() == pytest.approx(row["score"], abs=1e-9)


def test_terms_are_named_and_sorted_by_their_contribution():
    corpus = [{"docno": "1", "text": "a lamp, a lamp"}, {"docno": "2", "text": "a gate"}, {"docno": "3", "text": "a"}]
    parts = LexicalIndex.build(corpus).bm25().explain("a lamp a gate", "1")
    assert parts[["term", "query_tf", "document_tf", "df"]].to_numpy().tolist() == [["lamp", 1, 2, 1], ["a", 2, 2, 3]]
    assert parts["contribution"].is_monotonic_decreasing


def test_hashed_shingles_are_named_by_their_words_where_these_are_known():
    corpus = [{"docno": str(number), "text": "a lamp at the gate"} for number in range(2)]
    retriever = LexicalIndex.build(corpus, analyser=Shingles(3)).bm25()
    assert sorted(retriever.explain("lamp at the gate", "1")["term"]) == ["at the gate", "lamp at the"]
    by_docno = retriever.explain({"query_docno": "0"}, "1")
    assert by_docno["term"].str.fullmatch("[0-9a-f]{16}").all()
    assert len(by_docno) == 3


def test_shards_explain_as_one_index_does(corpus, tmp_path):
    shards = ShardedIndex.build(corpus, tmp_path / "shards", documents_per_shard=20)
    whole, sharded = LexicalIndex.build(corpus).bm25(), shards.bm25()
    for query in ("w1 w7 w7 w30", {"query_docno": "d03"}, {"query_toks": {"w2": 0.5}}):
        pd.testing.assert_frame_equal(whole.explain(query, "d40"), sharded.explain(query, "d40"))


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        ({"text": "w1"}, {}, "A query needs one of the columns query_toks, query_docno, query"),
        ({"query": None}, {}, "query must be a string"),
        ("w1", {"docno": "d99"}, "Document d99 is not in"),
        ({"query_docno": "d98"}, {}, "Document d98 is not in"),
        *(("w1", {"pool": pool}, "pool must be the candidates of the query with d01") for pool in (None, [], ["d02"])),
    ],
)
def test_what_cannot_be_explained(corpus, query, options, message):
    with pytest.raises(ColieeError, match=message):
        LexicalIndex.build(corpus).bm25(statistics="pool" if "pool" in options else "collection").explain(
            query, **{"docno": "d01", **options}
        )


def test_a_paragraph_retriever_explains_the_score_of_a_paragraph():
    index = LexicalIndex.build(paragraph_corpus([{"docno": "900001", "text": "[1]\nA lamp.\n[2]\nA gate."}]))
    retriever = ParagraphRetriever(index)
    with pytest.raises(ColieeError, match="Document 900001 is not in"):
        retriever.explain("lamp", "900001")
    scored = retriever.search("lamp")["score"].iloc[0]
    assert retriever.explain("lamp", "900001%p1")["contribution"].sum() == pytest.approx(scored)
