"""Learning to rank: any learner with scikit-learn's interface as a PyTerrier estimator, and out-of-fold predictions.

PyTerrier's own adapter (``pt.ltr.apply_learned_model``) takes a classifier's labels as scores, requires a validation
set for LightGBM's rankers, and fails on empty frames; `LearnedRanker` does not.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, MissingExtraError, printable_list
from ir_coliee.frames import Floats, Integers, check_ids, number_ids, sort_results
from ir_coliee.transformers.estimators import BaseEstimator, check_both_classes, result_labels
from ir_coliee.transformers.features.scores import feature_matrix, feature_names


class LearnedRanker(BaseEstimator):
    """Score candidates with a learner that is fitted to their features: R to R.

    Parameters
    ----------
    learner : object
        A learner that is not fitted, with ``fit`` and ``predict`` as in scikit-learn: one of scikit-learn, LightGBM or
        XGBoost. ``fit`` fits a clone of it; the learner itself is not changed.
    fit_kwargs : mapping, optional
        Further keyword arguments of the learner's ``fit``.

    Notes
    -----
    The score of a classifier is the probability that the candidate is relevant, or its decision function if it has no
    probabilities. The score of other learners is their prediction. A classifier is fitted to two classes, labels above
    0 and other labels; other learners are fitted to the label. A learner whose ``fit`` takes ``group`` gets the number
    of candidates of each query, and one that takes ``eval_set`` or ``eval_X`` the validation queries; a learner that
    stops early needs them. The fitted model holds numbers only, and can be pickled.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> features = pd.Series([np.array([0.1]), np.array([0.9])])
    >>> run = pd.DataFrame({"qid": "1", "docno": ["a", "b"], "features": features})
    >>> qrels = pd.DataFrame({"qid": ["1"], "docno": ["b"], "label": [1]})
    >>> LearnedRanker(LogisticRegression()).fit(run, qrels)(run).docno.tolist()
    ['b', 'a']
    """

    LABEL = "Learned ranker"

    def __init__(self, learner: Any, fit_kwargs: Mapping[str, Any] | None = None) -> None:
        self.learner = learner
        self.fit_kwargs = fit_kwargs
        super().__init__()

    def fit(
        self,
        topics_and_results: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_and_results_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> LearnedRanker:
        """Fit the learner to candidates.

        Parameters
        ----------
        topics_and_results : pandas.DataFrame
            Candidates with the columns qid, docno and features.
        qrels : pandas.DataFrame
            The columns qid, docno and label. A candidate that they do not contain is not relevant.
        topics_and_results_valid, qrels_valid : pandas.DataFrame, optional
            The same for validation.

        Returns
        -------
        LearnedRanker
            This object, fitted.

        Raises
        ------
        ColieeError
            If all candidates are relevant or none is.
        """
        examples = self._examples(topics_and_results, qrels)
        check_both_classes(examples.labels)
        model = copy.deepcopy(self.learner)
        accepted = inspect.signature(model.fit).parameters
        arguments = dict(self.fit_kwargs or {})
        if "group" in accepted:
            arguments["group"] = examples.sizes
        if topics_and_results_valid is not None and qrels_valid is not None:
            valid = self._examples(topics_and_results_valid, qrels_valid)
            if "eval_X" in accepted:  # newer versions of LightGBM
                arguments |= {"eval_X": valid.features, "eval_y": self._targets(valid)}
            elif "eval_set" in accepted:
                arguments["eval_set"] = [(valid.features, self._targets(valid))]
            if "eval_group" in accepted:
                arguments["eval_group"] = [valid.sizes]
        model.fit(examples.features, self._targets(examples), **arguments)
        self._fitted_model = model, examples.features.shape[1]
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises `ColieeError` if the number of features differs from that of the training."""
        pt.validate.result_frame(inp, extra_columns=["features"], context=self)
        check_ids(inp)
        results = inp.drop(columns="rank", errors="ignore").reset_index(drop=True)
        scores = self._scores(feature_matrix(results)) if len(results) else np.empty(0)
        return sort_results(results.assign(score=scores))

    def importances(self, features: pt.Transformer | Sequence[str]) -> pd.DataFrame:
        """Return the importance of each feature in the fitted model.

        Parameters
        ----------
        features : pyterrier.Transformer or sequence of str
            The pipeline that computes the features, see `feature_names`, or their names.

        Returns
        -------
        pandas.DataFrame
            The columns ``feature``, ``gain`` and ``share`` (of all gain), in descending order of gain. The gain is
            LightGBM's total over all splits; of other learners it is their ``feature_importances_``.

        Raises
        ------
        ColieeError
            If the learner has no importances, or if the number of names is not the number of features.
        """
        model, number = self.fitted_model()
        names = feature_names(features) if isinstance(features, pt.Transformer) else list(features)
        if len(names) != number:
            raise ColieeError(
                f"features must have {number} names, one for each feature, got {len(names)}:\n{printable_list(names)}."
            )
        if (booster := getattr(model, "booster_", None)) is not None:
            gains = booster.feature_importance("gain")
        elif (gains := getattr(model, "feature_importances_", None)) is None:
            raise ColieeError(f"{type(model).__name__} has no feature importances (feature_importances_).")
        gains = np.asarray(gains, dtype=np.float64)
        shares = gains / (gains.sum() or 1.0)
        frame = pd.DataFrame({"feature": names, "gain": gains, "share": shares})
        output: pd.DataFrame = frame.sort_values("gain", ascending=False, kind="stable", ignore_index=True)
        return output

    def _scores(self, features: Floats) -> Floats:
        model, number = self.fitted_model()
        if features.shape[1] != number:
            raise ColieeError(f"{self!r} is fitted to {number} features, got {features.shape[1]}.")
        if hasattr(model, "predict_proba"):
            return np.asarray(model.predict_proba(features)[:, 1], dtype=np.float64)
        decide = getattr(model, "decision_function", model.predict)
        return np.asarray(decide(features), dtype=np.float64)

    def _examples(self, results: pd.DataFrame, qrels: pd.DataFrame) -> _Examples:
        pt.validate.result_frame(results, extra_columns=["features"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(results)
        queries = number_ids(results["qid"])[0]
        ordered = results.iloc[np.argsort(queries, kind="stable")]
        return _Examples(feature_matrix(ordered), result_labels(ordered, qrels), np.bincount(queries))

    def _targets(self, examples: _Examples) -> Floats:
        classifies = hasattr(self.learner, "predict_proba") or hasattr(self.learner, "decision_function")
        return (examples.labels > 0).astype(np.float64) if classifies else examples.labels

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LearnedRanker) and self._description() == other._description()

    def _description(self) -> tuple[object, ...]:
        """Return what rankers are compared by: learners of one type with equal parameters give equal models."""
        parameters = self.learner.get_params() if hasattr(self.learner, "get_params") else self.learner
        return type(self.learner), parameters, self.fit_kwargs, id(self._fitted_model)

    __hash__ = BaseEstimator.__hash__


class _Examples(NamedTuple):
    """Training candidates, query by query: features, labels, and each query's number of candidates."""

    features: Floats
    labels: Floats
    sizes: Integers


def out_of_fold(
    ranker: LearnedRanker, results: pd.DataFrame, qrels: pd.DataFrame, folds: Mapping[str, object]
) -> pd.DataFrame:
    """Score each query with a model that was fitted to other queries.

    A cut-off that is chosen on such scores is not fitted to the training data of the model.

    Parameters
    ----------
    ranker : LearnedRanker
        Gives the learner and its arguments; it is not changed.
    results : pandas.DataFrame
        Candidates with the columns qid, docno and features.
    qrels : pandas.DataFrame
        The columns qid, docno and label.
    folds : mapping from str to object
        The fold of each query, such as the functions of `ir_coliee.datasets.folds` return. Each fold is scored by a
        model that is fitted to the other folds.

    Returns
    -------
    pandas.DataFrame
        The results of all queries, with score and rank.

    Raises
    ------
    ColieeError
        If a query is in no fold.
    InsufficientTrainingDataError
        If the queries of the results are not in two folds at least.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> features = pd.Series([np.array([x]) for x in (0.1, 0.9, 0.2, 0.8)])
    >>> run = pd.DataFrame({"qid": ["1", "1", "2", "2"], "docno": list("abab"), "features": features})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": "b", "label": 1})
    >>> out_of_fold(LearnedRanker(LogisticRegression()), run, qrels, {"1": 0, "2": 1}).docno.tolist()
    ['b', 'a', 'b', 'a']
    """
    pt.validate.result_frame(results, extra_columns=["features"], context=ranker)
    check_ids(results)
    queries, qids = number_ids(results["qid"])
    if unassigned := [qid for qid in qids if qid not in folds]:
        raise ColieeError(f"Queries of the results are in no fold: {printable_list(unassigned)}")
    fold_of_row = pd.factorize(pd.Index([folds[qid] for qid in qids], dtype=object))[0][queries]
    if fold_of_row.max(initial=0) < 1:
        raise InsufficientTrainingDataError(f"The queries of the results must be in two folds at least, got {folds!r}.")
    scored = []
    for fold in range(fold_of_row.max() + 1):
        is_held_out = fold_of_row == fold
        model = LearnedRanker(ranker.learner, ranker.fit_kwargs).fit(results[~is_held_out], qrels)
        scored.append(model(results[is_held_out]))
    together = pd.concat(scored, ignore_index=True)
    order = np.argsort(qids.get_indexer(together["qid"].to_numpy(object)), kind="stable")
    frame: pd.DataFrame = together.iloc[order].reset_index(drop=True)
    return frame


# LightGBM's learners with parameters for candidates of decisions. They need the extra ``learn``.


#: Parameters with which LightGBM gives the same model for the same data, seed and machine, and prints nothing.
REPRODUCIBLE = {"random_state": 0, "deterministic": True, "force_row_wise": True, "verbosity": -1}


@dataclass(frozen=True, kw_only=True)
class Boosting:
    """LightGBM's parameters under its own names. The defaults are those of the learned baseline of task 1.

    Parameters
    ----------
    num_iterations : int
        The number of trees.
    learning_rate : float
        The learning rate.
    num_leaves, min_data_in_leaf : int
        The largest number of leaves of a tree, and the smallest number of rows in a leaf.
    bagging_fraction, feature_fraction : float
        The share of rows and of features that each tree is fitted on.
    lambda_l2 : float
        The L2 regularisation.
    max_bin : int
        The largest number of bins of a feature.
    """

    num_iterations: int = 160
    learning_rate: float = 0.08
    num_leaves: int = 31
    min_data_in_leaf: int = 40
    bagging_fraction: float = 0.8
    feature_fraction: float = 0.4
    lambda_l2: float = 0.0
    max_bin: int = 63


def boosted_classifier(**parameters: Any) -> Any:
    """Create LightGBM's classifier with the parameters of `Boosting`. It is reproducible and prints nothing.

    Parameters
    ----------
    **parameters
        Parameters of ``lightgbm.LGBMClassifier`` that replace or complete these.

    Returns
    -------
    lightgbm.LGBMClassifier

    Raises
    ------
    MissingExtraError
        If LightGBM is not installed.
    """
    default = Boosting()
    chosen = {
        "n_estimators": default.num_iterations,
        "learning_rate": default.learning_rate,
        "num_leaves": default.num_leaves,
        "min_child_samples": default.min_data_in_leaf,
        "max_bin": default.max_bin,
        "subsample": default.bagging_fraction,
        "subsample_freq": 1,
        "colsample_bytree": default.feature_fraction,
    }
    return lightgbm_library().LGBMClassifier(**{**chosen, **REPRODUCIBLE, **parameters})


def lambdarank(**parameters: Any) -> Any:
    """Create LightGBM's LambdaMART ranker with THUIR's parameters at COLIEE 2023.

    It has 1000 rounds at a learning rate of .01 and trees of 30 leaves with at least 30 rows in each. THUIR stopped
    after 100 rounds without progress in ndcg@5, which needs validation queries:
    ``LearnedRanker(lambdarank(early_stopping_round=100), {"eval_at": [5]})``.

    Parameters
    ----------
    **parameters
        Parameters of ``lightgbm.LGBMRanker`` that replace or complete these.

    Returns
    -------
    lightgbm.LGBMRanker

    Raises
    ------
    MissingExtraError
        If LightGBM is not installed.
    """
    published = {"n_estimators": 1000, "learning_rate": 0.01, "num_leaves": 30, "min_child_samples": 30}
    return lightgbm_library().LGBMRanker(**{**published, **REPRODUCIBLE, **parameters})


def lightgbm_library() -> Any:
    """Return the module ``lightgbm``; raise `MissingExtraError` if it is not installed."""
    try:
        import lightgbm
    except ImportError:
        raise MissingExtraError("Gradient boosting", "learn") from None
    return lightgbm
