"""What runs get wrong, and why: single queries, differences of runs, losses, groups of queries, curves and a report.

`evaluate` combines runs with the gold labels once; each analysis is a function of its result that returns a tidy frame
with a method ``plot``.
"""

from ir_coliee.analysis.catalogue import ANALYSES
from ir_coliee.analysis.curves import answers_per_query, calibration, cutoff_curve, precision_recall, recall_by_depth
from ir_coliee.analysis.difference import RunDifference, diff, diff_between
from ir_coliee.analysis.explanation import QueryExplanation, show
from ir_coliee.analysis.fitted_models import ablations, importances
from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.groups import (
    agreement,
    answered_by,
    groups,
    hard_for_all,
    hardest_queries,
    interactions,
    losses_by_group,
    query_results,
)
from ir_coliee.analysis.losses import (
    false_answer_kinds,
    false_answers,
    items,
    largest_loss,
    losses,
    miss_causes,
    observe,
)
from ir_coliee.analysis.properties import drift, query_properties
from ir_coliee.analysis.report import Report, report
from ir_coliee.analysis.runs import EvaluatedRun, EvaluatedRuns, evaluate, saved_runs

__all__ = [
    "ANALYSES",
    "AnalysisFrame",
    "EvaluatedRun",
    "EvaluatedRuns",
    "QueryExplanation",
    "Report",
    "RunDifference",
    "ablations",
    "agreement",
    "answered_by",
    "answers_per_query",
    "calibration",
    "cutoff_curve",
    "diff",
    "diff_between",
    "drift",
    "evaluate",
    "false_answer_kinds",
    "false_answers",
    "groups",
    "hard_for_all",
    "hardest_queries",
    "importances",
    "interactions",
    "items",
    "largest_loss",
    "losses",
    "losses_by_group",
    "miss_causes",
    "observe",
    "precision_recall",
    "query_properties",
    "query_results",
    "recall_by_depth",
    "report",
    "saved_runs",
    "show",
]
