"""The results of the finished stages of a baseline, in the cache of the data folder.

A baseline that was stopped continues after its last finished stage. The results contain ids and numbers and no text.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee._version import __version__
from ir_coliee.baselines.recipes import FeatureTable, HeldOut, QueryBlock, Recipe, fit, held_out, importances
from ir_coliee.baselines.recipes.fitting import has_two_rounds
from ir_coliee.baselines.training import TrainingData
from ir_coliee.editions import Split
from ir_coliee.errors import MissingExtraError
from ir_coliee.frames import Floats
from ir_coliee.progress import stage
from ir_coliee.releases import cache
from ir_coliee.releases.release import LocalRelease
from ir_coliee.text.analysers import Analysis, English, Shingles, analyser_version
from ir_coliee.text.tokenisers import ANALYSERS

T = TypeVar("T")
#: A result as it is kept: arrays by name, of numbers or of ids.
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

_LIBRARIES = ("lightgbm", "scikit-learn")  # those of the learners
_KEPT: list[str] = []  # the names of the stages, each when its result was kept or was read again
_PACKAGE = Path(__file__).parents[1]
_FILE = "arrays.npz"


class FinalFit(NamedTuple):
    """What is kept of a recipe that is fitted on all train blocks: not its models, but what they say.

    Attributes
    ----------
    probabilities : float64 array
        The probability of each candidate of the block that is answered; empty without such a block.
    importances : pandas.DataFrame
        The result of `ir_coliee.baselines.recipes.importances`.
    """

    probabilities: Floats
    importances: pd.DataFrame


class FinishedStages:
    """The finished stages of a computation on given data.

    Parameters
    ----------
    *data : Split or TrainingData
        The data that the results depend on. Results are kept until the content of its files, its description in the
        edition file or the code of this package changes. Without data, and if a password protects a file, nothing is
        kept.
    parameters : iterable, optional
        Other values that the results depend on.

    Raises
    ------
    MissingExtraError
        If LightGBM or scikit-learn is not installed, whose versions the results depend on.
    """

    def __init__(self, *data: Split | TrainingData, parameters: Iterable[object] = ()) -> None:
        splits = (split for each in data for split in (each.splits if isinstance(each, TrainingData) else (each,)))
        sources = [LocalRelease.open(split).sources for split in splits]
        self._origin = sources[0].origin if sources else ""
        self._is_kept = bool(sources) and not any(files.is_encrypted for files in sources)
        key = [files.fingerprint for files in sources]
        self._key = cache.key_of((*_versions(), *key, *map(_content, data), *parameters))

    def result(
        self,
        name: str,
        compute: Callable[[], T],
        to_arrays: Callable[[T], Arrays],
        of_arrays: Callable[[Arrays], T],
        *,
        kind: str,
        parameters: tuple[object, ...] = (),
    ) -> T:
        """Return the result of a stage: as it was kept, or computed and then kept.

        Parameters
        ----------
        name : str
            The name of the stage, see `ir_coliee.progress.stage`.
        compute : callable
            Returns the result.
        to_arrays, of_arrays : callable
            Turn a result into arrays, and such arrays into the result.
        kind : str
            The kind of the result, in lower-case letters.
        parameters : tuple
            Values that the result depends on besides the data.

        Returns
        -------
        object
            The result. A damaged one is computed again.
        """
        if not self._is_kept:
            return compute()
        key = cache.key_of((self._key, name, *parameters))
        if entry := cache.find(kind, key, self._origin):
            try:
                with stage(name, from_cache=True), np.load(entry / _FILE, allow_pickle=False) as arrays:
                    result = of_arrays(dict(arrays))
                _KEPT.append(name)
                return result
            except (OSError, ValueError, KeyError, EOFError, BadZipFile):
                cache.discard(entry)
        result = compute()

        def write(folder: Path) -> None:
            arrays: Any = to_arrays(result)
            np.savez(folder / _FILE, **arrays)

        if cache.entry(kind, key, self._origin, write):
            _KEPT.append(name)
        return result

    def table(self, name: str, compute: Callable[[], FeatureTable], *parameters: object) -> FeatureTable:
        """Return the table of features that a stage computes.

        Parameters
        ----------
        name, compute, parameters
            As of `result`.

        Returns
        -------
        FeatureTable
            The table.
        """
        return self.result(name, _staged(name, compute), table_arrays, table_of, kind="table", parameters=parameters)

    def held_out(self, name: str, recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame) -> HeldOut:
        """Return the scores of held-out blocks, see `ir_coliee.baselines.recipes.held_out`."""
        return self.result(
            name,
            _staged(name, lambda: held_out(recipe, blocks, gold)),
            _held_out_arrays,
            partial(_held_out_of, recipe, blocks, gold),
            kind="heldout",
            parameters=(_fingerprint(recipe, blocks, gold),),
        )

    def final_fit(self, name: str, scored: HeldOut, block: QueryBlock | None) -> FinalFit:
        """Return what the recipe says of a block after it is fitted on all train blocks, see `FinalFit`."""

        def compute() -> FinalFit:
            fitted = fit(scored)
            return FinalFit(fitted.probabilities(block) if block else np.zeros(0), importances(fitted))

        blocks = [*scored.blocks, *([block] if block else [])]
        return self.result(
            name,
            _staged(name, compute),
            _final_fit_arrays,
            _final_fit_of,
            kind="fit",
            parameters=(_fingerprint(scored.recipe, blocks, scored.gold),),
        )


def kept_stages() -> int:
    """Return the number of times that this process has kept the result of a stage, or has read a kept one."""
    return len(_KEPT)


def _staged(name: str, compute: Callable[[], T]) -> Callable[[], T]:
    """Return a computation that is shown as a stage."""

    def computed() -> T:
        with stage(name):
            return compute()

    return computed


def table_arrays(table: FeatureTable) -> Arrays:
    """Return a table as arrays."""
    qids, docnos, names = (np.array([*ids], np.str_) for ids in (table.qids, table.docnos, table.names))
    return {"qids": qids, "docnos": docnos, "names": names, "values": table.values}


def table_of(arrays: Arrays) -> FeatureTable:
    """Return the table of such arrays."""
    return FeatureTable(_ids(arrays["qids"]), _ids(arrays["docnos"]), arrays["values"], (*arrays["names"].tolist(),))


def _ids(array: npt.NDArray[Any]) -> npt.NDArray[np.object_]:
    return np.array(array.tolist(), object)


def _held_out_arrays(scored: HeldOut) -> Arrays:
    run = scored.run
    ids = {name: np.array(run[name].tolist(), np.str_) for name in ("qid", "docno", "text_id")}
    return {
        **ids,
        "score": run["score"].to_numpy(np.float64),
        "rank": run["rank"].to_numpy(np.int64),
        "rows": np.array([len(each) for each in scored.runs], np.int64),
        "first": np.concatenate([*scored.first, np.zeros(0)]),
    }


def _held_out_of(recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame, arrays: Arrays) -> HeldOut:
    rows, first = arrays.pop("rows"), arrays.pop("first")
    ids = {name: _ids(arrays[name]) for name in ("qid", "docno", "text_id")}
    run = pd.DataFrame({name: ids.get(name, arrays[name]) for name in ("qid", "docno", "score", "text_id", "rank")})
    runs = tuple(
        run[end - number : end].reset_index(drop=True)
        for number, end in zip(rows.tolist(), rows.cumsum().tolist(), strict=True)
    )
    of_blocks = np.cumsum([len(block.table) for block in blocks])[:-1]
    firsts = tuple(np.split(first, of_blocks)) if has_two_rounds(recipe, blocks) else ()
    return HeldOut(recipe, tuple(blocks), gold, firsts, runs)


def _final_fit_arrays(final: FinalFit) -> Arrays:
    features, families = (np.array(final.importances[name].tolist(), np.str_) for name in ("feature", "family"))
    shares = final.importances["share"].to_numpy(np.float64)
    return {"probabilities": final.probabilities, "feature": features, "family": families, "share": shares}


def _final_fit_of(arrays: Arrays) -> FinalFit:
    columns = {name: _ids(arrays[name]) for name in ("feature", "family")}
    return FinalFit(arrays["probabilities"], pd.DataFrame({**columns, "share": arrays["share"]}))


def _fingerprint(recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame) -> str:
    """Return a digest of what a recipe is fitted on. The code of features and of choices is part of every key."""
    digest = hashlib.blake2b(repr((recipe.name, recipe.learners, recipe.nested_learners, recipe.second_round)).encode())
    for block in blocks:
        ids = [*block.table.names, *block.table.qids, *block.table.docnos]
        digest.update("\0".join([block.name, str(len(block.table)), *ids]).encode())
        digest.update(np.ascontiguousarray(block.table.values).data)
        digest.update(block.labels(gold).data)
    return digest.hexdigest()


def _content(data: Split | TrainingData) -> list[object]:
    """Return what the files of the data do not tell: the description of the split, and which queries are used."""
    if isinstance(data, TrainingData):
        return [_content(data.split), data.exam_years, data.qrels().to_numpy(object).tolist()]
    return [data.id, *vars(data).values()]


@lru_cache(maxsize=1)
def _digest_of_code() -> str:
    """Return a digest of the modules of this package, so that no stage of another state of the code is reused."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _versions() -> Iterator[object]:
    """Yield the versions that the results depend on."""
    try:
        yield from (__version__, _digest_of_code(), *map(version, _LIBRARIES), unicodedata.unidata_version)
    except PackageNotFoundError:
        raise MissingExtraError("Gradient boosting", "learn") from None
    analysers: list[Analysis] = [*ANALYSERS, English(stem=False), Shingles(2)]
    yield from map(analyser_version, analysers)
