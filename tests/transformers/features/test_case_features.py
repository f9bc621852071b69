"""Features of decisions, against the texts of the sample."""

import ir_datasets
import numpy as np
import pandas as pd
import pytest

from ir_coliee.transformers import CaseFeatures
from ir_coliee.transformers.features.learning import feature_matrix

ID = "coliee/task1/sample/test"


def latest_year(text):
    tokens = "".join(character if character.isdigit() else " " for character in text).split()
    return max((int(token) for token in tokens if len(token) == 4 and 1800 <= int(token) <= 2024), default=None)


def test_every_pair_of_the_sample_has_the_features_of_its_texts(monkeypatch):
    dataset = ir_datasets.load(ID)
    texts = {doc.doc_id: doc.text for doc in dataset.docs_iter()}
    queries = [query.query_id for query in dataset.queries_iter()]
    pairs = [(query, docno) for query in queries for docno in texts]
    years = {docno: latest_year(text) for docno, text in texts.items()}
    without = queries[0]
    monkeypatch.setattr(
        "ir_coliee.transformers.features.evidence.decision_year",
        lambda text, _: None if text == texts[without] else latest_year(text),
    )
    features = CaseFeatures(ID)
    run = pd.DataFrame(pairs, columns=["qid", "docno"])
    found = pd.DataFrame(feature_matrix(features(run)), columns=features.feature_names)
    assert found.candidate_is_query.tolist() == [docno in queries for _, docno in pairs]
    for side, column in ((0, "query"), (1, "candidate")):
        lengths = [np.log1p(len(texts[pair[side]])) for pair in pairs]
        assert found[f"log_length_of_{column}"].tolist() == pytest.approx(lengths)
        assert found[f"markers_of_{column}"].tolist() == [texts[pair[side]].count("_SUPPRESSED") for pair in pairs]
    ratios = found.log_length_of_candidate - found.log_length_of_query
    assert found.log_length_ratio.tolist() == pytest.approx(ratios.tolist())
    unknown = [without in pair for pair in pairs]
    assert found.year_missing.tolist() == unknown
    between = [0 if missing else years[q] - years[d] for missing, (q, d) in zip(unknown, pairs)]
    assert found.years_between.tolist() == between
    assert len(set(between)) > 2
