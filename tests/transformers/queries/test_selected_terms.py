"""Selection of the best terms of queries: what is read, what is kept, and what retrievers do with it."""

import math
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import topics

from ir_coliee.text.analysers import Shingles
from ir_coliee.transformers import LexicalIndex, Retriever, SelectTerms

DOCUMENTS = {
    "900001": "the lamp of the gate the lamp",
    "900002": "the gate of the road",
    "900003": "the well of the road the sea",
}
CORPUS = [{"docno": docno, "text": text} for docno, text in DOCUMENTS.items()]
INDEX = LexicalIndex.build(CORPUS)
DF = Counter(word for text in DOCUMENTS.values() for word in set(text.split()))
CF = Counter(" ".join(DOCUMENTS.values()).split())
SHARE = {word: count / CF.total() for word, count in CF.items()}


def kl_informativeness(query):
    return {t: tf / query.total() * math.log(tf / query.total() / SHARE[t]) for t, tf in query.items()}


def parsimonious_model(query):
    model = {t: tf / query.total() for t, tf in query.items()}
    for _ in range(50):
        expected = {t: tf * 0.1 * model[t] / (0.9 * SHARE[t] + 0.1 * model[t]) for t, tf in query.items()}
        model = {t: e / sum(expected.values()) for t, e in expected.items()}
    return model


SCORES = {
    "kli": kl_informativeness,
    "idf": lambda query: {t: math.log(len(DOCUMENTS) / DF[t]) for t in query},
    "tf-idf": lambda query: {t: tf * math.log(len(DOCUMENTS) / DF[t]) for t, tf in query.items()},
    "plm": parsimonious_model,
}
by_each_score = pytest.mark.parametrize("by", SCORES)


def tokens(transformer, text):
    return transformer(topics("query", text))["query_toks"].iloc[0]


@by_each_score
@given(
    words=st.lists(st.sampled_from([*CF]), min_size=1, max_size=12),
    share=st.sampled_from([0.1, 0.3, 0.5, 1]),
    share_of=st.sampled_from(["terms", "tokens"]),
)
def test_the_terms_with_the_best_scores_are_kept_with_their_frequencies(by, words, share, share_of):
    query = Counter(words)
    digits = "g" if by == "plm" else "f"  # probabilities may be tiny; the other scores may be 0 but for rounding
    scores = {term: float(f"{score:.9{digits}}") for term, score in SCORES[by](query).items()}
    size = max(int(share * (len(query) if share_of == "terms" else query.total()) + 0.5), 1)
    best = sorted(query, key=lambda term: (-scores[term], term))[:size]
    found = tokens(SelectTerms(INDEX, share, by=by, share_of=share_of), " ".join([*words, "unknown"]))
    assert found == {term: query[term] for term in best}


def test_all_terms_retrieve_what_the_text_does():
    queries = topics("query", "the gate gate sea lamp", "lamp of unknown")
    rewritten = (SelectTerms(INDEX, 1) >> Retriever(INDEX))(queries)
    pd.testing.assert_frame_equal(rewritten.drop(columns="query_toks"), Retriever(INDEX)(queries))


@by_each_score
@pytest.mark.parametrize("analyser", ["words", Shingles(2, min_df=1), Shingles(2, hashed=False, min_df=1)], ids=str)
def test_a_query_is_text_or_tokens_or_a_document(by, analyser):
    index = LexicalIndex.build(CORPUS, analyser=analyser)
    select = SelectTerms(index, 0.5, by=by)
    of_text = select(topics("query", *DOCUMENTS.values()))["query_toks"].tolist()
    assert all(of_text)
    assert select(topics("query_docno", *DOCUMENTS))["query_toks"].tolist() == of_text
    whole = SelectTerms(index, 1, by=by)(topics("query", *DOCUMENTS.values()))
    assert select(whole.assign(query="other"))["query_toks"].tolist() == of_text
    found = (select >> Retriever(index))(topics("query_docno", *DOCUMENTS))
    assert found[found["rank"] == 0]["docno"].tolist() == list(DOCUMENTS)


def test_results_have_the_tokens_of_their_query():
    results = pd.DataFrame(
        {"qid": ["b", "a", "b"], "query": ["lamp", "the sea", "lamp"], "docno": ["900002", "900001", "900001"]},
        index=[5, 5, 2],
    )
    selected = SelectTerms(INDEX, 0.5)(results)
    assert selected["query_toks"].tolist() == [{"lamp": 1}, {"sea": 1}, {"lamp": 1}]
    pd.testing.assert_frame_equal(selected.drop(columns="query_toks"), results.reset_index(drop=True))
    assert Retriever(INDEX)(selected)["docno"].tolist() == ["900001", "900002", "900001"]
    twice = pd.DataFrame({"qid": ["1", "1"], "query": ["lamp", "sea"]})  # queries of one id are read each
    assert SelectTerms(INDEX)(twice)["query_toks"].tolist() == [{"lamp": 1}, {"sea": 1}]


@by_each_score
def test_a_query_without_a_known_term_has_no_token(by):
    of_each = SelectTerms(INDEX, 0.5, by=by)(topics("query", "", "unknown", "lamp"))["query_toks"].tolist()
    assert of_each == [{}, {}, {"lamp": 1}]
    assert SelectTerms(LexicalIndex.build([]), by=by)(topics("query", "lamp"))["query_toks"].tolist() == [{}]
