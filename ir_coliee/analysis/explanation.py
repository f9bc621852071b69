"""One query looked at: its texts, its relevant items, the answers of runs, and why each pair matched."""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ir_coliee.analysis.evidence import Evidence, evidence_for
from ir_coliee.analysis.frame import plain_rows
from ir_coliee.analysis.losses import NO_RANKING, false_answer_kinds, miss_causes
from ir_coliee.analysis.page import page, write_page
from ir_coliee.analysis.runs import EvaluatedRuns, evaluate, find_items, find_query
from ir_coliee.display import Block, Details, Heading, MarkedText, Table, WarningText, cell, displayed, number_cell
from ir_coliee.editions import Dataset
from ir_coliee.errors import MissingReleaseError, printable
from ir_coliee.evaluation.runs import Runs
from ir_coliee.evaluation.scoring import Scorer

# The answers of runs to one query, item by item: outcome, rank, score, and the cause of a miss.


def answers_to(
    runs: EvaluatedRuns, query_id: str, doc_ids: Sequence[str], relevant: Collection[str] | None
) -> pd.DataFrame:
    """Return what each run does with each of some items.

    Parameters
    ----------
    runs : EvaluatedRuns
        The runs.
    query_id : str
        The query.
    doc_ids : sequence of str
        The items.
    relevant : collection of str or None
        The relevant items; None if they are not known.

    Returns
    -------
    pandas.DataFrame
        A row for each item and run, with missing values where there is none: doc_id; run; outcome, ``hit``, ``false``
        or ``miss`` if the relevant items are known; answer_rank, the rank in the answer set; rank and score in the
        ranking, or in the answer set if the run has no ranking; reason, the cause of a miss or the kind of a false
        answer; and detail, a sentence on it. Ranks count from 1.
    """
    columns = ["doc_id", "run", "outcome", "answer_rank", "rank", "score", "reason", "detail"]
    rows = []
    for name, run in runs.runs.items():
        answers = _by_item(run.answers, query_id)
        ranking = answers if run.ranking is None else _by_item(run.ranking, query_id)
        reasons = {} if relevant is None else _reasons(runs, name, query_id)
        for doc_id in doc_ids:
            outcome = None
            if relevant is not None and (doc_id in answers or doc_id in relevant):
                outcome = "miss" if doc_id not in answers else "hit" if doc_id in relevant else "false"
            answer_rank, _ = answers.get(doc_id, (None, None))
            rank, score = ranking.get(doc_id, (None, None))
            reason = reasons.get(doc_id, (None, None))
            rows.append([doc_id, name, outcome, answer_rank, rank, score if run.has_scores else None, *reason])
    return pd.DataFrame(rows, columns=columns, dtype=object).astype({"answer_rank": "Int64", "rank": "Int64"})


def _reasons(runs: EvaluatedRuns, name: str, query_id: str) -> dict[str, tuple[str, str]]:
    """Return the cause of each miss and the kind of each false answer of a query, with its detail."""
    misses, false = miss_causes(runs, name), false_answer_kinds(runs, name)
    misses["detail"] = (misses["detail"] + " " + misses["hint"]).str.strip()
    found = pd.concat([misses, false.rename(columns={"kind": "cause"})])
    found = found[found["query_id"] == query_id]
    return dict(zip(found["doc_id"], zip(found["cause"], found["detail"])))


def _by_item(results: pd.DataFrame, query_id: str) -> dict[str, tuple[int, float]]:
    """Return rank and score of each result of a query."""
    of_query = results[results["qid"] == query_id]
    return dict(zip(of_query["docno"], zip((of_query["rank"] + 1).tolist(), of_query["score"].tolist())))


def informative_order(answers: pd.DataFrame, doc_ids: Sequence[str]) -> list[str]:
    """Sort items: misses, false answers, hits, each by the best rank that a run gives them, then by id.

    Examples
    --------
    >>> answers = pd.DataFrame({"doc_id": ["a", "b", "c"], "outcome": ["hit", "miss", "false"], "rank": [0, 4, 1]})
    >>> informative_order(answers, ["a", "b", "c", "d"])
    ['b', 'c', 'a', 'd']
    """
    ids = {outcome: {*answers.loc[answers["outcome"] == outcome, "doc_id"]} for outcome in ("miss", "false")}
    best = answers.dropna(subset=["rank"]).groupby("doc_id")["rank"].min().to_dict()

    def key(doc_id: str) -> tuple[bool, bool, float, str]:
        return doc_id not in ids["miss"], doc_id not in ids["false"], best.get(doc_id, math.inf), doc_id

    return sorted(doc_ids, key=key)


