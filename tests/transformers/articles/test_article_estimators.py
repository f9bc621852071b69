"""Kernel ridge and translation model as PyTerrier estimators: what they retrieve, and which labels they use."""

import re
import sys

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee.engine.articles.collection import ArticleCollection, ExamQuestions
from ir_coliee.engine.articles.evidence import counted, text_scores
from ir_coliee.engine.weightings import TfIdf
from ir_coliee.errors import ColieeError, ColieeWarning, InsufficientTrainingDataError
from ir_coliee.text.analysers import English, JapaneseLemmas
from ir_coliee.text.stems import Stems
from ir_coliee.transformers import ArticleKernelRidge, QuestionNumberFeatures, TranslationModel

CODE = "coliee/task3/sample/en"
TRAIN = pt.get_dataset(f"irds:{CODE}/train")
TOPICS, QRELS = TRAIN.get_topics(), TRAIN.get_qrels()
ASKED = pt.get_dataset(f"irds:{CODE}/test").get_topics()
YEARS = ExamQuestions.of(TOPICS["qid"].tolist()).years

every_estimator = pytest.mark.parametrize("kind", [ArticleKernelRidge, TranslationModel])


def later_exam(topics, qrels):
    """The questions of the sample's train year with half of them moved to another exam year."""
    moved = dict(zip(topics["qid"][::2], topics["qid"][::2].str.replace("R98", "H98")))
    return (
        topics.assign(qid=topics["qid"].replace(moved)),
        qrels.assign(qid=qrels["qid"].replace(moved)),
    )


TWO_YEARS, TWO_YEARS_QRELS = later_exam(TOPICS, QRELS)


@every_estimator
def test_all_articles_are_retrieved_and_rescored_alike(kind):
    model = kind(CODE, analyser="words").fit(TOPICS, QRELS)
    retrieved = model(ASKED)
    pd.testing.assert_frame_equal(model(ASKED.assign(rank=5, score=1.0))[retrieved.columns], retrieved)
    assert retrieved.groupby("qid").size().tolist() == [105] * len(ASKED)
    rescored = model(retrieved.drop(columns=["score", "rank"])[::-1].assign(score=0.0, rank=0))
    pairs = ["qid", "docno", "score"]
    order = ["qid", "docno"]
    pd.testing.assert_frame_equal(
        retrieved[pairs].sort_values(order, ignore_index=True), rescored[pairs].sort_values(order, ignore_index=True)
    )
    shortened = kind(CODE, analyser="words", num_results=3).fit(TOPICS, QRELS)(ASKED)
    pd.testing.assert_frame_equal(shortened, retrieved[retrieved["rank"] < 3].reset_index(drop=True))


def test_kernel_ridge_of_the_sample_by_its_equations():
    articles = [article.default_text() for article in ir_datasets.load(CODE).docs_iter()]
    docnos = [article.doc_id for article in ir_datasets.load(CODE).docs_iter()]
    texts = [*articles, *TWO_YEARS["query"]]
    index = counted(texts, "words")
    kernel = text_scores(index, TfIdf(), texts)
    targets = np.zeros((len(texts), len(articles)))
    targets[: len(articles)] = np.eye(len(articles))
    for qid, docno in zip(TWO_YEARS_QRELS["qid"], TWO_YEARS_QRELS["docno"]):
        targets[len(articles) + TWO_YEARS["qid"].tolist().index(qid), docnos.index(docno)] = 1
    model = ArticleKernelRidge(CODE, analyser="words", ridge=0.8).fit(TWO_YEARS, TWO_YEARS_QRELS)
    for year in ("H98", "R98"):
        own = TWO_YEARS["qid"].str.startswith(year).to_numpy()
        kept = np.append(np.ones(len(articles), dtype=bool), ~own)
        coefficients = np.linalg.solve(kernel[np.ix_(kept, kept)] + 0.8 * np.eye(kept.sum()), targets[kept])
        expected = kernel[len(articles) :][own][:, kept] @ coefficients
        scored = model(TWO_YEARS[own]).pivot(index="qid", columns="docno", values="score")
        np.testing.assert_allclose(scored.loc[TWO_YEARS["qid"][own], docnos], expected, atol=1e-9)


@every_estimator
def test_labels_of_an_exam_year_do_not_reach_its_own_scores(kind):
    own = TWO_YEARS["qid"].str.startswith("H98")
    permuted = TWO_YEARS_QRELS.copy()
    of_year = permuted["qid"].str.startswith("H98")
    permuted.loc[of_year, "docno"] = permuted.loc[of_year, "docno"].to_numpy()[::-1]
    before, after = (kind(CODE, analyser="words").fit(TWO_YEARS, qrels) for qrels in (TWO_YEARS_QRELS, permuted))
    pd.testing.assert_frame_equal(before(TWO_YEARS[own]), after(TWO_YEARS[own]), check_exact=True)
    assert not before(TWO_YEARS[~own])["score"].equals(after(TWO_YEARS[~own])["score"])
    assert not before(ASKED)["score"].equals(after(ASKED)["score"])


