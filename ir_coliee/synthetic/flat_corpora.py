"""Releases of task 1 with all queries and candidates in one flat folder; the label file lists the queries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic import decisions, label_files, text_irregularities, vocabulary
from ir_coliee.synthetic.release import Release, ReleaseFile, Settings, SplitCounts
from ir_coliee.synthetic.styles import CaseLawStyle, case_law_style
from ir_coliee.synthetic.unrelated_files import unrelated_files

_SHARED_NAMES = 11  # number of file names that train and test have in common, if that is planted
# default if the edition states no counts
_DOCUMENTS, _QUERIES, _NOTICED = 5_000, 1_000, 4.0


def flat_release(splits: Sequence[Split], settings: Settings) -> Release:
    """Return a release of task 1 with flat corpora, with its train and test split."""
    styles = [case_law_style(split, irregular=settings.irregular) for split in splits]
    folders = list(dict.fromkeys(style.folder for style in styles))
    corpora = [[style for style in styles if style.folder == folder] for folder in folders]
    release = Release([])
    for corpus in corpora:
        release.targets.append(corpus[0].folder)
        for style in corpus:
            release.targets.append(_label_file_name(style))
            if _writes_unlabelled_file(style):
                release.targets.append(style.unlabelled_file)
    release.files = _files(corpora, settings, release)
    return release


def _label_file_name(style: CaseLawStyle) -> str:
    """Return the name of the label file, changed as by participants' tools if that is planted."""
    if "renamed label file" not in style.irregularities:
        return style.label_file
    is_train = style.split.name == "train"
    return f"clean_{style.label_file}" if is_train else style.label_file.replace(".json", " (1).json")


def _writes_unlabelled_file(style: CaseLawStyle) -> bool:
    return bool(style.unlabelled_file) and "queries without gold" in style.irregularities


