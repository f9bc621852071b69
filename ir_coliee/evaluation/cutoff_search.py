"""Finds the cut-off that serves best on a split with labels, and says what it is worth on others.

A set measure is a ratio of two sums over queries (`ColieeMeasure.terms`), and a cut-off only says how many items
each query keeps. So the run is encoded once, and thousands of cut-offs are look-ups and sums.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

import numpy as np

from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.encoded_run import EncodedRun, encode
from ir_coliee.evaluation.measure_ratios import (
    Floats,
    is_pooled,
    quotient,
    ratio_terms,
    ratio_terms_at_each_depth,
    require_set_measure,
)
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.candidates import (
    AdaptiveCutoff,
    Cutoff,
    DynamicCutoff,
    ExpectedFCutoff,
    GapCutoff,
    MarginCutoff,
    RatioCutoff,
    ThresholdCutoff,
    TopK,
)
from ir_coliee.transformers.candidates.cutoff_rules import dispersion

if TYPE_CHECKING:
    import pandas as pd

_EQUAL = 1e-12  # values nearer than that differ by rounding alone
_DEEPEST = 20  # no more items than that are tried without a user's own grid
_SPREAD = 50  # so many scores of a query say how they are spread
_BLOCK = 2**20  # entries of a matrix of cut-offs and queries that are counted at a time


class FittedCutoff(NamedTuple):
    """The best cut-off of a search and its value on the data that chose it, which is optimistic."""

    cutoff: Cutoff
    value: float


class CutoffSearch(NamedTuple):
    """All cut-offs of a search, and the best of them, a transformer to put behind the ranking.

    ``cells`` has a row for each: ``cutoff``, the transformer; ``rule``, its name; a column for each parameter, missing
    where the rule has none of that name; ``tp`` and ``returned``, pooled over all queries; and the value under the
    measure's name.
    """

    cells: pd.DataFrame
    best: FittedCutoff


class CrossValidation(NamedTuple):
    """What a search for a cut-off is worth on queries that it has not seen.

    ``held_out``: the value of all queries, each cut by the rule that is best on the other groups. ``optimistic``: the
    value of the rule that is best on all, ``cutoff``, on the data that chose it. ``folds`` has a row for each group:
    ``group``, ``queries`` (how many), ``cutoff`` (best on the other groups), ``fitted`` (its value there) and
    ``held_out`` (its value on the group).
    """

    held_out: float
    optimistic: float
    cutoff: Cutoff
    folds: pd.DataFrame


def search_cutoffs(
    run: pd.DataFrame, qrels: pd.DataFrame, measure: ColieeMeasure, cutoffs: Iterable[Cutoff] | None = None
) -> CutoffSearch:
    """Evaluate cut-offs on a run: a frame of all of them, and the best.

    ``run`` and ``qrels`` as in `ir_coliee.evaluation.encoded_run.encode`. Without ``cutoffs`` those of
    `standard_grid` are tried. Of equal values (to 1e-12) the first is the best. Queries of the qrels without
    results count as unanswered. Raises `ValueError` where there is no cut-off to try, and for a measure that has a
    cut-off of its own.

    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [9.0, 8.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1"] * 2, "docno": list("ab"), "label": 1})
    >>> search_cutoffs(run, qrels, MicroF1, [TopK(1), TopK(2), TopK(3)]).best
    FittedCutoff(cutoff=TopK(k=2), value=1.0)
    """
    import pandas as pd

    encoded = _encoded(run, qrels, measure)
    tried = _tried(encoded, cutoffs)
    sums = _sums(encoded, measure, tried, _together(encoded))
    values = sums.values()[:, 0]
    cells = {
        "cutoff": tried,
        "rule": [type(cutoff).__name__ for cutoff in tried],
        **_parameters(tried),
        "tp": sums.tp[:, 0].astype(int),
        "returned": sums.returned[:, 0].astype(int),
        str(measure): values,
    }
    return CutoffSearch(pd.DataFrame(cells), _best(tried, values))


def fit_cutoff(
    run: pd.DataFrame, qrels: pd.DataFrame, measure: ColieeMeasure, cutoffs: Iterable[Cutoff] | None = None
) -> FittedCutoff:
    """The cut-off with the highest value of ``measure``: the best of `search_cutoffs`, without the frame."""
    encoded = _encoded(run, qrels, measure)
    tried = _tried(encoded, cutoffs)
    return _best(tried, cutoff_values(encoded, measure, tried))


def cutoff_values(encoded: EncodedRun, measure: ColieeMeasure, cutoffs: Sequence[Cutoff]) -> Floats:
    """The value of each cut-off on a run that is encoded already."""
    require_set_measure(measure)
    return _sums(encoded, measure, cutoffs, _together(encoded)).values()[:, 0]


def depth_values(encoded: EncodedRun, measure: ColieeMeasure) -> Floats:
    """The value at every depth: of keeping the first 0, 1, 2 … items, up to all. `TopK` (k) is entry k."""
    require_set_measure(measure)
    if is_pooled(measure):
        longer = len(encoded.queries) - np.bincount(encoded.lengths, minlength=encoded.depth + 1).cumsum()
        returned = np.concatenate([[0], longer[:-1].cumsum()])
        # hits are no more than the matrix has entries, and adding up without a conversion takes a third of the time
        tp = encoded.hits.sum(axis=0, dtype=encoded.hits.dtype).astype(np.int64)
        return quotient(*measure.terms(tp, returned, np.full_like(tp, encoded.relevant.sum())))
    numerators, denominators = ratio_terms_at_each_depth(encoded, measure)
    return quotient(numerators.sum(axis=0), denominators.sum(axis=0))


def threshold_values(encoded: EncodedRun, measure: ColieeMeasure) -> tuple[Floats, Floats]:
    """Every threshold that makes a difference, that is every score of the run, falling, and its value.

    Each is the value of `ThresholdCutoff` with that threshold.
    """
    require_set_measure(measure)
    numerators, denominators = ratio_terms_at_each_depth(encoded, measure)
    real = np.arange(encoded.depth) < encoded.lengths[:, None]
    order = np.argsort(-encoded.scores[real], kind="stable")
    scores = encoded.scores[real][order]
    last = np.append(scores[1:] != scores[:-1], True)[: len(scores)]  # of equal scores all are kept
    sums = (
        (terms[:, 0].sum() + np.diff(terms, axis=1)[real][order].cumsum())[last] for terms in (numerators, denominators)
    )
    return scores[last], quotient(*sums)


def cross_validated(
    run: pd.DataFrame,
    qrels: pd.DataFrame,
    measure: ColieeMeasure,
    cutoffs: Iterable[Cutoff] | None = None,
    *,
    folds: int = 5,
    groups: Callable[[str], Hashable] | Mapping[str, Hashable] | pd.Series[str] | None = None,
    seed: int = 0,
) -> CrossValidation:
    """The honest value of a search: each query is cut by the rule that is best on the other groups' queries.

    Without ``groups`` the queries of the qrels are dealt into ``folds`` groups of equal size (to one), shuffled by
    ``seed``. ``groups`` gives each query's own, and each group is left out in turn: a function of the query id, as
    `ir_coliee.datasets.folds.exam_year` is, or a mapping or series from it, as the folds there are. The held-out
    queries are evaluated together, so that the value compares with the optimistic one. Without ``cutoffs`` those of
    `standard_grid` are tried; it is made from the scores of all queries, never from labels. Raises `ValueError` for
    fewer than two groups or more folds than queries, and `ColieeError` for a query without a group.
    """
    import pandas as pd

    encoded = _encoded(run, qrels, measure)
    tried = _tried(encoded, cutoffs)
    group_of = _dealt(encoded, folds, seed) if groups is None else _given(encoded, groups)
    names = sorted(set(group_of), key=str)
    if len(names) < 2:
        raise ValueError(f"{len(names)} group of queries leaves nothing to fit on: two and more are needed")

    inside = np.array([[group == name for name in names] for group in group_of], dtype=np.float64)
    sums = _sums(encoded, measure, tried, inside)
    elsewhere = sums.without_each_group().values()
    chosen = [_first_best(column) for column in elsewhere.T]
    own = chosen, range(len(names))
    held_out = quotient(sums.numerators[own].sum(keepdims=True), sums.denominators[own].sum(keepdims=True))
    best = _best(tried, sums.together().values()[:, 0])
    table = {
        "group": names,
        "queries": inside.sum(axis=0).astype(int),
        "cutoff": [tried[cell] for cell in chosen],
        "fitted": elsewhere[own],
        "held_out": sums.values()[own],
    }
    return CrossValidation(float(held_out[0]), best.value, best.cutoff, pd.DataFrame(table))


def regressed_size(
    run: pd.DataFrame,
    qrels: pd.DataFrame,
    *,
    rel: int = 1,
    depth: int = _SPREAD,
    min_items: int = 1,
    max_items: int = _DEEPEST,
) -> AdaptiveCutoff:
    """The line from the dispersion of a query's scores to the number of its relevant items, by least squares.

    ``run``, ``qrels`` and ``rel`` as in `ir_coliee.evaluation.encoded_run.encode`; the rest as of `AdaptiveCutoff`.
    Queries without results do not count. Where all dispersions are equal, the slope is 0 and every query gets the mean.
    Raises `ColieeError` where no query has results.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": list("112222"), "docno": list("ababcd"), "score": [4.0, 0.0, 1.0, 1.0, 1.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": list("1222"), "docno": list("aabc"), "label": 1})
    >>> regressed_size(run, qrels)
    AdaptiveCutoff(intercept=3.0, slope=-2.0, depth=50, min_items=1, max_items=20)
    """
    encoded = encode(run, qrels, rel=rel)
    answered = encoded.lengths > 0
    if not answered.any():
        raise ColieeError("No query of the qrels has results in the run: there is no size to learn.")
    spread, sizes = dispersion(encoded.scores, depth)[answered], encoded.relevant[answered]
    away = spread - spread.mean()
    slope = float(quotient(np.array([away @ sizes]), np.array([away @ away]))[0])
    intercept = float(sizes.mean() - slope * spread.mean())
    return AdaptiveCutoff(intercept, slope, depth=depth, min_items=min_items, max_items=max_items)


class Bounds(TypedDict):
    """The smallest and largest number of items to keep, as keyword arguments of a cut-off."""

    min_items: int
    max_items: int


def standard_grid(encoded: EncodedRun) -> list[Cutoff]:
    """The cut-offs that are tried where none are given, the plainest rules first.

    All combinations of a most (up to 20), a least (up to 5), and a ratio, a threshold, both, a margin, or the largest
    gap; thresholds also alone; sizes by the dispersion of the scores; and, where all scores are probabilities, that is
    from 0 to 1, the highest expected F. Ratios as in THUIR's grid of 2023; thresholds and margins are quantiles of the
    queries' first 20 scores, slopes take all queries but the outer tenths over 1 to 8 items.
    """
    shallow = encoded.scores[:, :_DEEPEST]
    seen = np.isfinite(shallow)
    thresholds = _quantiles(shallow[seen], 40)
    with np.errstate(invalid="ignore"):  # inf - inf
        below = shallow[:, :1] - shallow
    margins = _quantiles(below[seen & np.isfinite(below)], 40)
    ratios = np.arange(0.10, 0.99, 0.02).round(2).tolist()
    deepest = max(1, min(_DEEPEST, encoded.depth))
    sizes = [size for size in (*range(1, 11), 15, _DEEPEST) if size <= deepest]
    bounds = [Bounds(min_items=n, max_items=size) for size in sizes for n in (1, 2, 3, 5) if n < size]
    bounds_from_none = [*(Bounds(min_items=0, max_items=size) for size in sizes), *bounds]
    ratios_and_thresholds = itertools.product(ratios[::5], sizes, thresholds[::4], (0, 1))
    return [
        *(TopK(k) for k in range(1, deepest + 1)),
        *(ThresholdCutoff(threshold) for threshold in thresholds),
        *(GapCutoff(**bound) for bound in bounds),
        *(DynamicCutoff(ratio, **bound) for ratio in ratios for bound in bounds),
        *(MarginCutoff(margin, **bound) for margin in margins for bound in bounds),
        *(ThresholdCutoff(threshold, **bound) for threshold in thresholds for bound in bounds_from_none),
        *(
            RatioCutoff(ratio, threshold=threshold, min_items=min_items, max_items=max_items)
            for ratio, max_items, threshold, min_items in ratios_and_thresholds
        ),
        *_by_dispersion(encoded, deepest),
        *(_by_expected_f(deepest) if _are_probabilities(encoded) else ()),
    ]


def _by_dispersion(encoded: EncodedRun, deepest: int) -> Iterator[Cutoff]:
    spread = dispersion(encoded.scores, _SPREAD)[encoded.lengths > 0]
    low, middle, high = np.quantile(spread, [0.1, 0.5, 0.9]) if len(spread) else (0.0, 0.0, 0.0)
    if high - low < _EQUAL:
        return  # all queries are alike
    for items, size in itertools.product((-8, -4, -2, -1, 1, 2, 4, 8), range(1, 11)):
        slope = float(f"{items / (high - low):.4g}")
        intercept = float(f"{size - slope * middle:.4g}")
        yield AdaptiveCutoff(intercept, slope, depth=_SPREAD, min_items=1, max_items=deepest)


def _by_expected_f(deepest: int) -> Iterator[Cutoff]:
    averages: tuple[Literal["macro", "micro"], ...] = ("macro", "micro")
    for average, beta, min_items in itertools.product(averages, (0.5, 0.7, 1.0, 1.4, 2.0), (0, 1)):
        yield ExpectedFCutoff(beta, average=average, min_items=min_items, max_items=deepest)


def _are_probabilities(encoded: EncodedRun) -> bool:
    real = encoded.scores[np.arange(encoded.depth) < encoded.lengths[:, None]]
    return bool(len(real) and (real >= 0).all() and (real <= 1).all())


def _quantiles(scores: Floats, number: int) -> list[float]:
    """So many values spread over the scores, to four digits, so that a rule can be read; none where there are none."""
    if not len(scores):
        return []
    return sorted({float(f"{value:.4g}") for value in np.quantile(scores, np.linspace(0, 1, number))})


class _Sums(NamedTuple):
    """Of each cut-off (row) and group of queries (column): the pooled counts, and the measure's summed terms."""

    tp: Floats
    returned: Floats
    numerators: Floats
    denominators: Floats

    def values(self) -> Floats:
        return quotient(self.numerators, self.denominators)

    def together(self) -> _Sums:
        return _Sums(*(sums.sum(axis=1, keepdims=True) for sums in self))

    def without_each_group(self) -> _Sums:
        return _Sums(*(sums.sum(axis=1, keepdims=True) - sums for sums in self))


