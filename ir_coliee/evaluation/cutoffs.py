"""Search for the best cut-off on a split with labels.

A set measure is a ratio of two sums over queries (`ColieeMeasure.terms`), and a cut-off only determines how many items
each query keeps. The run is therefore encoded once, and each of the thousands of cut-offs only needs look-ups and sums.
"""

from __future__ import annotations

import ast
import itertools
import math
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ir_coliee import frames
from ir_coliee.editions import Dataset, as_split
from ir_coliee.engine.cutoff_rules import answer_sizes, dispersion
from ir_coliee.errors import ColieeError, ColieeWarning, printable, printable_list
from ir_coliee.evaluation.gold import TASK_EVALUATIONS, scored_gold
from ir_coliee.evaluation.runs import Run, load_run, require_frame, without_own_cases
from ir_coliee.evaluation.statistics import highest_ratio, measure_of_cutoffs, quotient
from ir_coliee.frames import Floats, Integers, sort_results
from ir_coliee.measures import ColieeMeasure, MacroR, MicroR
from ir_coliee.transformers.candidates import cutoffs as rules
from ir_coliee.transformers.candidates.cutoffs import Cutoff, TopK

# Encode runs and their relevant items as matrices, for the fast evaluation of many cut-offs.


_NAMES = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}


class EncodedRun(NamedTuple):
    """A run as matrices, with a row for each query of the qrels.

    Attributes
    ----------
    queries : list of str
        The ids of the queries, sorted. Unanswered queries are included, with no items.
    scores : numpy.ndarray of shape (n_queries, depth)
        The scores of each query in descending order, padded with -inf.
    lengths : numpy.ndarray of shape (n_queries,)
        The number of items of each query.
    hits : numpy.ndarray of shape (n_queries, depth + 1)
        The number of relevant items among the first 0, 1, 2, … items.
    relevant : numpy.ndarray of shape (n_queries,)
        The number of relevant items of each query, including items that are not returned.
    """

    queries: list[str]
    scores: Floats
    lengths: Integers
    hits: npt.NDArray[np.int32]
    relevant: Integers

    @property
    def depth(self) -> int:
        """The largest number of items returned for a query."""
        return int(self.scores.shape[1])

    def true_positives(self, returned: Integers) -> Integers:
        """Return the true positives if each query (on the last axis) returns its first ``returned`` items."""
        starts = np.arange(len(self.queries)) * (self.depth + 1)
        return self.hits.ravel().take(starts + returned).astype(np.int64)

    def terms_at_each_depth(self, measure: ColieeMeasure) -> tuple[Floats, Floats]:
        """Return the terms of each query (row) at each cut: if its first 0, 1, 2, … items (columns) are returned."""
        returned = np.minimum(np.arange(self.depth + 1), self.lengths[:, None])
        return measure.terms(self.hits.astype(np.int64), returned, self.relevant[:, None])