def _files(corpora: Sequence[Sequence[CaseLawStyle]], settings: Settings, release: Release) -> Iterator[ReleaseFile]:
    minimum = 48 if settings.irregular else 12  # an irregular corpus needs a document for each irregularity
    sizes = [settings.scaled(styles[0].split.counts.get("docs", _DOCUMENTS), minimum) for styles in corpora]
    # one number more than there are decisions, for gold without a file
    numbers = settings.random.permutation(100_000)[: sum(sizes) + 1] + FIRST_SYNTHETIC_NUMBER
    names = [f"{number}.txt" for number in numbers.tolist()]
    first_names = names[: sizes[0]]
    for position, (styles, size) in enumerate(zip(corpora, sizes)):
        corpus_names, names = names[:size], names[size:]
        if position > 0 and "name of another text in train" in styles[0].irregularities:
            shared = first_names[: min(_SHARED_NAMES, size // 4)]
            corpus_names[: len(shared)] = shared
            places = (f"{styles[0].document_folder}/{name}" for name in shared)
            release.plant("name of another text in train", *places)
        yield from _FlatCorpus(styles, corpus_names, names[-1], settings, release).files()


class _FlatCorpus:
    """One flat folder and the labels of the splits whose documents it holds."""

    def __init__(
        self,
        styles: Sequence[CaseLawStyle],
        names: list[str],
        unused_name: str,
        settings: Settings,
        release: Release,
    ) -> None:
        self.styles, self.names, self.unused_name = styles, names, unused_name
        self.settings, self.release = settings, release
        self.irregularities = styles[0].irregularities
        splits, size = [style.split for style in styles], len(names)
        n_queries = [
            min(settings.scaled(split.counts.get("queries", _QUERIES)), size // (2 * len(splits))) for split in splits
        ]
        numbers_noticed = []
        for split, number in zip(splits, n_queries):
            queries = split.counts.get("queries", _QUERIES)
            pairs = round(number * split.counts.get("qrels", _NOTICED * queries) / queries)
            numbers_noticed += vocabulary.random_shares(settings.random, pairs, number, minimum=1)
        self.collection = decisions.draw_collection(settings.random, size, numbers_noticed, splits[0].year)
        gold = list(self.collection.noticed.items())
        ends = np.cumsum(n_queries).tolist()
        self.gold = [dict(gold[end - count : end]) for end, count in zip(ends, n_queries)]

    def files(self) -> Iterator[ReleaseFile]:
        """Yield the decisions, then the labels."""
        folder = self.styles[0].document_folder
        originals, changes = self._plant_in_collection(folder) if self.irregularities else ({}, {})
        repeated_texts: dict[int, str] = {}
        texts = decisions.decision_texts(self.settings.random, self.collection)
        for case, text in zip(self.settings.numbers(len(self.names), self.styles[0].split.id, "decisions"), texts):
            if case in originals.values():
                repeated_texts[case] = text
            written = repeated_texts[originals[case]] if case in originals else text
            if case in changes:
                written = text_irregularities.DECISION_CHANGES[changes[case]](written)
            yield f"{folder}/{self.names[case]}", text_irregularities.encode(written)
        for style, gold in zip(self.styles, self.gold):
            yield from self._labels(style, gold)
        if "unrelated files" in self.irregularities:
            yield from unrelated_files(folder, self.styles[0].split, self.release)

    def _plant_in_collection(self, folder: str) -> tuple[dict[int, int], dict[int, str]]:
        """Plant irregularities in the collection.

        Returns the case whose text each duplicate repeats, and the kind of change of each changed case.
        """
        noticed, requested = self.collection.noticed, self.irregularities
        files = [f"{folder}/{name}" for name in self.names]
        if "nested folder" in requested:
            self.release.plant("nested folder", folder)
        first, *_, last = self.gold[0]
        if "query that is noticed" in requested:
            noticed[last].append(first)
            self.release.plant("query that is noticed", files[first])
        if "query of both splits" in requested and len(self.gold) == 2:
            self._plant_query_of_both_splits(last)
        unnamed = self.collection.unnamed()
        originals: dict[int, int] = {}
        changes: dict[int, str] = {}
        if "identical text that is not gold" in requested:
            originals[unnamed[-1]] = min(case for cases in noticed.values() for case in cases)
            self.release.plant("identical text that is not gold", files[unnamed[-1]])
        if "LF twin of a CRLF text" in requested:
            originals[unnamed[-2]] = unnamed[0]
            changes[unnamed[0]] = text_irregularities.CRLF
            self.release.plant("LF twin of a CRLF text", files[unnamed[-2]])
        if text_irregularities.NEAR_IDENTICAL in requested:
            originals[unnamed[-3]] = unnamed[1]
            changes[unnamed[-3]] = text_irregularities.NEAR_IDENTICAL
        if "file that no label names" in requested:
            self.release.plant("file that no label names", files[unnamed[1]])
        taken = {*originals, *originals.values()}
        free = [case for case in self.settings.random.permutation(len(files)).tolist() if case not in taken]
        kinds = [
            kind for kind in text_irregularities.DECISION_CHANGES if kind in requested and kind not in changes.values()
        ]
        changes |= dict(zip(free, kinds))
        for case, kind in changes.items():
            self.release.plant(kind, files[case])
        return originals, changes

    def _plant_query_of_both_splits(self, query: int) -> None:
        """Give a query of the train split other gold in the test split."""
        noticed = self.collection.noticed[query]
        self.gold[0][query] = list(noticed)
        other = next(case for case in range(query) if case not in noticed and case not in self.collection.noticed)
        noticed.append(other)
        self.gold[1][query] = [other]
        self.release.plant("query of both splits", _stem(self.names[query]))

    def _labels(self, style: CaseLawStyle, gold: dict[int, list[int]]) -> Iterator[ReleaseFile]:
        entries = [(self.names[query], [self.names[case] for case in cases]) for query, cases in gold.items()]
        if style.split.name == "train":
            self._plant_in_labels(entries)
        name = _label_file_name(style)
        if name != style.label_file:
            self.release.plant("renamed label file", name)
        if _writes_unlabelled_file(style):
            self.release.plant("queries without gold", style.unlabelled_file)
            queries = [query for query, _ in entries]
            if style.unlabelled_style == "array":
                yield style.unlabelled_file, json.dumps(queries).encode()
            else:
                unlabelled = label_files.json_object([(query, []) for query in queries], style.label_style)
                yield style.unlabelled_file, unlabelled
        yield name, label_files.json_object(entries, style.label_style)
        pairs = sum(len({*cases} - {query}) for query, cases in dict(entries).items())
        self.release.splits[style.split.id] = SplitCounts(len(dict(entries)), len(self.names), pairs)

    def _plant_in_labels(self, entries: list[tuple[str, list[str]]]) -> None:
        (first, gold_of_first), (second, gold_of_second), (third, gold_of_third) = entries[:3]
        if "repeated gold" in self.irregularities:
            gold_of_first.append(gold_of_first[0])
            self.release.plant("repeated gold", _stem(first))
        if "gold without a file" in self.irregularities:
            gold_of_second.append(self.unused_name)
            self.release.plant("gold without a file", _stem(self.unused_name))
        if "self-citation" in self.irregularities:
            gold_of_third.append(third)
            self.release.plant("self-citation", _stem(third))
        if "repeated key" in self.irregularities:
            entries.insert(0, (second, [self.names[0]]))
            self.release.plant("repeated key", _stem(second))


def _stem(name: str) -> str:
    return name.removesuffix(".txt")
