"""Where a run loses relevant items and why, stage by stage, and of which kinds its false answers are.

A cause is certain: it follows from ids and ranks. What a filter may have done is a hint with its evidence, because a
ranking does not tell by which transformer an item was removed. Ranks count from 1, as in run files.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import pandas as pd
import pyterrier as pt

from ir_coliee.analysis.frame import AnalysisFrame
from ir_coliee.analysis.runs import EvaluatedRun, EvaluatedRuns
from ir_coliee.display import number_cell
from ir_coliee.errors import ColieeError
from ir_coliee.frames import instance_of
from ir_coliee.transformers.base import BaseTransformer


def observe(
    pipeline: pt.Transformer, topics: pd.DataFrame, *, names: Sequence[str] | None = None
) -> dict[str, pd.DataFrame]:
    """Run a pipeline and return the results of each of its stages.

    The stages are the transformers that ``>>`` connects; a nested ``**``, ``+``, ``|`` or fusion is one stage. Stages
    that return no documents, such as rewritten queries, are left out. Pass the result to `evaluate` as a run: the
    causes of misses then name the stages.

    Parameters
    ----------
    pipeline : pyterrier.Transformer
        The pipeline.
    topics : pandas.DataFrame
        The queries.
    names : sequence of str, optional
        The names of the stages, one for each. By default the label of a transformer of this package, or the class.

    Returns
    -------
    dict of str to pandas.DataFrame
        The results of the stages in their order; the last ones are those of the pipeline.

    Raises
    ------
    ColieeError
        If the number of names is not that of the stages, or if a name occurs twice.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate, losses
    >>> from ir_coliee.transformers import DropSelf, TopK
    >>> run = pd.DataFrame({"qid": "900656", "docno": ["900656", "900557", "900912"], "score": [3.0, 2.0, 1.0]})
    >>> stages = observe(pt.Transformer.from_df(run) >> DropSelf() >> TopK(1), pd.DataFrame({"qid": ["900656"]}))
    >>> [*stages], stages["Cut-off"].docno.tolist()
    (['SourceTransformer', 'Drop self', 'Cut-off'], ['900557'])
    >>> losses(evaluate("coliee/task1/sample/test", {"mine": stages}))["name"].tolist()[-2:]
    ['dropped by Cut-off', 'Cut-off']
    """
    instance_of("pipeline", pipeline, pt.Transformer, "a PyTerrier transformer")
    transformers = [*pipeline] if isinstance(pipeline, pt._ops.Compose) else [pipeline]
    names = [*_labels(transformers)] if names is None else names
    if len(names) != len(transformers):
        raise ColieeError(f"names has {len(names)} entries for {len(transformers)} stages; give one for each.")
    if len({*names}) < len(names):
        raise ColieeError("Two stages have the same name. Give each stage its own name.")
    results, stages = topics, {}
    for name, transformer in zip(names, transformers):
        results = transformer.transform(results)
        if "docno" in results.columns:
            stages[name] = results
    return stages


def _labels(transformers: Sequence[pt.Transformer]) -> Iterator[str]:
    """Yield the labels of transformers; those that occur again are numbered."""
    seen: Counter[str] = Counter()
    for transformer in transformers:
        label = transformer.LABEL if isinstance(transformer, BaseTransformer) else type(transformer).__name__
        seen[label] += 1
        yield label if seen[label] == 1 else f"{label} {seen[label]}"


NOT_IN_COLLECTION = "not in the collection"
AS_DUPLICATE = "not among the candidates, which have its text"
NOT_CANDIDATE = "not among the candidates"
BELOW = "ranked below the cut-off"
NOT_KEPT = "ranked above the cut-off, not returned"
NO_RANKING = "not returned (no ranking)"
WRONG_ANSWER = "wrong answer"
NOT_ANSWERED = "not answered"
NOT_ACCEPTED = "not accepted"

#: The cause of a miss or the kind of a false answer, a short sentence on it, and the id of the item or query that it
#: rests on, or an empty string.
Reason: TypeAlias = "tuple[str, str, str]"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def miss_causes(runs: EvaluatedRuns, name: str) -> pd.DataFrame:
    """Find the cause of each miss of a run.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    name : str
        The name of the run.

    Returns
    -------
    pandas.DataFrame
        A row for each relevant item that the run does not return: query_id, doc_id, cause (the first that applies),
        detail, a sentence with ranks, which count from 1, and scores; and hint: what may have removed an item of task 1
        that is not in the ranking, with the evidence, or an empty string; and evidence, the id that the cause rests on.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedFileError
        If a document cannot be read.

    Notes
    -----
    The cut-off of a run is that of each query: an item is below it if its rank is below that of the last returned item
    of its query. A hint names `YearFilter` or `DropQueries` if the transformer would drop the item, and would drop
    nothing of the whole ranking. It does not say that the item would be found without the filter.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task4/sample/en/test", {"mine": {"R99-01-A": {"N": 1.0}}})
    >>> miss_causes(runs, "mine")[["query_id", "doc_id", "cause", "detail"]].iloc[:2].to_numpy().tolist()
    [['R99-01-A', 'Y', 'wrong answer', 'Answered N.'], ['R99-01-I', 'N', 'not answered', 'The run has no answer.']]
    """
    return runs.once(("miss causes", name), lambda: _miss_causes(runs, runs.run(name))).copy()


def _miss_causes(runs: EvaluatedRuns, run: EvaluatedRun) -> pd.DataFrame:
    outcomes = runs.outcomes(run.name)
    misses = outcomes[outcomes["outcome"] == "miss"]
    ranked = None
    if run.stages:
        reason = _of_stages(run)
    elif run.ranking is None or runs.scorer.evaluation.single_answer:
        reason = _without_ranking(runs, run)
    else:
        ranked = _RankedMisses(runs, run, run.ranking)
        reason = ranked.reason
    rows = []
    for miss in misses.itertuples(index=False):
        cause, detail, evidence = _not_in_collection(runs, miss) or reason(miss)
        hint = ranked.hint(miss) if ranked is not None and cause == NOT_CANDIDATE else ""
        rows.append((miss.query_id, miss.doc_id, cause, detail, hint, evidence))
    columns = ["query_id", "doc_id", "cause", "detail", "hint", "evidence"]
    return pd.DataFrame(rows, columns=columns, dtype=object)


def _of_stages(run: EvaluatedRun) -> Callable[[Any], Reason]:
    """Return the causes of an observed pipeline: the first stage that does not return an item to the end."""
    names, ranks, sizes = [*run.stages], {}, {}
    for name, results in run.stages.items():
        of_stage = results["rank"] if "rank" in results.columns else [None] * len(results)
        ranks[name] = dict(zip(zip(results["qid"], results["docno"]), of_stage))
        sizes[name] = results.groupby("qid").size()

    def reason(miss: Any) -> Reason:
        pair = (miss.query_id, miss.doc_id)
        having = [number for number, name in enumerate(names) if pair in ranks[name]]
        stage = names[having[-1] + 1 if having else 0]
        before = names[having[-1]] if having else ""
        rank = ranks[before][pair] if having else None
        place = f"At rank {rank + 1} of {before}; " if rank is not None else ""
        returned = _counted(int(sizes[stage].get(miss.query_id, 0)), "item")
        cause = f"dropped by {stage}" if having else f"not returned by {stage}"
        return cause, f"{place}{stage} returns {returned} for the query.", ""

    return reason


def _without_ranking(runs: EvaluatedRuns, run: EvaluatedRun) -> Callable[[Any], Reason]:
    cause = NOT_ACCEPTED if runs.split.task == "rationale" else NO_RANKING
    answers = {str(qid): [*docnos] for qid, docnos in run.answers.groupby("qid")["docno"]}

    def reason(miss: Any) -> Reason:
        given = answers.get(miss.query_id, [])
        if not runs.scorer.evaluation.single_answer:
            return cause, f"The run returns {_counted(len(given), 'item')} for the query.", ""
        return (WRONG_ANSWER, f"Answered {given[-1]}.", "") if given else (NOT_ANSWERED, "The run has no answer.", "")

    return reason


def _not_in_collection(runs: EvaluatedRuns, item: Any) -> Reason | None:
    """Return the cause of an item that the local release does not have, or that the query's pool does not have."""
    if runs.scorer.evaluation.single_answer or not runs.has_documents:
        return None
    if item.doc_id in runs.scorer.checker.candidates(item.query_id):
        return None
    place = f"The pool of query {item.query_id}" if runs.split.has_pools else "The local release"
    return NOT_IN_COLLECTION, f"{place} has no item {item.doc_id}.", ""