def encode_run(run: Run, qrels: pd.DataFrame, *, rel: int = 1) -> EncodedRun:
    """Encode a run and its relevant items as matrices.

    This is fastest if the columns qid and docno of the run are categorical.

    Parameters
    ----------
    run : pandas.DataFrame or dict
        The columns qid, docno and score, and optionally rank, which breaks ties; a dict from query id to document id to
        score; or a set, see `ir_coliee.evaluation.runs.load_run`. Repeated items of a query count once, at their best
        rank. Queries without qrels are ignored.
    qrels : pandas.DataFrame
        The columns qid, docno and label, as in PyTerrier, or query_id, doc_id and relevance, as in ir_measures. All
        queries of the qrels are encoded, answered or not.
    rel : int
        The lowest label of a relevant item.

    Returns
    -------
    EncodedRun

    Raises
    ------
    ColieeError
        If a column or a query id is missing, or if scores or labels are not numbers.

    Warns
    -----
    ColieeWarning
        If scores are not finite (a missing score counts as the lowest), or if the ids of the run and of the qrels
        have different types, so that none can match.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "c"], "label": [1, 1]})
    >>> encode_run(run, qrels).hits.tolist()
    [[0, 0, 1], [0, 0, 0]]
    """
    results = _with_numbers(require_frame(run), "run", "score")
    frames.check_is_frame("qrels", qrels, "qid, docno and label")
    qrels = _with_numbers(qrels.rename(columns=_NAMES), "qrels", "label")
    frames.warn_if_nothing_matches(results, qrels, ("qid", "docno"), stacklevel=2)
    if num_not_finite := int((~np.isfinite(results["score"].to_numpy())).sum()):
        message = f"scores of the run that are not finite: {num_not_finite}; a missing score counts as the lowest"
        warnings.warn(message, ColieeWarning, stacklevel=2)
    if qrels["qid"].isna().any():
        raise ColieeError("The qrels have a row without a query id. Read ids as strings.")
    queries = pd.Index(sorted(qrels["qid"].unique(), key=str), dtype=object)

    results = sort_results(results)
    answered, answered_names = frames.number_grouped_ids(results["qid"])
    docs, doc_names = frames.number_ids(results["docno"])
    rows = queries.get_indexer(answered_names)[answered]
    pairs = rows * len(doc_names)
    pairs += docs  # in place, here and below, because allocating memory takes longer than adding
    values = results["score"].to_numpy()
    known = rows >= 0
    if not known.all():
        rows, pairs, values = rows[known], pairs[known], values[known]
    first = frames.first_occurrences(pairs, len(queries) * len(doc_names))
    if not first.all():
        rows, pairs, values = rows[first], pairs[first], values[first]

    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    block_lengths = np.diff(starts, append=len(rows))
    lengths = np.zeros(len(queries), dtype=np.int64)
    lengths[rows[starts]] = block_lengths
    scores = np.full((len(queries), lengths.max(initial=0)), -np.inf)
    places = (rows[starts] * scores.shape[1] - starts).repeat(block_lengths)
    places += np.arange(len(places))
    scores.ravel()[places] = values
    scores[np.isnan(scores)] = -np.inf

    positives = qrels.loc[qrels["label"] >= rel, ["qid", "docno"]].drop_duplicates()
    gold_rows = queries.get_indexer(pd.Index(positives["qid"]))
    gold_docs = doc_names.get_indexer(pd.Index(positives["docno"]))
    found = np.isin(pairs, (gold_rows * len(doc_names) + gold_docs)[gold_docs >= 0])
    hits = np.zeros((len(queries), scores.shape[1] + 1), dtype=np.int32)
    found_rows, positions = np.divmod(places[found], scores.shape[1])
    hits[found_rows, positions + 1] = 1
    relevant = np.bincount(gold_rows, minlength=len(queries)).astype(np.int64)
    return EncodedRun(queries.tolist(), scores, lengths, hits.cumsum(axis=1, dtype=np.int32), relevant)


def _with_numbers(frame: pd.DataFrame, name: str, value: str) -> pd.DataFrame:
    """Return the frame with the column ``value`` as floats. Raises `ColieeError` for a missing column."""
    frames.check_is_frame(name, frame, f"qid, docno and {value}")
    frames.check_unique_columns(frame)
    missing = [column for column in ("qid", "docno", value) if column not in frame.columns]
    if missing == ["score"]:
        return frames.with_scores(frame)
    if missing:
        names = printable_list([*map(str, frame.columns)])
        raise ColieeError(f"The {name} has no column {missing[0]!r}, only {names}.")
    try:
        return frame.assign(**{value: pd.to_numeric(frame[value]).to_numpy(np.float64, na_value=np.nan)})
    except (TypeError, ValueError) as error:
        raise ColieeError(f"The column {value!r} of the {name} must be numbers. {error}") from error


# The standard grid of cut-offs, made from the scores of a run.


MAX_ITEMS = 20  # the largest number of items per query in this grid
DISPERSION_DEPTH = 50  # the number of scores per query from which the dispersion is computed


