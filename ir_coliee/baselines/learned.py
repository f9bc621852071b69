"""What the learned pipelines share: labels to learn from, and a cut-off chosen on queries that were not learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from ir_coliee.baselines.runs import NotLearned, gold_at_hand
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.transformers import Learned, boosted_classifier, out_of_fold
from ir_coliee.transformers.candidates.cutoffs import Cutoff

_LEAF = 60  # rows in a leaf at least: the recipe's
_LEAVES = 100  # a small train split has smaller leaves, so that there can be so many


class HeldOut(NamedTuple):
    """The train queries by models that had not seen them, the best cut-off of these, and its value."""

    run: pd.DataFrame
    cutoff: Cutoff
    value: float


def labelled_train(split: Split) -> tuple[Split, pd.DataFrame]:
    """The train split and its gold (qid, docno, label). Raises `NotLearned` where there is none at hand."""
    train = split.train
    gold = gold_at_hand(train) if train else None
    if train is None or gold is None:
        raise NotLearned("there is no labelled train split at hand")
    return train, gold


def learner(candidates: pd.DataFrame) -> Learned:
    """The recipe's gradient boosting, with leaves that fit so many candidates. Raises `MissingExtraError`."""
    # two threads on cores that others use too wait for each other, and a fit takes ten times as long
    return Learned(boosted_classifier(n_jobs=1, min_child_samples=max(1, min(_LEAF, len(candidates) // _LEAVES))))


def held_out(
    candidates: pd.DataFrame,
    gold: pd.DataFrame,
    folds: Mapping[str, object],
    cutoffs: Sequence[Cutoff],
    measure: ColieeMeasure,
) -> HeldOut:
    """Score each fold by a model of the others, and choose the cut-off on all of them; of equal ones the first.

    Raises `NotLearned` where the folds leave nothing to learn, and where no cut-off finds anything.
    """
    try:
        run = out_of_fold(learner(candidates), candidates, gold, folds)
    except ColieeError as error:
        raise NotLearned(f"the train split is too small: {error}") from None
    fitted = fit_cutoff(run, gold[gold["qid"].isin(candidates["qid"])], measure, cutoffs)
    if not fitted.value > 0:
        raise NotLearned("nothing is found on the train split")
    return HeldOut(run, fitted.cutoff, fitted.value)
