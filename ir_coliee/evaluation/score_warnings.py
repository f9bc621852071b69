"""Warnings about a run that are shown before its figures: what is incomplete or probably not meant to be scored."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from ir_coliee.editions import Split
from ir_coliee.errors import printable
from ir_coliee.evaluation.run_checks import RunChecker
from ir_coliee.evaluation.runs.format_rules import remark_on_size
from ir_coliee.evaluation.runs.loading import LoadedRun
from ir_coliee.evaluation.task_evaluation import task_evaluation

_MANY_TIMES = 3  # a file with scores and this many times the items of the gold may be a ranking


def warnings_on_run(checker: RunChecker, answers: pd.DataFrame, gold: pd.DataFrame) -> list[str]:
    """Return a warning for each sign that a run is incomplete or was not meant as an answer set.

    Parameters
    ----------
    checker : RunChecker
        The query ids and candidates of the split.
    answers : pandas.DataFrame
        The answer set: qid and docno.
    gold : pandas.DataFrame
        The gold labels, from `ir_coliee.evaluation.gold.scored_gold`.

    Returns
    -------
    list of str
        One line each, with what to do.
    """
    pairs = answers.loc[answers["qid"].isin(gold["query_id"]), ["qid", "docno"]].drop_duplicates().astype(str)
    size = remark_on_size(checker.split, len(pairs), pairs["qid"].nunique())
    return [
        *warnings_on_unanswered(checker, pairs, gold["query_id"]),
        *_unknown_items(checker, pairs),
        *_self_retrieval(pairs),
        *([size] if size else []),
    ]


def warnings_on_ranks(run: LoadedRun, gold: pd.DataFrame, split: Split) -> list[str]:
    """Return a warning if a file has scores, which the official form of an answer set has not, and many items.

    Parameters
    ----------
    run : LoadedRun
        The run.
    gold : pandas.DataFrame
        The gold labels, from `ir_coliee.evaluation.gold.scored_gold`.
    split : Split
        The split that the run answers.

    Returns
    -------
    list of str
        One line, if the run has more than three times as many items per query as the gold. A run that
        `remark_on_size` warns about already has none.
    """
    items, queries = len(run.frame), run.frame["qid"].nunique()
    if run.path is None or not run.has_scores or split.submission.has_scores or not queries:
        return []
    relevant = (gold["relevance"] > 0).sum() / gold["query_id"].nunique()
    is_long = items > _MANY_TIMES * relevant * queries and run.frame["score"].nunique() > 1
    if not is_long or task_evaluation(split).single_answer or remark_on_size(split, items, queries):
        return []
    return [
        f"the file has scores and {items / queries:.1f} items per query, the gold {relevant:.1f}: if it is a ranking, "
        "cut it first (ir_coliee cut)"
    ]


def warnings_on_unanswered(checker: RunChecker, answers: pd.DataFrame, query_ids: Iterable[str]) -> list[str]:
    """Return a warning if queries have no answer, unless returning nothing is a valid answer."""
    queries = set(query_ids)
    missing = queries.difference(answers["qid"])
    if not missing or checker.evaluation.unanswered == "answer":
        return []
    return [
        f"{len(missing)} of {len(queries)} queries have no answer, for example {printable(min(missing))}, and each "
        "counts as wrong: check that the run is complete"
    ]


def _unknown_items(checker: RunChecker, pairs: pd.DataFrame) -> list[str]:
    known = (docno in checker.candidates(query_id) for query_id, docno in zip(pairs["qid"], pairs["docno"]))
    if pairs.empty or not checker.has_documents or any(known):
        return []
    query_id, docno = pairs.iloc[0]
    example = min(checker.candidates(query_id), default="")
    return [f"no item of the run is known: items of query {query_id} look like {example!r}, not {printable(docno)!r}"]


def _self_retrieval(pairs: pd.DataFrame) -> list[str]:
    number = int((pairs["qid"] == pairs["docno"]).sum())
    if not number:
        return []
    return [
        f"{number} of {pairs['qid'].nunique()} answered queries are returned for themselves, which is always wrong: "
        "cut the ranking with ir_coliee cut, which drops them (in Python: DropSelf)"
    ]
