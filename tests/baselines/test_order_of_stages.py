"""The stages of the learned baselines are run in the order of their numbers."""

import pytest

import ir_coliee.progress
from ir_coliee.baselines import plan_baseline
from ir_coliee.editions import SPLITS
from ir_coliee.synthetic import write_release

pytestmark = pytest.mark.slow

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")


@pytest.mark.parametrize("release", ["coliee/task1/sample", "coliee/task2/sample", "coliee/task3/2024/en"])
def test_stages_are_run_in_the_order_of_their_numbers(release, tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    if "sample" not in release:
        write_release(release, tmp_path / "data", scale=0.003, seed=3)
        monkeypatch.setenv("COLIEE_HOME", str(tmp_path / "data"))
    labels = []
    activity = ir_coliee.progress._Activity
    monkeypatch.setattr(ir_coliee.progress, "_Activity", lambda *a, **b: labels.append(a[0]) or activity(*a, **b))
    plan = plan_baseline(SPLITS[f"{release}/test"])
    plan.learned.run()
    of_features = [label for label in labels if "features of" in label]
    numbered = [label for label in labels if " of " in label and label[0].isdigit()]
    assert numbered[0].startswith("1 of ")
    assert numbered[-1] == f"{len(numbered)} of {len(numbered)}: final fit"
    assert numbered == sorted(numbered)
    assert {*of_features} <= {*numbered}