@every_estimator
def test_labels_of_other_years_are_used(kind):
    ranks = kind(CODE, analyser="words").fit(TOPICS, QRELS)(TOPICS.assign(qid=TOPICS["qid"].str.replace("R98", "R99")))
    gold = QRELS.assign(qid=QRELS["qid"].str.replace("R98", "R99"))
    assert ranks.merge(gold, on=["qid", "docno"])["rank"].mean() < 1  # these very questions have been seen


@every_estimator
def test_nor_do_they_reach_a_question_of_that_year_that_was_not_fitted(kind):
    first, others = TWO_YEARS[:1], TWO_YEARS[1:]
    assert first["qid"].item().startswith("H98")
    permuted = TWO_YEARS_QRELS.copy()
    of_year = permuted["qid"].str.startswith("H98")
    permuted.loc[of_year, "docno"] = permuted.loc[of_year, "docno"].to_numpy()[::-1]
    before, after = (kind(CODE, analyser="words").fit(others, qrels)(first) for qrels in (TWO_YEARS_QRELS, permuted))
    pd.testing.assert_frame_equal(before, after, check_exact=True)


@every_estimator
def test_an_unknown_article_and_missing_labels_are_refused(kind):
    model = kind(CODE, analyser="words").fit(TOPICS, QRELS)
    with pytest.raises(ColieeError, match=f"2099 is not an article of {CODE}"):
        model(ASKED[:1].assign(docno="2099", score=0.0))
    with pytest.raises(InsufficientTrainingDataError, match="None of the 30 questions has a relevant article"):
        kind(CODE, analyser="words").fit(TOPICS, QRELS.assign(label=0))
    with pytest.raises(ValueError, match="is not fitted"):
        kind(CODE)(ASKED)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ArticleKernelRidge(CODE, ridge=0), "ridge must be a finite number > 0, got 0"),
        (lambda: TranslationModel(CODE, folds=0), "folds must be an integer >= 1, got 0"),
        (lambda: TranslationModel(CODE, rounds=0), "rounds must be an integer >= 1, got 0"),
        (lambda: TranslationModel(CODE, num_results=0), "num_results must be an integer >= 1, got 0"),
        (lambda: QuestionNumberFeatures(CODE, nearest=0), "nearest must be an integer >= 1, got 0"),
        (lambda: ArticleKernelRidge(CODE, analyser="stems"), "analyser must be one of words"),
    ],
)
def test_parameters_out_of_range_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(("language", "module"), [("en", "Stemmer"), ("ja", "fugashi")])
@every_estimator
def test_without_its_extra_a_language_has_no_stems_and_the_user_is_told(kind, language, module, monkeypatch):
    from ir_coliee.text import japanese

    monkeypatch.setitem(sys.modules, module, None)
    japanese._tagger.cache_clear()
    code = f"coliee/task3/sample/{language}"
    train = pt.get_dataset(f"irds:{code}/train")
    analyser, (note,) = Stems.of(language)
    assert analyser == ("bigrams" if language == "ja" else English(stem=False))
    with pytest.warns(ColieeWarning, match=re.escape(f"{kind.__name__}: {note}")):
        model = kind(code).fit(train.get_topics(), train.get_qrels())
    expected = kind(code, analyser=analyser).fit(train.get_topics(), train.get_qrels())
    pd.testing.assert_frame_equal(model(train.get_topics()), expected(train.get_topics()))


def test_with_its_extra_a_language_has_stems():
    pytest.importorskip("Stemmer")
    pytest.importorskip("unidic_lite")
    assert Stems.of("en") == (English(), ())
    assert Stems.of("ja") == (JapaneseLemmas(), ())


def test_the_fitted_density_has_the_labels_of_other_years_alone():
    features = QuestionNumberFeatures(CODE).fit(TWO_YEARS, TWO_YEARS_QRELS)
    docnos = ArticleCollection.of(CODE).docnos
    run = pd.DataFrame({"qid": "H98-01-A", "docno": docnos, "score": 0.0})
    permuted = TWO_YEARS_QRELS.copy()
    of_year = permuted["qid"].str.startswith("H98")
    permuted.loc[of_year, "docno"] = permuted.loc[of_year, "docno"].to_numpy()[::-1]
    after = QuestionNumberFeatures(CODE).fit(TWO_YEARS, permuted)
    for frame, same in ((run, True), (run.assign(qid="R98-01-A"), False)):
        values = [np.stack(each(frame)["features"].tolist()) for each in (features, after)]
        assert np.array_equal(*values) is same
    number, place, *_ = values[0].T
    assert number.tolist() == [1.0] * 105
    assert place.tolist() == list(range(105))
