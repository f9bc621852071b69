"""Task 1 until 2020: for each query a folder with its own candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split
from ir_coliee.synthetic import decisions, labels, litter, words
from ir_coliee.synthetic.decisions import SUPPRESSED_BY_HAND
from ir_coliee.synthetic.labels import Instance
from ir_coliee.synthetic.release import Order, Release, ReleaseFile, SplitCounts, targets_of

# where the table gives no number: queries, and noticed cases of one query
_QUERIES, _NOTICED = 60, 5.2
_CANDIDATES = 200


class _Layout(NamedTuple):
    """How an edition with a folder for each query lays out a split."""

    corpus: str
    query: str
    labels: str
    unlabelled: str
    answers: str


_LAYOUTS: Mapping[str, Mapping[str, _Layout]] = MappingProxyType(
    {
        "2018": {
            "train": _Layout(
                "COLIEE2018_CaseLaw_Training_Data/IR/data",
                "fact.txt",
                "COLIEE2018_CaseLaw_Training_Data/IR/IR.xml",
                unlabelled="",
                answers="",
            ),
            "test": _Layout(
                "COLIEE2018_CaseLaw_Test_Data/IR/data",
                "fact.txt",
                "COLIEE2018_CaseLaw_Test_Data/gold_standard/ir/ir.xml",
                unlabelled="COLIEE2018_CaseLaw_Test_Data/IR/IR.xml",
                answers="",
            ),
        },
        "2019": {
            "train": _Layout("task1_train", "base_case.txt", "task1_train/task1.xml", "", "noticed_cases.txt"),
            "test": _Layout(
                "task1_test", "base_case.txt", "task1_test/task1_test_golden-labels.xml", "task1_test/task1.xml", ""
            ),
        },
        "2020": {
            name: _Layout(f"task1_{name}_2020", "base_case.txt", f"task1_{name}_2020_labels.json", "", "")
            for name in ("train", "test")
        },
    }
)
#: What a release of 2018 takes: task 2 of that year lies below the same folders.
_TARGETS_OF_2018 = (
    "COLIEE2018_CaseLaw_Training_Data/IR",
    "COLIEE2018_CaseLaw_Test_Data/IR",
    "COLIEE2018_CaseLaw_Test_Data/gold_standard/ir",
)


def release(splits: Sequence[Split], order: Order) -> Release:
    """A made-up release of an edition of task 1 until 2020, with its train and test split."""
    layouts = [_LAYOUTS[split.edition][split.name] for split in splits]
    made = Release([*_TARGETS_OF_2018] if splits[0].edition == "2018" else targets_of(layouts), iter(()))
    made.files = _files(splits, order, made)
    return made


def _files(splits: Sequence[Split], order: Order, made: Release) -> Iterator[ReleaseFile]:
    first = FIRST_SYNTHETIC_NUMBER
    for split in splits:
        pools = _Pools(split, first, order, made)
        yield from pools.files()
        if split.edition == "2020":  # in that year the numbers go on, before they begin anew
            first += len(pools.folders)


class _Pools:
    """A split in the making of which each query has a folder with its own candidates."""

    def __init__(self, split: Split, first: int, order: Order, made: Release) -> None:
        self.split, self.order, self.made = split, order, made
        self.layout = _LAYOUTS[split.edition][split.name]
        random = order.random
        n_queries = order.scaled(split.counts.get("queries", _QUERIES), least=6 if order.irregularities else 3)
        n_candidates = order.scaled(_CANDIDATES, least=12)
        per_query = split.counts["qrels"] / split.counts["queries"] if "qrels" in split.counts else _NOTICED
        # the candidates of the test of 2020 are all different; else one may stand under several queries
        different = (split.edition, split.name) == ("2020", "test")
        size = n_queries * (n_candidates + 1) if different else n_queries * 7 + n_candidates
        wanted = words.shares(random, round(n_queries * per_query), n_queries, least=1)
        self.plan = decisions.plan(random, size, wanted, split.year)
        self.folders = {query: f"{first + i:03}" for i, query in enumerate(self.plan.noticed)}
        unnamed = self.plan.unnamed()
        dealt = iter(random.permutation(unnamed).tolist())
        self.names: dict[int, dict[int, str]] = {}
        for query, noticed in self.plan.noticed.items():
            del noticed[n_candidates:]
            rest = n_candidates - len(noticed)
            fillers = list(islice(dealt, rest)) if different else random.permutation(unnamed)[:rest].tolist()
            pool = random.permutation([*noticed, *fillers]).tolist()
            self.names[query] = {case: f"{number:03}" for number, case in enumerate(pool, start=1)}
        nested = order.irregularities and split.edition != "2018"
        self.corpus = f"{self.layout.corpus}/{self.layout.corpus}" if nested else self.layout.corpus

    def files(self) -> Iterator[ReleaseFile]:
        """The queries and their candidates, then the labels."""
        if self.order.irregularities and self.split.name == "train":
            self._plant()
        corpus, query_file = self.corpus, self.layout.query
        places: dict[int, list[str]] = {}
        for query, names in self.names.items():
            for case, name in names.items():
                places.setdefault(case, []).append(f"{corpus}/{self.folders[query]}/candidates/{name}.txt")
        texts = decisions.texts(self.order.random, self.plan, SUPPRESSED_BY_HAND)
        for case, text in zip(self.order.progress(range(len(self.plan.years))), texts):
            data = text.encode()
            for place in places.get(case, []):
                yield place, data
            if case in self.folders:
                folder = f"{corpus}/{self.folders[case]}"
                yield f"{folder}/{query_file}", data
                if query_file == "fact.txt":
                    yield f"{folder}/summary.txt", text.split("\n")[3].encode()
        yield from self._labels()
        if self.order.irregularities:
            yield from litter.files(corpus, self.split, self.made)

    def _plant(self) -> None:
        queries = list(self.names)
        if self.split.edition == "2018":  # one reader of that year counts from 000, another from 001
            self.names = {
                query: {case: f"{int(name) - 1:03}" for case, name in names.items()}
                for query, names in self.names.items()
            }
            self.made.plant("candidates from 000", *self.folders.values())
        else:
            query = queries[0]
            self.names[query][self.plan.noticed[query][0]] = self.folders[query]
            self.made.plant("gold of the query's own number", self.folders[query])

    def _labels(self) -> Iterator[ReleaseFile]:
        instances = []
        for query, names in self.names.items():
            gold = sorted(names[case] for case in self.plan.noticed[query])
            instances.append(Instance(self.folders[query], sorted(names.values()), gold))
        if self.order.irregularities and self.split.edition != "2020":
            instances[1:3] = [instances[1]._replace(gold=None), instances[2]._replace(gold=[])]
            self.made.plant("no answer element", instances[1].folder)
            self.made.plant("empty answer element", instances[2].folder)
        if self.order.irregularities and self.split.name == "train":
            instances[3] = labels.with_repeated_gold(instances[3], self.made)
        docs = sum(len(instance.items) for instance in instances)
        qrels = sum(len(set(instance.gold or ())) for instance in instances)
        self.made.splits[self.split.id] = SplitCounts(len(instances), docs, qrels)
        if self.order.irregularities and self.split.edition == "2019":
            # the script that wrote the files of 2019 named 200 candidates, whatever there was
            instances[0] = instances[0]._replace(items=[*instances[0].items, "899"])
            self.made.plant("candidate without a file", f"{instances[0].folder}_899")
        if self.layout.answers:
            for instance in instances:
                if instance.gold is not None:
                    answers = "".join(f"{name}\n" for name in instance.gold)
                    yield f"{self.corpus}/{instance.folder}/{self.layout.answers}", answers.encode()
        yield self.layout.labels, self._written(instances, gold=True)
        if self.layout.unlabelled:
            yield self.layout.unlabelled, self._written(instances, gold=False)

    def _written(self, instances: Sequence[Instance], *, gold: bool) -> bytes:
        if self.split.edition == "2018":
            return labels.xml_2018_task1(instances, gold=gold)
        if self.split.edition == "2019":
            write = labels.xml_2019_of_the_call if self.order.irregularities else labels.xml_2019
            return write("task1", instances, gold=gold)
        entries = [(instance.folder, [f"{name}.txt" for name in instance.gold or ()]) for instance in instances]
        return labels.json_object(entries, "indented")
