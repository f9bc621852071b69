"""Task 1 learned: gradient boosting over words, quotations and the competition for a decision.

What is learned is kept below the data folder, as indexes are, and learned anew when the copy has changed. Everything
that could be decided in more than one way is decided on the train split's labels, by queries that were held out.
"""

from __future__ import annotations

import os
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import pyterrier as pt

from ir_coliee._version import __version__
from ir_coliee.baselines.case_search import ANALYSERS, CaseSearch
from ir_coliee.baselines.learned import labelled_train, learner
from ir_coliee.baselines.learned_cases import (
    FORMAT_VERSION,
    SECOND_ROUND,
    LearnedCases,
    Lesson,
    loaded,
    second_round,
    with_probabilities,
    write,
)
from ir_coliee.baselines.runs import BaselineRun, NotLearned, same_labels, topics, warning
from ir_coliee.datasets.folds import Folds, by_block
from ir_coliee.editions import Split
from ir_coliee.errors import ColieeError, ColieeHint
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.evaluation.encoded_run import encode
from ir_coliee.measures import MicroF1
from ir_coliee.progress import shown_if
from ir_coliee.releases import cache
from ir_coliee.releases.corpus_files import CorpusFiles, training_files
from ir_coliee.text.analysers import version
from ir_coliee.transformers import ExpectedFCutoff, RatioCutoff, ThresholdCutoff, boosted_classifier
from ir_coliee.transformers.candidates.cutoffs import Cutoff
from ir_coliee.transformers.features.features import feature_matrix, feature_names
from ir_coliee.transformers.features.learning import labels_of, refuse_one_sided

_CACHED = "learned"
_BLOCKS = 3  # of queries that follow each other: editions do, and another edition is what comes

#: Families of cut-offs. The recipe's own comes first, and wins where others are as good.
CUTOFFS: tuple[Sequence[Cutoff], ...] = (
    [ThresholdCutoff(percent / 100, min_items=1, max_items=10) for percent in (10, *range(2, 61))],
    [
        RatioCutoff(ratio, threshold=percent / 100, min_items=1, max_items=10)
        for ratio in (0.1, 0.2, 0.3, 0.4, 0.5)
        for percent in range(2, 41, 2)
    ],
    [ExpectedFCutoff(1.0, average="micro", min_items=1, max_items=10)],
)


def cases(split: Split) -> list[BaselineRun]:
    """The candidates by the probability that they are noticed, cut, as the train split teaches it.

    Raises `NotLearned` where there are no labels, or too few to learn from, and `MissingExtraError` without LightGBM.
    """
    train, gold = labelled_train(split)
    asked = topics(split)
    boosted_classifier()  # what is missing is said before the computation
    with ThreadPoolExecutor(1) as beside:
        search = beside.submit(CaseSearch, split)
        learned = _kept(train, partial(_learn_from, train, gold, search if same_labels(train, split) else None))
        found = search.result()
        run = (found.candidates(learned.filters) >> found.features >> learned)(asked)
    run = run.drop(columns=["features", *found.names])
    return [BaselineRun("learned", learned.cutoff(run), run, _notes(learned.lesson, warning(train, split)))]


def learn(search: CaseSearch, gold: pd.DataFrame) -> LearnedCases:
    """Learn from all queries of a split with their gold (qid, docno, label).

    Raises `NotLearned` where there is too little to learn from, `MissingExtraError` without LightGBM.
    """
    asked = topics(search.split)
    if len(asked) < 2:
        raise NotLearned(f"{search.split.id} has one query only, and nothing could be held out")
    filters, share = search.best_filters(asked, gold)
    candidates = (search.candidates(filters) >> search.features)(asked)
    folds = by_block(asked["qid"].tolist(), min(_BLOCKS, len(asked)))
    try:
        ways = _ways(candidates, feature_names(search.features), gold, folds)
        values = [_transferred(way, gold, folds) for way in ways]
        best = ways[values.index(max(values))]
        rounds = _at_once(lambda each: _trees(each, gold), best.rounds, "learning from all")
    except ColieeError as error:
        raise NotLearned(f"{search.split.id} is too small: {error}") from None
    cutoff, found = fit_cutoff(best.run, gold, MicroF1, best.family)
    if not found > 0:
        raise NotLearned(f"nothing is found on {search.split.id}")
    learned_from = search.split.id, training_files(search.split).fingerprint
    return LearnedCases(Lesson(best.rounds[0].names, tuple(rounds), filters, share, cutoff, max(values), *learned_from))


class _Round(NamedTuple):
    """Candidates with features, and the names of these."""

    candidates: pd.DataFrame
    names: tuple[str, ...]


class _Way(NamedTuple):
    """What one or two rounds learn from, the scores of train queries that were held out, and a family of cut-offs."""

    rounds: tuple[_Round, ...]
    run: pd.DataFrame
    family: Sequence[Cutoff]


def _ways(candidates: pd.DataFrame, names: Sequence[str], gold: pd.DataFrame, folds: Folds) -> list[_Way]:
    """All that is tried, the plainest first. A second round takes three blocks: one is held out of both rounds."""
    first = _Round(candidates, tuple(names))
    run = _held_out(first, gold, folds)
    ways: list[tuple[tuple[_Round, ...], pd.DataFrame]] = [((first,), run)]
    if len(set(folds.values())) > 2:
        second = _second_of(run, names)
        ways.append(((first, second), _held_out_of_both(first, run, gold, folds)))
    return [_Way(rounds, scored, family) for rounds, scored in ways for family in CUTOFFS]


