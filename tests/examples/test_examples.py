"""The examples beside the systems run on the sample."""

import importlib.util
import re
import runpy
import sys
import warnings
from pathlib import Path

import pytest

from ir_coliee.baselines.recipes import FeatureTable

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def is_neural(path):
    """Whether an example has the frame of the systems, with its command line."""
    return "neural_steps" in path.read_text()


def takes_model(path):
    return '"--model"' in path.read_text() or is_neural(path)


LONG = {"task1_neural", "task3_neural", "neural_features"}  # those of tasks 2 and 4 have the same parts


def marks(path):
    return [pytest.mark.long] if path.stem in LONG else [] if takes_model(path) else [pytest.mark.without_models]


SCRIPTS = [pytest.param(path, id=path.stem, marks=marks(path)) for path in sorted(EXAMPLES.glob("*.py"))]


@pytest.mark.parametrize("path", SCRIPTS)
def test_the_example_runs_on_the_sample_and_prints_a_table(path, tmp_path, monkeypatch, capsys):
    has_model = takes_model(path)
    if has_model and not all(map(importlib.util.find_spec, ("torch", "sentence_transformers", "accelerate"))):
        pytest.skip("without the extra neural")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [path.name, *(["--model", "tiny"] if has_model else [])])
    families = FeatureTable.families.fget  # the example fits the models without each of them
    monkeypatch.setattr(FeatureTable, "families", property(lambda table: families(table)[:1]))
    with warnings.catch_warnings():
        if not has_model:  # the windows of tiny models are too small, of which they warn
            warnings.simplefilter("error", UserWarning)
        runpy.run_path(str(path), run_name="__main__")
    assert re.search(r"\d\.\d{2,}", capsys.readouterr().out)