# The texts of a query, by what they are: a decision, a fragment and its base case, a statement and its articles.


_MAX_LINES, _MAX_CHARACTERS = 6, 480  # of the beginning of a text
#: The names of the texts of a query and the fields of its record that have them, by task.
_TEXTS: Mapping[str, Mapping[str, str]] = {
    "task1": {"decision": "case", "summary": "summary"},  # only the queries of 2018 have a summary
    "task2": {"fragment": "fragment", "base case": "base_case"},
    "task3": {"statement": "statement"},
    "task4": {"statement": "statement", "articles": "t1"},
    "task5": {"statement": "statement", "articles": "t1"},
}


def query_texts(task: str, query: Any) -> dict[str, str]:
    """Return the texts of a query by their names, the query itself first.

    Parameters
    ----------
    task : str
        The task of the split.
    query : NamedTuple
        The record of the query with all fields.

    Returns
    -------
    dict of str to str
        Texts that the query does not have are left out.

    Examples
    --------
    >>> from ir_coliee.releases.cases import FragmentInCase
    >>> query_texts("task2", FragmentInCase("900001", "A lamp is lit.", ""))
    {'fragment': 'A lamp is lit.'}
    """
    texts = {name: getattr(query, field, "") for name, field in _TEXTS.get(task, {}).items()}
    if task not in _TEXTS:  # a tort instance
        texts = {"undisputed facts": "\n".join(query.undisputed_facts)}
        for side, party in (("p", "plaintiff"), ("d", "defendant")):
            claims = [f"{claim.doc_id}: {claim.text}" for claim in query.claims if claim.side == side]
            texts[f"claims of the {party}"] = "\n".join(claims)
    return {name: text for name, text in texts.items() if text}


def text_blocks(name: str, text: str) -> Iterator[Block]:
    """Return the first lines of a text, and the whole text, which only HTML shows, if it is longer.

    Examples
    --------
    >>> list(text_blocks("statement", "A lamp is lit."))
    ['statement (14 characters):', MarkedText(text='A lamp is lit.', marks=())]
    """
    start = text
    if len(text) > _MAX_CHARACTERS:
        lines = filter(str.strip, text[: 4 * _MAX_CHARACTERS].split("\n"))
        start = "\n".join([*lines][:_MAX_LINES])[:_MAX_CHARACTERS].rstrip() + " …"
    yield f"{name} ({len(text):,} characters):"
    yield MarkedText(start)
    if start != text:
        yield Details(f"the whole {name}", MarkedText(text))


# What a looked-at query shows of itself: its texts, a table of items and runs, and the evidence of each item.


_RELEVANCE = {"yes": "relevant", "no": "not relevant", "?": "whether it is relevant is unknown"}


def explanation_blocks(explanation: QueryExplanation, max_rows: int, max_items: int) -> Iterator[Block]:
    """Return what an explanation shows below its title.

    Parameters
    ----------
    explanation : QueryExplanation
        The explanation.
    max_rows : int
        The largest number of rows of the table of items.
    max_items : int
        The largest number of items that are explained one by one.
    """
    items = explanation.items
    yield from _overview_blocks(explanation, max_rows)
    for doc_id in items[:max_items]:
        yield from _item_blocks(explanation, doc_id)
    if len(items) > max_items:
        yield (
            f"{len(items) - max_items} of {len(items)} items are not explained here: "
            "name them by --item (items=), or write a page by --html FILE (write_page)."
        )


def summary_blocks(explanation: QueryExplanation) -> Iterator[Block]:
    """Return the query, its figures, the first items, and in a line each what the most informative of them share."""
    items = explanation.items
    yield from _overview_blocks(explanation, _MAX_SUMMARY_ROWS)
    shared = {doc_id: [*_shared_in_brief(explanation, doc_id)] for doc_id in items[:_MAX_ITEMS]}
    if any(shared.values()):
        yield Heading("What they share")
        yield from (f"{doc_id}: {'; '.join(brief)}" for doc_id, brief in shared.items() if brief)
    if items:
        yield f"--item {items[0]} explains one item, --verbose the first ones."


def _shared_in_brief(explanation: QueryExplanation, doc_id: str) -> Iterator[str]:
    for record in explanation.evidence_for(doc_id):
        if "term" in record.table and len(record.table):
            yield f"terms {', '.join(record.table['term'].head(_MAX_TERMS))}"
        elif "passage" in record.table and len(record.table):
            unit = record.table.columns[0]  # words, in Japanese letters
            longest = record.table.sort_values(unit, ascending=False, kind="stable").iloc[0]
            yield f'{longest[unit]} {unit} "{printable(longest["passage"], _LONGEST_PASSAGE)}"'


