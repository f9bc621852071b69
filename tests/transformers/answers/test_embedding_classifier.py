"""Embeddings and logistic regression; with a tiny encoder of random weights."""

import pickle

import pandas as pd
import pytest

pytest.importorskip("sentence_transformers")
pytest.importorskip("sklearn")

from sentence_transformers import SentenceTransformer
from sklearn.linear_model import LogisticRegression

from ir_coliee.errors import ColieeError
from ir_coliee.models.tiny_checkpoints import tiny_checkpoint
from ir_coliee.transformers.answers.classifiers import EmbeddingClassifier

LAMP, GATE = "the lamp was lent", "9876 GATE 5432"


def pool(*texts):
    rows = [(str(n), text, label, 0.0) for n, text in enumerate(texts) for label in "YN"]
    return pd.DataFrame(rows, columns=["qid", "query", "docno", "score"])


def gold(answers):
    return pd.DataFrame({"qid": [str(n) for n in range(len(answers))], "docno": list(answers), "label": 1})


@pytest.fixture(scope="module")
def encoder():
    return tiny_checkpoint("encoder")


def test_its_probabilities_are_those_of_the_two_libraries_called_by_hand(encoder):
    vectors = SentenceTransformer(encoder).encode([LAMP, GATE, LAMP + "!"], normalize_embeddings=True)
    expected = LogisticRegression(max_iter=1000).fit(vectors, ["Y", "N", "Y"]).predict_proba(vectors)[:, 1]
    seen = pool(LAMP, GATE, LAMP + "!")
    results = EmbeddingClassifier(encoder, "query").fit(seen, gold("YNY"))(seen)
    assert results[results["docno"] == "Y"]["score"].tolist() == pytest.approx(expected, abs=1e-5)
    assert results.groupby("qid")["score"].sum().tolist() == pytest.approx([1.0] * 3)


def test_a_claim_is_accepted_or_not(encoder):
    claims = pd.DataFrame({"qid": "1", "docno": ["1_p0", "1_d0"], "text": [GATE, LAMP], "score": 0.0})
    labels = pd.DataFrame({"qid": "1", "docno": ["1_p0", "1_d0"], "label": [0, 1]})
    assert EmbeddingClassifier(encoder, "text").fit(claims, labels)(claims)["docno"].tolist() == ["1_d0", "1_p0"]


def test_a_pickled_one_holds_no_encoder_and_answers_the_same(encoder):
    fitted = EmbeddingClassifier(encoder, "query").fit(pool(LAMP, GATE), gold("YN"))
    packed = pickle.dumps(fitted)
    assert len(packed) < 5000
    pd.testing.assert_frame_equal(pickle.loads(packed)(pool(LAMP)), fitted(pool(LAMP)))


def test_a_folder_that_is_not_there_is_refused():
    with pytest.raises(ColieeError, match="The embedder /nowhere/at/all cannot be loaded"):
        EmbeddingClassifier("/nowhere/at/all", "query").fit(pool(LAMP, GATE), gold("YN"))
