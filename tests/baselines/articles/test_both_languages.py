"""The recipe of task 3 that uses both languages: the mean of two models, where the edition allows it."""

import re
import shutil
from dataclasses import replace

import pandas as pd
import pytest

from ir_coliee.baselines import run_baseline
from ir_coliee.baselines.articles import retrieval
from ir_coliee.baselines.articles.retrieval import CUTOFF, STANDARD, mean_of_languages
from ir_coliee.baselines.learned import LearnedBaseline
from ir_coliee.baselines.recipes import BoostedLearner, LogisticLearner
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeError, MissingLabelsError, MissingReleaseError
from ir_coliee.synthetic import write_release

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")

QUICK = replace(STANDARD, learners=(BoostedLearner(num_iterations=4, num_leaves=4), LogisticLearner(c=0.02)))
ENGLISH = "coliee/task3/2024/en/test"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(retrieval, "STANDARD", QUICK)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    for language in ("en", "ja"):
        write_release(f"coliee/task3/2024/{language}", tmp_path, scale=0.005, seed=3)
    return tmp_path


def test_an_article_that_a_run_lacks_has_the_probability_0():
    own = pd.DataFrame({"qid": [*"1112"], "docno": [*"abca"], "score": [0.8, 0.6, 0.2, 0.9]})
    other = pd.DataFrame({"qid": [*"113"], "docno": [*"bda"], "score": [0.4, 0.9, 1.0]})
    found = mean_of_languages(own, other)
    assert [*zip(found["qid"], found["docno"], found["score"], found["rank"])] == [
        ("1", "b", pytest.approx(0.5), 0),
        ("1", "d", pytest.approx(0.45), 1),
        ("1", "a", pytest.approx(0.4), 2),
        ("1", "c", pytest.approx(0.1), 3),
        ("2", "a", pytest.approx(0.9), 0),  # its question is in one language only
    ]


@pytest.mark.slow
def test_the_run_is_the_mean_of_the_models_of_both_languages(home):
    probabilities = {}
    for language in ("en", "ja"):
        run = run_baseline(ENGLISH.replace("en", language))[-1]
        assert run.tag == "learned"
        of_pairs = run.ranking.set_index(["qid", "docno"])["score"]
        probabilities[language] = of_pairs[of_pairs >= 0].to_dict()
    both = run_baseline(ENGLISH, recipe="both-languages")[-1]
    ids = {language: {qid for qid, _ in pairs} for language, pairs in probabilities.items()}
    assert ids["en"] == {*both.answers["qid"]}
    assert ids["en"] & ids["ja"]
    for qid, docno, score in zip(both.ranking["qid"], both.ranking["docno"], both.ranking["score"]):
        if score >= 0:
            values = [pairs.get((qid, docno), 0.0) for language, pairs in probabilities.items() if qid in ids[language]]
            assert score == pytest.approx(sum(values) / len(values))
    assert both.answers.to_numpy().tolist() == CUTOFF(both.ranking).to_numpy().tolist()
    shared = f"for {len(ids['en'] & ids['ja'])} of {len(ids['en'])} questions"
    assert shared in both.notes[0]
    assert "to be submitted for English" in both.notes[0]


@pytest.mark.slow
def test_no_features_are_left_out_of_both_models(home):
    from ir_coliee.baselines import plan_baseline

    with pytest.raises(ColieeError, match="--ablate is for the model of one language"):
        plan_baseline(SPLITS[ENGLISH], recipe="both-languages").ablation()


@pytest.mark.slow
def test_without_the_release_of_the_other_language_it_is_named(home):
    [japanese] = [folder for folder in home.iterdir() if folder.name.endswith("Japanese")]
    shutil.rmtree(japanese)
    with pytest.raises(MissingReleaseError, match="coliee/task3/2024/ja/test"):
        run_baseline(ENGLISH, recipe="both-languages")


@pytest.mark.slow
def test_missing_labels_of_the_other_language_are_reported_before_anything_is_fitted(home, monkeypatch):
    for path in home.rglob("train/*_jp.xml"):
        path.write_text(re.sub(r"<t1>.*?</t1>", "<t1></t1>", path.read_text("utf-8"), flags=re.DOTALL), "utf-8")
    monkeypatch.setattr(LearnedBaseline, "runs", lambda self: pytest.fail("a model is fitted"))
    with pytest.raises(MissingLabelsError, match="coliee/task3/2024/ja"):
        run_baseline(ENGLISH, recipe="both-languages")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "reason"),
    [
        ("coliee/task3/2025/en", "must not use both languages of a question"),
        ("coliee/task3/2026/ja", "the edition has one language only"),
    ],
)
def test_an_edition_that_forbids_or_lacks_a_second_language_refuses_the_recipe(tmp_path, monkeypatch, release, reason):
    write_release(release, tmp_path, scale=0.005, seed=3)
    monkeypatch.setenv("COLIEE_HOME", str(tmp_path))
    with pytest.raises(ColieeError, match=reason):
        run_baseline(f"{release}/test", recipe="both-languages")


def test_only_the_editions_until_2024_allow_both_languages():
    forbidding = {split.edition for split in SPLITS.values() if split.submission.one_language}
    assert forbidding == {"2025", "sample"}  # the sample follows 2025, and 2026 has one language
    assert all(split.task in ("task3", "task4") for split in SPLITS.values() if split.submission.one_language)