def _overview_blocks(explanation: QueryExplanation, max_rows: int) -> Iterator[Block]:
    items, runs = explanation.items, explanation.runs
    for name, text in explanation.texts.items():
        yield from text_blocks(name, text)
    if explanation.relevant is not None:
        labelled = "gold label" if runs.scorer.evaluation.single_answer else "relevant items"
        yield f"{labelled}: {', '.join(explanation.relevant) or 'none'}"
    if explanation.pool is not None:
        yield f"candidates: {len(explanation.pool)}"
        yield Details("the candidates", Table(["candidate"], [[doc_id] for doc_id in explanation.pool]))
    for name, run in runs.runs.items():
        yield from (WarningText(f"{name}: {warning}") for warning in run.remarks.warnings)
    if explanation.figures is not None:
        yield Heading("Figures of this query")
        yield Table.of_frame(explanation.figures.rename(columns={"tp": "hits", "value": runs.value_name}))
    if items and runs.runs:
        yield Heading("Items" if len(items) <= max_rows else f"The first {max_rows} of {len(items)} items")
        yield _table(explanation, items[:max_rows])
    yield from notes(explanation)


def notes(explanation: QueryExplanation) -> Iterator[str]:
    """Return what cannot be shown and why, and how ranks count."""
    runs = explanation.runs
    if explanation.relevant is None:
        missing = "no labels of this query" if runs.has_gold else "no gold labels"
        yield f"The local release has {missing}, so outcomes and figures are unknown."
    if not explanation.texts or not runs.has_documents:
        missing = "The texts of the items" if explanation.texts else "The texts"
        yield f"{missing} are not at hand, so why pairs match is unknown: see `ir_coliee status {runs.split.id}`."
    for name, run in runs.runs.items():
        if explanation.query_id not in set(run.answers["qid"]):
            yield f"{name} has no answer to this query."
    answers = explanation.answers
    for name in dict.fromkeys(answers.loc[answers["reason"] == NO_RANKING, "run"]):
        yield f"{name} has no ranking: pass it by --ranking (rankings=) to see the ranks of what it misses."
    if runs.runs and not runs.scorer.evaluation.single_answer:
        yield "Ranks count from 1."


def _table(explanation: QueryExplanation, items: Sequence[str]) -> Table:
    """Return a row for each item: its gold, its outcome, rank and score in each run; empty columns are left out."""
    names, cells = [*explanation.runs.runs], explanation.cells
    columns = {"item": [*items], "gold": [_gold(explanation, doc_id) for doc_id in items]}
    for kind in ("outcome", "rank", "score") if len(names) > 1 else ("outcome", "rank", "score", "reason"):
        for name in names:
            values = [cells[doc_id, name].get(kind, "") for doc_id in items]
            if any(values):
                columns[kind if len(names) == 1 else f"{name}: {kind}"] = values
    return Table([*columns], [*zip(*columns.values())], fold=["reason"], key=2)


def _gold(explanation: QueryExplanation, doc_id: str) -> str:
    return "?" if explanation.relevant is None else "yes" if doc_id in explanation.relevant else "no"


def _item_blocks(explanation: QueryExplanation, doc_id: str) -> Iterator[Block]:
    yield Heading(f"{doc_id}: {_RELEVANCE[_gold(explanation, doc_id)]}")
    for name in explanation.runs.runs:
        shown = explanation.cells[doc_id, name]
        place = "".join(f", {kind} {shown[kind]}" for kind in ("rank", "score") if kind in shown)
        reason = f", {shown['reason']}" if "reason" in shown else ""
        yield f"  {name}: {shown['outcome']}{place}{reason}" + (f"\n    {shown['detail']}" if "detail" in shown else "")
    if explanation.runs.scorer.evaluation.single_answer:
        if doc_id != explanation.items[0]:
            return  # the evidence is that of the question, the same for both answers
    elif text := explanation.text_of(doc_id):
        yield from text_blocks("text", text)
    for record in explanation.evidence_for(doc_id):
        yield from record.display()


_NOTICE = "texts and evidence have texts of COLIEE data, which are under a data-use agreement. Do not pass them on."
_MAX_ROWS = 20  # of the table of items, and
_MAX_ITEMS = 3  # the number of items that are explained, both in the text form; pages have all
_MAX_SUMMARY_ROWS = 8  # of the table of items in the summary, and
_MAX_TERMS = 5  # the number of shared terms of an item there
_LONGEST_PASSAGE = 60  # characters


