"""The texts of a query, by what they are: a decision, a fragment and its base case, a statement and its articles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ir_coliee.display import Block, Details, MarkedText

_MAX_LINES, _MAX_CHARACTERS = 6, 480  # of the beginning of a text

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
    >>> from ir_coliee.releases.cases import FragmentInCase
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


def text_blocks(name: str, text: str) -> Iterator[Block]:
    """Return the first lines of a text, and the whole text, which only HTML shows, if it is longer.

    Examples
    --------
    >>> list(text_blocks("statement", "A lamp is lit."))
    ['statement (14 characters):', MarkedText(text='A lamp is lit.', marks=())]
    """
    start = _beginning(text)
    yield f"{name} ({len(text):,} characters):"
    yield MarkedText(start)
    if start != text:
        yield Details(f"the whole {name}", MarkedText(text))


def _beginning(text: str) -> str:
    """Return the first lines of a text."""
    if len(text) <= _MAX_CHARACTERS:
        return text
    lines = filter(str.strip, text[: 4 * _MAX_CHARACTERS].split("\n"))
    return "\n".join([*lines][:_MAX_LINES])[:_MAX_CHARACTERS].rstrip() + " …"
