"""Features of scores, competition, shared terms and quotations: against plain loops over the rows."""

import pickle

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.text.analysers import English, Shingles
from ir_coliee.transformers import LexicalIndex, PoolFeatures
from ir_coliee.transformers.features import (
    CrossQueryFeatures,
    ScoreFeatures,
    SharedTermFeatures,
    add_features,
    feature_matrix,
    feature_names,
)
from ir_coliee.transformers.features.quotations import QuotationFeatures, QuotationIndex

pairs = st.lists(
    st.tuples(st.sampled_from("123"), st.sampled_from("abcd"), st.sampled_from([-1.0, 0.0, 2.0, 5.0])),
    min_size=1,
    max_size=12,
    unique_by=lambda row: row[:2],
)


def frame(rows, column="bm25"):
    return pd.DataFrame(rows, columns=["qid", "docno", column])


def named(transformer, results):
    """The features of each row by name."""
    matrix = feature_matrix(transformer(results))
    return pd.DataFrame(matrix, columns=feature_names(transformer))


@given(pairs, st.integers(1, 3))
@settings(deadline=None)
def test_score_features_equal_a_plain_loop(rows, gap):
    found = named(ScoreFeatures(["bm25"], gap=gap), frame(rows))
    for place, (query, _, score) in enumerate(rows):
        falling = sorted((other for qid, _, other in rows if qid == query), reverse=True)
        best = falling[0]
        assert found.bm25[place] == score
        assert found.bm25_ratio[place] == (0 if best == 0 else score / best if best > 0 else best / score)
        assert found.bm25_rank[place] == sum(other > score for other in falling)
        assert found.bm25_gap[place] == score - falling[min(gap, len(falling)) - 1]


@given(pairs)
@settings(deadline=None)
def test_competition_is_the_candidates_view_of_the_queries(rows):
    found = named(CrossQueryFeatures(["bm25"]), frame(rows))
    for place, (_, candidate, score) in enumerate(rows):
        falling = sorted((other for _, docno, other in rows if docno == candidate), reverse=True)
        best = falling[0]
        assert found.queries[place] == len(falling)
        assert found.bm25_query_rank[place] == sum(other > score for other in falling)
        assert found.bm25_query_ratio[place] == (0 if best == 0 else score / best if best > 0 else best / score)
        assert found.bm25_query_mean[place] == pytest.approx(sum(falling) / len(falling))
        assert found.bm25_query_second[place] == (falling[1] if len(falling) > 1 else 0)


@pytest.mark.parametrize("missing", [np.nan, np.inf, -np.inf, None, pd.NA])
def test_a_score_that_is_no_number_counts_as_the_lowest_and_no_feature_is_infinite(missing):
    run = frame([("1", "a", 4.0), ("1", "b", missing), ("1", "c", 2.0), ("2", "a", missing)])
    run["bm25"] = run["bm25"].astype(object)
    assert named(ScoreFeatures(["bm25"]), run).bm25.tolist() == [4, 2, 2, 0]
    both = ScoreFeatures(["bm25"]) >> CrossQueryFeatures(["bm25"])
    assert np.isfinite(feature_matrix(both(run))).all()


def test_a_score_that_is_text_is_refused():
    with pytest.raises(ColieeError, match="bm25 must be numbers"):
        ScoreFeatures(["bm25"])(frame([("1", "a", "lamp")]))


@pytest.mark.parametrize("columns", ["bm25", []])
def test_what_is_no_list_of_columns_is_refused(columns):
    for kind in (ScoreFeatures, CrossQueryFeatures):
        with pytest.raises(ValueError, match="scores must be a list of column names"):
            kind(columns)


def test_a_column_that_is_named_twice_is_refused():
    for kind in (ScoreFeatures, CrossQueryFeatures, PoolFeatures):
        with pytest.raises(ValueError, match=r"each column name once, got \['bm25', 'bm25'\]"):
            kind(["bm25", "bm25"])


def test_features_follow_those_that_are_there_and_keep_the_rows_as_they_stand():
    run = frame([("2", "b", 1.0), ("1", "a", 4.0), ("2", "a", 3.0)]).set_index(pd.Index([5, 5, 9]))
    first, second = ScoreFeatures(["bm25"], gap=1), CrossQueryFeatures(["bm25"])
    found = (first >> second)(run)
    assert found[["qid", "docno"]].to_numpy().tolist() == run[["qid", "docno"]].to_numpy().tolist()
    expected = np.hstack([feature_matrix(first(run)), feature_matrix(second(run))])
    assert feature_matrix(found).tolist() == expected.tolist()
    assert "features" not in run


