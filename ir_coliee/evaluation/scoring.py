"""The official figures of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import ir_measures
from ir_measures.measures.base import Measure

from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MalformedRunError
from ir_coliee.evaluation.judgments import candidates, gold, query_ids
from ir_coliee.measures import AnswerAccuracy, MacroF, MacroF2, MacroP, MacroR, MicroF1, MicroP, MicroR

if TYPE_CHECKING:
    import pandas as pd


class Column(NamedTuple):
    """A column of the table of figures. ``ranked``: computed on the ranking, not on the answer set."""

    label: str
    measure: Measure
    ranked: bool = False


_ANSWERS = (Column("accuracy", AnswerAccuracy),)
_POOLED = (Column("F1", MicroF1), Column("P", MicroP), Column("R", MicroR))

#: The figures of each task, the official one first.
COLUMNS: dict[str, tuple[Column, ...]] = {
    "task1": _POOLED,
    "task2": _POOLED,
    "task3": (
        Column("F2", MacroF2),
        Column("P", MacroP),
        Column("R", MacroR),
        Column("MAP", ir_measures.AP, ranked=True),
        *(Column(f"R@{k}", MicroR @ k, ranked=True) for k in (5, 10, 30)),
    ),
    "task4": _ANSWERS,
    "prediction": _ANSWERS,
    "rationale": (Column("F1 (empty = 0)", MacroF), Column("F1 (empty = 1)", MacroF(empty=1))),
}


class Scores(NamedTuple):
    """The figures of a run by column label, and what should be said beside them."""

    figures: dict[str, float]
    notes: list[str]


def _check(part: Part, queries: list[str], answers: pd.DataFrame) -> list[str]:
    """Refuse a run that would score by mistake; say what of it does not count or counts as wrong."""
    if answers.empty:
        return ["the run has no answer"]
    unknown = answers.loc[~answers["qid"].isin(queries), "qid"]
    if 2 * unknown.nunique() > answers["qid"].nunique():
        amount = "No" if unknown.nunique() == answers["qid"].nunique() else "Not even half the"
        raise MalformedRunError(
            f"{amount} query id of the run is known: in {part.id} they look like {min(queries)!r}, "
            f"in the run like {unknown.iloc[0]!r}."
        )
    different = answers.drop_duplicates(["qid", "docno"])
    may_answer = candidates(part)
    foreign = [(q, d) for q, d in zip(different["qid"], different["docno"]) if d not in may_answer(q)]
    foreign = [pair for pair in foreign if pair[0] not in set(unknown)]
    if part.task in ("task4", "prediction"):
        if foreign:
            raise MalformedRunError(f"{foreign[0][1]!r} is no answer to question {foreign[0][0]}.")
        if (twice := different.loc[different["qid"].duplicated(), "qid"]).size:
            raise MalformedRunError(f"Question {twice.iloc[0]} has two different answers; one is wanted.")
    found = {
        "to unknown queries, left out": len(unknown),
        "with items that the query cannot have, counted as wrong": len(foreign),
        "given more than once, counted once": len(answers) - len(different),
    }
    return [f"answers {what}: {number}" for what, number in found.items() if number]


def score(part: Part, answers: pd.DataFrame, ranking: pd.DataFrame | None = None) -> Scores:
    """The figures of an answer set, all in [0, 1].

    ``answers`` has the columns qid, docno and score; ``ranking``, the same, is the long list on which
    task 3's MAP and R@k are computed; without it they are left out. Every query that has gold is in the
    denominator, answered or not. Raises `MissingLabelsError`, and `MalformedRunError` where no query id
    of the run is known, or not even half of them, or where a question has two different answers.
    """
    import pandas as pd

    qrels = gold(part)
    queries = query_ids(part)
    judged = set(qrels["query_id"])
    if part.task == "rationale":  # an instance without any claim stays in the mean
        unjudged = [(query_id, "", 0) for query_id in queries if query_id not in judged]
        qrels = pd.concat([qrels, pd.DataFrame(unjudged, columns=qrels.columns)])
    notes = _check(part, queries, answers)
    if unscored := len(set(queries).difference(qrels["query_id"])):
        notes.append(f"queries without gold, left out: {unscored} of {len(queries)}")
    figures = {}
    for on, run in ((False, answers), (True, ranking)):
        if run is not None:
            measures = {column.measure: column.label for column in COLUMNS[part.task] if column.ranked is on}
            renamed = run.rename(columns={"qid": "query_id", "docno": "doc_id"})
            values = ir_measures.calc_aggregate(measures, qrels, renamed) if measures else {}
            figures.update({measures[measure]: float(value) for measure, value in values.items()})
    labels = [column.label for column in COLUMNS[part.task]]
    return Scores({label: figures[label] for label in labels if label in figures}, notes)
