"""Tables of features, held-out runs and fitted recipes as folders that contain no text.

A fitted recipe has a file for each model (the trees in LightGBM's text format, or the numbers of a regression in JSON)
and a manifest. Opening a folder runs no code of its author, and all numbers are checked, so that a damaged folder
raises an error and any other gives finite scores. The digests show accidental damage; they do not show who fitted the
models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ir_coliee.baselines.array_files import Arrays, check_forms, read_arrays
from ir_coliee.baselines.recipes.boosted_learner import BoostedModel
from ir_coliee.baselines.recipes.feature_table import FeatureTable, QueryBlock
from ir_coliee.baselines.recipes.fitting import FittedRecipe, HeldOut, RoundModels, has_two_rounds
from ir_coliee.baselines.recipes.learners import Model
from ir_coliee.baselines.recipes.logistic_learner import LogisticModel
from ir_coliee.baselines.recipes.recipe import Recipe
from ir_coliee.engine.manifests import ManifestForm
from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.frames import instance_of
from ir_coliee.storage import TREES

_RECIPE = ManifestForm("a fitted recipe", 1, "fit it again", {}, "recipe.json")
_TABLE, _SCORES = "table.npz", "scores.npz"
_KINDS: dict[str, type[BoostedModel] | type[LogisticModel]] = {"trees": BoostedModel, "regression": LogisticModel}
_MOST_ROUNDS = 2


def write_table(table: FeatureTable, folder: Path) -> None:
    """Write a table of features into an empty folder."""
    qids, docnos, names = (np.array([*ids], np.str_) for ids in (table.qids, table.docnos, table.names))
    np.savez(folder / _TABLE, qids=qids, docnos=docnos, names=names, values=table.values)


def read_table(folder: Path) -> FeatureTable:
    """Read a table of features from a folder; raise `MalformedFileError` if it is missing or damaged."""

    def parse(arrays: Arrays) -> FeatureTable:
        rows, names = len(arrays["qids"]), tuple(arrays["names"].tolist())
        values = (np.float32, (rows, len(names)))
        check_forms(
            arrays, qids=(np.str_, (rows,)), docnos=(np.str_, (rows,)), names=(np.str_, (len(names),)), values=values
        )
        qids, docnos = (np.array(arrays[name].tolist(), object) for name in ("qids", "docnos"))
        return FeatureTable(qids, docnos, arrays["values"], names)

    return read_arrays(folder / _TABLE, parse)


def write_held_out(scored: HeldOut, folder: Path) -> None:
    """Write the scores of held-out blocks into an empty folder."""
    run = scored.run
    np.savez(
        folder / _SCORES,
        sizes=np.array([len(each) for each in scored.runs], np.int64),
        first=np.concatenate([*scored.first, np.zeros(0)]),
        qids=np.array(run["qid"].tolist(), np.str_),
        docnos=np.array(run["docno"].tolist(), np.str_),
        scores=run["score"].to_numpy(np.float64),
        text_ids=np.array(run["text_id"].tolist(), np.str_),
        ranks=run["rank"].to_numpy(np.int64),
    )


def read_held_out(recipe: Recipe, blocks: Sequence[QueryBlock], gold: pd.DataFrame, folder: Path) -> HeldOut:
    """Read the scores of held-out blocks from a folder; raise `MalformedFileError` if they are missing or damaged."""
    rows = [len(block.table) for block in blocks] if has_two_rounds(recipe, blocks) else []

    def parse(arrays: Arrays) -> HeldOut:
        of_run = (int(arrays["sizes"].sum()),)
        check_forms(
            arrays,
            sizes=(np.int64, (len(blocks),)),
            first=(np.float64, (sum(rows),)),
            qids=(np.str_, of_run),
            docnos=(np.str_, of_run),
            scores=(np.float64, of_run),
            text_ids=(np.str_, of_run),
            ranks=(np.int64, of_run),
        )
        probabilities = np.concatenate([arrays["first"], arrays["scores"]])
        if not ((probabilities >= 0) & (probabilities <= 1)).all():
            raise ValueError("other numbers than probabilities")
        if (arrays["sizes"] < 0).any():
            raise ValueError("a negative size")
        run = pd.DataFrame(
            {
                "qid": np.array(arrays["qids"].tolist(), object),
                "docno": np.array(arrays["docnos"].tolist(), object),
                "score": arrays["scores"],
                "text_id": np.array(arrays["text_ids"].tolist(), object),
                "rank": arrays["ranks"],
            }
        )
        ends = arrays["sizes"].cumsum().tolist()
        runs = tuple(run[end - size : end].reset_index(drop=True) for size, end in zip(arrays["sizes"].tolist(), ends))
        first = np.split(arrays["first"], np.cumsum(rows)[:-1]) if rows else []
        return HeldOut(recipe, tuple(blocks), gold, tuple(first), runs)

    return read_arrays(folder / _SCORES, parse)


def write_fitted(fitted: FittedRecipe, folder: Path) -> None:
    """Write a fitted recipe into an empty folder."""
    rounds = []
    for number, (names, models) in enumerate(fitted.rounds):
        entries = []
        for place, model in enumerate(models):
            content = model.content()
            path = folder / _file(number, place)
            path.write_bytes(content)
            entries.append({"kind": _kind(model), "digest": _digest(content)})
        rounds.append({"features": names, "models": entries})
    _RECIPE.write(folder, {"rounds": rounds})


def read_fitted(folder: Path) -> FittedRecipe:
    """Read a fitted recipe from a folder.

    Raises
    ------
    ColieeError
        If the folder contains no fitted recipe, or one in another format version.
    MalformedFileError
        If a file is damaged.
    """
    fields = _RECIPE.read(folder)
    try:
        rounds = instance_of("rounds", fields["rounds"], list, "a list")
        if len(rounds) not in range(1, _MOST_ROUNDS + 1):
            raise ValueError(f"{len(rounds)} rounds instead of 1 or 2")
        return FittedRecipe(tuple(_read_round(folder, number, each) for number, each in enumerate(rounds)))
    except MalformedFileError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        problem = f"an unexpected field ({type(error).__name__}: {printable(str(error))})"
        raise _RECIPE.malformed(folder / _RECIPE.file, problem) from None


def _read_round(folder: Path, number: int, fields: dict[str, Any]) -> RoundModels:
    features = instance_of("features", fields["features"], list, "a list")
    names = tuple(instance_of("a feature", name, str, "a string") for name in features)
    entries = instance_of("models", fields["models"], list, "a list")
    models = tuple(
        _read_model(folder / _file(number, place), _KINDS[entry["kind"]], entry["digest"])
        for place, entry in enumerate(entries)
    )
    if {model.num_features for model in models} != {len(names)}:
        raise ValueError(f"{len(names)} features of models with another number, or no model")
    return RoundModels(names, models)


def _read_model(path: Path, kind: type[BoostedModel] | type[LogisticModel], digest: str) -> Model:
    try:
        content = TREES.read_file(path)
    except OSError as error:
        raise _RECIPE.malformed(path, f"it cannot be read ({error.strerror})") from None
    if _digest(content) != digest:
        raise _RECIPE.malformed(path, "its content differs from the digest in the manifest")
    try:
        return kind.parse(content)
    except (TypeError, ValueError, RecursionError) as error:
        raise _RECIPE.malformed(path, printable(str(error))) from None


def _kind(model: Model) -> str:
    return next(name for name, kind in _KINDS.items() if isinstance(model, kind))


def _file(number: int, place: int) -> str:
    return f"round{number + 1}-model{place + 1}.txt"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
