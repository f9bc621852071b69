"""Releases of task 2: for each query a folder with the base case, its fragment and the paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic import label_files, text_irregularities, vocabulary
from ir_coliee.synthetic.decisions import SUPPRESSED_BY_HAND
from ir_coliee.synthetic.label_files import Instance
from ir_coliee.synthetic.release import Release, ReleaseFile, Settings, SplitCounts
from ir_coliee.synthetic.styles import CaseLawStyle, case_law_style, targets_of
from ir_coliee.synthetic.unrelated_files import unrelated_files

# defaults without counts of the edition: queries; paragraphs and entailing paragraphs of a query
_QUERIES, _PARAGRAPHS, _ENTAILING = 500, 35, 1.2
_FRAGMENT_WORDS, _PARAGRAPH_WORDS, _BASE_CASE_WORDS = 35, 90, 2_000
_UNKNOWN_PARAGRAPH = "899"  # a number that no paragraph has
_SHARE_OF_STRINGS = 100 / 925  # share of the queries whose gold is a string, if lists and strings are mixed


def case_entailment_release(splits: Sequence[Split], settings: Settings) -> Release:
    """Return a release of task 2, with its train and test split."""
    styles = [case_law_style(split, irregular=settings.irregular) for split in splits]
    release = Release(targets_of(styles))
    release.files = _files(styles, settings, release)
    return release


def _files(styles: Sequence[CaseLawStyle], settings: Settings, release: Release) -> Iterator[ReleaseFile]:
    minimum = 9 if settings.irregular else 3
    sizes = [settings.scaled(style.split.counts.get("queries", _QUERIES), minimum) for style in styles]
    first_number = 1_000_000 - sizes[0] // 2 if styles[0].gains_digit else FIRST_SYNTHETIC_NUMBER
    for style, size in zip(styles, sizes):
        yield from _Cases(style, first_number, size, settings, release).files()
        if style.numbering == "continued":
            first_number += size


class _Cases:
    """The queries of one split with their paragraphs."""

    def __init__(self, style: CaseLawStyle, first_number: int, size: int, settings: Settings, release: Release) -> None:
        self.style, self.settings, self.release = style, settings, release
        random, counts = settings.random, style.split.counts
        self.folders = [f"{first_number + i:03}" for i in range(size)]
        queries = counts.get("queries", _QUERIES)
        n_paragraphs = round(size * counts.get("docs", _PARAGRAPHS * queries) / queries)
        n_entailing = round(size * counts.get("qrels", _ENTAILING * queries) / queries)
        self.lengths = vocabulary.random_shares(random, n_paragraphs, size, minimum=8 if settings.irregular else 3)
        self.numbers_entailing = vocabulary.random_shares(random, n_entailing, size, minimum=1)
        self.topics = vocabulary.draw_topics(random, size)

    def files(self) -> Iterator[ReleaseFile]:
        """Yield the cases, then the labels."""
        for nesting in ("nested folder", "nested folder named cases"):
            if nesting in self.style.irregularities:
                self.release.plant(nesting, self.style.document_folder)
        instances: list[Instance] = []
        for number in self.settings.numbers(len(self.folders), self.style.split.id, "cases"):
            yield from self._case(number, instances)
        if self.style.split.name == "train":
            label_files.remove_answers(instances, self.style.irregularities, self.release)
            self._plant_in_gold(instances)
        docs = sum(len(instance.items) for instance in instances)
        qrels = sum(len(set(instance.gold or ())) for instance in instances)
        self.release.splits[self.style.split.id] = SplitCounts(len(instances), docs, qrels)
        yield from self._labels(instances)
        if "unrelated files" in self.style.irregularities:
            yield from unrelated_files(self.style.document_folder, self.style.split, self.release)

    def _labels(self, instances: Sequence[Instance]) -> Iterator[ReleaseFile]:
        style = self.style
        if "label file of the call" in style.irregularities:
            self.release.plant("label file of the call", style.label_file)
        if style.answer_file:
            for instance in instances:
                if instance.gold is not None:
                    place = f"{style.document_folder}/{instance.folder}/{style.answer_file}"
                    yield place, label_files.answer_file(instance.gold)
        yield style.label_file, self._label_file(instances, gold=True)
        if style.unlabelled_file:
            yield style.unlabelled_file, self._label_file(instances, gold=False)

    def _plant_in_gold(self, instances: list[Instance]) -> None:
        if "repeated gold" in self.style.irregularities:
            instances[3] = label_files.with_repeated_gold(instances[3], self.release)
        if "gold without a file" in self.style.irregularities:
            case = instances[4]
            instances[4] = case._replace(gold=[*(case.gold or ()), _UNKNOWN_PARAGRAPH])
            self.release.plant("gold without a file", f"{case.folder}_{_UNKNOWN_PARAGRAPH}")

    def _case(self, number: int, instances: list[Instance]) -> Iterator[ReleaseFile]:
        random, topic, requested = self.settings.random, self.topics[number], self.style.irregularities
        case = self.folders[number]
        folder = f"{self.style.document_folder}/{case}"
        fragment = _draw_fragment(random, topic)
        names = [f"{i:03}" for i in range(1, self.lengths[number] + 1)]
        chosen = random.choice(len(names), min(self.numbers_entailing[number], len(names)), replace=False)
        entailing = {names[i] for i in chosen.tolist()}
        if "gold of the case's own number" in requested and number == 0:
            entailing = {case if name == names[-1] else name for name in entailing} | {case}
            names[-1] = case
            self.release.plant("gold of the case's own number", case)
        for position, name in enumerate(names):
            paragraph = vocabulary.draw_words(random, int(random.integers(20, 2 * _PARAGRAPH_WORDS)))
            if name in entailing:  # an entailing paragraph contains most words of the fragment
                at = int(random.integers(0, len(paragraph)))
                paragraph = np.insert(paragraph, at, random.permutation(fragment)[: _FRAGMENT_WORDS * 2 // 3])
            text = f"[{position + 1}]\n{vocabulary.english_text(paragraph)}."
            place = f"{folder}/paragraphs/{name}.txt"
            yield place, text_irregularities.encode(self._changed(text, number, position, place))
        base_case = vocabulary.draw_topical_words(random, _BASE_CASE_WORDS, topic)
        before = vocabulary.english_text(base_case[: _BASE_CASE_WORDS // 2])
        after = vocabulary.english_text(base_case[_BASE_CASE_WORDS // 2 :])
        statement = vocabulary.english_text(fragment)
        if "fragment of several lines" in requested and number == 1:
            statement = statement.replace(" ", "\n", 2)
            self.release.plant("fragment of several lines", case)
        text = f"[1]\n{before}.\n[2]\n{statement}. {SUPPRESSED_BY_HAND}\n[3]\n{after}."
        yield f"{folder}/{self.style.query_file}", text.encode()
        yield f"{folder}/entailed_fragment.txt", f"{statement}.".encode()
        instances.append(Instance(case, names, sorted(entailing)))

    def _changed(self, text: str, number: int, position: int, place: str) -> str:
        """Give each of the first paragraphs of the third case one of the irregular forms that are to be planted."""
        kinds = [kind for kind in text_irregularities.PARAGRAPH_CHANGES if kind in self.style.irregularities]
        if number != 2 or position >= len(kinds):
            return text
        self.release.plant(kinds[position], place)
        return text_irregularities.PARAGRAPH_CHANGES[kinds[position]](text)

    def _label_file(self, instances: Sequence[Instance], *, gold: bool) -> bytes:
        if label_files.is_xml(self.style):
            return label_files.xml_labels(self.style, instances, gold=gold)
        n_strings = {
            "lists": 0,
            "strings": len(instances),
            "mixed": max(1, round(len(instances) * _SHARE_OF_STRINGS)),
        }[self.style.gold_values]
        entries: list[tuple[str, object]] = []
        for number, instance in enumerate(instances):
            files = [f"{name}.txt" for name in instance.gold or ()]
            is_string = number >= len(instances) - n_strings
            entries.append((instance.folder, ", ".join(files) if is_string else files))
        return label_files.json_object(entries, self.style.label_style)


def _draw_fragment(random: np.random.Generator, topic: vocabulary.WordNumbers) -> vocabulary.WordNumbers:
    """Draw the words of a fragment, half of them rare, so that fragments differ."""
    numbers = vocabulary.draw_words(random, _FRAGMENT_WORDS)
    is_topical = random.random(_FRAGMENT_WORDS) < 0.5
    numbers[is_topical] = random.choice(topic, int(is_topical.sum()))
    return numbers
