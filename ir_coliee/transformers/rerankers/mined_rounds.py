"""Fine-tuning in rounds, each with the hard negatives of the round before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pandas as pd

from ir_coliee.frames import integer_at_least
from ir_coliee.models.training.training_options import TrainingOptions
from ir_coliee.progress import stage
from ir_coliee.transformers.rerankers.hard_negatives import hard_negatives


class _TrainedScorer(Protocol):
    """A transformer that scores candidates and is fine-tuned with `TrainingOptions`."""

    training: TrainingOptions

    def arguments(self) -> dict[str, object]: ...

    def fit(self, topics_and_results: pd.DataFrame, qrels: pd.DataFrame, /) -> Any: ...

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame: ...


S = TypeVar("S", bound=_TrainedScorer)


def mined_rounds(
    scorer: S, run: pd.DataFrame, qrels: pd.DataFrame, *, rounds: int, negatives: int, skip: int = 0
) -> list[S]:
    """Fine-tune a scorer in rounds, as CAPTAIN did for task 2 in 2023, and return the scorer of each round.

    The first round learns from each query's relevant candidates and its highest-ranked non-relevant ones in the run,
    for example of BM25; each later round learns from those in the ranking of the same candidates by the round before.
    The scorers of all rounds can be combined by `WeightedSum`.

    Parameters
    ----------
    scorer : MonoT5 or PairScorer
        The scorer as it is before the first round. It is not changed. If its `TrainingOptions` have a folder, each
        round stores the state of its training in a folder there, so that an interrupted call continues when it is
        repeated.
    run : pandas.DataFrame
        Candidates with scores, queries and texts.
    qrels : pandas.DataFrame
        The columns qid, docno and label. A candidate that they do not contain is not relevant.
    rounds : int
        The number of rounds, >= 1.
    negatives, skip : int
        As ``number`` and ``skip`` of `hard_negatives`.

    Returns
    -------
    list of MonoT5 or PairScorer
        The fitted scorers, in the order of the rounds.

    Raises
    ------
    ColieeError
        If all candidates are relevant or none is, or if ids have several types.

    Notes
    -----
    The sources say that negatives are mined in rounds and that checkpoints are combined. They give neither the number
    of rounds and negatives, nor whether a round continues the training of the round before. Here, each round starts
    from the checkpoint, with a seed of its own, so that the scorers differ as members of an ensemble should.

    References
    ----------
    Nguyen et al. CAPTAIN at COLIEE 2023: Efficient Methods for Legal Information Retrieval and Entailment Tasks. 2023.
    """
    scorers: list[S] = []
    ranked = run
    for number in range(integer_at_least("rounds", rounds, 1)):
        with stage(f"round {number + 1} of {rounds}", verbose=bool(scorer.arguments().get("verbose"))):
            if scorers:
                ranked = scorers[-1].transform(run)
            scorers.append(_of_round(scorer, number).fit(hard_negatives(ranked, qrels, negatives, skip), qrels))
    return scorers


def _of_round(scorer: S, number: int) -> S:
    """Return an unfitted scorer with the seed and the folder of a round."""
    training = scorer.training
    folder = None if training.folder is None else Path(training.folder, f"round-{number + 1}")
    of_round = replace(training, seed=training.seed + number, folder=folder)
    return type(scorer)(**{**scorer.arguments(), "training": of_round})
