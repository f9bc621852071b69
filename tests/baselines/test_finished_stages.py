"""A baseline that was killed continues after its last finished stage, and its results are the same."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError

import numpy as np
import pandas as pd
import pytest

from ir_coliee import MicroF1
from ir_coliee.baselines import kept, run_baseline
from ir_coliee.baselines.kept import FinishedStages
from ir_coliee.baselines.recipes import BestCutoff, FeatureTable, LogisticLearner, QueryBlock, Recipe
from ir_coliee.baselines.training import TrainingData
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeHint, MissingExtraError
from ir_coliee.releases import cache
from ir_coliee.releases.release import LocalRelease
from ir_coliee.synthetic import write_release
from ir_coliee.transformers import TopK

pytest.importorskip("lightgbm")

SPLIT = SPLITS["coliee/task2/sample/test"]
TABLE = FeatureTable.of(["1", "2"], ["a", "b"], {"words.bm25": [0.1, 1 / 3], "names.judge": [np.nan, 2.0]})


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))


def features(finished, compute, *parameters, name="features"):
    """The table of a stage that computes two features."""
    return finished.table(name, compute, *parameters)


class Counted:
    """A computation that knows how often it was made."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return TABLE


def test_a_finished_stage_is_not_computed_again(capsys):
    compute = Counted()
    first, second = (features(FinishedStages(SPLIT), compute) for _ in range(2))
    assert compute.calls == 1
    assert "features: from cache" in capsys.readouterr().err
    for table in (first, second):
        assert (table.qids.tolist(), table.docnos.tolist(), table.names) == (["1", "2"], ["a", "b"], TABLE.names)
        assert np.array_equal(table.values, TABLE.values, equal_nan=True)


@pytest.mark.parametrize(
    ("finished", "name", "parameters"),
    [
        (lambda: FinishedStages(SPLIT), "other", ()),
        (lambda: FinishedStages(SPLIT), "features", (True,)),
        (lambda: FinishedStages(SPLIT, parameters=["context"]), "features", ()),
        (lambda: FinishedStages(SPLIT.train), "features", ()),
        (lambda: FinishedStages(TrainingData(SPLIT.train)), "features", ()),
        (lambda: FinishedStages(replace(SPLIT, excluded=("900101",))), "features", ()),
        (lambda: FinishedStages(TrainingData(replace(SPLIT.train, excluded=("900101",)))), "features", ()),
    ],
)
def test_another_stage_or_other_data_are_computed(finished, name, parameters):
    features(FinishedStages(SPLIT), Counted())
    compute = Counted()
    features(finished(), compute, *parameters, name=name)
    assert compute.calls == 1


def test_other_exam_years_of_one_split_are_computed():
    train = SPLITS["coliee/task3/sample/en/train"]
    features(FinishedStages(TrainingData(train)), Counted())
    compute = Counted()
    features(FinishedStages(TrainingData(train, ("R98",))), compute)
    assert compute.calls == 1


class Learning:
    """A learner that counts its fits."""

    title = "counting"

    def __init__(self):
        self.fits = 0

    def __repr__(self):
        return "Learning()"

    def fit(self, values, labels, weights, names):
        self.fits += 1
        return LogisticLearner().fit(values, labels, weights)


def blocks(shift=0.0):
    for number in range(2):
        qids = [f"{number}{row // 5}" for row in range(20)]
        columns = {"words.bm25": np.random.default_rng(number).normal(size=20) + shift}
        yield QueryBlock(str(number), FeatureTable.of(qids, [str(row % 5) for row in range(20)], columns))


GOLD = pd.DataFrame({"qid": ["00", "01", "10", "11"], "docno": "1", "label": 1})
SECOND_GOLD = GOLD.assign(docno="2")


def test_held_out_scores_and_fits_are_computed_again_only_for_other_rows_labels_or_learners():
    pytest.importorskip("sklearn")
    learner = Learning()
    recipe = Recipe("tiny", (learner,), BestCutoff(MicroF1, (TopK(1),)), MicroF1)

    def run(recipe, blocks, gold):
        finished = FinishedStages(SPLIT)
        scored = finished.held_out("held out", recipe, [*blocks], gold)
        return scored.run, finished.final_fit("fit", scored, scored.blocks[0])

    first = run(recipe, blocks(), GOLD)
    assert learner.fits == 3  # two blocks held out, and the final fit
    again = run(recipe, blocks(), GOLD)
    assert learner.fits == 3
    assert first[0].equals(again[0])
    assert (first[1].probabilities == again[1].probabilities).all()
    assert first[1].importances.equals(again[1].importances)
    run(recipe, blocks(shift=1.0), GOLD)
    assert learner.fits == 6
    run(recipe, blocks(), SECOND_GOLD)
    assert learner.fits == 9
    run(replace(recipe, learners=(learner, learner)), blocks(), GOLD)
    assert learner.fits == 15
    run(replace(recipe, nested_learners=(learner,)), blocks(), GOLD)
    assert learner.fits == 18


def test_without_data_nothing_is_kept():
    compute = Counted()
    for _ in range(2):
        features(FinishedStages(), compute)
    assert compute.calls == 2


