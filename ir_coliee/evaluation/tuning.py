"""Choose a cut-off for a ranked run, and estimate its value on other queries.

The value of the best of thousands of cut-offs is too high on the queries that it was chosen on. It is therefore
reported together with the cross-validated value, and with the oracle, which is the upper limit for any cut-off.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ir_coliee.datasets.folds import exam_year
from ir_coliee.editions import SPLITS, TASK_NAMES, Dataset, Split, as_split
from ir_coliee.errors import ColieeError, ColieeWarning, MissingLabelsError
from ir_coliee.evaluation.cutoff_analysis import answers_per_query, attainable_recall, oracle
from ir_coliee.evaluation.cutoff_grid import standard_grid
from ir_coliee.evaluation.cutoff_search import fit_cutoff
from ir_coliee.evaluation.cutoff_validation import cross_validate_cutoffs
from ir_coliee.evaluation.encoded_run import EncodedRun, encode_run
from ir_coliee.evaluation.measure_ratios import measure_of_cutoffs
from ir_coliee.evaluation.rankings import Ranking, load_ranking
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.task_evaluation import EMPTY_AS_1, task_evaluation
from ir_coliee.evaluation.tuning_results import TunedCutoff, Tuning
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers.candidates.cutoffs import Cutoff, TopK

_MAX_RATIO_OF_SIZES = 2  # of the mean items per query of two splits, before there is a warning
_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def tuning_measures(split: Split) -> tuple[ColieeMeasure, ...]:
    """Return the measures that the cut-off of a split can be optimised for.

    This is the official measure; if it has two conventions, both are returned. The official accuracy of task 3 of 2026
    does not penalise superfluous articles, so the measure that breaks ties, F2, is returned instead.

    Parameters
    ----------
    split : Split
        The split that the run answers.

    Returns
    -------
    tuple of ColieeMeasure

    Raises
    ------
    ColieeError
        If the task has no cut-off.

    Examples
    --------
    >>> tuning_measures(as_split("coliee/pilot/sample/rationale/train"))
    (MacroF, MacroF(empty=1))
    """
    evaluation = task_evaluation(split)
    if evaluation.single_answer:
        raise ColieeError(
            f"{split.id} has no cut-off to tune.\n{TASK_NAMES[split.task]} has one answer per question, the label with "
            "the higher score. Tasks 1 to 3 and rationale extraction have a cut-off."
        )
    return (evaluation.measure, EMPTY_AS_1) if evaluation.unanswered == "answer" else (evaluation.measure,)


def submitted_split(split: Split) -> Split:
    """Return the test split of the edition of a split, or the split itself if it is a test split.

    Examples
    --------
    >>> submitted_split(as_split("coliee/task3/sample/en/r98")).id
    'coliee/task3/sample/en/test'
    """
    return split if split.is_test else SPLITS[f"{split.id.removesuffix(split.name)}test"]


def tune(
    dataset: Dataset,
    run: Run,
    *,
    test_run: Run | None = None,
    measure: ColieeMeasure | str | None = None,
    folds: int = 5,
    seed: int = 0,
) -> Tuning:
    """Choose the cut-off of a ranked run on a split with labels.

    The cut-offs of `ir_coliee.evaluation.cutoff_grid.standard_grid` are tried; for a file without scores, only `TopK`.
    Every query with gold is evaluated, answered or not.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split with labels, usually a train split.
    run : path, pandas.DataFrame or dict
        The ranked run: a run file (for the pilot in TREC's format), a frame with qid, docno and score, or a dict from
        query id to document id to score.
    test_run : path, pandas.DataFrame or dict, optional
        The run of the same system on the test split of the same edition. Neither this run nor its labels affect
        the choice of the cut-off. There is a `ColieeWarning` if the cut-off keeps more than twice or less than half as
        many items per query as on the other split.
    measure : ColieeMeasure or str, optional
        A set measure, or its name, without ``@k``; by default the first of `tuning_measures`.
    folds : int, default 5
        Number of folds of the cross-validation, at most the number of queries.
    seed : int, default 0
        Seed of the shuffling of the queries.

    Returns
    -------
    Tuning

    Raises
    ------
    ColieeError
        If the task has no cut-off, or if ``test_run`` is passed for a test split.
    MissingLabelsError, MalformedFileError
        As raised by `ir_coliee.evaluation.scoring.score`.
    MalformedRunError
        As raised by `ir_coliee.evaluation.scoring.score`; also if the run is empty or a score is not finite.
    ValueError
        If ``folds`` is less than 2, or if the measure cannot choose a cut-off.

    Examples
    --------
    >>> run = {"900001": {"900001_008": 2.0, "900001_001": 1.0}}
    >>> best = tune("coliee/task2/sample/train", run).best
    >>> best.cutoff, best.optimistic == 2 * 1 / (1 + 12)  # 1 found of 1 returned and 12 relevant
    (TopK(k=1), True)
    """
    split = as_split(dataset)
    official, *_ = tuning_measures(split)
    chosen = measure_of_cutoffs(official if measure is None else measure)
    if folds < 2:
        raise ValueError(f"folds must be an integer >= 2, got {folds!r}.")
    scorer = Scorer(split)
    qrels = scorer.gold
    ranking = load_ranking(scorer, run)
    on_test = None if test_run is None else load_ranking(Scorer(_test_split_for(split)), test_run)

    encoded = encode_run(ranking.frame, qrels, rel=chosen["rel"])
    grid = standard_grid(encoded)
    if not ranking.has_scores or (on_test and not on_test.has_scores):
        grid = [cutoff for cutoff in grid if isinstance(cutoff, TopK)]
    search = _Search(ranking.frame, qrels, chosen, min(folds, len(encoded.queries)), seed, _has_several_years(encoded))
    best = search.best(grid)
    items = answers_per_query({split.name: (best.cutoff(ranking.frame), qrels)}, rel=chosen["rel"])
    test = _evaluate_on_test(on_test, best.cutoff, chosen) if on_test else None
    items = pd.concat([items, test.items], ignore_index=True) if test else items
    _warn_of_other_sizes(items)
    return Tuning(
        split=split,
        measure=chosen,
        best=best,
        rules=_best_of_each_kind(search, grid),
        folds=search.folds,
        oracle=oracle(ranking.frame, qrels, chosen).value,
        perfect=float(chosen.aggregate(encoded.relevant, encoded.relevant, encoded.relevant)),
        recall=_recall_by_depth(ranking.frame, qrels, encoded.depth, chosen["rel"]),
        items=items,
        test_value=test.value if test else None,
        notes=[
            *_notes_on_split(split, chosen),
            *_notes_on_run(ranking, encoded),
            *(test.notes if test else []),
            *scorer.gold_notes,
        ],
    )


def _test_split_for(split: Split) -> Split:
    if split.is_test:
        raise ColieeError(
            f"{split.id} is a test split.\nA test run can only be passed when tuning on another split. Tune on "
            f"{split.train.id if split.train else 'the train split'} and pass the run of this split as the test run."
        )
    return submitted_split(split)


class _TestResult(NamedTuple):
    """The effect of a cut-off on the test run: rows of ``Tuning.items``, the value (if there are labels), and notes."""

    items: pd.DataFrame
    value: float | None
    notes: list[str]


def _evaluate_on_test(test: Ranking, cutoff: Cutoff, measure: ColieeMeasure) -> _TestResult:
    answers, queries, rel = cutoff(test.frame), test.scorer.checker.query_ids, measure["rel"]
    notes = [f"test run: {note}" for note in _notes_on_loading(test)]
    if unanswered := len(set(queries).difference(answers["qid"])):
        notes.append(f"test run: queries without an answer after the cut-off: {unanswered} of {len(queries)}")
    try:
        qrels = test.scorer.gold
    except MissingLabelsError:
        unjudged = pd.DataFrame({"qid": queries, "docno": "", "label": 0})  # so that unanswered queries are included
        items = answers_per_query({"test": (answers, unjudged)}, rel=rel)
        return _TestResult(items[items["items"] == "returned"], None, notes)
    encoded = encode_run(answers, qrels, rel=rel)
    value = measure.aggregate(encoded.true_positives(encoded.lengths), encoded.lengths, encoded.relevant)
    return _TestResult(answers_per_query({"test": (answers, qrels)}, rel=rel), float(value), notes)


def _warn_of_other_sizes(items: pd.DataFrame) -> None:
    """Warn if the cut-off keeps far more or fewer items of the test run than of the run that it was chosen on."""
    of_run, *of_test = items.loc[items["items"] == "returned", "mean"]
    for mean in of_test:
        if max(mean, of_run) > _MAX_RATIO_OF_SIZES * min(mean, of_run):
            message = (
                f"the cut-off keeps {mean:.2f} items per query of the test run, and {of_run:.2f} on the train split.\n"
                "The rankings may come from different systems, whose scores are not comparable. "
                "Pass the rankings of both splits by the same system."
            )
            warnings.warn(message, ColieeWarning, stacklevel=3)


@dataclass(frozen=True, eq=False)
class _Search:
    """Search for the best of several cut-offs. All searches use the same queries and folds."""

    ranking: pd.DataFrame
    qrels: pd.DataFrame
    measure: ColieeMeasure
    folds: int
    seed: int
    has_several_years: bool

    def best(self, cutoffs: Sequence[Cutoff]) -> TunedCutoff:
        run, qrels, measure = self.ranking, self.qrels, self.measure
        if self.folds < 2:
            return TunedCutoff(*fit_cutoff(run, qrels, measure, cutoffs), np.nan, np.nan)
        validated = cross_validate_cutoffs(run, qrels, measure, cutoffs, folds=self.folds, seed=self.seed)
        by_year = np.nan
        if self.has_several_years:
            by_year = cross_validate_cutoffs(run, qrels, measure, cutoffs, groups=exam_year).held_out
        return TunedCutoff(validated.cutoff, validated.optimistic, validated.held_out, by_year)


def _has_several_years(encoded: EncodedRun) -> bool:
    years = {exam_id(query_id).year for query_id in encoded.queries}
    return "" not in years and len(years) > 1


def _best_of_each_kind(search: _Search, cutoffs: Sequence[Cutoff]) -> pd.DataFrame:
    by_kind: dict[type[Cutoff], list[Cutoff]] = {}
    for cutoff in cutoffs:
        by_kind.setdefault(type(cutoff), []).append(cutoff)
    rows = [(kind.__name__, *search.best(of_kind)) for kind, of_kind in by_kind.items()]
    frame = pd.DataFrame(rows, columns=["rule", *TunedCutoff._fields])
    return frame.sort_values("optimistic", ascending=False, kind="stable", ignore_index=True)


def _recall_by_depth(ranking: pd.DataFrame, qrels: pd.DataFrame, last: int, rel: int) -> pd.DataFrame:
    return attainable_recall(ranking, qrels, [*(depth for depth in _DEPTHS if depth < last), last], rel=rel)


def _notes_on_split(split: Split, measure: ColieeMeasure) -> Iterator[str]:
    if split.is_test and split.train:
        yield (
            f"{split.id} is a test split: a cut-off tuned on its labels must not be used on it, and its value does "
            f"not generalise. Tune on {split.train.id}"
        )
    if task_evaluation(split).figures[0].needs == "answers":
        yield (
            "the official accuracy of this edition does not penalise superfluous articles, so the cut-off is chosen "
            f"for the measure that breaks ties, {measure}"
        )


def _notes_on_loading(ranking: Ranking) -> Iterator[str]:
    yield from ranking.notes
    if not ranking.has_scores:
        yield "the file has no scores, so only TopK was tried"


def _notes_on_run(ranking: Ranking, encoded: EncodedRun) -> Iterator[str]:
    yield from _notes_on_loading(ranking)
    if unanswered := int((encoded.lengths == 0).sum()):
        yield f"queries without an answer in the run, counted as unanswered: {unanswered} of {len(encoded.queries)}"
    if not encoded.hits.any():
        yield "the run contains no relevant item, so all cut-offs have the same value"
    if len(encoded.queries) < 2:
        yield "there is a single query, so no query can be held out"
    if encoded.depth > 1 and _all_tied(encoded):
        yield "all scores of a query are equal, so only TopK can separate its items"


def _all_tied(encoded: EncodedRun) -> bool:
    best = encoded.scores[:, :1]
    return bool(((encoded.scores == best) | np.isneginf(encoded.scores)).all())