def test_pyterriers_union_gives_the_same_features():
    run = frame([("1", "b", 1.0), ("1", "a", 4.0), ("2", "a", 3.0)]).assign(score=0.0, query="lamp")
    first, second = ScoreFeatures(["bm25"]), CrossQueryFeatures(["bm25"])
    union = first**second
    assert feature_matrix(union(run)).tolist() == feature_matrix((first >> second)(run)).tolist()
    assert feature_names(union) == feature_names(first >> second)


def test_a_part_of_another_kind_is_named_after_its_class():
    index = LexicalIndex.build([{"docno": "a", "text": "lamp"}])
    assert feature_names(index.bm25() ** ScoreFeatures(["bm25"])) == ["BM25", *ScoreFeatures(["bm25"]).feature_names]
    assert feature_names(index.bm25() >> ScoreFeatures(["bm25"])) == ScoreFeatures(["bm25"]).feature_names


@pytest.mark.parametrize(
    ("features", "problem"),
    [
        ([np.array([1.0]), np.array([1.0, 2.0])], "row 1"),
        ([np.array([1.0]), None], "row 1"),
        ([3.0, np.array([1.0])], "row 0"),
        ([np.array([[1.0]]), np.array([1.0])], "row 0"),
        ([np.array(["lamp"]), np.array(["gate"])], "The features must be numbers"),
    ],
)
def test_features_that_make_no_matrix_are_refused(features, problem):
    with pytest.raises(ColieeError, match=problem):
        feature_matrix(pd.DataFrame({"features": pd.Series(features, dtype=object)}))


def test_each_row_has_an_array_of_its_own():
    run = add_features(frame([("1", "a", 1.0), ("1", "b", 2.0)]), np.array([[1.0], [2.0]]))
    run.features[0][0] = 7
    assert run.features[1].tolist() == [2.0]


TEXTS = {"a": "a lamp, a gate", "b": "the well", "c": "a lamp lamp"}
INDEX = LexicalIndex.build([{"docno": docno, "text": text} for docno, text in TEXTS.items()])


def test_shared_terms_count_each_term_once():
    run = pd.DataFrame({"qid": ["1", "2", "1", "1"], "docno": ["b", "a", "a", "c"]})
    run["query"] = run["qid"].map({"1": "a lamp, a lamp, a boat", "2": "road"})
    found = named(SharedTermFeatures({"w": INDEX}), run)
    idf = {term: np.log1p((3 - df + 0.5) / (df + 0.5)) for term, df in {"a": 2, "lamp": 2}.items()}
    assert found.w_shared.tolist() == [0, 0, 2, 2]
    assert found.w_idf.tolist() == pytest.approx([0, 0, sum(idf.values()), sum(idf.values())])
    assert found.w_of_query.tolist() == [0, 0, 1, 1]
    assert found.w_of_candidate.tolist() == [0, 0, 2 / 3, 1]


def test_a_query_may_be_a_document_and_tokens():
    run = pd.DataFrame({"qid": "1", "docno": ["a", "b"]})
    features = SharedTermFeatures({"w": INDEX})
    by_text = feature_matrix(features(run.assign(query=TEXTS["a"])))
    assert feature_matrix(features(run.assign(query_docno="a"))).tolist() == by_text.tolist()
    tokens = [{"a": 2.0, "lamp": 1.0, "gate": 1.0}] * 2
    assert feature_matrix(features(run.assign(query_toks=tokens))).tolist() == by_text.tolist()


def test_a_document_that_an_index_does_not_have_is_named():
    run = pd.DataFrame({"qid": ["1"], "docno": ["zz"], "query": "lamp", "query_docno": "a"})
    for features in (SharedTermFeatures({"w": INDEX}), QuotationFeatures(quotations()[1])):
        with pytest.raises(ColieeError, match="zz"):
            features(run.drop(columns="query_docno"))
    with pytest.raises(ColieeError, match="zz"):
        QuotationFeatures(quotations()[1])(run.assign(docno="a", query_docno="zz"))


def test_no_index_is_refused():
    with pytest.raises(ValueError, match="indexes must contain at least one index"):
        SharedTermFeatures({})


# --- quotations ------------------------------------------------------------------------------------

JUDGMENTS = {
    "a": "Header.\n[1]\nHe said that a lamp stood at the old gate, and went.\n[2]\nNothing else.",
    "b": "[1]\nA well.\n[2]\nIt <FRAGMENT_SUPPRESSED> was held: a lamp stood at the old gate. Agreed.",
    "c": "[1]\nSomething different was found here.",
}


def quotations(analyser=None):
    corpus = [{"docno": docno, "text": text} for docno, text in JUDGMENTS.items()]
    index = LexicalIndex.build(corpus, analyser=analyser or Shingles(3, base="case"))
    return corpus, QuotationIndex.build(index, corpus)


