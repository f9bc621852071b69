"""Search for the weights of a weighted sum of rankings, with the best cut-off for each choice of weights."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.arguments import integer_at_least
from ir_coliee.display import Block, Table, displayed
from ir_coliee.evaluation.cutoff_search import BEST_SHOWN, FittedCutoff, fit_cutoff, index_of_best
from ir_coliee.evaluation.measure_ratios import measure_of_cutoffs
from ir_coliee.evaluation.runs.in_memory import Run, require_frame
from ir_coliee.frames import check_is_frame
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.progress import progress
from ir_coliee.transformers.candidates.cutoffs import Cutoff, RatioCutoff, TopK
from ir_coliee.transformers.fusion import Normalisation, align_rankings, complete_scores


@displayed
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

    def display(self) -> Iterator[Block]:
        """Return the number of weights and the best ones, as `ir_coliee.display` shows them."""
        *_, measure = self.cells.columns
        yield (
            f"{len(self.cells)} weights tried; best: {self.weights} with {self.fitted.cutoff!r}, {measure} "
            f"{self.fitted.value:.4f} on the queries that they were chosen on (optimistic)"
        )
        ordered = self.cells.sort_values(measure, ascending=False, kind="stable")
        yield Table.of_frame(ordered.head(BEST_SHOWN))._replace(fold=("cutoff",))

    def __repr__(self) -> str:
        return str(self)


def search_weights(
    rankings: Sequence[Run],
    qrels: pd.DataFrame,
    measure: ColieeMeasure | str,
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
        As in `ir_coliee.evaluation.encoded_run.encode_run`.
    measure : ColieeMeasure or str
        A set measure or its name, without a cut-off of its own.
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
    TypeError
        If the rankings are not a list.
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
    if not isinstance(rankings, Sequence) or isinstance(rankings, str):
        raise TypeError(f"rankings must be a list of data frames, got a value of type {type(rankings).__name__}.")
    frames = [require_frame(ranking) for ranking in rankings]
    for ranking in frames:
        check_is_frame("each ranking", ranking, "qid, docno and score")
    candidates = [tuple(map(float, each)) for each in (weight_grid(len(rankings)) if weights is None else weights)]
    if not candidates or any(len(each) != len(rankings) or not np.isfinite(each).all() for each in candidates):
        expected = f"{len(rankings)} finite numbers, one for each ranking"
        raise ValueError(f"weights must contain at least one sequence of {expected}, got {candidates!r:.60}.")
    grid = list(_default_cutoffs() if cutoffs is None else cutoffs)
    aligned = align_rankings(frames)
    scores = complete_scores(aligned, normalise, missing)
    pairs = aligned.frame.iloc[aligned.first_rows][["qid", "docno"]].astype(
        "category"
    )  # so that the ids are encoded once
    fits = [
        fit_cutoff(pairs.assign(score=scores @ np.array(each)), qrels, measure, grid)
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
    integer_at_least("number", number, 1)
    integer_at_least("steps", steps, 1)
    bars = itertools.combinations(range(steps + number - 1), number - 1)
    shares = [np.diff([-1, *places, steps + number - 1]) - 1 for places in bars]
    shares.sort(key=lambda share: int((share**2).sum()))
    return (tuple((share / steps).tolist()) for share in shares)


def _default_cutoffs() -> Iterator[Cutoff]:
    yield from (TopK(k) for k in range(1, 21))
    ratios = np.arange(0.10, 0.96, 0.05).round(2).tolist()
    yield from (RatioCutoff(ratio, min_items=1, max_items=n) for ratio in ratios for n in (*range(1, 11), 20))
