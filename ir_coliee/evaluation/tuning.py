"""Choose a cut-off for a ranked run, and estimate its value on other queries.

The value of the best of thousands of cut-offs is too high on the queries that it was chosen on. It is therefore
reported together with the cross-validated value, and with the oracle, which is the upper limit for any cut-off.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from ir_coliee.display import Block, Heading, Preformatted, Table, displayed
from ir_coliee.editions import SPLITS, TASK_NAMES, Dataset, Split, as_split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedRunError
from ir_coliee.evaluation import cutoffs
from ir_coliee.evaluation.cutoffs import EncodedRun, TunedCutoff
from ir_coliee.evaluation.gold import EMPTY_AS_1, TASK_EVALUATIONS
from ir_coliee.evaluation.runs import Run, load_run, run_name, without_own_cases
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.evaluation.statistics import measure_of_cutoffs, quotient
from ir_coliee.frames import Floats, sort_results
from ir_coliee.measures import ColieeMeasure
from ir_coliee.text.statutes import exam_id
from ir_coliee.transformers.candidates.cutoffs import Cutoff

# Load a ranked run and check it, for everything that chooses or applies a cut-off or combines runs.


class Ranking(NamedTuple):
    """A ranked run that has been checked.

    Attributes
    ----------
    scorer : Scorer
        The split that the run answers, with its checks and its gold labels.
    name : str
        The name of the run in messages.
    frame : pandas.DataFrame
        The columns qid, docno, score and rank, sorted, without unknown queries, repeated items and, in task 1, the
        query itself. The ids are categories, which are fast to encode.
    has_scores : bool
        Whether the run has scores; if not, the scores in the frame only reproduce the order.
    tag : str
        The tag of the first line of a file; empty if it has none.
    notes : list of str
        Notes on answers that are ignored, dropped or counted as wrong.
    """

    scorer: Scorer
    name: str
    frame: pd.DataFrame
    has_scores: bool
    tag: str
    notes: list[str]

    def cut(self, cutoff: Cutoff) -> pd.DataFrame:
        """Return the answer set that a cut-off selects. Raises `ColieeError` if it needs scores and there are none."""
        cutoffs.usable_cutoffs([cutoff], self.has_scores, self.name)
        return cutoff(self.frame)


def load_ranking(scorer: Scorer, run: Run, name: str = "") -> Ranking:
    """Load a ranked run of any form.

    Parameters
    ----------
    scorer : Scorer
        Of the split that the run answers; the labels are not read.
    run : path, pandas.DataFrame or dict
        The run; see `ir_coliee.evaluation.runs.load_run`.
    name : str, optional
        The name of the run in messages; by default its path, or "the run" for one in memory.

    Returns
    -------
    Ranking

    Raises
    ------
    MalformedFileError
        If the file cannot be read.
    MalformedRunError
        If the run is empty or has no result that counts, or as raised by
        `ir_coliee.evaluation.checks.RunChecker.check`.
    ColieeError
        If the task has one answer per question instead of a ranking.
    """
    split = scorer.split
    if scorer.evaluation.single_answer:
        reason = f"{TASK_NAMES[split.task]} has one answer per question"
        raise ColieeError(f"{split.id} has no rankings.\n{reason}. Combine its runs with `ir_coliee vote`.")
    name = name or run_name(run)
    try:
        loaded = load_run(split, run)
        notes = scorer.checker.check(loaded.frame)
    except MalformedRunError as error:
        raise MalformedRunError(f"{name}: {error}") from None
    frame = loaded.frame[loaded.frame["qid"].isin(scorer.checker.query_ids)]
    frame = sort_results(frame.assign(score=pd.to_numeric(frame["score"]).astype(np.float64)))
    if (repeated := frame.duplicated(["qid", "docno"])).any():
        frame = sort_results(frame[~repeated])
    frame, dropped = without_own_cases(split, frame)
    notes += [*loaded.notes, *dropped]
    if frame.empty:
        problem = "\n".join(["has no result that counts.", *notes]) if notes else "is empty."
        raise MalformedRunError(f"{name} {problem}\nExpected: a ranking of the queries of {split.id}.")
    frame = frame.astype({"qid": "category", "docno": "category"})
    return Ranking(scorer, name, frame, loaded.has_scores, loaded.tag, notes)


# The results of tuning a cut-off: the best cut-offs, their values, and the limits set by the ranking.


_COLUMNS = {"cutoff": "cut-off", "held_out": "held out", "by_year": "by exam year"}


@displayed
@dataclass(frozen=True, eq=False)
class Tuning:
    """The best cut-off of a run on a split, with its expected value.

    Attributes
    ----------
    split : Split
        The split with the labels.
    measure : ColieeMeasure
        The measure that was maximised.
    best : TunedCutoff
        The best of all cut-offs that were tried.
    tried : int
        The number of cut-offs that were tried.
    rules : pandas.DataFrame
        The best cut-off of each kind, sorted by value: ``rule`` and the fields of `TunedCutoff`.
    folds : int
        Number of folds of the cross-validation.
    oracle : float
        The value if each query is cut at the rank that is best for the measure: the upper limit for any cut-off.
    perfect : float
        The value of a perfect answer set, which is the gold itself.
    recall : pandas.DataFrame
        Recall at several depths, up to the length of the run, from
        `ir_coliee.evaluation.cutoffs.attainable_recall`.
    items : pandas.DataFrame
        The mean numbers of relevant items (``gold``) and of ``returned`` items per query of this ``split``. A cut-off
        transfers to another split only as far as these are similar: in 2023 the mean number of noticed cases fell from
        4.67 in the train split to 2.69 in the test split.
    notes : list of str
        Notes to report with the values.
    """

    split: Split
    measure: ColieeMeasure
    best: TunedCutoff
    tried: int
    rules: pd.DataFrame
    folds: int
    oracle: float
    perfect: float
    recall: pd.DataFrame
    items: pd.DataFrame
    notes: list[str]

    @property
    def lost_by_ranking(self) -> float:
        """The difference between a perfect answer set and the oracle. No cut-off can recover it."""
        return self.perfect - self.oracle

    @property
    def lost_by_cutting(self) -> float:
        """The difference between the oracle and the value of the best cut-off."""
        return self.oracle - self.best.optimistic

    def display(self) -> Iterator[Block]:
        """Return the figures and the notes, as `ir_coliee.display` shows them."""
        yield from self.figures()
        yield from (f"note: {note}" for note in self.notes)

    def main_figures(self) -> Iterator[Block]:
        """Yield the best cut-off and its values, as `ir_coliee.display` shows them."""
        yield Heading(f"best cut-off for {self.measure}, of {self.tried} tried")
        yield Preformatted(repr(self.best.cutoff))
        yield f"{self.best.optimistic:.4f} on the queries that it was chosen on (optimistic)"
        if not math.isnan(self.best.held_out):
            yield f"{self.best.held_out:.4f} on held-out queries, each fold cut by the best of the others"
        if not math.isnan(self.best.by_year):
            yield f"{self.best.by_year:.4f} on held-out exam years, each cut by the best of the others"
        lost = f"lost by ranking: {self.lost_by_ranking:.4f}; lost by cutting: {self.lost_by_cutting:.4f}"
        yield f"oracle, with the best cut of each query: {self.oracle:.4f}; {lost}"

    def figures(self) -> Iterator[Block]:
        """Yield the main figures, the best cut-off of each kind, and the limits set by the ranking."""
        yield from self.main_figures()
        yield Heading("best of each kind, of the cut-offs tried")
        yield "The best cut-off has the highest optimistic value."
        rules = self.rules.drop(columns="rule").dropna(axis="columns").rename(columns=_COLUMNS)
        yield Table.of_frame(rules)._replace(fold=rules.columns[:1])
        yield Heading("attainable recall at each depth, of all relevant items (MicroR) and averaged (MacroR)")
        yield Table.of_frame(self.recall)
        yield Heading("mean items per query")
        yield Table.of_frame(self.items)

    def __repr__(self) -> str:
        return str(self)

    def record(self) -> dict[str, Any]:
        """Return all results as values that JSON can represent: cut-offs as Python code, None for NaN."""
        record = {
            "id": self.split.id,
            "measure": str(self.measure),
            "best": {**self.best._asdict(), "cutoff": repr(self.best.cutoff)},
            "tried": self.tried,
            "rules": self.rules.assign(cutoff=self.rules["cutoff"].map(repr)).to_dict("records"),
            "folds": self.folds,
            "oracle": self.oracle,
            "perfect": self.perfect,
            "lost_by_ranking": self.lost_by_ranking,
            "lost_by_cutting": self.lost_by_cutting,
            "recall": self.recall.to_dict("records"),
            "items": self.items.to_dict("records"),
            "notes": self.notes,
        }
        return cast(dict[str, Any], _replace_nan(record))


def _replace_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _replace_nan(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_nan(each) for each in value]
    return None if value != value else value


# Choose a cut-off for a ranked run, and estimate its value on other queries.


_MAX_RATIO_OF_SIZES = 2  # of the mean items per query of two splits, before there is a warning
_FOLDS = 5  # of the cross-validation, or as many as there are queries
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
    evaluation = TASK_EVALUATIONS[split.task]
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


def tune(dataset: Dataset, run: Run, *, measure: ColieeMeasure | None = None) -> Tuning:
    """Choose the cut-off of a ranked run on a split with labels.

    The cut-offs of `ir_coliee.evaluation.cutoffs.standard_grid` are tried; for a run without scores, only `TopK`.
    Every query with gold is evaluated, answered or not.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        A split with labels, usually a train split.
    run : path, pandas.DataFrame or dict
        The ranked run: a run file (for the pilot in TREC's format), a frame with qid, docno and score, or a dict from
        query id to document id to score.
    measure : ColieeMeasure, optional
        A set measure without ``@k``; by default the first of `tuning_measures`.

    Returns
    -------
    Tuning

    Raises
    ------
    ColieeError
        If the task has no cut-off.
    MissingLabelsError, MalformedFileError
        As raised by `ir_coliee.evaluation.scoring.score`.
    MalformedRunError
        As raised by `ir_coliee.evaluation.scoring.score`; also if the run is empty or a score is not finite.
    ValueError
        If the measure cannot choose a cut-off.

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
    scorer = Scorer(split)
    qrels = scorer.gold
    ranking = load_ranking(scorer, run)

    encoded = cutoffs.encode_run(ranking.frame, qrels, rel=chosen["rel"])
    grid = cutoffs.standard_grid(encoded, ranking.has_scores)
    folds = min(_FOLDS, len(encoded.queries))
    sums = _sums(encoded, chosen, grid, folds)
    best = _best_of(grid, *sums)
    answers = cutoffs.encode_run(best.cutoff(ranking.frame), qrels, rel=chosen["rel"])
    depths = [*(depth for depth in _DEPTHS if depth < encoded.depth), encoded.depth]
    return Tuning(
        split=split,
        measure=chosen,
        best=best,
        tried=len(grid),
        rules=_best_of_each_kind(grid, *sums),
        folds=folds,
        oracle=cutoffs.oracle(qrels, ranking.frame, chosen).value,
        perfect=float(chosen.aggregate(encoded.relevant, encoded.relevant, encoded.relevant)),
        recall=cutoffs.attainable_recall(qrels, ranking.frame, depths, rel=chosen["rel"]),
        items=pd.DataFrame(
            {"split": [split.name], "gold": [answers.relevant.mean()], "returned": [answers.lengths.mean()]}
        ),
        notes=[*_notes_on_split(split, chosen), *_notes_on_run(ranking, encoded), *scorer.gold_notes],
    )


def warn_of_other_sizes(tuning: Tuning, answers: pd.DataFrame, num_queries: int) -> None:
    """Warn if a cut-off keeps far more or fewer items of the test run than of the run that it was chosen on."""
    of_run, of_test = tuning.items["returned"].item(), len(answers) / num_queries
    if max(of_test, of_run) > _MAX_RATIO_OF_SIZES * min(of_test, of_run):
        message = (
            f"the cut-off keeps {of_test:.2f} items per query of the test run, and {of_run:.2f} on the train split.\n"
            "The rankings may come from different systems, whose scores are not comparable. "
            "Pass the rankings of both splits by the same system."
        )
        warnings.warn(message, ColieeWarning, stacklevel=2)


def _sums(encoded: EncodedRun, measure: ColieeMeasure, grid: Sequence[Cutoff], folds: int) -> tuple[Floats, Floats]:
    """Return the terms of each cut-off, summed over random folds, and over exam years or all queries."""
    by_fold = cutoffs.cutoff_sums(
        encoded, measure, grid, cutoffs.shuffled_groups(encoded, folds, seed=0) if folds > 1 else None
    )
    years = [exam_id(query_id).year for query_id in encoded.queries]
    if "" in years or len(set(years)) < 2:
        return by_fold, by_fold.sum(axis=2, keepdims=True)
    return by_fold, cutoffs.cutoff_sums(encoded, measure, grid, years)


def _best_of(grid: Sequence[Cutoff], by_fold: Floats, by_year: Floats, kind: type[Cutoff] | None = None) -> TunedCutoff:
    """Return the best cut-off of a grid, or of a kind in it, with its values."""
    rows = [row for row, cutoff in enumerate(grid) if kind in (None, type(cutoff))]
    values = quotient(*by_fold[:, rows].sum(axis=2))
    best = cutoffs.index_of_best(values)
    held_out, of_years = (
        cutoffs.held_out_value(sums[:, rows]) if sums.shape[2] > 1 else np.nan for sums in (by_fold, by_year)
    )
    return TunedCutoff(grid[rows[best]], float(values[best]), held_out, of_years)


def best_of_each_kind(run: Run, qrels: pd.DataFrame, measure: ColieeMeasure) -> pd.DataFrame:
    """Return the best cut-off of each kind in `ir_coliee.evaluation.cutoffs.standard_grid`.

    Parameters
    ----------
    run : pandas.DataFrame or dict
        The ranked run.
    qrels : pandas.DataFrame
        The gold of its queries.
    measure : ColieeMeasure
        A set measure.

    Returns
    -------
    pandas.DataFrame
        A row for each kind, ``rule``, with the fields of `TunedCutoff`; the highest optimistic value first.
    """
    encoded = cutoffs.encode_run(run, qrels, rel=measure["rel"])
    grid = cutoffs.standard_grid(encoded)
    return _best_of_each_kind(grid, *_sums(encoded, measure, grid, min(_FOLDS, len(encoded.queries))))


def _best_of_each_kind(grid: Sequence[Cutoff], by_fold: Floats, by_year: Floats) -> pd.DataFrame:
    rows = [(kind.__name__, *_best_of(grid, by_fold, by_year, kind)) for kind in dict.fromkeys(map(type, grid))]
    frame = pd.DataFrame(rows, columns=["rule", *TunedCutoff._fields])
    return frame.sort_values("optimistic", ascending=False, kind="stable", ignore_index=True)


def _notes_on_split(split: Split, measure: ColieeMeasure) -> Iterator[str]:
    if split.is_test and split.train:
        reason = "a cut-off tuned on its labels must not be used on it, and its value does not generalise"
        yield f"{split.id} is a test split: {reason}. Tune on {split.train.id}"
    if split.measure == "GatedAccuracy":
        reason = "the official accuracy of this edition does not penalise superfluous articles"
        yield f"{reason}, so the cut-off is chosen for the measure that breaks ties, {measure}"


def _notes_on_run(ranking: Ranking, encoded: EncodedRun) -> Iterator[str]:
    yield from ranking.notes
    if not ranking.has_scores:
        yield "the run has no scores, so only TopK was tried"
    if unanswered := int((encoded.lengths == 0).sum()):
        yield f"queries without an answer in the run, counted as unanswered: {unanswered} of {len(encoded.queries)}"
