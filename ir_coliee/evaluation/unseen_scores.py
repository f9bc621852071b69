"""The official figure of a run without the queries that are labelled in the train split too."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from ir_coliee.datasets.unseen import unseen_queries
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, ColieeWarning
from ir_coliee.evaluation.run_counts import RunCounts
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.releases.local_release import LocalRelease


class UnseenScore(NamedTuple):
    """The official figure of a run on the queries that are not labelled in the train split. ``str`` is a sentence.

    Attributes
    ----------
    figure : str
        Heading of the official figure.
    value : float
        The figure on the other queries, in [0, 1].
    seen : int
        Number of scored queries that are labelled in the train split too, and are left out.
    """

    figure: str
    value: float
    seen: int

    def __str__(self) -> str:
        queries = "1 query that is" if self.seen == 1 else f"{self.seen} queries that are"
        return f"{self.figure} {self.value:.4f} without the {queries} labelled in the train split too"


class SeenQueries(NamedTuple):
    """The scored queries of a test split that are labelled in its train split too.

    Attributes
    ----------
    query_ids : frozenset of str
        The queries; none if they were not looked for.
    notes : list of str
        A note with the reason if they were not looked for.
    """

    query_ids: frozenset[str] = frozenset()
    notes: list[str] = []


def seen_queries(split: Split, query_ids: list[str]) -> SeenQueries:
    """Return the scored queries of a test split that are labelled in its train split too.

    There are none for other splits. They are not looked for if the texts of the two splits are not at hand or cannot be
    read, nor in a password-protected archive, because to decrypt all texts takes minutes.

    Parameters
    ----------
    split : Split
        The split.
    query_ids : list of str
        The scored queries.
    """
    if not split.is_test or split.train is None:
        return SeenQueries()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ColieeWarning)  # those of the train split do not concern the score
        try:
            if LocalRelease.open(split.train).sources.is_encrypted or LocalRelease.open(split).sources.is_encrypted:
                return _not_looked_for("the texts are in a password-protected archive")
            return SeenQueries(frozenset(query_ids).difference(unseen_queries(split)))
        except (ColieeError, OSError) as error:
            return _not_looked_for(str(error).split("\n")[0])


def _not_looked_for(reason: str) -> SeenQueries:
    return SeenQueries(notes=[f"queries that are labelled in the train split too were not looked for: {reason}"])


def unseen_score(figure: str, measure: ColieeMeasure, counts: RunCounts, seen: frozenset[str]) -> UnseenScore | None:
    """Return the value of a measure on the other queries; None if no query is left out, or every query.

    Parameters
    ----------
    figure : str
        Heading of the official figure.
    measure : ColieeMeasure
        The measure of that figure.
    counts : RunCounts
        The counts of one run.
    seen : frozenset of str
        The queries to leave out, see `seen_queries`.
    """
    kept = np.array([query_id not in seen for query_id in counts.query_ids], dtype=np.bool_)
    if kept.all() or not kept.any():
        return None
    value = measure.aggregate(counts.tp[0, kept], counts.returned[0, kept], counts.relevant[0, kept])
    return UnseenScore(figure, float(value), int((~kept).sum()))
