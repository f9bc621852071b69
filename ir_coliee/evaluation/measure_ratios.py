"""A set measure on an encoded run, as the ratio of two sums over queries (`ColieeMeasure.terms`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ir_coliee.evaluation.encoded_run import EncodedRun
from ir_coliee.frames import Integers
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import Counts, PooledValue

Floats = npt.NDArray[np.float64]


def require_set_measure(measure: object) -> None:
    """Raise `ValueError` for a measure of rankings, or one that has a cut-off of its own."""
    if not isinstance(measure, ColieeMeasure) or measure.first:
        raise ValueError(f"{measure} cannot choose a cut-off: a measure of sets without an @k is needed, MicroF1 say")


def is_pooled(measure: ColieeMeasure) -> bool:
    """Whether the terms are linear in the counts, so that they can be taken of the queries' sums."""
    return isinstance(measure.value(Counts(0, 0, 0)), PooledValue)


def quotient(numerators: Floats, denominators: Floats) -> Floats:
    """The ratio of each two sums, 0 where the denominator is 0."""
    return np.divide(numerators, denominators, out=np.zeros_like(numerators), where=denominators != 0)


def ratio_terms(measure: ColieeMeasure, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
    """``measure.terms`` of arrays that broadcast; of a mean over queries each distinct triple is looked at once."""
    import pandas as pd

    tp, returned, relevant = np.broadcast_arrays(tp, returned, relevant)
    if is_pooled(measure):
        return measure.terms(tp, returned, relevant)
    base_n, base_g = returned.max(initial=0) + 1, relevant.max(initial=0) + 1
    codes, distinct = pd.factorize(((tp * base_n + returned) * base_g + relevant).ravel())
    rest, distinct_g = np.divmod(distinct, base_g)
    distinct_tp, distinct_n = np.divmod(rest, base_n)
    numerators, denominators = measure.terms(distinct_tp, distinct_n, distinct_g)
    return numerators[codes].reshape(tp.shape), denominators[codes].reshape(tp.shape)


def ratio_terms_at_each_depth(encoded: EncodedRun, measure: ColieeMeasure) -> tuple[Floats, Floats]:
    """The terms of each query (row) that keeps its first 0, 1, 2 … items (column), or all where it has fewer."""
    returned = np.minimum(np.arange(encoded.depth + 1), encoded.lengths[:, None])
    return ratio_terms(measure, encoded.hits.astype(np.int64), returned, encoded.relevant[:, None])