def ranks_below(runs: EvaluatedRuns, name: str) -> pd.Series[float]:
    """Return for each ranked miss by how many ranks it is below the last returned item of its query.

    The index is that of ``runs.outcomes(name)``. Without a returned item it is the rank itself.
    """
    outcomes = runs.outcomes(name)
    returned = outcomes["outcome"] != "miss"
    last = outcomes[returned].groupby("query_id")["rank"].max()
    ranks = outcomes.loc[~returned & outcomes["rank"].notna()]
    return ranks["rank"].astype(float) - ranks["query_id"].map(last).fillna(0).astype(float)


class _RankedMisses:
    """The causes of the misses of a run with a ranking, and hints on its filters."""

    def __init__(self, runs: EvaluatedRuns, run: EvaluatedRun, ranking: pd.DataFrame) -> None:
        self.runs, self.facts, self.has_scores, self.name = runs, runs.facts, run.has_scores, run.name
        self.ranking = {str(qid): docnos.tolist() for qid, docnos in ranking.groupby("qid", sort=False)["docno"]}
        returned = run.answers[["qid", "docno"]].merge(ranking, on=["qid", "docno"]).sort_values("rank")
        last = returned.drop_duplicates("qid", keep="last")
        self.last: Mapping[Any, tuple[int, float]] = dict(zip(last["qid"], zip(last["rank"] + 1, last["score"])))
        self.is_of_cases = runs.split.task == "task1" and runs.has_documents
        self.queries = frozenset(runs.scorer.checker.query_ids)

    def reason(self, miss: Any) -> Reason:
        """Return the first cause that applies."""
        if not pd.isna(miss.rank):
            return self._ranked(miss)
        ranked = self.ranking.get(miss.query_id, [])
        if self.is_of_cases:
            digest = self.facts.digest(miss.doc_id)
            same = next((rank for rank, docno in enumerate(ranked, 1) if self.facts.digest(docno) == digest), None)
            if same is not None:
                return AS_DUPLICATE, f"{ranked[same - 1]}, at rank {same}, has the same text.", ranked[same - 1]
        of_others = self._ranks_of_others.get((miss.query_id, miss.doc_id), [])
        others = "".join(f"; {name} has it at rank {rank}" for name, rank in of_others)
        return NOT_CANDIDATE, f"Not among the {_counted(len(ranked), 'item')} of the ranking{others}.", ""

    def _ranked(self, miss: Any) -> Reason:
        if miss.query_id not in self.last:
            return BELOW, f"At rank {miss.rank}; nothing of the ranking is returned for the query.", ""
        last, kept = self.last[miss.query_id]
        score = f" with score {number_cell(float(miss.score))}" if self.has_scores else ""
        of_last = f" and has {number_cell(kept)}" if self.has_scores else ""
        detail = f"At rank {miss.rank}{score}; the last returned item is at rank {last}{of_last}."
        return BELOW if miss.rank > last else NOT_KEPT, detail, ""

    def hint(self, miss: Any) -> str:
        """Return which filter would drop an item that is not in the ranking, and nothing of the whole ranking."""
        if not self.is_of_cases:
            return ""
        if self.facts.is_later(miss.query_id, miss.doc_id) and self._has_no_later_case:
            return f"YearFilter would drop it: {self.facts.years_of_later(miss.query_id, miss.doc_id)}."
        if miss.doc_id in self.queries and self._has_no_query:
            return "DropQueries would drop it: the item is a query of the split."
        return ""

    @functools.cached_property
    def _has_no_later_case(self) -> bool:
        later = self.facts.is_later
        return not any(later(qid, docno) for qid, docnos in self.ranking.items() for docno in docnos)

    @functools.cached_property
    def _has_no_query(self) -> bool:
        return not any(docno in self.queries for docnos in self.ranking.values() for docno in docnos)

    @functools.cached_property
    def _ranks_of_others(self) -> Mapping[tuple[str, str], list[tuple[str, int]]]:
        """The ranks of the relevant items in the rankings of the other runs."""
        ranks: dict[tuple[str, str], list[tuple[str, int]]] = {}
        gold = self.runs.gold.set_axis(["qid", "docno"], axis=1)
        for name, run in self.runs.runs.items():
            if name != self.name and run.ranking is not None:
                found = run.ranking[["qid", "docno", "rank"]].merge(gold, on=["qid", "docno"])
                for qid, docno, rank in found.itertuples(index=False):
                    ranks.setdefault((qid, docno), []).append((name, rank + 1))
        return ranks


