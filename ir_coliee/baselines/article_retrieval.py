"""Task 3 with gradient boosting over lexical scores, past questions and references between articles.

The recipe was developed for this package and measured on English editions. Candidates are the 60 best articles by the
sum of all scores. Each score gives four features: its value, its ratio to the best score, its rank, and its distance
from the second-best score. Japanese texts are indexed by character bigrams instead of words. Held-out train questions
are used to decide whether to use features of references, and to choose the cut-off.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from typing import Any

import ir_datasets
import numpy as np
import pandas as pd
import pyterrier as pt

from ir_coliee.arrays import Floats
from ir_coliee.baselines.baseline_run import BaselineRun, cutoff_kinds
from ir_coliee.baselines.bm25 import RANKING_LENGTH, bm25_ranker
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.gradient_boosting import HeldOutRun, best_cutoff, boosted_ranker, held_out_run
from ir_coliee.baselines.training_data import (
    TrainingData,
    held_out_note,
    shares_labels,
    topics,
)
from ir_coliee.datasets.folds import Folds, by_group
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeWarning, InsufficientTrainingDataError
from ir_coliee.frames import sort_results
from ir_coliee.measures import MacroF2
from ir_coliee.progress import stage, stages
from ir_coliee.releases.article_references import ReferenceGraph, article_references
from ir_coliee.releases.civil_code import Article
from ir_coliee.text.analysers import Analysis, English, Shingles
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers import (
    ExpectedFCutoff,
    LexicalIndex,
    PastQuestionRetriever,
    RatioCutoff,
    ScoreColumns,
    ScoreFeatures,
)
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features import add_features

_CANDIDATES = 60
_NUM_FEATURES = 4 * 11 + 3  # of each ranker and the number of past questions, and lengths
_FOLDS = 4  # of whole exam years

STAGES = (
    "features of the train questions",
    "held-out exam years",
    "held-out exam years, with references",
    "features of the questions",
    "final fit",
)
_TRAIN_FEATURES, _WITHOUT_REFERENCES, _WITH_REFERENCES, _FEATURES, _FIT = STAGES

#: The cut-offs to try. The first one belongs to the recipe and is preferred if values are equal.
CUTOFFS: list[Cutoff] = [
    RatioCutoff(0.3, max_items=5),
    *(
        RatioCutoff(percent / 100, max_items=max_items)
        for max_items in (1, 2, 3, 4, 5, 8)
        for percent in range(10, 100, 5)
    ),
    *(ExpectedFCutoff(2.0, average="macro", min_items=1, max_items=max_items) for max_items in (3, 5, 8)),
]


def retrieve_articles(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Rank the articles of each question by a model that is fitted on the train questions, and cut the ranking.

    Parameters
    ----------
    split : Split
        A split of task 3. In a train split, each exam year is answered by a model that was fitted on the other years.
    training : TrainingData
        The labelled questions.

    Returns
    -------
    list of BaselineRun
        The run ``learned``. Its ranking contains the candidates, followed by other articles in the order of BM25, up to
        100 articles.

    Raises
    ------
    InsufficientTrainingDataError
        If there are labels of one exam year only, or too few.
    MissingExtraError
        If LightGBM is not installed.
    """
    gold, train_questions, questions = training.qrels(), training.topics(), topics(split)
    finished = FinishedStages(training)
    with stages("learned", STAGES):
        train_candidates = finished.rows(
            _TRAIN_FEATURES,
            lambda: article_candidates(training.split, train_questions, training),
            num_features=_NUM_FEATURES,
        )
        folds = _folds(train_candidates)
        run = finished.rows(_WITHOUT_REFERENCES, lambda: held_out_run(train_candidates, gold, folds))
        chosen = best_cutoff(run, gold, MacroF2, CUTOFFS)
        graph = article_references(training.split.id)
        with_references = with_reference_features(train_candidates, graph)
        run = finished.rows(_WITH_REFERENCES, lambda: held_out_run(with_references, gold, folds))
        chosen_with_references = best_cutoff(run, gold, MacroF2, CUTOFFS)
        if uses_references := chosen_with_references.value > chosen.value:
            train_candidates, chosen = with_references, chosen_with_references
        run = chosen.run
        if not (answers_train := shares_labels(training.split, split)):
            found = FinishedStages(split, training).rows(
                _FEATURES, lambda: article_candidates(split, questions, training), num_features=_NUM_FEATURES
            )
            if uses_references:
                found = with_reference_features(found, graph)
            with stage(_FIT):
                run = boosted_ranker(train_candidates).fit(train_candidates, gold)(found)
    ranking = _long_list(split, questions, run)
    train_ranking = ranking if answers_train else _long_list(training.split, train_questions, chosen.run)
    note = _note(split, training, chosen, uses_references)
    return [BaselineRun("learned", chosen.cutoff(run), ranking, [note], train_ranking)]


def article_candidates(split: Split, questions: pd.DataFrame, training: TrainingData) -> pd.DataFrame:
    """Find the candidate articles of questions and compute their features.

    Parameters
    ----------
    split : Split
        The split with the articles.
    questions : pandas.DataFrame
        The questions: ``qid`` and ``query``.
    training : TrainingData
        The labelled questions. Those of other exam years are used as past questions.

    Returns
    -------
    pandas.DataFrame
        At most 60 candidates of each question, best first, with ``features``.
    """
    pipelines = _pipelines(split, training)
    with warnings.catch_warnings():
        # expected: a question may share no word with any caption, or no three consecutive words with any article
        warnings.filterwarnings("ignore", r"\d+ of \d+ queries have no term", ColieeWarning)
        found = ScoreColumns(pipelines, _CANDIDATES)(questions)
    found["frequency"] = _past_questions(training, aggregate="count").scores(found)
    return add_features(ScoreFeatures([*pipelines, "frequency"], gap=2)(found), _lengths(split, found))


