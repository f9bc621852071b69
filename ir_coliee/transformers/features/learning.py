"""Features of candidates from the scores of several pipelines, and learning to rank; the base class of all features.

Features are an array of numbers in the column ``features`` of each row, as PyTerrier's learners take them. Each feature
transformer of this package appends its features to those of the row, so several transformers are combined with ``>>``.
PyTerrier's ``**`` works as well, and is compiled to ``>>``. All features are finite numbers; `feature_names` returns
their names.

`LearnedRanker` takes any learner with scikit-learn's interface. PyTerrier's adapter (``pt.ltr.apply_learned_model``)
takes a classifier's labels as scores, requires a validation set for LightGBM's rankers, and fails on empty frames.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee import frames
from ir_coliee.engine.pools import GroupStatistics, fill_missing_scores, ratio_to_best
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, MissingExtraError, printable_list
from ir_coliee.frames import Floats, Integers
from ir_coliee.transformers.base import BaseTransformer, common_inputs
from ir_coliee.transformers.estimators import BaseEstimator, check_both_classes, result_labels
from ir_coliee.transformers.retrieval.retriever import Retriever


class FeatureTransformer(BaseTransformer):
    """Base class of the feature transformers (R to R): append features to each row.

    The rows keep their order. A subclass defines `feature_names` and `values`.
    """

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, in their order."""
        raise NotImplementedError

    def columns(self) -> list[str]:
        """Return the columns that the features are computed from, besides qid and docno."""
        return []

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features.

        Parameters
        ----------
        results : pandas.DataFrame
            Results with the columns qid, docno and those of `columns`, at least one row.

        Returns
        -------
        numpy.ndarray of shape (n_results, n_features)
        """
        raise NotImplementedError

    def fuse_feature_union(self, other: pt.Transformer, is_left: bool) -> pt.Transformer | None:
        """Compile ``**`` of feature transformers of this package to ``>>``, which needs no merge of frames."""
        steps = other if isinstance(other, pt._ops.Compose) else [other]
        if not all(isinstance(step, FeatureTransformer) for step in steps):
            return None
        return self >> other if is_left else other >> self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Append the features to each row."""
        pt.validate.result_frame(inp, extra_columns=self.columns(), context=self)
        frames.check_ids(inp)
        if isinstance(self, BaseEstimator):
            self.fitted_model()  # raises its error also if there are no rows
        results = inp.reset_index(drop=True)
        values = self.values(results) if len(results) else np.empty((0, len(self.feature_names)))
        if "features" in results.columns:
            values = np.hstack([feature_matrix(results), values])
        return results.assign(features=pd.Series(list(values), index=results.index, dtype=object))


def feature_matrix(results: pd.DataFrame) -> Floats:
    """Return the column ``features`` as a matrix.

    Parameters
    ----------
    results : pandas.DataFrame
        Results with the column ``features``.

    Returns
    -------
    numpy.ndarray of shape (n_results, n_features)

    Raises
    ------
    ColieeError
        If the features are not numbers, or not as many in each row.

    Examples
    --------
    >>> feature_matrix(pd.DataFrame({"qid": ["1", "1"], "features": [np.array([1.0, 2.0]), np.array([3.0, 4.0])]}))
    array([[1., 2.],
           [3., 4.]])
    """
    if results.empty:
        return np.empty((0, 0))
    try:
        return np.stack(results["features"].tolist()).astype(np.float64).reshape(len(results), -1)
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The features of each row must be an array of as many numbers. {error}") from None