# --- false answers ---------------------------------------------------------------------------------

DUPLICATE = "duplicate of a relevant item"
OF_NEAR_DUPLICATE = "relevant to a near-duplicate query"
LATER = "of a later year, by what it mentions"
NOTICED = "noticed by a relevant case"
REFERS = "refers to a relevant article"
REFERRED = "referred to by a relevant article"
BESIDE = "beside a relevant item"
OTHER = "other"


def false_answer_kinds(runs: EvaluatedRuns, name: str) -> pd.DataFrame:
    """Find the kind of each false answer of a run.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    name : str
        The name of the run.

    Returns
    -------
    pandas.DataFrame
        A row for each returned item that is not relevant: query_id, doc_id, kind (the first that applies) and detail,
        a sentence, and evidence, the relevant item or the query that the kind rests on. In tasks with one answer for
        each query, the kind is the pair of the answer and the gold label, such as ``Y instead of N``.

    Raises
    ------
    MissingLabelsError
        If the local release has no gold labels.
    MalformedFileError
        If a document cannot be read.

    Notes
    -----
    Texts are compared without case, white space and punctuation. Two queries are near-duplicates if their texts are
    equal in this way, or if their resemblance is at least 0.8, see `ir_coliee.transformers.near_duplicates`.

    Examples
    --------
    >>> from ir_coliee.analysis import evaluate
    >>> runs = evaluate("coliee/task3/sample/en/test", {"mine": {"R99-01-A": {"56": 2.0, "55": 1.0}}})
    >>> false_answer_kinds(runs, "mine").to_numpy().tolist()
    [['R99-01-A', '56', 'beside a relevant item', 'Beside 55.', '55']]
    """
    return runs.once(("false answer kinds", name), lambda: _false_answer_kinds(runs, name)).copy()


