"""The official figures of a run, their confidence interval, and the run's place on the leaderboard."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import ir_measures
import numpy as np
import pandas as pd

from ir_coliee.datasets.folds import unseen_queries
from ir_coliee.display import Block, Details, Table, WarningText, displayed
from ir_coliee.editions import Dataset, Split, as_split
from ir_coliee.errors import ColieeError, ColieeWarning, MissingLabelsError
from ir_coliee.evaluation.checks import RunChecker, warnings_on_run, warnings_on_unanswered
from ir_coliee.evaluation.gold import EMPTY_AS_1, scored_gold
from ir_coliee.evaluation.leaderboards import Leaderboard, Place, column_head, leaderboards, place_on
from ir_coliee.evaluation.runs import MAX_LIST_LENGTH, Run, answers_split
from ir_coliee.evaluation.statistics import Interval, RunCounts, count_runs, intervals
from ir_coliee.frames import Booleans, Integers, sort_results
from ir_coliee.measures import AnswerAccuracy, ColieeMeasure, MacroF, MacroF2, MacroP, MacroR, MicroF1, MicroP, MicroR
from ir_coliee.releases.cases import noticed_cases
from ir_coliee.releases.release import LocalRelease

if TYPE_CHECKING:
    from ir_measures.measures.base import Measure


# Notes that accompany the figures of a run: on the gold labels, on the run, and on figures that are left out.


_MISSING_FILES = {
    "ranking": "pass the long list by --long-list (long_list=)",
    "answers": "pass the answers Y and N by --answers (answers=)",
}


class Remarks(NamedTuple):
    """What is said about a run.

    Attributes
    ----------
    warnings : list of str
        Signs that the run is incomplete or was not meant as an answer set.
    notes : list of str
        All else.
    """

    warnings: list[str]
    notes: list[str]

    def add(self, file: str, remarks: Remarks) -> None:
        """Add the remarks on another file of the run, with its name."""
        self.warnings.extend(f"{file}: {warning}" for warning in remarks.warnings)
        self.notes.extend(f"{file}: {note}" for note in remarks.notes)


def notes_on_gold(checker: RunChecker, gold: pd.DataFrame) -> list[str]:
    """Return notes on the gold labels of a split, from `ir_coliee.evaluation.gold.scored_gold`."""
    notes = []
    if not checker.has_documents:
        notes.append("scored with the labels alone: without the documents, unknown items in a run are not found")
    positives, total = gold[gold["relevance"] > 0], len(checker.query_ids)
    absent = [
        f"{doc_id} (query {query_id})"
        for query_id, doc_id in zip(positives["query_id"], positives["doc_id"])
        if checker.has_documents and doc_id not in checker.candidates(query_id)
    ]
    if absent:
        examples = ", ".join(absent[:3]) + (", …" if len(absent) > 3 else "")
        notes.append(f"gold items that the release does not contain, counted as not found: {len(absent)} ({examples})")
    if checker.evaluation.unanswered == "answer":
        missing = total - positives["query_id"].nunique()
        unknown = "the organisers do not publish how they are scored, so the table has both values"
        notes.append(f"instances without an accepted claim: {missing} of {total}; {unknown}")
    elif missing := len(set(checker.query_ids).difference(gold["query_id"])):
        notes.append(f"queries without gold, not scored: {missing} of {total}")
    if checker.evaluation.single_answer:  # the organisers' baseline is the more frequent label
        questions, labels = gold["query_id"].nunique(), positives["doc_id"].value_counts()
        accuracies = (f"{label} {number} of {questions} ({number / questions:.4f})" for label, number in labels.items())
        notes.append(f"accuracy of one answer to all questions: {', '.join(accuracies)}")
    if checker.split.task == "task1" and not checker.split.has_pools:
        noticed = noticed_cases(zip(positives["query_id"], positives["doc_id"]), set(checker.query_ids))
        notes += [noticed] if noticed.startswith("every") else []
    return [*notes, *synthetic_notes(checker.split)]


def synthetic_notes(split: Split) -> list[str]:
    """Return the note that is printed with every score on synthetic data; none for other data."""
    if not LocalRelease.open(split).is_synthetic:
        return []
    planted = "" if split.is_built_in else ", and its relevant items are planted and easy to find"
    consequence = "scores on it say nothing about COLIEE and are not comparable with its leaderboards"
    return [f"this data is synthetic{planted}: {consequence}"]


# Scores of several runs as a table, a frame, and values for JSON.


def as_table(scores: Mapping[str, Scores]) -> Table:
    """Return the scores of several runs as a table: the official figure, its interval, and the other figures.

    Examples
    --------
    >>> from ir_coliee import score
    >>> as_table({"mine": score("coliee/task4/sample/en/test", {"R99-01-A": {"Y": 1.0}})}).rows
    [['mine', 0.05, '0.0000 to 0.1500', 1]]
    """
    official, *others = dict.fromkeys(name for scored in scores.values() for name in scored.figures)
    rows: list[list[Any]] = []
    for name, scored in scores.items():
        interval = "" if scored.interval is None else f"{scored.interval.low:.4f} to {scored.interval.high:.4f}"
        figures = (scored.figures.get(each) for each in others)
        rows.append([name, scored.figures.get(official), interval, *figures])
    return Table(["run", column_head(official), "95 % interval", *map(column_head, others)], rows)


def as_frame(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return the scores of several runs as a frame.

    Parameters
    ----------
    scores : mapping of str to Scores
        The scores of each run, by name.

    Returns
    -------
    pandas.DataFrame
        One row per run: its figures, ``low`` and ``high`` of the 95 % interval of the first figure, and ``rank``,
        ``worst`` and ``of``, the best and worst possible place among the official runs. Columns without any value are
        left out.
    """
    rows = []
    for name, scored in scores.items():
        row: dict[str, Any] = {"run": name, **scored.figures}
        if scored.interval is not None:
            row |= {"low": scored.interval.low, "high": scored.interval.high}
        if scored.place is not None:
            row |= {"rank": scored.place.rank, "worst": scored.place.worst, "of": scored.place.of}
        rows.append(row)
    return pd.DataFrame(rows)


