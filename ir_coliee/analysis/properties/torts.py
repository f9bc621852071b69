"""Properties of the tort instances of the pilot: claims of the parties, length of the facts, and the gold labels."""

from __future__ import annotations

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties.property_table import NUMBER, YES_OR_NO, Column, PropertyTable, Rows, one_of


def _of_the_instance(runs: EvaluatedRuns) -> Rows:
    for query_id, instance in runs.queries.items():
        sides = [claim.side for claim in instance.claims]
        decided = [accepted for accepted in instance.accepted if accepted is not None]
        yield (
            query_id,
            (
                sides.count("p"),
                sides.count("d"),
                sum(map(len, instance.undisputed_facts)),
                any(decided) if decided else None,
            ),
        )


def _decisions(runs: EvaluatedRuns) -> Rows:
    decisions = ((query_id, instance.court_decision) for query_id, instance in runs.queries.items())
    return ((query_id, (None if decision is None else str(decision),)) for query_id, decision in decisions)


PROPERTIES = (
    PropertyTable(
        (
            Column("plaintiff_claims", NUMBER, "number of the plaintiff's claims"),
            Column("defendant_claims", NUMBER, "number of the defendant's claims"),
            Column("facts_characters", NUMBER, "length of the undisputed facts in characters"),
            Column("has_accepted_claim", YES_OR_NO, "whether the court accepted a claim"),
        ),
        _of_the_instance,
    ),
    PropertyTable((Column("court_decision", one_of("True", "False"), "whether the court found a tort"),), _decisions),
)