def _false_answer_kinds(runs: EvaluatedRuns, name: str) -> pd.DataFrame:
    outcomes = runs.outcomes(name)
    answers = outcomes[outcomes["outcome"] == "false"]
    kinds = _Kinds(runs)
    rows = [(each.query_id, each.doc_id, *kinds.reason(each)) for each in answers.itertuples(index=False)]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "kind", "detail", "evidence"], dtype=object)


class _Kinds:
    """The kinds of false answers."""

    def __init__(self, runs: EvaluatedRuns) -> None:
        self.runs, self.facts, self.gold = runs, runs.facts, runs.relevant

    def reason(self, answer: Any) -> Reason:
        """Return the first kind that applies; for tasks with one answer for each query the answer and the label."""
        if self.runs.scorer.evaluation.single_answer:
            label = " or ".join(self.gold.get(answer.query_id, ["no label"]))
            return f"{answer.doc_id} instead of {label}", f"Answered {answer.doc_id}; the gold label is {label}.", ""
        if not self.runs.has_documents:
            return OTHER, "The texts are not at hand.", ""
        if answer.doc_id not in self.runs.scorer.checker.candidates(answer.query_id):
            return OTHER, "Not a candidate of the query.", ""
        return next(self._reasons(answer.query_id, answer.doc_id, self.gold.get(answer.query_id, [])))

    def _reasons(self, query_id: str, doc_id: str, relevant: Collection[str]) -> Iterator[Reason]:
        task, facts = self.runs.split.task, self.facts
        if same := self._same_text(doc_id, relevant):
            yield DUPLICATE, f"The same text as {same}.", same
        for other in sorted(facts.near_duplicate_queries.get(query_id, ())):
            if self._same_text(doc_id, self.gold.get(other, [])):
                yield OF_NEAR_DUPLICATE, f"Relevant to {other}, a near-duplicate of the query.", other
        if task == "task1":
            if facts.is_later(query_id, doc_id):
                yield LATER, f"{facts.years_of_later(query_id, doc_id)}.", ""
            noticing = (item for item in relevant if doc_id in self.gold.get(item, ()))
            yield from ((NOTICED, f"Noticed by {item}, a relevant case.", item) for item in noticing)
        if task == "task3":
            # "in this Chapter" may only define a term: a reference to a whole unit says nothing of one article
            to, of = facts.references.outgoing(doc_id), facts.references.incoming(doc_id)
            targets = {edge.target for edge in to if edge.kind != "structural"}
            sources = {edge.source for edge in of if edge.kind != "structural"}
            yield from ((REFERS, f"Refers to {item}.", item) for item in relevant if item in targets)
            yield from ((REFERRED, f"Referred to by {item}.", item) for item in relevant if item in sources)
        if task in ("task2", "task3"):
            beside = self._neighbours.get(doc_id, ())
            yield from ((BESIDE, f"Beside {item}.", item) for item in relevant if item in beside)
        yield OTHER, f"No known relation to the {_counted(len(relevant), 'relevant item')} of the query.", ""

    def _same_text(self, doc_id: str, others: Collection[str]) -> str | None:
        """Return the first of some items that has the text of an item."""
        return next((other for other in others if self.facts.digest(other) == self.facts.digest(doc_id)), None)

    @functools.cached_property
    def _neighbours(self) -> Mapping[str, set[str]]:
        """The items before and after each item, in the order of the case or of the code."""
        neighbours: dict[str, set[str]] = {}
        for item, following in itertools.pairwise(self.runs.documents.ids()):
            if self.runs.split.task == "task3" or item.partition("_")[0] == following.partition("_")[0]:
                neighbours.setdefault(item, set()).add(following)
                neighbours.setdefault(following, set()).add(item)
        return neighbours


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
    NO_RANKING: "Without a ranking, what was ranked too low cannot be told from what was not found; pass rankings.",
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
    rows = [(name, step, *row) for name in runs.runs for step, row in enumerate(_waterfall(runs, name))]
    frame = pd.DataFrame(rows, columns=["run", "step", "type", "name", "items"])
    frame["share"] = frame["items"] / (len(runs.gold) or float("nan"))
    notes = [note for name in runs.runs for note in _notes_on_run(runs, name)]
    if runs.scorer.evaluation.single_answer:
        notes += [f"{name}: right answers by gold label: {_by_label(runs, name)}" for name in runs.runs]
    names = {*frame["name"]}
    notes += [definition for name, definition in _DEFINITIONS.items() if name in names]
    return AnalysisFrame.of(frame, "losses", "Where relevant items are lost", notes, main_rows="type == 'loss'")


