"""The learned baseline of task 3."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ir_coliee.baselines.articles.article_blocks import FEATURES, TRAIN_FEATURES, ArticleBlocks
from ir_coliee.baselines.articles.both_languages import BOTH_LANGUAGES, BothLanguages, other_language
from ir_coliee.baselines.articles.recipe import STANDARD
from ir_coliee.baselines.bm25 import RANKING_LENGTH, bm25_ranker
from ir_coliee.baselines.learned_baseline import Choices, LearnedBaseline
from ir_coliee.baselines.training_data import TrainingData, shares_labels, topics
from ir_coliee.editions import Split
from ir_coliee.errors import InsufficientTrainingDataError
from ir_coliee.frames import sort_results
from ir_coliee.text.statutes import exam_id
from ir_coliee.text.stems import Stems

_TRANSDUCTIVE = (
    "the questions of an exam are used together, without labels: those of the same number ask about one subject, and "
    "all count for the frequencies of terms"
)


def prepare_articles(split: Split, training: TrainingData, choices: Choices) -> LearnedBaseline:
    """Return the learned baseline of a split of task 3.

    Parameters
    ----------
    split : Split
        A split of task 3. In a train split, each exam year is answered by models that were fitted on other years.
    training : TrainingData
        The labelled questions.
    choices : Choices
        With the recipe ``both-languages`` the run is made of the questions and articles of both languages.

    Returns
    -------
    LearnedBaseline
        Its ranking contains the candidates, followed by other articles in the order of BM25, up to 100 articles.

    Raises
    ------
    ColieeError
        For both languages, if the edition has one or forbids using both.
    InsufficientTrainingDataError
        If the training data are of one exam year.
    MissingReleaseError
        If files of the other language are missing.
    """
    check_exam_years(training)
    own = _of_one_language(split, training)
    if choices.recipe != BOTH_LANGUAGES:
        return own
    return BothLanguages(**vars(own), other=_of_one_language(*other_language(split, training)))


def check_exam_years(training: TrainingData) -> None:
    """Raise `InsufficientTrainingDataError` if the training data are of one exam year, so that none can be held out."""
    if len({exam_id(qid).year for qid in training.topics()["qid"]}) > 1:
        return
    advice = "Choose a split whose train split has several exam years."
    if training.split.is_built_in:
        advice = "Try: ir_coliee synth coliee/task3/2025/en --out synthetic --scale 0.02"
    elif training.exam_years:
        advice = "--train all-but (train=) takes the later ones as well."
    raise InsufficientTrainingDataError(f"{training} has only one exam year, so none can be held out.\n{advice}")


def _of_one_language(split: Split, training: TrainingData) -> LearnedBaseline:
    stems = Stems.of(split.language)
    blocks = ArticleBlocks(split, training, stems)

    def whole_ranking(of_split: Split, run: pd.DataFrame) -> pd.DataFrame:
        return long_list(of_split, topics(split) if of_split == split else training.topics(), run)

    return LearnedBaseline(
        split,
        training,
        replace(STANDARD, row_weights=blocks.row_weights),
        train_blocks=blocks.train,
        block=blocks.to_answer,
        stages=(TRAIN_FEATURES,) if shares_labels(training.split, split) else (TRAIN_FEATURES, FEATURES),
        group="exam year",
        whole_ranking=whole_ranking,
        notes=(_TRANSDUCTIVE, *stems.notes),
        is_kept=blocks.is_kept,
    )


def long_list(split: Split, questions: pd.DataFrame, run: pd.DataFrame) -> pd.DataFrame:
    """Rank other articles in the order of BM25 behind the articles of a run.

    Parameters
    ----------
    split : Split
        The split with the articles.
    questions : pandas.DataFrame
        The questions: ``qid`` and ``query``.
    run : pandas.DataFrame
        ``qid``, ``docno`` and ``score``, a probability.

    Returns
    -------
    pandas.DataFrame
        ``qid``, ``docno``, ``score`` and ``rank``; up to 100 articles of each question. The score of an article that
        the run lacks is negative.
    """
    ranked = bm25_ranker(split)(questions)
    candidates = pd.MultiIndex.from_frame(run[["qid", "docno"]])
    others = ranked[~pd.MultiIndex.from_frame(ranked[["qid", "docno"]]).isin(candidates)]
    columns = ["qid", "docno", "score"]
    below = others[columns].assign(score=-1.0 - others["rank"])
    ordered = sort_results(pd.concat([run[columns], below], ignore_index=True))
    shortened: pd.DataFrame = ordered[ordered["rank"] < RANKING_LENGTH].reset_index(drop=True)
    return shortened
