"""Set measures as ratios of two sums over queries, computed on whole arrays for searches and resampling.

A measure gives each query a numerator and a denominator (`ColieeMeasure.terms`). Its value on any weighted set of
queries is the weighted sum of the numerators divided by that of the denominators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from ir_measures import parse_measure

from ir_coliee.arguments import shown
from ir_coliee.arrays import Floats, Integers
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.measures.counts import Counts, PooledValue

if TYPE_CHECKING:
    from ir_coliee.evaluation.encoded_run import EncodedRun


def as_measure(measure: ColieeMeasure | str) -> ColieeMeasure:
    """Return a set measure of this package, given the measure or its name.

    Parameters
    ----------
    measure : ColieeMeasure or str
        The measure, or its name as `ir_measures.parse_measure` reads it.

    Returns
    -------
    ColieeMeasure

    Raises
    ------
    ValueError
        If there is no such set measure.

    Examples
    --------
    >>> as_measure("MicroF(beta=2)")
    MicroF(beta=2.0)
    >>> as_measure("F1")
    Traceback (most recent call last):
        ...
    ValueError: measure must be a set measure of ir_coliee such as MicroF1, got 'F1'.
    measure not found: F1
    """
    reason = ""
    if isinstance(measure, str):
        try:
            measure = parse_measure(measure)
        except (NameError, ValueError) as error:
            reason = f"\n{error}"
    if not isinstance(measure, ColieeMeasure):
        expected = "a set measure of ir_coliee such as MicroF1"
        raise ValueError(f"measure must be {expected}, got {shown(measure, 30)}.{reason}")
    return measure


def measure_of_cutoffs(measure: ColieeMeasure | str) -> ColieeMeasure:
    """Return a set measure, given itself or its name; raise `ValueError` if it has a cut-off of its own (``@k``)."""
    measure = as_measure(measure)
    if measure.num_evaluated:
        raise ValueError(
            f"{measure} cannot be used to choose a cut-off. Pass a set measure without @k, such as MicroF1."
        )
    return measure


def is_pooled(measure: ColieeMeasure) -> bool:
    """Return whether numerator and denominator are linear in the counts, so that the counts can be summed first."""
    return isinstance(measure.value(Counts(0, 0, 0)), PooledValue)


def quotient(numerators: Floats, denominators: Floats) -> Floats:
    """Divide elementwise; a zero denominator gives 0."""
    return np.divide(numerators, denominators, out=np.zeros_like(numerators), where=denominators != 0)


def highest_ratio(numerators: Floats, denominators: Floats) -> tuple[float, Integers]:
    """Return the highest ratio of the sums over all queries, if one of several choices is made for each query.

    Dinkelbach's method [1]_ finds the joint maximum exactly. Given the current value v, each query takes the first
    choice with the highest numerator - v * denominator; this is repeated with the new value until v no longer
    increases.

    Parameters
    ----------
    numerators, denominators : numpy.ndarray of shape (n_queries, n_choices)
        The terms of a measure, none of them negative.

    Returns
    -------
    value : float
        The highest ratio.
    choices : numpy.ndarray of shape (n_queries,)
        The number of the choice of each query.

    References
    ----------
    .. [1] W. Dinkelbach, On nonlinear fractional programming, Management Science 13 (1967).

    Examples
    --------
    >>> value, choices = highest_ratio(np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([[2.0, 1.0], [1.0, 9.0]]))
    >>> value, choices.tolist()
    (0.6666666666666666, [0, 0])
    """
    queries = np.arange(len(numerators))
    best_value, choices = -1.0, np.zeros(len(queries), dtype=np.int64)
    value, candidates = 0.0, choices
    while value > best_value:
        best_value, choices = value, candidates
        candidates = (numerators - best_value * denominators).argmax(axis=1)
        sums = (terms[queries, candidates].sum(keepdims=True) for terms in (numerators, denominators))
        value = float(quotient(*sums)[0])
    return best_value, choices


def ratio_terms(measure: ColieeMeasure, tp: Integers, returned: Integers, relevant: Integers) -> tuple[Floats, Floats]:
    """Return numerators and denominators for arrays of counts.

    Parameters
    ----------
    measure : ColieeMeasure
        The measure. A mean over queries is evaluated once for each distinct triple of counts.
    tp, returned, relevant : numpy.ndarray of int64
        Counts, in arrays with shapes that can be broadcast.

    Returns
    -------
    numerators, denominators : numpy.ndarray of float64
        Arrays of the broadcast shape.
    """
    tp, returned, relevant = np.broadcast_arrays(tp, returned, relevant)
    if is_pooled(measure):
        return measure.terms(tp, returned, relevant)
    base_returned, base_relevant = returned.max(initial=0) + 1, relevant.max(initial=0) + 1
    codes, distinct = pd.factorize(((tp * base_returned + returned) * base_relevant + relevant).ravel())
    rest, distinct_relevant = np.divmod(np.asarray(distinct), base_relevant)
    distinct_tp, distinct_returned = np.divmod(rest, base_returned)
    numerators, denominators = measure.terms(distinct_tp, distinct_returned, distinct_relevant)
    return numerators[codes].reshape(tp.shape), denominators[codes].reshape(tp.shape)


def ratio_terms_at_each_depth(encoded: EncodedRun, measure: ColieeMeasure) -> tuple[Floats, Floats]:
    """Return the terms of each query (row) at each cut: if its first 0, 1, 2, … items (columns) are returned."""
    returned = np.minimum(np.arange(encoded.depth + 1), encoded.lengths[:, None])
    return ratio_terms(measure, encoded.hits.astype(np.int64), returned, encoded.relevant[:, None])
