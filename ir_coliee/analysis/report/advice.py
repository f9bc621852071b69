"""What would mend a cause of misses or a kind of false answers, in one sentence each."""

from __future__ import annotations

from ir_coliee.analysis.outcome_causes import false_answers as kinds
from ir_coliee.analysis.outcome_causes import misses as causes

#: What would mend the misses of a cause that are not in the ranking.
OF_CAUSE = {
    causes.NOT_IN_COLLECTION: "Check the local release (ir_coliee audit); no ranking can find these items.",
    causes.BY_YEAR: "Remove or loosen the year filter, if there is one: the ranking has no later case.",
    causes.AS_QUERY: "Keep the queries of the split among the candidates, if they were dropped: the ranking has none.",
    causes.AS_DUPLICATE: "Keep duplicates among the candidates, if they were dropped: no ranking has equal texts.",
    causes.NOT_CANDIDATE: "Retrieve more candidates for each query, or fuse with a ranking that has these items.",
    causes.NO_RANKING: "Pass the ranking that the run was cut from (--ranking); the page then says more.",
    causes.NOT_ANSWERED: "Answer every question.",
}

#: What would mend misses that are in the ranking, by whether the best cut-off of the ranking returns more items.
OF_RANKED = {
    True: "Return more items for each query, as the best cut-off of this ranking does.",
    False: "Rank better, for example by re-ranking the candidates: more items would add too many false answers.",
}

#: What would mend the false answers of a kind.
OF_KIND = {
    kinds.DUPLICATE: "Of several items with the same text only one is relevant; the text does not tell which.",
    kinds.OF_NEAR_DUPLICATE: "Two queries have nearly the same text and other labels.",
    kinds.LATER: "Filter by year, after a check that this drops no relevant items.",
    kinds.NOTICED: "These decisions are noticed by a relevant one, not by the query itself.",
    kinds.REFERS: "These articles refer to a relevant one.",
    kinds.REFERRED: "A relevant article refers to these.",
    kinds.BESIDE: "These items stand next to a relevant one.",
}
