"""The results of tuning a cut-off: the best cut-offs, their values, and the limits set by the ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from ir_coliee.display import Block, Heading, Preformatted, Table, displayed
from ir_coliee.editions import Split
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.candidates.cutoffs import Cutoff


@displayed
class TunedCutoff(NamedTuple):
    """The best of several cut-offs, with its value on the queries that it was chosen on and on held-out queries.

    Attributes
    ----------
    cutoff : Cutoff
        The best cut-off on all queries.
    optimistic : float
        Its value on the queries that it was chosen on.
    held_out : float
        The cross-validated value: each fold of the queries is cut by the cut-off that is best on the other folds. NaN
        for a single query.
    by_year : float
        The cross-validated value with exam years as folds. NaN unless there are several exam years.
    """

    cutoff: Cutoff
    optimistic: float
    held_out: float
    by_year: float

    def display(self) -> Iterator[Block]:
        """Return the cut-off and its values, as `ir_coliee.display` shows them."""
        yield Heading(repr(self.cutoff))
        yield from self.values_in_words()

    def values_in_words(self) -> Iterator[str]:
        """Yield each value with the queries that it was computed on."""
        yield f"{self.optimistic:.4f} on the queries that it was chosen on (optimistic)"
        if self.held_out == self.held_out:
            yield f"{self.held_out:.4f} on held-out queries, each fold cut by the best of the others"
        if self.by_year == self.by_year:
            yield f"{self.by_year:.4f} on held-out exam years, each cut by the best of the others"

    def __repr__(self) -> str:
        return str(self)


_COLUMNS = {"cutoff": "cut-off", "held_out": "held out", "by_year": "by exam year"}


@displayed
@dataclass(frozen=True, eq=False)
class Tuning:
    """The best cut-off of a run on a split, with its expected value.

    Attributes
    ----------
    split : Split
        The split with the labels.
    measure : ColieeMeasure
        The measure that was maximised.
    best : TunedCutoff
        The best of all cut-offs that were tried.
    rules : pandas.DataFrame
        The best cut-off of each kind, sorted by value: ``rule`` and the fields of `TunedCutoff`.
    folds : int
        Number of folds of the cross-validation.
    oracle : float
        The value if each query is cut at the rank that is best for the measure: the upper limit for any cut-off.
    perfect : float
        The value of a perfect answer set, which is the gold itself.
    recall : pandas.DataFrame
        Recall at several depths, up to the length of the run, from
        `ir_coliee.evaluation.cutoff_analysis.attainable_recall`.
    items : pandas.DataFrame
        Gold and returned items per query, from `ir_coliee.evaluation.cutoff_analysis.answers_per_query`, for this
        split and for the test split if its run was passed.
    test_value : float or None
        The value of ``best`` on the test split. None without a test run or without labels.
    notes : list of str
        Notes to report with the values.
    """

    split: Split
    measure: ColieeMeasure
    best: TunedCutoff
    rules: pd.DataFrame
    folds: int
    oracle: float
    perfect: float
    recall: pd.DataFrame
    items: pd.DataFrame
    test_value: float | None
    notes: list[str]

    @property
    def lost_by_ranking(self) -> float:
        """The difference between a perfect answer set and the oracle. No cut-off can recover it."""
        return self.perfect - self.oracle

    @property
    def lost_by_cutting(self) -> float:
        """The difference between the oracle and the value of the best cut-off."""
        return self.oracle - self.best.optimistic

    def display(self) -> Iterator[Block]:
        """Return the figures and the notes, as `ir_coliee.display` shows them."""
        yield from self.figures()
        yield from (f"note: {note}" for note in self.notes)

    def figures(self) -> Iterator[Block]:
        """Yield the best cut-off, its values and the limits set by the ranking, as `ir_coliee.display` shows them."""
        yield Heading(f"best cut-off for {self.measure}")
        yield Preformatted(repr(self.best.cutoff))
        yield from self.best.values_in_words()
        if self.test_value is not None:
            yield f"{self.test_value:.4f} on the test split"
        yield (
            f"oracle, with the best cut of each query: {self.oracle:.4f}; "
            f"lost by ranking: {self.lost_by_ranking:.4f}; lost by cutting: {self.lost_by_cutting:.4f}"
        )
        yield Heading("best cut-off of each kind")
        yield from self._choice_in_words()
        rules = self.rules.drop(columns="rule").dropna(axis="columns").rename(columns=_COLUMNS)
        yield Table.of_frame(rules)._replace(fold=rules.columns[:1])
        yield Heading(
            "attainable recall at each depth: of all relevant items (MicroR), and averaged over queries (MacroR)"
        )
        yield Table.of_frame(self.recall)
        yield Heading("items per query")
        yield Table.of_frame(self.items)._replace(key=2)

    def _choice_in_words(self) -> Iterator[str]:
        """Yield the rule of the choice, and the kind with the best value on held-out queries if it is another one."""
        yield "The best cut-off has the highest optimistic value; of equal values the first kind below is chosen."
        kinds: list[Any] = [*self.rules.itertuples()]
        best = max(kinds, key=lambda kind: float(kind.held_out))
        if best.held_out > kinds[0].held_out:
            yield f"On held-out queries the best of these kinds is {best.rule} ({best.held_out:.4f})."

    def __repr__(self) -> str:
        return str(self)

    def record(self) -> dict[str, Any]:
        """Return all results as values that JSON can represent: cut-offs as Python code, None for NaN."""
        record = {
            "id": self.split.id,
            "measure": str(self.measure),
            "best": {**self.best._asdict(), "cutoff": repr(self.best.cutoff)},
            "rules": self.rules.assign(cutoff=self.rules["cutoff"].map(repr)).to_dict("records"),
            "folds": self.folds,
            "oracle": self.oracle,
            "perfect": self.perfect,
            "lost_by_ranking": self.lost_by_ranking,
            "lost_by_cutting": self.lost_by_cutting,
            "recall": self.recall.to_dict("records"),
            "items": self.items.to_dict("records"),
            "test_value": self.test_value,
            "notes": self.notes,
        }
        without_nan: dict[str, Any] = _replace_nan(record)
        return without_nan


def _replace_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _replace_nan(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_nan(each) for each in value]
    return None if value != value else value
