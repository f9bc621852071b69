"""Fuse several ranked runs of a split into one, and choose the weights on the train split."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.editions import Dataset
from ir_coliee.errors import ColieeError, ColieeWarning, printable_list
from ir_coliee.evaluation.cutoffs import FittedCutoff, fit_cutoff, index_of_best
from ir_coliee.evaluation.runs import Run, Runs, named_runs, require_frame
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.statistics import measure_of_cutoffs
from ir_coliee.evaluation.tuning import Ranking, load_ranking
from ir_coliee.measures import ColieeMeasure
from ir_coliee.progress import progress
from ir_coliee.transformers.candidates.cutoffs import Cutoff, RatioCutoff, TopK
from ir_coliee.transformers.fusion import Normalisation, align_rankings, complete_scores, reciprocal_rank, weighted_sum

# Search for the weights of a weighted sum of rankings, with the best cut-off for each choice of weights.


class WeightSearch(NamedTuple):
    """The result of a search for weights.

    Attributes
    ----------
    weights : tuple of float
        The best weights.
    fitted : FittedCutoff
        The best cut-off for these weights, with its value on the data that it was chosen on. This value is optimistic.
    cells : pandas.DataFrame
        A row for each tuple of weights: ``weights``; ``cutoff``, the best one for these weights; and the value, in a
        column named after the measure.
    """

    weights: tuple[float, ...]
    fitted: FittedCutoff
    cells: pd.DataFrame


def search_weights(
    rankings: Sequence[Run],
    qrels: pd.DataFrame,
    measure: ColieeMeasure,
    *,
    weights: Iterable[Sequence[float]] | None = None,
    cutoffs: Iterable[Cutoff] | None = None,
    normalise: Normalisation | None = "minmax",
    missing: float | None = None,
    verbose: bool = False,
) -> WeightSearch:
    """Evaluate weights of `ir_coliee.transformers.WeightedSum`, each with every cut-off.

    Parameters
    ----------
    rankings : sequence of pandas.DataFrame or dict
        Results with the columns qid, docno and score, or dicts from query id to document id to score.
    qrels : pandas.DataFrame
        As in `ir_coliee.evaluation.cutoffs.encode_run`.
    measure : ColieeMeasure
        A set measure without a cut-off of its own.
    weights : iterable of sequence of float, optional
        The weights to try: sequences with one number per ranking. None for `weight_grid` with ten steps.
    cutoffs : iterable of Cutoff, optional
        The cut-offs to try. None for `TopK` with k up to 20, and for `RatioCutoff` with ratios from .10 to .95 and
        ``max_items`` from 1 to 10, or 20. This default was chosen by the authors of this package.
    normalise, missing
        As in `WeightedSum`.
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    WeightSearch
        If values are equal (within 1e-12), the first weights and the first cut-off are the best, so the result is
        reproducible.

    Raises
    ------
    ValueError
        If there are no valid weights or no cut-offs, or if the measure has a cut-off of its own.
    ColieeError
        If a ranking is not a data frame.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> a = pd.DataFrame({"qid": "1", "docno": ["x", "y"], "score": [2.0, 1.0]})
    >>> b = pd.DataFrame({"qid": "1", "docno": ["y", "x"], "score": [0.9, 0.1]})
    >>> from ir_coliee.transformers import TopK
    >>> qrels = pd.DataFrame({"qid": ["1"], "docno": ["y"], "label": [1]})
    >>> search_weights([a, b], qrels, MicroF1, cutoffs=[TopK(1)])[:2]
    ((0.4, 0.6), FittedCutoff(cutoff=TopK(k=1), value=1.0))
    """
    measure = measure_of_cutoffs(measure)
    aligned = align_rankings([require_frame(ranking) for ranking in rankings])
    candidates = [tuple(map(float, each)) for each in (weight_grid(len(rankings)) if weights is None else weights)]
    if not candidates or any(len(each) != len(rankings) or not np.isfinite(each).all() for each in candidates):
        expected = f"{len(rankings)} finite numbers, one for each ranking"
        raise ValueError(f"weights must contain at least one sequence of {expected}, got {candidates!r:.60}.")
    grid = list(_default_cutoffs() if cutoffs is None else cutoffs)
    scores = complete_scores(aligned, normalise, missing)
    pairs = aligned.frame.iloc[aligned.first_rows][["qid", "docno"]]
    pairs = pairs.astype("category")  # so that the ids are encoded once
    fits = [
        fit_cutoff(qrels, pairs.assign(score=scores @ np.array(each)), measure, grid)
        for each in progress(candidates, "trying weights", unit="weights", verbose=verbose)
    ]
    values = np.array([fit.value for fit in fits])
    best = index_of_best(values)
    cells = pd.DataFrame({"weights": candidates, "cutoff": [fit.cutoff for fit in fits], str(measure): values})
    return WeightSearch(candidates[best], fits[best], cells)


def weight_grid(number: int, steps: int = 10) -> Iterator[tuple[float, ...]]:
    """Generate all weights that are multiples of 1 / ``steps`` and sum to 1, starting with the most uniform ones.

    Parameters
    ----------
    number : int
        The number of rankings, at least 1.
    steps : int
        The number of steps between 0 and 1, at least 1.

    Returns
    -------
    iterator of tuple of float
        With ten steps, there are 11 tuples for two rankings, 66 for three, 286 for four, and 1001 for five.

    Examples
    --------
    >>> list(weight_grid(2, 2))
    [(0.5, 0.5), (0.0, 1.0), (1.0, 0.0)]
    """
    bars = itertools.combinations(range(steps + number - 1), number - 1)
    shares = [np.diff([-1, *places, steps + number - 1]) - 1 for places in bars]
    shares.sort(key=lambda share: int((share**2).sum()))
    return (tuple((share / steps).tolist()) for share in shares)


def _default_cutoffs() -> Iterator[Cutoff]:
    yield from (TopK(k) for k in range(1, 21))
    ratios = np.arange(0.10, 0.96, 0.05).round(2).tolist()
    yield from (RatioCutoff(ratio, min_items=1, max_items=n) for ratio in ratios for n in (*range(1, 11), 20))


# Fuse several ranked runs of a split into one, and choose the weights on the train split.


def fuse(dataset: Dataset, runs: Runs, *, weights: Sequence[float] | None = None) -> pd.DataFrame:
    """Fuse ranked runs: by reciprocal rank fusion, or with ``weights`` by a weighted sum of their scores.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    runs : sequence of path, pandas.DataFrame or dict
        Two or more rankings, or a dict from name to ranking.
    weights : sequence of float, optional
        One weight for each run, for `ir_coliee.transformers.fusion.weighted_sum`, which brings the scores of each query
        to the range from 0 to 1. None for `ir_coliee.transformers.fusion.reciprocal_rank`, which uses the ranks alone.

    Returns
    -------
    pandas.DataFrame
        The columns qid, docno, score and rank, with at most 1000 results for each query.

    Warns
    -----
    ColieeWarning
        For each note on the runs, such as queries that only some of them answer.

    Raises
    ------
    ColieeError
        If the task has one answer per question, for fewer than two runs, for a file that is passed twice, and if
        weights are passed for a run without scores.
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If a run is empty or cannot be scored.
    ValueError
        If the number of weights differs from the number of runs, or if no weight is positive.

    Examples
    --------
    >>> runs = [{"R99-01-A": {"9": 2.0, "12": 1.0}}, {"R99-01-A": {"12": 8.0, "9": 1.0, "55": 0.5}}]
    >>> fuse("coliee/task3/sample/en/test", runs, weights=[0.3, 0.7])["docno"].tolist()
    ['12', '9', '55']
    """
    rankings = load_rankings(Scorer(dataset), runs, with_scores=weights is not None)
    for note in notes_on_rankings(rankings):
        warnings.warn(note, ColieeWarning, stacklevel=2)
    return fuse_rankings(rankings, weights)


def fuse_rankings(
    rankings: Sequence[Ranking], weights: Sequence[float] | None, num_results: int = 1000
) -> pd.DataFrame:
    """Fuse rankings that have been loaded with `load_rankings`; see `fuse`."""
    frames = [ranking.frame for ranking in rankings]
    fused = reciprocal_rank(frames) if weights is None else weighted_sum(frames, weights)
    return fused[fused["rank"] < num_results]


def fit_weights(dataset: Dataset, runs: Runs, *, verbose: bool = False) -> WeightSearch:
    """Choose the weights of a weighted sum, together with the best cut-off, on a split with labels.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split with labels, usually a train split.
    runs : sequence of path, pandas.DataFrame or dict
        Two or more rankings of this split, or a dict from name to ranking.
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    WeightSearch
        The weights with the highest official measure; see `ir_coliee.evaluation.fusion.search_weights`.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    ColieeError, MalformedFileError, MalformedRunError
        As raised by `fuse`.
    """
    scorer = Scorer(dataset)
    rankings = load_rankings(scorer, runs, with_scores=True)
    frames = [ranking.frame for ranking in rankings]
    return search_weights(frames, scorer.gold, scorer.evaluation.measure, verbose=verbose)


def load_rankings(scorer: Scorer, runs: Runs, *, with_scores: bool) -> list[Ranking]:
    """Load the rankings to be fused.

    Parameters
    ----------
    scorer : Scorer
        Of the split that the runs answer.
    runs : sequence of path, pandas.DataFrame or dict
        As in `fuse`.
    with_scores : bool
        Whether a run without scores is refused.

    Returns
    -------
    list of Ranking

    Raises
    ------
    ColieeError, MalformedFileError, MalformedRunError
        As raised by `fuse`.
    """
    named = named_runs(runs)
    if len(named) < 2:
        raise ColieeError(f"Fusion needs at least two runs, got {len(named)}.")
    rankings = [load_ranking(scorer, run, name) for name, run in named.items()]
    for ranking in rankings:
        if with_scores and not ranking.has_scores:
            raise ColieeError(f"{ranking.name} has no scores to add up.\nFuse it by its ranks, without weights.")
    return rankings


def notes_on_rankings(rankings: Sequence[Ranking]) -> list[str]:
    """Return the notes on each of several rankings, then the queries that only some of them answer."""
    answered = [set(ranking.frame["qid"].unique()) for ranking in rankings]
    everything = set().union(*answered)
    return [f"{ranking.name}: {note}" for ranking in rankings for note in ranking.notes] + [
        f"{ranking.name}: no results for {len(missing)} of the {len(everything)} queries: {printable_list(missing)}"
        for ranking, queries in zip(rankings, answered)
        if (missing := sorted(everything - queries))
    ]
