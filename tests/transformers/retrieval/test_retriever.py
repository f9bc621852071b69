import math
import pickle
from collections import Counter

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.transformers import LexicalIndex, Retriever

# synthetic queries often have no known term
pytestmark = pytest.mark.filterwarnings("ignore:.*have no term of the index:ir_coliee.errors.ColieeWarning")

DOCS = {"900003": "lamp gate lamp well", "900001": "gate gate", "900004": "", "900002": "well lamp gate road sea"}


def plain_bm25(docs, query, k1=1.2, b=0.75):
    """Scores of all documents that share a term with the query, computed word by word."""
    tokens = {docno: text.split() for docno, text in docs.items()}
    mean = sum(map(len, tokens.values())) / len(tokens)
    scores = {}
    for docno, words in tokens.items():
        score = 0.0
        for term, wanted in Counter(query.split()).items():
            tf = words.count(term)
            df = sum(term in other for other in tokens.values())
            idf = math.log(1 + (len(tokens) - df + 0.5) / (df + 0.5))
            if tf:
                score += wanted * idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(words) / mean))
        if set(query.split()) & set(words):
            scores[docno] = score
    return scores


def index_of(docs):
    return LexicalIndex.build([{"docno": docno, "text": text} for docno, text in docs.items()])


def queries(*texts):
    return pd.DataFrame({"qid": [str(number + 1) for number in range(len(texts))], "query": list(texts)})


def pool(query, *docnos, qid="1"):
    return pd.DataFrame({"qid": qid, "query": query, "docno": list(docnos)})


def scores_of(results, qid):
    rows = results[results["qid"] == qid]
    return dict(zip(rows["docno"], rows["score"]))


terms = st.lists(st.sampled_from(["lamp", "gate", "well", "road"]), max_size=6).map(" ".join)
collections = st.dictionaries(st.sampled_from(["900001", "900002", "900003", "900004", "900005"]), terms, min_size=1)
parameters = st.fixed_dictionaries({"k1": st.floats(0.1, 5), "b": st.floats(0, 1)})


@pytest.mark.slow
@given(collections, st.lists(terms, min_size=1, max_size=4), parameters)
@settings(max_examples=60)
def test_retrieval_scores_every_document_as_the_formula_does(docs, texts, parameters):
    results = index_of(docs).bm25(**parameters)(queries(*texts))
    for number, text in enumerate(texts):
        assert scores_of(results, str(number + 1)) == pytest.approx(plain_bm25(docs, text, **parameters))


@given(collections, terms, st.integers(1, 6))
@settings(max_examples=50)
def test_fewer_results_are_the_head_of_all_results(docs, text, k):
    bm25 = index_of(docs).bm25()
    everything = bm25(queries(text))
    few = Retriever(bm25.index, num_results=k)
    pd.testing.assert_frame_equal(few(queries(text)), everything.head(k))


def test_equal_scores_are_ordered_by_document_number():
    twins = dict.fromkeys(("900009", "900002", "900005", "900001"), "lamp gate")
    results = index_of({**twins, "900003": "lamp lamp"}).bm25(num_results=3)(queries("lamp"))
    assert results["docno"].tolist() == ["900003", "900001", "900002"]


@pytest.mark.parametrize("empty", [[], ["", "... "]], ids=["no document", "no token"])
def test_a_collection_without_a_token_has_no_result(empty):
    index = index_of({f"90000{number}": text for number, text in enumerate(empty)})
    assert index.bm25()(queries("lamp")).empty


@given(collections, st.data())
@settings(max_examples=60)
def test_rescoring_with_statistics_of_the_collection_gives_the_retrieval_scores(docs, data):
    text = data.draw(terms)
    docnos = data.draw(st.lists(st.sampled_from(sorted(docs)), unique=True, min_size=1))
    results = index_of(docs).bm25()(pool(text, *docnos))
    everything = plain_bm25(docs, text)
    assert scores_of(results, "1") == pytest.approx({docno: everything.get(docno, 0.0) for docno in docnos})


@pytest.mark.slow
@given(collections, st.data())
@settings(max_examples=60)
def test_rescoring_with_statistics_of_the_pool_sees_the_pool_alone(docs, data):
    text = data.draw(terms)
    docnos = data.draw(st.lists(st.sampled_from(sorted(docs)), unique=True, min_size=1))
    results = index_of(docs).bm25(statistics="pool", k1=3.0, b=1.0)(pool(text, *docnos))
    inside = {docno: docs[docno] for docno in docnos}
    expected = plain_bm25(inside, text, k1=3.0, b=1.0) if any(inside.values()) else {}
    assert scores_of(results, "1") == pytest.approx({docno: expected.get(docno, 0.0) for docno in docnos})


def test_interleaved_pools_of_several_queries_are_rescored_apart():
    first, second = pool("gate", "900001", "900002"), pool("lamp road", "900003", "900002", qid="2")
    mixed = pd.concat([first, second]).iloc[[2, 0, 3, 1]]
    results = index_of(DOCS).bm25(statistics="pool")(mixed)
    assert results["qid"].tolist() == ["2", "2", "1", "1"]
    for qid, text, docnos in (("1", "gate", ["900001", "900002"]), ("2", "lamp road", ["900003", "900002"])):
        expected = plain_bm25({docno: DOCS[docno] for docno in docnos}, text)
        assert scores_of(results, qid) == pytest.approx(expected)


@pytest.mark.parametrize(
    "parameters",
    [
        {"num_results": 0},
        {"num_results": -1},
        {"k1": -1.0},
        {"k1": float("inf")},
        {"k1": float("nan")},
        {"b": 1.5},
        {"b": float("nan")},
        {"k3": -1.0},
        {"k3": float("nan")},
        {"idf": "none"},
        {"threads": 0},
        {"backend": "none"},
    ],
    ids=str,
)
def test_a_parameter_out_of_range_is_refused_by_name(parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        index_of(DOCS).bm25(**parameters)(queries("gate lamp"))


def test_a_pickled_retriever_leaves_its_weights_behind_and_finds_the_same():
    bm25 = index_of(DOCS).bm25()
    bm25(pool("lamp gate", "900001"))  # what the index itself keeps from its first use is there
    fresh = len(pickle.dumps(bm25))
    expected = bm25(queries("lamp gate"))
    assert len(pickle.dumps(bm25)) == fresh
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(bm25))(queries("lamp gate")), expected)


def test_pyterriers_inspection_names_the_query_text_first():
    inputs = pt.inspect.transformer_inputs(index_of(DOCS).bm25())
    assert inputs[0] == ["qid", "query"]
    assert [*map(set, inputs)].count({"qid", "query_toks"}) == [*map(set, inputs)].count({"qid", "query_docno"}) == 1


def test_parameters_of_the_weighting_can_be_searched():
    index = index_of(DOCS)
    bm25 = index.bm25(k1=1.2)
    bm25(queries("lamp gate"))
    bm25.set_parameter("k1", 5.0)
    assert scores_of(bm25(queries("lamp gate")), "1") == pytest.approx(plain_bm25(DOCS, "lamp gate", k1=5.0))
    assert (bm25.get_parameter("k1"), bm25) == (5.0, index.bm25(k1=5.0))
    with pytest.raises(ValueError, match="Invalid parameter name mu"):
        bm25.get_parameter("mu")
