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

from ir_coliee.errors import UnknownIdError

SAMPLE = "sample"

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

    ``files`` maps a role (``corpus``, ``labels``, ``articles``, ``pairs``, ``instances``) to the
    names under which that file or folder has been seen, the organisers' own name first. ``counts``
    has the official ``queries``, ``docs`` and ``qrels``; what is not known is absent.
    """

    task: str
    edition: str
    language: str
    name: str
    files: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int] = field(default_factory=dict)
    exam_years: tuple[str, ...] = ()

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
        """The train part of the same task, edition and language; None where the table has none."""
        return PARTS.get(self.id.removesuffix(self.name) + "train")


def _case_law(task: str, edition: str, name: str, **counts: int) -> Part:
    """A part of task 1 or 2 in the layout in use since 2023."""
    labels = [f"{task}_{name}_labels_{edition}.json"]
    if name == "test":
        labels.append(f"{task}_test_no_labels_{edition}.json")
    corpus = f"{task}_{name}_files_{edition}"
    return Part(task, edition, "en", name, {"corpus": (corpus,), "labels": tuple(labels)}, counts)


def _statutes(edition: str, language: str, name: str, exam_years: tuple[str, ...], **counts: int) -> list[Part]:
    """Tasks 3 and 4 of a part, which lie in the same files."""
    suffix = {"en": "en", "ja": "jp"}[language]
    files = {
        "articles": (f"civil_code_{suffix}-1to724-2.txt",),
        "pairs": tuple(f"riteval_{year}_{suffix}.xml" for year in exam_years),
    }
    retrieval = Part("task3", edition, language, name, files, counts, exam_years)
    entailment_counts = {"queries": counts["queries"], "docs": 2, "qrels": counts["queries"]}
    return [retrieval, replace(retrieval, task="task4", counts=entailment_counts)]


def _torts(edition: str, name: str, instances: int, claims: int) -> list[Part]:
    """Both subtasks of the pilot, which lie in one file."""
    files = {"instances": (f"{name}001.jsonl", f"{name}_001.jsonl")}
    prediction = {"queries": instances, "docs": 2, "qrels": instances}
    rationale = {"queries": instances, "docs": claims, "qrels": claims}
    return [
        Part("prediction", edition, "ja", name, files, prediction),
        Part("rationale", edition, "ja", name, files, rationale),
    ]


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
    # label entries of the organisers' file: 6,881, of which 6,844 are different pairs
    _case_law("task1", "2025", "train", queries=1678, docs=7350, qrels=6844),
    _case_law("task1", "2025", "test", queries=400, docs=2159, qrels=1759),
]


def _with_exam_years(rows: list[Part]) -> dict[str, Part]:
    """The rows by id, with a part for each exam year of the statute tasks beside ``train`` and ``test``."""
    parts = {part.id: part for part in rows}
    for row in rows:
        for year in row.exam_years:
            counts = row.counts if len(row.exam_years) == 1 else {}
            year_part = replace(
                row,
                name=year.lower(),
                exam_years=(year,),
                counts=counts,
                files={**row.files, "pairs": tuple(n for n in row.files["pairs"] if year in n)},
            )
            parts.setdefault(year_part.id, year_part)
    return parts


#: Every part that can be loaded, by id.
PARTS: Mapping[str, Part] = MappingProxyType(_with_exam_years(_ROWS))


def part(dataset_id: str) -> Part:
    """The row of an id; a view's id (``…/full``) has the row of its part.

    Raises `UnknownIdError` with the nearest known ids.
    """
    try:
        return PARTS[dataset_id.removesuffix("/full")]
    except KeyError:
        raise unknown_id(dataset_id) from None


def unknown_id(dataset_id: str) -> UnknownIdError:
    """The error for an id that is not in the table."""
    return UnknownIdError(dataset_id, difflib.get_close_matches(dataset_id, PARTS, n=3, cutoff=0.5))