def standard_grid(encoded: EncodedRun, has_scores: bool = True) -> list[Cutoff]:
    """Return the cut-offs that are tried by default, the simplest rules first.

    Parameters
    ----------
    encoded : EncodedRun
        A run as `encode_run` returns it. Its labels are not used.
    has_scores : bool
        Whether the run has scores. One without them can be cut at a rank alone.

    Returns
    -------
    list of Cutoff
        Cut-offs at a rank (`TopK`); at a threshold; at a ratio, a threshold, both, a margin or the largest gap,
        combined with ``max_items`` (up to 20) and ``min_items`` (up to 5); by the dispersion of the scores
        (`AdaptiveCutoff`); and, if all scores are in [0, 1], by the highest expected F (`ExpectedFCutoff`).

    Notes
    -----
    The ratios include those of THUIR's grid of 2023. Thresholds and margins are quantiles of the queries' first 20
    scores. The slopes of `AdaptiveCutoff` span 1 to 8 items between the 10th and the 90th percentile of the dispersion.
    """
    max_depth = max(1, min(MAX_ITEMS, encoded.depth))
    depths: list[Cutoff] = [TopK(k) for k in range(1, max_depth + 1)]
    if not has_scores:
        return depths
    top_scores = encoded.scores[:, :MAX_ITEMS]
    is_finite = np.isfinite(top_scores)
    thresholds = _quantiles(top_scores[is_finite], 40)
    with np.errstate(invalid="ignore"):  # inf - inf
        differences = top_scores[:, :1] - top_scores
    margins = _quantiles(differences[is_finite & np.isfinite(differences)], 40)
    ratios = np.arange(0.10, 0.99, 0.02).round(2).tolist()
    sizes = [size for size in (*range(1, 11), 15, MAX_ITEMS) if size <= max_depth]
    bounds = [(n, size) for size in sizes for n in (1, 2, 3, 5) if n < size]
    bounds_from_0 = [*((0, size) for size in sizes), *bounds]
    ratios_and_thresholds = itertools.product(ratios[::5], sizes, thresholds[::4], (0, 1))
    return [
        *depths,
        *(rules.ThresholdCutoff(threshold) for threshold in thresholds),
        *(rules.GapCutoff(min_items=low, max_items=high) for low, high in bounds),
        *(rules.DynamicCutoff(ratio, min_items=low, max_items=high) for ratio in ratios for low, high in bounds),
        *(rules.MarginCutoff(margin, min_items=low, max_items=high) for margin in margins for low, high in bounds),
        *(
            rules.ThresholdCutoff(threshold, min_items=low, max_items=high)
            for threshold in thresholds
            for low, high in bounds_from_0
        ),
        *(
            rules.RatioCutoff(ratio, threshold=threshold, min_items=min_items, max_items=max_items)
            for ratio, max_items, threshold, min_items in ratios_and_thresholds
        ),
        *_adaptive_cutoffs(encoded, max_depth),
        *(_expected_f_cutoffs(max_depth) if _are_probabilities(encoded) else ()),
    ]


def _adaptive_cutoffs(encoded: EncodedRun, max_depth: int) -> Iterator[Cutoff]:
    """Generate `AdaptiveCutoff` rules; none if all queries have the same dispersion."""
    dispersions = dispersion(encoded.scores, DISPERSION_DEPTH)[encoded.lengths > 0]
    low, middle, high = np.quantile(dispersions, [0.1, 0.5, 0.9]) if len(dispersions) else (0.0, 0.0, 0.0)
    if high - low < _TOLERANCE:
        return
    for items, size in itertools.product((-8, -4, -2, -1, 1, 2, 4, 8), range(1, 11)):
        slope = float(f"{items / (high - low):.4g}")
        intercept = float(f"{size - slope * middle:.4g}")
        yield rules.AdaptiveCutoff(intercept, slope, depth=DISPERSION_DEPTH, min_items=1, max_items=max_depth)