def per_query(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return the counts and the official measure of each query, one row per run and query."""
    frames = {name: scored.per_query for name, scored in scores.items()}
    return pd.concat(frames, names=["run"]).reset_index("run").reset_index(drop=True)


def as_record(scores: Mapping[str, Scores], *, queries: bool = False) -> dict[str, Any]:
    """Return the scores of the runs as values that JSON can represent; if ``queries``, also those of each query."""
    content, fields = {}, ("rank", "worst", "of", "sentence", "note")
    for name, scored in scores.items():
        content[name] = {
            "figures": scored.figures,
            "interval": None if scored.interval is None else scored.interval._asdict(),
            "place": scored.place and {name: getattr(scored.place, name) for name in fields},
            "warnings": scored.warnings,
            "notes": scored.notes,
            "gold_notes": scored.gold_notes,
        }
        if queries:
            content[name]["per_query"] = json.loads(scored.per_query.to_json(orient="records", double_precision=15))
    return content


# A run and its gold labels, from which the figures are computed.


@dataclass(frozen=True, eq=False)
class ScoredRun:
    """A run and the gold labels that it is scored against.

    Attributes
    ----------
    answer_set : pandas.DataFrame
        The columns qid, docno and score.
    gold : pandas.DataFrame
        The gold labels: query_id, doc_id and relevance, with at least one row per scored query.
    measure : ColieeMeasure
        The measure that determines how many items of a query are counted.
    ranking : pandas.DataFrame or None
        The ranking before the cut-off: qid, docno and score.
    is_correct : mapping of str to bool, or None
        Whether the answer Y or N to each question is correct (task 3 of 2026).
    has_scores : bool
        Whether the answer set has scores; if not, those in the frame only reproduce the order.
    """

    answer_set: pd.DataFrame
    gold: pd.DataFrame
    measure: ColieeMeasure
    ranking: pd.DataFrame | None = None
    is_correct: Mapping[str, bool] | None = None
    has_scores: bool = True

    @functools.cached_property
    def counts(self) -> RunCounts:
        """The counts of the answer set: one row, with one column per query."""
        return count_runs({"": self.answer_set}, self.gold, self.measure)

    def value(self, measure: ColieeMeasure) -> float:
        """Return the value of a set measure on the answer set."""
        return float(measure.aggregate(self.counts.tp[0], self.counts.returned[0], self.counts.relevant[0]))

    def ranked_value(self, measure: Measure) -> float:
        """Return the value of a measure on the ranking, which must not be None."""
        assert self.ranking is not None
        run = self.ranking.rename(columns={"qid": "query_id", "docno": "doc_id"})
        return float(ir_measures.calc_aggregate([measure], self.gold, run)[measure])

    def has(self, needs: str) -> bool:
        """Return whether the run has what a figure needs: ``ranking``, ``answers``, or nothing but the answer set."""
        return not needs or (self.ranking if needs == "ranking" else self.is_correct) is not None

    def for_party(self, party: str) -> ScoredRun:
        """Return the same run and gold with the claims of one party only, ``p`` or ``d``; all instances remain."""
        gold = self.gold[_claims_of(party, self.gold["doc_id"])]
        answer_set = self.answer_set[_claims_of(party, self.answer_set["docno"])]
        instances = pd.DataFrame({"query_id": self.gold["query_id"].unique(), "doc_id": "", "relevance": 0})
        return replace(self, gold=pd.concat([gold, instances]), answer_set=answer_set)

    def gated_counts(self) -> RunCounts:
        """Return counts in which ``tp`` is 1 for each question with a correct answer and all its articles returned.

        Its answers are those to the question and the articles; `is_correct` must not be None.
        """
        passed = self.correct_answers() & (self.counts.tp[0] == self.counts.relevant[0])
        ones = np.ones_like(self.counts.tp)
        (articles,) = self.counts.answers
        answers = {query: (articles.get(query), right) for query, right in (self.is_correct or {}).items()}
        return replace(
            self.counts,
            tp=passed[np.newaxis].astype(np.int64),
            returned=ones,
            relevant=ones,
            cutoff=AnswerAccuracy.num_evaluated,
            answers=(answers,),
        )

    def correct_answers(self) -> Booleans:
        """Return for each query of the counts whether its answer is correct; `is_correct` must not be None."""
        assert self.is_correct is not None
        return np.array([self.is_correct[query_id] for query_id in self.counts.query_ids], dtype=np.bool_)


def _claims_of(party: str, doc_ids: pd.Series[str]) -> pd.Series[bool]:
    """Return for each claim id, such as ``900101_p0``, whether it belongs to a party."""
    return doc_ids.astype(str).str.contains(f"_{party}[^_]*$")


# The official figures of each task, computed from a `ScoredRun`.


class Figure(NamedTuple):
    """A column of the official table.

    Attributes
    ----------
    name : str
        The name of its measure, or what it counts.
    value : callable
        Function from a `ScoredRun` to the value.
    needs : {"", "ranking", "answers"}
        The file that is needed in addition to the answer set: the ranking before the cut-off, or the answers Y and N.
        Without this file the figure is not computed.
    """

    name: str
    value: Callable[[ScoredRun], float]
    needs: Literal["", "ranking", "answers"] = ""


def _set_figure(measure: ColieeMeasure) -> Figure:
    return Figure(str(measure), lambda scored: scored.value(measure))


def _ranking_figure(measure: Measure) -> Figure:
    return Figure(str(measure), lambda scored: scored.ranked_value(measure), needs="ranking")


def _party_figure(party: str, measure: ColieeMeasure) -> Figure:
    return Figure(f"{party} {measure}", lambda scored: scored.for_party(party[0]).value(measure))


def _mean(values: Booleans | Integers) -> float:
    return float(values.mean()) if values.size else 0.0


_CASE_LAW = (_set_figure(MicroF1), _set_figure(MicroP), _set_figure(MicroR))
_FOUND = Figure("tp", lambda scored: int(scored.counts.tp.sum()))
_ENTAILMENT = (_set_figure(AnswerAccuracy), _FOUND._replace(name="correct"))

#: The columns of the official table of each task. The first one ranks the runs.
FIGURES: dict[str, tuple[Figure, ...]] = {
    "task1": _CASE_LAW,
    "task2": _CASE_LAW,
    "task3": (
        _set_figure(MacroF2),
        _set_figure(MacroP),
        _set_figure(MacroR),
        Figure("returned", lambda scored: int(scored.counts.returned.sum())),
        _FOUND,
        _ranking_figure(ir_measures.AP),
        *(_ranking_figure(MicroR @ k) for k in (5, 10, 30)),
    ),
    "task4": _ENTAILMENT,
    "task5": _ENTAILMENT,
    "prediction": _ENTAILMENT,
    # the two conventions for an instance without accepted claims, then the other figures of the organisers' server
    "rationale": (
        _set_figure(MacroF),
        _set_figure(EMPTY_AS_1),
        _set_figure(MicroF1),
        *(_party_figure(party, measure) for party in ("plaintiff", "defendant") for measure in (MacroF, EMPTY_AS_1)),
    ),
}
#: Task 3 of 2026: a question counts if its answer is correct and all its articles are returned; F2 breaks ties.
_GATED = (
    Figure("GatedAccuracy", lambda scored: _mean(scored.gated_counts().tp), needs="answers"),
    _set_figure(MacroF2),
    Figure("answers right", lambda scored: _mean(scored.correct_answers()), needs="answers"),
    Figure("all articles found", lambda scored: _mean(scored.counts.tp == scored.counts.relevant)),
    Figure("articles a question", lambda scored: _mean(scored.counts.returned)),
)


# The figures of a run, and the notes that go with them.


@displayed
@dataclass(frozen=True, eq=False)
class Scores:
    """The figures of a run with their interval, place and notes. Python and notebooks show them as a table.

    Attributes
    ----------
    figures : dict of str to float
        The columns of the official table by the names of their measures; the first one ranks the runs. Shares are in
        [0, 1]. Figures that need a file that was not passed are left out. If queries are labelled in the train split
        too, the second one, such as ``MicroF1 unseen``, is the first one without them.
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
    """

    figures: dict[str, float]
    interval: Interval | None
    place: Place | None
    per_query: pd.DataFrame
    notes: list[str]
    gold_notes: list[str]
    warnings: list[str] = field(default_factory=list)

    def display(self) -> Iterator[Block]:
        """Return the warnings, the figures, the notes and the place, as `ir_coliee.display` shows them."""
        yield from map(WarningText, self.warnings)
        table = as_table({"": self})
        yield Table(table.header[1:], [row[1:] for row in table.rows])
        yield from self.notes
        if self.place is not None:
            yield f"{self.place.sentence}. {self.place.note}"
        yield from self.gold_notes
        yield Details(f"{len(self.per_query)} queries", Table.of_frame(self.per_query))

    def __repr__(self) -> str:
        return str(self)


def score(dataset: Dataset, run: Run, *, long_list: Run | None = None, answers: Run | None = None) -> Scores:
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
    {'AnswerAccuracy': 0.05, 'correct': 1}
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
        self.columns = _GATED if self.split.measure == "GatedAccuracy" else FIGURES[self.split.task]

    def score(self, run: Run, *, long_list: Run | None = None, answers: Run | None = None) -> Scores:
        """Compute the figures of a run; arguments, result and errors are those of the function `score`."""
        return self.compute(*self.match(run, long_list=long_list, answers=answers))

    def compute(self, scored: ScoredRun, remarks: Remarks) -> Scores:
        """Compute the figures of a run that `match` has read."""
        figures, official = self.figures(scored), self.official_counts(scored)
        name = self.columns[0].name
        if official and (unseen := self._unseen(*official)) is not None:
            figures = {name: figures[name], f"{name} unseen": unseen, **figures}
        return Scores(
            figures=figures,
            interval=next(iter(intervals(*official).values())) if official else None,
            place=place_on(self.leaderboard, figures[name]) if self.leaderboard and name in figures else None,
            per_query=self._per_query(scored),
            notes=[*remarks.notes, *self._notes_on_missing_figures(scored)],
            gold_notes=[*self._notes_on_leaderboard(), *self.gold_notes, *self._seen[1]],
            warnings=remarks.warnings,
        )

    def figures(self, scored: ScoredRun) -> dict[str, float]:
        """Compute the columns of the official table, without those that need a file that was not passed."""
        return {figure.name: figure.value(scored) for figure in self.columns if scored.has(figure.needs)}

    def _notes_on_missing_figures(self, scored: ScoredRun) -> list[str]:
        """Return a note for each file that was not passed, with the figures that need it."""
        missing: dict[str, list[str]] = {}
        for figure in self.columns:
            if not scored.has(figure.needs):
                missing.setdefault(figure.needs, []).append(figure.name)
        return [f"not computed: {', '.join(names)} ({_MISSING_FILES[needs]})" for needs, names in missing.items()]

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
        for file, needs, name in ((long_list, "ranking", "a long list"), (answers, "answers", "answers Y and N")):
            if file is not None and not self.uses(needs):
                raise ColieeError(f"{self.split.id} has no measure that uses {name}.\nScore the run without this file.")
        loaded, notes = self.checker.load(run)
        remarks = Remarks(warnings_on_run(self.checker, loaded.frame, self.gold["query_id"]), notes)
        ranking = is_correct = None
        if long_list is not None:
            ranking, of_ranking = self._load_ranking(long_list)
            remarks.add("long list", of_ranking)
        if answers is not None:
            is_correct, of_answers = self._load_answers(answers)
            remarks.add("answers", of_answers)
        scored = ScoredRun(loaded.frame, self.gold, self.evaluation.measure, ranking, is_correct, loaded.has_scores)
        return scored, remarks

    def uses(self, needs: str) -> bool:
        """Return whether a figure needs the ``ranking`` before the cut-off, or the ``answers`` Y and N."""
        return any(figure.needs == needs for figure in self.columns)

    @functools.cached_property
    def gold(self) -> pd.DataFrame:
        """The gold of all scored queries, from `ir_coliee.evaluation.gold.scored_gold`."""
        return scored_gold(self.split)

    @functools.cached_property
    def gold_notes(self) -> list[str]:
        """Notes on the gold labels, which do not depend on a run."""
        return notes_on_gold(self.checker, self.gold)

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
        remarks = Remarks(warnings_on_run(scorer.checker, frame, scorer.gold["query_id"]), notes)
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

    @functools.cached_property
    def _seen(self) -> tuple[frozenset[str], list[str]]:
        """The scored queries of a test split that are labelled in its train split too, and a note on them.

        They are not looked for if the texts of the two splits are not at hand or cannot be read, nor in a
        password-protected archive, because to decrypt all texts takes minutes.
        """
        if not self.split.is_test or self.split.train is None:
            return frozenset(), []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ColieeWarning)  # those of the train split do not concern the score
            try:
                if any(LocalRelease.open(split).sources.is_encrypted for split in (self.split.train, self.split)):
                    raise ColieeError("the texts are in a password-protected archive")
                seen = frozenset(self.gold["query_id"]).difference(unseen_queries(self.split))
            except (ColieeError, OSError) as error:
                reason = str(error).split("\n")[0]
                return frozenset(), [f"queries that are labelled in the train split too were not looked for: {reason}"]
        left_out = f"queries that are labelled in the train split too, left out of the unseen figure: {len(seen)}"
        return seen, [left_out] if seen else []

    def _unseen(self, measure: ColieeMeasure, counts: RunCounts) -> float | None:
        """Return the official figure on the other queries; None if no query is left out, or every query."""
        kept = np.array([query_id not in self._seen[0] for query_id in counts.query_ids], dtype=np.bool_)
        if kept.all() or not kept.any():
            return None
        return float(measure.aggregate(counts.tp[0, kept], counts.returned[0, kept], counts.relevant[0, kept]))

    @functools.cached_property
    def leaderboard(self) -> Leaderboard | None:
        """The official results of a test split as it was scored; None for other splits and for synthetic data."""
        is_official = self.split.is_test and not self.split.name.endswith("as-distributed")
        if not is_official or LocalRelease.open(self.split).is_synthetic:
            return None
        edition, _, task = self.split.leaderboard.partition("-")
        return leaderboards().get((edition, task))

    def _notes_on_leaderboard(self) -> list[str]:
        """Return a note if the leaderboard was scored over other queries or gold than the local release has."""
        if self.leaderboard is None:
            return []
        queries, items = self.gold["query_id"].nunique(), int((self.gold["relevance"] > 0).sum())
        if queries == self.leaderboard.queries and self.leaderboard.gold_total in (None, items):
            return []
        of_leaderboard = f"{self.leaderboard.queries} queries"
        if self.leaderboard.gold_total:
            of_leaderboard += f" and {self.leaderboard.gold_total} gold items"
        scored = f"scored over {queries} queries and {items} gold items, but the leaderboard over {of_leaderboard}"
        return [f"{scored}: the figures are not comparable"]

    def _per_query(self, scored: ScoredRun) -> pd.DataFrame:
        measure = self.evaluation.measure
        frame = scored.counts.per_query(measure).drop(columns="run").rename(columns={"value": str(measure)})
        if scored.is_correct is None:
            return frame
        return frame.assign(answer_right=scored.correct_answers(), passed=scored.gated_counts().tp[0] == 1)


# Warnings and notes on the scores of several runs, those that the runs share once.


def score_warnings(scores: Mapping[str, Scores]) -> list[str]:
    """List the warnings of each run, to be printed before the figures; those that all runs share once."""
    return messages_of_runs({name: scored.warnings for name, scored in scores.items()})


def messages_of_runs(messages: dict[str, list[str]]) -> list[str]:
    """List the messages of each run after its name, those that several runs share once, before the others."""
    shared = [text for text in next(iter(messages.values())) if all(text in texts for texts in messages.values())]
    shared = shared if len(messages) > 1 else []
    of_one = [f"{name}: {text}" for name, texts in messages.items() for text in texts if text not in shared]
    return [f"all runs: {text}" for text in shared] + of_one


def score_notes(scores: Mapping[str, Scores]) -> Iterator[str]:
    """List the notes and places of each run, then those on the leaderboard and on the gold, the same for all runs.

    Parameters
    ----------
    scores : mapping of str to Scores
        The scores of each run, by the name of its row.

    Yields
    ------
    str
        A note.
    """
    yield from messages_of_runs({name: scored.notes for name, scored in scores.items()})
    for name, scored in scores.items():
        yield from [f"{name}: {scored.place}"] if scored.place else []
    yield from dict.fromkeys(scored.place.note for scored in scores.values() if scored.place)
    yield from next(iter(scores.values())).gold_notes
