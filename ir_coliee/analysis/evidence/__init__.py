"""Why a query and an item match: shared terms and passages, citations, references, alignments, replies of a model.

`evidence_for` collects the evidence of a pair. Each kind is a function of a `Pair` in a module of its own, and each
returns an `Evidence`. It is evidence of the texts and of our index, whichever system made a run.
"""

from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.analysis.evidence.selection import KINDS, evidence_for

__all__ = ["KINDS", "Evidence", "Pair", "evidence_for"]
