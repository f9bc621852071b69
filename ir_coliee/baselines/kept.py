"""The results of the stages of a baseline, kept in the cache of the data folder.

A baseline that was stopped continues after its last finished stage. The results contain ids and numbers and no text.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from ir_coliee.baselines.recipes import FeatureTable
from ir_coliee.baselines.training import TrainingData
from ir_coliee.editions import Split
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
    if place and (entry := cache.find(_KIND, *place)):
        try:
            with stage(name, from_cache=True), np.load(entry / _FILE, allow_pickle=False) as arrays:
                return {
                    key: array.astype(object) if array.dtype.kind == "U" else array for key, array in arrays.items()
                }
        except (OSError, ValueError, EOFError, BadZipFile):
            cache.discard(entry)
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


@lru_cache(maxsize=1)
def _digest_of_code() -> str:
    """Return a digest of the modules of this package, so that no result of another state of the code is reused."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _versions() -> Iterator[str]:
    """Yield the versions of the code and of the libraries that the results depend on."""
    yield from (_digest_of_code(), unicodedata.unidata_version)
    for library in ("lightgbm", "scikit-learn"):
        with suppress(PackageNotFoundError):
            yield version(library)
