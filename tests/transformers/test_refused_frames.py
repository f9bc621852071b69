"""Queries, texts and ids that a transformer cannot read are named: by the query, the document or the row."""

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from rows import topics

import ir_coliee.transformers as ct
from ir_coliee.errors import ColieeError
from ir_coliee.transformers.features.evidence import (
    EmbeddingHistogram,
    ParagraphVectors,
    QuotedElsewhereFeatures,
    RhetoricFeatures,
)
from ir_coliee.transformers.queries.passages import SplitArticles
from ir_coliee.transformers.queries.texts import CitationWindows

TASK1, TASK2 = "coliee/task1/sample/test", "coliee/task2/sample/test"
CODE, CODE_JA = "coliee/task3/sample/en", "coliee/task3/sample/ja/test"
CORPUS = [{"docno": "900001", "text": "a lamp"}, {"docno": "900004", "text": "a gate"}]
INDEX = ct.LexicalIndex.build(CORPUS)
BM25, PARAGRAPHS, SELECT = INDEX.bm25(), ct.ParagraphRetriever(INDEX), ct.SelectTerms(INDEX)
HISTOGRAM = EmbeddingHistogram(ParagraphVectors.build(CORPUS, lambda texts: [[1.0]] * len(texts)))
QUERY = topics("query", "lamp")
RESULT = QUERY.assign(docno="900004", text="a gate")


def replaced(column, value, frame=RESULT):
    return frame.assign(**{column: pd.Series([value], dtype=object)})


def third(value):
    """Texts of which the third is the value."""
    return pd.DataFrame({"docno": ["a", "b", "c"], "text": pd.Series([None, "oil", value], dtype=object)})


WEIGHTS = (-1.0, float("nan"), "many", None, 1e-101, 1e101, 10**400)
REFUSED = [
    *(
        (
            BM25,
            topics("query_toks", {"lamp": 1.0}, {"lamp": weight}),
            "^Query 2: a token's weight must be a number >= 0",
        )
        for weight in WEIGHTS
    ),
    (BM25, topics("query_toks", "lamp"), "^Query 1: query_toks must be .* got a value of type str"),
    (BM25, topics("query_docno", 900001), "^Query 1: query_docno must be .* got a value of type int"),
    (BM25, topics("query", None), "^Query 1: query must be .* got a value of type NoneType"),
    (BM25, topics("query_docno", "900099"), "^Document 900099 is not in LexicalIndex"),
    (BM25, replaced("docno", ["900001"]), r"^The docno \['900001'\] is not a string"),
    (BM25, replaced("docno", "9" * 10_000), r"^Document 999+\.\.\.9+ is not in .{,200}(\n|$)"),
    (PARAGRAPHS, topics("query_docno", "900099"), "^Case 900099 has no paragraph in LexicalIndex"),
    (PARAGRAPHS, replaced("docno", "900099"), "^Case 900099 has no paragraph in LexicalIndex"),
    (ct.TextScorer(), replaced("text", None), "^Document 900004: text must be a string, got a value of type NoneType"),
    (ct.TextScorer(), replaced("query", None), "^Query 1: query must be a string, got a value of type NoneType"),
    *((SELECT, topics("query", "lamp", value), "^Query 2: query must be a string") for value in (None, np.nan, 7)),
    (SELECT, topics("query_docno", "900099"), "^Document 900099 is not in"),
    (ct.CleanCase(), third(7), r"^Row 2: text must be .* int\."),
    (ct.CleanCase(), third(["lamp"]), r"^Row 2: text must be .* list\."),
    (ct.CleanCase(on="summary"), RESULT, "summary"),
    (CitationWindows(TASK2), QUERY, f"^{TASK2} has no query 1"),
    (ct.QueriesFromDataset(CODE_JA), QUERY, f"^{CODE_JA} has no query 1"),
    (ct.SplitParagraphs(), replaced("text", 7), "^Document 900004: text must be a string"),
    (ct.SplitParagraphs(on="text"), QUERY, "text"),
    (SplitArticles("en"), replaced("text", 7), "^Query 1: text must be a string, got a value of type int"),
    (ct.CaseFeatures(TASK1), RESULT, "^1 is neither a document nor a query of"),
    (ct.ArticleFeatures(CODE), RESULT.assign(score=1.0), f"^Document 900004 is not in {CODE}"),
    (RhetoricFeatures(), replaced("text", 5), "^Query 1: text must be a string"),
    (QuotedElsewhereFeatures(TASK2), RESULT, "has no paragraph 900004"),
    (HISTOGRAM, replaced("docno", "900099"), "^Document 900099 is not in ParagraphVectors"),
    (HISTOGRAM, RESULT.assign(query_docno="900099"), "^Document 900099 is not in ParagraphVectors"),
]


@pytest.mark.parametrize(("transformer", "frame", "message"), REFUSED, ids=lambda it: type(it).__name__)
def test_what_cannot_be_read_is_named(transformer, frame, message):
    with pytest.raises((ColieeError, pt.validate.InputValidationError), match=message):
        transformer(frame)
