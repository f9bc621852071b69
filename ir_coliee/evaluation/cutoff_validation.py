"""Cross-validation of the search for a cut-off."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.display import Block, Table, displayed
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoff_search import candidate_cutoffs, index_of_best
from ir_coliee.evaluation.cutoff_values import cutoff_sums
from ir_coliee.evaluation.encoded_run import EncodedRun, encode_run
from ir_coliee.evaluation.measure_ratios import measure_of_cutoffs, quotient
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.candidates import Cutoff


@displayed
class CrossValidation(NamedTuple):
    """The value of a search for a cut-off, on queries that were not used in the search.

    Attributes
    ----------
    held_out : float
        The value on all queries, where each query is cut by the cut-off that is best on the other groups.
    optimistic : float
        The value of the cut-off that is best on all queries, measured on the same queries.
    cutoff : Cutoff
        The cut-off that is best on all queries.
    folds : pandas.DataFrame
        A row for each group: ``group``, ``queries`` (the number of queries), ``cutoff`` (the best one on the other
        groups), ``fitted`` (its value on the other groups) and ``held_out`` (its value on this group).
    """

    held_out: float
    optimistic: float
    cutoff: Cutoff
    folds: pd.DataFrame

    def display(self) -> Iterator[Block]:
        """Return the values and the folds, as `ir_coliee.display` shows them."""
        yield f"{self.held_out:.4f} on held-out queries"
        yield f"{self.optimistic:.4f} on the queries that {self.cutoff!r} was chosen on (optimistic)"
        yield Table.of_frame(self.folds)._replace(fold=("cutoff",))

    def __repr__(self) -> str:
        return str(self)


def cross_validate_cutoffs(
    run: Run,
    qrels: pd.DataFrame,
    measure: ColieeMeasure | str,
    cutoffs: Iterable[Cutoff] | None = None,
    *,
    folds: int = 5,
    groups: Callable[[str], Hashable] | Mapping[str, Hashable] | pd.Series[str] | None = None,
    seed: int = 0,
) -> CrossValidation:
    """Estimate the value of a search for a cut-off by cross-validation over groups of queries.

    Each query is cut by the cut-off that is best on the other groups. The measure is then computed once for all
    queries, so that the value can be compared with the optimistic one.

    Parameters
    ----------
    run, qrels : pandas.DataFrame
        As in `search_cutoffs`.
    measure : ColieeMeasure or str
        A set measure or its name, without a cut-off of its own.
    cutoffs : iterable of Cutoff, optional
        The cut-offs to try. None for `standard_grid`, which uses the scores of all queries but no labels.
    folds : int
        The number of random groups if ``groups`` is None, at least 2. The sizes of the groups differ by at most one.
    groups : callable, mapping or pandas.Series, optional
        The group of each query: a function of the query id, such as `ir_coliee.datasets.folds.exam_year`, or a mapping
        or series by query id, such as `ir_coliee.datasets.folds.Folds`. Each group is held out in turn.
    seed : int
        Seed of the random groups.

    Returns
    -------
    CrossValidation

    Raises
    ------
    ValueError
        If there are fewer than two groups or more folds than queries, or as raised by `search_cutoffs`.
    ColieeError
        If a query has no group.
    """
    measure = measure_of_cutoffs(measure)
    encoded = encode_run(run, qrels, rel=measure["rel"])
    candidates = candidate_cutoffs(encoded, cutoffs)
    group_of_query = _shuffled_groups(encoded, folds, seed) if groups is None else _user_groups(encoded, groups)
    names = sorted(set(group_of_query), key=str)
    if len(names) < 2:
        raise ValueError(f"Cross-validation needs at least two groups of queries, got {len(names)}.")

    membership = np.array([[group == name for name in names] for group in group_of_query], dtype=np.float64)
    sums = cutoff_sums(encoded, measure, candidates, membership)
    values_on_other_groups = sums.without_each_group().values()
    chosen = [index_of_best(column) for column in values_on_other_groups.T]
    cells = chosen, range(len(names))  # (row of the chosen cut-off, column of the group)
    held_out = quotient(sums.numerators[cells].sum(keepdims=True), sums.denominators[cells].sum(keepdims=True))
    values = sums.of_all_groups().values()[:, 0]
    best = index_of_best(values)
    table = {
        "group": names,
        "queries": membership.sum(axis=0).astype(int),
        "cutoff": [candidates[index] for index in chosen],
        "fitted": values_on_other_groups[cells],
        "held_out": sums.values()[cells],
    }
    return CrossValidation(float(held_out[0]), float(values[best]), candidates[best], pd.DataFrame(table))


def _shuffled_groups(encoded: EncodedRun, folds: int, seed: int) -> list[int]:
    number = len(encoded.queries)
    if folds not in range(2, number + 1):
        raise ValueError(f"folds must be an integer from 2 to {number}, the number of queries, got {folds!r}.")
    shuffled: list[int] = (np.random.default_rng(seed).permutation(number) % folds).tolist()
    return shuffled


def _user_groups(
    encoded: EncodedRun, groups: Callable[[str], Hashable] | Mapping[str, Hashable] | pd.Series[str]
) -> list[Hashable]:
    if callable(groups):
        return [groups(query) for query in encoded.queries]
    if missing := [query for query in encoded.queries if query not in groups]:
        raise ColieeError(
            f"groups has no group for {len(missing)} of the queries, for example {missing[0]}.\n"
            "Give a group for each query."
        )
    return [groups[query] for query in encoded.queries]
