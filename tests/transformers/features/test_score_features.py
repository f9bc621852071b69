"""Features of scores and competition: against plain loops over the rows."""

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import LexicalIndex, PoolFeatures
from ir_coliee.transformers.features import (
    CrossQueryFeatures,
    ScoreFeatures,
    feature_matrix,
    feature_names,
)

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
    run = ScoreFeatures(["bm25"])(frame([("1", "a", 1.0), ("1", "b", 2.0)]))
    run.features[0][0] = 7
    assert run.features[1][0] == 2.0


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
