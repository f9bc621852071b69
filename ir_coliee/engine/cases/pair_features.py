"""Features of a query, a candidate and the pair that need no score: years, dates, lengths and counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.frames import Floats, Integers
from ir_coliee.text.case_properties import CaseProperties

#: The names of the features, each with its family, in the order of the columns.
PAIR_FEATURES = (
    "years.difference",
    "years.missing",
    "case.log_length_of_query",
    "case.log_length_of_candidate",
    "case.log_length_difference",
    "case.markers_of_query",
    "case.markers_of_candidate",
    "case.paragraphs_of_query",
    "case.paragraphs_of_candidate",
    "years.header_date_difference",
    "years.header_date_of_candidate",
    "case.pinpoints_held",
)


def pair_features(pool: TextPool, queries: Integers, texts: Integers) -> npt.NDArray[np.float32]:
    """Compute the features of pairs of a query and a text of a pool.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    queries, texts : int64 array
        The pairs, as positions in ``pool.queries`` and ``pool.texts``.

    Returns
    -------
    float32 array
        One row per pair, one column for each of `PAIR_FEATURES`.

    Notes
    -----
    Differences are the query's value minus the candidate's, of dates in days, of the logarithms of 1 + the number of
    characters. If the year of either is unknown, their difference is 0 and ``years.missing`` is 1. The header date of
    the candidate is its ordinal number; an unknown one is NaN, and so is the difference from it.
    ``case.pinpoints_held`` is the share of the query's pinpoints that are at most the candidate's number of paragraphs,
    0 without pinpoints.
    """
    properties = pool.sequences.properties
    query = _columns([properties[number] for number in pool.queries]).of(queries)
    text = _columns([properties[number] for number in pool.texts]).of(texts)
    years = query.years - text.years
    columns = [
        np.nan_to_num(years),
        np.isnan(years),
        query.log_lengths,
        text.log_lengths,
        query.log_lengths - text.log_lengths,
        query.markers,
        text.markers,
        query.paragraphs,
        text.paragraphs,
        query.header_dates - text.header_dates,
        text.header_dates,
        _pinpoints_held(pool)[queries, texts],
    ]
    return np.column_stack(columns).astype(np.float32)


class _Columns(NamedTuple):
    """Properties of texts, an array each; NaN for what is unknown."""

    years: Floats
    header_dates: Floats
    log_lengths: Floats
    markers: Floats
    paragraphs: Floats

    def of(self, numbers: Integers) -> _Columns:
        return _Columns(*(column[numbers] for column in self))


def _columns(properties: list[CaseProperties]) -> _Columns:
    rows = [(it.year, it.header_date, it.num_characters, it.num_markers, it.num_paragraphs) for it in properties]
    years, header_dates, lengths, markers, paragraphs = np.array(rows, np.float64).reshape(-1, 5).T
    return _Columns(years, header_dates, np.log1p(lengths), markers, paragraphs)


def _pinpoints_held(pool: TextPool) -> Floats:
    """Share of the pinpoints of each query that are at most the number of paragraphs of each text."""
    properties = pool.sequences.properties
    paragraphs = np.array([properties[text].num_paragraphs for text in pool.texts])
    held = np.zeros((len(pool.queries), len(pool.texts)))
    for row, query in enumerate(pool.queries):
        if pinpoints := sorted(properties[query].pinpoints):
            held[row] = np.searchsorted(pinpoints, paragraphs, side="right") / len(pinpoints)
    return held
