"""Task 1 with gradient boosting over lexical scores, quotations and competition between queries.

The results of the stages are cached in the data folder, like indexes. They are computed again if the local release has
changed.
"""

from __future__ import annotations

import itertools

from ir_coliee.baselines.baseline_run import BaselineRun, cutoff_kinds
from ir_coliee.baselines.case_candidates import CaseSearch
from ir_coliee.baselines.case_ranker_fitting import CUTOFFS, STAGES, CaseRankerFitting, case_features
from ir_coliee.baselines.case_ranker_storage import CaseRankerState
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.training_data import TrainingData, held_out_note, shares_labels, topics
from ir_coliee.editions import Split
from ir_coliee.progress import stages

_FEATURES = "features of the queries"


def retrieve_cases(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Rank candidate decisions by a model that is fitted on the train split, and cut the ranking.

    Parameters
    ----------
    split : Split
        A split of task 1. In a train split, each block of queries is answered by models fitted on the others.
    training : TrainingData
        The labelled queries.

    Returns
    -------
    list of BaselineRun
        The run ``learned``.

    Raises
    ------
    InsufficientTrainingDataError
        If there are too few labels.
    MissingExtraError
        If LightGBM is not installed.
    MissingReleaseError
        If the local release is missing.
    """
    train, answers_train = training.split, shares_labels(training.split, split)
    fitting = CaseRankerFitting(CaseSearch(train), training.qrels(), FinishedStages(training))
    with stages("learned", STAGES if answers_train else [*STAGES, _FEATURES]):
        ranker = fitting.ranker
        run = train_run = fitting.held_out_run
        if not answers_train:
            found = FinishedStages(split).rows(
                _FEATURES,
                lambda: case_features(CaseSearch(split), ranker.filters, topics(split)),
                *ranker.filters,
                num_features=len(ranker.state.features),
            )
            run = ranker(found).drop(columns="features")
    notes = _notes(ranker.state, held_out_note(train, split, "block"))
    return [BaselineRun("learned", ranker.cutoff(run), run, notes, train_run)]


def _notes(state: CaseRankerState, optimism: str) -> list[str]:
    tried = cutoff_kinds(itertools.chain(*CUTOFFS))
    rounds = "one round" if len(state.rounds) == 1 else "two rounds"
    return [
        f"fitted on {state.split} in {rounds}; cut-off {state.cutoff}, "
        f"chosen on held-out blocks of queries (MicroF1 {state.value:.4f}; {tried}){optimism}",
        f"candidates: {state.filters}; share of the latest train queries' noticed cases among them: {state.share:.3f}",
    ]
