"""The kinds of evidence of each task."""

from __future__ import annotations

from collections.abc import Callable

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.analysis.evidence.shared_terms import shared_terms
from ir_coliee.errors import ColieeError

#: The kinds of evidence by task, in the order in which they are shown.
KINDS: dict[str, tuple[Callable[[Pair], Evidence], ...]] = {
    "task1": (shared_terms,),
    "task2": (shared_terms,),
    "task3": (shared_terms,),
}


def evidence_for(runs: EvaluatedRuns, query_id: str, doc_id: str) -> list[Evidence]:
    """Collect the evidence that a query and an item match, of all kinds that fit the task.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs of the split. The evidence comes from the texts and from our index, and does not depend on the runs;
        a run that has our BM25 score is named.
    query_id : str
        The query.
    doc_id : str
        The item.

    Returns
    -------
    list of Evidence
        One record for each kind, also if it found nothing. If the texts are missing, as in a local copy that has only
        labels, a single record of the kind ``missing`` tells what is missing.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task1/sample/test", {"mine": {"900656": {"900557": 2.0}}})
    >>> [record.kind for record in evidence_for(runs, "900656", "900557")][0]
    'shared_terms'
    """
    try:
        pair = Pair.of(runs, query_id, doc_id)
    except ColieeError as error:
        return [Evidence("missing", "No evidence", notes=tuple(str(error).splitlines()))]
    return [find(pair) for find in KINDS.get(runs.split.task, ())]
