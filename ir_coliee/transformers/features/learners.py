"""LightGBM's learners with parameters for candidates of decisions. They need the extra ``learn``."""

from __future__ import annotations

from typing import Any

from ir_coliee.errors import MissingExtraError

#: Parameters with which LightGBM gives the same model for the same data, seed and machine, and prints nothing.
REPRODUCIBLE = {"random_state": 0, "deterministic": True, "force_row_wise": True, "verbosity": -1}


def boosted_classifier(**parameters: Any) -> Any:
    """Create LightGBM's classifier with parameters for some hundred thousand candidates.

    It has 400 rounds at a learning rate of .03 and trees of 31 leaves with at least 60 rows in each, each tree on 80 %
    of the rows and 60 % of the features; the baseline of task 1 uses others, with fewer rounds. It prints nothing, and
    gives the same model for the same data, seed and machine.

    Parameters
    ----------
    **parameters
        Parameters of ``lightgbm.LGBMClassifier`` that replace or complete these.

    Returns
    -------
    lightgbm.LGBMClassifier

    Raises
    ------
    MissingExtraError
        If LightGBM is not installed.
    """
    recipe = {"n_estimators": 400, "learning_rate": 0.03, "num_leaves": 31, "min_child_samples": 60}
    sampling = {"subsample": 0.8, "subsample_freq": 1, "colsample_bytree": 0.6}
    return lightgbm_library().LGBMClassifier(**{**recipe, **sampling, **REPRODUCIBLE, **parameters})


def lambdarank(**parameters: Any) -> Any:
    """Create LightGBM's LambdaMART ranker with THUIR's parameters at COLIEE 2023.

    It has 1000 rounds at a learning rate of .01 and trees of 30 leaves with at least 30 rows in each. THUIR stopped
    after 100 rounds without progress in ndcg@5, which needs validation queries:
    ``LearnedRanker(lambdarank(early_stopping_round=100), {"eval_at": [5]})``.

    Parameters
    ----------
    **parameters
        Parameters of ``lightgbm.LGBMRanker`` that replace or complete these.

    Returns
    -------
    lightgbm.LGBMRanker

    Raises
    ------
    MissingExtraError
        If LightGBM is not installed.
    """
    published = {"n_estimators": 1000, "learning_rate": 0.01, "num_leaves": 30, "min_child_samples": 30}
    return lightgbm_library().LGBMRanker(**{**published, **REPRODUCIBLE, **parameters})


def lightgbm_library() -> Any:
    """Return the module ``lightgbm``; raise `MissingExtraError` if it is not installed."""
    try:
        import lightgbm
    except ImportError:
        raise MissingExtraError("Gradient boosting", "learn") from None
    return lightgbm