def feature_names(pipeline: pt.Transformer) -> list[str]:
    """Return the names of the features that a pipeline computes, in their order.

    Parameters
    ----------
    pipeline : pyterrier.Transformer
        A feature transformer, or several combined with ``>>`` or ``**``.

    Returns
    -------
    list of str
        The names of each step of ``>>`` and of each operand of ``**``. An operand that is not a feature transformer of
        this package has one feature, its score, which is named after its class, or for a retriever after its weighting.
        A step that computes no features has no names.

    Examples
    --------
    >>> from ir_coliee.transformers import CrossQueryFeatures, ScoreFeatures
    >>> feature_names(ScoreFeatures(["bm25"]) >> CrossQueryFeatures(["bm25"]))[:5]
    ['bm25', 'bm25_ratio', 'bm25_rank', 'bm25_gap', 'queries']
    """
    if isinstance(pipeline, pt._ops.Compose):
        return [name for step in pipeline for name in feature_names(step)]
    if isinstance(pipeline, pt._ops.FeatureUnion):
        scored = [operand.weighting if isinstance(operand, Retriever) else operand for operand in pipeline]
        return [name for one, by in zip(pipeline, scored) for name in feature_names(one) or [type(by).__name__]]
    return list(getattr(pipeline, "feature_names", []))


# Candidates of several pipelines, with a column for each pipeline's scores of all candidates.


_RESERVED = ("qid", "query", "query_docno", "query_toks", "docno", "text", "score", "rank", "features", "label")


