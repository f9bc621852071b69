"""Synthetic releases of tasks 1 and 2: decisions that notice earlier ones, and fragments with entailing paragraphs.

A query and the cases that it notices share topic words and quoted passages, so that retrieval can find them. A
noticed case is not later than its query, and its citation is suppressed. An entailing paragraph has most words of
its fragment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import NamedTuple

import numpy as np

from ir_coliee.editions import Split
from ir_coliee.editions.edition import FIRST_SYNTHETIC_NUMBER
from ir_coliee.synthetic import texts
from ir_coliee.synthetic.texts import WordNumbers, scaled

# sizes where an edition states no counts: documents, queries and noticed cases of a query in a flat corpus
_DOCUMENTS, _QUERIES, _NOTICED = 5_000, 1_000, 4.0
# the same with candidate pools; candidates of a query
_QUERIES_WITH_POOLS, _NOTICED_IN_POOL, _CANDIDATES = 60, 5.2, 200
# the same in task 2: queries; paragraphs and entailing paragraphs of a query
_FRAGMENTS, _PARAGRAPHS, _ENTAILING = 500, 35, 1.2

_TOPICS = 400
_LOG_MEAN, _LOG_SPREAD = 8.15, 0.75  # of the number of words of a decision: about 4,600 on average
_SHORTEST, _LONGEST = 90, 67_000
_WORDS_OF_PARAGRAPH = 110
_WORDS_OF_QUOTATION = 30
_FIRST_YEAR = 1985
_WORDS_OF_FRAGMENT, _WORDS_OF_CANDIDATE, _WORDS_OF_BASE_CASE = 35, 90, 2_000

# text that replaces a citation, as a program of the organisers writes it and as it was written by hand before
_SUPPRESSED, _SUPPRESSED_BY_HAND = "<FRAGMENT_SUPPRESSED>", "FRAGMENT_SUPPRESSED"


def case_law_files(splits: Sequence[Split], scale: float, random: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file of a release of task 1 or 2, with its train and its test split."""
    if splits[0].layout == "flat":
        yield from _flat_files(splits, scale, random)
        return
    numbers = count(FIRST_SYNTHETIC_NUMBER)
    for split in splits:
        yield from (_pool_files if split.layout == "pools" else _fragment_files)(split, numbers, scale, random)


def case_law_targets(splits: Iterable[Split]) -> list[str]:
    """Return the folders and files that a release occupies."""
    places = [place for split in splits for place in (_folder(split), _label_file(split))]
    return [*dict.fromkeys(place for place in places if not any(place.startswith(f"{other}/") for other in places))]


def _folder(split: Split) -> str:
    """The folder of the documents. In 2018 both tasks lie in one folder, and a second name tells them apart."""
    first, *others = split.files["corpus"]
    return f"{first}/{others[-1]}/data" if split.labels == "XML" and others else first


def _label_file(split: Split) -> str:
    name = split.files["labels"][0]
    return f"{_folder(split).removesuffix('/data')}/{name}" if split.labels == "XML" else name


# Decisions: which cases exist, which notice which, and their texts.


class _Collection(NamedTuple):
    """Year, topic and number of words of each case, and the noticed cases of each query; oldest case first."""

    years: WordNumbers
    topics: WordNumbers
    lengths: WordNumbers
    noticed: dict[int, list[int]]


def _draw_collection(
    random: np.random.Generator, size: int, numbers_noticed: Sequence[int], last_year: int
) -> _Collection:
    """Draw cases; a query without enough earlier cases notices fewer, and no query is noticed by another query."""
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
    return _Collection(years, topics, lengths, noticed)


def _decision_texts(random: np.random.Generator, collection: _Collection, suppression: str) -> Iterator[str]:
    topics = texts.draw_topics(random, int(collection.topics.max()) + 1)
    passages: dict[int, WordNumbers] = {}  # passages of earlier decisions that later ones quote
    cited = {case for cases in collection.noticed.values() for case in cases}
    for case, length in enumerate(collection.lengths.tolist()):
        body = texts.draw_topical_words(random, length, topics[collection.topics[case]])
        if case in cited:
            start = random.integers(0, length - _WORDS_OF_QUOTATION)
            passages[case] = body[start : start + _WORDS_OF_QUOTATION].copy()
        quotations = [passages[other] for other in collection.noticed.get(case, [])]
        yield _decision(body, quotations, int(collection.years[case]), suppression)


