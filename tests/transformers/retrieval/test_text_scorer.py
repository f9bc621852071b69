"""Texts of the frame, scored like the documents of an index."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import answers

from ir_coliee.engine import weightings
from ir_coliee.transformers import LexicalIndex, Retriever, TextScorer

TEXTS = {"900003": "lamp gate lamp well", "900001": "gate gate", "900004": "", "900002": "well lamp gate road sea"}
WEIGHTINGS = [
    *(weightings.BM25(3.0, 1.0), weightings.Dirichlet(20.0), weightings.JelinekMercer(0.4)),
    *(weightings.TfIdf("count"), weightings.SharedIdf()),
]
every_weighting = pytest.mark.parametrize("weighting", WEIGHTINGS, ids=lambda weighting: type(weighting).__name__)


def frame(queries, texts):
    asked = pd.DataFrame({"qid": [str(n + 1) for n in range(len(queries))], "query": queries})
    return asked.merge(pd.DataFrame({"docno": list(texts), "text": list(texts.values())}), how="cross")


words = st.lists(st.sampled_from(["lamp", "gate", "well", "road"]), max_size=6).map(" ".join)
documents = st.dictionaries(st.sampled_from(["900001", "900002", "900003", "900010"]), words, min_size=1)


@pytest.mark.slow
@every_weighting
@given(documents, st.lists(words, min_size=1, max_size=3))
@settings(max_examples=15)
def test_the_texts_of_a_frame_are_scored_like_an_index_of_them(weighting, texts, queries):
    index = LexicalIndex.build([{"docno": docno, "text": text} for docno, text in texts.items()])
    rows = frame(queries, texts)
    assert answers(TextScorer(weighting)(rows)) == answers(Retriever(index, weighting)(rows))


@every_weighting
def test_with_the_statistics_of_an_index_its_documents_get_its_scores(weighting):
    index = LexicalIndex.build([{"docno": docno, "text": text} for docno, text in TEXTS.items()])
    rows = frame(["lamp well", "gate"], {docno: TEXTS[docno] for docno in ("900002", "900003")})
    assert answers(TextScorer(weighting, statistics=index)(rows)) == answers(Retriever(index, weighting)(rows))
    if weighting != weightings.JelinekMercer(0.4):
        assert answers(TextScorer(weighting)(rows)) != answers(TextScorer(weighting, statistics=index)(rows))


def test_the_analyser_of_the_index_is_used_with_its_statistics():
    index = LexicalIndex.build([{"docno": "1", "text": "代金を"}, {"docno": "2", "text": "灯"}], analyser="bigrams")
    [score] = TextScorer(statistics=index)(frame(["代金"], {"1": "代金を"}))["score"]
    assert score > 0
    assert TextScorer()(frame(["代金"], {"1": "代金を"}))["score"].tolist() == [0.0]


def test_a_document_may_have_another_text_for_each_query():
    rows = pd.DataFrame({"qid": ["1", "2"], "query": "lamp", "docno": "900001", "text": ["a gate", "a lamp"]})
    scores = TextScorer()(rows).set_index("qid")["score"]
    assert scores["1"] == 0 < scores["2"]
