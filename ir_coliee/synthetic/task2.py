"""Task 2, case entailment: for each query a folder with the base case, its fragment and the paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic import labels, litter, text_irregularities, words
from ir_coliee.synthetic.decisions import SUPPRESSED_BY_HAND
from ir_coliee.synthetic.labels import Instance
from ir_coliee.synthetic.release import Order, Release, ReleaseFile, SplitCounts, targets_of

# where the table gives no number
_PARAGRAPHS, _ENTAILING = 35, 1.2
_FEWEST_PARAGRAPHS = 3
_FRAGMENT_WORDS, _PARAGRAPH_WORDS, _BASE_WORDS = 35, 90, 2_000
_MISSING = "899"  # a number that no paragraph has
_SHARE_OF_STRINGS = 100 / 925  # of the labels of 2026's train split, the last


class _Layout(NamedTuple):
    """How an edition lays out a split."""

    corpus: str
    labels: str
    unlabelled: str = ""
    answers: str = ""


_LAYOUTS: Mapping[tuple[str, str], _Layout] = MappingProxyType(
    {
        ("2018", "train"): _Layout(
            "COLIEE2018_CaseLaw_Training_Data/Entailment1/data", "COLIEE2018_CaseLaw_Training_Data/Entailment1/EE.xml"
        ),
        ("2018", "test"): _Layout(
            "COLIEE2018_CaseLaw_Test_Data/Entailment1/data",
            "COLIEE2018_CaseLaw_Test_Data/gold_standard/entailment/ee.xml",
            unlabelled="COLIEE2018_CaseLaw_Test_Data/Entailment1/EE.xml",
        ),
        ("2019", "train"): _Layout("task2_train", "task2_train/task2.xml", answers="entailing_paragraphs.txt"),
        ("2019", "test"): _Layout(
            "task2_test", "task2_test/task2_test_golden-labels.xml", unlabelled="task2_test/task2.xml"
        ),
        ("2020", "train"): _Layout("task2_train_2020", "task2_train_labels_2020.json"),
        ("2020", "test"): _Layout("task2_test_2020", "task2_test_labels_2020.json"),
        ("2021", "train"): _Layout("task2_2021_train", "task2_train_labels_2021.json"),
        ("2021", "test"): _Layout("task2_2021_test_nolabels", "task2_test_labels_2021.json"),
        ("2022", "train"): _Layout("task2_2022_train", "task2_train_labels_2022.json"),
        ("2022", "test"): _Layout("task2_2022_test", "task2_test_labels_2022.json"),
    }
)


def _layout(split: Split) -> _Layout:
    usual = _Layout(f"task2_{split.name}_files_{split.edition}", f"task2_{split.name}_labels_{split.edition}.json")
    return _LAYOUTS.get((split.edition, split.name), usual)


#: What a release of 2018 takes: task 1 of that year lies below the same folders.
_TARGETS_OF_2018 = (
    "COLIEE2018_CaseLaw_Training_Data/Entailment1",
    "COLIEE2018_CaseLaw_Test_Data/Entailment1",
    "COLIEE2018_CaseLaw_Test_Data/gold_standard/entailment",
)
#: The value of a gold list by edition and split, where it is no list in all.
_STRINGS: Mapping[tuple[str, str], str] = MappingProxyType(
    {("2024", "test"): "all", ("2025", "test"): "all", ("2026", "train"): "last", ("2026", "test"): "all"}
)


def release(splits: Sequence[Split], order: Order) -> Release:
    """A made-up release of an edition of task 2, with its train and test split."""
    layouts = map(_layout, splits)
    made = Release([*_TARGETS_OF_2018] if splits[0].edition == "2018" else targets_of(layouts), iter(()))
    made.files = _files(splits, order, made)
    return made


def _files(splits: Sequence[Split], order: Order, made: Release) -> Iterator[ReleaseFile]:
    sizes = [order.scaled(split.counts["queries"], least=9 if order.irregularities else 3) for split in splits]
    # in 2026 the ids get a digit more on their way
    first = 1_000_000 - sizes[0] // 2 if splits[0].edition == "2026" else FIRST_SYNTHETIC_NUMBER
    for split, size in zip(splits, sizes):
        yield from _Cases(split, first, size, order, made).files()
        if split.edition not in ("2018", "2019"):  # since 2020 the numbers of the test go on
            first += size


class _Cases:
    """A split of task 2 in the making."""

    def __init__(self, split: Split, first: int, size: int, order: Order, made: Release) -> None:
        self.split, self.order, self.made = split, order, made
        self.layout = _layout(split)
        self.folders = [f"{first + i:03}" for i in range(size)]
        queries = split.counts["queries"]
        n_paragraphs = round(size * split.counts.get("docs", _PARAGRAPHS * queries) / queries)
        n_entailing = round(size * split.counts.get("qrels", _ENTAILING * queries) / queries)
        least = 8 if order.irregularities else _FEWEST_PARAGRAPHS
        self.lengths = words.shares(order.random, n_paragraphs, size, least)
        self.entailing = words.shares(order.random, n_entailing, size, least=1)
        self.topics = words.topics(order.random, size)
        inner = "cases" if order.irregularities and split.edition == "2026" else self.layout.corpus.rpartition("/")[2]
        nested = order.irregularities and split.edition != "2018"
        self.corpus = f"{self.layout.corpus}/{inner}" if nested else self.layout.corpus

    def files(self) -> Iterator[ReleaseFile]:
        """The cases, then the labels."""
        instances: list[Instance] = []
        for number in self.order.progress(range(len(self.folders))):
            yield from self._case(number, instances)
        if self.order.irregularities and self.split.edition in ("2018", "2019") and self.split.name == "train":
            instances[1:3] = [instances[1]._replace(gold=None), instances[2]._replace(gold=[])]
            self.made.plant("no answer element", instances[1].folder)
            self.made.plant("empty answer element", instances[2].folder)
        if self.order.irregularities and self.split.name == "train":
            self._plant_in_gold(instances)
        docs = sum(len(instance.items) for instance in instances)
        qrels = sum(len(set(instance.gold or ())) for instance in instances)
        self.made.splits[self.split.id] = SplitCounts(len(instances), docs, qrels)
        if self.layout.answers:
            for instance in instances:
                if instance.gold is not None:
                    answers = "".join(f"{name}\n" for name in instance.gold)
                    yield f"{self.corpus}/{instance.folder}/{self.layout.answers}", answers.encode()
        yield self.layout.labels, self._labels(instances, gold=True)
        if self.layout.unlabelled:
            yield self.layout.unlabelled, self._labels(instances, gold=False)
        if self.order.irregularities:
            yield from litter.files(self.corpus, self.split, self.made)

    def _plant_in_gold(self, instances: list[Instance]) -> None:
        instances[3] = labels.with_repeated_gold(instances[3], self.made)
        if self.split.edition != "2018":  # in which a position takes the place of a name
            case = instances[4]
            instances[4] = case._replace(gold=[*(case.gold or ()), _MISSING])
            self.made.plant("gold without a file", f"{case.folder}_{_MISSING}")

    def _case(self, number: int, instances: list[Instance]) -> Iterator[ReleaseFile]:
        random, topic = self.order.random, self.topics[number]
        folder = f"{self.corpus}/{self.folders[number]}"
        fragment = _about(random, _FRAGMENT_WORDS, topic)
        names = [f"{i:03}" for i in range(1, self.lengths[number] + 1)]
        chosen = random.choice(len(names), min(self.entailing[number], len(names)), replace=False)
        entailing = {names[i] for i in chosen.tolist()}
        if self.order.irregularities and number == 0:
            own = self.folders[number]
            entailing = {own if name == names[-1] else name for name in entailing} | {own}
            names[-1] = own
            self.made.plant("gold of the case's own number", own)
        for position, name in enumerate(names):
            paragraph = words.draw(random, int(random.integers(20, 2 * _PARAGRAPH_WORDS)))
            if name in entailing:  # what follows from a paragraph is said in its words
                at = int(random.integers(0, len(paragraph)))
                paragraph = np.insert(paragraph, at, random.permutation(fragment)[: _FRAGMENT_WORDS * 2 // 3])
            text = f"[{position + 1}]\n{words.spelled(paragraph)}."
            yield (
                f"{folder}/paragraphs/{name}.txt",
                text_irregularities.encoded(self._changed(text, number, position, name)),
            )
        base = words.draw_about(random, _BASE_WORDS, topic)
        before, after = words.spelled(base[: _BASE_WORDS // 2]), words.spelled(base[_BASE_WORDS // 2 :])
        statement = words.spelled(fragment)
        if self.order.irregularities and number == 1:
            statement = statement.replace(" ", "\n", 2)
            self.made.plant("fragment of several lines", self.folders[number])
        text = f"[1]\n{before}.\n[2]\n{statement}. {SUPPRESSED_BY_HAND}\n[3]\n{after}."
        if self.split.edition == "2018":
            yield f"{folder}/fact.txt", text.encode()
        else:
            yield f"{folder}/base_case.txt", text.encode()
        yield f"{folder}/entailed_fragment.txt", f"{statement}.".encode()
        instances.append(Instance(self.folders[number], names, sorted(entailing)))

    def _changed(self, text: str, number: int, position: int, name: str) -> str:
        """In the third case, each of the first paragraphs has another form, where irregularities are asked for."""
        kinds = list(text_irregularities.OF_PARAGRAPHS)
        if not self.order.irregularities or number != 2 or position >= len(kinds):
            return text
        self.made.plant(kinds[position], f"{self.corpus}/{self.folders[number]}/paragraphs/{name}.txt")
        return text_irregularities.OF_PARAGRAPHS[kinds[position]](text)

    def _labels(self, instances: Sequence[Instance], *, gold: bool) -> bytes:
        if self.split.edition == "2018":
            return labels.xml_2018_task2(instances, gold=gold)
        if self.split.edition == "2019":
            write = labels.xml_2019_of_the_call if self.order.irregularities else labels.xml_2019
            return write("task2", instances, gold=gold)
        strings = _STRINGS.get((self.split.edition, self.split.name), "")
        first_string = {"all": 0, "last": len(instances) - max(1, round(len(instances) * _SHARE_OF_STRINGS))}.get(
            strings, len(instances)
        )
        entries: list[tuple[str, object]] = []
        for number, instance in enumerate(instances):
            files = [f"{name}.txt" for name in instance.gold or ()]
            entries.append((instance.folder, ", ".join(files) if number >= first_string else files))
        return labels.json_object(entries, "line" if strings == "all" else "indented")


def _about(random: np.random.Generator, length: int, topic: words.Numbers) -> words.Numbers:
    """Words of a fragment: rarer ones than those of a whole text, so that it can be told from others."""
    usual = words.draw(random, length)
    special = random.random(length) < 0.5
    usual[special] = random.choice(topic, int(special.sum()))
    return usual