def _decision(body: WordNumbers, quotations: list[WordNumbers], year: int, suppression: str) -> str:
    lines = [f" {suppression}  (FC)", f"Decided in {year}."]
    n_paragraphs = max(1, -(-len(body) // _WORDS_OF_PARAGRAPH), len(quotations))
    for number, paragraph in enumerate(np.array_split(body, n_paragraphs), start=1):
        text = f"{texts.english_text(paragraph)}."
        if number <= len(quotations):
            text += f" It was held in {suppression} that {texts.english_text(quotations[number - 1])}."
        lines += [f"[{number}]", text]
    return "\n".join([*lines, "[End of document]"])


# Task 1.


def _flat_files(splits: Sequence[Split], scale: float, random: np.random.Generator) -> Iterator[tuple[str, str]]:
    """All decisions in one folder, queries included; both splits may share it."""
    corpora: dict[str, list[Split]] = {}
    for split in splits:
        corpora.setdefault(_folder(split), []).append(split)
    sizes = [scaled(of_folder[0].counts.get("docs", _DOCUMENTS), scale, 12) for of_folder in corpora.values()]
    numbers = random.permutation(100_000)[: sum(sizes)] + FIRST_SYNTHETIC_NUMBER
    unused = iter([f"{number}.txt" for number in numbers.tolist()])
    for (folder, of_folder), size in zip(corpora.items(), sizes):
        names = list(islice(unused, size))
        n_queries = []
        numbers_noticed = []
        for split in of_folder:
            queries = split.counts.get("queries", _QUERIES)
            n_queries.append(min(scaled(queries, scale), size // (2 * len(of_folder))))
            pairs = round(n_queries[-1] * split.counts.get("qrels", _NOTICED * queries) / queries)
            numbers_noticed += texts.random_shares(random, pairs, n_queries[-1])
        collection = _draw_collection(random, size, numbers_noticed, of_folder[0].year)
        for name, text in zip(names, _decision_texts(random, collection, _SUPPRESSED)):
            yield f"{folder}/{name}", text
        noticed = iter(collection.noticed.items())
        for split, number in zip(of_folder, n_queries):
            gold = {names[query]: [names[case] for case in cases] for query, cases in islice(noticed, number)}
            yield _label_file(split), json.dumps(gold, indent=4)


def _pool_files(
    split: Split, numbers: Iterator[int], scale: float, random: np.random.Generator
) -> Iterator[tuple[str, str]]:
    """A folder for each query with its candidates, as until 2020."""
    counts = split.counts
    n_queries = scaled(counts.get("queries", _QUERIES_WITH_POOLS), scale)
    n_candidates = scaled(_CANDIDATES, scale, 12)
    noticed_per_query = counts["qrels"] / counts["queries"] if "qrels" in counts else _NOTICED_IN_POOL
    numbers_noticed = texts.random_shares(random, round(n_queries * noticed_per_query), n_queries)
    collection = _draw_collection(random, n_queries * 7 + n_candidates, numbers_noticed, split.year)
    others = [*{*range(len(collection.years))}.difference(collection.noticed, *collection.noticed.values())]
    folders = {query: f"{_folder(split)}/{next(numbers)}" for query in collection.noticed}
    places: dict[int, list[str]] = {query: [f"{folder}/base_case.txt"] for query, folder in folders.items()}
    labels = {}
    for query, noticed in collection.noticed.items():
        gold = noticed[:n_candidates]
        pool = random.permutation([*gold, *random.permutation(others)[: n_candidates - len(gold)]]).tolist()
        names = {case: f"{number:03}" for number, case in enumerate(pool, start=1)}
        for case, name in names.items():
            places.setdefault(case, []).append(f"{folders[query]}/candidates/{name}.txt")
        labels[folders[query]] = [*names.values()], sorted(names[case] for case in gold)
    for case, text in enumerate(_decision_texts(random, collection, _SUPPRESSED_BY_HAND)):
        yield from ((place, text) for place in places.get(case, ()))
    yield _label_file(split), _labels(split, labels)


# Task 2.


def _fragment_files(
    split: Split, numbers: Iterator[int], scale: float, random: np.random.Generator
) -> Iterator[tuple[str, str]]:
    """A folder for each query with its fragment, the decision around it, and the paragraphs of a noticed case."""
    queries = split.counts.get("queries", _FRAGMENTS)
    size = scaled(queries, scale)
    n_paragraphs = round(size * split.counts.get("docs", _PARAGRAPHS * queries) / queries)
    n_entailing = round(size * split.counts.get("qrels", _ENTAILING * queries) / queries)
    lengths = texts.random_shares(random, n_paragraphs, size, minimum=3)
    numbers_entailing = texts.random_shares(random, n_entailing, size)
    topics = texts.draw_topics(random, size)
    labels = {}
    for length, number_entailing, topic in zip(lengths, numbers_entailing, topics):
        folder = f"{_folder(split)}/{next(numbers)}"
        fragment = texts.draw_topical_words(random, _WORDS_OF_FRAGMENT, topic, share=0.5)  # so that fragments differ
        names = [f"{number:03}" for number in range(1, length + 1)]
        chosen = random.choice(length, min(number_entailing, length), replace=False)
        entailing = sorted(names[i] for i in chosen.tolist())
        for number, name in enumerate(names, start=1):
            paragraph = texts.draw_words(random, int(random.integers(20, 2 * _WORDS_OF_CANDIDATE)))
            if name in entailing:  # an entailing paragraph contains most words of the fragment
                at = int(random.integers(0, len(paragraph)))
                paragraph = np.insert(paragraph, at, random.permutation(fragment)[: _WORDS_OF_FRAGMENT * 2 // 3])
            yield f"{folder}/paragraphs/{name}.txt", f"[{number}]\n{texts.english_text(paragraph)}."
        base_case = texts.draw_topical_words(random, _WORDS_OF_BASE_CASE, topic)
        before, after = map(texts.english_text, np.array_split(base_case, 2))
        statement = texts.english_text(fragment)
        text = f"[1]\n{before}.\n[2]\n{statement}. {_SUPPRESSED_BY_HAND}\n[3]\n{after}."
        yield f"{folder}/base_case.txt", text
        yield f"{folder}/entailed_fragment.txt", f"{statement}."
        labels[folder] = names, entailing
    yield _label_file(split), _labels(split, labels)


# Label files of queries with folders of their own.


#: Elements of an item and of the answers in XML.
_TAGS = {"task1": ("candidate_case", "cases_noticed"), "task2": ("paragraph", "entailing_paragraphs")}


def _labels(split: Split, labels: Mapping[str, tuple[list[str], list[str]]]) -> str:
    """Return a label file, from the names of all items and of the relevant ones of each query, by its folder."""
    queries = {folder.rpartition("/")[2]: items for folder, items in labels.items()}
    if split.labels != "XML":
        return json.dumps({query: [f"{name}.txt" for name in gold] for query, (_, gold) in queries.items()}, indent=4)
    item, answers = _TAGS[split.task]
    lines = [f"<COLIEE task='{split.task[-1]}'>"]
    for query, (names, gold) in queries.items():
        lines += [f"<instance id='{query}'>", f"\t<query>{query}/base_case.txt</query>"]
        lines += [f"\t<{item} id='{name}'>{name}.txt</{item}>" for name in names]
        positions = [str(names.index(name) + 1) for name in gold]
        written = ",".join(positions if split.answers_are_positions else gold)
        lines += [f"\t<{answers}>{written}</{answers}>", "</instance>"]
    return "\n".join([*lines, "</COLIEE>", ""])
