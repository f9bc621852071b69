"""Learners as estimators, predictions out of fold, importances."""

import pickle
import sys
import warnings

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.transformers import LexicalIndex
from ir_coliee.transformers.features import (
    LearnedRanker,
    ScoreFeatures,
    boosted_classifier,
    feature_matrix,
    lambdarank,
    out_of_fold,
)


def candidates(queries=12, depth=10, seed=1):
    """Three features, of which the second tells what is relevant; and the qrels, with grades."""
    values = np.random.default_rng(seed).random((queries * depth, 3))
    run = pd.DataFrame(
        {
            "qid": np.repeat([f"{900 + number}" for number in range(queries)], depth).astype(object),
            "query": "a lamp stood at the gate",
            "docno": np.tile([f"d{number}" for number in range(depth)], queries).astype(object),
            "features": pd.Series(list(values)),
        }
    )
    grades = np.digitize(values[:, 1], [0.7, 0.9])
    return run, run[["qid", "docno"]].assign(label=grades)[grades > 0]


RUN, QRELS = candidates()
FEW = {"n_estimators": 15, "min_child_samples": 3}
LEARNERS = [
    LogisticRegression(),
    RandomForestClassifier(5, random_state=0),
    RandomForestRegressor(5, random_state=0),
    Ridge(),
    LinearSVC(),
    boosted_classifier(**FEW),
    lambdarank(**FEW),
]
every_learner = pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)