def _pipelines(split: Split, training: TrainingData) -> dict[str, pt.Transformer]:
    """Return the rankers of articles, by name."""
    content_words: Analysis = "bigrams" if split.language == "ja" else English(stem=False)
    all_words = "bigrams" if split.language == "ja" else "words"
    pairs, triples = (Shingles(number, all_words, min_df=1, max_share=1.0) for number in (2, 3))
    analysers = {"words": content_words, "pairs": pairs, "triples": triples, "characters": "characters"}
    indexes = dict(zip(analysers, LexicalIndex.each_from_dataset(split.id, [*analysers.values()])))
    captions = LexicalIndex.build(
        ({"docno": article.doc_id, "text": article.effective_caption} for article in _articles(split)),
        analyser=content_words,
    )
    past_questions = {
        f"past_{name}_{aggregate}": _past_questions(training, analyser=analysers[name], aggregate=aggregate)
        for name in ("words", "characters")
        for aggregate in PastQuestionRetriever.SIMILARITIES
    }
    cosines = {name: index.tf_idf() for name, index in indexes.items()}
    return {**cosines, "caption": captions.tf_idf(), "bm25": indexes["words"].bm25(), **past_questions}


def _past_questions(training: TrainingData, **options: Any) -> PastQuestionRetriever:
    return PastQuestionRetriever(training.split.id, exam_years=training.exam_years, **options)


def _articles(split: Split) -> list[Article]:
    return list(ir_datasets.load(split.id).docs_iter())


def _lengths(split: Split, results: pd.DataFrame) -> Floats:
    """Return the logarithms of the numbers of characters of question, article and caption."""
    lengths = {article.doc_id: (len(article.text), len(article.effective_caption)) for article in _articles(split)}
    rows = [(len(query), *lengths[docno]) for query, docno in zip(results["query"], results["docno"])]
    return np.log1p(np.array(rows, dtype=np.float64).reshape(-1, 3))


def with_reference_features(results: pd.DataFrame, graph: ReferenceGraph) -> pd.DataFrame:
    """Add four features of the references between a candidate and those ranked above it.

    Parameters
    ----------
    results : pandas.DataFrame
        Candidates, best first, with ``score`` and ``features``.
    graph : ReferenceGraph
        The references between articles.

    Returns
    -------
    pandas.DataFrame
        The same rows with four more features. Each is the largest score, divided by the query's best score, among the
        better candidates that (1) the article refers to, (2) refer to the article, (3) the article applies mutatis
        mutandis, (4) apply the article mutatis mutandis; 0 if there is none, or if the best score is not positive.
    """
    targets: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    for edge in graph.references:
        targets[edge.source][edge.target] = edge.mutatis_mutandis or targets[edge.source].get(edge.target, False)
    docnos, scores = results["docno"].to_numpy(object), results["score"].to_numpy(np.float64)
    values = np.zeros((len(results), 4))
    for rows in results.groupby("qid", sort=False).indices.values():
        row_of = {docnos[row]: row for row in rows}
        best = scores[rows].max()
        for row in rows:
            for target, mutatis_mutandis in targets[docnos[row]].items():
                target_row = row_of.get(target)
                if target_row is None:
                    continue
                if target_row < row:
                    better, worse, direction = target_row, row, 0
                else:
                    better, worse, direction = row, target_row, 1
                ratio = scores[better] / best if best > 0 else 0.0
                for column in (direction, direction + 2) if mutatis_mutandis else (direction,):
                    values[worse, column] = max(values[worse, column], ratio)
    return add_features(results, values)


def _folds(candidates: pd.DataFrame) -> Folds:
    """Return folds of whole exam years."""
    years = {qid: exam_id(qid).year for qid in candidates["qid"].unique()}
    number = min(_FOLDS, len(set(years.values())))
    if number < 2:
        raise InsufficientTrainingDataError("the train split has only one exam year, so none can be held out")
    return by_group(years, number)


def _long_list(split: Split, questions: pd.DataFrame, run: pd.DataFrame) -> pd.DataFrame:
    """Return the candidates, followed by other articles in the order of BM25."""
    ranked = bm25_ranker(split)(questions)
    candidates = pd.MultiIndex.from_frame(run[["qid", "docno"]])
    others = ranked[~pd.MultiIndex.from_frame(ranked[["qid", "docno"]]).isin(candidates)]
    columns = ["qid", "docno", "score"]
    below = others[columns].assign(score=-1.0 - others["rank"])  # the candidates' scores are probabilities >= 0
    long_list = sort_results(pd.concat([run[columns], below], ignore_index=True))
    shortened: pd.DataFrame = long_list[long_list["rank"] < RANKING_LENGTH].reset_index(drop=True)
    return shortened


def _note(split: Split, training: TrainingData, chosen: HeldOutRun, uses_references: bool) -> str:
    references = "with" if uses_references else "without"
    optimism = held_out_note(training.split, split, "exam year")
    return (
        f"fitted on {training}, {references} references between articles; cut-off {chosen.cutoff}, "
        f"chosen on held-out exam years (MacroF2 {chosen.value:.4f}; {cutoff_kinds(CUTOFFS)}){optimism}"
    )
