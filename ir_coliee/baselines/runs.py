"""What a baseline makes, and what all of them ask of a part."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import pyterrier as pt

from ir_coliee.datasets import copies
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import ColieeError, MissingLabelsError
from ir_coliee.evaluation.judgments import gold


class NotLearned(Exception):  # noqa: N818 (no error of the user's)
    """Why a part is answered by words alone: there is nothing to learn from."""


class BaselineRun(NamedTuple):
    """A run of a baseline. ``ranking`` is the list before the cut, None where nothing is ranked."""

    tag: str
    answers: pd.DataFrame
    ranking: pd.DataFrame | None
    notes: list[str]


def topics(part: Part) -> pd.DataFrame:
    """The queries of a part, as PyTerrier has them."""
    return pt.get_dataset(f"irds:{part.id}").get_topics()


def qrels(part: Part) -> pd.DataFrame:
    """The gold of a part, as PyTerrier has it. Raises `MissingLabelsError` where the copy has none."""
    return gold(part).rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})


def gold_at_hand(train: Part) -> pd.DataFrame | None:
    """The train part's gold, None where the copy or its labels are missing."""
    if copies.missing_files(train):
        return None
    try:
        return gold(train)
    except MissingLabelsError:
        return None


def train_of(part: Part) -> Part:
    """The labelled part that is learned from. Raises `ColieeError` where there is none."""
    if part.train is None:
        raise ColieeError(f"{part.id} has no train part to learn from, or is one of its exam years")
    return part.train


def warning(train: Part, part: Part) -> str:
    """What must be said where a part is scored with the labels that it was fitted on."""
    same = train.files == part.files
    return "; fitted on the very labels that it is scored with, so the figures are optimistic" if same else ""
