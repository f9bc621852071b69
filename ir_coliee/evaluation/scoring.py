"""The official figures of a run, their confidence interval, and the run's place on the leaderboard."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field

import pandas as pd

from ir_coliee.display import Block, Details, Table, WarningText, displayed
from ir_coliee.editions import Dataset, as_split
from ir_coliee.errors import ColieeError, MissingLabelsError
from ir_coliee.evaluation.gold import scored_gold
from ir_coliee.evaluation.intervals import Interval, interval
from ir_coliee.evaluation.leaderboard_places import Place, place_on
from ir_coliee.evaluation.leaderboards import Leaderboard, leaderboards
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.evaluation.run_checks import RunChecker
from ir_coliee.evaluation.run_counts import RunCounts
from ir_coliee.evaluation.runs.format_rules import MAX_LIST_LENGTH, answers_split
from ir_coliee.evaluation.runs.in_memory import Run
from ir_coliee.evaluation.score_notes import Remarks, note_on_leaderboard, notes_on_gold, notes_on_missing_figures
from ir_coliee.evaluation.score_table import as_table
from ir_coliee.evaluation.score_warnings import warnings_on_ranks, warnings_on_run, warnings_on_unanswered
from ir_coliee.evaluation.scored_run import ScoredRun
from ir_coliee.evaluation.unseen_scores import SeenQueries, UnseenScore, seen_queries, unseen_score
from ir_coliee.frames import sort_results
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.measures.base import ColieeMeasure
from ir_coliee.releases.local_release import LocalRelease


@displayed
@dataclass(frozen=True, eq=False)
class Scores:
    """The figures of a run with their interval, place and notes. Python and notebooks show them as a table.

    Attributes
    ----------
    figures : dict of str to float
        Values by the columns of the official table; the first one ranks the runs. Shares are in [0, 1]. Figures
        that need a file that was not passed are left out.
    interval : Interval or None
        95 % bootstrap interval of the first figure over the queries; None if that figure is left out.
    place : Place or None
        Place among the official runs. None for train splits and synthetic data, and where the edition has no
        leaderboard.
    per_query : pandas.DataFrame
        The columns query_id, tp, returned, relevant, and the value of the official measure under its name.
    notes : list of str
        Notes on the run.
    gold_notes : list of str
        Notes on the gold labels and on the leaderboard, which are the same for all runs.
    warnings : list of str
        Signs that the run is incomplete or was not meant as an answer set, to be read before the figures.
    unseen : UnseenScore or None
        The first figure without the queries that are labelled in the train split too. None if there are none, or if
        the texts of the two splits are not at hand.
    """

    figures: dict[str, float]
    interval: Interval | None
    place: Place | None
    per_query: pd.DataFrame
    notes: list[str]
    gold_notes: list[str]
    warnings: list[str] = field(default_factory=list)
    unseen: UnseenScore | None = None

    def display(self) -> Iterator[Block]:
        """Return the warnings, the figures, the notes and the place, as `ir_coliee.display` shows them."""
        yield from map(WarningText, self.warnings)
        table = as_table({"": self})
        yield Table(table.header[1:], [row[1:] for row in table.rows])
        yield from self.notes
        if self.unseen is not None:
            yield str(self.unseen)
        if self.place is not None:
            yield f"{self.place.sentence}. {self.place.note}"
        yield from self.gold_notes
        yield Details(f"{len(self.per_query)} queries", Table.of_frame(self.per_query))

    def __repr__(self) -> str:
        return str(self)


def score(
    dataset: Dataset,
    run: Run,
    *,
    long_list: Run | None = None,
    answers: Run | None = None,
) -> Scores:
    """Compute the official figures of a run, as the organisers compute them.

    Every query with gold is included, answered or not. Gold items count as relevant even if the local release does not
    contain the document.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the run answers.
    run : path, pandas.DataFrame or dict
        The answer set: a run file, a frame with qid, docno and score, or a dict from query id to document id to score.
    long_list : path, pandas.DataFrame or dict, optional
        The long list of task 3, on which MAP and R@k are computed.
    answers : path, pandas.DataFrame or dict, optional
        The answers Y and N that belong to a run of task 3 of 2026.

    Returns
    -------
    Scores

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedFileError
        If a file cannot be read.
    MalformedRunError
        If ids are not strings, if fewer than half of the query ids are known, or if a question has two different
        answers.
    ColieeError
        If ``long_list`` or ``answers`` is passed for a task that does not use it.

    Examples
    --------
    >>> run = {"R99-01-A": {"Y": 1.0}}  # the first of twenty questions is answered, correctly
    >>> score("coliee/task4/sample/en/test", run).figures
    {'accuracy': 0.05, 'correct': 1}
    """
    return Scorer(dataset).score(run, long_list=long_list, answers=answers)


class Scorer:
    """Score several runs of a split. Its queries and gold labels are read only once.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split that the runs answer.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.split = as_split(dataset)
        self.checker = RunChecker(self.split)
        self.evaluation = self.checker.evaluation

    def score(self, run: Run, *, long_list: Run | None = None, answers: Run | None = None) -> Scores:
        """Compute the figures of a run; arguments, result and errors are those of the function `score`."""
        return self.compute(*self.match(run, long_list=long_list, answers=answers))

    def compute(self, scored: ScoredRun, remarks: Remarks) -> Scores:
        """Compute the figures of a run that `match` has read."""
        figures = self.figures(scored)
        return Scores(
            figures=figures,
            interval=self._interval(scored),
            place=self._place(figures),
            per_query=self._per_query(scored),
            notes=[*remarks.notes, *notes_on_missing_figures(self.evaluation.figures, _available(scored))],
            gold_notes=[*note_on_leaderboard(self.leaderboard, self.gold), *self.gold_notes, *self._seen.notes],
            warnings=remarks.warnings,
            unseen=self._unseen(scored),
        )

    def figures(self, scored: ScoredRun) -> dict[str, float]:
        """Compute the columns of the official table, without those that need a file that was not passed."""
        available = _available(scored)
        return {figure.label: figure.compute(scored) for figure in self.evaluation.figures if figure.needs in available}

    def official_counts(self, scored: ScoredRun) -> tuple[ColieeMeasure, RunCounts] | None:
        """Return the measure and the counts of the official figure; None if it needs a file that was not passed."""
        if not self.uses("answers"):
            return self.evaluation.measure, scored.counts
        return None if scored.is_correct is None else (AnswerAccuracy, scored.gated_counts())

    def match(self, run: Run, *, long_list: Run | None = None, answers: Run | None = None) -> tuple[ScoredRun, Remarks]:
        """Check a run and combine it with the gold; arguments and errors are those of the function `score`.

        Returns
        -------
        scored : ScoredRun
            The run with the gold.
        remarks : Remarks
            Warnings and notes on the run.
        """
        self._check_extra_files(long_list, answers)
        loaded, notes = self.checker.load(run)
        answer_set = loaded.frame
        warnings = [
            *warnings_on_run(self.checker, answer_set, self.gold),
            *warnings_on_ranks(loaded, self.gold, self.split),
        ]
        remarks = Remarks(warnings, notes)
        ranking = is_correct = None
        if long_list is not None:
            ranking, of_ranking = self._load_ranking(long_list)
            remarks.add("long list", of_ranking)
        if answers is not None:
            is_correct, of_answers = self._load_answers(answers)
            remarks.add("answers", of_answers)
        scored = ScoredRun(answer_set, self.gold, self.evaluation.measure, ranking, is_correct, loaded.has_scores)
        return scored, remarks

    def uses(self, needs: str) -> bool:
        """Return whether a figure needs the ``ranking`` before the cut-off, or the ``answers`` Y and N."""
        return any(figure.needs == needs for figure in self.evaluation.figures)

    @functools.cached_property
    def gold(self) -> pd.DataFrame:
        """The gold of all scored queries, from `ir_coliee.evaluation.gold.scored_gold`."""
        return scored_gold(self.split)

    @functools.cached_property
    def gold_notes(self) -> list[str]:
        """Notes on the gold labels, which do not depend on a run."""
        return notes_on_gold(self.checker, self.gold)

    def _check_extra_files(self, long_list: Run | None, answers: Run | None) -> None:
        for needs, file, advice in (
            ("ranking", long_list, "a long list.\nOmit --long (long_list=)"),
            ("answers", answers, "answers Y and N.\nOmit --answers (answers=)"),
        ):
            if file is not None and not self.uses(needs):
                raise ColieeError(f"{self.split.id} has no measure that uses {advice}.")

    def _load_ranking(self, long_list: Run) -> tuple[pd.DataFrame, Remarks]:
        """Return the long list, truncated to the official length, and remarks on it."""
        loaded, notes = self.checker.load(long_list)
        distinct = sort_results(loaded.frame).drop_duplicates(["qid", "docno"])
        allowed = distinct.groupby("qid", sort=False, observed=True).head(MAX_LIST_LENGTH)
        if ignored := len(distinct) - len(allowed):
            notes.append(f"items beyond the first {MAX_LIST_LENGTH} of a query, ignored: {ignored}")
        if tied := int(allowed.duplicated(["qid", "score"]).sum()):
            notes.append(f"tied scores: {tied}; they are ordered by rank, but trec_eval orders them by document id")
        ranks = allowed.groupby("qid", sort=False, observed=True).cumcount()
        remarks = Remarks(warnings_on_unanswered(self.checker, allowed, self.gold["query_id"]), notes)
        return allowed.assign(score=-ranks.astype(float)), remarks

    def _load_answers(self, answers: Run) -> tuple[dict[str, bool], Remarks]:
        """Return for each scored question whether its answer is correct, and remarks on the answers."""
        scorer = Scorer(answers_split(self.split))
        loaded, notes = scorer.checker.load(answers)
        frame = loaded.frame
        remarks = Remarks(warnings_on_run(scorer.checker, frame, scorer.gold), notes)
        counts = ScoredRun(frame, scorer.gold, AnswerAccuracy).counts
        is_correct = dict(zip(counts.query_ids, (counts.tp[0] == 1).tolist()))
        missing = [query_id for query_id in self.gold["query_id"].unique() if query_id not in is_correct]
        if missing:
            raise MissingLabelsError(
                f"{scorer.split.id} has no labels for {len(missing)} questions of task 3.\n"
                f"The first is {missing[0]} of {self.split.id}. Both tasks of an edition have the same questions: "
                "check that the files are those of one edition."
            )
        return is_correct, remarks

    def _interval(self, scored: ScoredRun) -> Interval | None:
        official = self.official_counts(scored)
        return interval(*official) if official else None

    @functools.cached_property
    def _seen(self) -> SeenQueries:
        return seen_queries(self.split, self.gold["query_id"].tolist())

    def _unseen(self, scored: ScoredRun) -> UnseenScore | None:
        official = self.official_counts(scored)
        return unseen_score(self.evaluation.figures[0].label, *official, self._seen.query_ids) if official else None

    def _place(self, figures: dict[str, float]) -> Place | None:
        official = self.evaluation.figures[0].label
        return place_on(self.leaderboard, figures[official]) if self.leaderboard and official in figures else None

    @functools.cached_property
    def leaderboard(self) -> Leaderboard | None:
        """The official results of a test split as it was scored; None for other splits and for synthetic data."""
        if (
            not self.split.is_test
            or self.split.name.endswith("as-distributed")
            or LocalRelease.open(self.split).is_synthetic
        ):
            return None
        edition, _, task = self.split.leaderboard.partition("-")
        return leaderboards().get((edition, task))

    def _per_query(self, scored: ScoredRun) -> pd.DataFrame:
        counts = scored.counts
        frame = pd.DataFrame(
            {
                "query_id": list(counts.query_ids),
                "tp": counts.tp[0],
                "returned": counts.returned[0],
                "relevant": counts.relevant[0],
                str(self.evaluation.measure): quotient(*counts.terms(self.evaluation.measure)[:, 0]),
            }
        )
        if scored.is_correct is None:
            return frame
        return frame.assign(answer_right=scored.correct_answers(), passed=scored.gated_counts().tp[0] == 1)


def _available(scored: ScoredRun) -> set[str]:
    """Return the values of ``Figure.needs`` that a run provides."""
    ranking = {"ranking"} if scored.ranking is not None else set()
    return {"", *ranking, *({"answers"} if scored.is_correct is not None else ())}
