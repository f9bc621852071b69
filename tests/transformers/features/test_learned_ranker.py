"""Learners as estimators, predictions out of fold, importances."""

import pickle
import sys
import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from ir_coliee.errors import ColieeError, MissingExtraError
from ir_coliee.transformers import LearnedRanker, ScoreFeatures, out_of_fold
from ir_coliee.transformers.features.learning import boosted_classifier, lambdarank


def candidates(queries=12, depth=10, seed=1):
    """Three features, of which the second tells what is relevant; and the qrels, with grades."""
    values = np.random.default_rng(seed).random((queries * depth, 3))
    pairs = product([f"{900 + number}" for number in range(queries)], [f"d{number}" for number in range(depth)])
    run = pd.DataFrame(pairs, columns=["qid", "docno"])
    run = run.assign(query="a lamp stood at the gate", features=list(values))
    grades = np.digitize(values[:, 1], [0.7, 0.9])
    return run, run[["qid", "docno"]].assign(label=grades)[grades > 0]


RUN, QRELS = candidates()
FEW = {"n_estimators": 15, "min_child_samples": 3}
BOOSTED = [boosted_classifier(**FEW), lambdarank(**FEW)]
FORESTS = [RandomForestClassifier(5, random_state=0), RandomForestRegressor(5, random_state=0)]


def for_each(*learners):
    return pytest.mark.parametrize("learner", learners, ids=lambda learner: type(learner).__name__)


@for_each(LogisticRegression(), Ridge(), LinearSVC(), *FORESTS, *BOOSTED)
def test_any_learner_ranks_relevant_candidates_first_without_warnings_and_is_reproducible(learner):
    unseen, qrels = candidates(seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted, again = LearnedRanker(learner).fit(RUN, QRELS), LearnedRanker(learner).fit(RUN, QRELS)
        results = fitted(unseen)
    best = results[results["rank"] == 0].merge(qrels, how="left")
    assert best["label"].notna().mean() > 0.9
    assert not hasattr(learner, "n_features_in_")  # a copy has learned, not the user's
    pd.testing.assert_frame_equal(again(unseen), results)
    assert b"lamp" not in pickle.dumps(fitted)  # no text is kept


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
    in_order = pd.concat([rows for _, rows in shuffled.groupby("qid", sort=False)]).merge(QRELS, how="left")
    assert labels.tolist() == in_order["label"].fillna(0).tolist()
    assert features.tolist() == np.stack(in_order["features"].tolist()).tolist()
    assert (valid_group.tolist(), len(valid_features), len(valid_labels)) == ([5, 10, 10], 25, 25)
    assert weight == 7


@pytest.mark.slow
@for_each(*BOOSTED)
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
        (RUN, QRELS.assign(label="relevant"), "column label of the qrels must be numbers"),
    ],
)
def test_labels_from_which_nothing_can_be_learned_are_refused(run, qrels, problem):
    with pytest.raises(ColieeError, match=problem):
        LearnedRanker(Ridge()).fit(run, qrels)


QIDS = RUN.qid.unique().tolist()
FOLDS = {qid: number % 3 for number, qid in enumerate(QIDS)}


@pytest.mark.parametrize("names", [(0, 1, 2), ("first", None, 2)])
def test_each_query_is_scored_by_a_model_of_the_other_folds(names):
    ranker, folds = LearnedRanker(Ridge()), {qid: names[number] for qid, number in FOLDS.items()}
    results = out_of_fold(ranker, RUN.sample(frac=1, random_state=4).sort_values("qid"), QRELS, folds)
    assert list(dict.fromkeys(results.qid)) == QIDS
    assert results.index.tolist() == list(range(len(RUN)))
    for number in range(3):
        is_held_out = RUN.qid.map(FOLDS) == number
        expected = LearnedRanker(Ridge()).fit(RUN[~is_held_out], QRELS)(RUN[is_held_out])
        found = results[results.qid.map(FOLDS) == number].merge(expected, on=["qid", "docno"])
        assert found.score_x.tolist() == pytest.approx(found.score_y.tolist())
    assert ranker == LearnedRanker(Ridge())  # it is not fitted


@pytest.mark.parametrize(
    ("folds", "problem"),
    [({QIDS[0]: 1}, f"in no fold: {QIDS[1]}"), (dict.fromkeys(QIDS, 1), "must be in two folds at least")],
)
def test_folds_that_do_not_divide_the_queries_are_refused(folds, problem):
    with pytest.raises(ColieeError, match=problem):
        out_of_fold(LearnedRanker(Ridge()), RUN, QRELS, folds)


@pytest.mark.slow
@for_each(*BOOSTED, RandomForestClassifier(random_state=0))
def test_importances_are_told_by_name_largest_first(learner):
    table = LearnedRanker(learner).fit(RUN, QRELS).importances(["noise", "signal", "more noise"])
    assert table.columns.tolist() == ["feature", "gain", "share"]
    assert table.feature[0] == "signal"
    assert table.gain.is_monotonic_decreasing
    assert table.share.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("learner", "use", "problem"),
    [
        (Ridge(), lambda it: it(RUN.assign(features=[np.array([1.0])] * len(RUN))), "to 3 features, got 1"),
        (FORESTS[0], lambda it: it.importances(ScoreFeatures()), "3 names, one for each feature, got 4"),
        (Ridge(), lambda it: it.importances(list("abc")), "Ridge has no feature importances"),
    ],
)
def test_features_are_as_many_as_were_fitted_and_not_every_learner_has_importances(learner, use, problem):
    with pytest.raises(ColieeError, match=problem):
        use(LearnedRanker(learner).fit(RUN, QRELS))


def test_the_learners_have_their_published_parameters():
    names = ("n_estimators", "learning_rate", "num_leaves", "min_child_samples")
    assert [boosted_classifier(num_leaves=7).get_params()[name] for name in names] == [160, 0.08, 7, 40]
    assert [lambdarank().get_params()[name] for name in names] == [1000, 0.01, 30, 30]


def test_without_lightgbm_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    for make in (boosted_classifier, lambdarank):
        with pytest.raises(MissingExtraError, match="learn"):
            make()
