"""Writes a made-up release in the true layout of an edition: for tests, benchmarks and dry runs.

The words are invented, the sizes are the edition's. There is something to find: what is relevant to a query
shares words with it. The same seed gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from ir_coliee.editions import SPLITS, Split
from ir_coliee.errors import ColieeError
from ir_coliee.synthetic import flat, pools, statutes, task2, torts
from ir_coliee.synthetic.release import Order, Progress, Release, SplitCounts, WrittenRelease, write

__all__ = ["SplitCounts", "WrittenRelease", "write_release"]

# what makes the releases of a layout; both subtasks of the pilot, and all statute tasks, lie in the same files
_MAKERS: Mapping[str, Callable[[Sequence[Split], Order], Release]] = MappingProxyType(
    {
        "flat": flat.release,
        "pools": pools.release,
        "cases": task2.release,
        "pairs": statutes.release,
        "simple pairs": statutes.release,
        "JSON Lines": torts.release,
    }
)


def write_release(
    dataset_id: str,
    folder: Path,
    *,
    scale: float = 1.0,
    seed: int = 0,
    irregularities: bool = False,
    archive: bool = False,
    progress: Progress = iter,
) -> WrittenRelease:
    """Write a made-up release of the edition to which an id belongs, with all its splits.

    ``dataset_id`` names an edition (``coliee/task1/2025``) or one of its splits. Tasks 3, 4 and 5 of an edition
    and language lie in the same files and are written together, and so are both subtasks of the pilot.
    ``scale`` is the share of the true size, in (0, 1]; pools of candidates shrink with it. ``irregularities`` plants
    the irregularities that are known of real releases, and what else an audit looks for. With ``archive``, each
    folder is written as a zip. ``progress`` wraps the loops over the documents. Raises `ExistingFileError` where
    a target is there already.
    """
    splits = _splits(dataset_id)
    if not 0 < scale <= 1:
        raise ColieeError(f"scale {scale} is not above 0 and at most 1")
    if seed < 0:
        raise ColieeError(f"seed {seed} is below 0")
    order = Order(scale, np.random.default_rng(seed), irregularities, progress)
    return write(_MAKERS[splits[0].layout](splits, order), folder, archive=archive)


def _splits(dataset_id: str) -> list[Split]:
    """The train and test splits of the release to which an id belongs."""
    known: dict[str, list[Split]] = {}
    named = set()
    below = f"{dataset_id.removesuffix('/full').removesuffix('/deleted')}/"
    for split in SPLITS.values():
        if split.is_built_in:
            continue
        if split.name in ("train", "test"):
            known.setdefault(_release_of(split), []).append(split)
        if f"{split.id}/".startswith(below):
            named.add(_release_of(split))
    if len(named) != 1:
        raise ColieeError(f"{dataset_id!r} names no release that can be made up. Known: {', '.join(sorted(known))}.")
    return known[named.pop()]


def _release_of(split: Split) -> str:
    """The id that the splits of a release have in common; of the statute tasks, which lie together, that of task 3."""
    if split.exam_years:
        return f"coliee/task3/{split.edition}/{split.language}"
    return "/".join(split.id.split("/")[:3])
