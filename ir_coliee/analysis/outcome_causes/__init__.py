"""Why a run misses relevant items, and of which kinds its false answers are."""

from ir_coliee.analysis.outcome_causes.false_answers import false_answer_kinds
from ir_coliee.analysis.outcome_causes.misses import miss_causes

__all__ = ["false_answer_kinds", "miss_causes"]
