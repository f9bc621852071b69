"""The scores of the recipes of task 1, by name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from ir_coliee.engine.cases.context_ngrams import context_ngram_scores
from ir_coliee.engine.cases.context_scores import CONTEXT_SCORES, context_scores
from ir_coliee.engine.cases.exclusive_sharing import exclusive_sharing
from ir_coliee.engine.cases.latent_scores import latent_scores
from ir_coliee.engine.cases.lexical_scores import informative_bm25, tfidf_cosine
from ir_coliee.engine.cases.name_scores import judge_mentions, shared_names
from ir_coliee.engine.cases.ngram_scores import bigram_cosine, num_rare_ngrams, shared_ngram_idf
from ir_coliee.engine.cases.text_pool import TextPool
from ir_coliee.engine.cases.text_terms import Scores
from ir_coliee.engine.cases.year_scores import year_near
from ir_coliee.frames import Booleans

_Score: TypeAlias = Callable[[TextPool], Scores]

_SINGLE: dict[str, _Score] = {
    "lexical.kli40": informative_bm25,
    "lexical.tfidf": tfidf_cosine,
    "ngrams.bi": bigram_cosine,
    "ngrams.s3": lambda pool: shared_ngram_idf(pool, 3),
    "ngrams.s5": lambda pool: shared_ngram_idf(pool, 5),
    "ngrams.s5rare": num_rare_ngrams,
    "exclusive.ex_words": lambda pool: exclusive_sharing(pool, "words"),
    "exclusive.ex_bi": lambda pool: exclusive_sharing(pool, "bigrams"),
    "exclusive.ex_s5": lambda pool: exclusive_sharing(pool, "ngrams"),
    "contexts.cg2": lambda pool: context_ngram_scores(pool, 2),
    "contexts.cg4": lambda pool: context_ngram_scores(pool, 4),
    "names.nm_full_head": shared_names,
    "names.nm_near_head": lambda pool: shared_names(pool, near_citations=True),
    "names.judge_mentions": judge_mentions,
    "years.year_near": year_near,
}


def case_scores(
    pool: TextPool, names: Collection[str], *, excluded: Booleans | None = None, threads: int = 1
) -> dict[str, Scores]:
    """Compute scores of a pool.

    Parameters
    ----------
    pool : TextPool
        Queries and texts.
    names : collection of str
        The scores to compute, ``family.score``.
    excluded : bool array, queries x texts, optional
        The texts that no context of a query can cite. By default, those of later years.
    threads : int
        The number of threads. The scores do not depend on it.

    Returns
    -------
    dict of str to float32 array, queries x texts
        The scores by name. What is not asked for is not computed.
    """
    scores = {name: compute(pool) for name, compute in _SINGLE.items() if name in names}
    contexts = {name: definition for name, definition in CONTEXT_SCORES.items() if f"contexts.{name}" in names}
    if contexts:
        found = context_scores(pool, contexts, excluded=excluded, threads=threads)
        scores |= {f"contexts.{name}": matrix for name, matrix in found.items()}
    if not {"latent.ls_rr", "latent.ls_doc"}.isdisjoint(names):
        by_rank, by_document = latent_scores(pool, excluded=excluded, threads=threads)
        scores |= {"latent.ls_rr": by_rank, "latent.ls_doc": by_document}
    return {name: scores[name] for name in names}
