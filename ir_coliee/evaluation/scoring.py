"""The official figures of a run, how certain they are, and its place among the official runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.datasets import copies, releases
from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MalformedRunError, MissingLabelsError
from ir_coliee.evaluation.boards import Place, boards
from ir_coliee.evaluation.forms import LONGEST_LIST, answers_part
from ir_coliee.evaluation.intervals import Interval, interval
from ir_coliee.evaluation.judged_run import JudgedRun
from ir_coliee.evaluation.judgments import candidates, query_ids, scored_gold
from ir_coliee.evaluation.measure_terms import quotient
from ir_coliee.evaluation.run_files import as_frame, read_run, refuse_malformed
from ir_coliee.evaluation.tasks import task_form
from ir_coliee.measures import AnswerAccuracy
from ir_coliee.transformers.base import in_order

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 3  # how many ids a note names
_LIKE_A_RANKING = 10  # times as many items as the gold has: nobody means that as an answer set


@dataclass(frozen=True, eq=False)
class Scores:
    """The figures of a run and what belongs beside them.

    ``figures``: by the columns of the official table, what runs are ranked by first; shares are in [0, 1]. Those of
    a file that was not given are left out. ``interval``: of the first figure, 95 % by bootstrap over the queries;
    None where that figure is left out. ``place``: among the official runs; None where there is no board of the
    edition, for train parts, and for made-up data. ``per_query``: query_id, tp, returned, relevant and, under
    its name, the official measure of each query. ``notes``: on the run; ``gold_notes``: on the gold.
    """

    figures: dict[str, float]
    interval: Interval | None
    place: Place | None
    per_query: pd.DataFrame
    notes: list[str]
    gold_notes: list[str]


def score(
    dataset_id: str,
    run: pd.DataFrame | Path | str,
    *,
    long: pd.DataFrame | Path | str | None = None,
    answers: pd.DataFrame | Path | str | None = None,
) -> Scores:
    """The official figures of a run, as the organisers compute them.

    ``run`` is an answer set: a frame with qid, docno and score, or the path of a run file. ``long`` is the long list
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
    return Scorer(releases.part(dataset_id)).score(run, long=long, answers=answers)