def test_a_quotation_is_measured_and_located():
    _, index = quotations()
    run = pd.DataFrame({"qid": "1", "query_docno": "a", "docno": ["c", "b"]})
    nothing, found = named(QuotationFeatures(index), run).to_dict("records")
    assert set(nothing.values()) == {0.0}
    assert found == {
        "passages": 1,
        "longest_passage": 7,  # a lamp stood at the old gate
        "candidate_share_quoted": 7 / 13,
        "query_share_quoted": 7 / 15,
        "query_paragraphs_quoted": 1,
        "candidate_paragraphs_quoted": 1,
        "longest_place_in_query": 2 / 3,
        "longest_place_in_candidate": 3 / 3,
    }


def test_a_text_is_measured_as_the_document_of_the_same_text():
    _, index = quotations()
    run = pd.DataFrame({"qid": ["2", "1", "2"], "docno": ["a", "b", "b"]})
    by_docno = QuotationFeatures(index)(run.assign(query_docno=["b", "a", "b"]))
    texts = [JUDGMENTS["b"], JUDGMENTS["a"], JUDGMENTS["b"]]
    by_text = QuotationFeatures(index)(run.assign(query=texts))
    assert feature_matrix(by_text).tolist() == feature_matrix(by_docno).tolist()
    assert feature_matrix(by_docno).any(axis=1).all()


def test_words_that_the_analyser_leaves_out_do_not_part_a_passage():
    _, index = quotations(Shingles(3, base=English(base="case", stem=False)))
    run = pd.DataFrame({"qid": "1", "query_docno": "a", "docno": ["b"]})
    assert named(QuotationFeatures(index), run).longest_passage.tolist() == [4]  # lamp stood old gate


def test_the_index_holds_no_words():
    _, index = quotations()
    assert b"lamp" not in pickle.dumps(index)
    copied = pickle.loads(pickle.dumps(QuotationFeatures(index)))
    run = pd.DataFrame({"qid": "1", "query_docno": "a", "docno": ["b"]})
    assert feature_matrix(copied(run)).tolist() == feature_matrix(QuotationFeatures(index)(run)).tolist()


def test_an_index_of_words_is_no_index_of_shingles():
    with pytest.raises(ValueError, match="shingles must be an index with the analyser Shingles"):
        QuotationIndex.build(INDEX, [])
    unhashed = LexicalIndex.build([{"docno": "a", "text": "a lamp"}], analyser=Shingles(2, hashed=False))
    with pytest.raises(ValueError, match="shingles must be an index with the analyser Shingles"):
        QuotationIndex.build(unhashed, [])


@pytest.mark.parametrize("document", [{"docno": "a"}, {"docno": 1, "text": "x"}, {"docno": "a", "text": None}])
def test_a_document_without_a_number_or_text_is_refused(document):
    corpus, index = quotations()
    with pytest.raises(ColieeError, match="must have a string"):
        QuotationIndex.build(index.shingles, [*corpus, document])


def test_a_query_that_is_no_text_is_refused():
    _, index = quotations()
    with pytest.raises(ColieeError, match="must be a string"):
        QuotationFeatures(index)(pd.DataFrame({"qid": ["1"], "docno": "a", "query": [None]}))


@pytest.mark.parametrize("transformer", [ScoreFeatures(["bm25"]), CrossQueryFeatures(["bm25"])], ids=repr)
def test_columns_that_are_missing_are_named(transformer):
    with pytest.raises(pt.validate.InputValidationError, match="bm25"):
        transformer(pd.DataFrame({"qid": ["1"], "docno": ["a"]}))


def test_a_row_without_a_query_id_is_refused():
    with pytest.raises(ColieeError, match="row 1 has no id"):
        ScoreFeatures(["bm25"])(frame([("1", "a", 1.0), (None, "a", 1.0)]))


def test_a_feature_union_is_compiled_to_a_sequence_with_the_same_features():
    results = pd.DataFrame({"qid": ["1", "1", "2"], "docno": list("aba"), "bm25": [3.0, 2.0, 5.0], "score": 1.0})
    first, second, third = ScoreFeatures(["bm25"]), CrossQueryFeatures(["bm25"]), ScoreFeatures(["score"], gap=2)
    union = first**second**third
    compiled = union.compile()
    assert isinstance(compiled, pt._ops.Compose)
    assert feature_names(compiled) == feature_names(union)
    np.testing.assert_array_equal(feature_matrix(compiled(results)), feature_matrix(union(results)))


def test_a_feature_union_with_another_pipeline_is_not_compiled():
    assert isinstance((ScoreFeatures(["bm25"]) ** pt.Transformer.identity()).compile(), pt._ops.FeatureUnion)
