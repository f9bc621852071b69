"""THE table: what the organisers handed out, one row for each part of each edition and language.

A row says which files make up the part, how many queries, documents and gold labels the organisers
counted, and by which measure the part was ranked. Everything else asks the table: the registered
ids, the search for a copy, the command line, the documentation. A new edition is a new row.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.errors import ColieeError, UnknownIdError

SAMPLE = "sample"

#: Made-up cases are numbered from here, so that nobody takes them for real ones, which end below 100,000.
FIRST_MADE_UP_NUMBER = 900_000

#: What each task is called, in words.
TASK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "task1": "Legal Case Retrieval",
        "task2": "Legal Case Entailment",
        "task3": "Statute Law Retrieval",
        "task4": "Legal Textual Entailment",
        "prediction": "Legal Judgment Prediction for Japanese Tort Cases: Tort Prediction",
        "rationale": "Legal Judgment Prediction for Japanese Tort Cases: Rationale Extraction",
    }
)

#: The measure by which the organisers rank runs, by the name that `ir_measures.parse_measure` reads.
OFFICIAL_MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "task1": "MicroF1",
        "task2": "MicroF1",
        "task3": "MacroF2",
        "task4": "AnswerAccuracy",
        "prediction": "AnswerAccuracy",
        "rationale": "MacroF",
    }
)


@dataclass(frozen=True)
class Part:
    """One row of the table.

    ``files`` maps a role (``corpus``, ``labels``, ``articles``, ``instances``, or an exam year such as
    ``R05``) to the names under which that file or folder has been seen, the organisers' own name first.
    ``counts`` has the official ``queries``, ``docs`` and ``qrels``; what is not known is absent.
    ``excluded`` are questions that were handed out and not scored.
    """

    task: str
    edition: str
    language: str
    name: str
    files: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int] = field(default_factory=dict)
    exam_years: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id under which ``ir_datasets`` knows the part."""
        if self.task in ("task1", "task2"):
            return f"coliee/{self.task}/{self.edition}/{self.name}"
        if self.task in ("prediction", "rationale"):
            return f"coliee/pilot/{self.edition}/{self.task}/{self.name}"
        return f"coliee/{self.task}/{self.edition}/{self.language}/{self.name}"

    @property
    def year(self) -> int:
        """The year of the edition; of the sample the year of the layout that it follows."""
        return 2025 if self.edition == SAMPLE else int(self.edition)

    @property
    def measure(self) -> str:
        """Name of the official measure."""
        return OFFICIAL_MEASURES[self.task]

    @property
    def pretty_name(self) -> str:
        """Words for lists and documentation."""
        language = {"en": "English", "ja": "Japanese"}[self.language]
        return f"COLIEE {self.edition} {TASK_NAMES[self.task]} ({language}), {self.name}"

    @property
    def train(self) -> Part | None:
        """The train part of the same task, edition and language; the train part's own is itself.

        None where the table has none, and for an exam year that is in the train part: there, nothing could
        be learned that is not asked.
        """
        base = self.id.removesuffix(self.name)
        train = PARTS.get(f"{base}train")
        if train and self.name != "train" and set(train.exam_years).intersection(self.exam_years):
            return None
        return train


def _case_law(
    task: str, edition: str, name: str, corpus: tuple[str, ...] = (), labels: tuple[str, ...] = (), **counts: int
) -> Part:
    """A part of task 1 or 2: a corpus folder and a label file. The names of 2023 and later are the default."""
    if not labels:
        labels = (f"{task}_{name}_labels_{edition}.json",)
        if (task, name) == ("task1", "test"):
            labels += (f"task1_test_no_labels_{edition}.json",)
    corpus = corpus or (f"{task}_{name}_files_{edition}",)
    return Part(task, edition, "en", name, {"corpus": corpus, "labels": labels}, counts)


def _statutes(
    edition: str,
    language: str,
    name: str,
    exam_years: tuple[str, ...],
    docs: int | None = None,
    queries: int | None = None,
    qrels: int | None = None,
    excluded: tuple[str, ...] = (),
    excluded_from_retrieval: tuple[str, ...] = (),
) -> list[Part]:
    """Tasks 3 and 4 of a part, which lie in the same files. ``queries`` counts those of task 4."""
    suffix = {"en": "en", "ja": "jp"}[language]
    files = {"articles": (f"civil_code_{suffix}-1to724-2.txt",)}
    for year in exam_years:
        # without answers a test file bears no year; with them it comes back as a file of its year
        unlabelled = (f"TestData_{suffix}.xml",) if name == "test" and edition != SAMPLE else ()
        files[year] = (f"riteval_{year}_{suffix}.xml", *unlabelled)
    known = {"docs": docs, "qrels": qrels, "queries": queries - len(excluded_from_retrieval) if queries else None}
    counts = {entity: count for entity, count in known.items() if count is not None}
    answers = {"queries": queries, "docs": 2, "qrels": queries} if queries else {"docs": 2}
    retrieval = Part("task3", edition, language, name, files, counts, exam_years, excluded + excluded_from_retrieval)
    return [retrieval, replace(retrieval, task="task4", counts=answers, excluded=excluded)]