@every_learner
def test_any_learner_ranks_what_is_relevant_first_and_warns_of_nothing(learner):
    unseen, qrels = candidates(seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = LearnedRanker(learner).fit(RUN, QRELS)(unseen)
    best = results[results["rank"] == 0].merge(qrels, how="left")
    assert best["label"].notna().mean() > 0.9
    assert not hasattr(learner, "n_features_in_")  # a copy has learned, not the user's


@every_learner
def test_it_learns_the_same_again_and_survives_pickling_without_any_text(learner):
    first, again = LearnedRanker(learner).fit(RUN, QRELS), LearnedRanker(learner).fit(RUN, QRELS)
    expected = first(RUN)
    pd.testing.assert_frame_equal(again(RUN), expected)
    kept = pickle.dumps(first)
    pd.testing.assert_frame_equal(pickle.loads(kept)(RUN), expected)
    assert b"lamp" not in kept


def test_a_probability_is_that_of_being_relevant_at_all():
    learner = LogisticRegression()
    features = feature_matrix(RUN)
    relevant = RUN.merge(QRELS, how="left")["label"].notna()
    expected = learner.fit(features, relevant).predict_proba(features)[:, 1]
    found = LearnedRanker(LogisticRegression()).fit(RUN, QRELS)(RUN)
    by_pair = RUN[["qid", "docno"]].merge(found)["score"]
    assert by_pair.tolist() == pytest.approx(expected.tolist())


class Told:
    """Notes what it is told."""

    def fit(self, features, labels, group=None, eval_set=None, eval_group=None, weight=None):
        self.told = features, labels, group, eval_set, eval_group, weight
        return self

    def predict(self, features):
        return features[:, 0]


def test_a_ranker_is_told_grades_groups_and_what_to_validate_with():
    shuffled = RUN.sample(frac=1, random_state=3)
    valid = RUN[RUN.qid < "903"].iloc[5:]
    model, _ = LearnedRanker(Told(), {"weight": 7}).fit(shuffled, QRELS, valid, QRELS)._fitted_model
    features, labels, group, [(valid_features, valid_labels)], [valid_group], weight = model.told
    assert group.tolist() == [10] * 12
    in_order = shuffled.assign(place=shuffled.qid.map({qid: n for n, qid in enumerate(dict.fromkeys(shuffled.qid))}))
    in_order = in_order.sort_values("place", kind="stable").merge(QRELS, how="left")
    assert labels.tolist() == in_order["label"].fillna(0).tolist()
    assert features.tolist() == np.stack(in_order["features"].tolist()).tolist()
    assert (valid_group.tolist(), len(valid_features), len(valid_labels)) == ([5, 10, 10], 25, 25)
    assert weight == 7


@pytest.mark.parametrize("learner", [lambdarank(**FEW), boosted_classifier(**FEW)], ids=lambda it: type(it).__name__)
def test_boosting_stops_early_by_the_queries_to_validate_with(learner):
    stopping = type(learner)(**{**learner.get_params(), "n_estimators": 500, "early_stopping_round": 3})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model, _ = LearnedRanker(stopping).fit(RUN[:60], QRELS, RUN[60:], QRELS)._fitted_model
    assert model.best_iteration_ < 500


@pytest.mark.parametrize(
    ("run", "qrels", "problem"),
    [
        (RUN, QRELS.assign(label=0), "None of"),
        (RUN, QRELS.assign(qid=QRELS.qid.astype(int)), "The qid .* is not a string"),
        (RUN.merge(QRELS[["qid", "docno"]]), QRELS, "All of"),
        (RUN[:0], QRELS, "None of"),
    ],
)
def test_where_there_is_nothing_to_learn_it_is_said(run, qrels, problem):
    with pytest.raises(ColieeError, match=problem):
        LearnedRanker(Ridge()).fit(run, qrels)


def test_other_features_than_were_learned_from_are_refused():
    learned = LearnedRanker(Ridge()).fit(RUN, QRELS)
    with pytest.raises(ColieeError, match="fitted to 3 features, got 1"):
        learned(RUN.assign(features=[np.array([1.0])] * len(RUN)))


def test_what_has_not_learned_says_so_but_takes_an_empty_frame():
    with pytest.raises(ValueError, match="is not fitted"):
        LearnedRanker(Ridge())(RUN)
    assert list(LearnedRanker(Ridge())(RUN[:0]).columns) == ["qid", "query", "docno", "features", "score", "rank"]


def test_two_are_equal_by_their_learners_parameters_and_what_they_learned():
    assert LearnedRanker(Ridge(alpha=2)) == LearnedRanker(Ridge(alpha=2)) != LearnedRanker(Ridge(alpha=3))
    assert LearnedRanker(Ridge()) != LearnedRanker(LogisticRegression())
    assert LearnedRanker(Ridge()) != LearnedRanker(Ridge(), {"sample_weight": None})
    assert LearnedRanker(Ridge()) != LearnedRanker(Ridge()).fit(RUN, QRELS)
    assert LearnedRanker(Ridge()) != "Ridge"


def test_it_is_fitted_at_the_end_of_a_pipeline():
    index = LexicalIndex.build([{"docno": "a", "text": "lamp"}, {"docno": "b", "text": "lamp gate"}])
    topics = pd.DataFrame({"qid": ["1", "2"], "query": ["lamp", "lamp gate"]})
    qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["a", "b"], "label": 1})
    pipeline = index.bm25() >> ScoreFeatures() >> LearnedRanker(RandomForestClassifier(random_state=0))
    pipeline.fit(topics, qrels)
    table = pt.Experiment([index.bm25(), pipeline], topics, qrels, ["recip_rank"], plan="tree")
    assert table["recip_rank"].tolist()[1] == 1.0


# --- out of fold -----------------------------------------------------------------------------------

QIDS = RUN.qid.unique().tolist()
BY_FOLD = {qid: number % 3 for number, qid in enumerate(QIDS)}
IN_FOLDS = [QIDS[number::3] for number in range(3)]


@pytest.mark.parametrize(
    "folds",
    [
        BY_FOLD,
        IN_FOLDS,
        [set(fold) for fold in IN_FOLDS],
        [(set(QIDS) - set(fold), set(fold)) for fold in IN_FOLDS],
        iter([([qid for qid in QIDS if qid not in fold], fold) for fold in IN_FOLDS]),
    ],
    ids=["by query", "lists", "sets", "pairs", "iterator"],
)
def test_each_query_is_scored_by_what_has_learned_from_the_other_folds(folds):
    learned = LearnedRanker(Ridge())
    results = out_of_fold(learned, RUN, QRELS, folds)
    assert list(dict.fromkeys(results.qid)) == QIDS
    assert results.index.tolist() == list(range(len(RUN)))
    for fold in IN_FOLDS:
        expected = LearnedRanker(Ridge()).fit(RUN[~RUN.qid.isin(fold)], QRELS)(RUN[RUN.qid.isin(fold)])
        found = results[results.qid.isin(fold)].reset_index(drop=True)
        pd.testing.assert_frame_equal(found, expected)
    assert learned == LearnedRanker(Ridge())


