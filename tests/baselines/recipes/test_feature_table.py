"""Tables of candidates with named features, and their blocks: labels and runs."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines.recipes import FeatureTable, QueryBlock

TABLE = FeatureTable.of(
    ["q1", "q1", "q2"],
    ["a", "b", "a"],
    {"words.bm25": [2.0, 1.0, 3.0], "words.rank": [0, 1, 0], "names.judge": [0, 1, 2]},
)


def gold(*pairs):
    return pd.DataFrame([(*pair, 1) for pair in pairs], columns=["qid", "docno", "label"])


def test_columns_are_kept_by_name_and_family():
    assert TABLE.families == ("words", "names")
    assert TABLE.without("words").names == ("names.judge",)
    assert TABLE.without("words").values.tolist() == [[0.0], [1.0], [2.0]]
    assert TABLE.column("words.rank").tolist() == [0.0, 1.0, 0.0]
    wider = TABLE.with_features({"second.value": np.array([0.5, 0.25, np.nan])})
    assert wider.values.dtype == np.float32
    assert wider.names[-1] == "second.value"
    assert np.isnan(wider.column("second.value")[2])
    assert repr(wider) == "<FeatureTable of 3 candidates with features: words (2), names (1), second (1)>"


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"bm25": [1.0, 2.0]}, "of the form family.feature"),
        ({"words.": [1.0, 2.0]}, "of the form family.feature"),
        ({"words.bm25": [1.0, np.inf]}, "words.bm25 has an infinite value"),
    ],
)
def test_a_table_that_is_wrong_is_refused(columns, problem):
    with pytest.raises(ValueError, match=problem):
        FeatureTable.of(["q1", "q1"], ["a", "b"], columns)


DUPLICATES = {("q1", "b"): ("b", "c")}


def test_a_candidate_is_relevant_if_any_document_with_its_text_is():
    block = QueryBlock("one", TABLE, duplicates=DUPLICATES)
    assert block.labels(gold(("q1", "c"), ("q2", "a"), ("q2", "c"), ("q9", "a"))).tolist() == [False, True, True]
    assert block.labels(gold()).tolist() == [False] * 3
    assert block.labels(gold(("q1", "a")).assign(label=0)).tolist() == [False] * 3


def test_documents_with_the_same_text_share_its_probability():
    block = QueryBlock("one", TABLE, duplicates=DUPLICATES)
    run = block.run(np.array([0.4, 0.9, 0.25]))
    expected = [
        ("q1", "b", 0.45, "b", 0),
        ("q1", "c", 0.45, "b", 1),
        ("q1", "a", 0.4, "a", 2),
        ("q2", "a", 0.25, "a", 0),
    ]
    assert [*run.columns] == ["qid", "docno", "score", "text_id", "rank"]
    assert [*run.itertuples(index=False, name=None)] == expected


def test_a_block_without_a_family_lacks_it_in_both_rounds():
    def second(probabilities):
        return {"second.value": probabilities, "names.again": probabilities}

    block = QueryBlock("one", TABLE, second).without("names")
    assert block.second_table(np.zeros(3)).names == ("words.bm25", "words.rank", "second.value")
    assert QueryBlock("one", TABLE).without("words").table.names == ("names.judge",)
    with pytest.raises(ValueError, match="Block one has no features of a second round"):
        QueryBlock("one", TABLE).second_table(np.zeros(3))


def test_further_features_are_computed_with_and_without_labels_of_other_blocks():
    def lengths(table):
        return {"length.docno": np.array([len(docno) for docno in table.docnos])}

    block = QueryBlock("one", TABLE, table_without=lambda names: TABLE.of_queries(["q2"])).with_features(lengths)
    assert block.table.names == (*TABLE.names, "length.docno")
    assert block.table.column("length.docno").tolist() == [1.0, 1.0, 1.0]
    assert block.without_labels(["two"]).table.values.tolist() == [[3.0, 0.0, 2.0, 1.0]]
    assert block.without("length").without_labels(["two"]).table.names == TABLE.names
    assert QueryBlock("one", TABLE).with_features(lengths).table_without is None