def _torts(edition: str, name: str, instances: int, claims: int) -> list[Part]:
    """Both subtasks of the pilot, which lie in one file."""
    files = {"instances": (f"{name}001.jsonl", f"{name}_001.jsonl")}
    prediction = {"queries": instances, "docs": 2, "qrels": instances}
    rationale = {"queries": instances, "docs": claims, "qrels": claims}
    return [
        Part("prediction", edition, "ja", name, files, prediction),
        Part("rationale", edition, "ja", name, files, rationale),
    ]


_EXAM_YEARS = (*(f"H{year}" for year in range(18, 31)), *(f"R0{year}" for year in range(1, 7)))


class _Test(NamedTuple):
    """The test of an edition of tasks 3 and 4: its exam year, questions of task 4, gold articles of task 3."""

    exam_year: str
    train_queries: int
    queries: int
    qrels: int | None
    excluded: tuple[str, ...] = ()
    excluded_from_retrieval: tuple[str, ...] = ()


_TESTS_OF_STATUTES = {
    "2020": _Test("R01", 695, 111, 138),
    "2021": _Test("R02", 806, 81, 101),
    "2022": _Test("R03", 887, 109, 131),
    "2023": _Test(
        "R04",
        996,
        101,
        128,
        excluded=("R04-01-A", "R04-01-O", "R04-02-I", "R04-33-A"),
        excluded_from_retrieval=("R04-04-E",),
    ),
    "2024": _Test("R05", 1097, 109, 130),
    "2025": _Test(
        "R06",
        1206,
        73,
        92,
        excluded=(
            *("R06-01-O", "R06-10-A", "R06-10-I", "R06-10-O", "R06-11-A", "R06-11-E", "R06-11-I", "R06-11-O"),
            *("R06-11-U", "R06-37-I"),
        ),
    ),
}


def _editions_of_statutes(language: str) -> list[Part]:
    """2020 to 2025: files of one form. Of the Japanese collections the size is not known."""
    parts = []
    docs = 768 if language == "en" else None
    for edition, test in _TESTS_OF_STATUTES.items():
        train_years = _EXAM_YEARS[: _EXAM_YEARS.index(test.exam_year)]
        parts += _statutes(edition, language, "train", train_years, docs, test.train_queries)
        parts += _statutes(edition, language, "test", (test.exam_year,), docs, test.queries, test.qrels, *test[4:])
    return parts


_POOL_OF_2021 = {
    "train": (("task1_files",), ("train_labels.json", "task1_train_labels_2021.json")),
    "test": (("task1_files",), ("task1_test_labels_2021.json", "test_no_labels.json")),
}

