"""Recipes: one shape for the learned baselines of all tasks, so that a new one is a page.

A recipe learns the probability that a candidate is relevant from a table of features. Blocks of train queries are held
out one after the other; their runs decide the cut-off, and tell what the recipe is worth::

    from ir_coliee import MicroF1
    from ir_coliee.baselines.recipes import BestCutoff, BoostedLearner, FeatureTable, LogisticLearner
    from ir_coliee.baselines.recipes import QueryBlock, Recipe, ablation, fit, held_out
    from ir_coliee.transformers import ThresholdCutoff

    def block(name, ranking):  # a frame with the columns qid, docno, bm25, rank and characters
        columns = {"words.bm25": ranking["bm25"], "words.rank": ranking["rank"], "length.text": ranking["characters"]}
        return QueryBlock(name, FeatureTable.of(ranking["qid"], ranking["docno"], columns))

    recipe = Recipe(
        "lexical",
        learners=(BoostedLearner(num_iterations=300, learning_rate=0.03, num_leaves=15), LogisticLearner(c=0.02)),
        cut=BestCutoff(MicroF1, tuple(ThresholdCutoff(percent / 100, min_items=1) for percent in range(5, 65, 5))),
        measure=MicroF1,
    )
    train = [block("2023", ranking_of_2023), block("2024", ranking_of_2024), block("2025", ranking_of_2025)]
    scored = held_out(recipe, train, gold)
    print(scored.value, scored.cutoff)
    answers = scored.cutoff(fit(scored).run(block("test", ranking_of_the_test)))
    print(ablation(recipe, train, gold))  # what each family of features adds

A baseline of the package is a subclass of `ir_coliee.baselines.LearnedBaseline`, which has the recipe and returns the
blocks.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.engine.counting import available_cores
from ir_coliee.engine.scoring import one_blas_thread
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, MissingExtraError
from ir_coliee.evaluation.cutoffs import encode_run, fit_cutoff
from ir_coliee.evaluation.statistics import bounds, count_runs, quotient, resampled
from ir_coliee.frames import Booleans, Floats, sort_results
from ir_coliee.measures import ColieeMeasure
from ir_coliee.progress import progress
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.estimators import check_both_classes, label_values
from ir_coliee.transformers.features.learning import REPRODUCIBLE, Boosting, lightgbm_library

T = TypeVar("T")
R = TypeVar("R")

# Candidates with named features, and blocks of queries that are held out together.

#: Features of candidates, one a row: 32-bit floating-point numbers. NaN is a missing value.
Features: TypeAlias = npt.NDArray[np.float32]
#: Columns of further features by name, with an entry for each row of a table.
Columns: TypeAlias = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Candidates of some queries, one a row, with named features.

    Attributes
    ----------
    qids, docnos : object array of shape (rows,)
        The ids of query and candidate.
    values : float32 array of shape (rows, features)
        The features. They are finite, or NaN if missing.
    names : tuple of str
        The name of each feature, ``family.feature``. Features of a family belong together, such as all that come from
        citing contexts: an ablation leaves them out together.

    Raises
    ------
    ValueError
        If a name has no family or occurs twice, or if a value is infinite.

    Examples
    --------
    >>> table = FeatureTable.of(["q1", "q1"], ["a", "b"], {"words.bm25": [2.0, 1.0], "words.rank": [0, 1]})
    >>> table
    <FeatureTable of 2 candidates with features: words (2)>
    >>> table.with_features({"length.characters": np.array([20, 90])}).families
    ('words', 'length')
    """

    qids: npt.NDArray[np.object_]
    docnos: npt.NDArray[np.object_]
    values: Features
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names) or not all(map(family_of, self.names)):
            raise ValueError(f"Names of features must be distinct and of the form family.feature, got {self.names}.")
        if (infinite := np.isinf(self.values).any(axis=0)).any():
            raise ValueError(f"Features must be finite or NaN; {self.names[infinite.argmax()]} has an infinite value.")

    @classmethod
    def of(cls, qids: Sequence[str], docnos: Sequence[str], columns: Mapping[str, Any]) -> FeatureTable:
        """Create a table from ids and from columns by name."""
        empty = cls(np.array(qids, object), np.array(docnos, object), np.empty((len(qids), 0), np.float32), ())
        return empty.with_features(columns)

    @classmethod
    def concatenated(cls, tables: Sequence[FeatureTable]) -> FeatureTable:
        """Concatenate the rows of tables, at least one; raise `ColieeError` if they have different features."""
        if len({table.names for table in tables}) > 1:
            raise ColieeError("The tables of one recipe must have the same features.\nCompute them by the same recipe.")
        qids, docnos, values = (
            np.concatenate([getattr(table, name) for table in tables]) for name in ("qids", "docnos", "values")
        )
        return cls(qids, docnos, values, tables[0].names)

    @property
    def families(self) -> tuple[str, ...]:
        """The families, in the order of their first features."""
        return tuple(dict.fromkeys(map(family_of, self.names)))

    def column(self, name: str) -> Features:
        """Return the values of a feature."""
        return self.values[:, self.names.index(name)]

    def with_features(self, columns: Columns) -> FeatureTable:
        """Return the table with further features."""
        added = [np.asarray(column, np.float32)[:, None] for column in columns.values()]
        return replace(self, values=np.hstack([self.values, *added]), names=(*self.names, *columns))

    def without(self, family: str) -> FeatureTable:
        """Return the table without the features of a family."""
        kept = [number for number, name in enumerate(self.names) if family_of(name) != family]
        return replace(self, values=self.values[:, kept], names=tuple(self.names[number] for number in kept))

    def rows(self, chosen: slice | Booleans) -> FeatureTable:
        """Return some of the rows."""
        return replace(self, qids=self.qids[chosen], docnos=self.docnos[chosen], values=self.values[chosen])

    def of_queries(self, qids: Collection[str]) -> FeatureTable:
        """Return the rows of some queries."""
        wanted = set(qids)
        return self.rows(np.array([qid in wanted for qid in self.qids], dtype=bool))

    def __len__(self) -> int:
        return len(self.qids)

    def __repr__(self) -> str:
        sizes = (f"{family} ({sum(family_of(name) == family for name in self.names)})" for family in self.families)
        return f"<FeatureTable of {len(self)} candidates with features: {', '.join(sizes)}>"


