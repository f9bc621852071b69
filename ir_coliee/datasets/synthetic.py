"""Writes a made-up release in the true layout of an edition: for tests, benchmarks and dry runs.

The words are invented syllables, the sizes are the edition's. There is something to find: a query and
the cases that it notices share topic words and quoted passages, a noticed case is not later than the
query, and where it is cited the citation is suppressed. The same seed gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ir_coliee.datasets.releases import FIRST_MADE_UP_NUMBER, PARTS, SAMPLE, Part
from ir_coliee.errors import ColieeError, ExistingFileError

_VOCABULARY = 150_000
_TOPICS = 400
_TOPIC_WORDS = 60
_LOG_MEAN, _LOG_SPREAD = 8.15, 0.75  # of a decision's words: about 4,600 on average
_FEWEST_WORDS, _MOST_WORDS = 90, 67_000
_PARAGRAPH_WORDS = 110
_QUOTED_WORDS = 30
_FIRST_YEAR = 1985

Numbers = npt.NDArray[np.int64]
Progress = Callable[[Iterable[int]], Iterable[int]]


class Plan(NamedTuple):
    """What a part will hold, before a word is written. Cases are numbered from 0, oldest first."""

    years: Numbers
    topics: Numbers
    lengths: Numbers
    noticed: dict[int, list[int]]


def write_release(
    dataset_id: str, folder: Path, *, scale: float = 1.0, seed: int = 0, progress: Progress = iter
) -> list[Path]:
    """Write both parts of an edition of task 1 in the layout of 2023 and later.

    ``dataset_id`` names an edition (``coliee/task1/2025``) or one of its parts. ``scale`` is the share of
    the true size, in (0, 1]. ``progress`` wraps the loop over the files. Returns the folders and label
    files written. Raises `ExistingFileError` where one of them is there already.
    """
    parts = _parts(dataset_id)
    if not 0 < scale <= 1:
        raise ColieeError(f"scale {scale} is not above 0 and at most 1")
    if seed < 0:
        raise ColieeError(f"seed {seed} is below 0")
    targets = [(folder / part.files["corpus"][0], folder / part.files["labels"][0]) for part in parts]
    if taken := [path for pair in targets for path in pair if path.exists()]:
        raise ExistingFileError(f"{taken[0]} is there already. Choose another folder, or move it away.")
    random = np.random.default_rng(seed)
    sizes = [max(12, round(part.counts["docs"] * scale)) for part in parts]
    numbers = random.permutation(100_000)[: sum(sizes)] + FIRST_MADE_UP_NUMBER
    vocabulary = _invented_words()
    for part, (corpus, labels), size in zip(parts, targets, sizes):
        names, numbers = numbers[:size], numbers[size:]
        queries = min(max(3, round(part.counts["queries"] * scale)), size // 2)
        noticed_per_query = part.counts["qrels"] / part.counts["queries"]
        plan = _plan(random, size, queries, noticed_per_query, part.year)
        corpus.mkdir(parents=True)
        for case, text in zip(progress(range(size)), _texts(random, plan, vocabulary)):
            (corpus / f"{names[case]}.txt").write_text(text, encoding="utf-8", newline="\n")
        gold = {f"{names[q]}.txt": [f"{names[case]}.txt" for case in cases] for q, cases in plan.noticed.items()}
        labels.write_text(json.dumps(gold, indent=4), encoding="ascii")
    return [path for pair in targets for path in pair]


def _parts(dataset_id: str) -> list[Part]:
    """The parts of the edition that an id names. Only task 1 can be made up so far."""
    edition = dataset_id.removesuffix("/train").removesuffix("/test")
    if edition not in _layouts():
        known = sorted(
            {part.id.rpartition("/")[0] for part in PARTS.values() if part.task == "task1"} - {"coliee/task1/sample"}
        )
        raise ColieeError(f"No synthetic release for {dataset_id!r}. Known: {', '.join(known)}.")
    return _layouts()[edition]


def _layouts() -> dict[str, list[Part]]:
    """The parts of each edition that can be made up, by the id that its parts have in common."""
    layouts: dict[str, list[Part]] = {}
    for part in PARTS.values():
        if part.task == "task1" and part.edition != SAMPLE:
            layouts.setdefault(part.id.rpartition("/")[0], []).append(part)
    # the parts of 2021 share one folder, which is another plan
    return {
        edition: parts for edition, parts in layouts.items() if parts[0].files["corpus"] != parts[1].files["corpus"]
    }


def _invented_words() -> npt.NDArray[np.str_]:
    """A vocabulary of invented words, the frequent ones short; the same for every seed."""
    onsets = np.array([*"bdfgjklmnprstvz", "br", "dr", "gl", "kr", "pl", "st", "tr"])
    vowels = np.array([*"aeiou", "ae", "io"])
    syllables = np.char.add(onsets[:, None], vowels[None, :]).ravel()
    n = len(syllables)
    count = np.arange(_VOCABULARY)
    words = np.char.add(syllables[count % n], syllables[(count // n) % n])
    return np.where(count < n * n, words, np.char.add(words, syllables[(count // n**2) % n]))


def _plan(random: np.random.Generator, size: int, queries: int, mean_noticed: float, latest: int) -> Plan:
    years = np.sort(random.integers(_FIRST_YEAR, latest, size))
    topics = random.integers(0, min(_TOPICS, max(2, size // 10)), size)
    lengths = np.clip(random.lognormal(_LOG_MEAN, _LOG_SPREAD, size), _FEWEST_WORDS, _MOST_WORDS).astype(np.int64)
    noticed = {}
    # queries are taken from the younger half, so that there are earlier cases for them to notice
    chosen_queries = np.sort(random.choice(np.arange(size // 2, size), queries, replace=False))
    others_only = np.setdiff1d(np.arange(size), chosen_queries)  # as in 2025's test, no query is noticed
    for query in chosen_queries.tolist():
        earlier = others_only[others_only < query]
        akin = earlier[topics[earlier] == topics[query]]
        wanted = 1 + random.poisson(mean_noticed - 1)
        # most of what a case notices is about the same matter, some is about procedure
        chosen = random.permutation(akin)[: max(1, round(0.8 * wanted))]
        others = random.permutation(earlier)[:wanted]
        noticed[query] = list(dict.fromkeys([*chosen.tolist(), *others.tolist()]))[:wanted]
    return Plan(years, topics, lengths, noticed)


def _texts(random: np.random.Generator, plan: Plan, vocabulary: npt.NDArray[np.str_]) -> Iterator[str]:
    """The decisions one by one, oldest first; what a later one quotes is kept until then."""
    frequency = 1 / (np.arange(_VOCABULARY) + 2.7)  # Zipf and Mandelbrot
    cumulative = np.cumsum(frequency / frequency.sum())
    topic_words = random.integers(2_000, _VOCABULARY, (int(plan.topics.max()) + 1, _TOPIC_WORDS))
    quotable: dict[int, Numbers] = {}
    cited = {case for cases in plan.noticed.values() for case in cases}
    for case, length in enumerate(plan.lengths):
        words = np.searchsorted(cumulative, random.random(length))
        about = random.random(length) < 0.04
        words[about] = random.choice(topic_words[plan.topics[case]], int(about.sum()))
        if case in cited:
            start = random.integers(0, length - _QUOTED_WORDS)
            quotable[case] = words[start : start + _QUOTED_WORDS].copy()
        quotations = [quotable[other] for other in plan.noticed.get(case, [])]
        yield _decision(vocabulary, words, quotations, int(plan.years[case]))


def _decision(vocabulary: npt.NDArray[np.str_], words: Numbers, quotations: list[Numbers], year: int) -> str:
    lines = [" <FRAGMENT_SUPPRESSED>  (FC)", f"Decided in {year}."]
    n_paragraphs = max(1, -(-len(words) // _PARAGRAPH_WORDS), len(quotations))
    for number, paragraph in enumerate(np.array_split(words, n_paragraphs), start=1):
        text = " ".join(vocabulary[paragraph].tolist()) + "."
        if number <= len(quotations):
            quotation = " ".join(vocabulary[quotations[number - 1]].tolist())
            text += f" It was held in <FRAGMENT_SUPPRESSED> that {quotation}."
        lines += [f"[{number}]", text]
    return "\n".join([*lines, "[End of document]"])
