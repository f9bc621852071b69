"""Releases of task 1 in which each query has a folder with its own pool of candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic import decisions, label_files, vocabulary
from ir_coliee.synthetic.decisions import SUPPRESSED_BY_HAND
from ir_coliee.synthetic.label_files import Instance
from ir_coliee.synthetic.release import Release, ReleaseFile, Settings, SplitCounts
from ir_coliee.synthetic.styles import CaseLawStyle, case_law_style, targets_of
from ir_coliee.synthetic.unrelated_files import unrelated_files

# defaults if the edition states no counts: queries, and noticed cases of one query
_QUERIES, _NOTICED = 60, 5.2
_CANDIDATES = 200
_UNKNOWN_CANDIDATE = "899"  # a number that no candidate has


def pool_release(splits: Sequence[Split], settings: Settings) -> Release:
    """Return a release of task 1 with candidate pools, with its train and test split."""
    styles = [case_law_style(split, irregular=settings.irregular) for split in splits]
    release = Release(targets_of(styles))
    release.files = _files(styles, settings, release)
    return release


def _files(styles: Sequence[CaseLawStyle], settings: Settings, release: Release) -> Iterator[ReleaseFile]:
    first_number = FIRST_SYNTHETIC_NUMBER
    for style in styles:
        pools = _Pools(style, first_number, settings, release)
        yield from pools.files()
        if style.numbering == "continued":
            first_number += len(pools.folders)


class _Pools:
    """The queries of one split with their candidates."""

    def __init__(self, style: CaseLawStyle, first_number: int, settings: Settings, release: Release) -> None:
        self.style, self.settings, self.release = style, settings, release
        random, counts = settings.random, style.split.counts
        n_queries = settings.scaled(counts.get("queries", _QUERIES), minimum=6 if settings.irregular else 3)
        n_candidates = settings.scaled(_CANDIDATES, minimum=12)
        noticed_per_query = counts["qrels"] / counts["queries"] if "qrels" in counts else _NOTICED
        are_distinct = style.distinct_candidates
        size = n_queries * (n_candidates + 1) if are_distinct else n_queries * 7 + n_candidates
        numbers_noticed = vocabulary.random_shares(random, round(n_queries * noticed_per_query), n_queries, minimum=1)
        self.collection = decisions.draw_collection(random, size, numbers_noticed, style.split.year)
        self.folders = {query: f"{first_number + i:03}" for i, query in enumerate(self.collection.noticed)}
        unnamed = self.collection.unnamed()
        undealt = iter(random.permutation(unnamed).tolist())
        self.names: dict[int, dict[int, str]] = {}
        for query, noticed in self.collection.noticed.items():
            del noticed[n_candidates:]
            rest = n_candidates - len(noticed)
            others = list(islice(undealt, rest)) if are_distinct else random.permutation(unnamed)[:rest].tolist()
            pool = random.permutation([*noticed, *others]).tolist()
            self.names[query] = {case: f"{number:03}" for number, case in enumerate(pool, start=1)}

    def files(self) -> Iterator[ReleaseFile]:
        """Yield the queries and their candidates, then the labels."""
        folder, style = self.style.document_folder, self.style
        if folder != style.folder:
            self.release.plant("nested folder", folder)
        if style.split.name == "train":
            self._plant_in_numbers()
        places: dict[int, list[str]] = {}
        for query, names in self.names.items():
            for case, name in names.items():
                places.setdefault(case, []).append(f"{folder}/{self.folders[query]}/candidates/{name}.txt")
        texts = decisions.decision_texts(self.settings.random, self.collection, SUPPRESSED_BY_HAND)
        for case, text in zip(self.settings.numbers(len(self.collection.years), style.split.id, "decisions"), texts):
            data = text.encode()
            for place in places.get(case, []):
                yield place, data
            if case in self.folders:
                yield f"{folder}/{self.folders[case]}/{style.query_file}", data
                if style.summary_file:
                    yield f"{folder}/{self.folders[case]}/{style.summary_file}", text.split("\n")[3].encode()
        yield from self._labels()
        if "unrelated files" in style.irregularities:
            yield from unrelated_files(folder, style.split, self.release)

    def _plant_in_numbers(self) -> None:
        if "candidates from 000" in self.style.irregularities:
            self.names = {
                query: {case: f"{int(name) - 1:03}" for case, name in names.items()}
                for query, names in self.names.items()
            }
            self.release.plant("candidates from 000", *self.folders.values())
        if "gold of the query's own number" in self.style.irregularities:
            query = next(iter(self.names))
            self.names[query][self.collection.noticed[query][0]] = self.folders[query]
            self.release.plant("gold of the query's own number", self.folders[query])

    def _labels(self) -> Iterator[ReleaseFile]:
        style = self.style
        instances = []
        for query, names in self.names.items():
            gold = sorted(names[case] for case in self.collection.noticed[query])
            instances.append(Instance(self.folders[query], sorted(names.values()), gold))
        label_files.remove_answers(instances, style.irregularities, self.release)
        if style.split.name == "train" and "repeated gold" in style.irregularities:
            instances[3] = label_files.with_repeated_gold(instances[3], self.release)
        docs = sum(len(instance.items) for instance in instances)
        qrels = sum(len(set(instance.gold or ())) for instance in instances)
        self.release.splits[style.split.id] = SplitCounts(len(instances), docs, qrels)
        if "candidate without a file" in style.irregularities:
            instances[0] = instances[0]._replace(items=[*instances[0].items, _UNKNOWN_CANDIDATE])
            self.release.plant("candidate without a file", f"{instances[0].folder}_{_UNKNOWN_CANDIDATE}")
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

    def _label_file(self, instances: Sequence[Instance], *, gold: bool) -> bytes:
        if label_files.is_xml(self.style):
            return label_files.xml_labels(self.style, instances, gold=gold)
        entries = [(instance.folder, [f"{name}.txt" for name in instance.gold or ()]) for instance in instances]
        return label_files.json_object(entries, self.style.label_style)
