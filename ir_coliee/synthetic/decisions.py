"""Made-up court decisions: which exist, which notice which, and their texts.

There is something to find: a query and the cases that it notices share topic words and quoted passages, a
noticed case is not later than the query, and where it is cited the citation is suppressed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.synthetic import words
from ir_coliee.synthetic.words import Numbers

_TOPICS = 400
_LOG_MEAN, _LOG_SPREAD = 8.15, 0.75  # of a decision's words: about 4,600 on average
_FEWEST_WORDS, _MOST_WORDS = 90, 67_000
_PARAGRAPH_WORDS = 110
_QUOTED_WORDS = 30
_FIRST_YEAR = 1985

#: What stands in place of a citation: since 2021 a program writes it, before it was written by hand.
SUPPRESSED, SUPPRESSED_BY_HAND = "<FRAGMENT_SUPPRESSED>", "FRAGMENT_SUPPRESSED"


class Plan(NamedTuple):
    """What a collection will hold, before a word is written. Cases are numbered from 0, oldest first."""

    years: Numbers
    topics: Numbers
    lengths: Numbers
    noticed: dict[int, list[int]]

    def unnamed(self) -> list[int]:
        """The cases that are no query and that no query notices."""
        named = set(self.noticed).union(*self.noticed.values())
        return [case for case in range(len(self.years)) if case not in named]


def plan(random: np.random.Generator, size: int, wanted: Sequence[int], latest: int) -> Plan:
    """A collection of ``size`` cases up to the year ``latest``, with a query for each number in ``wanted`` that
    notices so many others, as far as there are earlier ones. No query is noticed.
    """
    years = np.sort(random.integers(_FIRST_YEAR, latest, size))
    topics = random.integers(0, min(_TOPICS, max(2, size // 10)), size)
    lengths = np.clip(random.lognormal(_LOG_MEAN, _LOG_SPREAD, size), _FEWEST_WORDS, _MOST_WORDS).astype(np.int64)
    # queries are taken from the younger half, so that there are earlier cases for them to notice
    chosen_queries = np.sort(random.choice(np.arange(size // 2, size), len(wanted), replace=False))
    others_only = np.setdiff1d(np.arange(size), chosen_queries)
    noticed = {}
    for query, number in zip(chosen_queries.tolist(), wanted):
        earlier = others_only[others_only < query]
        akin = earlier[topics[earlier] == topics[query]]
        # most of what a case notices is about the same matter, some is about procedure
        chosen = random.permutation(akin)[: max(1, round(0.8 * number))]
        others = random.permutation(earlier)[:number]
        noticed[query] = list(dict.fromkeys([*chosen.tolist(), *others.tolist()]))[:number]
    return Plan(years, topics, lengths, noticed)


def texts(random: np.random.Generator, plan: Plan, mark: str = SUPPRESSED) -> Iterator[str]:
    """The decisions one by one, oldest first; what a later one quotes is kept until then."""
    topic_words = words.topics(random, int(plan.topics.max()) + 1)
    quotable: dict[int, Numbers] = {}
    cited = {case for cases in plan.noticed.values() for case in cases}
    for case, length in enumerate(plan.lengths.tolist()):
        own = words.draw_about(random, length, topic_words[plan.topics[case]])
        if case in cited:
            start = random.integers(0, length - _QUOTED_WORDS)
            quotable[case] = own[start : start + _QUOTED_WORDS].copy()
        quotations = [quotable[other] for other in plan.noticed.get(case, [])]
        yield _decision(own, quotations, int(plan.years[case]), mark)


def _decision(own: Numbers, quotations: list[Numbers], year: int, mark: str) -> str:
    lines = [f" {mark}  (FC)", f"Decided in {year}."]
    n_paragraphs = max(1, -(-len(own) // _PARAGRAPH_WORDS), len(quotations))
    for number, paragraph in enumerate(np.array_split(own, n_paragraphs), start=1):
        text = f"{words.spelled(paragraph)}."
        if number <= len(quotations):
            text += f" It was held in {mark} that {words.spelled(quotations[number - 1])}."
        lines += [f"[{number}]", text]
    return "\n".join([*lines, "[End of document]"])
