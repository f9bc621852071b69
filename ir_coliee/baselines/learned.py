"""The learned baseline of a split: candidates from a task, learned from by a recipe; and what is kept of its stages.

The results of stages are kept in the cache of the data folder, so that a baseline that was stopped continues after its
last finished stage. They contain ids and numbers and no text.
"""

from __future__ import annotations

import hashlib
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee.baselines import recipes
from ir_coliee.baselines.recipes import FeatureTable, GivenCutoff, HeldOut, QueryBlock, Recipe
from ir_coliee.baselines.training import BaselineRun, TrainingData, held_out_note, shares_labels
from ir_coliee.editions import Split
from ir_coliee.frames import Floats
from ir_coliee.progress import stage
from ir_coliee.releases import cache
from ir_coliee.releases.release import LocalRelease

#: A result: arrays by name, of numbers or of ids.
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
#: The splits and training data that a result depends on.
Data: TypeAlias = Sequence[Split | TrainingData]

_PACKAGE = Path(__file__).parents[1]
_KIND, _FILE = "stage", "arrays.npz"


def kept(name: str, compute: Callable[[], Arrays], data: Data, *parameters: object) -> Arrays:
    """Return the result of a stage: as it was kept, or computed and then kept.

    Parameters
    ----------
    name : str
        The name of the stage, see `ir_coliee.progress.stage`.
    compute : callable
        Returns the result.
    data : sequence of Split or TrainingData
        A result is kept until the content of their files, their description in the edition file or the code of this
        package changes. Without data, and if a password protects a file, nothing is kept. A damaged file is computed
        again.
    *parameters
        Other values that the result depends on.
    """
    place = _place(name, data, parameters)
    if place and (known := cache.load(_KIND, *place, partial(_read, name))) is not None:
        return known
    with stage(name):
        result = compute()
    if place:
        cache.entry(_KIND, *place, lambda folder: _write(folder / _FILE, result))
    return result


def kept_table(name: str, compute: Callable[[], FeatureTable], data: Data, *parameters: object) -> FeatureTable:
    """Return the table of features that a stage computes, see `kept`."""
    return table_of(kept(name, lambda: table_arrays(compute()), data, *parameters))


def table_arrays(table: FeatureTable) -> Arrays:
    """Return a table as arrays."""
    return {"qids": table.qids, "docnos": table.docnos, "values": table.values, "names": np.array(table.names, object)}


def table_of(arrays: Arrays) -> FeatureTable:
    """Return the table of such arrays."""
    return FeatureTable(arrays["qids"], arrays["docnos"], arrays["values"], tuple(arrays["names"].tolist()))


def _read(name: str, entry: Path) -> Arrays:
    with stage(name, from_cache=True), np.load(entry / _FILE, allow_pickle=False) as arrays:
        return {key: array.astype(object) if array.dtype.kind == "U" else array for key, array in arrays.items()}


def _write(path: Path, result: Arrays) -> None:
    of_ids = {key: np.array([*array], np.str_) for key, array in result.items() if array.dtype == object}
    arrays: Any = result | of_ids
    np.savez(path, **arrays)


def _place(name: str, data: Data, parameters: Sequence[object]) -> tuple[str, str] | None:
    """Return the key of a result and the path that it comes from, None if it must not be kept."""
    splits = (split for each in data for split in (each.splits if isinstance(each, TrainingData) else (each,)))
    sources = [LocalRelease.open(split).sources for split in splits]
    if not sources or any(files.is_encrypted for files in sources):
        return None
    fingerprints = (files.fingerprint for files in sources)
    return cache.key_of((*_versions(), *fingerprints, *map(_content, data), name, *parameters)), sources[0].origin


def _content(data: Split | TrainingData) -> list[object]:
    """Return what the files of the data do not tell: the description of the split, and which queries are used."""
    if isinstance(data, TrainingData):
        return [_content(data.split), data.exam_years, data.qrels().to_numpy(object).tolist()]
    return [data.id, *vars(data).values()]


def _versions() -> Iterator[str]:
    """Yield the versions of the code and of the libraries that the results depend on."""
    yield from (cache.digest_of((*sorted(_PACKAGE.rglob("*.py")),)), unicodedata.unidata_version)
    for library in ("lightgbm", "scikit-learn"):
        with suppress(PackageNotFoundError):
            yield version(library)


# The base class of the baselines of tasks 1 to 4.

_HELD_OUT, _FIT = "held-out queries", "final fit"
_FAMILIES_NOTED = 3


