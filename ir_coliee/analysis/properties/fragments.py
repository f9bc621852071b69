"""Properties of the queries of task 2: the place of the fragment in its base case, and the size of the pool."""

from __future__ import annotations

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties.property_table import NUMBER, YES_OR_NO, Column, PropertyTable, Rows, one_of
from ir_coliee.text.citations import FAR_DISTANCE, PlacedFragment, place_fragment

_PLACES = ("first third", "second third", "last third")


def _of_the_base_case(runs: EvaluatedRuns) -> Rows:
    for query_id, query in runs.queries.items():
        placed = place_fragment(query.fragment, query.base_case)
        near = None if placed.distance is None else placed.distance <= FAR_DISTANCE
        yield query_id, (placed.fragment is not None, _place(placed), near)


def _place(placed: PlacedFragment) -> str | None:
    if placed.fragment is None:
        return None
    start, end = placed.fragment
    return _PLACES[min(3 * (start + end) // (2 * len(placed.text)), 2)]


def _pool_sizes(runs: EvaluatedRuns) -> Rows:
    runs.release.documents()  # without documents, the pools are those of the labels
    return ((query_id, (len(runs.scorer.checker.candidates(query_id)),)) for query_id in runs.query_ids)


PROPERTIES = (
    PropertyTable(
        (
            Column("fragment_found", YES_OR_NO, "whether the base case contains the fragment"),
            Column("fragment_place", one_of(*_PLACES), "third of the base case in which the middle of the fragment is"),
            Column(
                "near_citation",
                YES_OR_NO,
                f"whether at most {FAR_DISTANCE} characters are between the fragment and a suppressed citation",
            ),
        ),
        _of_the_base_case,
    ),
    PropertyTable((Column("pool_size", NUMBER, "number of paragraphs in the query's pool"),), _pool_sizes),
)