_ROWS: list[Part] = [
    _case_law("task1", SAMPLE, "train", queries=10, docs=30, qrels=29),
    _case_law("task1", SAMPLE, "test", queries=12, docs=32, qrels=32),
    _case_law("task2", SAMPLE, "train", queries=8, docs=102, qrels=12),
    _case_law("task2", SAMPLE, "test", queries=8, docs=99, qrels=12),
    *_statutes(SAMPLE, "en", "train", ("R98",), queries=30, docs=105, qrels=40),
    *_statutes(SAMPLE, "en", "test", ("R99",), queries=20, docs=105, qrels=27),
    *_statutes(SAMPLE, "ja", "train", ("R98",), queries=30, docs=105, qrels=40),
    *_statutes(SAMPLE, "ja", "test", ("R99",), queries=20, docs=105, qrels=27),
    *_torts(SAMPLE, "train", instances=12, claims=65),
    *_torts(SAMPLE, "test", instances=6, claims=30),
    # Of task 1 the different pairs are counted: the train files of 2021 to 2025 name some pairs twice.
    # 2021: one pool for both parts.
    _case_law("task1", "2021", "train", *_POOL_OF_2021["train"], queries=650, docs=4415, qrels=3297),
    _case_law("task1", "2021", "test", *_POOL_OF_2021["test"], queries=250, docs=4415, qrels=900),
    _case_law("task1", "2022", "train", queries=898, docs=4415, qrels=4192),
    _case_law("task1", "2022", "test", queries=300, docs=1563, qrels=1263),
    _case_law("task1", "2023", "train", queries=959, docs=4400, qrels=4451),
    _case_law("task1", "2023", "test", queries=319, docs=1335, qrels=859),
    _case_law("task1", "2024", "train", queries=1278, docs=5616, qrels=5282),
    _case_law("task1", "2024", "test", queries=400, docs=1734, qrels=1562),
    _case_law("task1", "2025", "train", queries=1678, docs=7350, qrels=6844),
    _case_law("task1", "2025", "test", queries=400, docs=2159, qrels=1759),
    _case_law("task1", "2026", "train", queries=2001, docs=7708, qrels=8251),
    _case_law("task1", "2026", "test", queries=400, docs=1848, qrels=1750),
    # Task 2: numbers of paragraphs before 2023 and of the test of 2026 are not known.
    _case_law("task2", "2020", "train", ("task2_train_2020",), queries=325, qrels=374),
    _case_law("task2", "2020", "test", ("task2_test_2020",), queries=100, qrels=125),
    _case_law("task2", "2021", "train", ("task2_2021_train",), queries=425, qrels=499),
    _case_law("task2", "2021", "test", ("task2_2021_test_nolabels", "task2_2021_test"), queries=100, qrels=117),
    _case_law("task2", "2022", "train", ("task2_2022_train",), queries=525, qrels=616),
    _case_law("task2", "2022", "test", ("task2_2022_test",), queries=100, qrels=118),
    _case_law("task2", "2023", "train", queries=625, docs=22018, qrels=734),
    _case_law("task2", "2023", "test", queries=100, docs=3765, qrels=120),
    _case_law("task2", "2024", "train", queries=725, docs=25783, qrels=854),
    _case_law("task2", "2024", "test", queries=100, docs=3651, qrels=147),
    _case_law("task2", "2025", "train", queries=825, docs=29434, qrels=1001),
    _case_law("task2", "2025", "test", queries=100, docs=3283, qrels=181),
    _case_law("task2", "2026", "train", queries=925, docs=32717, qrels=1182),
    _case_law("task2", "2026", "test", queries=100, qrels=294),
    # Tasks 3 and 4: the numbers of 2020 to 2023 are those of the same exam years in the files of 2025.
    *_editions_of_statutes("en"),
    *_editions_of_statutes("ja"),
]


def _expanded(rows: list[Part]) -> dict[str, Part]:
    """The rows by id; beside ``train`` and ``test`` a part for each exam year, and behind a part of which
    questions are not scored the same part with them."""
    parts = {part.id: part for part in rows}
    for row in rows:
        for year in row.exam_years:
            counts = row.counts if len(row.exam_years) == 1 else {}
            files = {"articles": row.files["articles"], year: row.files[year]}
            year_part = replace(row, name=year.lower(), exam_years=(year,), counts=counts, files=files)
            parts.setdefault(year_part.id, year_part)
    for part in [part for part in parts.values() if part.excluded]:
        docs = {entity: count for entity, count in part.counts.items() if entity == "docs"}
        whole = replace(part, name=f"{part.name}/as-distributed", excluded=(), counts=docs)
        parts[whole.id] = whole
    return parts


#: Every part that can be loaded, by id.
PARTS: Mapping[str, Part] = MappingProxyType(_expanded(_ROWS))


def collection_id(part: Part) -> str:
    """The id of the articles that all parts of an edition and language of task 3 share."""
    return f"coliee/task3/{part.edition}/{part.language}"


def part(dataset_id: str) -> Part:
    """The row of an id; a view's id (``…/full``) has the row of its part.

    Raises `UnknownIdError` with the nearest known ids, and `ColieeError` for the id of a collection,
    which has documents and no queries.
    """
    try:
        return PARTS[dataset_id.removesuffix("/full")]
    except KeyError:
        pass
    collection = dataset_id.removesuffix("/deleted")
    if parts := [part.id for part in PARTS.values() if part.task == "task3" and collection_id(part) == collection]:
        raise ColieeError(f"{dataset_id} is a collection of articles without queries. Its parts: {', '.join(parts)}.")
    raise unknown_id(dataset_id)


def unknown_id(dataset_id: str) -> UnknownIdError:
    """The error for an id that is not in the table."""
    # exam years are left out: there are hundreds, and ir_datasets asks for unknown parents as a matter of course
    known = [part.id for part in PARTS.values() if part.name in ("train", "test")]
    known += {collection_id(part): None for part in PARTS.values() if part.task == "task3"}
    return UnknownIdError(dataset_id, difflib.get_close_matches(dataset_id, known, n=3, cutoff=0.5))