def family_of(name: str) -> str:
    """Return the family of a feature: what stands before the first dot; empty if there is none.

    >>> family_of("contexts.reciprocal_rank")
    'contexts'
    """
    family, _, feature = name.partition(".")
    return family if feature else ""


@dataclass(frozen=True, eq=False)
class QueryBlock:
    """Queries that are scored together and held out together, such as the queries that one edition added.

    Attributes
    ----------
    name : str
        The name of the block, for messages.
    table : FeatureTable
        The candidates of its queries.
    second : callable, optional
        Computes the features of a second round. It takes the probability of each row by the first round, and returns
        columns by name (family ``second``). None: there is no second round.
    duplicates : mapping of (str, str) to sequence of str
        All documents with the text of a candidate, by query and candidate, if there are several; the candidate is one
        of them. By default each candidate is its only document.
    table_without : callable, optional
        Computes the table as it is without the labels of some train blocks, from their names: for features that are
        learned from the labels of other queries, such as those of similar questions. The candidates may differ. None:
        no label enters the features.

    Raises
    ------
    ValueError
        If a block with features of a second round has ``table_without`` too.
    """

    name: str
    table: FeatureTable
    second: Callable[[Floats], Columns] | None = None
    duplicates: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    table_without: Callable[[frozenset[str]], FeatureTable] | None = None

    def __post_init__(self) -> None:
        if self.second and self.table_without:
            raise ValueError(f"Block {self.name} cannot have both a second round and features learned from labels.")

    def labels(self, gold: pd.DataFrame) -> Booleans:
        """Return whether each candidate is relevant: whether gold has a document with its text.

        Parameters
        ----------
        gold : pandas.DataFrame
            ``qid``, ``docno`` and ``label``.

        Returns
        -------
        bool array of shape (rows,)
        """
        relevant = gold[label_values(gold) > 0]
        pairs = set(zip(relevant["qid"], relevant["docno"]))
        rows = zip(self.table.qids, self._documents())
        return np.array([any((qid, docno) in pairs for docno in docnos) for qid, docnos in rows], dtype=bool)

    def run(self, probabilities: Floats) -> pd.DataFrame:
        """Return the run of probabilities.

        Parameters
        ----------
        probabilities : float64 array of shape (rows,)
            The probability of each candidate.

        Returns
        -------
        pandas.DataFrame
            ``qid``, ``docno``, ``score``, ``text_id`` and ``rank``, best first. Documents with the same text share its
            probability equally, because nothing tells which of them is relevant; their ``text_id`` is the candidate
            that stands for them.
        """
        documents = self._documents()
        numbers = np.array([len(docnos) for docnos in documents], dtype=np.int64)
        columns = {
            "qid": self.table.qids.repeat(numbers),
            "docno": np.array([*itertools.chain.from_iterable(documents)], dtype=object),
            "score": (probabilities / numbers).repeat(numbers),
            "text_id": self.table.docnos.repeat(numbers),
        }
        return sort_results(pd.DataFrame(columns))

    def without(self, family: str) -> QueryBlock:
        """Return the block without the features of a family, in both rounds."""
        block, second = self._with_tables(lambda table: table.without(family)), self.second
        if second is None:
            return block

        def remaining(probabilities: Floats) -> Columns:
            return {name: column for name, column in second(probabilities).items() if family_of(name) != family}

        return replace(block, second=remaining)

    def with_features(self, compute: Callable[[FeatureTable], Columns]) -> QueryBlock:
        """Return the block with further features.

        Parameters
        ----------
        compute : callable
            Computes them from the table of the block, and from its table without the labels of some train blocks if it
            has ``table_without``.

        Returns
        -------
        QueryBlock
        """
        return self._with_tables(lambda table: table.with_features(compute(table)))

    def _with_tables(self, change: Callable[[FeatureTable], FeatureTable]) -> QueryBlock:
        """Return the block with a change of its table, also of that without the labels of some blocks."""
        table_without = self.table_without
        changed = table_without and (lambda blocks: change(table_without(blocks)))
        return replace(self, table=change(self.table), table_without=changed)

    def without_labels(self, blocks: Iterable[str]) -> QueryBlock:
        """Return the block as it is without the labels of some train blocks, which are given by their names."""
        return replace(self, table=self.table_without(frozenset(blocks))) if self.table_without else self

    def second_table(self, probabilities: Floats) -> FeatureTable:
        """Return the table with the features of the second round; raise `ValueError` if the block has none."""
        if self.second is None:
            raise ValueError(f"Block {self.name} has no features of a second round.")
        return self.table.with_features(self.second(probabilities))

    def _documents(self) -> list[Sequence[str]]:
        return [self.duplicates.get(pair) or pair[1:] for pair in zip(self.table.qids, self.table.docnos)]


