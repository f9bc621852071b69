"""Features of siblings, structure and references on frames: those of the matrices of all articles."""

import numpy as np
import pandas as pd

from ir_coliee.engine.articles import collection as engine
from ir_coliee.engine.articles.collection import ArticleCollection
from ir_coliee.transformers import ArticleFeatures
from ir_coliee.transformers.features.learning import feature_matrix

CODE = "coliee/task3/sample/en"
COLLECTION = ArticleCollection.of(CODE)
QIDS = ["R99-01-A", "R99-01-I", "R99-01-U", "R99-02-A", "keys"]


def test_each_row_has_the_features_of_its_question_and_article():
    random = np.random.default_rng(2)
    pairs = [(qid, docno) for qid in QIDS for docno in random.choice(COLLECTION.docnos[:20], 18, replace=False)]
    frame = pd.DataFrame(pairs, columns=["qid", "docno"]).sample(frac=1, random_state=2)
    frame = frame.assign(score=random.normal(size=len(frame)), bm25=random.random(len(frame)).round(1))
    transformer = ArticleFeatures(CODE, ["score", "bm25"])
    found = pd.DataFrame(feature_matrix(transformer(frame)), columns=transformer.feature_names)
    rows, columns = frame["qid"].map(QIDS.index), frame["docno"].map(COLLECTION.docnos.tolist().index)
    expected = {}
    for column in ("score", "bm25"):
        scores = np.zeros((len(QIDS), len(COLLECTION.docnos)))  # an article that the frame lacks has 0
        scores[rows, columns] = frame[column]
        evidence = engine.evidence(scores, 2.0)
        families = {
            "siblings": engine.sibling_features(evidence, np.array([0, 0, 0, 1, 2]), COLLECTION.units),
            "structure": engine.structure_features(scores, COLLECTION.units),
            "references": engine.reference_features(scores, COLLECTION),
        }
        for family, of_family in families.items():
            expected |= {f"{column}.{family}.{name}": each[rows, columns] for name, each in of_family.items()}
    expected["number.number"] = rows.map([1, 1, 1, 2, 0].__getitem__)
    expected["number.place"], expected["number.group_size"] = columns, rows.map([3, 3, 3, 1, 1].__getitem__)
    assert found.columns.tolist() == [*expected]
    np.testing.assert_array_equal(found, np.column_stack([*expected.values()]))
    assert found.any().all()
