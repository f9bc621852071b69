"""Compare runs: significance, confidence interval and effect size of their differences.

Significance is tested by the paired randomization test (`ir_coliee.evaluation.statistics`) on the value of the
measure for all queries. For the pooled F1 a t-test would not be suitable, because it tests the mean of the queries' F1.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from ir_coliee.display import Block, Details, Table, cell, words
from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, ColieeWarning, MalformedRunError, printable
from ir_coliee.evaluation import statistics
from ir_coliee.evaluation.gold import TASK_EVALUATIONS
from ir_coliee.evaluation.runs import Run, Runs, named_runs
from ir_coliee.evaluation.scoring import ScoredRun, Scorer
from ir_coliee.evaluation.statistics import RunCounts
from ir_coliee.frames import ShownFrame, shown
from ir_coliee.measures import AnswerAccuracy, ColieeMeasure

#: The meaning of the columns of a comparison whose names do not say it.
COLUMNS = {
    "low, high": "95 % interval of the difference a - b, by bootstrap over the queries",
    "p": "p-value: share of swaps of the two runs' answers with at least this difference; exact: all swaps are counted",
    "p holm": "p-value with Holm's correction for the number of pairs; below .05 the difference is significant",
    "effect size": "the difference divided by the standard deviation of the queries' contributions to it",
    "differing": "number of queries whose answer sets differ",
}

#: The columns that the command `compare` prints without ``--verbose``.
MAIN_COLUMNS = ["run_a", "run_b", "value_a", "value_b", "difference", "low", "high", "p_holm"]


class Comparison(ShownFrame):
    """A `pandas.DataFrame` with one row per pair of runs, which Python and notebooks show completely.

    The columns are described at `compare_counts`.

    Attributes
    ----------
    measure : str
        The name of the measure that was compared.
    """

    _metadata = ["measure"]
    measure: str = ""

    def display(self) -> Iterator[Block]:
        """Return the table and the meaning of its columns, as `ir_coliee.display` shows them."""
        yield self.measure
        yield as_table(self)
        yield Details("Columns", Table(["column", "meaning"], [*COLUMNS.items()]))


def compare(
    dataset: Dataset,
    runs: Runs,
    *,
    measure: ColieeMeasure | None = None,
    answers: Runs | None = None,
) -> Comparison:
    """Compare every pair of runs on a split with gold labels.

    Runs are checked as by `ir_coliee.evaluation.scoring.score`. Notes on a run are issued as `ColieeWarning`. An empty
    run has the value 0.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    runs : sequence of path, pandas.DataFrame or dict; or dict from name to such a run
        Two or more answer sets. Files of a list are named by their paths, runs in memory ``run 1``, ``run 2``, ….
    measure : ColieeMeasure, optional
        The measure to compare; by default the official one. In task 3 of 2026 that is gated accuracy if
        ``answers`` are passed, otherwise the F2 that breaks ties.
    answers : sequence or dict, optional
        The answers Y and N that belong to each run of task 3 of 2026: in the order of the runs, or by their names.

    Returns
    -------
    Comparison
        A `pandas.DataFrame` with one row per pair, with the columns of `compare_counts`.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedRunError
        If a run cannot be scored.
    ValueError
        For fewer than two runs, for a measure that is not a set measure of this package, and if a run has no answers.
    TypeError
        If the runs are neither a list nor a dict.

    Examples
    --------
    >>> import ir_datasets
    >>> questions = [question.query_id for question in ir_datasets.load("coliee/task4/sample/en/test").queries_iter()]
    >>> runs = {f"always {label}": {query_id: {label: 1.0} for query_id in questions} for label in ("Y", "N")}
    >>> comparison = compare("coliee/task4/sample/en/test", runs)
    >>> comparison[["run_a", "run_b", "value_a", "value_b", "differing"]].values.tolist()
    [['always Y', 'always N', 0.5, 0.5, 20]]
    """
    split = as_split(dataset)
    if measure is not None and answers is not None:
        raise ValueError(f"{measure} does not use the answers Y and N. Omit answers= or measure=.")
    measure = TASK_EVALUATIONS[split.task].measure if measure is None else statistics.as_measure(measure)
    named = named_runs(runs)
    labels = dict.fromkeys(named) if answers is None else _answers_of_runs(named, answers)
    scorer = Scorer(split)
    scored: dict[str, ScoredRun] = {}
    for name, run in named.items():
        try:
            scored[name], remarks = scorer.match(run, answers=labels[name])
        except MalformedRunError as error:
            if isinstance(run, (str, Path)):  # the message has the path
                raise
            raise MalformedRunError(f"{printable(name)}: {error}") from error
        for note in [*remarks.warnings, *remarks.notes]:
            warnings.warn(f"{printable(name)}: {note}", ColieeWarning, stacklevel=2)
    if answers is not None:
        gated_counts = statistics.merge_run_counts({name: run.gated_counts() for name, run in scored.items()})
        comparison = compare_counts(AnswerAccuracy, gated_counts)
        comparison.measure = split.measure
        return comparison
    counts = statistics.count_runs({name: run.answer_set for name, run in scored.items()}, scorer.gold, measure)
    return compare_counts(measure, counts)


def _answers_of_runs(runs: Mapping[str, Run], answers: Runs) -> dict[str, Run]:
    """Return the answers Y and N of each run: by the names of the runs, or in their order."""
    by_name = answers if isinstance(answers, Mapping) else dict(zip(runs, answers))
    if missing := [name for name in runs if name not in by_name]:
        raise ValueError(f"answers must have an item for each run, got none for {shown(missing[0], 30)}.")
    return {name: by_name[name] for name in runs}


def compare_counts(
    measure: ColieeMeasure, counts: RunCounts, *, seed: int = 0, permutations: int = 10_000
) -> Comparison:
    """Compare every pair of runs by their counts.

    Parameters
    ----------
    measure : ColieeMeasure
        The measure to compare.
    counts : RunCounts
        The counts of two or more runs.
    seed : int, default 0
        Seed of the swaps and of the bootstrap; equal seeds give equal results.
    permutations : int, default 10000
        Number of random swaps.

    Returns
    -------
    Comparison
        A `pandas.DataFrame` with one row per pair, in the order of the runs. Apart from Holm's correction a row does
        not depend on the other runs. The columns are:

        * ``run_a``, ``run_b``: names; ``value_a``, ``value_b``: values; ``difference``: a minus b.
        * ``low``, ``high``: 95 % percentile bootstrap interval of the difference, from 10,000 resamples of queries.
        * ``p``: two-sided p-value of the randomization test, from
          `ir_coliee.evaluation.statistics.paired_p_value`. It is 1 if no query differs.
        * ``p_holm``: p corrected for the number of pairs by `ir_coliee.evaluation.statistics.holm`.
        * ``effect_size``: the difference divided by `ir_coliee.evaluation.statistics.spread`. For a mean over queries
          it is Cohen's d for paired samples. It has no unit and does not grow with the number of queries, so it is
          comparable across splits and measures. NaN if the contributions of the queries do not vary.
        * ``differing``: the number of queries whose answer sets differ, also where the measure does not; ``exact``:
          whether p counts all swaps.

    Raises
    ------
    ColieeError
        For fewer than two runs.
    ValueError
        For fewer than one permutation, and for a measure that needs other counts.
    """
    if len(counts.runs) < 2:
        raise ColieeError(f"A comparison needs at least two runs, got {len(counts.runs)}.")
    terms, swaps = counts.terms(measure), statistics.random_swaps(len(counts.query_ids), permutations, seed)
    values = statistics.quotient(*terms.sum(axis=2))
    resamples = statistics.resampled(measure, counts, seed=seed)
    rows = []
    for a, b in itertools.combinations(range(len(counts.runs)), 2):
        p, is_exact = statistics.paired_p_value(terms[:, [a, b]], swaps)
        low, high, _ = statistics.bounds(resamples[a] - resamples[b])
        answers_a, answers_b = counts.answers[a], counts.answers[b]
        rows.append(
            {
                "run_a": counts.runs[a],
                "run_b": counts.runs[b],
                "value_a": values[a],
                "value_b": values[b],
                "difference": values[a] - values[b],
                "low": low,
                "high": high,
                "p": p,
                "effect_size": (values[a] - values[b]) / statistics.spread(terms[:, [a, b]]),
                "differing": sum(answers_a.get(query) != answers_b.get(query) for query in counts.query_ids),
                "exact": is_exact,
            }
        )
    comparison = Comparison(rows)
    comparison.measure = str(measure)
    comparison.insert(list(comparison.columns).index("p") + 1, "p_holm", statistics.holm(comparison["p"].tolist()))
    return comparison


def as_table(comparison: pd.DataFrame) -> Table:
    """Format a comparison as a table with four decimals and a dash for undefined values.

    Parameters
    ----------
    comparison : pandas.DataFrame
        Some or all rows and columns of the result of `compare` or `compare_counts`.

    Returns
    -------
    Table

    Examples
    --------
    >>> as_table(pd.DataFrame([{"run_a": "bm25", "difference": 0.12345, "p": 0.00001, "exact": False}])).rows
    [['bm25', '0.1235', '<0.0001', 'no']]
    """
    names = [str(name) for name in comparison.columns]
    rows = [[_as_text(name, value) for name, value in zip(names, row)] for row in comparison.to_numpy(object)]
    return Table([*map(words, names)], rows, fold=["run a", "run b"], key=2)


def _as_text(column: str, value: object) -> str:
    if column in ("p", "p_holm") and isinstance(value, float) and value < 0.00005:
        return "<0.0001"
    return cell(value) or "-"