def test_nothing_of_a_password_protected_release_is_kept(monkeypatch, tmp_path):
    sources = LocalRelease.open(SPLIT).sources._replace(is_encrypted=True)
    monkeypatch.setattr(LocalRelease, "sources", property(lambda _: sources))
    features(FinishedStages(SPLIT), Counted())
    assert not [*(tmp_path / "parent").rglob("arrays.npz")]


def test_another_state_of_the_code_is_computed(monkeypatch, tmp_path):
    features(FinishedStages(SPLIT), Counted())
    (tmp_path / "package" / "baselines").mkdir(parents=True)
    (tmp_path / "package" / "baselines" / "bm25.py").write_text("RANKING_LENGTH = 50")
    monkeypatch.setattr(kept, "_PACKAGE", tmp_path / "package")
    monkeypatch.setattr(kept, "_digest_of_code", kept._digest_of_code.__wrapped__)
    compute = Counted()
    features(FinishedStages(SPLIT), compute)
    assert compute.calls == 1


def test_without_lightgbm_the_extra_is_named(monkeypatch):
    def version(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(kept, "version", version)
    with pytest.raises(MissingExtraError, match=r"ir_coliee\[learn\]"):
        FinishedStages(SPLIT)


def test_a_damaged_entry_is_replaced_with_a_hint(tmp_path):
    features(FinishedStages(SPLIT), Counted())
    [entry] = (tmp_path / "parent").rglob("arrays.npz")
    entry.write_bytes(entry.read_bytes()[:50])
    compute = Counted()
    with pytest.warns(ColieeHint, match=r"^Damaged entries of the cache .* are computed again\.$"):
        features(FinishedStages(SPLIT), compute)
    assert compute.calls == 1
    features(FinishedStages(SPLIT), compute)
    assert compute.calls == 1


@pytest.mark.parametrize(
    ("save", "change"),
    [
        (np.savez, lambda arrays: arrays | {"values": np.zeros((2, 10), np.float32)}),
        (np.savez, lambda arrays: arrays | {"docnos": np.array([{}, {}])}),  # a pickle
        (np.savez, lambda arrays: {name: array for name, array in arrays.items() if name != "values"}),
    ],
)
def test_an_entry_of_other_columns_is_replaced(tmp_path, save, change):
    features(FinishedStages(SPLIT), Counted())
    [entry] = (tmp_path / "parent").rglob("arrays.npz")
    with np.load(entry) as arrays:
        changed = change(dict(arrays))
    save(entry, **changed)
    compute = Counted()
    with pytest.warns(ColieeHint, match=r"^Damaged entries of the cache .* are computed again\.$"):
        features(FinishedStages(SPLIT), compute)
    assert compute.calls == 1


def test_finished_stages_are_purged(tmp_path):
    features(FinishedStages(SPLIT), Counted())
    assert cache.purge()
    assert not [*(tmp_path / "parent").rglob("arrays.npz")]


# --- killed and started again --------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from ir_coliee.baselines import finished_stages, run_baseline

dataset, left = sys.argv[1], int(sys.argv[2])
write = finished_stages.cache.entry

def entry(kind, *arguments):
    global left
    path = write(kind, *arguments)
    left -= kind in sys.argv[3:]
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return path

finished_stages.cache.entry = entry
run_baseline(dataset)
"""
KINDS = ("table", "caseblock", "heldout", "fit")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
@pytest.mark.parametrize(
    ("release", "scale", "finished"),
    [
        ("coliee/task1/2025", 0.005, 5),
        pytest.param("coliee/task2/2025", 0.01, 1, marks=pytest.mark.long),
        pytest.param("coliee/task3/2025/en", 0.01, 2, marks=pytest.mark.long),
    ],
)
def test_a_killed_baseline_continues_after_its_last_finished_stage(tmp_path, monkeypatch, release, scale, finished):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    write_release(release, killed, scale=scale, seed=3, verbose=False)
    shutil.copytree(killed, whole)
    arguments = [sys.executable, "-c", KILLED, f"{release}/test", str(finished), *KINDS]
    process = subprocess.run(
        arguments, env={**os.environ, "COLIEE_HOME": str(killed)}, capture_output=True, check=False
    )
    assert process.returncode == -signal.SIGKILL, process.stderr.decode()
    runs, written, write = {}, [], cache.entry
    monkeypatch.setattr(cache, "entry", lambda kind, *rest: written.append(kind) or write(kind, *rest))
    computed = {}
    for home in (killed, whole):
        monkeypatch.setenv("COLIEE_HOME", str(home))
        written.clear()
        runs[home] = run_baseline(f"{release}/test")
        computed[home] = sum(kind in KINDS for kind in written)
    assert computed[killed] == computed[whole] - finished > 0
    for one, other in zip(runs[killed], runs[whole], strict=True):
        assert (one.tag, one.notes) == (other.tag, other.notes)
        assert one.answers.equals(other.answers)
        assert one.ranking.equals(other.ranking)
        assert one.train_ranking.equals(other.train_ranking)
