"""The official figures of a run, how certain they are, and its place among the official runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.errors import ColieeError, MalformedFileError, MalformedRunError, MissingLabelsError, listed
from ir_coliee.evaluation.gold import candidates, query_ids, scored_gold
from ir_coliee.evaluation.inputs import Dataset, Run, as_split, frame_of
from ir_coliee.evaluation.intervals import Interval, interval
from ir_coliee.evaluation.leaderboards import Leaderboard, Place, leaderboards
from ir_coliee.evaluation.measure_ratios import quotient
from ir_coliee.evaluation.runs import (
    RunFile,
    RunLine,
    as_frame,
    check_run_frame,
    open_run,
    queries_with_conflicting_ranks,
    read_answers,
)
from ir_coliee.evaluation.runs.format_rules import MAX_LIST_LENGTH, answers_split
from ir_coliee.evaluation.runs.validation import validate
from ir_coliee.evaluation.scored_run import ScoredRun
from ir_coliee.evaluation.task_evaluation import task_evaluation
from ir_coliee.frames import sort_results
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.releases import search as copies

if TYPE_CHECKING:
    import pandas as pd

#: What is said beside every score on made-up data.
SYNTHETIC_NOTE = "this data is made up: scores on it say nothing about COLIEE, and have no place on its leaderboards"

_NAMED = 3  # how many ids a note names
_LIKE_A_RANKING = 10  # times as many items as the gold has: nobody means that as an answer set


@dataclass(frozen=True, eq=False)
class Scores:
    """The figures of a run and what belongs beside them.

    ``figures``: by the columns of the official table, what runs are ranked by first; shares are in [0, 1]. Those of
    a file that was not given are left out. ``interval``: of the first figure, 95 % by bootstrap over the queries;
    None where that figure is left out. ``place``: among the official runs; None where there is no leaderboard of the
    edition, for train splits, and for made-up data. ``per_query``: query_id, tp, returned, relevant and, under
    its name, the official measure of each query. ``notes``: on the run; ``gold_notes``: on the gold.
    """

    figures: dict[str, float]
    interval: Interval | None
    place: Place | None
    per_query: pd.DataFrame
    notes: list[str]
    gold_notes: list[str]


def score(
    dataset: Dataset,
    run: Run,
    *,
    long_list: Run | None = None,
    answers: Run | None = None,
) -> Scores:
    """The official figures of a run, as the organisers compute them.

    ``run`` is an answer set: a frame with qid, docno and score, or the path of a run file. ``long_list`` is the long list
    of task 3, on which MAP and R@k are computed, ``answers`` the Y and N that belong to a run of task 3 of 2026.
    Every query that has gold is in the denominator, answered or not, and so is gold that names no document. Raises
    `MissingLabelsError`, `MalformedFileError` for a file that cannot be read, and `MalformedRunError` where ids are
    no strings, where no query id of the run is known, or not even half of them, or where a question has two
    different answers.

    >>> import pandas as pd
    >>> run = pd.DataFrame({"qid": ["R99-01-A"], "docno": ["Y"], "score": [1.0]})
    >>> score("coliee/task4/sample/en/test", run).figures  # one of twenty questions is answered, and right
    {'accuracy': 0.05, 'correct': 1}
    """
    return Scorer(dataset).score(run, long_list=long_list, answers=answers)


class Scorer:
    """Scores runs of one split, whose gold is read once."""

    def __init__(self, dataset: Dataset) -> None:
        self.split = as_split(dataset)
        self.form = task_evaluation(self.split)

    def score(
        self,
        run: Run,
        *,
        long_list: Run | None = None,
        answers: Run | None = None,
    ) -> Scores:
        """The figures of a run; see `score`."""
        judged, notes = self.judge(run, long_list=long_list, answers=answers)
        given = {"", *(["ranking"] if long_list is not None else []), *(["answers"] if answers is not None else [])}
        figures = {figure.label: figure.of(judged) for figure in self.form.figures if figure.needs in given}
        return Scores(
            figures=figures,
            interval=self._interval(judged),
            place=self._place(figures),
            per_query=self._per_query(judged),
            notes=[*notes, *self._left_out(given), *self._differs_from_leaderboard(judged)],
            gold_notes=self.gold_notes,
        )

    def judge(
        self,
        run: Run,
        *,
        long_list: Run | None = None,
        answers: Run | None = None,
    ) -> tuple[ScoredRun, list[str]]:
        """The run beside the gold, and what is to be said of it. Refuses what `score` refuses."""
        self._refuse_what_is_not_used(long_list, answers)
        answer_set, notes = self._checked(run)
        ranking, of_ranking = (None, []) if long_list is None else self._ranking(long_list)
        right, of_answers = (None, []) if answers is None else self._right(answers)
        judged = ScoredRun(answer_set, self.gold, self.form.measure, ranking, right)
        return judged, [*notes, *of_ranking, *of_answers, *self._looks_uncut(answer_set)]

    def check(self, run: pd.DataFrame) -> list[str]:
        """Refuse a run that would score by mistake; say what of it does not count or counts as wrong."""
        check_run_frame(run)
        if run.empty:
            return [] if self.form.unanswered == "answer" else ["the run has no answer"]
        unknown = run.loc[~run["qid"].isin(self._queries), "qid"]
        self._refuse_strange_ids(run, unknown)
        different = run.drop_duplicates(["qid", "docno"])
        strangers = set(unknown)
        pairs = zip(different["qid"], different["docno"])
        foreign = [(q, d) for q, d in pairs if q not in strangers and d not in self._may_answer(q)]
        if self.form.single_answer:
            if foreign:
                wanted = " or ".join(sorted(self._may_answer(foreign[0][0])))
                raise MalformedRunError(
                    f"{foreign[0][1]!r} is no answer to question {foreign[0][0]}: {wanted} is wanted."
                )
            if (twice := different.loc[different["qid"].duplicated(), "qid"]).size:
                raise MalformedRunError(f"Question {twice.iloc[0]} has two different answers; one is wanted.")
        found = {
            "to unknown queries, left out": len(unknown),
            "with items that the query cannot have, counted as wrong": len(foreign),
            "given more than once, counted once": len(run) - len(different),
        }
        notes = [f"answers {what}: {number}" for what, number in found.items() if number]
        if foreign and len(foreign) == (~different["qid"].isin(strangers)).sum():
            query_id, item = foreign[0]
            example = min(self._may_answer(query_id), default="")
            notes.append(f"no item of the run is known: for query {query_id} they look like {example!r}, not {item!r}")
        return notes

    def uses(self, needs: str) -> bool:
        """Whether a figure is computed on the ``ranking`` before the cut, or on the ``answers`` Y and N."""
        return any(figure.needs == needs for figure in self.form.figures)

    @functools.cached_property
    def gold_notes(self) -> list[str]:
        """What is to be said of the gold, whatever the run."""
        notes = [*self._unreachable(), *self._unjudged(), *self._constant_answers()]
        return [*notes, SYNTHETIC_NOTE] if copies.is_synthetic(self.split) else notes

    @functools.cached_property
    def _queries(self) -> list[str]:
        return query_ids(self.split)

    @functools.cached_property
    def _may_answer(self) -> Callable[[str], Collection[str]]:
        return candidates(self.split)

    @functools.cached_property
    def gold(self) -> pd.DataFrame:
        """The gold of all queries that are scored, as `scored_gold` gives it."""
        return scored_gold(self.split)

    def _refuse_what_is_not_used(self, long_list: object, answers: object) -> None:
        for needs, given, what in (("ranking", long_list, "long list"), ("answers", answers, "file of answers")):
            if given is not None and not self.uses(needs):
                raise ColieeError(f"{self.split.id}: no figure is computed on a {what}. Leave it out.")

    def _checked(self, run: Run) -> tuple[pd.DataFrame, list[str]]:
        """The run as a frame, and what is to be said of it."""
        if not isinstance(run, (str, Path)):
            frame = frame_of(run)
            return frame, self.check(frame)
        answers = self._read(open_run(Path(run)))
        frame = as_frame(answers)
        try:
            notes = self.check(frame)
        except MalformedRunError as error:
            raise MalformedRunError(f"{run}: {error}") from None
        if torn := queries_with_conflicting_ranks(answers):
            notes.append(f"rank and score disagree, and the score counts: {len(torn)} queries, as {listed(torn)}")
        return frame, notes

    def _read(self, file: RunFile) -> list[RunLine]:
        """The answers of a file. The pilot's must have all instances of the test file, each once."""
        answers = read_answers(self.split, file)
        if not self.split.submission.columns:
            for finding in validate(self.split, file):
                if finding.level == "error":
                    expected = "the test file with its nulls filled in"
                    raise MalformedFileError(file, finding.line, finding.message, expected)
        return answers

    def _refuse_strange_ids(self, run: pd.DataFrame, unknown: pd.Series[str]) -> None:
        if 2 * unknown.nunique() > run["qid"].nunique():
            amount = "No" if unknown.nunique() == run["qid"].nunique() else "Not even half the"
            raise MalformedRunError(
                f"{amount} query id of the run is known: in {self.split.id} they look like {min(self._queries)!r}, "
                f"in the run like {unknown.iloc[0]!r}."
            )

    def _ranking(self, long_list: Run) -> tuple[pd.DataFrame, list[str]]:
        """The long list, as long as the organisers allow, and notes on it."""
        ranking, notes = self._checked(long_list)
        different = sort_results(ranking).drop_duplicates(["qid", "docno"])
        allowed = different.groupby("qid", sort=False, observed=True).head(MAX_LIST_LENGTH)
        if cut := len(different) - len(allowed):
            notes.append(f"more than {MAX_LIST_LENGTH} items of a query, cut off: {cut}")
        if tied := int(allowed.duplicated(["qid", "score"]).sum()):
            notes.append(f"scores that equal an earlier one of their query: {tied}; trec_eval orders them otherwise")
        # equal scores the measures would order by document id: they go by rank
        places = allowed.groupby("qid", sort=False, observed=True).cumcount()
        return allowed.assign(score=-places.astype(float)), [f"long list: {note}" for note in notes]

    def _right(self, answers: Run) -> tuple[dict[str, bool], list[str]]:
        """Of each scored question whether it is answered right, and notes on the answers."""
        of_labels = Scorer(answers_split(self.split))
        run, notes = of_labels._checked(answers)
        judged = ScoredRun(run, of_labels.gold, AnswerAccuracy)
        right = dict(zip(judged.counts.query_ids, judged.counts.tp[0] == 1))
        if without := [query_id for query_id in self.gold["query_id"].unique() if query_id not in right]:
            raise MissingLabelsError(
                f"{of_labels.split.id} has no answer to {len(without)} questions of {self.split.id}, as {without[0]}."
            )
        return right, [f"answers: {note}" for note in notes]

    def _interval(self, judged: ScoredRun) -> Interval | None:
        if not self._is_gated:
            return interval(self.form.measure, judged.counts)
        return None if judged.right is None else interval(AnswerAccuracy, judged.gated_counts())

    @property
    def _is_gated(self) -> bool:
        return self.form.figures[0].needs == "answers"

    def _place(self, figures: dict[str, float]) -> Place | None:
        official = self.form.figures[0].label
        return self._board.place(figures[official]) if self._board and official in figures else None

    @functools.cached_property
    def _board(self) -> Leaderboard | None:
        """The official results of the split: of the test as it was scored, and not for made-up data."""
        if not self.split.is_test or self.split.name.endswith("as-distributed") or copies.is_synthetic(self.split):
            return None
        return leaderboards().get((self.split.edition, self.split.task))

    def _per_query(self, judged: ScoredRun) -> pd.DataFrame:
        import pandas as pd

        counts = judged.counts
        columns = {
            "query_id": list(counts.query_ids),
            "tp": counts.tp[0],
            "returned": counts.returned[0],
            "relevant": counts.relevant[0],
            str(self.form.measure): quotient(*counts.terms(self.form.measure)[:, 0]),
        }
        if judged.right is not None:
            columns |= {"answer_right": judged.is_right(), "passed": judged.gated_counts().tp[0] == 1}
        return pd.DataFrame(columns)

    def _left_out(self, given: set[str]) -> list[str]:
        """A note on the figures of a file that was not given."""
        absent: dict[str, list[str]] = {}
        for figure in self.form.figures:
            if figure.needs not in given:
                absent.setdefault(figure.needs, []).append(figure.label)
        return [f"not computed: {', '.join(labels)} ({_WANTED[needs]})" for needs, labels in absent.items()]

    def _looks_uncut(self, run: pd.DataFrame) -> list[str]:
        """A note on a ranking that was not cut; in 2026 superfluous articles cost nothing."""
        queries = self.gold["query_id"].nunique()
        returned = len(run.loc[run["qid"].isin(self.gold["query_id"]), ["qid", "docno"]].drop_duplicates())
        relevant = int((self.gold["relevance"] > 0).sum())
        if self._is_gated or self.form.single_answer or returned < _LIKE_A_RANKING * max(relevant, 1):
            return []
        return [
            f"{returned / queries:.1f} items a query, where the gold has {relevant / queries:.1f}: all of them count "
            "as answers, so a ranking must be cut before it is scored"
        ]

    def _differs_from_leaderboard(self, judged: ScoredRun) -> list[str]:
        """A note where the leaderboard was scored over other queries or gold than the copy has."""
        if self._board is None:
            return []
        queries, gold = len(judged.counts.query_ids), int(judged.counts.relevant.sum())
        wanted = self._board.queries, self._board.gold_total
        if (queries, gold if wanted[1] else None) == wanted:
            return []
        of_board = f"{wanted[0]} queries" + (f" and {wanted[1]} gold items" if wanted[1] else "")
        return [
            f"scored over {queries} queries and {gold} gold items, the leaderboard over {of_board}: they do not compare"
        ]

    def _unreachable(self) -> list[str]:
        """A note on the gold that no run can find, if there is any."""
        positives = self.gold[self.gold["relevance"] > 0]
        pairs = zip(positives["query_id"], positives["doc_id"])
        absent = [
            f"{doc_id} (query {query_id})" for query_id, doc_id in pairs if doc_id not in self._may_answer(query_id)
        ]
        if not absent:
            return []
        named = ", ".join(absent[:_NAMED]) + (", …" if len(absent) > _NAMED else "")
        return [f"gold that names no item in the copy, counted as not found: {len(absent)}, as {named}"]

    def _unjudged(self) -> list[str]:
        """A note on queries without anything to find."""
        if self.form.unanswered == "answer":
            accepted = self.gold.loc[self.gold["relevance"] > 0, "query_id"].nunique()
            return [
                f"instances without an accepted claim: {len(self._queries) - accepted} of {len(self._queries)}; "
                "which value one without anything to find has is not published, so both are given"
            ]
        if without := len(set(self._queries).difference(self.gold["query_id"])):
            return [f"queries without gold, left out: {without} of {len(self._queries)}"]
        return []

    def _constant_answers(self) -> list[str]:
        """What answering all questions alike would reach: the organisers' baseline is the more frequent label."""
        if not self.form.single_answer:
            return []
        labels = self.gold.loc[self.gold["relevance"] > 0, "doc_id"].value_counts()
        total = self.gold["query_id"].nunique()
        shares = (f"{label} {number} of {total} ({number / total:.4f})" for label, number in labels.items())
        return [f"always the same answer: {', '.join(shares)}"]


_WANTED = {
    "ranking": "of the long list, --long or long_list=",
    "answers": "the answers Y and N are needed, --answers or answers=",
}
