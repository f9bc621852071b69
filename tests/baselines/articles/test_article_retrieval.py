"""The learned baseline of task 3 on synthetic editions: what it answers, from which labels, and without extras."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines import articles, plan_baseline, run_baseline
from ir_coliee.baselines.articles import STANDARD, ArticleBaseline
from ir_coliee.baselines.bm25 import bm25_ranker
from ir_coliee.baselines.recipes import BoostedLearner, LogisticLearner, held_out
from ir_coliee.baselines.training import TrainingData, topics, training_data
from ir_coliee.editions import SPLITS
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.synthetic import write_release
from ir_coliee.text.statutes import exam_id

pytestmark = pytest.mark.slow

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")

QUICK = replace(
    STANDARD, learners=(BoostedLearner(num_iterations=8, learning_rate=0.3, num_leaves=8), LogisticLearner(c=0.02))
)


@pytest.fixture
def quick(monkeypatch):
    """Few trees: what is learned well is measured elsewhere."""
    monkeypatch.setattr(articles, "STANDARD", QUICK)


def synthetic_split(release, home, monkeypatch, scale=0.01):
    write_release(release, home, scale=scale, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(home))
    return SPLITS[f"{release}/test"]


@pytest.mark.parametrize(
    "release",
    [
        pytest.param("coliee/task3/2017/en", marks=pytest.mark.long),
        pytest.param("coliee/task3/2021/ja", marks=pytest.mark.long),
        "coliee/task3/2026/ja",
    ],
)
def test_releases_of_each_era_are_answered_and_the_same_again(tmp_path, monkeypatch, quick, release):
    split = synthetic_split(release, tmp_path, monkeypatch)
    run = ArticleBaseline(split, training_data(split)).run()
    assert run.tag == "learned"
    assert split.train.id in run.notes[0]
    assert "optimistic" not in run.notes[0]
    assert any("without labels" in note for note in run.notes)
    asked = set(topics(split)["qid"])
    assert set(run.answers["qid"]) == set(run.ranking["qid"]) == asked
    pairs = list(zip(run.ranking["qid"], run.ranking["docno"]))
    assert len(set(pairs)) == len(pairs)
    assert set(zip(run.answers["qid"], run.answers["docno"])) <= set(pairs)
    assert run.answers.groupby("qid").size().between(1, 5).all()
    assert run.ranking.groupby("qid").size().max() <= 100
    by_bm25 = bm25_ranker(split)(topics(split))
    assert set(zip(by_bm25["qid"], by_bm25["docno"])) <= set(pairs)  # the release has fewer than 100 articles
    assert set(run.train_ranking["qid"]) == set(topics(split.train)["qid"])
    for _ in ("from what is kept", "computed again"):
        again = ArticleBaseline(split, training_data(split)).run()
        assert again.answers.equals(run.answers)
        assert again.ranking.equals(run.ranking)
        assert again.train_ranking.equals(run.train_ranking)
        monkeypatch.setattr("ir_coliee.baselines.learned.cache.find", lambda *_: None)


def blocks_of(train):
    return ArticleBaseline(train, training_data(train)).train_blocks()


def test_no_label_of_a_year_reaches_what_it_is_scored_by(tmp_path, monkeypatch):
    train = synthetic_split("coliee/task3/2024/en", tmp_path, monkeypatch, scale=0.005).train
    gold = training_data(train).qrels()
    scored = held_out(QUICK, blocks_of(train), gold)
    year = exam_id(gold["qid"][0]).year
    own = gold["qid"].map(lambda qid: exam_id(qid).year) == year
    others = np.random.default_rng(0).permutation(gold.loc[~own, "docno"].unique())[: own.sum()]
    permuted = gold.assign(docno=gold["docno"].mask(own, pd.Series([*others], index=gold.index[own])))
    monkeypatch.setattr(TrainingData, "qrels", lambda self: permuted)
    again = held_out(QUICK, blocks_of(train), permuted)

    def rows(run, of_year):
        is_own = run["qid"].map(lambda qid: exam_id(qid).year) == year
        return run[is_own == of_year].reset_index(drop=True)

    assert own.sum() > 3
    assert rows(scored.run, True).equals(rows(again.run, True))
    assert not rows(scored.run, False).equals(rows(again.run, False))


def test_the_questions_of_the_train_split_are_answered_by_models_of_other_years(tmp_path, monkeypatch, quick):
    train = synthetic_split("coliee/task3/2024/en", tmp_path, monkeypatch).train
    run = ArticleBaseline(train, training_data(train)).run()
    assert "each exam year is scored by a model of the others" in run.notes[0]
    assert "optimistic" not in run.notes[0]  # the cut-off is given
    scored = held_out(QUICK, blocks_of(train), training_data(train).qrels())
    candidates = run.ranking[run.ranking["score"] >= 0].set_index(["qid", "docno"])["score"].sort_index()
    assert candidates.equals(scored.run.set_index(["qid", "docno"])["score"].sort_index())
    assert run.train_ranking.equals(run.ranking)


def test_questions_without_a_relevant_article_in_the_code_are_answered_but_not_learned_from(
    tmp_path, monkeypatch, quick
):
    train = synthetic_split("coliee/task3/2024/en", tmp_path, monkeypatch, scale=0.005).train
    gold = training_data(train).qrels()
    lost = gold["qid"][0]
    of_others = gold.assign(docno=gold["docno"].mask(gold["qid"] == lost, "9999"))
    monkeypatch.setattr(TrainingData, "qrels", lambda self: of_others)
    fitted_on, fit = [], LogisticLearner.fit

    def counted_fit(self, values, *others):
        fitted_on.append(len(values))
        return fit(self, values, *others)

    monkeypatch.setattr(LogisticLearner, "fit", counted_fit)
    scored = ArticleBaseline(train, training_data(train)).held_out()
    assert lost in {*scored.run["qid"]}
    rows = [int((block.table.qids != lost).sum()) for block in scored.blocks]
    assert sorted(fitted_on) == sorted(sum(rows) - of_block for of_block in rows)


@pytest.mark.parametrize(
    ("release", "module", "extra"),
    [("coliee/task3/2024/en", "Stemmer", "learn"), ("coliee/task3/2026/ja", "fugashi", "ja")],
)
def test_without_the_extra_for_stems_words_are_used_and_the_extra_is_named(
    tmp_path, monkeypatch, quick, release, module, extra
):
    split = synthetic_split(release, tmp_path, monkeypatch, scale=0.005)
    monkeypatch.setitem(sys.modules, module, None)
    from ir_coliee.text import japanese

    japanese._tagger.cache_clear()
    run = ArticleBaseline(split, training_data(split)).run()
    assert any(f"ir_coliee[{extra}]" in note and "instead of stems" in note for note in run.notes)
    assert set(run.answers["qid"]) == set(topics(split)["qid"])
    japanese._tagger.cache_clear()


@pytest.mark.parametrize(
    ("split", "reason"),
    [
        ("coliee/task3/sample/en/test", "coliee/task3/sample/en/train has only one exam year"),
        ("coliee/task3/sample/ja/r98", "no exam year before R98"),
    ],
)
def test_without_years_or_labels_words_answer_alone_and_say_why(split, reason):
    with pytest.raises(InsufficientTrainingDataError, match=reason):
        ArticleBaseline(SPLITS[split], training_data(SPLITS[split]))
    plan = plan_baseline(SPLITS[split])
    assert plan.tags == ("bm25",)
    [run] = run_baseline(SPLITS[split])
    assert run.tag == "bm25"
    assert any(reason in note for note in run.warnings)
