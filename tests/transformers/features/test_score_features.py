"""Features of scores within and across queries: against plain loops over the rows."""

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import CrossQueryFeatures, LexicalIndex, ScoreFeatures, feature_names
from ir_coliee.transformers.features.learning import feature_matrix

pairs = st.lists(
    st.tuples(st.sampled_from("123"), st.sampled_from("abcdefgh"), st.sampled_from([-1.0, 0.0, 2.0, 5.0])),
    min_size=1,
    max_size=20,
    unique_by=lambda row: row[:2],
)


def frame(rows):
    return pd.DataFrame(rows, columns=["qid", "docno", "bm25"])


def named(transformer, results):
    """The features of each row by name."""
    return pd.DataFrame(feature_matrix(transformer(results)), columns=feature_names(transformer))


@given(pairs)
def test_features_equal_a_plain_loop(rows):
    found = named(ScoreFeatures(["bm25"]) >> CrossQueryFeatures(["bm25"]), frame(rows))
    for place, (query, candidate, score) in enumerate(rows):
        of_query = sorted((other for qid, _, other in rows if qid == query), reverse=True)
        of_candidate = sorted((other for _, docno, other in rows if docno == candidate), reverse=True)
        ratios = [
            0 if best == 0 else score / best if best > 0 else best / score for best in (of_query[0], of_candidate[0])
        ]
        assert found.loc[place].to_dict() == pytest.approx(
            {
                "bm25": score,
                "bm25_ratio": ratios[0],
                "bm25_rank": sum(other > score for other in of_query),
                "bm25_gap": score - of_query[min(6, len(of_query)) - 1],
                "queries": len(of_candidate),
                "bm25_query_rank": sum(other > score for other in of_candidate),
                "bm25_query_ratio": ratios[1],
                "bm25_query_mean": sum(of_candidate) / len(of_candidate),
                "bm25_query_second": of_candidate[1] if len(of_candidate) > 1 else 0,
            }
        )


@pytest.mark.parametrize("missing", [np.nan, np.inf, pd.NA])
def test_a_score_that_is_no_number_counts_as_the_lowest_and_no_feature_is_infinite(missing):
    run = frame([("1", "a", 4.0), ("1", "b", missing), ("1", "c", 2.0), ("2", "a", missing)])
    found = named(ScoreFeatures(["bm25"]) >> CrossQueryFeatures(["bm25"]), run.astype(object))
    assert found["bm25"].tolist() == [4, 2, 2, 0]
    assert np.isfinite(found.to_numpy()).all()


@pytest.mark.parametrize(
    "features", [[np.array([1.0]), np.array([1.0, 2.0])], [np.array([1.0]), None], [["lamp"], [1]]]
)
def test_features_that_make_no_matrix_are_refused(features):
    with pytest.raises(ColieeError, match="features of each row must be an array of as many numbers"):
        feature_matrix(pd.DataFrame({"features": pd.Series(features, dtype=object)}))


def test_a_feature_union_is_compiled_to_a_sequence_with_the_same_features():
    results = frame([("1", "a", 3.0), ("1", "b", 2.0), ("2", "a", 5.0)]).assign(score=1.0)
    union = ScoreFeatures(["bm25"]) ** CrossQueryFeatures(["bm25"]) ** ScoreFeatures(["score"])
    compiled = union.compile()
    assert isinstance(compiled, pt._ops.Compose)
    assert feature_names(compiled) == feature_names(union)
    np.testing.assert_array_equal(feature_matrix(compiled(results)), feature_matrix(union(results)))
    with_another = LexicalIndex.build([{"docno": "a", "text": "lamp"}]).bm25() ** ScoreFeatures(["bm25"])
    assert isinstance(with_another.compile(), pt._ops.FeatureUnion)
    assert feature_names(with_another)[:2] == ["BM25", "bm25"]  # it is named after its weighting