class ScoreColumns(BaseTransformer):
    """Find the best candidates of several pipelines, and add every pipeline's score as a column: Q to R, R to R.

    For queries, the candidates are the ``num_results`` best of each pipeline; for results, they are the rows of the
    frame. The ``score`` of a candidate is the sum of its scores, each divided by the query's best (see
    `ir_coliee.engine.pools.ratio_to_best`), and the ``num_results`` best candidates of each query are
    returned.

    If a pipeline did not return a candidate, its score is computed: the pipeline is run on these pairs as results to be
    rescored, which the retrievers of this package support. A pair without a finite score after that gets the pipeline's
    lowest score of the query's candidates, or 0 if there is none.

    Put filters into the pipelines, so that an item that is filtered out is never the best one:
    ``{"bm25": index.bm25() >> DropSelf()}``.

    Parameters
    ----------
    pipelines : mapping of str to pyterrier.Transformer
        The pipelines, at least one, by the name of their new column.
    num_results : int
        The largest number of candidates of each query, >= 1.

    Examples
    --------
    >>> from ir_coliee.transformers import LexicalIndex
    >>> index = LexicalIndex.build([{"docno": "d1", "text": "a lamp"}, {"docno": "d2", "text": "lamp lamp gate"}])
    >>> scores = ScoreColumns({"bm25": index.bm25(), "shared": index.shared_idf()}, num_results=1)
    >>> scores.search("a lamp")[["docno", "bm25", "shared", "score"]].round(2)
      docno  bm25  shared  score
    0    d1  0.95    0.88    2.0
    """

    LABEL = "Score columns"

    def __init__(self, pipelines: Mapping[str, pt.Transformer], num_results: int = 80) -> None:
        if not pipelines:
            raise ValueError("pipelines must contain at least one pipeline, got none.")
        if reserved := [name for name in pipelines if name in _RESERVED]:
            raise ValueError(f"pipelines must not have the name of a column of results, got {reserved[0]!r}.")
        self.pipelines = pipelines
        self.num_results = frames.integer_at_least("num_results", num_results, 1)

    def subtransformers(self) -> dict[str, pt.Transformer]:
        """Return the pipelines, for PyTerrier's schematics."""
        return dict(self.pipelines)

    def transform_inputs(self) -> list[list[str]]:
        """Return the columns that all pipelines together need, one list for each different combination."""
        found = self._cached(id(self.pipelines), lambda: common_inputs(self.pipelines.values()))
        return [[*columns] for columns in found]  # a copy, because the caller may change it

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Find candidates and score them (Q to R), or score the candidates of the frame (R to R).

        Raises `ColieeError` for a row without a qid, and for a pipeline that returns no scores, or results of a query
        that is not in its input.
        """
        with pt.validate.any(inp, context=self) as frame:
            for columns in self.transform_inputs():
                frame.columns(includes=columns, mode=f"by {', '.join(columns)}")
        frames.check_ids(inp)
        if "docno" in inp.columns:
            runs, candidates = {}, inp.drop(columns=[*self.pipelines], errors="ignore").reset_index(drop=True)
        else:
            queries = inp.drop_duplicates("qid", ignore_index=True)
            runs = {name: self._run(name, queries) for name in self.pipelines}
            candidates = self._candidates(queries, runs.values())
        numbers = frames.number_ids(candidates["qid"])[0]
        total = np.zeros(len(numbers))
        added: dict[str, Floats] = {}
        for name in self.pipelines:
            added[name] = scores = fill_missing_scores(self._scores(name, candidates, runs.get(name)), numbers)
            total += ratio_to_best(scores, GroupStatistics(numbers, scores).best(1))
        scored = candidates.drop(columns="rank", errors="ignore").assign(**added, score=total)
        return frames.best_results(scored, self.num_results)

    def _candidates(self, queries: pd.DataFrame, runs: Iterable[pd.DataFrame]) -> pd.DataFrame:
        """Return the best candidates of all pipelines, query by query."""
        best = pd.concat([run.loc[run["rank"] < self.num_results, ["qid", "docno"]] for run in runs])
        pairs = best.drop_duplicates(ignore_index=True)
        problem = "A pipeline returned results of query {}, which is not in its input. Read ids as strings."
        rows = frames.places_of(pairs["qid"], pd.Index(queries["qid"], dtype=object), problem)
        order = np.argsort(rows, kind="stable")
        found = frames.take_rows(queries.drop(columns=["score", "rank"], errors="ignore"), rows[order])
        return found.assign(docno=pairs["docno"].to_numpy(object)[order])

    def _run(self, name: str, frame: pd.DataFrame) -> pd.DataFrame:
        results = self.pipelines[name](frame)
        if missing := [column for column in ("qid", "docno", "score") if column not in results.columns]:
            raise ColieeError(f"The pipeline {name!r} must return the column {missing[0]!r}.")
        return frames.sort_results(results[["qid", "docno", "score", *results.columns.intersection(["rank"])]])

    def _scores(self, name: str, candidates: pd.DataFrame, run: pd.DataFrame | None) -> Floats:
        """Return the scores of all candidates; the pipeline is run again until it scores no further ones."""
        scores = np.full(len(candidates), np.nan) if run is None else _scores_of_pairs(candidates, run)
        while (missing := np.flatnonzero(np.isnan(scores))).size:
            rows = candidates.iloc[missing].reset_index(drop=True)
            scores[missing] = _scores_of_pairs(rows, self._run(name, rows.drop_duplicates(["qid", "docno"])))
            if np.isnan(scores[missing]).all():
                break
        return scores


def _scores_of_pairs(pairs: pd.DataFrame, run: pd.DataFrame) -> Floats:
    """Return the score of a run for each pair of qid and docno: NaN without any, the first of several."""
    wanted, known = frames.number_pairs(pairs, run)
    scores = pd.Series(run["score"].to_numpy(np.float64), index=known)
    return np.array(scores[~scores.index.duplicated()].reindex(wanted), dtype=np.float64)


# Features of the scores of candidates: within each query, and across the queries that share a candidate.


def score_values(results: pd.DataFrame, column: str, queries: Integers) -> Floats:
    """Return the scores of a column; missing and infinite ones are replaced by the lowest of their query.

    ``queries`` are the encoded query ids.
    """
    return fill_missing_scores(pd.to_numeric(results[column]).to_numpy(np.float64, na_value=np.nan), queries)


class FeaturesOfScores(FeatureTransformer):
    """Base class: the same features of each of several columns of scores.

    A subclass defines ``KINDS``, what the names of the features have after that of a column, and `of_scores`.
    """

    KINDS: ClassVar[tuple[str, ...]]

    def __init__(self, scores: Sequence[str] = ("score",)) -> None:
        if isinstance(scores, str) or not scores:
            raise ValueError(f"scores must be a list of column names, at least one, got {scores!r}.")
        self.scores = list(scores)

    @property
    def feature_names(self) -> list[str]:
        """The name of each column with that of each kind of feature."""
        return [f"{name}{kind}" for name in self.scores for kind in self.KINDS]

    def columns(self) -> list[str]:
        """Return the columns of scores."""
        return self.scores

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features of each column."""
        queries, candidates = frames.number_ids(results["qid"])[0], frames.number_ids(results["docno"])[0]
        features = [
            feature
            for column in self.scores
            for feature in self.of_scores(score_values(results, column, queries), queries, candidates)
        ]
        return np.column_stack(features).astype(np.float64)

    def of_scores(self, scores: Floats, queries: Integers, candidates: Integers) -> Iterable[Floats | Integers]:
        """Compute the features of a column of scores, from the numbers of the query and the candidate of each row."""
        raise NotImplementedError