def test_what_is_neither_learned_from_nor_held_out_is_left_out():
    results = out_of_fold(LearnedRanker(Ridge()), RUN, QRELS, [(QIDS[:5], QIDS[8:])])
    expected = LearnedRanker(Ridge()).fit(RUN[:50], QRELS)(RUN[80:])
    pd.testing.assert_frame_equal(results, expected)


@pytest.mark.parametrize(
    ("folds", "problem"),
    [
        ([], "at least one fold"),
        ([["999"]], "Fold 0.* no query of the results to score"),
        ([QIDS], "Fold 0.* no query of the results to fit on"),
        ([QIDS[:2], QIDS[1:3]], f"Fold 1.* held out twice:\n{QIDS[1]}"),
        ([(QIDS[:3], QIDS[2:4])], f"Fold 0.* held out twice:\n{QIDS[2]}"),
        ({QIDS[0]: 1}, f"in no fold: {QIDS[1]}"),
    ],
)
def test_folds_that_do_not_part_the_queries_are_refused(folds, problem):
    with pytest.raises(ColieeError, match=problem):
        out_of_fold(LearnedRanker(Ridge()), RUN, QRELS, folds)


# --- importances -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "learner", [boosted_classifier(**FEW), lambdarank(**FEW), RandomForestClassifier(random_state=0)], ids=repr
)
def test_importances_are_told_by_name_most_first(learner):
    table = LearnedRanker(learner).fit(RUN, QRELS).importances(["noise", "signal", "more noise"])
    assert table.columns.tolist() == ["feature", "gain", "share"]
    assert table.feature[0] == "signal"
    assert table.gain.is_monotonic_decreasing
    assert table.share.sum() == pytest.approx(1)


def test_importances_take_their_names_from_the_pipeline():
    run = RUN.drop(columns="features").assign(score=feature_matrix(RUN)[:, 1])
    features = ScoreFeatures()
    learned = LearnedRanker(boosted_classifier(**FEW)).fit(features(run), QRELS)
    assert set(learned.importances(features).feature) == {"score", "score_ratio", "score_rank", "score_gap"}
    with pytest.raises(ColieeError, match="4 names, one for each feature, got 8"):
        learned.importances(features >> features)


def test_a_learner_without_importances_says_so():
    with pytest.raises(ColieeError, match="Ridge has no feature importances"):
        LearnedRanker(Ridge()).fit(RUN, QRELS).importances(list("abc"))


def test_the_recipes_parameters_are_published():
    classifier, ranker = boosted_classifier().get_params(), lambdarank().get_params()
    names = ("n_estimators", "learning_rate", "num_leaves", "min_child_samples")
    assert [classifier[name] for name in names] == [160, 0.08, 31, 40]
    assert [classifier[name] for name in ("subsample", "subsample_freq", "colsample_bytree")] == [0.8, 1, 0.4]
    assert [ranker[name] for name in names] == [1000, 0.01, 30, 30]
    assert boosted_classifier(n_jobs=2, num_leaves=7).get_params()["num_leaves"] == 7


def test_without_lightgbm_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    for make in (boosted_classifier, lambdarank):
        with pytest.raises(MissingExtraError, match="learn"):
            make()


def test_a_missing_label_is_none_and_one_that_is_no_number_is_refused():
    run, qrels = candidates()
    missing = qrels.assign(label=qrels["label"].astype("Int64").mask(qrels.index == 0))
    plain = qrels.assign(label=qrels["label"].where(qrels.index != 0, 0))
    scores = [LearnedRanker(Ridge()).fit(run, labels)(run).score.tolist() for labels in (missing, plain)]
    assert scores[0] == scores[1]
    with pytest.raises(ColieeError, match="column label of the qrels must be numbers"):
        LearnedRanker(Ridge()).fit(run, qrels.assign(label="relevant"))
