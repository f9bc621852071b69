"""Warnings about a run that are shown before its figures: what is incomplete or probably not meant to be scored."""

from __future__ import annotations

import pandas as pd

from ir_coliee.errors import printable
from ir_coliee.evaluation.run_checks import RunChecker
from ir_coliee.evaluation.runs.format_rules import RANKING_SIZE

_RANKING_FACTOR = 10  # an answer set with this many times more items than the gold looks like a ranking as well


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
    return [
        *warnings_on_unanswered(checker, pairs, gold),
        *_unknown_items(checker, pairs),
        *_self_retrieval(pairs),
        *_uncut_ranking(checker, pairs, gold),
    ]


def warnings_on_unanswered(checker: RunChecker, answers: pd.DataFrame, gold: pd.DataFrame) -> list[str]:
    """Return a warning if queries have no answer, unless returning nothing is a valid answer."""
    queries = set(gold["query_id"])
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


def _uncut_ranking(checker: RunChecker, pairs: pd.DataFrame, gold: pd.DataFrame) -> list[str]:
    relevant = int((gold["relevance"] > 0).sum())
    answered = pairs["qid"].nunique()
    is_short = len(pairs) < min(_RANKING_FACTOR * relevant, RANKING_SIZE * answered)
    if checker.evaluation.single_answer or is_short or pairs.empty:
        return []
    sizes = f"{len(pairs) / answered:.1f} items per query, the gold {relevant / gold['query_id'].nunique():.1f}"
    if checker.is_gated:
        return [f"the run has {sizes}: accuracy does not penalise superfluous articles, but F2 does, which breaks ties"]
    return [f"the run has {sizes}: every item counts as an answer, so cut the ranking first (ir_coliee cut)"]