class Scorer:
    """Scores runs of one part, whose gold is read once."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.form = task_form(part)

    def score(
        self,
        run: pd.DataFrame | Path | str,
        *,
        long: pd.DataFrame | Path | str | None = None,
        answers: pd.DataFrame | Path | str | None = None,
    ) -> Scores:
        """The figures of a run; see `score`."""
        answer_set = self._frame(run)
        notes = self.check(answer_set)
        ranking, of_ranking = (None, []) if long is None else self._ranking(long)
        right, of_answers = (None, []) if answers is None else self._right(answers)
        judged = JudgedRun(answer_set, self._gold, self.form.measure, ranking, right)
        given = {"", *(["ranking"] if ranking is not None else []), *(["answers"] if right is not None else [])}
        figures = {figure.label: figure.of(judged) for figure in self.form.figures if figure.needs in given}
        return Scores(
            figures=figures,
            interval=self._interval(judged),
            place=self._place(figures),
            per_query=self._per_query(judged),
            notes=notes + of_ranking + of_answers + self._left_out(given) + self._looks_uncut(judged),
            gold_notes=self.gold_notes,
        )

    def check(self, run: pd.DataFrame) -> list[str]:
        """Refuse a run that would score by mistake; say what of it does not count or counts as wrong."""
        refuse_malformed(run)
        if run.empty:
            return ["the run has no answer"]
        unknown = run.loc[~run["qid"].isin(self._queries), "qid"]
        self._refuse_strange_ids(run, unknown)
        different = run.drop_duplicates(["qid", "docno"])
        strangers = set(unknown)
        pairs = zip(different["qid"], different["docno"])
        foreign = [(q, d) for q, d in pairs if q not in strangers and d not in self._may_answer(q)]
        if self.form.one_answer:
            if foreign:
                raise MalformedRunError(f"{foreign[0][1]!r} is no answer to question {foreign[0][0]}.")
            if (twice := different.loc[different["qid"].duplicated(), "qid"]).size:
                raise MalformedRunError(f"Question {twice.iloc[0]} has two different answers; one is wanted.")
        found = {
            "to unknown queries, left out": len(unknown),
            "with items that the query cannot have, counted as wrong": len(foreign),
            "given more than once, counted once": len(run) - len(different),
        }
        return [f"answers {what}: {number}" for what, number in found.items() if number]

    @functools.cached_property
    def gold_notes(self) -> list[str]:
        """What is to be said of the gold, whatever the run."""
        return [*self._unreachable(), *self._unjudged(), *self._constant_answers()]

    @functools.cached_property
    def _queries(self) -> list[str]:
        return query_ids(self.part)

    @functools.cached_property
    def _may_answer(self) -> Callable[[str], Collection[str]]:
        return candidates(self.part)

    @functools.cached_property
    def _gold(self) -> pd.DataFrame:
        return scored_gold(self.part)

    def _frame(self, run: pd.DataFrame | Path | str) -> pd.DataFrame:
        return as_frame(read_run(self.part, Path(run))) if isinstance(run, (str, Path)) else run

    def _refuse_strange_ids(self, run: pd.DataFrame, unknown: pd.Series[str]) -> None:
        if 2 * unknown.nunique() > run["qid"].nunique():
            amount = "No" if unknown.nunique() == run["qid"].nunique() else "Not even half the"
            raise MalformedRunError(
                f"{amount} query id of the run is known: in {self.part.id} they look like {min(self._queries)!r}, "
                f"in the run like {unknown.iloc[0]!r}."
            )

    def _ranking(self, long: pd.DataFrame | Path | str) -> tuple[pd.DataFrame, list[str]]:
        """The long list, as long as the organisers allow, and notes on it."""
        ranking = self._frame(long)
        notes = self.check(ranking)
        allowed = in_order(ranking).groupby("qid", sort=False, observed=True).head(LONGEST_LIST)
        if cut := len(ranking) - len(allowed):
            notes.append(f"more than {LONGEST_LIST} items of a query, cut off: {cut}")
        return allowed, [f"long list: {note}" for note in notes]

    def _right(self, answers: pd.DataFrame | Path | str) -> tuple[dict[str, bool], list[str]]:
        """Of each scored question whether it is answered right, and notes on the answers."""
        of_labels = Scorer(answers_part(self.part))
        run = of_labels._frame(answers)
        notes = [f"answers: {note}" for note in of_labels.check(run)]
        judged = JudgedRun(run, of_labels._gold, AnswerAccuracy)
        right = dict(zip(judged.counts.query_ids, judged.counts.tp[0] == 1))
        if without := [query_id for query_id in self._gold["query_id"].unique() if query_id not in right]:
            raise MissingLabelsError(
                f"{of_labels.part.id} has no answer to {len(without)} questions of {self.part.id}, as {without[0]}."
            )
        return right, notes

    def _interval(self, judged: JudgedRun) -> Interval | None:
        if not self._is_gated:
            return interval(self.form.measure, judged.counts)
        return None if judged.right is None else interval(AnswerAccuracy, judged.gate())

    @property
    def _is_gated(self) -> bool:
        return self.form.figures[0].needs == "answers"

    def _place(self, figures: dict[str, float]) -> Place | None:
        official = self.form.figures[0].label
        board = boards().get((self.part.edition, self.part.task))
        if board is None or self.part.name != "test" or official not in figures or copies.is_made_up(self.part):
            return None
        return board.place(figures[official])

    def _per_query(self, judged: JudgedRun) -> pd.DataFrame:
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
            columns["answer_right"] = [judged.right[query_id] for query_id in counts.query_ids]
        return pd.DataFrame(columns)

    def _left_out(self, given: set[str]) -> list[str]:
        """A note on the figures of a file that was not given."""
        absent: dict[str, list[str]] = {}
        for figure in self.form.figures:
            if figure.needs not in given:
                absent.setdefault(figure.needs, []).append(figure.label)
        return [f"not computed: {', '.join(labels)} ({_WANTED[needs]})" for needs, labels in absent.items()]

    def _looks_uncut(self, judged: JudgedRun) -> list[str]:
        """A note on a ranking that was not cut; in 2026 superfluous articles cost nothing."""
        returned, relevant = judged.counts.returned.sum(), judged.counts.relevant.sum()
        if self._is_gated or self.form.one_answer or returned < _LIKE_A_RANKING * relevant:
            return []
        in_gold = relevant / len(judged.counts.query_ids)
        return [
            f"{judged.mean_returned():.1f} items a query, where the gold has {in_gold:.1f}: all of them count as "
            "answers, so a ranking must be cut before it is scored"
        ]

    def _unreachable(self) -> list[str]:
        """A note on the gold that no run can find, if there is any."""
        positives = self._gold[self._gold["relevance"] > 0]
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
            accepted = self._gold.loc[self._gold["relevance"] > 0, "query_id"].nunique()
            return [f"instances without an accepted claim: {len(self._queries) - accepted} of {len(self._queries)}"]
        if without := len(set(self._queries).difference(self._gold["query_id"])):
            return [f"queries without gold, left out: {without} of {len(self._queries)}"]
        return []

    def _constant_answers(self) -> list[str]:
        """What answering all questions alike would reach: the organisers' baseline is the more frequent label."""
        if not self.form.one_answer:
            return []
        labels = self._gold.loc[self._gold["relevance"] > 0, "doc_id"].value_counts()
        total = self._gold["query_id"].nunique()
        shares = (f"{label} {number} of {total} ({number / total:.4f})" for label, number in labels.items())
        return [f"always the same answer: {', '.join(shares)}"]


_WANTED = {
    "ranking": "of the long list, --long or long=",
    "answers": "the answers Y and N are needed, --answers or answers=",
}
