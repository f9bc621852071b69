"""The kinds of evidence of each task."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.evidence.article_references import article_references
from ir_coliee.analysis.evidence.citing_contexts import citing_contexts
from ir_coliee.analysis.evidence.claims import claims
from ir_coliee.analysis.evidence.judge_replies import judge_replies
from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.quoted_articles import quoted_articles
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.analysis.evidence.shared_passages import shared_passages
from ir_coliee.analysis.evidence.shared_terms import shared_terms
from ir_coliee.analysis.evidence.years import years
from ir_coliee.errors import ColieeError
from ir_coliee.transformers.answers.prompting import YesNoPrompting

#: The kinds of evidence by task, in the order in which they are shown.
KINDS: dict[str, tuple[Callable[[Pair], Evidence], ...]] = {
    "task1": (shared_terms, shared_passages, citing_contexts, years),
    "task2": (shared_terms, shared_passages),
    "task3": (shared_terms, shared_passages, article_references),
    "task4": (quoted_articles,),
    "task5": (quoted_articles,),
    "prediction": (claims,),
    "rationale": (claims,),
}


def evidence_for(
    runs: EvaluatedRuns, query_id: str, doc_id: str, *, judges: Sequence[YesNoPrompting] = ()
) -> list[Evidence]:
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
    judges : sequence of Entailment or CandidateEntailment
        Transformers with the reply store of a run, whose stored replies to the pair are shown, see `judge_replies`.

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
    replies = (judge_replies(pair, judge) for judge in judges)
    return [*(find(pair) for find in KINDS[runs.split.task]), *filter(None, replies)]