class LearnedBaseline(ABC):
    """A recipe on the candidates of a split and of its train queries: the base class of those of the tasks.

    A subclass defines ``recipe`` (the `Recipe`), `train_blocks` and `block`. Nothing is computed before these are
    called.

    Parameters
    ----------
    split : Split
        The split to answer. In a train split, each block of queries is answered by models fitted on the others.
    training : TrainingData
        The labelled queries.
    pool_features : bool
        Whether features may compare all queries of a test pool, in task 1.

    Attributes
    ----------
    tag : str
        The tag of the run.
    depends_on_split : bool
        Whether the features of the train queries, and so their held-out ranking, depend on the split to answer.
    """

    tag: ClassVar[str] = "learned"
    depends_on_split: ClassVar[bool] = False

    def __init__(self, split: Split, training: TrainingData, *, pool_features: bool = True) -> None:
        self.split, self.training, self.pool_features = split, training, pool_features

    @property
    @abstractmethod
    def recipe(self) -> Recipe:
        """The recipe."""

    @property
    def group(self) -> str:
        """What the blocks are, in the singular, for notes."""
        return "block"

    @property
    def notes(self) -> tuple[str, ...]:
        """Further notes of the run."""
        return ()

    @property
    def parameters(self) -> tuple[object, ...]:
        """Values that the candidates depend on besides the data, such as results of another baseline."""
        return ()

    @property
    def answers_train(self) -> bool:
        """Whether the split to answer is the train split."""
        return shares_labels(self.training.split, self.split)

    @abstractmethod
    def train_blocks(self) -> Sequence[QueryBlock]:
        """Return the candidates of the train queries, in blocks that are held out one after the other."""

    @abstractmethod
    def block(self) -> QueryBlock:
        """Return the candidates of the split. It is not called for a train split."""

    def whole_ranking(self, split: Split, run: pd.DataFrame) -> pd.DataFrame:
        """Return the run of a split as a ranking, which may have further items below the candidates."""
        return run

    def run(self) -> BaselineRun:
        """Fit the recipe on the train queries, and rank and cut the candidates of the split.

        Raises
        ------
        InsufficientTrainingDataError
            If there are too few labels.
        MissingExtraError
            If the library of a learner is not installed.
        MissingReleaseError
            If the local release is missing.
        """
        with stage(self.tag):
            scored = self.held_out()
            cutoff = scored.cutoff
            block = None if self.answers_train else self.block()
            probabilities, features = self._final_fit(scored, block)
            runs = (block.run(probabilities),) if block else scored.runs
            answers = pd.concat(map(cutoff, runs), ignore_index=True)  # a cut-off may compare all queries of a block
            ranking = self.whole_ranking(self.split, pd.concat(runs, ignore_index=True))
            train_ranking = self.whole_ranking(self.training.split, scored.run) if block else ranking
        notes = [self._note(scored), _note_on_features(features), *self.notes]
        return BaselineRun(self.tag, answers, ranking, notes, train_ranking, train_value=scored.value)

    def held_out(self) -> HeldOut:
        """Return the train queries with the scores of models of the other blocks; raises what `run` raises."""
        recipe, blocks, gold = self.recipe, self.train_blocks(), self.training.qrels()
        key = _fingerprint(recipe, blocks, gold)
        arrays = kept(
            _HELD_OUT, lambda: recipes.held_out(recipe, blocks, gold).arrays(), [self.training], key, *self.parameters
        )
        return HeldOut.of_arrays(recipe, blocks, gold, arrays)

    def ablation(self) -> recipes.Ablation:
        """Return the held-out values without each family of features; raises what `run` raises."""
        with stage("ablation"):
            return recipes.ablation(self.recipe, self.train_blocks(), self.training.qrels())._replace(group=self.group)

    def _final_fit(self, scored: HeldOut, block: QueryBlock | None) -> tuple[Floats, pd.DataFrame]:
        """Return the probabilities of a block by models of all train blocks, and the importances of the features."""

        def compute() -> Arrays:
            fitted = recipes.fit(scored)
            shares = {str(name): column.to_numpy() for name, column in recipes.importances(fitted).items()}
            return {"probabilities": fitted.probabilities(block) if block else np.zeros(0), **shares}

        blocks = [*scored.blocks, *([block] if block else [])]
        key = _fingerprint(scored.recipe, blocks, scored.gold)
        arrays = kept(_FIT, compute, [self.training, self.split], key, *self.parameters)
        return arrays.pop("probabilities"), pd.DataFrame(arrays)

    def _note(self, scored: HeldOut) -> str:
        learners = " and ".join(learner.title for learner in self.recipe.learners)
        is_given = isinstance(self.recipe.cut, GivenCutoff)
        how = f"{'two rounds' if scored.first else 'one round'} of {learners}"
        value, blocks = f"{self.recipe.measure} {scored.value:.4f}", f"held-out {self.group}s"
        cut = f"not fitted to data; {value} on {blocks}" if is_given else f"chosen on {blocks} ({value})"
        return (
            f"recipe {self.recipe.name}, fitted on {self.training} in {how}; cut-off {scored.cutoff}, {cut}"
            f"{held_out_note(self.training.split, self.split, self.group, cutoff_is_given=is_given)}"
        )


def _note_on_features(features: pd.DataFrame) -> str:
    shares = features.groupby("family")["share"].sum().sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{family} {share:.0%}" for family, share in shares.head(_FAMILIES_NOTED).items())
    return f"{len(features)} features; the families with the largest shares of the models: {named}"


def _fingerprint(recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame) -> str:
    """Return a digest of what a recipe is fitted on. The code of features and of choices is part of every key."""
    digest = hashlib.blake2b(repr((recipe.name, recipe.learners, recipe.nested_learners, recipe.second_round)).encode())
    for block in blocks:
        ids = [*block.table.names, *block.table.qids, *block.table.docnos]
        digest.update("\0".join([block.name, str(len(block.table)), *ids]).encode())
        digest.update(np.ascontiguousarray(block.table.values).data)
        digest.update(block.labels(gold).data)
    return digest.hexdigest()