class ScoreFeatures(FeaturesOfScores):
    """Compute features of each candidate's scores within its query: R to R.

    For each column of scores these are the score, its ratio to the query's best (see
    `ir_coliee.engine.pools.ratio_to_best`), its rank (the number of the query's candidates with a higher score),
    and the gap to the sixth best (the score minus the query's sixth best score, or its lowest one where there are fewer
    candidates). A score that is missing or infinite is replaced by the query's lowest. A query's candidates are those
    in the frame.

    Parameters
    ----------
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": "1", "docno": ["a", "b"], "bm25": [8.0, 2.0]})
    >>> ScoreFeatures(["bm25"])(run).features.tolist()
    [array([8., 1., 0., 6.]), array([2.  , 0.25, 1.  , 0.  ])]
    """

    LABEL = "Score features"
    KINDS = ("", "_ratio", "_rank", "_gap")

    def of_scores(self, scores: Floats, queries: Integers, candidates: Integers) -> Iterable[Floats | Integers]:
        """Compute score, ratio, rank and gap."""
        groups = GroupStatistics(queries, scores)
        return scores, ratio_to_best(scores, groups.best(1)), groups.ranks, scores - groups.best(6)


class CrossQueryFeatures(FeaturesOfScores):
    """Compute features that compare the scores of a candidate for different queries of the frame: R to R.

    The first feature is the number of queries that have the candidate. Four more features are computed for each column
    of scores: the rank of the query among these queries (the number of queries with a higher score for the candidate),
    the ratio of the score to the candidate's best score, the candidate's mean score, and its second best score (0 if
    only one query has it). A score that is missing or infinite is replaced by the query's lowest. Use them if documents
    are relevant to few queries, as in task 1: a candidate that is similar to every query is then rarely relevant to
    any.

    Only queries in the frame are compared: pass the candidates of all queries of a split at once, not in batches.

    Parameters
    ----------
    scores : sequence of str
        Columns of scores, such as `ScoreColumns` adds.

    Examples
    --------
    >>> run = pd.DataFrame({"qid": ["1", "2"], "docno": "a", "bm25": [8.0, 2.0]})
    >>> CrossQueryFeatures(["bm25"])(run).features.tolist()
    [array([2., 0., 1., 5., 2.]), array([2.  , 1.  , 0.25, 5.  , 2.  ])]
    """

    LABEL = "Cross-query features"
    KINDS = ("_query_rank", "_query_ratio", "_query_mean", "_query_second")

    @property
    def feature_names(self) -> list[str]:
        """``queries``, and the name of each column with that of each kind of feature."""
        return ["queries", *super().feature_names]

    def values(self, results: pd.DataFrame) -> Floats:
        """Compute the features: the number of queries, and four for each column."""
        candidates = frames.number_ids(results["docno"])[0]
        return np.column_stack([np.bincount(candidates)[candidates], super().values(results)])

    def of_scores(self, scores: Floats, queries: Integers, candidates: Integers) -> Iterable[Floats | Integers]:
        """Compute rank, ratio, mean and second best."""
        groups = GroupStatistics(candidates, scores)
        second = np.where(groups.sizes[candidates] > 1, groups.best(2), 0)
        return groups.ranks, ratio_to_best(scores, groups.best(1)), groups.means, second


