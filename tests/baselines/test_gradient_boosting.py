"""Gradient boosting over candidates: which failures mean that the train split is too small."""

import numpy as np
import pandas as pd
import pytest

from ir_coliee.baselines import gradient_boosting
from ir_coliee.baselines.gradient_boosting import held_out_run
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError

FOLDS = {"R98-01-A": 0, "R99-01-A": 1}
CANDIDATES = pd.DataFrame(
    {"qid": list(FOLDS), "docno": "1", "score": 1.0, "rank": 0, "features": [np.array([1.0]), np.array([2.0])]}
)
GOLD = pd.DataFrame({"qid": list(FOLDS), "docno": "1", "label": 1})


def test_candidates_of_one_class_and_of_one_fold_are_too_few():
    pytest.importorskip("lightgbm")
    for candidates in (CANDIDATES, CANDIDATES[:1]):
        with pytest.raises(InsufficientTrainingDataError, match="the train split is too small: "):
            held_out_run(candidates, GOLD, FOLDS)


def test_another_failure_is_not_said_to_be_a_lack_of_labels(monkeypatch):
    pytest.importorskip("lightgbm")

    def failed(*_arguments):
        raise ColieeError("A process ended early.")

    monkeypatch.setattr(gradient_boosting, "out_of_fold", failed)
    with pytest.raises(ColieeError, match=r"^A process ended early\.$"):
        held_out_run(CANDIDATES, GOLD, FOLDS)
