"""The queries and labels of a split, and the train split that a baseline is fitted on."""

from __future__ import annotations

import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, MissingLabelsError
from ir_coliee.evaluation.gold import gold
from ir_coliee.releases.local_release import LocalRelease


class InsufficientTrainingDataError(ColieeError):
    """The local release has no labels, or too few to fit a model."""


def topics(split: Split) -> pd.DataFrame:
    """Load the queries of a split.

    Parameters
    ----------
    split : Split
        Any split.

    Returns
    -------
    pandas.DataFrame
        The topics in PyTerrier's form: ``qid`` and ``query``.

    Raises
    ------
    MissingReleaseError
        If the local release is missing.
    """
    queries: pd.DataFrame = pt.get_dataset(f"irds:{split.id}").get_topics()
    return queries


def qrels(split: Split) -> pd.DataFrame:
    """Load the gold labels of a split.

    Parameters
    ----------
    split : Split
        Any split.

    Returns
    -------
    pandas.DataFrame
        The gold in PyTerrier's form: ``qid``, ``docno`` and ``label``.

    Raises
    ------
    MissingLabelsError
        If the local release has no labels.
    """
    labels: pd.DataFrame = gold(split).rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})
    return labels


def available_qrels(train: Split) -> pd.DataFrame | None:
    """Load the gold labels of a train split if its files are found.

    Parameters
    ----------
    train : Split
        A train split.

    Returns
    -------
    pandas.DataFrame or None
        The gold as `qrels` returns it; None if documents, queries or labels are missing.
    """
    if LocalRelease.open(train).missing:
        return None
    try:
        return qrels(train)
    except MissingLabelsError:
        return None


def train_split(split: Split) -> Split:
    """Find the labelled split that a model for ``split`` is fitted on.

    Parameters
    ----------
    split : Split
        Any split.

    Returns
    -------
    Split
        The train split; for a train split, the split itself.

    Raises
    ------
    ColieeError
        If there is none, for example for one exam year of the train split.
    """
    if split.train is None:
        raise ColieeError(
            f"{split.id} is part of the train split, so no queries are left to fit a model on.\n"
            "Use the test or the train split."
        )
    return split.train


def labelled_train_split(split: Split) -> tuple[Split, pd.DataFrame]:
    """Find the train split of ``split`` and load its gold labels.

    Parameters
    ----------
    split : Split
        Any split.

    Returns
    -------
    tuple of Split and pandas.DataFrame
        The train split, and its gold: ``qid``, ``docno`` and ``label``.

    Raises
    ------
    InsufficientTrainingDataError
        If there is no train split, or its files or labels are missing.
    """
    train = split.train
    train_gold = available_qrels(train) if train else None
    if train is None or train_gold is None:
        raise InsufficientTrainingDataError("no labelled train split was found")
    return train, train_gold


def shares_labels(train: Split, split: Split) -> bool:
    """Return whether ``split`` is scored with the labels that the model is fitted on.

    Parameters
    ----------
    train, split : Split
        The split that the model is fitted on, and the split that it answers.

    Returns
    -------
    bool
        True if both splits have the same files, so measured figures are optimistic.
    """
    return train.files == split.files


def optimism_note(train: Split, split: Split) -> str:
    """Describe the bias of figures on ``split`` for a model fitted on ``train``.

    Parameters
    ----------
    train, split : Split
        The split that the model is fitted on, and the split that it answers.

    Returns
    -------
    str
        A clause to append to a note, empty if the splits have different labels.
    """
    if not shares_labels(train, split):
        return ""
    return "; fitted on the labels that it is scored with, so the figures are optimistic"
