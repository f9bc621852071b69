"""One query looked at: its texts, its relevant items, the answers of runs, and why each pair matched."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns, evaluate
from ir_coliee.analysis.evidence import Evidence, evidence_for
from ir_coliee.analysis.explained_answers import answers_to, informative_order
from ir_coliee.analysis.explanation_blocks import explanation_blocks, notes
from ir_coliee.analysis.pages import page, write_page
from ir_coliee.analysis.plain_values import plain_rows
from ir_coliee.analysis.query_results import measure_name
from ir_coliee.analysis.query_texts import query_texts
from ir_coliee.analysis.written_ids import find_items, find_query
from ir_coliee.display import Block, Heading, displayed
from ir_coliee.editions import Dataset
from ir_coliee.errors import MissingReleaseError
from ir_coliee.evaluation.runs import Runs
from ir_coliee.evaluation.scoring import Scorer
from ir_coliee.transformers.answers.prompting import YesNoPrompting

_NOTICE = "texts and evidence have texts of COLIEE data, which are under a data-use agreement. Do not pass them on."
_MAX_ROWS = 20  # of the table of items, and
_MAX_ITEMS = 3  # the number of items that are explained, both in the text form; pages have all


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
    items : tuple of str
        The explained items: misses first, then false answers, then hits, each by the best rank.
    judges : tuple of Entailment or CandidateEntailment
        Transformers whose stored replies are part of the evidence.
    """

    runs: EvaluatedRuns
    query_id: str
    items: tuple[str, ...]
    judges: tuple[YesNoPrompting, ...] = ()

    @classmethod
    def of(
        cls,
        runs: EvaluatedRuns,
        query_id: str,
        items: Sequence[str] | None = None,
        judges: Sequence[YesNoPrompting] = (),
    ) -> QueryExplanation:
        """Explain a query of runs that are already read; arguments and errors are those of `explain`."""
        query_id = find_query(runs.scorer.checker, query_id)
        relevant = _relevant(runs, query_id)
        returned = [run.answers.loc[run.answers["qid"] == query_id, "docno"] for run in runs.runs.values()]
        known = [*dict.fromkeys([*(relevant or ()), *(doc_id for ids in returned for doc_id in ids)])]
        if items:
            known = find_items(runs.scorer.checker, query_id, items, known)
        order = informative_order(answers_to(runs, query_id, known, relevant), known)
        return cls(runs, query_id, tuple(order), tuple(judges))

    def __repr__(self) -> str:
        return f"<QueryExplanation of {self.query_id} of {self.runs.split.id}: {len(self.items)} items>"

    # --- data --------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The query and its split."""
        return f"Query {self.query_id} of {self.runs.split.id}"

    @functools.cached_property
    def relevant(self) -> tuple[str, ...] | None:
        """The relevant items; None if the local release has no labels of the query."""
        return _relevant(self.runs, self.query_id)

    @functools.cached_property
    def answers(self) -> pd.DataFrame:
        """What each run does with each item, see `ir_coliee.analysis.explained_answers.answers_to`."""
        return answers_to(self.runs, self.query_id, self.items, self.relevant)

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
        key = "evidence", self.query_id, doc_id, self.judges
        return self.runs.once(key, lambda: evidence_for(self.runs, self.query_id, doc_id, judges=self.judges))

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

    # --- output ------------------------------------------------------------------------------------

    def display(self) -> Iterator[Block]:
        """Return the query, its answers and the first items explained, as `ir_coliee.display` shows them."""
        yield Heading(self.title)
        yield from explanation_blocks(self, _MAX_ROWS, _MAX_ITEMS)

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
        figures = None if self.figures is None else plain_rows(self.figures)
        texts = {"query": self.texts, "items": {doc_id: self.text_of(doc_id) for doc_id in self.items}}
        return {
            "notice": _NOTICE if self.is_restricted else None,
            "dataset_id": self.runs.split.id,
            "query_id": self.query_id,
            "relevant": None if self.relevant is None else [*self.relevant],
            "candidates": None if self.pool is None else [*self.pool],
            "measure": measure_name(self.runs),
            "figures": figures,
            "items": [self._item_as_json(doc_id) for doc_id in self.items],
            "notes": [*notes(self)],
            "texts": texts,
        }

    def _item_as_json(self, doc_id: str) -> dict[str, Any]:
        answers = self.answers[self.answers["doc_id"] == doc_id].drop(columns="doc_id")
        return {
            "doc_id": doc_id,
            "relevant": None if self.relevant is None else doc_id in self.relevant,
            "runs": plain_rows(answers),
            "evidence": [record.as_json() for record in self.evidence_for(doc_id)],
        }


def _relevant(runs: EvaluatedRuns, query_id: str) -> tuple[str, ...] | None:
    if not runs.has_gold or query_id not in runs.query_ids:
        return None
    return tuple(runs.gold.loc[runs.gold["query_id"] == query_id, "doc_id"])


def explain(
    dataset: Dataset,
    query_id: str,
    runs: Runs = (),
    *,
    rankings: Runs | None = None,
    answers: Runs | None = None,
    items: Sequence[str] | None = None,
    judges: Sequence[YesNoPrompting] = (),
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
    judges : sequence of Entailment or CandidateEntailment, optional
        The transformers with which a run asked a language model: their stored replies are shown, and nothing is asked.

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
    >>> shown = explain("coliee/task1/sample/test", "900656", {"mine": {"900656": {"900557": 2.0, "900664": 1.0}}})
    >>> shown.items
    ('900912', '900664', '900557')
    >>> shown.answers["outcome"].tolist()
    ['miss', 'false', 'hit']
    """
    if runs or rankings or answers:
        evaluated = evaluate(dataset, runs, rankings=rankings, answers=answers)
    else:
        evaluated = EvaluatedRuns(Scorer(dataset), {})
    return QueryExplanation.of(evaluated, query_id, items, judges)
