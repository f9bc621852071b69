"""Graph features in a frame, against the same features of a pool that is given as matrices."""

import ir_datasets
import numpy as np
import pandas as pd
import pytest

from ir_coliee.engine.cases.candidates import CandidateGraph, Candidates, graph_features
from ir_coliee.engine.cases.terms import bigram_vectors
from ir_coliee.engine.cases.texts import CaseCollection, TextPool
from ir_coliee.errors import ColieeError
from ir_coliee.transformers import CandidateGraphFeatures
from ir_coliee.transformers.features import feature_matrix

TEST = "coliee/task1/sample/test"


@pytest.fixture(scope="module")
def run():
    """Every document for three queries, in any order, with probabilities."""
    random = np.random.default_rng(1)
    dataset = ir_datasets.load(TEST)
    queries = {query.query_id: query.default_text() for query in dataset.queries_iter()}
    rows = [(qid, doc.doc_id) for qid in [*queries][:3] for doc in dataset.docs_iter() if doc.doc_id != qid]
    frame = pd.DataFrame(rows, columns=["qid", "docno"])
    return frame.assign(query=frame["qid"].map(queries), score=random.random(len(rows)) ** 3).sample(
        frac=1, random_state=1
    )


def test_the_features_are_those_of_the_pool(run):
    found = feature_matrix(CandidateGraphFeatures(TEST)(run))
    documents = {doc.doc_id: doc.default_text() for doc in ir_datasets.load(TEST).docs_iter()}
    collection = CaseCollection.of(documents.items(), workers=1)
    qids = sorted(run["qid"].unique())
    texts = np.unique(collection.text_numbers(documents))
    pool = TextPool(collection.sequences, collection.text_numbers(qids), texts)
    rows = run.assign(row=[qids.index(qid) for qid in run["qid"]])
    rows["column"] = np.searchsorted(texts, collection.text_numbers(run["docno"]))
    of_texts = rows.groupby(["row", "column"])["score"].max()  # the sample has duplicates
    assert len(of_texts) < len(rows)
    candidates = Candidates(*(of_texts.index.get_level_values(name).to_numpy() for name in ("row", "column")))
    graph = CandidateGraph.of(candidates, *bigram_vectors(pool, 0.1))
    expected = pd.DataFrame(graph_features(graph, of_texts.to_numpy()), of_texts.index)
    np.testing.assert_allclose(found, expected.loc[[*zip(rows["row"], rows["column"])]], atol=1e-6)


def test_scores_are_probabilities_and_missing_ones_are_0(run):
    features = CandidateGraphFeatures(TEST)
    odd = run.assign(score=np.where(run["score"] < 0.1, np.nan, np.where(run["score"] > 0.7, 5.0, run["score"])))
    plain = run.assign(score=odd["score"].fillna(0.0).clip(0, 1))
    np.testing.assert_array_equal(feature_matrix(features(odd)), feature_matrix(features(plain)))


def test_a_candidate_of_another_split_is_named(run):
    other = pd.DataFrame({"qid": ["1"], "query": ["a lamp"], "docno": ["999999"], "score": [0.5]})
    with pytest.raises(ColieeError, match=r"999999 is not a document of coliee/task1/sample/test\.\nPass results"):
        CandidateGraphFeatures(TEST)(other)
