import sys

import pandas as pd
import pytest

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.transformers.answers.classifiers import MajorityAnswer, TfidfClassifier

LAMPS, GATES = "the lamp was lent", "the gate was sold"


def answers(*gold, label=1):
    return pd.DataFrame({"qid": [str(n + 1) for n in range(len(gold))], "docno": list(gold), "label": label})


def pool(*texts, labels=("Y", "N"), column="query"):
    rows = [(str(n + 1), text, label, 0.0) for n, text in enumerate(texts) for label in labels]
    return pd.DataFrame(rows, columns=["qid", column, "docno", "score"])


def best(results):
    return results.groupby("qid", sort=False)["docno"].first().tolist()


def claims(*texts):
    rows = [(str(n + 1), f"{n + 1}_p0", text) for n, text in enumerate(texts)]
    return pd.DataFrame(rows, columns=["qid", "docno", "text"])


def claim_labels(*labels):
    rows = [(str(n + 1), f"{n + 1}_p0", label) for n, label in enumerate(labels)]
    return pd.DataFrame(rows, columns=["qid", "docno", "label"])


def test_the_more_frequent_answer_comes_first_with_its_share():
    results = MajorityAnswer().fit(pool(), answers("N", "Y", "N", "N"))(pool("a", "b"))
    assert results["docno"].tolist() == ["N", "Y", "N", "Y"]
    assert results["score"].tolist() == [0.75, 0.25, 0.75, 0.25]
    assert results["rank"].tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_text_gets_the_label_of_texts_like_it(language):
    classifier = TfidfClassifier("query", language=language)
    classifier.fit(pool(LAMPS, GATES, LAMPS, GATES), answers("Y", "N", "Y", "N"))
    results = classifier(pool("a lamp lent", "a gate sold"))
    assert best(results) == ["Y", "N"]
    assert results.groupby("qid")["score"].sum().tolist() == pytest.approx([1.0, 1.0])


def test_characters_are_the_features_of_japanese():
    texts, gold = ["売買代金", "賃貸借", "売買契約", "賃貸物"], answers("Y", "N", "Y", "N")
    results = TfidfClassifier("query", language="ja").fit(pool(*texts), gold)(pool("売買", "賃貸"))
    assert best(results) == ["Y", "N"]


def test_each_candidate_with_a_text_of_its_own_is_accepted_or_not():
    classifier = TfidfClassifier("text", language="en").fit(claims(LAMPS, GATES, LAMPS), claim_labels(1, 0, 1))
    results = classifier(claims("the lamp", "the gate").assign(qid="1"))
    assert results["docno"].tolist() == ["1_p0", "2_p0"]
    high, low = results["score"]
    assert 1 > high > low > 0


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[learn\]"):
        TfidfClassifier("query", language="en").fit(pool(LAMPS, GATES), answers("Y", "N"))


TEXTS = claims("A gate.", "A lamp.").assign(query="A gate.", score=0.0)
TWICE = pd.concat([TEXTS, TEXTS[["text"]]], axis=1)


@pytest.mark.parametrize(
    ("classifier", "topics", "labels", "error", "message"),
    [
        (MajorityAnswer(), TEXTS, ["yes", "no"], ColieeError, "must be numbers"),
        (MajorityAnswer(), TEXTS, [0, 0], ColieeError, "training needs"),
        (TfidfClassifier("query", language="en"), TEXTS, ["yes", "no"], ColieeError, "must be numbers"),
        (TfidfClassifier("query", language="en"), TEXTS, [0, 0], ColieeError, "training needs"),
        (TfidfClassifier("text", language="en"), TEXTS.drop(columns="docno"), [1, 0], KeyError, "docno"),
        (TfidfClassifier("text", language="en"), TWICE, [1, 0], ColieeError, "text occurs twice"),
        (TfidfClassifier("text", language="en"), TEXTS.assign(text="?"), [1, 0], ColieeError, "give no features"),
    ],
)
def test_what_teaches_nothing_is_refused(classifier, topics, labels, error, message):
    with pytest.raises(error, match=message):
        classifier.fit(topics, claim_labels(*labels))
