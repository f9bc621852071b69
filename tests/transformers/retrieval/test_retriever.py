import pickle

import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.transformers import LexicalIndex, Retriever

# synthetic queries often have no known term
pytestmark = pytest.mark.filterwarnings("ignore:.*have no term of the index:ir_coliee.errors.ColieeWarning")

DOCS = {"900003": "lamp gate lamp well", "900001": "gate gate", "900004": "", "900002": "well lamp gate road sea"}


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


def test_interleaved_pools_of_several_queries_are_rescored_apart():
    first, second = pool("gate", "900001", "900002"), pool("lamp road", "900003", "900002", qid="2")
    mixed = pd.concat([first, second]).iloc[[2, 0, 3, 1]]
    results = index_of(DOCS).bm25(statistics="pool")(mixed)
    assert results["qid"].tolist() == ["2", "2", "1", "1"]
    for qid, alone in (("1", first), ("2", second)):
        assert scores_of(results, qid) == scores_of(index_of(DOCS).bm25(statistics="pool")(alone), qid)


@pytest.mark.parametrize(
    "parameters",
    [
        {"num_results": 0},
        {"k1": -1.0},
        {"threads": 0},
        {"backend": "none"},
        {"statistics": "none"},
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
    pd.testing.assert_frame_equal(bm25(queries("lamp gate")), index.bm25(k1=5.0)(queries("lamp gate")))
    assert (bm25.get_parameter("k1"), bm25) == (5.0, index.bm25(k1=5.0))
    with pytest.raises(ValueError, match="Invalid parameter name mu"):
        bm25.get_parameter("mu")
