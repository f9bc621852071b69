"""Synthetic court decisions: which cases exist, which notice which, and their texts.

A query and the cases that it notices share topic words and quoted passages, so that retrieval can find them. A
noticed case is not later than its query, and its citation is suppressed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.synthetic import vocabulary
from ir_coliee.synthetic.vocabulary import WordNumbers

_TOPICS = 400
_LOG_MEAN, _LOG_SPREAD = 8.15, 0.75  # of the number of words of a decision: about 4,600 on average
_SHORTEST, _LONGEST = 90, 67_000
_PARAGRAPH_WORDS = 110
_QUOTED_WORDS = 30
_FIRST_YEAR = 1985

#: Text that replaces a citation, as a program of the organisers writes it and as it was written by hand before.
SUPPRESSED, SUPPRESSED_BY_HAND = "<FRAGMENT_SUPPRESSED>", "FRAGMENT_SUPPRESSED"


class Collection(NamedTuple):
    """A collection of cases without their texts. Cases are numbered from 0, oldest first.

    Attributes
    ----------
    years, topics, lengths : numpy.ndarray
        Year, topic number and number of words of each case.
    noticed : dict of int to list of int
        The noticed cases of each query.
    """

    years: WordNumbers
    topics: WordNumbers
    lengths: WordNumbers
    noticed: dict[int, list[int]]

    def unnamed(self) -> list[int]:
        """Return the cases that are neither a query nor noticed."""
        named = set(self.noticed).union(*self.noticed.values())
        return [case for case in range(len(self.years)) if case not in named]


def draw_collection(
    random: np.random.Generator, size: int, numbers_noticed: Sequence[int], last_year: int
) -> Collection:
    """Draw a collection of cases.

    Parameters
    ----------
    random : numpy.random.Generator
        Random number generator.
    size : int
        Number of cases.
    numbers_noticed : sequence of int
        For each query, how many cases it notices. A query without enough earlier cases notices fewer.
    last_year : int
        All cases are older than this year.

    Returns
    -------
    Collection
        The collection. No query is noticed by another query.
    """
    years = np.sort(random.integers(_FIRST_YEAR, last_year, size))
    topics = random.integers(0, min(_TOPICS, max(2, size // 10)), size)
    lengths = np.clip(random.lognormal(_LOG_MEAN, _LOG_SPREAD, size), _SHORTEST, _LONGEST).astype(np.int64)
    # queries are drawn from the newer half, so that there are earlier cases for them to notice
    queries = np.sort(random.choice(np.arange(size // 2, size), len(numbers_noticed), replace=False))
    other_cases = np.setdiff1d(np.arange(size), queries)
    noticed = {}
    for query, number in zip(queries.tolist(), numbers_noticed):
        earlier = other_cases[other_cases < query]
        same_topic = earlier[topics[earlier] == topics[query]]
        # most noticed cases have the query's topic; the others represent questions of procedure
        on_topic = random.permutation(same_topic)[: max(1, round(0.8 * number))]
        any_topic = random.permutation(earlier)[:number]
        noticed[query] = list(dict.fromkeys([*on_topic.tolist(), *any_topic.tolist()]))[:number]
    return Collection(years, topics, lengths, noticed)


def decision_texts(random: np.random.Generator, collection: Collection, suppression: str = SUPPRESSED) -> Iterator[str]:
    """Write the decisions of a collection.

    Parameters
    ----------
    random : numpy.random.Generator
        Random number generator.
    collection : Collection
        The cases.
    suppression : str, optional
        Text that replaces a citation.

    Yields
    ------
    str
        The text of each case, oldest first.
    """
    topic_words = vocabulary.draw_topics(random, int(collection.topics.max()) + 1)
    passages: dict[int, WordNumbers] = {}  # passages of earlier decisions that later ones quote
    cited = {case for cases in collection.noticed.values() for case in cases}
    for case, length in enumerate(collection.lengths.tolist()):
        body = vocabulary.draw_topical_words(random, length, topic_words[collection.topics[case]])
        if case in cited:
            start = random.integers(0, length - _QUOTED_WORDS)
            passages[case] = body[start : start + _QUOTED_WORDS].copy()
        quotations = [passages[other] for other in collection.noticed.get(case, [])]
        yield _decision(body, quotations, int(collection.years[case]), suppression)


def _decision(body: WordNumbers, quotations: list[WordNumbers], year: int, suppression: str) -> str:
    lines = [f" {suppression}  (FC)", f"Decided in {year}."]
    n_paragraphs = max(1, -(-len(body) // _PARAGRAPH_WORDS), len(quotations))
    for number, paragraph in enumerate(np.array_split(body, n_paragraphs), start=1):
        text = f"{vocabulary.english_text(paragraph)}."
        if number <= len(quotations):
            text += f" It was held in {suppression} that {vocabulary.english_text(quotations[number - 1])}."
        lines += [f"[{number}]", text]
    return "\n".join([*lines, "[End of document]"])
