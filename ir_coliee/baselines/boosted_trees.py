"""The trees of gradient boosting as checked numbers, read from LightGBM's text format and written in it.

LightGBM trusts the text that it reads: a child outside the tree reads foreign memory, a cycle never ends, and both end
the program. It is therefore given only text that is written from the numbers of `BoostedTrees`, which are checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from ir_coliee.errors import printable
from ir_coliee.transformers.features.learners import lightgbm_library

#: The fields that decide a prediction, with the values that LightGBM writes for two classes.
_HEADER = {
    "version": "v4",
    "num_class": "1",
    "num_tree_per_iteration": "1",
    "label_index": "0",
    "objective": "binary sigmoid:1",
}
_OTHER_HEADER = {"max_feature_idx", "feature_names", "feature_infos", "tree_sizes"}
_CONSTANT = {"num_cat": "0", "is_linear": "0"}  # no categorical features, and leaves are numbers
_OF_TRAINING = {"leaf_weight", "leaf_count", "internal_value", "internal_weight", "internal_count", "shrinkage"}
_NUMERICAL_SPLITS = {0, 2, 4, 6, 8, 10}  # 2: missing values go left; 4, 8: zero or NaN is missing


class Tree(NamedTuple):
    """A binary tree. Nodes are numbered from 0, the root, and each child has a larger number than its parent.

    Attributes
    ----------
    split_feature, threshold, decision_type : tuple of numbers
        The feature that a node compares, with which threshold, and how it treats missing values.
    split_gain : tuple of float
        The gain of each node's split in training, for the importances of features.
    left_child, right_child : tuple of int
        The children of each node; leaf i has the number -1 - i.
    leaf_value : tuple of float
        The value of each leaf.
    """

    split_feature: tuple[int, ...]
    threshold: tuple[float, ...]
    decision_type: tuple[int, ...]
    split_gain: tuple[float, ...]
    left_child: tuple[int, ...]
    right_child: tuple[int, ...]
    leaf_value: tuple[float, ...]


class BoostedTrees(NamedTuple):
    """The trees of a fitted binary classifier.

    Attributes
    ----------
    num_features : int
        The number of features of a candidate.
    trees : tuple of Tree
        The trees; the sum of their values decides the probability.
    """

    num_features: int
    trees: tuple[Tree, ...]

    @classmethod
    def parse(cls, text: str) -> BoostedTrees:
        """Read LightGBM's text format, and check everything that LightGBM relies upon.

        Parameters
        ----------
        text : str
            The text. What follows its trees (parameters of the training, importances) is not read.

        Returns
        -------
        BoostedTrees
            The trees, with which prediction ends, stays in its arrays, and returns a finite number.

        Raises
        ------
        ValueError
            If the text is not that of a binary classifier with numerical features, or if its trees are damaged.
        """
        content, end, _ = text.partition("\nend of trees\n")
        first, *others = content.strip("\n").split("\n\n")
        title, _, lines = first.partition("\n")
        header = _fields(lines)
        if not end:
            raise ValueError("the end of the trees is missing")
        if title != "tree" or header.keys() != _HEADER.keys() | _OTHER_HEADER or not _HEADER.items() <= header.items():
            raise ValueError("the header is not that of LightGBM's trees for two classes")
        num_features = int(header["max_feature_idx"]) + 1
        if len(header["feature_names"].split(" ")) != num_features:
            raise ValueError("the number of feature names differs from the number of features")
        trees = tuple(_tree(*numbered, num_features) for numbered in enumerate(filter(None, others)))
        if not math.isfinite(sum(max(map(abs, tree.leaf_value)) for tree in trees)):
            raise ValueError("the sum of the leaf values is not a finite number")
        return cls(num_features, trees)

    def text(self) -> str:
        """Return the trees in LightGBM's text format, with every digit of their numbers."""
        blocks = [f"Tree={number}\n{_text(tree)}\n\n" for number, tree in enumerate(self.trees)]
        header = {
            **_HEADER,
            "max_feature_idx": self.num_features - 1,
            "feature_names": " ".join(f"Column_{number}" for number in range(self.num_features)),
            "feature_infos": " ".join(["none"] * self.num_features),
            "tree_sizes": " ".join(str(len(block)) for block in blocks),
        }
        return f"tree\n{_lines(header)}\n{''.join(blocks)}end of trees\n"

    def booster(self) -> Any:
        """Return a ``lightgbm.Booster`` of the trees.

        Raises
        ------
        MissingExtraError
            If LightGBM is not installed.
        """
        return lightgbm_library().Booster(model_str=self.text())


