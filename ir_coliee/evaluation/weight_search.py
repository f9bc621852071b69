"""Finds the weights of a sum of rankings, together with the cut-off that serves it best."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ir_coliee.arguments import integer_at_least
from ir_coliee.evaluation.cutoff_search import FittedCutoff, fit_cutoff
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.candidates.cutoffs import Cutoff, RatioCutoff, TopK
from ir_coliee.transformers.fusion import Normalisation, align_rankings, complete_scores

if TYPE_CHECKING:
    import pandas as pd

_EQUAL = 1e-12  # values nearer than that differ by rounding alone


class WeightSearch(NamedTuple):
    """The best weights of a search with the best cut-off for them, and all weights that were tried.

    ``cells`` has a row for each: ``weights``; ``cutoff``, the best for them; and the value under the measure's name.
    """

    weights: tuple[float, ...]
    fitted: FittedCutoff
    cells: pd.DataFrame


def search_weights(
    rankings: Sequence[pd.DataFrame],
    qrels: pd.DataFrame,
    measure: ColieeMeasure,
    *,
    weights: Iterable[Sequence[float]] | None = None,
    cutoffs: Iterable[Cutoff] | None = None,
    normalise: Normalisation | None = "minmax",
    missing: float | None = None,
) -> WeightSearch:
    """Try weights of `ir_coliee.transformers.WeightedSum`, each with every cut-off, and count.

    ``rankings``: frames of results. ``qrels`` as in `ir_coliee.evaluation.encoded_run.encode`. ``weights``: what is
    tried, one number for each ranking; by default `weight_grid` with ten steps. ``cutoffs``: by default the first 1 to
    20 items, and those that reach a share of .1 to .95 of the best, at most 1 to 10 or 20 (ours). ``normalise`` and
    ``missing`` as of `WeightedSum`. The rankings are brought side by side once. Of equal values (to 1e-12) the first
    weights and the first cut-off are the best, so that the search gives the same each time. Its value is on the data
    that chose it, which is optimistic. Raises `ValueError` where there is nothing to try, and for a measure that has a
    cut-off of its own.

    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> a = pd.DataFrame({"qid": "1", "docno": ["x", "y"], "score": [2.0, 1.0]})
    >>> b = pd.DataFrame({"qid": "1", "docno": ["y", "x"], "score": [0.9, 0.1]})
    >>> qrels = pd.DataFrame({"qid": ["1"], "docno": ["y"], "label": [1]})
    >>> search_weights([a, b], qrels, MicroF1, cutoffs=[TopK(1)])[:2]
    ((0.4, 0.6), FittedCutoff(cutoff=TopK(k=1), value=1.0))
    """
    import pandas as pd

    tried = [tuple(map(float, each)) for each in (weight_grid(len(rankings)) if weights is None else weights)]
    if not tried or any(len(each) != len(rankings) or not np.isfinite(each).all() for each in tried):
        raise ValueError(f"no weights to choose from, or not {len(rankings)} finite ones, one for each ranking")
    grid = list(_cutoffs() if cutoffs is None else cutoffs)
    aligned = align_rankings(rankings)
    scores = complete_scores(aligned, normalise, missing)
    rows = aligned.frame.iloc[aligned.places][["qid", "docno"]].astype("category")  # strings are handled once
    fits = [fit_cutoff(rows.assign(score=scores @ np.array(each)), qrels, measure, grid) for each in tried]
    values = np.array([fit.value for fit in fits])
    best = int(np.flatnonzero(values >= values.max() - _EQUAL)[0])
    cells = pd.DataFrame({"weights": tried, "cutoff": [fit.cutoff for fit in fits], str(measure): values})
    return WeightSearch(tried[best], fits[best], cells)


def weight_grid(number: int, steps: int = 10) -> Iterator[tuple[float, ...]]:
    """All weights of ``number`` rankings that are multiples of 1 / ``steps`` and sum to 1, the most even ones first.

    That is 11 for two rankings and ten steps, 66 for three, 286 for four, 1001 for five.

    >>> list(weight_grid(2, 2))
    [(0.5, 0.5), (0.0, 1.0), (1.0, 0.0)]
    """
    integer_at_least("number", number, 1)
    integer_at_least("steps", steps, 1)
    bars = itertools.combinations(range(steps + number - 1), number - 1)
    shares = [np.diff([-1, *places, steps + number - 1]) - 1 for places in bars]
    shares.sort(key=lambda share: int((share**2).sum()))
    return (tuple((share / steps).tolist()) for share in shares)


def _cutoffs() -> Iterator[Cutoff]:
    yield from (TopK(k) for k in range(1, 21))
    shares = np.arange(0.10, 0.96, 0.05).round(2).tolist()
    yield from (RatioCutoff(share, min_items=1, max_items=n) for share in shares for n in (*range(1, 11), 20))
