"""Tidy frames of ablations and importances, from what pt.Experiment and the baselines return."""

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

from ir_coliee import MicroF1, MicroP
from ir_coliee.analysis import ablations, importances
from ir_coliee.errors import ColieeError

FAMILIES = pd.DataFrame(
    {
        "family": ["text", "year"],
        "features": [3, 1],
        "share": [0.75, 0.25],
        "without": [0.25, 0.5],
        "difference": [0.25, 0.0],
        "low": [0.125, -0.125],
        "high": [0.375, 0.25],
    }
)


def test_families_that_were_left_out():
    frame = ablations(FAMILIES)
    assert frame["system"].tolist() == ["without text", "without year"]
    assert frame[["value", "difference", "low", "high"]].to_numpy().tolist() == [
        [0.25, -0.25, -0.375, -0.125],
        [0.5, 0.0, -0.25, 0.125],
    ]


def test_a_frame_of_an_experiment_with_a_baseline():
    topics = pd.DataFrame({"qid": ["1", "2", "3"], "query": "x"})
    qrels = pd.DataFrame({"qid": ["1", "2", "3"], "docno": "a", "label": 1})
    good = pd.DataFrame({"qid": ["1", "2", "3"], "docno": ["a", "a", "b"], "score": 1.0, "rank": 0})
    bad = good.assign(docno=["b", "a", "b"])
    results = pt.Experiment([good, bad], topics, qrels, [MicroF1, MicroP], ["all", "no years"], baseline=0)
    frame = ablations(results)
    assert set(frame["measure"]) == {"MicroF1", "MicroP"}
    changed = frame[(frame["system"] == "no years") & (frame["measure"] == "MicroF1")].iloc[0]
    assert changed["value"] == pytest.approx(1 / 3)
    assert changed["difference"] == pytest.approx(-1 / 3)
    assert ablations(results, baseline=1)["difference"].max() == pytest.approx(1 / 3)
    assert frame["low"].isna().all()


def test_importances_of_several_models_are_sorted_within_each():
    first = pd.DataFrame({"feature": ["a", "b"], "family": "x", "share": [0.25, 0.75]})
    frame = importances({"two": first, "one": first.assign(share=[0.9, 0.1])})
    assert frame["model"].tolist() == ["two", "two", "one", "one"]
    assert frame["feature"].tolist() == ["b", "a", "a", "b"]
    assert first["share"].tolist() == [0.25, 0.75]
    assert importances({}).empty


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame({"name": ["a"], "n": [1]}), pd.DataFrame({"name": []}), pd.DataFrame({"family": ["a"]})],
)
def test_frames_of_another_form_are_refused(frame):
    with pytest.raises(ColieeError, match="The frame has"):
        ablations(frame)
    with pytest.raises(ColieeError, match="The frame has no column"):
        importances(frame)
    with pytest.raises(ColieeError, match="no baseline 2"):
        ablations(pd.DataFrame({"name": ["a", "b"], "MicroF1": [0.5, np.nan]}), baseline=2)
