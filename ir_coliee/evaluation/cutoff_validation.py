"""Cross-validation of the search for a cut-off."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoff_search import candidate_cutoffs, encode_for, index_of_best
from ir_coliee.evaluation.cutoff_values import cutoff_sums
from ir_coliee.evaluation.encoded_run import EncodedRun
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.candidates import Cutoff


class CrossValidation(NamedTuple):
    """The value of a search for a cut-off on queries that it has not used.

    Attributes
    ----------
    held_out : float
        The value of all queries, each cut by the cut-off that is best on the other groups.
    optimistic : float
        The value of the cut-off that is best on all queries, on the same queries.
    cutoff : Cutoff
        The cut-off that is best on all queries.
    folds : pandas.DataFrame
        A row for each group: ``group``, ``queries`` (their number), ``cutoff`` (best on the other groups), ``fitted``
        (its value there) and ``held_out`` (its value on the group).
    """

    held_out: float
    optimistic: float
    cutoff: Cutoff
    folds: pd.DataFrame


def cross_validate_cutoffs(
    run: pd.DataFrame,
    qrels: pd.DataFrame,
    measure: ColieeMeasure,
    cutoffs: Iterable[Cutoff] | None = None,
    *,
    folds: int = 5,
    groups: Callable[[str], Hashable] | Mapping[str, Hashable] | pd.Series[str] | None = None,
    seed: int = 0,
) -> CrossValidation:
    """Cut each query by the cut-off that is best on the queries of the other groups.

    The held-out queries are evaluated together, so that the value can be compared with the optimistic one.

    Parameters
    ----------
    run, qrels : pandas.DataFrame
        As in `search_cutoffs`.
    measure : ColieeMeasure
        A set measure, without a cut-off of its own.
    cutoffs : iterable of Cutoff, optional
        The cut-offs to try. None for `standard_grid`, which is made from the scores of all queries and no labels.
    folds : int
        The number of groups into which the queries are shuffled where ``groups`` is None, from 2. Their sizes differ by
        one at most.
    groups : callable, mapping or pandas.Series, optional
        The group of each query: a function of the query id, such as `ir_coliee.datasets.folds.exam_year`, or a mapping
        or series from it, such as the folds of that module. Each group is left out in turn.
    seed : int
        Seeds the shuffling.

    Returns
    -------
    CrossValidation

    Raises
    ------
    ValueError
        If there are fewer than two groups or more folds than queries, and as in `search_cutoffs`.
    ColieeError
        If a query has no group.
    """
    encoded = encode_for(run, qrels, measure)
    candidates = candidate_cutoffs(encoded, cutoffs)
    group_of_query = _shuffled_groups(encoded, folds, seed) if groups is None else _user_groups(encoded, groups)
    names = sorted(set(group_of_query), key=str)
    if len(names) < 2:
        raise ValueError(f"Cross-validation needs at least two groups of queries, got {len(names)}.")

    membership = np.array([[group == name for name in names] for group in group_of_query], dtype=np.float64)
    sums = cutoff_sums(encoded, measure, candidates, membership)
    values_elsewhere = sums.without_each_group().values()
    chosen = [index_of_best(column) for column in values_elsewhere.T]
    cells = chosen, range(len(names))  # the chosen cut-off of each group
    held_out = quotient(sums.numerators[cells].sum(keepdims=True), sums.denominators[cells].sum(keepdims=True))
    values = sums.of_all_groups().values()[:, 0]
    best = index_of_best(values)
    table = {
        "group": names,
        "queries": membership.sum(axis=0).astype(int),
        "cutoff": [candidates[cell] for cell in chosen],
        "fitted": values_elsewhere[cells],
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
        raise ColieeError(f"groups has no group for {len(missing)} of the queries, for example {missing[0]}.")
    return [groups[query] for query in encoded.queries]
