"""What systems have in common: candidates with texts, models, and what is fitted on the train part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import pandas as pd
import pyterrier as pt
from system import Models, Split, qrels, topics, train_split

from ir_coliee import editions
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.evaluation.weight_search import search_weights
from ir_coliee.measures import MacroF2
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers import CandidatePool, PairScorer, RatioCutoff, WeightedSum, hard_negatives
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.fusion import Normalisation

# task 3 where no rule is published: articles that reach a share of the best score, at most five (ours)
F2_CUTOFFS = [RatioCutoff(ratio / 50, min_items=1, max_items=n) for n in range(1, 6) for ratio in range(15, 51)]
_LEARNED_FROM = 0.8  # of the train part's queries


def texts(split: Split) -> pt.Transformer:
    """Gives results the texts of their documents: R to R."""
    return pt.text.get_text(pt.get_dataset(f"irds:{split.id}"), "text", verbose=False)


def paragraphs(split: Split) -> pt.Transformer:
    """Task 2: the paragraphs of each query's pool, with their texts: Q to R."""
    return CandidatePool(split.id) >> texts(split)


def in_language(split: Split, language: str) -> Split:
    """Tasks 3 and 4: the same part in English (``en``) or Japanese (``ja``), whose query ids are the same.

    Raises `ColieeError` where the edition has it in the other language alone.
    """
    twin = split.id.replace(f"/{split.language}/", f"/{language}/")
    if twin not in editions.SPLITS:
        name = {"en": "English", "ja": "Japanese"}[language]
        raise ColieeError(f"{split.id} has no {name} twin {twin}, which this system needs. Give another edition.")
    return editions.split(twin)


def cross_encoder(models: Models, published: str, seed: int = 0) -> PairScorer:
    """A cross-encoder to be fine-tuned. A tiny one reads little and learns briefly, which would be in vain anyway."""
    brief = {"epochs": 1, "max_tokens": 64} if models.tiny("classifier") else {}
    return PairScorer(models.classifier(published, seed), seed=seed, **brief)


def monot5(models: Models, published: str = "castorini/monot5-large-msmarco", seed: int = 0) -> pt.Transformer:
    """A monoT5 as it is published. A tiny one reads little."""
    from pyterrier_t5 import MonoT5ReRanker

    tokeniser, model = models.seq2seq("t5-large"), models.seq2seq(published, seed)
    if not models.tiny("seq2seq"):
        return MonoT5ReRanker(tok_model=tokeniser, model=model)
    scorer = MonoT5ReRanker(tok_model=tokeniser, model=model, batch_size=64)
    scorer.model.config.n_positions = 128
    return scorer


class Labelled(NamedTuple):
    """Queries, or their candidates, and the gold of just these queries: what ``fit`` takes."""

    rows: pd.DataFrame
    qrels: pd.DataFrame


def labelled(train: Split, candidates: pt.Transformer) -> Labelled:
    """What a pipeline makes of the queries of a train part, and their gold."""
    return Labelled(candidates(topics(train)), qrels(train))


def learn_and_choose(train: Split, candidates: pt.Transformer) -> tuple[Labelled, Labelled]:
    """The same in two: what models learn from, and the last fifth of the queries, which they have not seen.

    That fifth, which is the newest, chooses weights and cut-offs; the share is ours.
    """
    whole, queries = labelled(train, candidates), topics(train)["qid"].tolist()
    first = set(queries[: int(len(queries) * _LEARNED_FROM)])
    learn, choose = (
        Labelled(*(frame[frame["qid"].isin(first) == seen].reset_index(drop=True) for frame in whole))
        for seen in (True, False)
    )
    return learn, choose


def hardest(learn: Labelled, number: int) -> Labelled:
    """Of each query the relevant candidates and so many of the best-ranked wrong ones, which is quicker to learn."""
    return Labelled(hard_negatives(learn.rows, learn.qrels, number), learn.qrels)


def with_cutoff(ranking: pt.Transformer, chosen_on: Labelled, cutoffs: Iterable[Cutoff]) -> pt.Transformer:
    """Task 3: a ranking and the cut-off that has the best F2."""
    return ranking >> fit_cutoff(ranking(chosen_on.rows), chosen_on.qrels, MacroF2, cutoffs).cutoff


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
    """The weighted sum of a part's rankings and a cut-off: of all that are given the best ones on the train part.

    ``rankings``: those of a part, which work on rows like those of ``chosen_on``; the rest as of `search_weights`.
    """
    runs = [ranking(chosen_on.rows) for ranking in rankings(train_split(split))]
    found = search_weights(runs, chosen_on.qrels, measure, weights=weights, cutoffs=cutoffs, normalise=normalise)
    return WeightedSum(*rankings(split), weights=found.weights, normalise=normalise) >> found.fitted.cutoff
