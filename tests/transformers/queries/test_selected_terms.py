"""Selection of the best terms of queries: what is read, what is kept, and what retrievers do with it."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import Shingles
from ir_coliee.transformers import LexicalIndex, Retriever, SelectTerms
from ir_coliee.transformers.queries import tokens

DOCUMENTS = {
    "900001": "the lamp of the gate the lamp",
    "900002": "the gate of the road",
    "900003": "the well of the road the sea",
}
CORPUS = [{"docno": docno, "text": text} for docno, text in DOCUMENTS.items()]
INDEX = LexicalIndex.build(CORPUS)
SCORES = {
    "kli": tokens.kl_informativeness,
    "idf": tokens.idf,
    "tf-idf": tokens.tf_idf,
    "plm": lambda *given: tokens.parsimonious_model(*given, lambda_=0.1, iterations=50),
}
by_each_score = pytest.mark.parametrize("by", SCORES)


def topics(column, *values):
    return pd.DataFrame({"qid": [str(n + 1) for n in range(len(values))], column: pd.Series(values, dtype=object)})


def tokens(transformer, text):
    return transformer(topics("query", text))["query_toks"].iloc[0]


@by_each_score
@pytest.mark.parametrize("share", [0.3, 0.5, 1])
def test_the_terms_with_the_best_scores_are_kept_with_their_frequencies(by, share):
    text = "the the the the gate gate gate gate sea lamp lamp of unknown"
    vector = INDEX.query_vectors([text])
    names = np.array([*INDEX.vocabulary])[vector.indices]
    best_first = np.lexsort((vector.indices, -SCORES[by](vector, INDEX.collection)))[: int(share * 5 + 0.5)]
    expected = {names[number]: vector.data[number] for number in best_first}
    assert tokens(SelectTerms(INDEX, share, by=by), text) == expected
    if share == 1:
        rewritten = (SelectTerms(INDEX, 1, by=by) >> Retriever(INDEX))(topics("query", text))
        pd.testing.assert_frame_equal(rewritten.drop(columns="query_toks"), Retriever(INDEX)(topics("query", text)))


def test_a_share_of_tokens_keeps_more_terms_than_one_of_terms():
    text = "lamp lamp lamp lamp sea well road gate"
    assert len(tokens(SelectTerms(INDEX, 0.5), text)) == 3
    assert len(tokens(SelectTerms(INDEX, 0.5, share_of="tokens"), text)) == 4


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


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        *((topics("query", "lamp", value), "^Query 2: query must be a string, got a") for value in (None, np.nan, 7)),
        (pd.DataFrame({"qid": [None], "query": ["lamp"]}), r"no id \(qid\)"),
        (topics("query_docno", "900099"), "900099"),
    ],
)
def test_a_query_that_cannot_be_read_is_named(queries, message):
    with pytest.raises(ColieeError, match=message):
        SelectTerms(INDEX)(queries)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(({"share": share}, r"^share must be a number in \(0, 1\], got") for share in (0, -0.1, 1.01, float("nan"))),
        ({"share_of": "words"}, r"^share_of must be .*, got .words."),
        ({"by": "bm25"}, r"^by must be 'kli', 'idf', 'tf-idf' or 'plm', got 'bm25'"),
    ],
)
def test_arguments_out_of_range_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        SelectTerms(INDEX, **arguments)


def test_another_index_takes_effect_on_the_same_transformer():
    select = SelectTerms(INDEX, 0.5, by="idf")
    assert tokens(select, "the sea") == {"sea": 1}
    select.index = LexicalIndex.build([{"docno": "1", "text": "a sea"}, {"docno": "2", "text": "the sea"}])
    assert tokens(select, "the sea") == {"the": 1}