def _expected_f_cutoffs(max_depth: int) -> Iterator[Cutoff]:
    averages: tuple[Literal["macro", "micro"], ...] = ("macro", "micro")
    for average, beta, min_items in itertools.product(averages, (0.5, 0.7, 1.0, 1.4, 2.0), (0, 1)):
        yield rules.ExpectedFCutoff(beta, average=average, min_items=min_items, max_items=max_depth)


def _are_probabilities(encoded: EncodedRun) -> bool:
    scores = encoded.scores[np.arange(encoded.depth) < encoded.lengths[:, None]]
    return bool(len(scores) and (scores >= 0).all() and (scores <= 1).all())


def _quantiles(scores: Floats, number: int) -> list[float]:
    """Return quantiles of the scores, rounded to four digits to keep the rules readable; empty without scores."""
    if not len(scores):
        return []
    return sorted({float(f"{value:.4g}") for value in np.quantile(scores, np.linspace(0, 1, number))})


# Values of a measure on an encoded run: for many cut-offs, at every depth, and at every threshold.


_BLOCK_SIZE = 2**20  # the number of (cut-off, query) pairs that are counted at a time


def cutoff_counts(encoded: EncodedRun, cutoffs: Sequence[Cutoff]) -> tuple[Integers, Integers]:
    """Return the true positives and the returned items, as matrices with a row per cut-off and a column per query."""
    returned = answer_sizes([cutoff.rule() for cutoff in cutoffs], encoded.scores, encoded.lengths)
    return encoded.true_positives(returned), returned


