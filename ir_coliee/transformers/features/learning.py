"""Learning to rank: any learner of scikit-learn's kind as a PyTerrier estimator, and predictions out of fold.

PyTerrier's own adapter (``pt.ltr.apply_learned_model``) takes a classifier's labels for scores, needs a validation set
for LightGBM's rankers, and fails on empty frames; `Learned` does what it does, without these three.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.engine.group_statistics import Floats, Integers
from ir_coliee.errors import ColieeError, MissingExtraError, listed
from ir_coliee.frames import check_ids, number_ids, sort_results
from ir_coliee.transformers.answers.classifiers import _Estimator, label_numbers
from ir_coliee.transformers.features.features import feature_matrix, feature_names

Folds = Mapping[str, object] | Iterable[Collection[str] | tuple[Collection[str], Collection[str]]]


def boosted_classifier(**parameters: Any) -> Any:
    """LightGBM's classifier as the recipe of the package's task 1 pipeline has it; other ``parameters`` by name.

    400 rounds at a rate of .03, trees of 31 leaves with at least 60 rows in each, each on 80 % of the rows and 60 % of
    the features. Quiet, and the same again for the same data, seed and machine. Raises `MissingExtraError` without
    LightGBM.
    """
    recipe = {"n_estimators": 400, "learning_rate": 0.03, "num_leaves": 31, "min_child_samples": 60}
    sampled = {"subsample": 0.8, "subsample_freq": 1, "colsample_bytree": 0.6}
    return _lightgbm().LGBMClassifier(**{**recipe, **sampled, **_REPEATABLE, **parameters})


def lambdarank(**parameters: Any) -> Any:
    """LightGBM's ranker with THUIR's parameters at COLIEE 2023; other ``parameters`` by name.

    1000 rounds at a rate of .01, trees of 30 leaves with at least 30 rows in each. They stopped after 100 rounds
    without progress in ndcg@5, which takes queries to validate with:
    ``Learned(lambdarank(early_stopping_round=100), {"eval_at": [5]})``. Raises `MissingExtraError` without LightGBM.
    """
    published = {"n_estimators": 1000, "learning_rate": 0.01, "num_leaves": 30, "min_child_samples": 30}
    return _lightgbm().LGBMRanker(**{**published, **_REPEATABLE, **parameters})


_REPEATABLE = {"random_state": 0, "deterministic": True, "force_row_wise": True, "verbosity": -1}


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError:
        raise MissingExtraError("Gradient boosting", "learn") from None
    return lightgbm


class Learned(_Estimator):
    """Scores candidates by what a learner makes of their features: R to R.

    A learner has ``fit`` and ``predict`` as in scikit-learn: one of its own, or of LightGBM's or XGBoost's. The score
    of a classifier is the probability that the candidate is relevant (its decision function, where it has none); of
    anything else, what it predicts. A classifier is told whether the label is above 0, others the label. Where ``fit``
    takes ``group`` it is told how many candidates each query has, and where it takes ``eval_set``, the queries to
    validate with; without any, a learner that stops early cannot.

    The learner is copied and stays as it is; what is learned holds numbers alone, and survives pickling.

    >>> from sklearn.linear_model import LogisticRegression
    >>> features = pd.Series([np.array([0.1]), np.array([0.9])])
    >>> run = pd.DataFrame({"qid": "1", "docno": ["a", "b"], "features": features})
    >>> learned = Learned(LogisticRegression()).fit(run, pd.DataFrame({"qid": ["1"], "docno": ["b"], "label": [1]}))
    >>> learned(run).docno.tolist()
    ['b', 'a']
    """

    LABEL = "Learned"

    def __init__(self, learner: Any, fit_kwargs: Mapping[str, Any] | None = None) -> None:
        """``learner``: not fitted; its seed and threads are its own. ``fit_kwargs``: what else its ``fit`` is told."""
        self.learner = learner
        self.fit_kwargs = fit_kwargs
        super().__init__()

    def fit(
        self,
        topics_and_results: pd.DataFrame,
        qrels: pd.DataFrame,
        topics_and_results_valid: pd.DataFrame | None = None,
        qrels_valid: pd.DataFrame | None = None,
    ) -> Learned:
        """Learn from candidates with features (qid, docno, features) and qrels (qid, docno, label).

        A candidate that the qrels do not have is not relevant. The other two validate, see the class. Raises
        `ColieeError` where there is nothing to learn: all candidates are relevant, or none is.
        """
        examples = self._examples(topics_and_results, qrels)
        refuse_one_sided(examples.labels)
        model = copy.deepcopy(self.learner)
        taken = inspect.signature(model.fit).parameters
        told = dict(self.fit_kwargs or {})
        if "group" in taken:
            told["group"] = examples.sizes
        if topics_and_results_valid is not None and qrels_valid is not None:
            valid = self._examples(topics_and_results_valid, qrels_valid)
            if "eval_X" in taken:  # as LightGBM wants it now
                told |= {"eval_X": valid.features, "eval_y": self._targets(valid)}
            elif "eval_set" in taken:
                told["eval_set"] = [(valid.features, self._targets(valid))]
            if "eval_group" in taken:
                told["eval_group"] = [valid.sizes]
        model.fit(examples.features, self._targets(examples), **told)
        self._learned = model, examples.features.shape[1]
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises `ColieeError` for another number of features than was learned from."""
        pt.validate.result_frame(inp, extra_columns=["features"], context=self)
        results = inp.drop(columns="rank", errors="ignore").reset_index(drop=True)
        scores = self._scores(feature_matrix(results)) if len(results) else np.empty(0)
        return sort_results(results.assign(score=scores))

    def importances(self, features: pt.Transformer | Sequence[str]) -> pd.DataFrame:
        """What each feature has brought: a frame of ``feature``, ``gain`` and ``share`` (of all gain), most first.

        ``features``: the pipeline that makes them (see `ir_coliee.transformers.features.features.feature_names`), or their
        names. The gain is LightGBM's total over all splits; of other learners their ``feature_importances_``. Raises
        `ColieeError` for a learner that has none, and for more or fewer names than features.
        """
        model, number = self._fitted()
        names = feature_names(features) if isinstance(features, pt.Transformer) else list(features)
        if len(names) != number:
            raise ColieeError(f"There are {number} features, and {len(names)} names: {listed(names)}.")
        if (booster := getattr(model, "booster_", None)) is not None:
            gains = booster.feature_importance("gain")
        elif (gains := getattr(model, "feature_importances_", None)) is None:
            raise ColieeError(f"{type(model).__name__} does not say what its features bring (feature_importances_).")
        gains = np.asarray(gains, dtype=np.float64)
        shares = gains / (gains.sum() or 1.0)
        frame = pd.DataFrame({"feature": names, "gain": gains, "share": shares})
        return frame.sort_values("gain", ascending=False, kind="stable", ignore_index=True)

    def _scores(self, features: Floats) -> Floats:
        model, number = self._fitted()
        if features.shape[1] != number:
            raise ColieeError(f"{self!r} has learned from {number} features, and is given {features.shape[1]}.")
        if hasattr(model, "predict_proba"):
            return np.asarray(model.predict_proba(features)[:, 1], dtype=np.float64)
        decide = getattr(model, "decision_function", model.predict)
        return np.asarray(decide(features), dtype=np.float64)

    def _examples(self, results: pd.DataFrame, qrels: pd.DataFrame) -> _Examples:
        pt.validate.result_frame(results, extra_columns=["features"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        check_ids(results)
        queries = number_ids(results["qid"])[0]
        order = np.argsort(queries, kind="stable")
        ordered = results.iloc[order]
        return _Examples(feature_matrix(ordered), labels_of(ordered, qrels), np.bincount(queries))

    def _targets(self, examples: _Examples) -> Floats:
        classifies = hasattr(self.learner, "predict_proba") or hasattr(self.learner, "decision_function")
        return (examples.labels > 0).astype(np.float64) if classifies else examples.labels

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Learned):
            return NotImplemented
        same = _described(self.learner) == _described(other.learner) and self.fit_kwargs == other.fit_kwargs
        return same and self._learned is other._learned

    __hash__ = _Estimator.__hash__


class _Examples(NamedTuple):
    """Candidates query by query: their features and labels, and how many each query has."""

    features: Floats
    labels: Floats
    sizes: Integers


def _described(learner: Any) -> tuple[type, object]:
    """What a learner is, as far as it says: two that say the same learn the same."""
    return type(learner), learner.get_params() if hasattr(learner, "get_params") else learner


def refuse_one_sided(labels: Floats) -> None:
    """Raises `ColieeError` where there is nothing to learn: all candidates are relevant, or none is."""
    if (labels > 0).all() or not (labels > 0).any():
        which = "all are" if len(labels) and labels[0] > 0 else "none is"
        raise ColieeError(
            f"Nothing to learn: of {len(labels)} candidates {which} relevant by the qrels. "
            "Are they of the same queries, and ids strings on both sides?"
        )


def labels_of(results: pd.DataFrame, qrels: pd.DataFrame) -> Floats:
    """The label of each result, 0 where the qrels have none; of a pair's several the highest.

    Raises `ColieeError` for labels that are no numbers.
    """
    labels = label_numbers(qrels)
    pairs = [pd.concat([results[column].astype(object), qrels[column].astype(object)]) for column in ("qid", "docno")]
    (queries, _), (docs, names) = map(number_ids, pairs)
    keys = queries * len(names) + docs
    given = pd.Series(labels, index=keys[len(results) :]).groupby(level=0).max()
    return np.asarray(given.reindex(keys[: len(results)], fill_value=0.0), dtype=np.float64)


def out_of_fold(learned: Learned, results: pd.DataFrame, qrels: pd.DataFrame, folds: Folds) -> pd.DataFrame:
    """Results of queries that the learner had not seen: for each fold it learns from the others, and scores the fold.

    So a cut-off chosen on them is chosen honestly. ``results`` are candidates with features; ``folds`` says which
    queries are held out together: a fold for each qid; or for each fold its qids, or a pair of the qids to learn from
    and those to score. Where learning queries are not given they are all others. Queries that no fold holds out are
    left out of the result. ``learned`` stays as it is.

    Raises `ColieeError` for a fold without a query of the results, and for a query that is held out twice or is both
    learned from and held out.

    >>> from sklearn.linear_model import LogisticRegression
    >>> features = pd.Series([np.array([x]) for x in (0.1, 0.9, 0.2, 0.8)])
    >>> run = pd.DataFrame({"qid": ["1", "1", "2", "2"], "docno": list("abab"), "features": features})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": "b", "label": 1})
    >>> out_of_fold(Learned(LogisticRegression()), run, qrels, {"1": 0, "2": 1}).docno.tolist()
    ['b', 'a', 'b', 'a']
    """
    pt.validate.result_frame(results, extra_columns=["features"], context=learned)
    check_ids(results)
    queries = list(dict.fromkeys(results["qid"]))
    held_out: dict[str, int] = {}
    scored = []
    for number, (seen, unseen) in enumerate(_splits(queries, folds)):
        if missing := next((name for name, split in (("learn from", seen), ("hold out", unseen)) if not split), None):
            raise ColieeError(f"Fold {number}, counted from 0, has no query of the results to {missing}.")
        if twice := [qid for qid in unseen if qid in seen or qid in held_out]:
            raise ColieeError(
                f"Fold {number}, counted from 0, holds out queries that are used already: {listed(twice)}"
            )
        held_out |= dict.fromkeys(unseen, number)
        model = Learned(learned.learner, learned.fit_kwargs).fit(results[results["qid"].isin(list(seen))], qrels)
        scored.append(model(results[results["qid"].isin(list(unseen))]))
    if not scored:
        raise ColieeError("There is no fold.")
    place = {qid: number for number, qid in enumerate(queries)}
    together = pd.concat(scored, ignore_index=True)
    order = np.argsort(together["qid"].map(place).to_numpy(np.int64), kind="stable")
    return together.iloc[order].reset_index(drop=True)


def _splits(queries: Sequence[str], folds: Folds) -> Iterable[tuple[dict[str, None], dict[str, None]]]:
    """The queries of the results to learn from, and those held out, of each fold."""
    if isinstance(folds, Mapping):
        if strangers := [qid for qid in queries if qid not in folds]:
            raise ColieeError(f"Queries of the results are in no fold: {listed(strangers)}")
        by_fold: dict[object, list[str]] = {}
        for qid in queries:
            by_fold.setdefault(folds[qid], []).append(qid)
        folds = list(by_fold.values())
    for fold in folds:
        pair = isinstance(fold, tuple) and len(fold) == 2 and not any(isinstance(split, str) for split in fold)
        seen, unseen = (set(split) for split in fold) if pair else (set(queries) - set(fold), set(fold))
        yield (
            dict.fromkeys(qid for qid in queries if qid in seen),
            dict.fromkeys(qid for qid in queries if qid in unseen),
        )
