"""Where relevant items are lost between the gold labels and the answers, and what the false answers are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import pandas as pd

from ir_coliee.analysis.causes import (
    AS_DUPLICATE,
    BELOW,
    NO_RANKING,
    NOT_ACCEPTED,
    NOT_ANSWERED,
    NOT_CANDIDATE,
    NOT_IN_COLLECTION,
    NOT_KEPT,
    OTHER,
    WRONG_ANSWER,
    false_answer_kinds,
    miss_causes,
    ranks_below,
)
from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.runs import EvaluatedRuns
from ir_coliee.analysis.stages import Step, stage_steps, waterfall

#: A level of the waterfall, and the causes of the losses between the level before and this one.
Level: TypeAlias = "tuple[str, Sequence[str]]"

_REACHABLE: Level = ("reachable", [NOT_IN_COLLECTION])
_RANKED = (_REACHABLE, ("candidates", [AS_DUPLICATE, NOT_CANDIDATE]), ("kept", [BELOW, NOT_KEPT]))
_UNRANKED = (_REACHABLE, ("kept", [NO_RANKING, NOT_ACCEPTED]))
_ANSWERED = (("answered", [NOT_ANSWERED]), ("right", [WRONG_ANSWER]))
_DEFINITIONS = {
    "reachable": "reachable: in the collection, or in the candidate pool of the query",
    "candidates": "candidates: in the run's ranking",
    BELOW: "ranked below the cut-off: in the ranking, below the last item that is returned for the query",
}
_STEPS = (1, 3, 10, 30)  # ranks below the cut-off, for which the number of items is told


def losses(runs: EvaluatedRuns) -> AnalysisFrame:
    """Count the relevant items that are left on each level between the gold labels and the answers of a run.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        The columns run, step (the order of the rows of a run, from 0), type (``level`` or ``loss``), name (of the
        level, or the cause of the loss), items, and share, of the relevant items. A level is the level before less the
        losses between the two. The notes name the largest loss of each run. The levels of an observed pipeline are its
        stages, which may also have rows of type ``gain``.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedFileError
        If a document cannot be read.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> frame = losses(evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"N": 1.0}}}))
    >>> frame[["step", "type", "name", "items"]].to_numpy().tolist()[:3]
    [[0, 'level', 'gold', 20], [1, 'loss', 'not answered', 19], [2, 'level', 'answered', 1]]
    """
    frame = pd.concat([waterfall(name, len(runs.gold), _steps(runs, name)) for name in runs.runs], ignore_index=True)
    notes = [note for name in runs.runs for note in _notes_on_run(runs, name)]
    if runs.scorer.evaluation.single_answer:
        notes += [f"{name}: right answers by gold label: {_by_label(runs, name)}" for name in runs.runs]
    notes += _definitions(frame)
    return AnalysisFrame.of(
        frame, kind="losses", title="Where relevant items are lost", notes=notes, main_rows="type == 'loss'"
    )


def _steps(runs: EvaluatedRuns, name: str) -> Iterator[Step]:
    misses, stages = miss_causes(runs, name), runs.runs[name].stages
    lost = Counter(misses["cause"])
    for level, causes in _levels(runs, name):
        yield from (("loss", cause, lost[cause]) for cause in causes)
        yield "level", level, 0
    if stages:
        unreachable = misses[misses["cause"] == NOT_IN_COLLECTION]
        relevant = {*zip(runs.gold["query_id"], runs.gold["doc_id"])}
        yield from stage_steps(stages, relevant - {*zip(unreachable["query_id"], unreachable["doc_id"])})


def _levels(runs: EvaluatedRuns, name: str) -> Sequence[Level]:
    if runs.runs[name].stages:
        return (_REACHABLE,)
    if runs.scorer.evaluation.single_answer:
        return _ANSWERED
    return _UNRANKED if runs.runs[name].ranking is None else _RANKED


def _by_label(runs: EvaluatedRuns, name: str) -> str:
    of_gold = runs.outcomes(name).query("outcome != 'false'")
    right = (of_gold["outcome"] == "hit").groupby(of_gold["doc_id"]).agg(["sum", "size"])
    return ", ".join(f"{label} {found} of {gold}" for label, found, gold in right.itertuples())


def _notes_on_run(runs: EvaluatedRuns, name: str) -> Iterator[str]:
    """Yield the largest loss, how far below the cut-off ranked items are, and hints on filters."""
    yield f"{name}: {largest_loss(runs, name)}"
    causes = miss_causes(runs, name)
    if (causes["cause"] == BELOW).any():
        below = ranks_below(runs, name)
        steps = ", ".join(f"{int(((below > 0) & (below <= step)).sum())} by at most {step}" for step in _STEPS)
        yield f"{name}: of {int((below > 0).sum())} items ranked below the cut-off of their query: {steps} ranks"
    hints = causes.loc[causes["hint"] != "", "hint"].str.split(" would").str[0].value_counts()
    for hint, number in hints.items():
        yield (
            f"{name}: hint: {hint} would drop {number} of the items that are not among the candidates, and nothing of "
            "the ranking; whether they would be found without it is not known"
        )


def _definitions(frame: pd.DataFrame) -> Iterator[str]:
    names = set(frame["name"])
    yield from (definition for name, definition in _DEFINITIONS.items() if name in names)
    if NO_RANKING in names:
        yield "Without a ranking, what was ranked too low cannot be told from what was not found; pass rankings."


def largest_loss(runs: EvaluatedRuns, name: str) -> str:
    """Return a sentence that names the cause of most misses of a run.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    name : str
        The name of the run.

    Returns
    -------
    str
        With the number and the share of the misses; of items below the cut-off also by how many ranks.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> largest_loss(evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"N": 1.0}}}), "mine")
    'largest loss: 19 of 20 queries (95.0 %) are not answered'
    """
    lost = Counter(miss_causes(runs, name)["cause"])
    if not lost:
        return f"nothing is lost: all {len(runs.gold)} relevant items are returned"
    cause, number = lost.most_common(1)[0]
    by = f", half of them by at most {_median(runs, name)} ranks" if cause == BELOW else ""
    return f"largest loss: {loss_by_cause(runs, cause, number)}{by}"


def loss_by_cause(runs: EvaluatedRuns, cause: str, number: int) -> str:
    """Return how many relevant items a run loses by a cause; of tasks with one answer for each query, how many queries.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> loss_by_cause(evaluate("coliee/task4/sample/en/test", {"mine": {}}), "wrong answer", 3)
    '3 of 20 queries (15.0 %) are answered wrongly'
    """
    noun = "queries" if runs.scorer.evaluation.single_answer else "relevant items"
    what = "answered wrongly" if cause == WRONG_ANSWER else cause
    return f"{number} of {len(runs.gold)} {noun} ({100 * number / len(runs.gold):.1f} %) are {what}"


def _median(runs: EvaluatedRuns, name: str) -> int:
    """Return the number of ranks by which half of the items that are ranked below the cut-off miss it."""
    below = ranks_below(runs, name)
    return int(below[below > 0].quantile(0.5, interpolation="lower"))


def false_answers(runs: EvaluatedRuns) -> AnalysisFrame:
    """Count the false answers of each kind.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        The columns run, kind, items, and share, of the items that the run returns. The kinds are those of
        `false_answer_kinds`, the most frequent first.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedFileError
        If a document cannot be read.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"N": 1.0}}})
    >>> false_answers(runs).to_numpy().tolist()
    [['mine', 'N instead of Y', 1, 1.0]]
    """
    rows = []
    for name in runs.runs:
        returned = int((runs.outcomes(name)["outcome"] != "miss").sum())
        found = Counter(false_answer_kinds(runs, name)["kind"]).most_common()
        rows += [(name, kind, number, number / returned) for kind, number in found]
    frame = pd.DataFrame(rows, columns=["run", "kind", "items", "share"])
    notes = ["share: of the items that the run returns"]
    if OTHER in frame["kind"].tolist():
        notes.append("other: false answers of none of the kinds that are looked for")
    if not runs.has_documents:
        notes.append(
            f"The texts of the documents are not at hand, so that all false answers are of the kind {OTHER!r}."
        )
    return AnalysisFrame.of(frame, kind="false_answers", title="False answers by kind", notes=notes)


def items(runs: EvaluatedRuns) -> AnalysisFrame:
    """List each miss and each false answer with its cause.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.

    Returns
    -------
    AnalysisFrame
        A row for each relevant item that a run does not return and for each returned one that is not relevant: run,
        query_id, doc_id; outcome, ``miss`` or ``false``; stage, the level of `losses` that a miss does not reach, or
        the stage of a pipeline that loses it; cause, that of `miss_causes` or the kind of `false_answer_kinds`;
        detail, a sentence, with the hint on filters; and evidence, the id of the item or query that it rests on.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> frame = items(evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"56": 2.0}}}))
    >>> frame.loc[frame["query_id"] == "R99-01-A", ["doc_id", "outcome", "stage", "cause"]].to_numpy().tolist()
    [['55', 'miss', 'kept', 'not returned (no ranking)'], ['56', 'false', '', 'beside a relevant item']]
    """
    tables = []
    for name in runs.runs:
        level_of = {cause: level for level, causes in _levels(runs, name) for cause in causes}
        misses, false = miss_causes(runs, name), false_answer_kinds(runs, name)
        stages = [level_of.get(cause, cause.partition(" by ")[2]) for cause in misses["cause"]]
        details = (misses["detail"] + " " + misses["hint"]).str.strip()
        tables.append(misses.assign(run=name, outcome="miss", stage=stages, detail=details))
        tables.append(false.rename(columns={"kind": "cause"}).assign(run=name, outcome="false", stage=""))
    columns = ["run", "query_id", "doc_id", "outcome", "stage", "cause", "detail", "evidence"]
    frame = pd.concat(tables, ignore_index=True)[columns].sort_values(["run", "query_id"], kind="stable")
    return AnalysisFrame.of(frame.reset_index(drop=True), kind="items", title="Misses and false answers")