def _second_of(run: pd.DataFrame, names: Sequence[str]) -> _Round:
    return _Round(second_round(run), (*names, *SECOND_ROUND))


def _learn_from(train: Split, gold: pd.DataFrame, search: Future[CaseSearch] | None) -> LearnedCases:
    return learn(search.result() if search else CaseSearch(train), gold)


def _held_out(given: _Round, gold: pd.DataFrame, folds: Folds) -> pd.DataFrame:
    """The candidates, each query's scored by what was learned from the other blocks."""

    def scored(split: tuple[list[str], list[str]]) -> pd.DataFrame:
        rows = given.candidates
        seen, unseen = (rows[rows["qid"].isin(queries)].reset_index(drop=True) for queries in split)
        return with_probabilities(unseen, loaded(_trees(_Round(seen, given.names), gold)), unseen)

    return pd.concat(_at_once(scored, [*folds.splits()], "learning"), ignore_index=True)


def _held_out_of_both(first: _Round, run: pd.DataFrame, gold: pd.DataFrame, folds: Folds) -> pd.DataFrame:
    """The candidates by two rounds, neither of which has seen a label of the query's block.

    ``run``: by the first round. What the second learns from was scored without the block, too.
    """

    def of(rows: pd.DataFrame, queries: Sequence[str]) -> pd.DataFrame:
        return rows[rows["qid"].isin(queries)].reset_index(drop=True)

    blocks = []
    for seen, unseen in folds.splits():
        others = Folds({qid: folds[qid] for qid in seen})
        lesson = _second_of(_held_out(_Round(of(first.candidates, seen), first.names), gold, others), first.names)
        asked = of(run, unseen)
        blocks.append(with_probabilities(asked, loaded(_trees(lesson, gold)), second_round(asked)))
    return pd.concat(blocks, ignore_index=True)


def _trees(given: _Round, gold: pd.DataFrame) -> str:
    """What is learned from candidates, in LightGBM's text form, which rounds nothing."""
    labels = labels_of(given.candidates, gold)
    refuse_one_sided(labels)
    features = feature_matrix(given.candidates)
    fitted = learner(given.candidates).learner.fit(features, labels > 0, feature_name=[*given.names])
    trees: str = fitted.booster_.model_to_string()
    return trees


def _at_once(work: Callable[[Any], Any], tasks: Sequence[Any], words: str) -> list[Any]:
    """The results of tasks, as many at a time as there are cores: a learner has one thread, and is the same for it."""
    with ThreadPoolExecutor(min(len(tasks), os.cpu_count() or 1)) as threads:
        return list(pt.tqdm(threads.map(work, tasks), desc=words, total=len(tasks), **shown_if(True)))


def _transferred(way: _Way, gold: pd.DataFrame, folds: Folds) -> float:
    """The micro F1 where each block is cut by the member of a family that is best on the other blocks."""

    def cut(split: tuple[list[str], list[str]]) -> pd.DataFrame:
        seen, unseen = (way.run[way.run["qid"].isin(queries)] for queries in split)
        return fit_cutoff(seen, gold[gold["qid"].isin(split[0])], MicroF1, way.family).cutoff(unseen)

    encoded = encode(pd.concat(map(cut, folds.splits())), gold)
    return float(MicroF1.aggregate(encoded.found(encoded.lengths), encoded.lengths, encoded.relevant))


def _kept(train: Split, make: Callable[[], LearnedCases]) -> LearnedCases:
    """What was learned from the train split: from the cache, or made and put there.

    What a password protects leaves nothing in the cache, as with indexes. An entry that is damaged is passed over, with
    a `ColieeHint`.
    """
    files = training_files(train)
    if files.locked:
        return make()
    key = _key(train, files)
    try:
        if entry := cache.find(_CACHED, key, files.origin):
            return LearnedCases(entry)
    except ColieeError as error:
        message = f"The cache is damaged, and is done without. `ir_coliee purge` deletes it. {error}"
        warnings.warn(message, ColieeHint, stacklevel=2)
    learned = make()
    cache.entry(_CACHED, key, files.origin, partial(write, learned.lesson))
    return learned


def _key(train: Split, files: CorpusFiles) -> str:
    """The key in the cache: it changes with all that is learned from, and with the rules by which it is."""
    import lightgbm

    rules = (FORMAT_VERSION, __version__, lightgbm.__version__, unicodedata.unidata_version, *map(version, ANALYSERS))
    return cache.key_of((train.id, files.fingerprint, *rules))


def _notes(lesson: Lesson, optimistic: str) -> list[str]:
    """What was decided, and on what."""
    rounds = "one round" if len(lesson.rounds) == 1 else "two rounds"
    held_out = f"the best on blocks of its queries that were held out (MicroF1 {lesson.value:.4f} there)"
    among = f"{lesson.share:.3f} of the noticed cases of its latest train queries are among them"
    return [
        f"learned from {lesson.split} in {rounds}; cut-off {lesson.cutoff!r}, {held_out}{optimistic}",
        f"candidates: {lesson.filters}; {among}",
    ]
