"""Task 2 with gradient boosting over lexical scores of the fragment and of its context in the base case.

The recipe was developed for this package and measured on the edition of 2025. Each score gives four features: its
value, its ratio to the best score, its rank, and its distance from the second-best score. Positions and lengths are
further features. The cut-off is chosen on held-out train cases.
"""

from __future__ import annotations

from collections.abc import Mapping

import ir_datasets
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyterrier as pt

from ir_coliee.baselines.baseline_run import BaselineRun, cutoff_kinds
from ir_coliee.baselines.finished_stages import FinishedStages
from ir_coliee.baselines.gradient_boosting import HeldOutRun, best_cutoff, boosted_ranker, held_out_run
from ir_coliee.baselines.training_data import (
    TrainingData,
    held_out_note,
    shares_labels,
    topics,
)
from ir_coliee.datasets.folds import Folds, by_block, edition_blocks
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, InsufficientTrainingDataError, MissingReleaseError
from ir_coliee.measures import MicroF1
from ir_coliee.progress import stage, stages
from ir_coliee.text.analysers import Analysis, English, Shingles
from ir_coliee.text.suppressed_markers import remove_markers
from ir_coliee.transformers import (
    CandidatePool,
    ExpectedFCutoff,
    LexicalIndex,
    ScoreColumns,
    ScoreFeatures,
    ThresholdCutoff,
)
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features import add_features, feature_matrix

_CONTEXT_LENGTH = 3000  # characters, half of them on either side of the fragment
_FOLDS = 5  # if the number of cases that each edition added is not known
_SCORES = ("words", "pairs", "triples", "characters", "bm25")
_CONTEXT_FEATURES = 4 * len(_SCORES)  # the last columns
_NUM_FEATURES = 2 * _CONTEXT_FEATURES + 5  # of the fragment, of its context, and positions and lengths
_MIN_SHARE_WITH_CONTEXT = 0.5  # if fewer train candidates have a context, no context features are used

STAGES = (
    "features of the train cases",
    "held-out cases",
    "held-out cases without a context",
    "features of the cases",
    "final fit",
)
_TRAIN_FEATURES, _HELD_OUT, _OTHERS, _FEATURES, _FIT = STAGES

#: The cut-offs to try. The first one belongs to the recipe and is preferred if values are equal.
CUTOFFS: list[Cutoff] = [
    ThresholdCutoff(0.25, min_items=1),
    *(
        ThresholdCutoff(percent / 100, min_items=1, max_items=max_items)
        for max_items in (1, 2, 3, 5)
        for percent in range(5, 65, 5)
    ),
    *(ExpectedFCutoff(1.0, average="micro", min_items=1, max_items=max_items) for max_items in (2, 3, 5)),
]


def find_entailing_paragraphs(split: Split, training: TrainingData) -> list[BaselineRun]:
    """Rank the paragraphs of each case by a model that is fitted on the train split, and cut the ranking.

    Parameters
    ----------
    split : Split
        A split of task 2. In a train split, each block of cases is answered by a model fitted on the others.
    training : TrainingData
        The labelled cases.

    Returns
    -------
    list of BaselineRun
        The run ``learned``. A second model, without features of the context, answers the cases whose fragment is not
        found in the base case.

    Raises
    ------
    InsufficientTrainingDataError
        If there are too few labels.
    MissingExtraError
        If LightGBM is not installed.
    """
    train, gold = training.split, training.qrels()
    contexts = fragment_contexts(train)
    finished = FinishedStages(training, parameters=contexts.items())
    with stages("learned", STAGES):
        train_candidates = finished.rows(
            _TRAIN_FEATURES, lambda: paragraph_candidates(train, contexts), num_features=_NUM_FEATURES
        )
        folds = _folds(train, list(training.topics()["qid"]))
        uses_context = bool(_has_context(train_candidates).mean() >= _MIN_SHARE_WITH_CONTEXT)
        if not uses_context:
            train_candidates = without_context_features(train_candidates)
        complete = train_candidates[_has_context(train_candidates)]
        held_out = finished.rows(_HELD_OUT, lambda: held_out_run(complete, gold, folds))
        chosen = best_cutoff(held_out, gold, MicroF1, CUTOFFS)
        run = train_run = finished.rows(
            _OTHERS, lambda: _with_held_out_others(chosen.run, train_candidates, gold, folds)
        )
        if not shares_labels(train, split):
            candidates = _candidates(split)
            if not uses_context:
                candidates = without_context_features(candidates)
            with stage(_FIT):
                run = _scored(complete, gold, candidates[_has_context(candidates)])
                run = _with_others(run, train_candidates, gold, candidates)
    note = _note(split, train, chosen, uses_context)
    return [BaselineRun("learned", chosen.cutoff(run), run, [note], train_run)]