def _waterfall(runs: EvaluatedRuns, name: str) -> Iterator[tuple[str, str, int]]:
    """Yield the type, the name and the items of each level, and of each loss and gain between two levels."""
    misses, left = miss_causes(runs, name), len(runs.gold)
    lost = Counter(misses["cause"])
    yield "level", "gold", left
    for level, causes in _levels(runs, name):
        yield from (("loss", cause, lost[cause]) for cause in causes if lost[cause])
        left -= sum(lost[cause] for cause in causes)
        yield "level", level, left
    unreachable = misses[misses["cause"] == NOT_IN_COLLECTION]
    relevant = {*zip(runs.gold["query_id"], runs.gold["doc_id"])}
    relevant -= {*zip(unreachable["query_id"], unreachable["doc_id"])}
    before, verb = relevant, "not returned"
    for stage, results in runs.runs[name].stages.items():
        found = relevant & {*zip(results["qid"], results["docno"])}
        changes = {f"{verb} by {stage}": ("loss", before - found), f"added by {stage}": ("gain", found - before)}
        yield from ((kind, change, len(pairs)) for change, (kind, pairs) in changes.items() if pairs)
        yield "level", stage, len(found)
        before, verb = found, "dropped"


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
    by = ""
    if cause == BELOW:
        below = ranks_below(runs, name)
        median = int(below[below > 0].quantile(0.5, interpolation="lower"))
        by = f", half of them by at most {median} ranks"
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
    return AnalysisFrame.of(frame, "false_answers", "False answers by kind", notes)


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
    frame = pd.concat(tables)[columns].sort_values(["run", "query_id"], kind="stable", ignore_index=True)
    return AnalysisFrame.of(frame, "items", "Misses and false answers")
