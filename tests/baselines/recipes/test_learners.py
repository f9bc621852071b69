"""The learners of recipes: what they compute, and what their models are read from."""

import json
import threading

import numpy as np
import pytest

from ir_coliee.baselines.recipes import BoostedLearner, LogisticLearner
from ir_coliee.baselines.recipes.boosted_learner import BoostedModel
from ir_coliee.baselines.recipes.logistic_learner import LogisticModel

lightgbm = pytest.importorskip("lightgbm")
linear_model = pytest.importorskip("sklearn.linear_model")

GENERATOR = np.random.default_rng(0)
VALUES = GENERATOR.normal(size=(400, 3)).astype(np.float32)
LABELS = VALUES[:, 1] > GENERATOR.normal(size=400)
WEIGHTS = np.where(LABELS, 1.0, 2.0)
LEARNERS = [BoostedLearner(rounds=5, seeds=2), LogisticLearner(c=0.5), LogisticLearner(signed_log=False)]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_model_is_read_from_its_content_to_the_last_bit(learner):
    model = learner.fit(VALUES, LABELS, WEIGHTS)
    again = type(model).parse(model.content())
    assert again.num_features == 3
    assert (again.probabilities(VALUES) == model.probabilities(VALUES)).all()
    assert (again.importances() == model.importances()).all()
    assert again.content() == model.content()
    assert again.probabilities(VALUES[:0]).shape == (0,)


@pytest.mark.parametrize("learner", LEARNERS)
def test_two_fits_side_by_side_give_the_same_model(learner):
    contents = []
    fit = lambda: contents.append(learner.fit(VALUES, LABELS, WEIGHTS).content())  # noqa: E731
    threads = [threading.Thread(target=fit) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert contents == [learner.fit(VALUES, LABELS, WEIGHTS).content()] * 2


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_feature_that_decides_has_the_largest_share(learner):
    importances = learner.fit(VALUES, LABELS, WEIGHTS).importances()
    assert importances.argmax() == 1
    assert importances.sum() == pytest.approx(1)


def test_gradient_boosting_is_the_mean_of_classifiers_of_lightgbm():
    learner = BoostedLearner(
        rounds=8, rate=0.1, leaves=4, rows_per_leaf=3, rows=0.5, columns=0.7, l2=1, bins=15, seeds=2
    )
    expected = [
        lightgbm.LGBMClassifier(
            n_estimators=8,
            learning_rate=0.1,
            num_leaves=4,
            min_child_samples=3,
            subsample=0.5,
            subsample_freq=1,
            colsample_bytree=0.7,
            reg_lambda=1,
            max_bin=15,
            random_state=seed,
            deterministic=True,
            force_row_wise=True,
            n_jobs=1,
            verbosity=-1,
        )
        .fit(VALUES, LABELS, sample_weight=WEIGHTS)
        .predict_proba(VALUES)[:, 1]
        for seed in range(2)
    ]
    assert learner.fit(VALUES, LABELS, WEIGHTS).probabilities(VALUES) == pytest.approx(
        np.mean(expected, axis=0), abs=1e-12
    )


def test_a_small_train_split_gets_smaller_leaves():
    few = BoostedLearner(rounds=3, rows_per_leaf=300)
    assert few.fit(VALUES, LABELS, WEIGHTS).importances().any()


def test_logistic_regression_is_that_of_scikit_learn_on_standardised_logarithms():
    logs = np.sign(VALUES) * np.log1p(np.abs(VALUES.astype(np.float64)))
    standardised = (logs - logs.mean(axis=0)) / logs.std(axis=0)
    expected = linear_model.LogisticRegression(C=0.5, max_iter=1000).fit(standardised, LABELS, sample_weight=WEIGHTS)
    model = LogisticLearner(c=0.5).fit(VALUES, LABELS, WEIGHTS)
    assert model.probabilities(VALUES) == pytest.approx(expected.predict_proba(standardised)[:, 1], abs=1e-6)


def test_a_missing_value_counts_as_the_mean_and_a_constant_feature_as_nothing():
    missing = VALUES.copy()
    missing[::7, 0] = np.nan
    missing[:, 2] = 5.0
    model = LogisticLearner(signed_log=False).fit(missing, LABELS, WEIGHTS)
    assert model.centres == pytest.approx([np.nanmean(missing[:, 0]), VALUES[:, 1].mean(), 5.0], abs=1e-6)
    assert model.coefficients[2] == 0
    at_the_mean = np.array([[model.centres[0], 1.0, 5.0]], np.float32)
    unknown = np.array([[np.nan, 1.0, np.nan]], np.float32)
    assert model.probabilities(unknown) == pytest.approx(model.probabilities(at_the_mean), abs=1e-6)


def test_no_score_is_lost_to_an_overflow():
    extreme = LogisticModel(np.zeros(2), np.full(2, 1e-12), np.array([1e30, -1e30]), 0.0, False)
    extreme = LogisticModel.parse(extreme.content())
    rows = np.array([[3e38, 3e38], [3e38, 0], [0, 3e38], [np.nan, 0]], np.float32)
    assert extreme.probabilities(rows).tolist() == [0.5, 1.0, 0.0, 0.5]


MODEL = {"centres": [0.0], "scales": [1.0], "coefficients": [1.0], "intercept": 0.5, "signed_log": True}


@pytest.mark.parametrize(
    "change",
    [
        {"centres": [0.0, 1.0]},
        {"centres": ["0"]},
        {"centres": None},
        {"scales": [0.0]},
        {"scales": [-1.0]},
        {"coefficients": [float("nan")]},
        {"coefficients": [1e31]},
        {"coefficients": [10**400]},
        {"intercept": float("inf")},
        {"intercept": [0.5]},
        {"intercept": True},
        {"signed_log": 1},
        {"other": 1},
    ],
)
def test_altered_numbers_of_a_logistic_regression_are_refused(change):
    assert LogisticModel.parse(json.dumps(MODEL).encode()).num_features == 1
    with pytest.raises((TypeError, ValueError)):
        LogisticModel.parse(json.dumps({**MODEL, **change}).encode())


def test_altered_trees_are_refused():
    content = BoostedLearner(rounds=2, seeds=2).fit(VALUES, LABELS, WEIGHTS).content()
    wide = BoostedLearner(rounds=2).fit(VALUES[:, :2], LABELS, WEIGHTS).content()
    for altered in (b"", content[:-5], content + b"x", content.replace(b"end of trees", b"", 1), content + wide):
        with pytest.raises(ValueError, match=r"."):
            BoostedModel.parse(altered)


def test_logistic_regression_leaves_families_out():
    names = ("lamp.a", "gate.b", "lamp.c")
    model = LogisticLearner(without=("lamp",)).fit(VALUES, LABELS, WEIGHTS, names)
    alone = LogisticLearner().fit(VALUES[:, [1]], LABELS, WEIGHTS)
    assert model.probabilities(VALUES) == pytest.approx(alone.probabilities(VALUES[:, [1]]))
    assert model.importances().tolist() == [0, 1, 0]
