"""Transformers that combine several rankings into one, and that expand results along references.

`WeightedSum`, `ReciprocalRank`, `Agreement` and `Backfill` fuse the rankings of pipelines. The functions
`weighted_sum`, `reciprocal_rank`, `agreement` and `backfill` do the same for frames of results. `ReferenceExpansion`
adds the articles that refer to a retrieved article, or that it refers to.
"""

from ir_coliee.transformers.fusion.rankings import (
    NORMALISATIONS,
    Agreement,
    AlignedRankings,
    Backfill,
    Fusion,
    Normalisation,
    ReciprocalRank,
    WeightedSum,
    agreement,
    align_rankings,
    backfill,
    complete_scores,
    normalise_scores,
    reciprocal_rank,
    weighted_sum,
)
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
