"""Transformers that combine several rankings into one, and that expand results along references.

`WeightedSum`, `ReciprocalRank`, `Agreement` and `Backfill` fuse the rankings of pipelines. The functions
`weighted_sum`, `reciprocal_rank`, `agreement` and `backfill` do the same for frames of results. `ReferenceExpansion`
adds the articles that refer to a retrieved article, or that it refers to.
"""

from ir_coliee.transformers.fusion.alignment import AlignedRankings, align_rankings
from ir_coliee.transformers.fusion.answer_fusion import Agreement, Backfill, agreement, backfill
from ir_coliee.transformers.fusion.base import Fusion
from ir_coliee.transformers.fusion.normalisation import (
    NORMALISATIONS,
    Normalisation,
    complete_scores,
    normalise_scores,
)
from ir_coliee.transformers.fusion.rank_fusion import ReciprocalRank, WeightedSum, reciprocal_rank, weighted_sum
from ir_coliee.transformers.fusion.reference_expansion import ReferenceExpansion

__all__ = [
    "NORMALISATIONS",
    "Agreement",
    "AlignedRankings",
    "Backfill",
    "Fusion",
    "Normalisation",
    "ReciprocalRank",
    "ReferenceExpansion",
    "WeightedSum",
    "agreement",
    "align_rankings",
    "backfill",
    "complete_scores",
    "normalise_scores",
    "reciprocal_rank",
    "weighted_sum",
]