def _fields(lines: str) -> dict[str, str]:
    """Return the values of lines ``key=value``. Raises `ValueError` for another line, and for a repeated key."""
    fields: dict[str, str] = {}
    for line in lines.split("\n"):
        key, separator, value = line.partition("=")
        if not separator or key in fields:
            raise ValueError(f"an unexpected line {printable(line)!r}")
        fields[key] = value
    return fields


def _tree(number: int, block: str, num_features: int) -> Tree:
    try:
        fields = _fields(block.strip("\n"))
        if fields.pop("Tree", None) != str(number):
            raise ValueError("it has another number")
        return _checked_tree(fields, num_features)
    except ValueError as error:
        raise ValueError(f"tree {number}: {error}") from None


def _checked_tree(fields: Mapping[str, str], num_features: int) -> Tree:
    needed = {*_CONSTANT, *Tree._fields, "num_leaves"}
    if unexpected := (fields.keys() ^ needed) - _OF_TRAINING:
        raise ValueError(f"a field that is unknown or missing: {printable(min(unexpected))}")
    if not _CONSTANT.items() <= fields.items():
        raise ValueError("categorical features or linear leaves")
    tree = Tree(
        _numbers(fields["split_feature"], int),
        _numbers(fields["threshold"], float),
        _numbers(fields["decision_type"], int),
        _numbers(fields["split_gain"], float),
        _numbers(fields["left_child"], int),
        _numbers(fields["right_child"], int),
        _numbers(fields["leaf_value"], float),
    )
    *splits, values = tree
    leaves, nodes = len(values), len(values) - 1
    if {len(numbers) for numbers in splits} != {nodes} or fields["num_leaves"] != str(leaves):
        raise ValueError("the numbers of its nodes and leaves do not agree")
    if not all(0 <= feature < num_features for feature in tree.split_feature):
        raise ValueError(f"a feature that is not in [0, {num_features})")
    if not _NUMERICAL_SPLITS.issuperset(tree.decision_type):
        raise ValueError("a split of an unknown kind")
    if any(map(math.isnan, tree.threshold)) or not all(map(math.isfinite, values)):  # infinity: all but missing values
        raise ValueError("a threshold or a value that is not a number")
    if not all(math.isfinite(gain) and gain >= 0 for gain in tree.split_gain):
        raise ValueError("a gain that is not a number of at least 0")
    if sorted((*tree.left_child, *tree.right_child)) != [*range(-leaves, 0), *range(1, nodes)][: 2 * nodes]:
        raise ValueError("a node or a leaf that is not the child of one node")
    if any(0 < child <= node for side in (tree.left_child, tree.right_child) for node, child in enumerate(side)):
        raise ValueError("a child with a smaller number than its parent")
    return tree


def _numbers(text: str, kind: Any) -> tuple[Any, ...]:
    return tuple(map(kind, text.split(" "))) if text else ()


def _text(tree: Tree) -> str:
    numbers = {field: " ".join(map(repr, values)) for field, values in tree._asdict().items()}
    return _lines({"num_leaves": len(tree.leaf_value), **_CONSTANT, **numbers, "shrinkage": 1})


def _lines(fields: Mapping[str, object]) -> str:
    return "".join(f"{key}={value}\n" for key, value in fields.items())