def cutoff_sums(
    encoded: EncodedRun, measure: ColieeMeasure, cutoffs: Sequence[Cutoff], groups: Sequence[Hashable] | None = None
) -> Floats:
    """Sum the terms of a measure over groups of queries, for many cut-offs.

    Parameters
    ----------
    encoded : EncodedRun
        The run and its labels.
    measure : ColieeMeasure
        A set measure.
    cutoffs : sequence of Cutoff
        The cut-offs.
    groups : sequence, optional
        The group of each query. None for a single group of all queries.

    Returns
    -------
    numpy.ndarray of shape (2, n_cutoffs, n_groups)
        The sums of the numerators and of the denominators, with a column for each group, sorted as text.
    """
    group_of = [""] * len(encoded.queries) if groups is None else groups
    names = sorted(set(group_of), key=str)
    membership = np.array([[group == name for name in names] for group in group_of], dtype=np.float64)
    block_length = max(1, _BLOCK_SIZE // max(1, len(encoded.queries)))
    blocks = []
    for start in range(0, len(cutoffs), block_length):
        tp, returned = cutoff_counts(encoded, cutoffs[start : start + block_length])
        blocks.append([terms @ membership for terms in measure.terms(tp, returned, encoded.relevant)])
    return np.concatenate(blocks, axis=1)


def cutoff_values(encoded: EncodedRun, measure: ColieeMeasure, cutoffs: Sequence[Cutoff]) -> Floats:
    """Return the value of each cut-off on an encoded run."""
    return quotient(*cutoff_sums(encoded, measure, cutoffs)[:, :, 0])


def depth_values(encoded: EncodedRun, measure: ColieeMeasure) -> Floats:
    """Return the value at every depth: entry k is the value of ``TopK(k)``, and entry 0 that of an empty run."""
    numerators, denominators = encoded.terms_at_each_depth(measure)
    return quotient(numerators.sum(axis=0), denominators.sum(axis=0))


def threshold_values(encoded: EncodedRun, measure: ColieeMeasure, values: Floats) -> tuple[Floats, Floats]:
    """Return the value of the measure at every threshold that gives a different answer set.

    Parameters
    ----------
    encoded : EncodedRun
        The run and its labels.
    measure : ColieeMeasure
        A set measure.
    values : numpy.ndarray of shape (n_queries, depth)
        What the threshold is applied to, such as the scores: numbers that do not increase within a query.

    Returns
    -------
    thresholds : numpy.ndarray
        The distinct ``values`` of the items, in descending order.
    values : numpy.ndarray
        The value of the measure if the items from each threshold on are returned, as by `ThresholdCutoff`.
    """
    is_item = np.arange(encoded.depth) < encoded.lengths[:, None]
    thresholds = values[is_item]
    order = np.argsort(-thresholds, kind="stable")
    thresholds = thresholds[order]
    is_last = np.append(thresholds[1:] != thresholds[:-1], True)[: len(thresholds)]  # equal items are kept together
    terms = encoded.terms_at_each_depth(measure)
    sums = ((each[:, 0].sum() + np.diff(each, axis=1)[is_item][order].cumsum())[is_last] for each in terms)
    return thresholds[is_last], quotient(*sums)


def best_of_all_values(encoded: EncodedRun, measure: ColieeMeasure) -> list[Cutoff]:
    """Return the best `TopK`, `ThresholdCutoff` and `RatioCutoff` of all ranks, thresholds and ratios.

    Each threshold and ratio is written with as few digits as give the same answer set.

    Parameters
    ----------
    encoded : EncodedRun
        The run and its labels, with at least one item.
    measure : ColieeMeasure
        A set measure.

    Returns
    -------
    list of Cutoff
        Of ratios those above 0; there is no `RatioCutoff` if no score but the best is above 0.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> run = pd.DataFrame({"qid": ["1", "1", "2", "2"], "docno": list("abcd"), "score": [4.0, 1.3, 2.0, 0.9]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2", "2"], "docno": ["a", "c", "d"], "label": 1})
    >>> best_of_all_values(encode_run(run, qrels), MicroF1)
    [TopK(k=2), ThresholdCutoff(threshold=0.9, min_items=0), RatioCutoff(ratio=0.45, min_items=0)]
    """
    best_scores = encoded.scores[:, :1]
    with np.errstate(divide="ignore", invalid="ignore"):  # items without a ratio are left out of every answer set
        ratios = np.where(best_scores > 0, encoded.scores / best_scores, best_scores / encoded.scores)
    ratios = np.where(encoded.scores == best_scores, 1.0, np.where(ratios > 0, ratios, 0.0))
    found: list[Cutoff] = [TopK(1 + index_of_best(depth_values(encoded, measure)[1:]))]
    for kind, values in ((rules.ThresholdCutoff, encoded.scores), (rules.RatioCutoff, ratios)):
        thresholds, figures = threshold_values(encoded, measure, values)
        if kind is rules.RatioCutoff:
            thresholds, figures = thresholds[thresholds > 0], figures[thresholds > 0]
        best = index_of_best(figures)
        found.append(kind(_shortest_number(np.append(thresholds, -np.inf)[best + 1], thresholds[best])))
    return found


def _shortest_number(above: float, largest: float) -> float:
    """Return the number with the fewest digits that is above one number and not above another."""
    for digits in range(1, 17):
        if above < (number := float(f"{largest:.{digits}g}")) <= largest:
            return number
    return float(largest)


# Search for the best cut-off on a split with labels.


_TOLERANCE = 1e-12  # values that differ by less count as equal


class FittedCutoff(NamedTuple):
    """The best cut-off of a search.

    Attributes
    ----------
    cutoff : Cutoff
        The transformer, to append to the ranking.
    value : float
        Its value on the data that it was chosen on. This value is optimistic.
    """

    cutoff: Cutoff
    value: float


def _run_and_labels(dataset: Dataset | pd.DataFrame, run: Run) -> tuple[Run, pd.DataFrame, ColieeMeasure | None]:
    """Return a run, the labels of its queries, and the measure of the dataset; None for a frame of labels."""
    if isinstance(dataset, pd.DataFrame):
        return run, dataset, None
    split = as_split(dataset)
    loaded = load_run(split, run)
    frame, _ = without_own_cases(split, loaded.frame)
    if not loaded.has_scores:
        frame = frame.drop(columns="score")
    return frame, scored_gold(split), TASK_EVALUATIONS[split.task].measure


def _encoded(
    dataset: Dataset | pd.DataFrame, run: Run, measure: ColieeMeasure | None
) -> tuple[EncodedRun, ColieeMeasure, bool]:
    """Encode a run, and return it with the measure, by default that of the dataset, and whether it has scores."""
    run, qrels, of_dataset = _run_and_labels(dataset, run)
    if measure is None and of_dataset is None:
        raise ValueError("measure is missing. A frame of labels has none; pass one such as MicroF1.")
    measure = measure_of_cutoffs(measure or of_dataset)  # type: ignore[arg-type]
    return encode_run(run, qrels, rel=measure["rel"]), measure, "score" in require_frame(run)


def usable_cutoffs(cutoffs: Iterable[Cutoff], has_scores: bool, name: str = "The run") -> list[Cutoff]:
    """Return cut-offs. Raises `ColieeError`, with the name of a run, if one needs scores and the run has none."""
    usable = list(cutoffs)
    for cutoff in usable:
        frames.instance_of("cutoffs", cutoff, Cutoff, "cut-offs such as TopK(5)")
        if not has_scores and not isinstance(cutoff, TopK):
            raise ColieeError(f"{name} has no scores, which {cutoff!r} needs.\nUse --top (TopK).")
    if not usable:
        raise ValueError("cutoffs must contain at least one cut-off, got none.")
    return usable


def fit_cutoff(
    dataset: Dataset | pd.DataFrame,
    run: Run,
    measure: ColieeMeasure | None = None,
    cutoffs: Iterable[Cutoff] | None = None,
) -> FittedCutoff:
    """Return the best of many cut-offs on a run.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset; or pandas.DataFrame
        A split with labels, usually a train split; or the labels of any queries, with the columns qid, docno and
        label, or query_id, doc_id and relevance. Queries without results count as unanswered.
    run : path, pandas.DataFrame or dict
        The ranking; a path needs a dataset. In task 1, a query is removed from its own results.
    measure : ColieeMeasure, optional
        A set measure without a cut-off of its own; by default that of the dataset.
    cutoffs : iterable of Cutoff, optional
        The cut-offs to try. None for `standard_grid`. A set, which has no scores, can be cut by `TopK` alone.

    Returns
    -------
    FittedCutoff
        The best cut-off and its value. If values are equal (within 1e-12), the first cut-off is the best.

    Raises
    ------
    ValueError
        If ``cutoffs`` is empty, or if the measure is missing or has a cut-off of its own.

    See Also
    --------
    ir_coliee.evaluation.cutoffs.cross_validate_cutoffs : Estimate the value on other queries.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> from ir_coliee.transformers import TopK
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [9.0, 8.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1"] * 2, "docno": list("ab"), "label": 1})
    >>> fit_cutoff(qrels, run, MicroF1, [TopK(1), TopK(2), TopK(3)])
    FittedCutoff(cutoff=TopK(k=2), value=1.0)
    """
    encoded, measure, has_scores = _encoded(dataset, run, measure)
    grid = standard_grid(encoded, has_scores) if cutoffs is None else cutoffs
    candidates = usable_cutoffs(grid, has_scores)
    values = cutoff_values(encoded, measure, candidates)
    best = index_of_best(values)
    return FittedCutoff(candidates[best], float(values[best]))


def index_of_best(values: Floats) -> int:
    """Return the index of the highest value; of values that are equal within 1e-12, the first."""
    return int(np.flatnonzero(values >= values.max() - _TOLERANCE)[0])


# Cross-validation of the search for a cut-off.


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
        The cross-validated value with exam years as folds. NaN unless it was asked for
        and there are several exam years.
    """

    cutoff: Cutoff
    optimistic: float
    held_out: float
    by_year: float = math.nan


def cross_validate_cutoffs(
    dataset: Dataset | pd.DataFrame,
    run: Run,
    measure: ColieeMeasure | None = None,
    cutoffs: Iterable[Cutoff] | None = None,
    *,
    folds: int = 5,
    groups: Callable[[str], Hashable] | Mapping[str, Hashable] | pd.Series[str] | None = None,
    seed: int = 0,
) -> TunedCutoff:
    """Estimate the value of a search for a cut-off by cross-validation over groups of queries.

    Each query is cut by the cut-off that is best on the other groups. The measure is then computed once for all
    queries, so that the value can be compared with the optimistic one.

    Parameters
    ----------
    dataset, run, measure
        As in `fit_cutoff`.
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
    TunedCutoff

    Raises
    ------
    ValueError
        If there are fewer than two groups or more folds than queries, or as raised by `fit_cutoff`.
    KeyError
        If a query has no group.
    """
    encoded, measure, has_scores = _encoded(dataset, run, measure)
    grid = standard_grid(encoded, has_scores) if cutoffs is None else cutoffs
    candidates = usable_cutoffs(grid, has_scores)
    if groups is None:
        group_of_query = shuffled_groups(encoded, folds, seed)
    else:
        group_of_query = [groups(query) if callable(groups) else groups[query] for query in encoded.queries]
    if len(set(group_of_query)) < 2:
        raise ValueError("Cross-validation needs at least two groups of queries, got one.")
    sums = cutoff_sums(encoded, measure, candidates, group_of_query)
    values = quotient(*sums.sum(axis=2))
    best = index_of_best(values)
    return TunedCutoff(candidates[best], float(values[best]), held_out_value(sums))


def held_out_value(sums: Floats) -> float:
    """Return the value if each group is cut by the cut-off that is best on the others, from `cutoff_sums` by group."""
    of_other_groups = sums.sum(axis=2, keepdims=True) - sums
    chosen = [index_of_best(column) for column in quotient(*of_other_groups).T]
    of_chosen = sums[:, chosen, range(len(chosen))].sum(axis=1, keepdims=True)
    return float(quotient(*of_chosen)[0])


def shuffled_groups(encoded: EncodedRun, folds: int, seed: int) -> list[Hashable]:
    """Return the random group of each query. Raises `ValueError` for more groups than queries, or fewer than two."""
    number = len(encoded.queries)
    if folds not in range(2, number + 1):
        raise ValueError(f"folds must be an integer from 2 to {number}, the number of queries, got {folds!r}.")
    return list((np.random.default_rng(seed).permutation(number) % folds).tolist())


# Analysis of a run: how much of the measure is lost by its ranking, and how much by its cut-off.


class Oracle(NamedTuple):
    """The highest value that a ranking can reach with any cut-off.

    Attributes
    ----------
    value : float
        The value.
    sizes : pandas.Series of int
        The number of items kept for each query, indexed by query id.
    """

    value: float
    sizes: pd.Series[int]


def oracle(dataset: Dataset | pd.DataFrame, run: Run, measure: ColieeMeasure | None = None) -> Oracle:
    """Return the highest value that can be reached by keeping the first n items of each query, n >= 0 chosen per query.

    Parameters
    ----------
    dataset, run, measure
        As in `fit_cutoff`.

    Returns
    -------
    Oracle
        For a mean over queries, each query is cut at the first depth at which its own value is highest. For a micro
        measure, the depths of all queries are optimised jointly (see Notes).

    Raises
    ------
    ValueError
        For a measure with a cut-off of its own.

    Notes
    -----
    A micro measure is the ratio of two sums over all queries, so the best cut of one query depends on the others.
    `ir_coliee.evaluation.statistics.highest_ratio` finds the joint maximum exactly.

    Only the oracle of an F measure separates the losses of ranking and cutting: precision is highest with very few
    items, and recall with all of them.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": list("abc"), "score": [2.0, 1.0, 3.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> best = oracle(qrels, run, MicroF1)  # 1 hit, 2 returned, 2 relevant
    >>> best.value, best.sizes.to_dict()
    (0.5, {'1': 2, '2': 0})
    """
    encoded, measure, _ = _encoded(dataset, run, measure)
    value, sizes = highest_ratio(*encoded.terms_at_each_depth(measure))
    return Oracle(value, pd.Series(sizes, index=encoded.queries, name="items"))


def attainable_recall(
    dataset: Dataset | pd.DataFrame,
    run: Run,
    depths: Iterable[int] = (1, 2, 3, 5, 10, 20, 50, 100, 1000),
    *,
    rel: int = 1,
) -> pd.DataFrame:
    """Return the recall at each depth, which no cut-off that keeps at most so many items per query can exceed.

    Parameters
    ----------
    dataset, run
        As in `fit_cutoff`. Unanswered queries count.
    depths : iterable of int
        The depths, from 1; they may exceed that of the run.
    rel : int
        The lowest label of a relevant item.

    Returns
    -------
    pandas.DataFrame
        A row for each depth: ``depth``; ``tp``, the number of relevant items up to this depth; ``MicroR``, their share
        of all relevant items; ``MacroR``, the mean recall of the queries.

    Raises
    ------
    ValueError
        For a depth below 1.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["1", "1", "2"], "docno": list("abc"), "score": [2.0, 1.0, 3.0]})
    >>> qrels = pd.DataFrame({"qid": ["1", "2"], "docno": ["b", "x"], "label": 1})
    >>> attainable_recall(qrels, run, [1, 2]).MicroR.tolist()
    [0.0, 0.5]
    """
    run, qrels, _ = _run_and_labels(dataset, run)
    encoded = encode_run(run, qrels, rel=rel)
    checked_depths = [frames.integer_at_least("depth", depth, 1) for depth in depths]
    columns = np.minimum(np.array(checked_depths, dtype=np.int64), encoded.depth)
    table = {"depth": checked_depths, "tp": encoded.hits.sum(axis=0)[columns]}
    table |= {str(measure): depth_values(encoded, measure)[columns] for measure in (MicroR, MacroR)}
    return pd.DataFrame(table)


# Cut-offs written as text, such as ``TopK(3)`` on the command line.


def parse_cutoff(text: str) -> Cutoff:
    """Create a cut-off from a Python expression: the name of a cut-off class with literals as arguments.

    Only that constructor is called; no other code is executed.

    Parameters
    ----------
    text : str
        The expression.

    Returns
    -------
    Cutoff

    Raises
    ------
    ColieeError
        If the text is not such an expression, or if the arguments are not valid.

    Examples
    --------
    >>> parse_cutoff("DynamicCutoff(ratio=0.5, min_items=1, max_items=5)")
    DynamicCutoff(ratio=0.5, min_items=1, max_items=5)
    """
    classes: Mapping[str, Callable[..., Cutoff]] = rules.cutoff_classes()
    try:
        expression = ast.parse(text.strip() if "(" in text else f"{text.strip()}()", mode="eval")
        compile(expression, "cut-off", "eval")  # refuses an argument that is given twice
        call = expression.body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in classes:
            lower = {name.lower(): name for name in classes}
            nearest = get_close_matches(ast.unparse(expression).partition("(")[0].lower(), lower, n=1)
            raise ValueError(f"unknown cut-off{''.join(f' (did you mean {lower[name]}?)' for name in nearest)}")
        arguments = map(_literal, call.args)
        keywords = {str(keyword.arg): _literal(keyword.value) for keyword in call.keywords}
        return classes[call.func.id](*arguments, **keywords)
    except (SyntaxError, TypeError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        problem = printable(str(error)).rstrip(".")
        raise ColieeError(
            f"Cut-off {printable(text, 60)!r} is not valid.\n{problem}. Use one of {', '.join(classes)} with numbers, "
            "for example 'DynamicCutoff(ratio=0.5, min_items=1, max_items=5)'."
        ) from None


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"{ast.unparse(node)} is not a number") from None
