"""The features of the recipes of task 1: which scores are computed, and in which kinds they are used."""

from __future__ import annotations

from typing import NamedTuple

from ir_coliee.engine.cases.pair_features import PAIR_FEATURES
from ir_coliee.engine.cases.pool_kinds import KINDS

_POOL_FAMILY = "exclusive"  # scores that tell what few decisions of the pool share
_POOL_SCORES = ("contexts.c25drr", "contexts.c100drr")  # scores in which the contexts of all queries compete
_QUERY_KINDS = ("ratio", "rank")  # kinds of a score that do not look at other queries
_NOT_LEAN = ("years.header_date_of_candidate", "case.pinpoints_held")

#: The sum of the scores that the candidates are chosen by, see `TOTAL_OF`.
TOTAL = "total.tot"

#: The scores that `TOTAL` is the sum of, each divided by the query's best.
TOTAL_OF = (
    "lexical.tfidf",
    "ngrams.bi",
    "ngrams.s3",
    "ngrams.s5",
    "ngrams.s5rare",
    "contexts.cprr",
    "contexts.cdrr",
)


class CaseFeatureSet(NamedTuple):
    """The features of a recipe. Names have the form ``family.feature``.

    Attributes
    ----------
    scores : tuple of str
        The scores.
    pair_features : tuple of str
        Features of a query and a text that are no scores, of `PAIR_FEATURES`.
    pool_features : bool
        Whether features compare a query with the other queries of the pool. Without them, each score has two kinds
        instead of four, and there is no second round.
    """

    scores: tuple[str, ...]
    pair_features: tuple[str, ...]
    pool_features: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds in which each score is used."""
        return KINDS if self.pool_features else _QUERY_KINDS

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features of the first round."""
        return (*(f"{score}_{kind}" for score in self.scores for kind in self.kinds), *self.pair_features)

    def without_pool_features(self) -> CaseFeatureSet:
        """Return the features that do not use how the pool was built.

        Left out are the rank and the ratio of a query among all queries for a text, scores of what few decisions of the
        pool share, scores in which the contexts of all queries compete, and the second round.
        """
        kept = (each for each in self.scores if each not in _POOL_SCORES and not each.startswith(f"{_POOL_FAMILY}."))
        return CaseFeatureSet(tuple(kept), self.pair_features, pool_features=False)


#: All features of the recipe: 27 scores in four kinds, and 12 features of pairs.
COMPACT = CaseFeatureSet(
    (
        *(TOTAL, "lexical.kli40", "lexical.tfidf", "ngrams.bi", "ngrams.s3", "ngrams.s5", "ngrams.s5rare"),
        *("exclusive.ex_words", "exclusive.ex_bi", "exclusive.ex_s5"),
        *("contexts.cprr", "contexts.cpmax", "contexts.cdrr", "contexts.c25rr", "contexts.c100rr"),
        *("contexts.c25sm", "contexts.c100sm", "contexts.c25drr", "contexts.c100drr", "contexts.cg2", "contexts.cg4"),
        *("names.nm_full_head", "names.nm_near_head", "names.judge_mentions", "years.year_near"),
        *("latent.ls_rr", "latent.ls_doc"),
    ),
    PAIR_FEATURES,
)

#: About half of the features: 14 scores in four kinds, and 10 features of pairs.
LEAN = CaseFeatureSet(
    (
        *(TOTAL, "lexical.tfidf", "ngrams.bi", "ngrams.s3", "ngrams.s5", "ngrams.s5rare"),
        *("exclusive.ex_words", "exclusive.ex_bi", "exclusive.ex_s5"),
        *("contexts.cprr", "contexts.cpmax", "contexts.cdrr", "names.nm_full_head", "names.judge_mentions"),
    ),
    tuple(name for name in PAIR_FEATURES if name not in _NOT_LEAN),
)
