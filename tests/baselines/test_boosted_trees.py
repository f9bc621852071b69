"""Trees as checked numbers: they predict as LightGBM's own text does, and a text that would harm it is refused."""

import numpy as np
import pytest

from ir_coliee.baselines.boosted_trees import BoostedTrees
from ir_coliee.transformers import boosted_classifier

lightgbm = pytest.importorskip("lightgbm")

TREE = {
    "Tree": "0",
    "num_leaves": "4",
    "num_cat": "0",
    "split_feature": "1 0 1",
    "threshold": "0.5 inf -1e-35",
    "decision_type": "2 8 10",
    "split_gain": "8 4.5 0",
    "left_child": "1 -1 -2",
    "right_child": "2 -3 -4",
    "leaf_value": "0.1 -0.2 0.3 -4",
    "is_linear": "0",
    "shrinkage": "1",
}
HEADER = {
    "version": "v4",
    "num_class": "1",
    "num_tree_per_iteration": "1",
    "label_index": "0",
    "objective": "binary sigmoid:1",
    "max_feature_idx": "1",
    "feature_names": "a b",
    "feature_infos": "none none",
    "tree_sizes": "0",
}


def text(header=HEADER, *trees, title="tree"):
    blocks = ["\n".join(f"{key}={value}" for key, value in fields.items()) for fields in (header, *(trees or (TREE,)))]
    return "\n\n".join([f"{title}\n{blocks[0]}", *blocks[1:], "end of trees\n"])


def fitted(rounds=20, **parameters):
    generator = np.random.default_rng(0)
    features = generator.normal(size=(600, 8))
    features[generator.random(features.shape) < 0.1] = np.nan
    features[generator.random(features.shape) < 0.2] = 0
    features[:, 3] = np.nan
    noticed = features[:, 0] > generator.normal(size=600)
    return features, boosted_classifier(n_jobs=1, n_estimators=rounds, **parameters).fit(features, noticed).booster_


@pytest.mark.parametrize("smallest_leaf", [1, 20, 600])
def test_the_trees_predict_as_those_that_lightgbm_fitted_to_the_last_bit(smallest_leaf):
    features, booster = fitted(min_child_samples=smallest_leaf)
    trees = BoostedTrees.parse(booster.model_to_string())
    extremes = [np.full((1, 8), value) for value in (np.inf, -np.inf, np.nan, 0, 1e-35, -1e-35)]
    rows = np.vstack([features, *extremes])
    assert (trees.booster().predict(rows) == booster.predict(rows)).all()
    assert BoostedTrees.parse(trees.text()) == trees


def test_a_text_that_is_written_here_is_read():
    trees = BoostedTrees.parse(text())
    assert trees.num_features == 2
    assert trees.trees[0].threshold == (0.5, np.inf, -1e-35)
    assert BoostedTrees.parse(text(HEADER, TREE, {**TREE, "Tree": "1"})).booster().num_trees() == 2


def test_the_parameters_behind_the_trees_are_not_read():
    assert BoostedTrees.parse(f"{text()}\nparameters:\n[data: /dev/zero]\n") == BoostedTrees.parse(text())


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"left_child": "1 -1 -9"}, "not the child of one node"),
        ({"left_child": "1 -1 90000"}, "not the child of one node"),
        ({"left_child": "1 -1 -2147483648"}, "not the child of one node"),
        ({"left_child": "1 -1 0"}, "not the child of one node"),
        ({"left_child": "2 1 -2", "right_child": "-1 -3 -4"}, "smaller number than its parent"),
        ({"left_child": "1 -1 -1"}, "not the child of one node"),
        ({"split_feature": "1 0 2"}, r"tree 0: a feature that is not in \[0, 2\)"),
        ({"split_feature": "1 0 -1"}, "a feature that is not in"),
        ({"split_feature": "1 0"}, "do not agree"),
        ({"num_leaves": "2147483647"}, "do not agree"),
        ({"num_leaves": "-1"}, "do not agree"),
        ({"leaf_value": "0.1 -0.2 0.3"}, "do not agree"),
        ({"leaf_value": "0.1 -0.2 0.3 nan"}, "not a number"),
        ({"leaf_value": "0.1 -0.2 0.3 1e400"}, "not a number"),
        ({"leaf_value": "x -0.2 0.3 1"}, "tree 0: could not convert"),
        ({"threshold": "0.5 nan 1"}, "not a number"),
        ({"split_gain": "1 -1 1"}, "a gain that is not a number"),
        ({"split_gain": "1 nan 1"}, "a gain that is not a number"),
        ({"split_gain": "1 1"}, "do not agree"),
        ({"decision_type": "2 8 1"}, "unknown kind"),  # categorical
        ({"decision_type": "2 8 12"}, "unknown kind"),
        ({"num_cat": "1"}, "categorical features"),
        ({"is_linear": "1"}, "linear leaves"),
        ({"cat_boundaries": "0 9"}, "unknown or missing: cat_boundaries"),
        ({"Tree": "1"}, "another number"),
    ],
)
def test_trees_that_would_harm_lightgbm_are_refused(changed, problem):
    with pytest.raises(ValueError, match=problem):
        BoostedTrees.parse(text(HEADER, {**TREE, **changed}))


@pytest.mark.parametrize(
    "changed",
    [{"num_class": "2"}, {"objective": "multiclass"}, {"max_feature_idx": "9" * 12}, {"average_output": "1"}],
)
def test_another_header_is_refused(changed):
    with pytest.raises(ValueError, match=r"header|feature names"):
        BoostedTrees.parse(text({**HEADER, **changed}))


@pytest.mark.parametrize(
    "content",
    ["", "tree", "\0" * 90, text(title="trees"), text()[:-30], text().replace("=1 0 1", "1 0 1")],
)
def test_another_text_is_refused(content):
    with pytest.raises(ValueError, match=r"header|unexpected line|end of the trees|unknown or missing"):
        BoostedTrees.parse(content)


def test_values_whose_sum_is_infinite_are_refused():
    large = {**TREE, "leaf_value": "1e308 0 0 0"}
    with pytest.raises(ValueError, match="sum of the leaf values"):
        BoostedTrees.parse(text(HEADER, large, {**large, "Tree": "1", "leaf_value": "-1e308 0 0 0"}))