@displayed
@dataclass(frozen=True, eq=False)
class QueryExplanation:
    """A query, its relevant items, the answers of runs to it, and why each pair matched.

    Attributes
    ----------
    runs : EvaluatedRuns
        The split and the runs, which may be none.
    query_id : str
        The query.
    relevant : tuple of str or None
        The relevant items; None if the local release has no labels of the query.
    items : tuple of str
        The explained items: misses first, then false answers, then hits, each by the best rank.
    """

    runs: EvaluatedRuns
    query_id: str
    relevant: tuple[str, ...] | None
    items: tuple[str, ...]

    @classmethod
    def of(
        cls,
        runs: EvaluatedRuns,
        query_id: str,
        items: Sequence[str] | None = None,
    ) -> QueryExplanation:
        """Explain a query of runs that are already read; arguments and errors are those of `show`."""
        query_id = find_query(runs.scorer.checker, query_id)
        is_scored = runs.has_gold and query_id in runs.query_ids
        relevant = tuple(runs.relevant.get(query_id, ())) if is_scored else None
        returned = [run.answers.loc[run.answers["qid"] == query_id, "docno"] for run in runs.runs.values()]
        known = [*dict.fromkeys([*(relevant or ()), *(doc_id for ids in returned for doc_id in ids)])]
        if items:
            known = find_items(runs.scorer.checker, query_id, items, known)
        order = informative_order(answers_to(runs, query_id, known, relevant), known)
        return cls(runs, query_id, relevant, tuple(order))

    def __repr__(self) -> str:
        return f"<QueryExplanation of {self.query_id} of {self.runs.split.id}: {len(self.items)} items>"

    @property
    def title(self) -> str:
        """The query and its split."""
        return f"Query {self.query_id} of {self.runs.split.id}"

    @functools.cached_property
    def answers(self) -> pd.DataFrame:
        """What each run does with each item, see `ir_coliee.analysis.explanation.answers_to`."""
        return answers_to(self.runs, self.query_id, self.items, self.relevant)

    @functools.cached_property
    def cells(self) -> dict[tuple[str, str], dict[str, str]]:
        """What is shown of each item in each run, without what is missing."""
        with_ranks, cells = not self.runs.scorer.evaluation.single_answer, {}
        answer: Any
        for answer in self.answers.itertuples():
            values = {
                "outcome": answer.outcome or ("not returned" if answer.answer_rank is pd.NA else "returned"),
                "rank": answer.rank if with_ranks else None,
                "score": None if answer.score is None else number_cell(answer.score),
                "reason": answer.reason,
                "detail": answer.detail,
            }
            shown = {name: cell(value) for name, value in values.items() if cell(value)}
            cells[str(answer.doc_id), str(answer.run)] = shown
        return cells

    @functools.cached_property
    def figures(self) -> pd.DataFrame | None:
        """The counts and the value of the query for each run; None if it is not scored.

        In task 3 of 2026 also whether the answer Y or N is right, and whether the question counts (``passed``).
        """
        if not self.runs.runs or self.relevant is None:
            return None
        per_query = self.runs.per_query
        frame = per_query[per_query["query_id"] == self.query_id].drop(columns="query_id")
        answered = [(run.scored and run.scored.is_correct) or {} for run in self.runs.runs.values()]
        if any(answered):
            right = [is_correct.get(self.query_id) for is_correct in answered]
            found = frame["tp"].eq(frame["relevant"]).tolist()
            passed = [None if is_right is None else is_right and all_found for is_right, all_found in zip(right, found)]
            frame = frame.assign(answer_right=np.array(right, dtype=object), passed=np.array(passed, dtype=object))
        return frame

    @functools.cached_property
    def texts(self) -> dict[str, str]:
        """The texts of the query by what they are; empty if they are not at hand."""
        try:
            return query_texts(self.runs.split.task, self.runs.queries[self.query_id])
        except MissingReleaseError:
            return {}

    def text_of(self, doc_id: str) -> str:
        """Return the text of an item; empty if it is not at hand."""
        if not self._is_at_hand(doc_id):
            return ""
        return str(self.runs.documents.get(doc_id).default_text())

    def evidence_for(self, doc_id: str) -> list[Evidence]:
        """Return why the query and an item match, see `ir_coliee.analysis.evidence`; empty without their texts."""
        if not self.texts or not self._is_at_hand(doc_id):
            return []
        key = "evidence", self.query_id, doc_id
        return self.runs.once(key, lambda: evidence_for(self.runs, self.query_id, doc_id))

    def _is_at_hand(self, doc_id: str) -> bool:
        checker = self.runs.scorer.checker
        return checker.has_documents and doc_id in checker.candidates(self.query_id)

    @functools.cached_property
    def pool(self) -> tuple[str, ...] | None:
        """The candidates of the query; None if these are the whole collection or not at hand."""
        checker = self.runs.scorer.checker
        if not self.runs.split.has_pools or not checker.has_documents:
            return None
        return tuple(sorted(checker.candidates(self.query_id)))

    def display(self) -> Iterator[Block]:
        """Return the query, its answers and the first items explained, as `ir_coliee.display` shows them."""
        yield Heading(self.title)
        yield from explanation_blocks(self, _MAX_ROWS, _MAX_ITEMS)

    def summary(self) -> Iterator[Block]:
        """Return the query, its figures and items, and what items share in a line each."""
        yield Heading(self.title)
        yield from summary_blocks(self)

    @property
    def is_restricted(self) -> bool:
        """Whether its texts are under a data-use agreement, as all are but those of built-in splits."""
        return not self.runs.split.is_built_in

    def page(self) -> str:
        """Return an HTML page with all items. It has texts of the release: see `ir_coliee.data_agreement`."""
        blocks = explanation_blocks(self, len(self.items), len(self.items))
        return page(self.title, blocks, with_texts=self.is_restricted)

    def write_page(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the page to a file that is readable by the user alone.

        Raises
        ------
        ExistingFileError
            If the file exists and ``overwrite`` is false.
        """
        write_page(Path(path), self.page(), with_texts=True, overwrite=overwrite)

    def as_json(self) -> dict[str, Any]:
        """Return everything as dicts and lists; only ``texts`` and ``evidence`` contain texts of the release."""
        return {
            "notice": _NOTICE if self.is_restricted else None,
            "dataset_id": self.runs.split.id,
            "query_id": self.query_id,
            "relevant": None if self.relevant is None else [*self.relevant],
            "candidates": None if self.pool is None else [*self.pool],
            "measure": self.runs.value_name,
            "figures": None if self.figures is None else plain_rows(self.figures),
            "items": [
                {
                    "doc_id": doc_id,
                    "relevant": None if self.relevant is None else doc_id in self.relevant,
                    "runs": plain_rows(self.answers[self.answers["doc_id"] == doc_id].drop(columns="doc_id")),
                    "evidence": [record.as_json() for record in self.evidence_for(doc_id)],
                }
                for doc_id in self.items
            ],
            "notes": [*notes(self)],
            "texts": {"query": self.texts, "items": {doc_id: self.text_of(doc_id) for doc_id in self.items}},
        }


def show(
    dataset: Dataset,
    query_id: str,
    runs: Runs = (),
    *,
    rankings: Runs | None = None,
    answers: Runs | None = None,
    items: Sequence[str] | None = None,
) -> QueryExplanation:
    """Look at one query: its texts, its relevant items, the answers of runs, and why each pair matched.

    Parameters
    ----------
    dataset : str or ir_datasets.Dataset or pyterrier.datasets.Dataset
        The split.
    query_id : str
        The query, in any spelling that runs may have.
    runs : sequence of path, pandas.DataFrame or dict; or dict from name to such a run
        The answer sets; none are needed.
    rankings, answers : sequence or dict, optional
        The rankings of the runs and, in task 3 of 2026, their answers Y and N: see `ir_coliee.analysis.evaluate`.
    items : sequence of str, optional
        The items to explain; by default those of the answer sets and the relevant ones.

    Returns
    -------
    QueryExplanation
        Without labels in the local release, the outcomes are unknown; without texts, it has ids, ranks and scores.

    Raises
    ------
    ColieeError
        If the split has no such query, or the query no such item.
    MalformedFileError, MalformedRunError
        If a run cannot be read, as raised by `ir_coliee.analysis.evaluate`.

    Examples
    --------
    >>> shown = show("coliee/task1/sample/test", "900656", {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}})
    >>> shown.items
    ('900912', '900664', '900557')
    >>> shown.answers["outcome"].tolist()
    ['miss', 'false', 'hit']
    """
    if runs or rankings or answers:
        evaluated = evaluate(dataset, runs, rankings=rankings, answers=answers)
    else:
        evaluated = EvaluatedRuns(Scorer(dataset), {})
    return QueryExplanation.of(evaluated, query_id, items)
