"""Years, judges and sizes of the query and the item: task 1."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import lru_cache

import pandas as pd

from ir_coliee.analysis.evidence.pair import Pair
from ir_coliee.analysis.evidence.record import Evidence
from ir_coliee.text.years import CaseProperties, case_properties, decision_years, mentioned_years

_LISTED = 8


def years(pair: Pair) -> Evidence:
    """Compare what two decisions state on themselves: years, dates, judges and sizes.

    Parameters
    ----------
    pair : Pair
        A query and an item of task 1.

    Returns
    -------
    Evidence
        A row for each property, with the query's and the item's value. The facts relate both: the years between them,
        how often the query mentions the item's year and judge, and the years and judges that both mention.
    """
    latest = pair.runs.split.year
    query, item = (_properties(text, latest) for text in pair.texts.values())
    year_of_query, year_of_item = (decision_years(text, latest).latest for text in pair.texts.values())
    query_years, item_years = (Counter(mentioned_years(text, latest)) for text in pair.texts.values())
    facts = {
        "years from item to query": year_of_query - year_of_item if year_of_query and year_of_item else None,
        "mentions of the item's year in the query": query_years[year_of_item] if year_of_item else None,
        "mentions of the item's judge in the query": query.judges_mentioned.count(item.judge) if item.judge else None,
        "years that both mention": _listed(query_years & item_years),
        "judges that both mention": _listed(Counter(query.judges_mentioned) & Counter(item.judges_mentioned)),
    }
    rows = [
        ["year", year_of_query, year_of_item],
        ["date in the header", _date(query), _date(item)],
        ["judge", query.judge, item.judge],
        ["years mentioned", _listed(query_years), _listed(item_years)],
        ["judges mentioned", *(_listed(Counter(it.judges_mentioned)) for it in (query, item))],
        ["numbered paragraphs", query.num_paragraphs, item.num_paragraphs],
        ["characters", query.num_characters, item.num_characters],
        ["suppressed citations", query.num_markers, item.num_markers],
    ]
    table = pd.DataFrame(rows, columns=["property", "query", "item"], dtype=object)
    note = f"The year of a decision is that of its header, otherwise the latest that it mentions, up to {latest}."
    return Evidence("years", "Years, judges and sizes", facts, table, notes=(note,))


@lru_cache(maxsize=32)
def _properties(text: str, latest: int) -> CaseProperties:
    return case_properties(text, latest)


def _date(properties: CaseProperties) -> str:
    return "" if properties.header_date is None else date.fromordinal(properties.header_date).isoformat()


def _listed(counts: Counter[int] | Counter[str]) -> str:
    """List the most frequent values with their number of mentions."""
    best = [f"{value} ({number})" for value, number in counts.most_common(_LISTED)]
    more = [f"{len(counts) - _LISTED} more"] if len(counts) > _LISTED else []
    return ", ".join([*best, *more])
