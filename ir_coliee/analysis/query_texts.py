"""The texts of a query, by what they are: a decision, a fragment and its base case, a statement and its articles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_Texts = dict[str, str]


def query_texts(task: str, query: Any) -> _Texts:
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
    >>> from ir_coliee.releases.case_records import FragmentInCase
    >>> query_texts("task2", FragmentInCase("900001", "A lamp is lit.", ""))
    {'fragment': 'A lamp is lit.'}
    """
    return {name: text for name, text in _TEXTS[task](query).items() if text}


def _of_decision(query: Any) -> _Texts:
    return {"decision": query.case, "summary": getattr(query, "summary", "")}


def _of_fragment(query: Any) -> _Texts:
    return {"fragment": query.fragment, "base case": query.base_case}


def _of_statement(query: Any) -> _Texts:
    return {"statement": query.statement}


def _of_statement_and_articles(query: Any) -> _Texts:
    return {"statement": query.statement, "articles": query.t1}


def _of_instance(query: Any) -> _Texts:
    claims = {
        f"claims of the {party}": "\n".join(
            f"{claim.doc_id}: {claim.text}" for claim in query.claims if claim.side == side
        )
        for side, party in (("p", "plaintiff"), ("d", "defendant"))
    }
    return {"undisputed facts": "\n".join(query.undisputed_facts), **claims}


_TEXTS: Mapping[str, Callable[[Any], _Texts]] = {
    "task1": _of_decision,
    "task2": _of_fragment,
    "task3": _of_statement,
    "task4": _of_statement_and_articles,
    "task5": _of_statement_and_articles,
    "prediction": _of_instance,
    "rationale": _of_instance,
}
