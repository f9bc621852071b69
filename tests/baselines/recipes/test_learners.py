"""The learners of recipes: what they compute."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ir_coliee.baselines.recipes import BoostedLearner, LogisticLearner, LogisticModel

lightgbm = pytest.importorskip("lightgbm")
linear_model = pytest.importorskip("sklearn.linear_model")

GENERATOR = np.random.default_rng(0)
VALUES = GENERATOR.normal(size=(400, 3)).astype(np.float32)
LABELS = VALUES[:, 1] > GENERATOR.normal(size=400)
WEIGHTS = np.where(LABELS, 1.0, 2.0)
LEARNERS = [BoostedLearner(num_iterations=5, seeds=2), LogisticLearner(c=0.5), LogisticLearner(signed_log=False)]


@pytest.mark.parametrize("learner", LEARNERS)
def test_two_fits_side_by_side_give_the_same_model(learner):
    def fit(_number):
        return learner.fit(VALUES, LABELS, WEIGHTS)

    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(fit, range(2))
    alone = fit(0)
    for model in (one, other):
        assert (model.probabilities(VALUES) == alone.probabilities(VALUES)).all()
        assert (model.importances() == alone.importances()).all()
    assert alone.probabilities(VALUES[:0]).shape == (0,)


def test_gradient_boosting_is_the_mean_of_classifiers_of_lightgbm():
    learner = BoostedLearner(
        num_iterations=8,
        learning_rate=0.1,
        num_leaves=4,
        min_data_in_leaf=3,
        bagging_fraction=0.5,
        feature_fraction=0.7,
        lambda_l2=1,
        max_bin=15,
        seeds=2,
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
    rows = np.array([[3e38, 3e38], [3e38, 0], [0, 3e38], [np.nan, 0]], np.float32)
    assert extreme.probabilities(rows).tolist() == [0.5, 1.0, 0.0, 0.5]


def test_logistic_regression_leaves_families_out():
    names = ("lamp.a", "gate.b", "lamp.c")
    model = LogisticLearner(without=("lamp",)).fit(VALUES, LABELS, WEIGHTS, names)
    alone = LogisticLearner().fit(VALUES[:, [1]], LABELS, WEIGHTS)
    assert model.probabilities(VALUES) == pytest.approx(alone.probabilities(VALUES[:, [1]]))
    assert model.importances().tolist() == [0, 1, 0]
