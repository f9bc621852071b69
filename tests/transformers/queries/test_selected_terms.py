"""Query rewriters: what they read, what they keep, what retrievers make of it."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import Shingles
from ir_coliee.transformers import (
    CitingTerms,
    IDFTerms,
    KLITerms,
    LeadTerms,
    LexicalIndex,
    PLMTerms,
    Retriever,
    TfIdfTerms,
)

DOCUMENTS = {
    "900001": "the lamp of the gate the lamp",
    "900002": "the gate of the road",
    "900003": "the well of the road the sea",
}
CORPUS = [{"docno": docno, "text": text} for docno, text in DOCUMENTS.items()]
INDEX = LexicalIndex.build(CORPUS)
BY_SHARE = [KLITerms, IDFTerms, TfIdfTerms, PLMTerms]

by_share = pytest.mark.parametrize("kind", BY_SHARE, ids=lambda kind: kind.__name__)


def topics(column, *values):
    return pd.DataFrame({"qid": [str(n + 1) for n in range(len(values))], column: pd.Series(values, dtype=object)})


def tokens(transformer, text):
    return transformer(topics("query", text))["query_toks"].iloc[0]


@by_share
def test_the_whole_share_is_the_query_as_it_is(kind):
    text = "the lamp the sea unknown"
    assert tokens(kind(INDEX, 1), text) == {"the": 2, "lamp": 1, "sea": 1}
    rewritten = (kind(INDEX, 1) >> Retriever(INDEX))(topics("query", text))
    expected = Retriever(INDEX)(topics("query", text))
    pd.testing.assert_frame_equal(rewritten[["docno", "score"]], expected[["docno", "score"]])


@by_share
def test_what_everything_has_goes_first(kind):
    kept = tokens(kind(INDEX, 0.5), "the lamp of the sea the well")
    assert 2 <= len(kept) <= 3
    assert not {"the", "of"} & set(kept)


def test_each_has_an_order_of_its_own():
    text = "the the the the gate gate gate gate sea"  # 3 documents, 2, 1
    assert set(tokens(IDFTerms(INDEX, 0.3), text)) == {"sea"}
    assert set(tokens(TfIdfTerms(INDEX, 0.3), text)) == {"gate"}
    assert set(tokens(KLITerms(INDEX, 0.3), text)) == {"gate"}
    assert set(tokens(PLMTerms(INDEX, 0.3, iterations=0), text)) == {"gate"}  # as likely as "the", and first


def test_equal_terms_are_taken_in_the_order_of_terms():
    assert tokens(IDFTerms(INDEX, 0.5), "well sea lamp") == {"lamp": 1, "sea": 1}
    assert tokens(KLITerms(INDEX, 0.3), "well sea") == {"sea": 1}


def test_a_share_of_tokens_keeps_more_terms_than_one_of_terms():
    text = "lamp lamp lamp lamp sea well road gate"
    assert len(tokens(KLITerms(INDEX, 0.5), text)) == 3
    assert len(tokens(KLITerms(INDEX, 0.5, share_of="tokens"), text)) == 4
    assert len(tokens(KLITerms(INDEX, 1, share_of="tokens"), text)) == 5


def test_the_model_may_be_the_weight():
    kept = tokens(PLMTerms(INDEX, 0.5, weights="model", iterations=0), "lamp lamp sea the")
    assert kept == {"lamp": 0.5, "sea": 0.25}


def test_terms_that_no_document_has_do_not_count():
    assert tokens(KLITerms(INDEX, 0.5), "lamp sea x y z x y z") == tokens(KLITerms(INDEX, 0.5), "lamp sea")


@by_share
@pytest.mark.parametrize("analyser", ["words", Shingles(2, min_df=1), Shingles(2, hashed=False, min_df=1)], ids=str)
def test_a_query_is_text_or_tokens_or_a_document(kind, analyser):
    index = LexicalIndex.build(CORPUS, analyser=analyser)
    rewrite = kind(index, 0.5)
    of_text = rewrite(topics("query", *DOCUMENTS.values()))["query_toks"].tolist()
    assert all(of_text)
    assert rewrite(topics("query_docno", *DOCUMENTS))["query_toks"].tolist() == of_text
    whole = kind(index, 1)(topics("query", *DOCUMENTS.values()))
    assert rewrite(whole.assign(query="other"))["query_toks"].tolist() == of_text
    found = (rewrite >> Retriever(index))(topics("query_docno", *DOCUMENTS))
    assert found[found["rank"] == 0]["docno"].tolist() == list(DOCUMENTS)


@by_share
def test_results_have_the_tokens_of_their_query(kind):
    results = pd.DataFrame(
        {"qid": ["b", "a", "b"], "query": ["lamp", "the sea", "lamp"], "docno": ["900002", "900001", "900001"]},
        index=[5, 5, 2],
    )
    rewritten = kind(INDEX, 0.5)(results)
    assert rewritten["query_toks"].tolist() == [{"lamp": 1}, {"sea": 1}, {"lamp": 1}]
    pd.testing.assert_frame_equal(rewritten.drop(columns="query_toks"), results.reset_index(drop=True))
    rescored = Retriever(INDEX)(rewritten)
    assert rescored["docno"].tolist() == ["900001", "900002", "900001"]


def test_queries_of_one_id_are_rewritten_each():
    twice = pd.DataFrame({"qid": ["1", "1"], "query": ["lamp", "sea"]})
    assert KLITerms(INDEX)(twice)["query_toks"].tolist() == [{"lamp": 1}, {"sea": 1}]


@by_share
def test_a_query_without_a_known_term_has_no_token(kind):
    assert kind(INDEX, 0.5)(topics("query", "", "unknown", "lamp"))["query_toks"].tolist() == [{}, {}, {"lamp": 1}]
    assert kind(LexicalIndex.build([]), 0.5)(topics("query", "lamp"))["query_toks"].tolist() == [{}]


@by_share
def test_a_query_that_is_none_is_named(kind):
    for value in (None, float("nan"), 7):
        with pytest.raises(ColieeError, match=r"^Query 2: query must be a string, got a value of type"):
            kind(INDEX, 0.5)(topics("query", "lamp", value))
    with pytest.raises(ColieeError, match=r"no id \(qid\)"):
        kind(INDEX, 0.5)(pd.DataFrame({"qid": [None], "query": ["lamp"]}))
    with pytest.raises(ColieeError, match="900099"):
        kind(INDEX, 0.5)(topics("query_docno", "900099"))


@by_share
@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan")])
def test_a_share_that_is_none_is_refused(kind, share):
    with pytest.raises(ValueError, match=r"^share must be a number in \(0, 1\], got"):
        kind(INDEX, share)


def test_arguments_out_of_range_are_refused_by_name():
    with pytest.raises(ValueError, match=r"^share_of must be .*, got .words."):
        KLITerms(INDEX, share_of="words")
    for lambda_ in (0, -1, 1.1, float("nan")):
        with pytest.raises(ValueError, match=r"^lambda_ must be a number in \(0, 1\], got"):
            PLMTerms(INDEX, lambda_=lambda_)
    with pytest.raises(ValueError, match=r"^iterations must be an integer >= 0, got -1"):
        PLMTerms(INDEX, iterations=-1)
    with pytest.raises(ValueError, match=r"^weights must be .*, got .tf."):
        PLMTerms(INDEX, weights="tf")
    for parameters in ({"words": 0}, {"paragraphs": 0}, {"words": 1, "paragraphs": 1}):
        with pytest.raises(ValueError, match=r"^(words|paragraphs) must be "):
            LeadTerms(INDEX, **parameters)
    with pytest.raises(ValueError, match=r"^words must be .*, got -1"):
        CitingTerms(INDEX, -1)


def test_another_index_takes_effect_on_the_same_transformer():
    rewrite = IDFTerms(INDEX, 0.5)
    assert tokens(rewrite, "the sea") == {"sea": 1}
    rewrite.index = LexicalIndex.build([{"docno": "1", "text": "a sea"}, {"docno": "2", "text": "the sea"}])
    assert tokens(rewrite, "the sea") == {"the": 1}


# --- parts of the text -----------------------------------------------------------------------------

DECISION = (
    "Summary:\nThe road.\n- Topic 1\n[1]\nThe lamp was lit.\n[2]\nIt is as in <FRAGMENT_SUPPRESSED> the gate."
    "\n[3]\nA well."
)


def test_a_lead_is_words_or_paragraphs_or_the_summary():
    assert tokens(LeadTerms(INDEX, words=3), DECISION) == {"the": 1, "road": 1}
    assert tokens(LeadTerms(INDEX, paragraphs=1), DECISION) == {"the": 1, "lamp": 1}
    assert tokens(LeadTerms(INDEX), DECISION) == {"the": 1, "road": 1}
    assert tokens(LeadTerms(INDEX), "A lamp.") == {"lamp": 1}


def test_the_citing_context_is_that_of_the_text():
    text = "A lamp. It is said in <FRAGMENT_SUPPRESSED> the sea. A well. A road."
    assert tokens(CitingTerms(INDEX, 0), text) == {"well": 1, "the": 1, "sea": 1}
    assert set(tokens(CitingTerms(INDEX), DECISION)) == {"the", "gate", "lamp", "well"}


def test_parts_are_of_the_text_even_where_there_are_tokens():
    both = topics("query", "the lamp").assign(query_toks=[{"sea": 1.0}])
    assert LeadTerms(INDEX, words=2)(both)["query_toks"].tolist() == [{"the": 1, "lamp": 1}]
    with pytest.raises(ColieeError, match=r"^Query 1: query must be"):
        CitingTerms(INDEX)(topics("query", None))


@given(st.text())
def test_any_text_is_rewritten(text):
    for rewrite in (KLITerms(INDEX), LeadTerms(INDEX), LeadTerms(INDEX, paragraphs=1), CitingTerms(INDEX)):
        assert isinstance(tokens(rewrite, text), dict)
