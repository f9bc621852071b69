"""Stored tables, held-out scores and fitted recipes: they are read as they were written, and damage is refused."""

import hashlib
import json
import os

import numpy as np
import pandas as pd
import pytest

from ir_coliee import MicroF1
from ir_coliee.baselines.recipes import (
    BestCutoff,
    BoostedLearner,
    FeatureTable,
    LogisticLearner,
    QueryBlock,
    Recipe,
    fit,
    held_out,
)
from ir_coliee.baselines.recipes.storage import (
    read_fitted,
    read_held_out,
    read_table,
    write_fitted,
    write_held_out,
    write_table,
)
from ir_coliee.errors import ColieeError, MalformedFileError
from ir_coliee.storage import TREES
from ir_coliee.transformers import TopK

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")

RECIPE = Recipe(
    "tiny",
    (BoostedLearner(rounds=3, leaves=4, rows_per_leaf=5, seeds=2), LogisticLearner()),
    BestCutoff(MicroF1, (TopK(1), TopK(2))),
    MicroF1,
    second_round=True,
)


def block(number):
    values = np.random.default_rng(number).normal(size=(40, 2)).astype(np.float32)
    qids = [f"q{number}{row // 5}" for row in range(40)]
    table = FeatureTable.of(qids, [f"d{row % 5}" for row in range(40)], {"a.b": values[:, 0], "c.d": values[:, 1]})
    return QueryBlock(f"block {number}", table, lambda probabilities: {"second.value": probabilities})


BLOCKS = [block(number) for number in range(3)]
ROWS = FeatureTable.concatenated([each.table for each in BLOCKS])
GOLD = pd.DataFrame({"qid": ROWS.qids, "docno": ROWS.docnos, "label": (ROWS.column("a.b") > 0.5).astype(int)})


@pytest.fixture(scope="module")
def scored():
    return held_out(RECIPE, BLOCKS, GOLD)


@pytest.fixture
def folder(scored, tmp_path):
    write_fitted(fit(scored), tmp_path)
    return tmp_path


def change_manifest(folder, change):
    path = folder / "recipe.json"
    fields = json.loads(path.read_text())
    change(fields)
    path.write_text(json.dumps(fields))


def test_a_fitted_recipe_scores_to_the_last_bit_as_before(scored, folder):
    again = read_fitted(folder)
    assert (again.probabilities(block(7)) == fit(scored).probabilities(block(7))).all()
    assert [models.names for models in again.rounds] == [("a.b", "c.d"), ("a.b", "c.d", "second.value")]


def test_a_table_is_read_as_it_was_written(tmp_path):
    values = np.array([[1.5, np.nan], [1 / 3, -2.0]], np.float32)
    table = FeatureTable(np.array(["1", "längst"], object), np.array(["a%b", "c"], object), values, ("a.b", "c.d"))
    write_table(table, tmp_path)
    again = read_table(tmp_path)
    assert (again.qids.tolist(), again.docnos.tolist(), again.names) == (["1", "längst"], ["a%b", "c"], ("a.b", "c.d"))
    assert again.qids.dtype == object
    assert np.array_equal(again.values, values, equal_nan=True)


def test_held_out_scores_are_read_as_they_were_written(scored, tmp_path):
    write_held_out(scored, tmp_path)
    again = read_held_out(RECIPE, BLOCKS, GOLD, tmp_path)
    assert again.run.equals(scored.run)
    assert [*map(len, again.first)] == [40, 40, 40]
    assert (np.concatenate(again.first) == np.concatenate(scored.first)).all()


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays: arrays | {"names": np.array(["a.b", "a.b"])},
        lambda arrays: arrays | {"names": np.array(["a.b", "c"])},
        lambda arrays: arrays | {"values": arrays["values"].astype(np.float64)},
        lambda arrays: arrays | {"values": arrays["values"] + np.float32(np.inf)},
        lambda arrays: arrays | {"values": arrays["values"][:1]},
        lambda arrays: arrays | {"qids": np.array([{}, {}])},
        lambda arrays: arrays | {"other": np.zeros(2)},
        lambda arrays: {name: array for name, array in arrays.items() if name != "docnos"},
    ],
)
def test_another_table_is_refused(tmp_path, change):
    write_table(BLOCKS[0].table, tmp_path)
    with np.load(tmp_path / "table.npz") as arrays:
        changed = change(dict(arrays))
    np.savez(tmp_path / "table.npz", **changed)
    with pytest.raises(MalformedFileError, match=r"table\.npz"):
        read_table(tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"scores": np.full(120, 1.5)},
        {"scores": np.full(120, np.nan)},
        {"scores": np.zeros(119)},
        {"scores": np.zeros(120, np.float32)},
        {"first": np.full(120, -0.5)},
        {"first": np.zeros(0)},
        {"sizes": np.array([60, 60])},
        {"sizes": np.array([160, -80, 40])},
        {"text_ids": np.zeros(120, np.int64)},
        {"ranks": np.zeros(120)},
    ],
)
def test_other_scores_than_probabilities_of_these_rows_are_refused(scored, tmp_path, wrong):
    write_held_out(scored, tmp_path)
    with np.load(tmp_path / "scores.npz") as arrays:
        changed = {**arrays, **wrong}
    np.savez(tmp_path / "scores.npz", **changed)
    with pytest.raises(MalformedFileError, match=r"scores\.npz"):
        read_held_out(RECIPE, BLOCKS, GOLD, tmp_path)