# Learning to rank: any learner with scikit-learn's interface as an estimator, and out-of-fold predictions.


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
        features, targets, sizes = self._examples(topics_and_results, qrels)
        check_both_classes(targets)
        known: dict[str, Any] = {"group": sizes}
        if topics_and_results_valid is not None and qrels_valid is not None:
            *valid, valid_sizes = self._examples(topics_and_results_valid, qrels_valid)
            known |= {"eval_X": valid[0], "eval_y": valid[1], "eval_set": [tuple(valid)], "eval_group": [valid_sizes]}
        model = copy.deepcopy(self.learner)
        accepted = set(inspect.signature(model.fit).parameters)
        if "eval_X" in accepted:  # newer versions of LightGBM
            accepted.discard("eval_set")
        arguments = {name: value for name, value in known.items() if name in accepted}
        model.fit(features, targets, **{**(self.fit_kwargs or {}), **arguments})
        self._fitted_model = model, features.shape[1]
        return self

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        """Score the candidates. Raises `ColieeError` if the number of features differs from that of the training."""
        pt.validate.result_frame(inp, extra_columns=["features"], context=self)
        frames.check_ids(inp)
        results = inp.drop(columns="rank", errors="ignore").reset_index(drop=True)
        scores = self._scores(feature_matrix(results)) if len(results) else np.empty(0)
        return frames.sort_results(results.assign(score=scores))

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
        return frame.sort_values("gain", ascending=False, kind="stable", ignore_index=True)

    def _scores(self, features: Floats) -> Floats:
        model, number = self.fitted_model()
        if features.shape[1] != number:
            raise ColieeError(f"{self!r} is fitted to {number} features, got {features.shape[1]}.")
        if hasattr(model, "predict_proba"):
            return np.asarray(model.predict_proba(features)[:, 1], dtype=np.float64)
        decide = getattr(model, "decision_function", model.predict)
        return np.asarray(decide(features), dtype=np.float64)

    def _examples(self, results: pd.DataFrame, qrels: pd.DataFrame) -> tuple[Floats, Floats, Integers]:
        """Return features and targets of candidates, query by query, and each query's number of candidates."""
        pt.validate.result_frame(results, extra_columns=["features"], context=self)
        pt.validate.columns(qrels, includes=["qid", "docno", "label"], context=self)
        frames.check_ids(results)
        queries = frames.number_ids(results["qid"])[0]
        ordered = results.iloc[np.argsort(queries, kind="stable")]
        labels = result_labels(ordered, qrels)
        if hasattr(self.learner, "predict_proba") or hasattr(self.learner, "decision_function"):
            labels = (labels > 0).astype(np.float64)
        return feature_matrix(ordered), labels, np.bincount(queries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LearnedRanker) and self._description() == other._description()

    def _description(self) -> tuple[object, ...]:
        """Return what rankers are compared by: learners of one type with equal parameters give equal models."""
        parameters = self.learner.get_params() if hasattr(self.learner, "get_params") else self.learner
        return type(self.learner), parameters, self.fit_kwargs, id(self._fitted_model)

    __hash__ = BaseEstimator.__hash__


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
    frames.check_ids(results)
    queries, qids = frames.number_ids(results["qid"])
    if unassigned := [qid for qid in qids if qid not in folds]:
        raise ColieeError(f"Queries of the results are in no fold: {printable_list(unassigned)}")
    of_query = pd.Index([folds[qid] for qid in qids], dtype=object)
    fold_of_row = pd.factorize(of_query, use_na_sentinel=False)[0][queries]  # None is a fold as well
    if fold_of_row.max(initial=0) < 1:
        raise InsufficientTrainingDataError(f"The queries of the results must be in two folds at least, got {folds!r}.")
    scored = []
    for fold in range(fold_of_row.max() + 1):
        is_held_out = fold_of_row == fold
        model = LearnedRanker(ranker.learner, ranker.fit_kwargs).fit(results[~is_held_out], qrels)
        scored.append(model(results[is_held_out]))
    together: pd.DataFrame = pd.concat(scored, ignore_index=True)
    order = np.argsort(qids.get_indexer(pd.Index(together["qid"], dtype=object)), kind="stable")
    return together.iloc[order].reset_index(drop=True)


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
    chosen = {
        "n_estimators": Boosting.num_iterations,
        "learning_rate": Boosting.learning_rate,
        "num_leaves": Boosting.num_leaves,
        "min_child_samples": Boosting.min_data_in_leaf,
        "max_bin": Boosting.max_bin,
        "subsample": Boosting.bagging_fraction,
        "subsample_freq": 1,
        "colsample_bytree": Boosting.feature_fraction,
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
