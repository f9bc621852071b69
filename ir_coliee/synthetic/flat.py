"""Task 1 since 2021: queries and candidates in one flat folder, of which only the labels say which are queries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic import decisions, labels, litter, text_irregularities, words
from ir_coliee.synthetic.release import Order, Release, ReleaseFile, SplitCounts

_SHARED_NAMES = 11  # names that train and test of 2025 have in common


class _Corpus(NamedTuple):
    """A flat folder and the splits that ask in it."""

    folder: str
    splits: Sequence[Split]


class _LabelFile(NamedTuple):
    """The label file of a split: its name, its form, and the name under which the queries come without gold."""

    name: str
    style: str
    unlabelled: str


def _label_file(split: Split) -> _LabelFile:
    edition = split.edition
    if edition == "2021":
        return {
            "train": _LabelFile("train_labels.json", "lines", ""),
            "test": _LabelFile("task1_test_labels_2021.json", "lines", "test_no_labels.json"),
        }[split.name]
    style = {"2022": "lines" if split.name == "train" else "line"}.get(edition, "indented")
    unlabelled = f"task1_test_no_labels_{edition}.json" if split.name == "test" and edition != "2022" else ""
    return _LabelFile(f"task1_{split.name}_labels_{edition}.json", style, unlabelled)


def _renamed(split: Split, name: str) -> str:
    """A label file's name as participants' tools change it."""
    return f"clean_{name}" if split.name == "train" else name.replace(".json", " (1).json")


def release(splits: Sequence[Split], order: Order) -> Release:
    """A made-up release of an edition of task 1 since 2021, with its train and test split."""
    if splits[0].edition == "2021":
        corpora = [_Corpus("task1_files", splits)]
    else:
        corpora = [_Corpus(f"task1_{split.name}_files_{split.edition}", [split]) for split in splits]
    made = Release([], iter(()))
    for corpus in corpora:
        made.targets.append(corpus.folder)
        for split in corpus.splits:
            file = _label_file(split)
            made.targets.append(_renamed(split, file.name) if order.irregularities else file.name)
            if order.irregularities and file.unlabelled:
                made.targets.append(file.unlabelled)
    made.files = _files(corpora, order, made)
    return made


def _files(corpora: Sequence[_Corpus], order: Order, made: Release) -> Iterator[ReleaseFile]:
    sizes = [
        order.scaled(corpus.splits[0].counts["docs"], least=48 if order.irregularities else 12) for corpus in corpora
    ]
    # a number more than there are decisions: for gold without a file
    numbers = order.random.permutation(100_000)[: sum(sizes) + 1] + FIRST_SYNTHETIC_NUMBER
    names = [f"{number}.txt" for number in numbers.tolist()]
    first = names[: sizes[0]]
    for corpus, size in zip(corpora, sizes):
        own, names = names[:size], names[size:]
        if order.irregularities and corpus is not corpora[0]:
            shared = first[: min(_SHARED_NAMES, size // 4)]
            own[: len(shared)] = shared
            made.plant("name of another text in train", *(f"{corpus.folder}/{corpus.folder}/{name}" for name in shared))
        yield from _FlatCorpus(corpus, own, names[-1], order, made).files()


class _FlatCorpus:
    """One flat folder in the making, with the labels of the splits that ask in it."""

    def __init__(self, corpus: _Corpus, names: list[str], unused: str, order: Order, made: Release) -> None:
        self.corpus, self.names, self.unused, self.order, self.made = corpus, names, unused, order, made
        splits, size = corpus.splits, len(names)
        counts = [min(order.scaled(split.counts["queries"]), size // (2 * len(splits))) for split in splits]
        wanted = []
        for split, n_queries in zip(splits, counts):
            pairs = round(n_queries * split.counts["qrels"] / split.counts["queries"])
            wanted += words.shares(order.random, pairs, n_queries, least=1)
        self.plan = decisions.plan(order.random, size, wanted, splits[0].year)
        gold = list(self.plan.noticed.items())
        ends = np.cumsum(counts).tolist()
        self.gold = [dict(gold[end - count : end]) for end, count in zip(ends, counts)]

    def files(self) -> Iterator[ReleaseFile]:
        """The decisions, then the labels."""
        folder, irregularities = self.corpus.folder, self.order.irregularities
        inner = f"{folder}/{folder}" if irregularities else folder
        copies, changes = self._plant(inner) if irregularities else ({}, {})
        originals: dict[int, str] = {}
        texts = decisions.texts(self.order.random, self.plan)
        for case, text in zip(self.order.progress(range(len(self.names))), texts):
            if case in copies.values():
                originals[case] = text
            written = originals[copies[case]] if case in copies else text
            if case in changes:
                written = text_irregularities.OF_DECISIONS[changes[case]](written)
            yield f"{inner}/{self.names[case]}", text_irregularities.encoded(written)
        for split, gold in zip(self.corpus.splits, self.gold):
            yield from self._labels(split, gold)
        if irregularities:
            yield from litter.files(inner, self.corpus.splits[0], self.made)

    def _plant(self, folder: str) -> tuple[dict[int, int], dict[int, str]]:
        """Make the plan irregular; give each copy's original, and each changed case's kind of change."""
        plan, made = self.plan, self.made
        files = [f"{folder}/{name}" for name in self.names]
        first, *_, last = self.gold[0]
        plan.noticed[last].append(first)
        made.plant("query that is noticed", files[first])
        if len(self.gold) == 2:
            self._ask_in_both_splits(last)
        free = plan.unnamed()
        cited = min(case for cases in plan.noticed.values() for case in cases)
        copies = {free[-1]: cited, free[-2]: free[0], free[-3]: free[1]}
        made.plant("identical text that is not gold", files[free[-1]])
        made.plant("LF twin of a CRLF text", files[free[-2]])
        made.plant("file that no label names", files[free[1]])
        taken = {*copies, *copies.values()}
        others = [case for case in self.order.random.permutation(len(files)).tolist() if case not in taken]
        of_pairs = {free[0]: text_irregularities.CRLF, free[-3]: text_irregularities.NEAR_IDENTICAL}
        kinds = [kind for kind in text_irregularities.OF_DECISIONS if kind not in of_pairs.values()]
        changes = of_pairs | dict(zip(others, kinds))
        for case, kind in changes.items():
            made.plant(kind, files[case])
        return copies, changes

    def _ask_in_both_splits(self, query: int) -> None:
        """As two queries of 2021 are asked in train and in test, with different gold."""
        known = self.plan.noticed[query]
        self.gold[0][query] = list(known)
        other = next(case for case in range(query) if case not in known and case not in self.plan.noticed)
        known.append(other)
        self.gold[1][query] = [other]
        self.made.plant("query of both splits", _stem(self.names[query]))

    def _labels(self, split: Split, gold: dict[int, list[int]]) -> Iterator[ReleaseFile]:
        file = _label_file(split)
        entries = [(self.names[query], [self.names[case] for case in cases]) for query, cases in gold.items()]
        if self.order.irregularities:
            if split.name == "train":
                self._plant_in_labels(split, entries)
            if file.unlabelled:
                self.made.plant("queries without gold", file.unlabelled)
                queries = [query for query, _ in entries]
                unlabelled = (
                    json.dumps(queries).encode()
                    if split.edition == "2021"
                    else labels.json_object([(query, []) for query in queries], file.style)
                )
                yield file.unlabelled, unlabelled
        name = _renamed(split, file.name) if self.order.irregularities else file.name
        yield name, labels.json_object(entries, file.style)
        pairs = sum(len({*cases} - {query}) for query, cases in dict(entries).items())
        self.made.splits[split.id] = SplitCounts(len(dict(entries)), len(self.names), pairs)

    def _plant_in_labels(self, split: Split, entries: list[tuple[str, list[str]]]) -> None:
        (first, repeated), (second, without_file), (third, with_itself) = entries[:3]
        repeated.append(repeated[0])
        self.made.plant("repeated gold", _stem(first))
        without_file.append(self.unused)
        self.made.plant("gold without a file", _stem(self.unused))
        with_itself.append(third)
        self.made.plant("self-citation", _stem(third))
        if split.edition == "2022":
            entries.insert(0, (second, [self.names[0]]))
            self.made.plant("repeated key", _stem(second))


def _stem(name: str) -> str:
    return name.removesuffix(".txt")
