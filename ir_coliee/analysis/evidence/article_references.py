"""References between an article and the relevant ones, and its place in the code: task 3."""

from __future__ import annotations

import pandas as pd

from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.errors import printable_list
from ir_coliee.text.references import LEVELS


def article_references(pair: Pair) -> Evidence:
    """Find the references between an article and the relevant articles of a question.

    Parameters
    ----------
    pair : Pair
        A query and an item of task 3.

    Returns
    -------
    Evidence
        A row for each reference in either direction. The facts are the headings and the caption of the article, the
        numbers of its references, and the relevant articles under the same innermost heading.
    """
    graph, relevant = pair.runs.facts.references, _relevant(pair)
    rows = [
        [edge.source, edge.target, edge.kind, "yes" if edge.mutatis_mutandis else "no", edge.paragraph]
        for edge in [*graph.outgoing(pair.doc_id), *graph.incoming(pair.doc_id)]
        if {edge.source, edge.target} & relevant
    ]
    path = _path(pair.item)
    beside = [number for number in sorted(relevant) if path and path == _path(pair.runs.documents.get(number))]
    facts = {
        "headings": " > ".join(path),
        "caption": pair.item.effective_caption,
        "articles that it refers to": len({edge.target for edge in graph.outgoing(pair.doc_id)}),
        "articles that refer to it": len({edge.source for edge in graph.incoming(pair.doc_id)}),
        "relevant articles under the same headings": printable_list(beside),
    }
    table = pd.DataFrame(rows, columns=["article", "refers_to", "kind", "mutatis_mutandis", "paragraph"])
    notes = () if rows else ("No reference connects the article with a relevant one.",)
    if not pair.runs.has_gold:
        notes = ("The relevant articles are not known: the local release has no labels.",)
    return Evidence("article_references", "References between articles", facts, table, notes=notes)


def _relevant(pair: Pair) -> set[str]:
    """Return the relevant articles of the query that are in the collection, without the item itself."""
    if not pair.runs.has_gold:
        return set()
    gold = pair.runs.gold
    known = set(pair.runs.documents.ids())
    return ({*gold.loc[gold["query_id"] == pair.query_id, "doc_id"]} & known) - {pair.doc_id}


def _path(article: object) -> list[str]:
    """Return the headings above an article, from the part down."""
    return [" ".join(heading.split()) for level in LEVELS if (heading := getattr(article, level))]
