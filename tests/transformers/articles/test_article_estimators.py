"""Scores of articles as a PyTerrier estimator: what it retrieves, and which labels it uses."""

import re
import sys

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.engine.articles.collection import ArticleCollection, ArticleQuestions
from ir_coliee.engine.articles.evidence import EVIDENCE, ArticleEvidence
from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError
from ir_coliee.text.analysers import English, JapaneseLemmas, Stems
from ir_coliee.transformers import ArticleScores

CODE = "coliee/task3/sample/en"
TRAIN = pt.get_dataset(f"irds:{CODE}/train")
TOPICS, QRELS = TRAIN.get_topics(), TRAIN.get_qrels()
ASKED = pt.get_dataset(f"irds:{CODE}/test").get_topics()

#: Half of the questions of the sample's train year as an exam year of their own.
_MOVED = {qid: qid.replace("R98", "H98") for qid in TOPICS["qid"][::2]}
TWO_YEARS, TWO_YEARS_QRELS = (frame.assign(qid=frame["qid"].replace(_MOVED)) for frame in (TOPICS, QRELS))
IS_OWN = TWO_YEARS["qid"].str.startswith("H98")
CHANGED = TWO_YEARS_QRELS.assign(docno=TWO_YEARS_QRELS["docno"].mask(TWO_YEARS_QRELS["qid"].str.startswith("H98"), "3"))


def fitted(name, topics=TWO_YEARS, qrels=TWO_YEARS_QRELS):
    return ArticleScores(CODE, name).fit(topics, qrels)


def test_all_articles_are_retrieved_and_rescored_alike():
    model = fitted("ridge.characters", TOPICS, QRELS)
    retrieved = model(ASKED)
    assert retrieved.groupby("qid").size().tolist() == [105] * len(ASKED)
    rescored = model(retrieved.drop(columns=["score", "rank"])[::-1].assign(score=0.0, rank=0))
    columns, order = ["qid", "docno", "score"], ["qid", "docno"]
    pd.testing.assert_frame_equal(
        *(frame[columns].sort_values(order, ignore_index=True) for frame in (retrieved, rescored))
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", EVIDENCE)
def test_scores_are_those_of_the_table_for_labelled_and_asked_questions(name):
    """A question that is in both has its labels, and the text of the frame."""
    collection, changed = ArticleCollection.of(CODE), TWO_YEARS[:2].assign(query="A boat and a pledge.")
    asked = pd.concat([ASKED[:3], changed], ignore_index=True)
    train = pd.concat([changed, TWO_YEARS[2:]], ignore_index=True)
    pool = ArticleQuestions.of(collection, train, TWO_YEARS_QRELS, ASKED[:3])
    rows = np.array([len(train), len(train) + 1, len(train) + 2, 0, 1])
    expected = ArticleEvidence(pool, rows, Stems.of("en").analyser).scores([name])[name]
    found = fitted(name)(asked).pivot(index="qid", columns="docno", values="score")
    assert (found.loc[asked["qid"], collection.docnos].to_numpy() == expected).all()
    assert expected.any()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EVIDENCE if not name.startswith("lexical.")])
def test_labels_of_an_exam_year_do_not_reach_its_own_scores(name):
    """Nor those of a question of that year that was not fitted."""
    before, after = (fitted(name, TWO_YEARS[1:], qrels) for qrels in (TWO_YEARS_QRELS, CHANGED))
    pd.testing.assert_frame_equal(before(TWO_YEARS[IS_OWN]), after(TWO_YEARS[IS_OWN]), check_exact=True)
    assert not before(TWO_YEARS[~IS_OWN]).equals(after(TWO_YEARS[~IS_OWN]))
    assert not before(ASKED).equals(after(ASKED))


def test_an_unknown_article_and_missing_labels_are_refused():
    with pytest.raises(ColieeError, match=f"Document 2099 is not in {CODE}"):
        fitted("past.frequency")(ASKED[:1].assign(docno="2099", score=0.0))
    with pytest.raises(InsufficientTrainingDataError, match="None of the 30 questions has a relevant article"):
        fitted("past.frequency", TOPICS, QRELS.assign(label=0))


@pytest.mark.parametrize(("language", "module"), [("en", "Stemmer"), ("ja", "fugashi")])
def test_without_its_extra_a_language_has_no_stems_and_the_user_is_told(language, module, monkeypatch, recwarn):
    from ir_coliee.text import japanese

    monkeypatch.setitem(sys.modules, module, None)
    japanese._tagger.cache_clear()
    code = f"coliee/task3/sample/{language}"
    train = pt.get_dataset(f"irds:{code}/train")
    analyser, (note,) = Stems.of(language)
    assert analyser == ("bigrams" if language == "ja" else English(stem=False))
    with pytest.warns(ColieeWarning, match=re.escape(f"ArticleScores: {note}")):
        ArticleScores(code, "translation.ibm1").fit(train.get_topics(), train.get_qrels())
    recwarn.clear()
    ArticleScores(code, "ridge.characters").fit(train.get_topics(), train.get_qrels())  # without stems
    assert not [warning for warning in recwarn.list if issubclass(warning.category, ColieeWarning)]
    japanese._tagger.cache_clear()


def test_with_its_extra_a_language_has_stems():
    pytest.importorskip("Stemmer")
    pytest.importorskip("unidic_lite")
    assert Stems.of("en") == (English(), ())
    assert Stems.of("ja") == (JapaneseLemmas(), ())