def _candidates(split: Split) -> pd.DataFrame:
    contexts = fragment_contexts(split)
    finished = FinishedStages(split, parameters=contexts.items())
    return finished.rows(_FEATURES, lambda: paragraph_candidates(split, contexts), num_features=_NUM_FEATURES)


def _with_held_out_others(
    run: pd.DataFrame, candidates: pd.DataFrame, gold: pd.DataFrame, folds: Folds
) -> pd.DataFrame:
    """Add the train cases without a context to a run of the others, scored by models without its features."""
    others = candidates[~_has_context(candidates)]
    if others.empty:
        return run
    of_all = held_out_run(without_context_features(candidates), gold, folds)
    return pd.concat([run, of_all[of_all["qid"].isin(others["qid"])]], ignore_index=True)


def _with_others(
    run: pd.DataFrame, train_candidates: pd.DataFrame, gold: pd.DataFrame, candidates: pd.DataFrame
) -> pd.DataFrame:
    """Add the cases without a context to a run of the others, scored by a model without its features."""
    others = candidates[~_has_context(candidates)]
    if others.empty:
        return run
    scored = _scored(without_context_features(train_candidates), gold, without_context_features(others))
    return pd.concat([run, scored], ignore_index=True)


def _scored(fitted_on: pd.DataFrame, gold: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    run: pd.DataFrame = boosted_ranker(fitted_on).fit(fitted_on, gold)(candidates)
    return run.drop(columns="features")


def paragraph_candidates(split: Split, contexts: Mapping[str, str]) -> pd.DataFrame:
    """Compute the features of the paragraphs of all cases.

    Parameters
    ----------
    split : Split
        A split of task 2.
    contexts : mapping of str to str
        The contexts of its fragments, as `fragment_contexts` returns them.

    Returns
    -------
    pandas.DataFrame
        All candidates with 45 ``features``: 20 of the fragment's scores, 5 of positions and lengths, and 20 of the
        scores of the fragment's context, which are missing (NaN) if the fragment is not found in its base case.
    """
    pool = CandidatePool(split.id)(topics(split))
    pipelines = _pipelines(split)
    context_pipelines = {f"{name}_context": pipeline for name, pipeline in pipelines.items()}
    found = ScoreColumns(pipelines, len(pool))(pool.assign(position=pool["rank"] + 1.0))
    found = found.assign(fragment=found["query"], query=[contexts.get(qid, "") for qid in found["qid"]])
    found = ScoreColumns(context_pipelines, len(pool))(found)
    found["query"] = found.pop("fragment")
    of_fragment = ScoreFeatures([*pipelines], gap=2)(found)
    of_context = feature_matrix(ScoreFeatures([*context_pipelines], gap=2)(found))
    of_context[~found["qid"].isin(contexts.keys()).to_numpy()] = np.nan
    return add_features(add_features(of_fragment, _positions_and_lengths(split, found)), of_context)


def _pipelines(split: Split) -> dict[str, pt.Transformer]:
    """Return the rankers of paragraphs, by name."""
    content_words: Analysis = English("case", stem=False)
    pairs, triples = (Shingles(number, "case", min_df=1, max_share=1.0) for number in (2, 3))
    analysers: list[Analysis] = [content_words, pairs, triples, "characters", "case"]
    *indexes, all_words = LexicalIndex.each_from_dataset(split.id, analysers, verbose=True)
    return dict(zip(_SCORES, [*(index.tf_idf() for index in indexes), all_words.bm25(statistics="pool")]))


def fragment_contexts(split: Split) -> dict[str, str]:
    """Find the context of each fragment in its base case.

    Parameters
    ----------
    split : Split
        A split of task 2.

    Returns
    -------
    dict of str to str
        The context of each query that has one, as `fragment_context` returns it. Empty if a base case is missing.
    """
    try:
        queries = ir_datasets.load(f"{split.id}/full").queries_iter()
        contexts = {query.query_id: fragment_context(query.fragment, query.base_case) for query in queries}
    except MissingReleaseError:
        return {}
    return {query_id: context for query_id, context in contexts.items() if context}


def fragment_context(fragment: str, base_case: str) -> str:
    r"""Extract a fragment with 1,500 characters before and after it from its base case.

    Parameters
    ----------
    fragment : str
        The fragment.
    base_case : str
        The text of the base case. In 2018 it is the fragment itself, which has no context.

    Returns
    -------
    str
        The context without suppression markers and with single spaces; empty if the fragment is not found or is the
        whole base case. White space is normalised before the search.

    Examples
    --------
    >>> fragment_context("The lamp\nwas lit.", "We see FRAGMENT_SUPPRESSED. The lamp was lit.  So be it.")
    'We see . The lamp was lit. So be it.'
    >>> fragment_context("The lamp was lit.", "The gate was shut."), fragment_context("A lamp.", "A lamp.")
    ('', '')
    """
    fragment, base_case = (" ".join(text.split()) for text in (fragment, base_case))
    start = base_case.find(fragment)
    if start < 0 or len(base_case) == len(fragment):
        return ""
    on_either_side = _CONTEXT_LENGTH // 2
    context = base_case[max(start - on_either_side, 0) : start + len(fragment) + on_either_side]
    return " ".join(remove_markers(context).split())


def _positions_and_lengths(split: Split, results: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return the position of each paragraph (from 1, and relative), and logarithms of the lengths in the features."""
    lengths = {paragraph.doc_id: len(paragraph.text) for paragraph in ir_datasets.load(split.id).docs_iter()}
    positions, pool_sizes = results["position"], results.groupby("qid")["docno"].transform("size")
    counts = (pool_sizes, results["docno"].map(lengths), results["query"].str.len())
    return np.column_stack([positions, positions / pool_sizes, *map(np.log1p, counts)]).astype(np.float64)


def _has_context(candidates: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return for each candidate whether it has all features of the context."""
    return np.asarray(~np.isnan(feature_matrix(candidates)).any(axis=1), dtype=bool)


def without_context_features(candidates: pd.DataFrame) -> pd.DataFrame:
    """Remove the features of the fragment's context.

    Parameters
    ----------
    candidates : pandas.DataFrame
        Candidates of `paragraph_candidates`.

    Returns
    -------
    pandas.DataFrame
        The same rows with the other 25 features.
    """
    return add_features(candidates.drop(columns="features"), feature_matrix(candidates)[:, :-_CONTEXT_FEATURES])


def _folds(train: Split, queries: list[str]) -> Folds:
    """Return blocks of cases: one per added edition if the local copy has the official size, otherwise equal ones."""
    try:
        sizes = edition_blocks(train.id)
    except ColieeError:
        sizes = []
    if len(queries) < 2:
        raise InsufficientTrainingDataError("the train split has only one case, so none can be held out")
    return by_block(queries, sizes if sum(sizes) == len(queries) else min(_FOLDS, len(queries)))


def _note(split: Split, train: Split, chosen: HeldOutRun, uses_context: bool) -> str:
    features = "" if uses_context else ", on the fragment alone because most are not found in their base case"
    return (
        f"fitted on {train.id}{features}; cut-off {chosen.cutoff}, "
        f"chosen on held-out blocks of cases (MicroF1 {chosen.value:.4f}; {cutoff_kinds(CUTOFFS)})"
        f"{held_out_note(train, split, 'block')}"
    )