# Learners: they fit a model of the probability that a candidate is relevant. They need the extra ``learn``.

_LEAVES = 100  # a small train split gets smaller leaves, so that there can be this many
_ITERATIONS = 1000
_MIN_SCALE = 1e-12


class Model(Protocol):
    """A fitted model."""

    def probabilities(self, values: Features) -> Floats:
        """Return the probability of each row."""

    def importances(self) -> Floats:
        """Return the share of each feature in the model. The shares sum to 1, or to 0 if no feature is used."""


class Learner(Protocol):
    """A kind of model with its parameters."""

    @property
    def title(self) -> str:
        """The learner in words, for notes."""

    def fit(self, values: Features, labels: Booleans, weights: Floats, names: Sequence[str] = ()) -> Model:
        """Fit a model on rows, their labels, and their weights.

        Parameters
        ----------
        values : float32 array of shape (rows, features)
            The features.
        labels : bool array of shape (rows,)
            Whether each row is relevant; both classes occur.
        weights : float64 array of shape (rows,)
            The positive weight of each row.
        names : sequence of str
            The name of each feature, for a learner that leaves families out.
        """


@dataclass(frozen=True, kw_only=True)
class BoostedLearner(Boosting):
    """Gradient boosting of two classes by LightGBM: the mean of models that differ in their seed.

    Each fit uses one thread, so that the result does not depend on the number of cores; fits run side by side. Counts
    are made column by column: the trees are the same as row by row, in half of the time with a part of the features.

    Parameters
    ----------
    seeds : int
        The number of models.
    **parameters
        LightGBM's parameters, see `Boosting`. In a small train split ``min_data_in_leaf`` is at most a hundredth of the
        rows.
    """

    seeds: int = 1

    @property
    def title(self) -> str:
        """The learner in words, for notes."""
        return f"gradient boosting ({self.num_iterations} trees{f', {self.seeds} seeds' if self.seeds > 1 else ''})"

    def fit(self, values: Features, labels: Booleans, weights: Floats, names: Sequence[str] = ()) -> BoostedModel:
        """Fit a model on rows, see `Learner.fit`.

        Raises
        ------
        MissingExtraError
            If LightGBM is not installed.
        """
        lightgbm = lightgbm_library()
        own = {name: value for name, value in asdict(self).items() if name not in ("num_iterations", "seeds")}
        parameters = {**own, **REPRODUCIBLE, "objective": "binary", "bagging_freq": 1, "num_threads": 1}
        parameters |= {"force_row_wise": False, "force_col_wise": True}
        parameters["min_data_in_leaf"] = max(1, min(self.min_data_in_leaf, len(values) // _LEAVES))
        data = lightgbm.Dataset(values, labels, weight=weights, params=parameters).construct()  # bins for all seeds

        def fit_seed(seed: int) -> Any:
            return lightgbm.train({**parameters, "random_state": seed}, data, self.num_iterations)

        with ThreadPoolExecutor(min(self.seeds, available_cores())) as threads:
            return BoostedModel((*threads.map(fit_seed, range(self.seeds)),))


@dataclass(frozen=True, eq=False)
class BoostedModel:
    """The fitted models of one or more seeds.

    Attributes
    ----------
    boosters : tuple of lightgbm.Booster
        The model of each seed. The probability is the mean of theirs.
    """

    boosters: tuple[Any, ...]

    def probabilities(self, values: Features) -> Floats:
        """Return the probability of each row."""
        if not len(values):
            return np.zeros(0)
        return np.mean([booster.predict(values, num_threads=1) for booster in self.boosters], axis=0)

    def importances(self) -> Floats:
        """Return the share of each feature in the gain of all splits."""
        gains = [booster.feature_importance("gain") for booster in self.boosters]
        return _shares(np.asarray(np.sum(gains, axis=0), dtype=np.float64))


@dataclass(frozen=True)
class LogisticLearner:
    """Logistic regression by scikit-learn on standardised features. A missing value counts as the mean.

    Parameters
    ----------
    c : float
        The inverse of the L2 regularisation.
    signed_log : bool
        Whether each feature x is replaced by sign(x) log(1 + abs(x)) first.
    without : tuple of str
        Families of features that are not used: their coefficients are 0.
    """

    c: float = 0.02
    signed_log: bool = True
    without: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The learner in words, for notes."""
        return f"logistic regression (C={self.c:g})"

    def fit(self, values: Features, labels: Booleans, weights: Floats, names: Sequence[str] = ()) -> LogisticModel:
        """Fit a model on rows, see `Learner.fit`.

        Raises
        ------
        MissingExtraError
            If scikit-learn is not installed.
        """
        try:
            from sklearn.linear_model import LogisticRegression
        except ImportError:
            raise MissingExtraError("Logistic regression", "learn") from None
        scaled = _signed_log(values) if self.signed_log else values.astype(np.float64)
        known = ~np.isnan(scaled)
        known[:, [number for number, name in enumerate(names) if family_of(name) in self.without]] = False
        numbers = np.maximum(known.sum(axis=0), 1)
        centres = np.where(known, scaled, 0.0).sum(axis=0) / numbers
        centred = np.where(known, scaled - centres, 0.0)
        scales = np.sqrt((centred**2).sum(axis=0) / numbers)
        scales[scales < _MIN_SCALE] = 1.0
        with one_blas_thread():  # sums in another order would differ in their last bits
            regression = LogisticRegression(C=self.c, max_iter=_ITERATIONS)
            regression.fit(centred / scales, labels, sample_weight=weights)
        return LogisticModel(centres, scales, regression.coef_[0], float(regression.intercept_[0]), self.signed_log)


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """The numbers of a logistic regression.

    Attributes
    ----------
    centres, scales, coefficients : float64 array of shape (features,)
        What is subtracted from each feature, what it is then divided by, and its coefficient.
    intercept : float
        The intercept.
    signed_log : bool
        Whether each feature x is replaced by sign(x) log(1 + abs(x)) first.
    """

    centres: Floats
    scales: Floats
    coefficients: Floats
    intercept: float
    signed_log: bool

    def probabilities(self, values: Features) -> Floats:
        """Return the probability of each row."""
        scaled = _signed_log(values) if self.signed_log else values.astype(np.float64)
        standardised = (scaled - self.centres) / self.scales
        logits = (np.where(np.isnan(standardised), 0.0, standardised) * self.coefficients).sum(axis=1) + self.intercept
        return np.asarray(0.5 * (1.0 + np.tanh(0.5 * logits)), dtype=np.float64)  # never overflows

    def importances(self) -> Floats:
        """Return the share of each feature in the sum of the absolute coefficients."""
        return _shares(np.abs(self.coefficients))


def _shares(amounts: Floats) -> Floats:
    """Divide amounts by their sum; all are 0 if the sum is."""
    return np.asarray(amounts / (amounts.sum() or 1.0), dtype=np.float64)


def _signed_log(values: Features) -> Floats:
    wide = values.astype(np.float64)
    return np.asarray(np.sign(wide) * np.log1p(np.abs(wide)), dtype=np.float64)


# Recipes: what is learned from candidates, and how rankings are cut.


#: Returns the weight of each row in learning, from a table and its labels; rows of weight 0 are left out.
RowWeights: TypeAlias = Callable[[FeatureTable, Booleans], Floats]

MIN_BLOCKS_OF_TWO_ROUNDS = 3  # one block is held out from both rounds, and the first round needs two more


class Cut(Protocol):
    """A way to choose a cut-off."""

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Choose a cut-off.

        Parameters
        ----------
        runs : sequence of pandas.DataFrame
            The held-out run of each block: ``qid``, ``docno``, ``score`` (the probability) and ``rank``.
        gold : pandas.DataFrame
            The gold of their queries: ``qid``, ``docno`` and ``label``.

        Returns
        -------
        Cutoff
            The cut-off for runs of other queries.
        """


@dataclass(frozen=True)
class BestCutoff:
    """The cut-off with the best value on held-out queries; if values are equal, the first.

    Attributes
    ----------
    measure : ColieeMeasure
        The measure.
    cutoffs : tuple of Cutoff
        The cut-offs to try, at least one.
    """

    measure: ColieeMeasure
    cutoffs: tuple[Cutoff, ...]

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Choose a cut-off, see `Cut`."""
        return fit_cutoff(gold, pd.concat(runs, ignore_index=True), self.measure, self.cutoffs).cutoff


@dataclass(frozen=True)
class GivenCutoff:
    """One cut-off for all data: no label chooses it.

    Attributes
    ----------
    cutoff : Cutoff
        The cut-off.
    """

    cutoff: Cutoff

    def __call__(self, runs: Sequence[pd.DataFrame], gold: pd.DataFrame) -> Cutoff:
        """Return the cut-off, see `Cut`."""
        return self.cutoff


@dataclass(frozen=True)
class Recipe:
    """How the probability of candidates is learned, and how rankings by it are cut.

    Attributes
    ----------
    name : str
        The name, by which users choose among the recipes of a task.
    learners : tuple of Learner
        The learners, at least one. The probability is the mean of theirs.
    cut : Cut
        Chooses the cut-off on held-out queries.
    measure : ColieeMeasure
        The official measure, for held-out values.
    row_weights : callable, optional
        The weight of each train candidate; a candidate of weight 0 is not learned from. None: all have the weight 1.
    second_round : bool
        Whether the same learners are fitted a second time, on features of the first round's probabilities besides. The
        probability is then the mean of both rounds. It needs at least three blocks.
    nested_learners : tuple of Learner, optional
        Cheaper learners for the first rounds that leave out two blocks, which only serve the held-out value of a second
        round. None: the learners of the recipe.
    """

    name: str
    learners: tuple[Learner, ...]
    cut: Cut
    measure: ColieeMeasure
    row_weights: RowWeights | None = None
    second_round: bool = False
    nested_learners: tuple[Learner, ...] | None = None

    def has_two_rounds(self, blocks: Sequence[QueryBlock]) -> bool:
        """Return whether there is a second round on some blocks: whether there is one at all, and they are enough."""
        return self.second_round and len(blocks) >= MIN_BLOCKS_OF_TWO_ROUNDS


class RoundModels(NamedTuple):
    """The models of a round.

    Attributes
    ----------
    names : tuple of str
        The names of the features.
    models : tuple of Model
        The model of each learner.
    """

    names: tuple[str, ...]
    models: tuple[Model, ...]

    def probabilities(self, table: FeatureTable) -> Floats:
        """Return the mean probability of each row; raise `ColieeError` for other features than those fitted on."""
        if table.names != self.names:
            different = sorted({*table.names} ^ {*self.names})[:3] or ["another order"]
            problem = f"The features differ from those that the model was fitted on: {', '.join(different)}"
            raise ColieeError(f"{problem}.\nCompute the features by the same recipe.")
        return np.mean([model.probabilities(table.values) for model in self.models], axis=0)


class FittedRecipe(NamedTuple):
    """The models of a recipe that is fitted on all train blocks.

    Attributes
    ----------
    rounds : tuple of RoundModels
        The models of one or two rounds.
    """

    rounds: tuple[RoundModels, ...]

    def probabilities(self, block: QueryBlock) -> Floats:
        """Return the probability of each candidate of a block: the mean of the rounds."""
        first = self.rounds[0].probabilities(block.table)
        others = [models.probabilities(block.second_table(first)) for models in self.rounds[1:]]
        return np.mean([first, *others], axis=0)

    def run(self, block: QueryBlock) -> pd.DataFrame:
        """Return the run of a block: ``qid``, ``docno``, ``score`` and ``rank``, best first."""
        return block.run(self.probabilities(block))


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Train blocks, each scored by models that were fitted without its labels.

    Attributes
    ----------
    recipe : Recipe
        The recipe.
    blocks : tuple of QueryBlock
        The blocks.
    gold : pandas.DataFrame
        The gold of their queries: ``qid``, ``docno`` and ``label``.
    first : tuple of Floats
        If there are two rounds, the probabilities of each block by the first one.
    runs : tuple of pandas.DataFrame
        The run of each block; with two rounds, its scores are the means of both.
    """

    recipe: Recipe
    blocks: tuple[QueryBlock, ...]
    gold: pd.DataFrame
    first: tuple[Floats, ...]
    runs: tuple[pd.DataFrame, ...]

    def __repr__(self) -> str:
        queries = sum(run["qid"].nunique() for run in self.runs)
        return f"<HeldOut recipe {self.recipe.name}: {queries} queries in {len(self.blocks)} blocks>"

    @property
    def run(self) -> pd.DataFrame:
        """The runs of all blocks, one after the other."""
        return pd.concat(self.runs, ignore_index=True)

    @cached_property
    def cutoff(self) -> Cutoff:
        """The cut-off that is chosen on all blocks.

        Raises
        ------
        InsufficientTrainingDataError
            If no candidate is relevant.
        """
        return self._cutoff_of(range(len(self.blocks)))

    @cached_property
    def answers(self) -> pd.DataFrame:
        """The runs, each cut by the cut-off that is chosen on the other blocks."""
        numbers = range(len(self.blocks))
        return pd.concat(
            [self._cutoff_of([other for other in numbers if other != number])(self.runs[number]) for number in numbers],
            ignore_index=True,
        )

    @cached_property
    def value(self) -> float:
        """The measure of the answers."""
        encoded = encode_run(self.answers, self.gold)
        tp = encoded.true_positives(encoded.lengths)
        return float(self.recipe.measure.aggregate(tp, encoded.lengths, encoded.relevant))

    def _cutoff_of(self, numbers: Sequence[int]) -> Cutoff:
        runs = [self.runs[number] for number in numbers]
        gold = self.gold[self.gold["qid"].isin({qid for run in runs for qid in run["qid"].unique()})]
        relevant = gold.loc[label_values(gold) > 0, ["qid", "docno"]]
        if pd.concat(runs).merge(relevant, on=["qid", "docno"]).empty:
            raise InsufficientTrainingDataError("no relevant item is found on the train split")
        return self.recipe.cut(runs, gold)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the scores as arrays, see `of_arrays`."""
        columns = {str(name): column.to_numpy() for name, column in self.run.items()}
        rows = np.array([len(run) for run in self.runs])
        return {**columns, "rows": rows, "first": np.concatenate([*self.first, np.zeros(0)])}

    @classmethod
    def of_arrays(
        cls, recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame, arrays: Mapping[str, npt.NDArray[Any]]
    ) -> HeldOut:
        """Return the scores of a recipe from the result of `arrays`."""
        run = pd.DataFrame({name: array for name, array in arrays.items() if name not in ("rows", "first")})
        ends = arrays["rows"].cumsum().tolist()
        runs = (run[start:end].reset_index(drop=True) for start, end in itertools.pairwise([0, *ends]))
        of_blocks = np.cumsum([len(block.table) for block in blocks])[:-1]
        first = np.split(arrays["first"], of_blocks) if recipe.has_two_rounds(blocks) else ()
        return cls(recipe, tuple(blocks), gold, tuple(first), tuple(runs))


def held_out(recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame) -> HeldOut:
    """Score each block by models that were fitted on the other blocks.

    Parameters
    ----------
    recipe : Recipe
        The recipe.
    blocks : sequence of QueryBlock
        The train queries.
    gold : pandas.DataFrame
        Their gold: ``qid``, ``docno`` and ``label``.

    Returns
    -------
    HeldOut
        The scores.

    Raises
    ------
    InsufficientTrainingDataError
        If there are fewer than two blocks, or if some blocks do not have both relevant and other candidates.
    MissingExtraError
        If the library of a learner is not installed.

    Notes
    -----
    No label of a block reaches what it is scored by. In a second round, the probabilities that the other blocks bring
    into the training come from first rounds that were fitted without the held-out block as well as without themselves.
    They have one block less to learn from than those of the held-out block, and come from the ``nested_learners`` of
    the recipe: in task 1, the second round of a held-out block learns from probabilities of one model instead of the
    mean of three, which are less exact, and its held-out value tends to be too low. The final fit is not affected.
    """
    if len(blocks) < 2:
        raise InsufficientTrainingDataError("the train split has only one block of queries, so none can be held out")
    fits = _Fits(recipe, tuple(blocks), gold, tuple(block.labels(gold) for block in blocks))
    runs, first = zip(*fits.first_rounds())
    if not recipe.has_two_rounds(blocks):
        return HeldOut(recipe, fits.blocks, gold, (), runs)
    return HeldOut(recipe, fits.blocks, gold, first, fits.with_second_rounds(first))


def fit(scored: HeldOut) -> FittedRecipe:
    """Fit a recipe on all train blocks.

    Parameters
    ----------
    scored : HeldOut
        The blocks. A second round learns from their held-out probabilities of the first round.

    Returns
    -------
    FittedRecipe
        The models.
    """
    blocks, labels = scored.blocks, tuple(block.labels(scored.gold) for block in scored.blocks)
    rounds = [[block.table for block in blocks]]
    if scored.first:
        rounds.append([block.second_table(of_first) for block, of_first in zip(blocks, scored.first)])
    fit_round = partial(_Fits(scored.recipe, blocks, scored.gold, labels).fit_round, labels)
    return FittedRecipe(tuple(_in_threads(fit_round, rounds, "fitting on all queries")))


class _Fits(NamedTuple):
    """The fits on blocks; blocks are told by their numbers."""

    recipe: Recipe
    blocks: tuple[QueryBlock, ...]
    gold: pd.DataFrame
    labels: tuple[Booleans, ...]

    def fit_round(
        self, labels_of: Sequence[Booleans], tables: Sequence[FeatureTable], learners: Sequence[Learner] | None = None
    ) -> RoundModels:
        """Fit learners, by default those of the recipe, on the labels and the tables of some blocks."""
        table, labels = FeatureTable.concatenated(tables), np.concatenate(labels_of)
        weights = np.ones(len(labels))
        if self.recipe.row_weights is not None:
            weights = np.concatenate([self.recipe.row_weights(*each) for each in zip(tables, labels_of)])
        rows = weights > 0
        check_both_classes(labels[rows])
        values = table.values if rows.all() else table.values[rows]
        models = tuple(
            learner.fit(values, labels[rows], weights[rows], table.names)
            for learner in learners or self.recipe.learners
        )
        return RoundModels(table.names, models)

    def without(self, *left_out: int) -> RoundModels:
        """Fit a first round on the blocks that are not left out, as they are without the labels of those that are."""
        numbers = [number for number in range(len(self.blocks)) if number not in left_out]
        blocks = [self.block(number, *left_out) for number in numbers]
        labels = [
            self.labels[number] if block is self.blocks[number] else block.labels(self.gold)
            for number, block in zip(numbers, blocks)
        ]
        learners = self.recipe.nested_learners if len(left_out) > 1 else None
        return self.fit_round(labels, [block.table for block in blocks], learners)

    def block(self, number: int, *left_out: int) -> QueryBlock:
        """Return a block as it is without the labels of some blocks."""
        return self.blocks[number].without_labels(self.blocks[other].name for other in left_out)

    def first_rounds(self) -> list[tuple[pd.DataFrame, Floats]]:
        """Return the run and the probabilities of each block by a first round that is fitted on the others."""

        def scored(number: int) -> tuple[pd.DataFrame, Floats]:
            block = self.block(number, number)
            probabilities = self.without(number).probabilities(block.table)
            return block.run(probabilities), probabilities

        return _in_threads(scored, range(len(self.blocks)), "fitting without each block")

    def with_second_rounds(self, first: Sequence[Floats]) -> tuple[pd.DataFrame, ...]:
        """Return the runs by the means of the first round and of second rounds that are fitted on the others."""
        numbers = range(len(self.blocks))

        def scored_pair(pair: tuple[int, int]) -> list[Floats]:
            models = self.without(*pair)
            return [models.probabilities(self.blocks[number].table) for number in pair]

        pairs = [*itertools.combinations(numbers, 2)]
        scores: dict[tuple[int, int], Floats] = {}  # (block, the other block that the models did not see)
        for (one, other), (of_one, of_other) in zip(
            pairs, _in_threads(scored_pair, pairs, "fitting without each two blocks")
        ):
            scores[one, other], scores[other, one] = of_one, of_other

        def scored(number: int) -> pd.DataFrame:
            others = [other for other in numbers if other != number]
            tables = [self.blocks[other].second_table(scores[other, number]) for other in others]
            table = self.blocks[number].second_table(first[number])
            models = self.fit_round([self.labels[other] for other in others], tables)
            return self.blocks[number].run((first[number] + models.probabilities(table)) / 2)

        return tuple(_in_threads(scored, numbers, "fitting the second round without each block"))


def _in_threads(function: Callable[[T], R], tasks: Sequence[T], description: str) -> list[R]:
    """Run independent fits in threads, one per core. Each fit uses one thread, so results are reproducible."""
    with ThreadPoolExecutor(min(len(tasks), available_cores())) as threads:
        return list(progress(threads.map(function, tasks), description, total=len(tasks), unit="models"))


# Ablations: what each family of features adds to a recipe.
SECOND = "second"  # the family of the features of the second round
TOTAL = "total"  # the family of sums of scores of several families
_TOTAL_STAYS = f", and so does the family {TOTAL}, which sums scores of several families"
_FEATURES_SHOWN = 10


@displayed
class Ablation(NamedTuple):
    """The result of leaving out each family of features.

    Attributes
    ----------
    recipe : Recipe
        The recipe.
    value : float
        The measure on held-out blocks, with all features.
    families : pandas.DataFrame
        A row for each family: ``family``; ``features``, their number; ``share``, in [0, 1], of the fitted models, see
        `importances`; ``without``, the measure on held-out blocks without the family; ``difference``, what the family
        adds; and ``low`` and ``high``, the 95 % interval of the difference by bootstrap over the queries.
    features : pandas.DataFrame
        The result of `importances`.
    group : str
        What the blocks are, in the singular.
    """

    recipe: Recipe
    value: float
    families: pd.DataFrame
    features: pd.DataFrame
    group: str = "block"

    def as_json(self) -> dict[str, Any]:
        """Return all of it as values that JSON can represent."""
        families, features = (
            json.loads(frame.to_json(orient="records", double_precision=15)) for frame in (self.families, self.features)
        )
        figures = {"recipe": self.recipe.name, "measure": str(self.recipe.measure), "value": self.value}
        return {**figures, "families": families, "features": features}

    def display(self) -> Iterator[Block]:
        """Return the value, the families, and the features with the largest shares."""
        measure, held_out = self.recipe.measure, f"held-out {self.group}s"
        yield Heading(f"recipe {self.recipe.name}: {measure} {self.value:.4f} on {held_out}")
        yield Table.of_frame(self.families)
        yield "share: how much of the trees' gain, or of the absolute weights, comes from the family"
        yield f"without: {measure} on {held_out} without the family"
        yield "difference: what the family adds; negative: better without the family"
        yield "low, high: 95 % interval of the difference, by bootstrap over the queries"
        yield f"candidates stay as they are{_TOTAL_STAYS if TOTAL in [*self.families['family']] else ''}"
        yield Heading("features with the largest shares")
        yield Table.of_frame(self.features.head(_FEATURES_SHOWN))

    def __repr__(self) -> str:
        return str(self)


def importances(fitted: FittedRecipe) -> pd.DataFrame:
    """Return the share of each feature in the models of a fitted recipe.

    Parameters
    ----------
    fitted : FittedRecipe
        The recipe.

    Returns
    -------
    pandas.DataFrame
        ``feature``, ``family`` and ``share``, the largest share first. The share is the mean over all models, in which
        it is that of the gain of all splits of the trees, or of the absolute weights.
    """
    names = fitted.rounds[-1].names
    shares = pd.Series(0.0, index=[*names])
    models = [(each.names, model) for each in fitted.rounds for model in each.models]
    for features, model in models:
        shares[[*features]] += model.importances() / len(models)
    frame = pd.DataFrame({"feature": names, "family": [*map(family_of, names)], "share": shares.to_numpy()})
    return frame.sort_values("share", ascending=False, kind="stable").reset_index(drop=True)


def ablation(recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame) -> Ablation:
    """Leave out each family of features in turn, and score held-out blocks without it.

    Parameters
    ----------
    recipe, blocks, gold
        As of `ir_coliee.baselines.recipes.held_out`.

    Returns
    -------
    Ablation
        The values. Without the family ``second``, there is no second round. The candidates stay as they are.

    Raises
    ------
    InsufficientTrainingDataError, MissingExtraError
        As by `ir_coliee.baselines.recipes.held_out`.
    """
    scored = held_out(recipe, blocks, gold)
    features = importances(fit(scored))
    by_family = features.groupby("family")
    families = [*blocks[0].table.families, *([SECOND] if recipe.has_two_rounds(blocks) else [])]
    answers = {
        family: _answers_without(family, scored) if len(families) > 1 else scored.answers[:0]
        for family in progress(families, "without each family", unit="families")
    }
    counts = count_runs({"": scored.answers, **answers}, gold, recipe.measure)
    without = quotient(*counts.terms(recipe.measure).sum(axis=2))[1:]
    value, *others = resampled(recipe.measure, counts)
    intervals = [bounds(value - other) for other in others]
    columns = {
        "family": families,
        "features": by_family.size()[families].to_numpy(),
        "share": by_family["share"].sum()[families].to_numpy(),
        "without": without,
        "difference": scored.value - without,
        "low": [each.low for each in intervals],
        "high": [each.high for each in intervals],
    }
    return Ablation(recipe, scored.value, pd.DataFrame(columns), features)


def _answers_without(family: str, scored: HeldOut) -> pd.DataFrame:
    recipe, blocks = scored.recipe, scored.blocks
    if family == SECOND:
        return held_out(replace(recipe, second_round=False), blocks, scored.gold).answers
    return held_out(recipe, [block.without(family) for block in blocks], scored.gold).answers
