"""Task 3 from both languages: the mean of the probabilities of an English and a Japanese model."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import pandas as pd

from ir_coliee.baselines.articles.recipe import CUTOFF
from ir_coliee.baselines.baseline_run import BaselineRun
from ir_coliee.baselines.learned_baseline import LearnedBaseline
from ir_coliee.baselines.training_data import TrainingData
from ir_coliee.editions import LANGUAGE_NAMES, SPLITS, Split
from ir_coliee.engine.articles.article_collection import ArticleCollection
from ir_coliee.errors import ColieeError
from ir_coliee.evaluation.cutoffs import fit_cutoff
from ir_coliee.frames import sort_results
from ir_coliee.progress import stage, stages
from ir_coliee.releases.release import LocalRelease

#: The name of the recipe.
BOTH_LANGUAGES = "both-languages"


def other_language(split: Split, training: TrainingData) -> tuple[Split, TrainingData]:
    """Return the split of the other language and its training data of the same exam years, and check their files.

    Parameters
    ----------
    split : Split
        A split of task 3.
    training : TrainingData
        Its training data.

    Returns
    -------
    tuple of Split and TrainingData

    Raises
    ------
    ColieeError
        If the edition has one language, or if its rules forbid using both languages of a question.
    MissingReleaseError
        If files of the other language are missing.
    MissingLabelsError
        If its training data have no labels.
    """
    advice = "Choose the recipe standard: omit --recipe (recipe=)."
    if split.submission.one_language:
        raise ColieeError(f"{split.id}: a run of this edition must not use both languages of a question.\n{advice}")
    found = [
        SPLITS.get(each.id.replace(f"/{each.language}/", f"/{language}/"))
        for each in (split, training.split)
        for language in LANGUAGE_NAMES
        if language != each.language
    ]
    if not (found[0] and found[1]):
        raise ColieeError(f"{split.id}: the edition has one language only.\n{advice}")
    other, of_training = found[0], TrainingData(found[1], training.exam_years)
    for release in map(LocalRelease.open, (other, *of_training.splits)):
        _ = release.documents(), release.queries()  # raise the errors of missing and malformed files
    for release in map(LocalRelease.open, of_training.splits):
        _ = release.qrels()
    return other, of_training


@dataclass(frozen=True, eq=False)
class BothLanguages(LearnedBaseline):
    """The learned baseline of a split, and that of the other language.

    Attributes
    ----------
    other : LearnedBaseline
        The baseline of the other language.
    """

    other: LearnedBaseline = field(kw_only=True)

    def runs(self) -> list[BaselineRun]:
        """Fit a model for each language, and rank and cut the candidates of the split by their mean probability.

        Returns
        -------
        list of BaselineRun
            The run ``learned``, to be submitted for the language of the split.

        Raises
        ------
        InsufficientTrainingDataError, MissingExtraError, MissingReleaseError
            As of `LearnedBaseline.runs`.
        """
        names = [LANGUAGE_NAMES[each.split.language] for each in (self, self.other)]
        with stages("both languages", names):
            with stage(names[0]):
                [own] = super().runs()
            with stage(names[1]):
                [other] = self.other.runs()
        docnos = set(ArticleCollection.of(self.split.id).docnos)
        run, train_run = (
            mean_of_languages(_candidates(of_own, docnos), _candidates(of_other, docnos))
            for of_own, of_other in ((own.ranking, other.ranking), (own.train_ranking, other.train_ranking))
        )
        value = fit_cutoff(train_run, self.training.qrels(), self.recipe.measure, [CUTOFF]).value
        shared = len({*run["qid"]} & {*_candidates(other.ranking, docnos)["qid"]})
        note = (
            f"recipe {BOTH_LANGUAGES}: the mean of the probabilities of the {names[0]} and the {names[1]} model for "
            f"{shared} of {run['qid'].nunique()} questions, whose ids are in both releases ({self.recipe.measure} "
            f"{value:.4f} on held-out exam years); cut-off {CUTOFF}; to be submitted for {names[0]}"
        )
        of_models = [f"{name}: {text}" for name, one in zip(names, (own, other)) for text in one.notes]
        ranking, train_ranking = self._ranking(self.split, run), self._ranking(self.training.split, train_run)
        return [BaselineRun("learned", CUTOFF(run), ranking, [note, *of_models], train_ranking, train_value=value)]

    def check_ablation(self) -> None:
        """Raise `ColieeError`: features are left out of the model of one language."""
        raise ColieeError(f"--ablate is for the model of one language.\nOmit --recipe {BOTH_LANGUAGES}.")


def mean_of_languages(own: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of the probabilities of two runs.

    Parameters
    ----------
    own, other : pandas.DataFrame
        ``qid``, ``docno`` and ``score``, a probability. An article that a run lacks has the probability 0.

    Returns
    -------
    pandas.DataFrame
        ``qid``, ``docno``, ``score`` and ``rank`` of the questions of the first run; those that the second run lacks
        keep their probabilities.

    Examples
    --------
    >>> own = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "a"], "score": [0.75, 0.25, 0.5]})
    >>> mean_of_languages(own, pd.DataFrame({"qid": ["1", "3"], "docno": ["b", "a"], "score": [0.75, 1.0]}))
      qid docno  score  rank
    0   1     b  0.500     0
    1   1     a  0.375     1
    2   2     a  0.500     0
    """
    columns = ["qid", "docno", "score"]
    both = pd.concat([own[columns], other.loc[other["qid"].isin(own["qid"]), columns]])
    sums = both.groupby(["qid", "docno"], sort=False, as_index=False)["score"].sum()
    return sort_results(sums.assign(score=sums["score"] / (1 + sums["qid"].isin(other["qid"]))))


def _candidates(ranking: pd.DataFrame | None, docnos: Collection[str]) -> pd.DataFrame:
    """Return the articles of a ranking that have a probability and are in the code of the split."""
    assert ranking is not None
    candidates: pd.DataFrame = ranking[(ranking["score"] >= 0) & ranking["docno"].isin(docnos)]
    return candidates
