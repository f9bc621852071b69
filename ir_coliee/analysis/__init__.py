"""What runs get wrong, and why: single queries, differences of runs, losses, groups of queries, curves and a report.

`evaluate` combines runs with the gold labels once; each analysis is a function of its result that returns a tidy frame
with a method ``plot``.
"""

from ir_coliee.analysis.evaluated_runs import EvaluatedRun, EvaluatedRuns, evaluate

__all__ = ["EvaluatedRun", "EvaluatedRuns", "evaluate"]
