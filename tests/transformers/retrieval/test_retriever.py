"""Retrieval and rescoring with every weighting, and the forms of a query."""

import functools
import pickle
from collections import Counter
from dataclasses import asdict

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import strategies as st
from rows import answers, topics

from ir_coliee.engine import weightings
from ir_coliee.engine.scoring import top_k
from ir_coliee.engine.weightings import document_weights as weights
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.transformers import LexicalIndex
from ir_coliee.transformers.retrieval import retriever as retrieval

DOCS = {"900003": "lamp gate lamp well", "900001": "gate gate", "900004": "", "900002": "well lamp gate road sea"}
METHODS = {
    "bm25": {"idf": "robertson", "k3": 8.0},
    "dirichlet": {"mu": 20.0},
    "jelinek_mercer": {"lambda_": 0.4},
    "tf_idf": {"tf": "count"},
    "shared_idf": {},
}
every_weighting = pytest.mark.parametrize("method", METHODS)


@functools.cache
def index():
    return LexicalIndex.build([{"docno": docno, "text": text} for docno, text in DOCS.items()])


def retriever(method, **parameters):
    return getattr(index(), method)(**{**METHODS[method], **parameters})


@every_weighting
@pytest.mark.parametrize("candidates", [{}, {"docno": ["900001", "900002", "900004"]}], ids=["all", "candidates"])
def test_a_query_as_text_as_tokens_and_as_a_document_gives_the_same(method, candidates):
    docnos = ["900003", "900002"]
    forms = {
        "query": [DOCS[docno] for docno in docnos],
        "query_toks": [dict(Counter(DOCS[docno].split())) for docno in docnos],
        "query_docno": docnos,
    }
    frames = [topics(column, *values) for column, values in forms.items()]
    frames = [frame.merge(pd.DataFrame(candidates), how="cross") if candidates else frame for frame in frames]
    by_text, *others = [answers(retriever(method)(frame)) for frame in frames]
    assert len(by_text) == 6
    assert others == [by_text, by_text]


def test_tokens_go_before_a_document_and_both_before_text():
    frame = topics("query", "sea").assign(query_docno="900001")
    assert len(retriever("shared_idf")(frame)) == 3
    frame["query_toks"] = [{"road": 1.0}]
    assert retriever("shared_idf")(frame)["docno"].tolist() == ["900002"]


def test_weights_of_tokens_are_kept_and_a_token_of_weight_zero_is_none():
    results = retriever("bm25", k3=None)(topics("query_toks", {"road": 1.0}, {"road": 0.25, "gate": 0.0}))
    assert results["score"].tolist() == pytest.approx([results["score"][0], results["score"][0] / 4])


@every_weighting
def test_a_query_without_a_known_term_is_counted_and_has_no_row(method):
    frame = topics("query", "unknown", "road", "")
    with pytest.warns(ColieeWarning, match="^2 of 3 queries have no term of the index and get no result: 1, 3"):
        results = retriever(method)(frame)
    assert results["qid"].tolist() == ["2"]


@pytest.mark.parametrize(
    ("method", "weighting"),
    [
        ("bm25", weightings.BM25(3.0, 1.0, 8.0, "robertson")),
        ("dirichlet", weightings.Dirichlet(20.0)),
        ("jelinek_mercer", weightings.JelinekMercer(0.4)),
        ("tf_idf", weightings.TfIdf("binary")),
        ("shared_idf", weightings.SharedIdf()),
    ],
)
def test_every_parameter_reaches_the_formula_and_the_scoring(monkeypatch, method, weighting):
    seen = []
    monkeypatch.setattr(retrieval, "document_weights", lambda *given: seen.append(given[0]) or weights(*given))
    monkeypatch.setattr(
        retrieval, "top_k", lambda *given, **told: seen.append(told["threads"]) or top_k(*given, **told)
    )
    getattr(index(), method)(**asdict(weighting), threads=2)(topics("query", "lamp"))
    assert seen == [weighting, 2]


# --- odd input ---------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("method", "name"), [("dirichlet", "mu"), ("jelinek_mercer", "lambda_")])
@pytest.mark.parametrize("pool", [{}, {"docno": "900003"}], ids=["all", "candidates"])
def test_scores_that_are_no_finite_numbers_are_refused(method, name, pool):
    with pytest.raises(ColieeError, match="not a finite number"):
        retriever(method, **{name: 1e-320})(topics("query", "lamp gate").assign(**pool))


# --- rankings ----------------------------------------------------------------------------------------------


def index_of(docs):
    return LexicalIndex.build([{"docno": docno, "text": text} for docno, text in docs.items()])


terms = st.lists(st.sampled_from(["lamp", "gate", "well", "road"]), min_size=1, max_size=6).map(" ".join)


def test_equal_scores_are_ordered_by_document_number():
    twins = dict.fromkeys(("900009", "900002", "900005", "900001"), "lamp gate")
    results = index_of({**twins, "900003": "lamp lamp"}).bm25(num_results=3)(topics("query", "lamp"))
    assert results["docno"].tolist() == ["900003", "900001", "900002"]


@pytest.mark.filterwarnings("ignore:.*have no term of the index:ir_coliee.errors.ColieeWarning")
@pytest.mark.parametrize("empty", [{}, {"1": "", "2": "... "}], ids=["no document", "no token"])
def test_a_collection_without_a_token_has_no_result(empty):
    assert index_of(empty).bm25()(topics("query", "lamp")).empty


def test_interleaved_pools_of_several_queries_are_rescored_apart():
    bm25 = retriever("bm25", statistics="pool")
    pools = topics("query", "gate", "lamp road").merge(pd.DataFrame({"docno": ["900001", "900002"]}), how="cross")
    mixed = bm25(pools.iloc[[2, 0, 3, 1]])
    assert mixed["qid"].tolist() == ["2", "2", "1", "1"]
    assert answers(mixed) == [row for qid in ("2", "1") for row in answers(bm25(pools[pools["qid"] == qid]))]


def test_a_pickled_retriever_leaves_its_weights_behind():
    bm25, asked = retriever("bm25"), topics("query", "lamp gate")
    bm25(asked.assign(docno="900001"))  # what the index itself keeps from its first use is there
    fresh = len(pickle.dumps(bm25))
    bm25(asked)
    assert len(pickle.dumps(bm25)) == fresh


def test_pyterriers_inspection_names_the_query_text_first():
    inputs = pt.inspect.transformer_inputs(index().bm25())
    assert inputs[0] == ["qid", "query"]
    assert [*map(set, inputs)].count({"qid", "query_toks"}) == [*map(set, inputs)].count({"qid", "query_docno"}) == 1


def test_parameters_of_the_weighting_can_be_searched():
    bm25, other, asked = index().bm25(k1=1.2), index().bm25(k1=5.0), topics("query", "lamp gate")
    bm25(asked)
    bm25.set_parameter("k1", 5.0)
    assert answers(bm25(asked)) == answers(other(asked))
    assert (bm25.get_parameter("k1"), bm25) == (5.0, other)
    with pytest.raises(ValueError, match="Invalid parameter name mu"):
        bm25.get_parameter("mu")
