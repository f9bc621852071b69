"""Cases by their paragraphs, against PyTerrier's own passages and plain Python."""

import functools
from collections import Counter

import pandas as pd
import pyterrier as pt
import pytest
from rows import answers, topics

from ir_coliee.engine import weightings
from ir_coliee.errors import ColieeError
from ir_coliee.transformers import LexicalIndex, ParagraphRetriever, Retriever
from ir_coliee.transformers.retrieval.paragraphs import paragraph_corpus

DECISIONS = {
    "900003": "Summary: lamp gate.\n[1]\nlamp gate lamp well\n[2]\nroad",
    "900001": "[1]\ngate gate\n[2]\nlamp lamp lamp\n[3]\nsea well",
    "900004": "",
    "900002": "well lamp gate road sea",
    "900005": "[1]\nsea\n[2]\nsea road\n[3]\n\n[4]\nlamp sea",
}


@functools.cache
def corpus():
    return list(paragraph_corpus({"docno": docno, "text": text} for docno, text in DECISIONS.items()))


@functools.cache
def index():
    return LexicalIndex.build(corpus())


QUERIES = topics("query", "lamp gate", "sea sea well", "road")


# --- the corpus ------------------------------------------------------------------------------------


def test_every_paragraph_is_a_document_with_its_place_as_its_number():
    assert [paragraph["docno"] for paragraph in corpus()] == [
        *("900003%p0", "900003%p1", "900003%p2"),
        *("900001%p1", "900001%p2", "900001%p3"),
        "900004%p0",
        "900002%p0",
        *("900005%p1", "900005%p2", "900005%p4"),
    ]


@pytest.mark.parametrize("decision", ["900001", None, 5, {"docno": "900001"}, {"docno": 900009, "text": "a"}])
def test_what_is_no_decision_is_refused_by_its_id_or_place(decision):
    with pytest.raises(ColieeError, match=r"^Document (900001|0, counted from 0,) must "):
        list(paragraph_corpus([decision]))


# --- one query against the paragraphs of a case ----------------------------------------------------


@pytest.mark.parametrize("weighting", [weightings.BM25(k1=3.0), weightings.TfIdf(), weightings.SharedIdf()], ids=str)
def test_the_best_paragraph_is_that_of_pyterriers_max_passage(weighting):
    expected = (Retriever(index(), weighting) >> pt.text.max_passage())(QUERIES)
    found = ParagraphRetriever(index(), weighting)(QUERIES)
    assert answers(found) == answers(expected.sort_values(["qid", "rank"]))


def test_documents_that_are_no_paragraphs_are_cases_of_their_own():
    whole = LexicalIndex.build([{"docno": docno, "text": text} for docno, text in DECISIONS.items()])
    assert answers(ParagraphRetriever(whole)(QUERIES)) == answers(whole.bm25()(QUERIES))


# --- what a query is -------------------------------------------------------------------------------


@pytest.mark.parametrize("query_aggregate", [None, "max", "mean", 2])
def test_a_case_of_the_index_as_the_query_is_its_text(query_aggregate):
    retriever = ParagraphRetriever(index(), aggregate="mean", query_aggregate=query_aggregate)
    docnos = ["900003", "900005"]
    by_text = retriever(topics("query", *(DECISIONS[docno] for docno in docnos)))
    assert set(by_text["qid"]) == {"1", "2"}
    assert answers(retriever(topics("query_docno", *docnos))) == answers(by_text)


def test_without_an_aggregate_of_the_query_its_paragraphs_are_one():
    text = DECISIONS["900005"]
    whole = topics("query_toks", dict(Counter(text.replace("[", " ").replace("]", " ").split())))
    by_number = ParagraphRetriever(index())(topics("query_docno", "900005"))
    assert answers(by_number) == answers(ParagraphRetriever(index())(whole))


# --- pools -----------------------------------------------------------------------------------------


def test_the_statistics_of_a_pool_are_those_of_an_index_of_its_paragraphs():
    pool = ["900005", "900001"]
    alone = LexicalIndex.build([paragraph for paragraph in corpus() if paragraph["docno"][:6] in pool])
    rows = topics("query", "lamp sea well").merge(pd.DataFrame({"docno": pool}), how="cross")
    expected = ParagraphRetriever(alone, aggregate="mean")(rows)
    assert answers(ParagraphRetriever(index(), aggregate="mean", statistics="pool")(rows)) == answers(expected)
    assert answers(ParagraphRetriever(index(), aggregate="mean")(rows)) != answers(expected)


def test_another_formula_takes_effect_on_the_same_transformer():
    retriever = ParagraphRetriever(index())
    first = retriever(QUERIES)
    retriever.weighting = weightings.TfIdf()
    assert answers(retriever(QUERIES)) == answers(ParagraphRetriever(index(), weightings.TfIdf())(QUERIES))
    retriever.weighting = weightings.BM25()
    assert answers(retriever(QUERIES)) == answers(first)
