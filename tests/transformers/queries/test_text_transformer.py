"""What all transformers from text to text do with a frame."""

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.errors import ColieeError
from ir_coliee.transformers import LexicalIndexer
from ir_coliee.transformers.queries.texts import TextTransformer


class Reversed(TextTransformer):
    """A text backwards, and how many were asked for."""

    LABEL = "Reversed"
    asked = 0

    def changed(self, text):
        type(self).asked += 1
        return text[::-1]


QUERIES = pd.DataFrame({"qid": ["1", "2"], "query": ["lamp", "gate"]}, index=[7, 7])
DOCUMENTS = pd.DataFrame({"docno": ["a", "b"], "text": ["oil", ""]})
RESULTS = pd.DataFrame(
    {"qid": ["1", "1"], "query": ["lamp", "lamp"], "docno": ["a", "b"], "text": ["oil", ""], "score": [1.0, 2.0]}
)


def test_queries_documents_and_both_are_changed():
    assert Reversed()(QUERIES)["query"].tolist() == ["pmal", "etag"]
    assert Reversed()(DOCUMENTS)["text"].tolist() == ["lio", ""]
    both = Reversed()(RESULTS)
    assert both["query"].tolist() == ["pmal", "pmal"]
    assert both["text"].tolist() == ["lio", ""]


def test_rows_keep_their_order_and_their_other_columns():
    pd.testing.assert_frame_equal(Reversed()(RESULTS)[["qid", "docno", "score"]], RESULTS[["qid", "docno", "score"]])
    assert Reversed()(QUERIES).index.tolist() == [0, 1]


def test_one_column_can_be_named():
    changed = Reversed(on="text")(RESULTS)
    assert changed["query"].tolist() == ["lamp", "lamp"]
    assert changed["text"].tolist() == ["lio", ""]
    assert Reversed(on="summary")(RESULTS.assign(summary="ab"))["summary"].tolist() == ["ba", "ba"]


def test_a_text_that_occurs_often_is_changed_once():
    Reversed.asked = 0
    Reversed(on="query")(RESULTS)
    assert Reversed.asked == 1


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_text_stays_missing(missing):
    changed = Reversed()(pd.DataFrame({"docno": ["a", "b"], "text": ["oil", missing]}))
    assert changed["text"].iloc[0] == "lio"
    assert pd.isna(changed["text"].iloc[1])


def test_a_frame_of_missing_texts_alone_is_as_it_was():
    frame = pd.DataFrame({"docno": ["a", "b"], "text": [np.nan, None]})
    pd.testing.assert_frame_equal(Reversed()(frame), frame)


@pytest.mark.parametrize("value", [7, 1.5, ["lamp"], b"lamp"])
def test_a_value_that_is_no_text_is_named_by_its_row_and_type(value):
    frame = pd.DataFrame({"docno": ["a", "b", "c"], "text": pd.Series([None, "oil", value], dtype=object)})
    with pytest.raises(ColieeError, match=rf"Row 2: text must be .* {type(value).__name__}\."):
        Reversed()(frame)


def test_a_frame_without_any_of_the_columns_is_refused_by_their_names():
    with pytest.raises(pt.validate.InputValidationError, match="query"):
        Reversed()(pd.DataFrame({"qid": ["1"]}))
    with pytest.raises(pt.validate.InputValidationError, match="text"):
        Reversed()(pd.DataFrame({"docno": ["1"]}))
    with pytest.raises(pt.validate.InputValidationError, match="summary"):
        Reversed(on="summary")(RESULTS)


@pytest.mark.parametrize("kind", [object, "string", "str", "category"])
def test_any_type_of_strings_is_read(kind):
    assert Reversed()(QUERIES.astype({"query": kind}))["query"].tolist() == ["pmal", "etag"]


def test_the_columns_are_known_to_inspection():
    assert pt.inspect.transformer_inputs(Reversed()) == [["qid", "query"], ["docno", "text"]]
    assert pt.inspect.transformer_outputs(Reversed(), ["docno", "text"]) == ["docno", "text"]


def test_documents_are_changed_on_their_way_into_an_index(tmp_path):
    index = (Reversed() >> LexicalIndexer(tmp_path / "index")).index([{"docno": "a", "text": "pmal"}])
    assert index.bm25().search("lamp")["docno"].tolist() == ["a"]
