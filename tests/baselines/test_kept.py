"""A baseline that was killed continues after its last finished stage, and its results are the same."""

from dataclasses import replace

import numpy as np
import pytest

from ir_coliee.baselines import learned as module
from ir_coliee.baselines.learned import kept
from ir_coliee.baselines.training import TrainingData
from ir_coliee.editions import SPLITS
from ir_coliee.errors import ColieeHint
from ir_coliee.releases.release import LocalRelease

pytest.importorskip("lightgbm")

SPLIT = SPLITS["coliee/task2/sample/test"]
STATUTES = SPLITS["coliee/task3/sample/en/train"]
RESULT = {"qid": np.array(["1", "é"], object), "score": np.array([1 / 3, np.nan]), "none": np.zeros(0)}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "parent"))


class Counted:
    """A computation that knows how often it was made."""

    calls = 0

    def __call__(self):
        self.calls += 1
        return RESULT


def computes(data=(SPLIT,), name="scores", parameters=()):
    """Whether a result is computed, and not read again."""
    compute = Counted()
    found = kept(name, compute, data, *parameters)
    assert found.keys() == RESULT.keys()
    for key, array in RESULT.items():
        assert found[key].dtype == array.dtype
        assert found[key].tolist() == pytest.approx(array.tolist(), nan_ok=True)
    return compute.calls == 1


def test_a_finished_stage_is_not_computed_again(capsys):
    assert computes()
    assert not computes()
    assert "scores: from cache" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "name", "parameters"),
    [
        ([SPLIT], "other", ()),
        ([SPLIT], "scores", (True,)),
        ([SPLIT.train], "scores", ()),
        ([TrainingData(SPLIT.train)], "scores", ()),
        ([replace(SPLIT, excluded=("900101",))], "scores", ()),
        ([TrainingData(STATUTES, ("R98",))], "scores", ()),
    ],
)
def test_another_stage_or_other_data_are_computed(data, name, parameters):
    for known in ([SPLIT], [TrainingData(STATUTES)]):
        computes(known)
    assert computes(data, name, parameters)


def test_nothing_is_kept_without_data_or_of_a_password_protected_release(monkeypatch, tmp_path):
    assert computes([])
    sources = LocalRelease.open(SPLIT).sources._replace(is_encrypted=True)
    monkeypatch.setattr(LocalRelease, "sources", property(lambda _: sources))
    assert computes()
    assert not [*(tmp_path / "parent").rglob("arrays.npz")]


def test_another_state_of_the_code_is_computed(monkeypatch, tmp_path):
    computes()
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "bm25.py").write_text("RANKING_LENGTH = 50")
    monkeypatch.setattr(module, "_PACKAGE", tmp_path / "package")
    assert computes()


@pytest.mark.parametrize("damage", ["cut off", "a pickle"])
def test_a_damaged_result_is_computed_again_with_a_hint(tmp_path, damage):
    computes()
    [entry] = (tmp_path / "parent").rglob("arrays.npz")
    if damage == "cut off":
        entry.write_bytes(entry.read_bytes()[:50])
    else:
        np.savez(entry, qid=np.array([{}, {}]))
    with pytest.warns(ColieeHint, match=r"^Damaged entries of the cache .* are computed again\.$"):
        assert computes()
    assert not computes()