def test_held_out_scores_of_other_candidates_than_those_of_the_fit_are_kept(tmp_path):
    """The candidates of a block may be others without its labels."""
    one_round = Recipe("one", RECIPE.learners, RECIPE.cut, MicroF1)
    blocks = [
        QueryBlock(each.name, each.table, table_without=lambda _, each=each: upper(each.table)) for each in BLOCKS
    ]
    scored = held_out(one_round, blocks, GOLD)
    write_held_out(scored, tmp_path)
    assert len(scored.run) < sum(len(each.table) for each in blocks)
    assert read_held_out(one_round, blocks, GOLD, tmp_path).run.equals(scored.run)


def upper(table):
    rows = table.column("c.d") > 0
    return FeatureTable(table.qids[rows], table.docnos[rows], table.values[rows], table.names)


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields.update(rounds=[]),
        lambda fields: fields.update(rounds=fields["rounds"] * 2),
        lambda fields: fields.update(rounds={"features": []}),
        lambda fields: fields.pop("rounds"),
        lambda fields: fields["rounds"][0].update(features=["a.b"]),
        lambda fields: fields["rounds"][0].update(features="ab"),
        lambda fields: fields["rounds"][0].update(features=[1, 2]),
        lambda fields: fields["rounds"][0].update(models=[]),
        lambda fields: fields["rounds"][0].update(models=None),
        lambda fields: fields["rounds"][0]["models"][0].update(kind="pickle"),
        lambda fields: fields["rounds"][0]["models"][0].update(kind=["trees"]),
        lambda fields: fields["rounds"][0]["models"][0].update(digest="0"),
        lambda fields: fields["rounds"][1]["models"].append(fields["rounds"][1]["models"][0]),
        lambda fields: fields["rounds"][0]["models"].reverse(),
    ],
)
def test_a_manifest_with_another_value_is_refused(folder, change):
    change_manifest(folder, change)
    with pytest.raises(MalformedFileError):
        read_fitted(folder)


def test_a_manifest_in_another_format_is_refused(folder):
    change_manifest(folder, lambda fields: fields.update(format_version=99))
    with pytest.raises(ColieeError, match="a fitted recipe in format 99"):
        read_fitted(folder)


def alter(folder, name, content):
    """Change the file of a model, and mend the digest in the manifest."""
    (folder / name).write_bytes(content)
    place = [int(part[-1]) - 1 for part in name.removesuffix(".txt").split("-")]

    def mend(fields):
        fields["rounds"][place[0]]["models"][place[1]]["digest"] = hashlib.sha256(content).hexdigest()

    change_manifest(folder, mend)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("round1-model1.txt", b""),
        ("round1-model1.txt", "tree\nä".encode()),
        ("round1-model2.txt", b"{}"),
        ("round1-model2.txt", b"[" * 100_000),
        ("round2-model2.txt", b'{"centres": []}'),
    ],
)
def test_an_altered_model_is_refused_even_if_the_digest_agrees(folder, name, content):
    alter(folder, name, content)
    with pytest.raises(MalformedFileError, match=name):
        read_fitted(folder)


def test_a_model_of_other_features_is_refused(folder):
    alter(folder, "round1-model1.txt", (folder / "round2-model1.txt").read_bytes())
    with pytest.raises(MalformedFileError, match="2 features of models with another number"):
        read_fitted(folder)


def test_a_file_that_is_missing_damaged_or_too_large_is_named(folder):
    path = folder / "round1-model1.txt"
    content = path.read_bytes()
    path.write_bytes(content + b" ")
    with pytest.raises(MalformedFileError, match="differs from the digest"):
        read_fitted(folder)
    os.truncate(path, TREES.max_bytes + 1)
    with pytest.raises(ColieeError, match=path.name):
        read_fitted(folder)
    path.unlink()
    with pytest.raises(MalformedFileError, match=path.name):
        read_fitted(folder)
