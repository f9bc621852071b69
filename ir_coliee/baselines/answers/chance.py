"""Whether the answers to held-out train queries are above chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd

from ir_coliee.evaluation.statistics import as_measure, count_runs, intervals
from ir_coliee.text.statutes import exam_id

_FOLDS = 5  # of the queries, if there are not several exam years


class HeldOutAnswers(NamedTuple):
    """Answers to train queries by models that were fitted on other queries.

    Attributes
    ----------
    answers : pandas.DataFrame
        ``qid``, ``docno``, ``score`` and ``rank``.
    gold : pandas.DataFrame
        The gold of these queries: ``qid``, ``docno`` and ``label``.
    """

    answers: pd.DataFrame
    gold: pd.DataFrame

    def note(self, measure: str, name: str, chance: pd.DataFrame) -> str:
        """Compare the answers with chance.

        Parameters
        ----------
        measure : str
            The official measure.
        name : str
            What they are compared with.
        chance : pandas.DataFrame
            The same as answers.

        Returns
        -------
        str
            The value with its 95 % bootstrap interval, that of chance, and whether the whole interval is above it.
        """
        runs = {"answers": self.answers, "chance": chance}
        counts = count_runs(runs, self.gold, measure)
        value, of_chance = (
            as_measure(measure).aggregate(*each) for each in zip(counts.tp, counts.returned, counts.relevant)
        )
        low, high, _ = intervals(measure, counts)["answers"]
        return (
            f"{len(counts.query_ids)} held-out train queries: {measure} {value:.3f} (95 % interval {low:.3f} to "
            f"{high:.3f}), {name} {of_chance:.3f}: {'' if low > of_chance else 'not '}above chance"
        )


def held_out_answers(
    pool: pd.DataFrame, gold: pd.DataFrame, answer: Callable[[pd.DataFrame, pd.DataFrame, pd.DataFrame], pd.DataFrame]
) -> HeldOutAnswers:
    """Answer each group of held-out queries by a model of the other queries, see `held_out_groups`.

    Of queries without exam years only the first group is answered, because fitting takes long in the pilot.

    Parameters
    ----------
    pool : pandas.DataFrame
        The candidates of the train queries.
    gold : pandas.DataFrame
        The gold of the train queries: ``qid``, ``docno`` and ``label``.
    answer : callable
        Takes the pool and the gold of the other queries, and the pool of the held-out ones; returns the answers.
    """
    groups = [*held_out_groups(pool["qid"].tolist()).values()]
    if not any(exam_id(qid).year for group in groups for qid in group):
        groups = groups[:1]  # fitting takes long in the pilot
    found = [
        answer(pool[~pool["qid"].isin(group)], gold[~gold["qid"].isin(group)], pool[pool["qid"].isin(group)])
        for group in groups
    ]
    queries = {qid for group in groups for qid in group}
    return HeldOutAnswers(pd.concat(found, ignore_index=True), gold[gold["qid"].isin(queries)])


def held_out_groups(qids: Sequence[str]) -> dict[str, list[str]]:
    """Queries that are held out together, by the name of the group.

    These are the exam years, or if there is only one, five groups of its questions by number. Of queries without exam
    years, each group has every fifth one.

    Examples
    --------
    >>> held_out_groups(["R98-1-A", "R98-2-A", "R99-1-A"])
    {'R98': ['R98-1-A', 'R98-2-A'], 'R99': ['R99-1-A']}
    >>> held_out_groups(["R98-1-A", "R98-1-I", "R98-2-A"])
    {'R98 1': ['R98-1-A', 'R98-1-I'], 'R98 2': ['R98-2-A']}
    >>> held_out_groups(["t1", "t2", "t3", "t4", "t5", "t6"])
    {'fifth 1': ['t1', 't6'], 'fifth 2': ['t2'], 'fifth 3': ['t3'], 'fifth 4': ['t4'], 'fifth 5': ['t5']}
    """
    ids = {qid: exam_id(qid) for qid in qids}
    years = {each.year for each in ids.values()}
    if years <= {""}:
        return {f"fifth {first + 1}": [*ids][first::_FOLDS] for first in range(min(_FOLDS, len(ids)))}
    groups: dict[str, list[str]] = {}
    for qid, (year, number, _) in ids.items():
        name = year if len(years) > 1 else f"{year} {int(number) % _FOLDS}"
        groups.setdefault(name, []).append(qid)
    return groups


def more_frequent_answer(gold: pd.DataFrame) -> pd.DataFrame:
    """Return the answer that is most often correct, given to each query of the gold."""
    correct = gold.loc[gold["label"] > 0, "docno"]
    most = correct.value_counts().sort_index().idxmax()
    return pd.DataFrame({"qid": gold["qid"].unique(), "docno": most, "score": 1.0, "rank": 0})
