"""Search for the best cut-off on a split with labels.

A set measure is a ratio of two sums over queries (`ColieeMeasure.terms`), and a cut-off only determines how many items
each query keeps. The run is therefore encoded once, and each of the thousands of cut-offs only needs look-ups and sums.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.arrays import Floats
from ir_coliee.display import Block, Heading, Preformatted, Table, displayed
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoff_grid import DISPERSION_DEPTH, MAX_ITEMS, standard_grid
from ir_coliee.evaluation.cutoff_values import cutoff_sums, cutoff_values
from ir_coliee.evaluation.encoded_run import EncodedRun, encode_run
from ir_coliee.evaluation.measure_ratios import measure_of_cutoffs, quotient
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers.candidates import AdaptiveCutoff, Cutoff
from ir_coliee.transformers.candidates.cutoff_rules import dispersion

BEST_SHOWN = 10  # the number of results of a search that are shown
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


@displayed
class CutoffSearch(NamedTuple):
    """The result of a search for cut-offs.

    Attributes
    ----------
    cells : pandas.DataFrame
        A row for each cut-off. The columns are ``cutoff``, the transformer; ``rule``, the name of its class; a column
        for each parameter, missing for classes without it; ``tp`` and ``returned``, summed over all queries; and the
        value, in a column named after the measure.
    best : FittedCutoff
        The best cut-off.
    """

    cells: pd.DataFrame
    best: FittedCutoff

    def display(self) -> Iterator[Block]:
        """Return the best cut-off and a row for each of the best results, as `ir_coliee.display` shows them."""
        *_, measure = self.cells.columns
        yield Heading(f"best of {len(self.cells)} cut-offs for {measure}")
        yield Preformatted(repr(self.best.cutoff))
        yield f"{self.best.value:.4f} on the queries that it was chosen on (optimistic)"
        yield "best results; the column others has the number of other cut-offs with the same figures"
        yield Table.of_frame(self._best_results(measure))._replace(fold=("cutoff",))

    def _best_results(self, measure: str) -> pd.DataFrame:
        """Return the first cut-off of each of the best results, and how many others have the same result."""
        result = ["tp", "returned", measure]
        others = self.cells.groupby(result)["cutoff"].transform("size") - 1
        distinct = self.cells.assign(others=others).drop_duplicates(result)
        ordered = distinct.sort_values(measure, ascending=False, kind="stable")
        return ordered[["cutoff", "others", *result]].head(BEST_SHOWN)

    def __repr__(self) -> str:
        return str(self)


def search_cutoffs(
    run: Run, qrels: pd.DataFrame, measure: ColieeMeasure | str, cutoffs: Iterable[Cutoff] | None = None
) -> CutoffSearch:
    """Evaluate many cut-offs on a run.

    Parameters
    ----------
    run : pandas.DataFrame
        The columns qid, docno and score, and optionally rank; see `encode_run`.
    qrels : pandas.DataFrame
        The columns qid, docno and label, or query_id, doc_id and relevance. Queries without results count as
        unanswered.
    measure : ColieeMeasure or str
        A set measure or its name, without a cut-off of its own.
    cutoffs : iterable of Cutoff, optional
        The cut-offs to try. None for `standard_grid`.

    Returns
    -------
    CutoffSearch
        All cut-offs and the best one. If values are equal (within 1e-12), the first cut-off is the best.

    Raises
    ------
    ValueError
        If ``cutoffs`` is empty, or if the measure has a cut-off of its own.

    See Also
    --------
    fit_cutoff : Return only the best cut-off.
    ir_coliee.evaluation.cutoff_validation.cross_validate_cutoffs : Estimate the value on other queries.

    Examples
    --------
    >>> import pandas as pd
    >>> from ir_coliee import MicroF1
    >>> from ir_coliee.transformers import TopK
    >>> run = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "score": [9.0, 8.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": ["1"] * 2, "docno": list("ab"), "label": 1})
    >>> search_cutoffs(run, qrels, MicroF1, [TopK(1), TopK(2), TopK(3)]).best
    FittedCutoff(cutoff=TopK(k=2), value=1.0)
    """
    measure = measure_of_cutoffs(measure)
    encoded = encode_run(run, qrels, rel=measure["rel"])
    candidates = candidate_cutoffs(encoded, cutoffs)
    sums = cutoff_sums(encoded, measure, candidates)
    values = sums.values()[:, 0]
    cells = {
        "cutoff": candidates,
        "rule": [type(cutoff).__name__ for cutoff in candidates],
        **_parameter_columns(candidates),
        "tp": sums.tp[:, 0].astype(int),
        "returned": sums.returned[:, 0].astype(int),
        str(measure): values,
    }
    return CutoffSearch(pd.DataFrame(cells), _best(candidates, values))


def fit_cutoff(
    run: Run, qrels: pd.DataFrame, measure: ColieeMeasure | str, cutoffs: Iterable[Cutoff] | None = None
) -> FittedCutoff:
    """Return the cut-off with the highest value; parameters and errors are those of `search_cutoffs`."""
    measure = measure_of_cutoffs(measure)
    encoded = encode_run(run, qrels, rel=measure["rel"])
    candidates = candidate_cutoffs(encoded, cutoffs)
    return _best(candidates, cutoff_values(encoded, measure, candidates))


def fit_adaptive_cutoff(
    run: Run,
    qrels: pd.DataFrame,
    *,
    rel: int = 1,
    depth: int = DISPERSION_DEPTH,
    min_items: int = 1,
    max_items: int = MAX_ITEMS,
) -> AdaptiveCutoff:
    """Fit an `AdaptiveCutoff` to the number of relevant items of each query, by least squares.

    Parameters
    ----------
    run, qrels : pandas.DataFrame
        As in `search_cutoffs`. Queries without results are not used.
    rel : int
        The lowest label of a relevant item.
    depth, min_items, max_items : int
        As in `AdaptiveCutoff`.

    Returns
    -------
    AdaptiveCutoff
        If all queries have the same dispersion, the slope is 0 and every query keeps the mean number of items.

    Raises
    ------
    ColieeError
        If no query of the qrels has results.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": list("112222"), "docno": list("ababcd"), "score": [4.0, 0.0, 1.0, 1.0, 1.0, 1.0]})
    >>> qrels = pd.DataFrame({"qid": list("1222"), "docno": list("aabc"), "label": 1})
    >>> fit_adaptive_cutoff(run, qrels)
    AdaptiveCutoff(intercept=3.0, slope=-2.0, depth=50, min_items=1, max_items=20)
    """
    encoded = encode_run(run, qrels, rel=rel)
    answered = encoded.lengths > 0
    if not answered.any():
        raise ColieeError("No query of the qrels has results in the run, so the number of items cannot be fitted.")
    dispersions, sizes = dispersion(encoded.scores, depth)[answered], encoded.relevant[answered]
    centred = dispersions - dispersions.mean()
    slope = float(quotient(np.array([centred @ sizes]), np.array([centred @ centred]))[0])
    intercept = float(sizes.mean() - slope * dispersions.mean())
    return AdaptiveCutoff(intercept, slope, depth=depth, min_items=min_items, max_items=max_items)


def candidate_cutoffs(encoded: EncodedRun, cutoffs: Iterable[Cutoff] | None) -> list[Cutoff]:
    """Return the cut-offs to try: ``cutoffs``, or the standard grid. Raises `ValueError` if there is none."""
    candidates = standard_grid(encoded) if cutoffs is None else list(cutoffs)
    if not candidates:
        raise ValueError("cutoffs must contain at least one cut-off, got none.")
    return candidates


def index_of_best(values: Floats) -> int:
    """Return the index of the highest value; of values that are equal within 1e-12, the first."""
    return int(np.flatnonzero(values >= values.max() - _TOLERANCE)[0])


def _best(cutoffs: Sequence[Cutoff], values: Floats) -> FittedCutoff:
    index = index_of_best(values)
    return FittedCutoff(cutoffs[index], float(values[index]))


def _parameter_columns(cutoffs: Sequence[Cutoff]) -> dict[str, pd.api.extensions.ExtensionArray]:
    """Return a column for each parameter of the cut-offs. Columns of integers stay integers if values are missing."""
    classes = dict.fromkeys(type(cutoff) for cutoff in cutoffs)
    names = dict.fromkeys(name for kind in classes for name in inspect.signature(kind).parameters)
    return {name: pd.array([getattr(cutoff, name, None) for cutoff in cutoffs]) for name in names}
