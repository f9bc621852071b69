"""Shared pipeline steps of the systems: candidates with texts, models, and fitting on the train split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import pandas as pd
import pyterrier as pt
from system import Split, qrels, topics, train_split

from ir_coliee import editions, fit_cutoff
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.fusion import search_weights
from ir_coliee.measures import ColieeMeasure, MacroF2
from ir_coliee.transformers import CandidatePool, RatioCutoff, WeightedSum, hard_negatives
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.fusion import Normalisation

# task 3, where no cut-off is published: articles with a share of the best score, at most five (our choice)
F2_CUTOFFS = [RatioCutoff(ratio / 50, min_items=1, max_items=n) for n in range(1, 6) for ratio in range(15, 51)]
_TRAINING_SHARE = 0.8  # of the train queries; the others choose weights and cut-offs


def texts(split: Split) -> pt.Transformer:
    """Add the texts of the documents to results: R to R."""
    return pt.text.get_text(pt.get_dataset(f"irds:{split.id}"), "text", verbose=False)


def paragraphs(split: Split) -> pt.Transformer:
    """Task 2: the paragraphs of each candidate pool with their texts: Q to R."""
    return CandidatePool(split.id) >> texts(split)


def in_language(split: Split, language: str) -> Split:
    """Tasks 3 and 4: the same split in English (``en``) or Japanese (``ja``), with the same query ids.

    Raises
    ------
    ColieeError
        If the edition does not have this language.
    """
    twin = split.id.replace(f"/{split.language}/", f"/{language}/")
    if twin not in editions.SPLITS:
        name = {"en": "English", "ja": "Japanese"}[language]
        raise ColieeError(f"{split.id} has no {name} version {twin}, which this system needs. Use another edition.")
    return editions.split(twin)


class Labelled(NamedTuple):
    """Queries or their candidates, and the qrels of these queries: the arguments of ``fit``."""

    rows: pd.DataFrame
    qrels: pd.DataFrame


def labelled(train: Split, candidates: pt.Transformer) -> Labelled:
    """Apply a pipeline to the queries of a train split and return the result with the qrels."""
    return Labelled(candidates(topics(train)), qrels(train))


def learn_and_choose(train: Split, candidates: pt.Transformer) -> tuple[Labelled, Labelled]:
    """Like `labelled`, split into training queries and the last fifth of the queries, which is held out.

    The held-out queries, the newest ones, choose weights and cut-offs; the share is our choice.
    """
    whole, queries = labelled(train, candidates), topics(train)["qid"].tolist()
    first = set(queries[: int(len(queries) * _TRAINING_SHARE)])
    learn, choose = (
        Labelled(*(frame[frame["qid"].isin(first) == seen].reset_index(drop=True) for frame in whole))
        for seen in (True, False)
    )
    return learn, choose


def hardest(learn: Labelled, number: int) -> Labelled:
    """Keep the relevant candidates of each query and a number of the highest-ranked non-relevant ones."""
    return Labelled(hard_negatives(learn.rows, learn.qrels, number), learn.qrels)


def with_cutoff(ranking: pt.Transformer, chosen_on: Labelled, cutoffs: Iterable[Cutoff]) -> pt.Transformer:
    """Task 3: a ranking with the cut-off that has the best F2."""
    return ranking >> fit_cutoff(chosen_on.qrels, ranking(chosen_on.rows), MacroF2, cutoffs).cutoff


def fitted_sum(
    rankings: Callable[[Split], Sequence[pt.Transformer]],
    split: Split,
    chosen_on: Labelled,
    measure: ColieeMeasure,
    *,
    weights: Iterable[Sequence[float]] | None = None,
    cutoffs: Iterable[Cutoff] | None = None,
    normalise: Normalisation | None = "minmax",
) -> pt.Transformer:
    """The weighted sum of rankings with a cut-off, both chosen on the train split.

    Parameters
    ----------
    rankings : callable
        Returns the rankings of a split, which transform rows like those of ``chosen_on``.
    split : Split
        The split to answer.
    chosen_on : Labelled
        Rows and qrels that choose weights and cut-off.
    measure, weights, cutoffs, normalise
        As in `search_weights`.
    """
    runs = [ranking(chosen_on.rows) for ranking in rankings(train_split(split))]
    found = search_weights(runs, chosen_on.qrels, measure, weights=weights, cutoffs=cutoffs, normalise=normalise)
    return WeightedSum(*rankings(split), weights=found.weights, normalise=normalise) >> found.fitted.cutoff
