"""What a baseline makes, and what all of them ask of a split."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import pyterrier as pt

from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, MissingLabelsError
from ir_coliee.evaluation.gold import gold
from ir_coliee.releases import search as copies


class NotLearned(Exception):  # noqa: N818 (no error of the user's)
    """Why a split is answered by words alone: there is nothing to learn from."""


class BaselineRun(NamedTuple):
    """A run of a baseline. ``ranking`` is the list before the cut, None where nothing is ranked."""

    tag: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    notes: list[str]


def topics(split: Split) -> pd.DataFrame:
    """The queries of a split, as PyTerrier has them."""
    return pt.get_dataset(f"irds:{split.id}").get_topics()


def qrels(split: Split) -> pd.DataFrame:
    """The gold of a split, as PyTerrier has it. Raises `MissingLabelsError` where the copy has none."""
    return gold(split).rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})


def gold_at_hand(train: Split) -> pd.DataFrame | None:
    """The train split's gold as `qrels` has it, None where the copy or its labels are missing."""
    if copies.missing_files(train):
        return None
    try:
        return qrels(train)
    except MissingLabelsError:
        return None


def train_of(split: Split) -> Split:
    """The labelled split that is learned from. Raises `ColieeError` where there is none."""
    if split.train is None:
        raise ColieeError(f"{split.id} has no train split to learn from, or is one of its exam years")
    return split.train


def same_labels(train: Split, split: Split) -> bool:
    """Whether a split is scored with the labels that are learned from: it is the train split itself."""
    return train.files == split.files


def warning(train: Split, split: Split) -> str:
    """What must be said where a split is scored with the labels that it was fitted on."""
    optimistic = "; fitted on the very labels that it is scored with, so the figures are optimistic"
    return optimistic if same_labels(train, split) else ""
