"""Properties of the queries of every task: the number of relevant items and the length of the text."""

from __future__ import annotations

from ir_coliee.analysis.evaluated_runs import EvaluatedRuns
from ir_coliee.analysis.properties.property_table import NUMBER, Column, PropertyTable, Rows


def _relevant_items(runs: EvaluatedRuns) -> Rows:
    numbers = runs.gold["query_id"].value_counts()
    return ((query_id, (int(numbers.get(query_id, 0)),)) for query_id in runs.query_ids)


def _lengths(runs: EvaluatedRuns) -> Rows:
    count = _characters if runs.split.language == "ja" else _words
    for query_id, query in runs.queries.items():
        text = query.default_text()
        yield query_id, (len(text.encode(errors="surrogatepass")), count(text))


def _words(text: str) -> int:
    return len(text.split())


def _characters(text: str) -> int:
    return sum(map(len, text.split()))


#: Not of tasks with one answer, in which it is always 1.
RELEVANT_ITEMS = PropertyTable((Column("relevant_items", NUMBER, "number of relevant items"),), _relevant_items)

_BYTES = Column("bytes", NUMBER, "length of the query's text in bytes (UTF-8)")
LENGTHS = {
    "en": PropertyTable((_BYTES, Column("words", NUMBER, "length in words, separated by white space")), _lengths),
    "ja": PropertyTable((_BYTES, Column("characters", NUMBER, "length in characters without white space")), _lengths),
}
