"""The four kinds of scores in a frame, against loops over its rows and against the same features of matrices."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_coliee.engine.cases.candidates import Candidates, pool_kinds
from ir_coliee.errors import ColieeError
from ir_coliee.transformers import PoolFeatures, feature_names
from ir_coliee.transformers.features import feature_matrix

rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from([-1.0, 0.0, 2.0, 5.0])),
    min_size=1,
    max_size=12,
    unique_by=lambda row: row[:2],
)


@given(rows)
def test_each_kind_is_as_defined_and_equal_to_that_of_matrices(rows):
    frame = pd.DataFrame(rows, columns=["qid", "docno", "bm25"]).astype({"qid": str, "docno": str})
    found = feature_matrix(PoolFeatures(["bm25"])(frame))
    scores, allowed = np.zeros((3, 4), np.float32), np.zeros((3, 4), bool)
    for (query, text, score), features in zip(rows, found):
        of_query = [other for qid, _, other in rows if qid == query]
        of_text = [other for _, docno, other in rows if docno == text]
        assert features == pytest.approx(
            [
                score / max(of_query) if max(of_query) > 0 else 0,
                sum(other > score for other in of_query),
                sum(other > score for other in of_text),
                score / max(of_text) if max(of_text) > 0 else 0,
            ]
        )
        scores[query, text], allowed[query, text] = score, True
    queries, texts, _ = np.array(rows).astype(int).T
    np.testing.assert_allclose(found, pool_kinds(scores, allowed, Candidates(queries, texts)), atol=1e-6)


def test_columns_are_named_and_must_be_numbers():
    transformer = PoolFeatures(["bm25", "quoted"])
    assert feature_names(transformer)[3:6] == ["bm25_query_ratio", "quoted_ratio", "quoted_rank"]
    with pytest.raises(ColieeError, match="column quoted must be numbers"):
        transformer(pd.DataFrame({"qid": ["1"], "docno": ["a"], "bm25": [1.0], "quoted": ["many"]}))
    with pytest.raises(ValueError, match="scores must be a list of column names"):
        PoolFeatures("bm25")