def _together(encoded: EncodedRun) -> Floats:
    """All queries in one group."""
    return np.ones((len(encoded.queries), 1))


def _sums(encoded: EncodedRun, measure: ColieeMeasure, cutoffs: Sequence[Cutoff], inside: Floats) -> _Sums:
    """``inside`` has a row for each query, a column for each group, and 1 where the one is in the other."""
    at_a_time = max(1, _BLOCK // max(1, len(encoded.queries)))
    blocks = []
    for start in range(0, len(cutoffs), at_a_time):
        tp, returned = encoded.kept(cutoffs[start : start + at_a_time])
        pooled = tp @ inside, returned @ inside
        if is_pooled(measure):
            terms = ratio_terms(measure, *(counts.astype(np.int64) for counts in (*pooled, encoded.relevant @ inside)))
        else:
            numerators, denominators = ratio_terms(measure, tp, returned, encoded.relevant)
            terms = numerators @ inside, denominators @ inside
        blocks.append(_Sums(*pooled, *terms))
    return _Sums(*(np.concatenate(splits) for splits in zip(*blocks)))


def _encoded(results: pd.DataFrame, qrels: pd.DataFrame, measure: ColieeMeasure) -> EncodedRun:
    require_set_measure(measure)
    return encode(results, qrels, rel=measure["rel"])


def _tried(encoded: EncodedRun, cutoffs: Iterable[Cutoff] | None) -> list[Cutoff]:
    tried = standard_grid(encoded) if cutoffs is None else list(cutoffs)
    if not tried:
        raise ValueError("no cut-off to choose from")
    return tried


def _first_best(values: Floats) -> int:
    """The place of the highest value, the first of those that are equal but for rounding."""
    return int(np.flatnonzero(values >= values.max() - _EQUAL)[0])


def _best(cutoffs: Sequence[Cutoff], values: Floats) -> FittedCutoff:
    place = _first_best(values)
    return FittedCutoff(cutoffs[place], float(values[place]))


def _parameters(cutoffs: Sequence[Cutoff]) -> dict[str, pd.api.extensions.ExtensionArray]:
    """A column for each parameter that any of the cut-offs has; whole numbers stay whole where some are missing."""
    import pandas as pd

    kinds = dict.fromkeys(type(cutoff) for cutoff in cutoffs)
    names = dict.fromkeys(name for kind in kinds for name in inspect.signature(kind).parameters)
    return {name: pd.array([getattr(cutoff, name, None) for cutoff in cutoffs]) for name in names}


def _dealt(encoded: EncodedRun, folds: int, seed: int) -> list[int]:
    """A fold's number for each query."""
    number = len(encoded.queries)
    if folds not in range(2, number + 1):
        raise ValueError(f"folds={folds!r} is not a whole number from 2 to {number}, the number of queries")
    shuffled: list[int] = (np.random.default_rng(seed).permutation(number) % folds).tolist()
    return shuffled


def _given(
    encoded: EncodedRun, groups: Callable[[str], Hashable] | Mapping[str, Hashable] | pd.Series[str]
) -> list[Hashable]:
    """The user's group of each query."""
    if callable(groups):
        return [groups(query) for query in encoded.queries]
    if missing := [query for query in encoded.queries if query not in groups]:
        raise ColieeError(f"No group is given for {len(missing)} of the queries, as {missing[0]}.")
    return [groups[query] for query in encoded.queries]
