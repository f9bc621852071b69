"""Features of decisions, against the texts of the sample."""

import ir_datasets
import numpy as np
import pandas as pd
import pytest

from ir_coliee.errors import ColieeError, UnknownIdError
from ir_coliee.transformers.features import feature_matrix
from ir_coliee.transformers.features.evidence import CaseFeatures

ID = "coliee/task1/sample/test"


def of_pairs(pairs, **arguments):
    features = CaseFeatures(ID, **arguments)
    run = pd.DataFrame(pairs, columns=["qid", "docno"])
    return pd.DataFrame(feature_matrix(features(run)), columns=features.feature_names)


def years(text, latest):
    tokens = "".join(character if character.isdigit() else " " for character in text).split()
    return [int(token) for token in tokens if len(token) == 4 and 1800 <= int(token) <= latest]


def test_every_pair_of_the_sample_has_the_features_of_its_texts():
    dataset = ir_datasets.load(ID)
    texts = {doc.doc_id: doc.text for doc in dataset.docs_iter()}
    queries = [query.query_id for query in dataset.queries_iter()]
    pairs = [(query, docno) for query in queries for docno in texts]
    found = of_pairs(pairs, latest=2024)
    assert found.candidate_is_query.tolist() == [docno in queries for _, docno in pairs]
    assert 0 < found.candidate_is_query.mean() < 1
    for side, column in ((0, "query"), (1, "candidate")):
        lengths = [np.log1p(len(texts[pair[side]])) for pair in pairs]
        assert found[f"log_length_of_{column}"].tolist() == pytest.approx(lengths)
        markers = [texts[pair[side]].count("_SUPPRESSED") for pair in pairs]
        assert found[f"markers_of_{column}"].tolist() == markers
    ratios = found.log_length_of_candidate - found.log_length_of_query
    assert found.log_length_ratio.tolist() == pytest.approx(ratios.tolist())
    latest = {docno: max(years(text, 2024), default=None) for docno, text in texts.items()}
    between = [
        latest[query] - latest[docno] if latest[query] is not None and latest[docno] is not None else 0
        for query, docno in pairs
    ]
    assert found.years_between.tolist() == between
    assert len(set(between)) > 2


def test_a_decision_without_a_year_is_said_to_have_none():
    query = next(ir_datasets.load(ID).queries_iter()).query_id
    found = of_pairs([(query, query)], latest=1800)
    assert found[["years_between", "year_missing"]].to_numpy().tolist() == [[0, 1]]
    assert of_pairs([(query, query)], latest=2024).year_missing.tolist() == [0]


def test_an_unknown_id_is_named():
    with pytest.raises(ColieeError, match="999999 is neither"):
        of_pairs([("999999", "999999")])


def test_other_tasks_and_unknown_ids_are_refused():
    with pytest.raises(ValueError, match="task 1"):
        CaseFeatures("coliee/task2/sample/test")
    with pytest.raises(UnknownIdError):
        CaseFeatures("coliee/task1/sample/tset")
