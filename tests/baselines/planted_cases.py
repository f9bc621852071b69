"""Releases of task 1 whose noticed cases are told by one kind of evidence alone.

Each noticed case has decoys with the same words, the same numbers of times: only the planted evidence distinguishes
it. All decisions have the same length and year.
"""

from __future__ import annotations

import itertools
import json
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TypeVar

Paragraphs = list[list[str]]
T = TypeVar("T")

NUM_PARAGRAPHS = 12
_FILLERS = 20  # words of each paragraph that mean nothing
_WORDS = 8  # planted for each pair of a query and a noticed case
_GOLD = 3  # noticed cases of each query
_DECOYS = 4  # decisions with the same words: a name is in 5 of 201 decisions, less than the 3 % of the recipe
_MARKER = "<FRAGMENT_SUPPRESSED>"


def new_words() -> Iterator[str]:
    """Yield words of six letters, no two the same."""
    syllables = [consonant + vowel for consonant in "bdfglmnprstvz" for vowel in "aiou"]
    return ("".join(parts) for parts in itertools.product(syllables, repeat=3))


class _Pool:
    """The decisions of one pool: queries, and the cases that they notice."""

    def __init__(self, num_queries: int, words: Iterator[str], random: Random) -> None:
        self.random = random
        self.words = words
        self.queries = [self._decision() for _ in range(num_queries)]
        self.cases = [self._decision() for _ in range(num_queries * _GOLD)]

    def _decision(self) -> Paragraphs:
        """Return a decision that says nothing: the same common words in any order, so that no two are similar."""
        common = [f"{first}{second}" for first in string.ascii_lowercase[:12] for second in string.ascii_lowercase[:20]]
        self.random.shuffle(common)
        return [common[start : start + _FILLERS] for start in range(0, NUM_PARAGRAPHS * _FILLERS, _FILLERS)]

    def pairs(self) -> Iterator[tuple[Paragraphs, Paragraphs, list[Paragraphs]]]:
        """Yield a query, a case that it notices, and decoys of this case."""
        for number, case in enumerate(self.cases):
            query = number // _GOLD
            others = [each for each in range(len(self.cases)) if each // _GOLD != query]
            decoys = [self.cases[each] for each in self.random.sample(others, _DECOYS)]
            yield self.queries[query], case, decoys

    def pair_words(self, number: int = _WORDS) -> list[str]:
        """Return new words."""
        return list(itertools.islice(self.words, number))

    def shuffled(self, words: list[T]) -> list[T]:
        """Return words, or decisions, in another order."""
        return self.random.sample(words, len(words))


def plant_contexts(pool: _Pool) -> None:
    """The words around a suppressed citation stand in one paragraph of the noticed case, and in many of its decoys."""
    for query, case, decoys in pool.pairs():
        words = pool.pair_words()
        half = len(words) // 2
        pool.random.choice(query).extend([*words[:half], _MARKER, *words[half:]])
        pool.random.choice(case).extend(pool.shuffled(words))
        for decoy in decoys:
            for word, paragraph in zip(words, pool.random.sample(decoy, len(words))):
                paragraph.append(word)


def plant_pool_structure(pool: _Pool) -> None:
    """Each query shares phrases with many cases, but no other query shares as many with the case that it notices."""
    own = {id(query): [" ".join(pool.pair_words(3)) for _ in range(40)] for query in pool.queries}
    for query in pool.queries:
        query[0].extend(own[id(query)])
    for query, case, _ in pool.pairs():
        shared = pool.random.randint(10, 30)
        words = pool.random.sample(own[id(query)], shared)
        others = pool.shuffled([each for each in pool.queries if each is not query])
        while len(words) < 125:  # a constant length, which does not tell how much is shared
            words.extend(pool.random.sample(own[id(others.pop())], shared - pool.random.randint(3, 6)))
        case[0].extend(words[:125])


def write_release(plant: Callable[[_Pool], None], folder: Path, *, num_queries: int = 67, seed: int = 0) -> None:
    """Write the release of 2025: a train split of three pools of this kind, and a test split of one.

    Parameters
    ----------
    plant : callable
        One of the functions of this module that plant evidence.
    folder : Path
        A folder of local releases.
    num_queries : int
        The number of queries of each pool.
    seed : int
        The seed of all choices.
    """
    random, words, numbers = Random(seed), new_words(), itertools.count(900001)
    for split, num_pools in (("train", 3), ("test", 1)):
        files = folder / f"task1_{split}_files_2025"
        files.mkdir(parents=True)
        labels: dict[str, list[str]] = {}
        for _ in range(num_pools):
            pool = _Pool(num_queries, words, random)
            plant(pool)
            names = random.sample(
                list(itertools.islice(numbers, len(pool.queries) + len(pool.cases))), k=4 * num_queries
            )
            queries, cases = names[:num_queries], names[num_queries:]
            for name, decision in zip(names, [*pool.queries, *pool.cases]):
                (files / f"{name}.txt").write_text(_text(decision), encoding="utf-8")
            for number, query in enumerate(queries):
                labels[f"{query}.txt"] = [f"{case}.txt" for case in cases[number * _GOLD : (number + 1) * _GOLD]]
        (folder / f"task1_{split}_labels_2025.json").write_text(json.dumps(labels), encoding="utf-8")


def _text(decision: Paragraphs) -> str:
    paragraphs = (f"[{number}] {' '.join(words)}." for number, words in enumerate(decision, start=1))
    return "Date: 20110101\n\n" + "\n\n".join(paragraphs) + "\n"
