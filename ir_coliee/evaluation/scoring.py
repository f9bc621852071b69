"""The official figures of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

import ir_measures

from ir_coliee.datasets.releases import Part
from ir_coliee.errors import MalformedRunError
from ir_coliee.evaluation.judgments import candidates, gold, query_ids
from ir_coliee.evaluation.run_files import refuse_malformed
from ir_coliee.evaluation.tasks import FORMS

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 3  # how many ids a note names


class Scores(NamedTuple):
    """The figures of a run by column label, and what should be said beside them: of the run, of the gold."""

    figures: dict[str, float]
    notes: list[str]
    gold_notes: list[str]


def _check(
    part: Part, queries: list[str], may_answer: Callable[[str], Collection[str]], answers: pd.DataFrame
) -> list[str]:
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
    foreign = [(q, d) for q, d in zip(different["qid"], different["docno"]) if d not in may_answer(q)]
    foreign = [pair for pair in foreign if pair[0] not in set(unknown)]
    if FORMS[part.task].one_answer:
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


def _unreachable(may_answer: Callable[[str], Collection[str]], qrels: pd.DataFrame) -> list[str]:
    """A note on the gold that no run can find, if there is any."""
    pairs = zip(qrels["query_id"], qrels["doc_id"])
    absent = [f"{doc_id} (query {query_id})" for query_id, doc_id in pairs if doc_id not in may_answer(query_id)]
    if not absent:
        return []
    named = ", ".join(absent[:_NAMED]) + (", …" if len(absent) > _NAMED else "")
    return [f"gold that names no item in the copy, counted as not found: {len(absent)}, as {named}"]


def score(part: Part, answers: pd.DataFrame, ranking: pd.DataFrame | None = None) -> Scores:
    """The figures of an answer set, all in [0, 1].

    ``answers`` has the columns qid, docno and score; ``ranking``, the same, is the long list on which
    task 3's MAP and R@k are computed; without it they are left out. Every query that has gold is in the
    denominator, answered or not, and so is gold that names no document. Raises `MissingLabelsError`, and
    `MalformedRunError` where ids are no strings, where no query id of the run is known, or not even half
    of them, or where a question has two different answers.
    """
    import pandas as pd

    form = FORMS[part.task]
    for run in (answers, ranking):
        if run is not None:
            refuse_malformed(run)
    qrels = gold(part)
    queries = query_ids(part)
    may_answer = candidates(part)
    notes = _check(part, queries, may_answer, answers)
    gold_notes = _unreachable(may_answer, qrels)
    if form.unanswered == "answer":  # then a query without any candidate stays in the mean, and has no gold
        judged = set(qrels["query_id"])
        unjudged = [(query_id, "", 0) for query_id in queries if query_id not in judged]
        qrels = pd.concat([qrels, pd.DataFrame(unjudged, columns=qrels.columns)])
    elif unscored := len(set(queries).difference(qrels["query_id"])):
        gold_notes.append(f"queries without gold, left out: {unscored} of {len(queries)}")
    figures = {}
    for on, run in ((False, answers), (True, ranking)):
        if run is not None:
            measures = {figure.measure: figure.label for figure in form.figures if figure.ranked is on}
            renamed = run.rename(columns={"qid": "query_id", "docno": "doc_id"})
            values = ir_measures.calc_aggregate(measures, qrels, renamed) if measures else {}
            figures.update({measures[measure]: float(value) for measure, value in values.items()})
    labels = [figure.label for figure in form.figures]
    return Scores({label: figures[label] for label in labels if label in figures}, notes, gold_notes)
