"""Answers by a classifier of encoded questions and texts."""

import numpy as np
import pandas as pd
import pytest
from components.encoded_pairs import EncodedPairs

from ir_coliee.errors import ColieeError
from ir_coliee.models.embedder import Embeddings

AXES = {"lamp": 0, "gate": 1, "well": 2}


class Counts:
    """Texts as the counts of three words."""

    def embed_documents(self, texts):
        vectors = [[text.split().count(word) for word in AXES] for text in texts]
        return Embeddings(np.array(vectors, dtype=np.float32).reshape(-1, 3), np.ones(len(texts), dtype=np.int64))

    embed_queries = embed_documents


class Shared:
    """Yes where question and text share a word: the last three features, the product, are not all 0."""

    def fit(self, features, labels):
        self.fitted_on = features, labels
        return self

    def decision_function(self, features):
        return np.where(features[:, -3:].any(axis=1), 2.0, -2.0)


def asked(*rows):
    return pd.DataFrame(rows, columns=["qid", "query", "text"])


GOLD = pd.DataFrame({"qid": ["1", "2", "3"], "docno": ["Y", "N", "Y"], "label": 1})


def test_the_most_similar_text_of_a_question_counts_and_all_its_rows_bear_the_answer():
    learned = EncodedPairs(Counts(), Shared()).fit(asked(("1", "lamp", "lamp"), ("2", "gate", "well")), GOLD)
    given = asked(("5", "lamp", "gate"), ("6", "well", "gate"), ("5", "lamp", "lamp gate"))
    assert learned(given)["yes"].round(3).tolist() == [0.881, 0.119, 0.881]
    assert learned(given[:0]).columns.tolist() == ["qid", "query", "text", "qanswer", "yes"]


def test_it_learns_from_one_row_for_each_answered_question_and_leaves_the_given_classifier():
    classifier = Shared()
    rows = asked(("9", "lamp", "lamp"), ("2", "gate", "well"), ("1", "lamp", "gate"), ("1", "lamp", "lamp lamp"))
    learned = EncodedPairs(Counts(), classifier).fit(rows, GOLD)
    features, labels = learned.fitted_model().fitted_on
    assert labels.tolist() == [0.0, 1.0]
    lamps = [1, 0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0]  # question, text, difference, product
    assert features.tolist() == [[0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0], lamps]
    assert not hasattr(classifier, "fitted_on")


def test_without_a_fit_or_with_one_answer_alone_it_says_so():
    with pytest.raises(ValueError, match="is not fitted"):
        EncodedPairs(Counts(), Shared())(asked(("1", "lamp", "lamp")))
    with pytest.raises(ColieeError, match="both classes"):
        EncodedPairs(Counts(), Shared()).fit(asked(("1", "lamp", "lamp"), ("3", "gate", "gate")), GOLD)
