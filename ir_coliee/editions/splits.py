"""THE table: what the organisers handed out, one row for each split of each edition and language.

A row says which files make up the split, in which layout, how many queries, documents and gold labels it has and
how certain that is, and by which measure the split was ranked. Everything else asks the table: the registered
ids, the search for a copy, the command line, the documentation. A new edition is a new row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from ir_coliee.editions.submission_form import SubmissionForm
from ir_coliee.errors import ColieeError, UnknownIdError

SAMPLE = "sample"

#: Made-up cases are numbered from here, so that nobody takes them for real ones: those measured end below 100,000.
FIRST_SYNTHETIC_NUMBER = 900_000

#: What each task is called, in words.
TASK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "task1": "Legal Case Retrieval",
        "task2": "Legal Case Entailment",
        "task3": "Statute Law Retrieval",
        "task4": "Legal Textual Entailment",
        "task5": "Statute Law Question Answering",
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
        "task5": "AnswerAccuracy",
        "prediction": "AnswerAccuracy",
        "rationale": "MacroF",
    }
)


class Count(int):
    """A number of the table that knows how certain it is.

    ``certainty`` is M (measured on files of the edition), O (the organisers' text), R (read in programs that
    package, score or read the edition), C (seen in participants' programs), D (derived from such numbers) or U
    (unverified).

    >>> Count(400, "M") + 1, Count(400, "M").certainty
    (401, 'M')
    """

    certainty: str

    def __new__(cls, number: int, certainty: str) -> Count:
        """A count of this number."""
        count = super().__new__(cls, number)
        count.certainty = certainty
        return count

    def __reduce__(self) -> tuple[type[Count], tuple[int, str]]:
        return Count, (int(self), self.certainty)

    @property
    def is_certain(self) -> bool:
        """Whether a copy that differs from it is likely to be at fault."""
        return self.certainty in ("M", "O", "R")


def _counts(written: str) -> Mapping[str, Count]:
    """Counts from the words of a row.

    >>> _counts("queries 650 M, qrels 3297 D")
    {'queries': 650, 'qrels': 3297}
    """
    entries = (entry.split() for entry in written.split(",") if entry)
    return {entity: Count(int(number), certainty) for entity, number, certainty in entries}


@dataclass(frozen=True)
class Split:
    """One row of the table.

    ``files`` maps a role (``corpus``, ``labels``, ``articles``, ``instances``, or an exam year such as
    ``H98``) to the names under which that file or folder has been seen, the organisers' own name first; ``*``
    and ``?`` stand for what differs. ``optional_files`` are read where they are there: ``gold`` (a run-like file of
    task 3), ``answers`` (the Y and N of a test), ``gold of a case`` (in each case folder).
    ``counts`` has the official ``queries``, ``docs`` and ``qrels``; what is not known is absent.
    ``excluded`` are questions that were handed out and not scored. ``layout`` names the form of the files,
    ``labels`` that of the gold. ``is_unverified``: nobody who could be asked has seen the names or the layout of
    the split; they are those of its neighbours, and content decides.
    """

    task: str
    edition: str
    language: str
    name: str
    files: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, Count] = field(default_factory=dict)
    exam_years: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    layout: str = ""
    labels: str = ""
    optional_files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_unverified: bool = False

    @property
    def id(self) -> str:
        """The id under which ``ir_datasets`` knows the split."""
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
        """Name of the official measure.

        Task 3 of 2026 is ranked by the share of questions that are answered right with all their articles found.
        """
        return "GatedAccuracy" if (self.task, self.edition) == ("task3", "2026") else OFFICIAL_MEASURES[self.task]

    @property
    def pretty_name(self) -> str:
        """Words for lists and documentation."""
        language = {"en": "English", "ja": "Japanese"}[self.language]
        return f"COLIEE {self.edition} {TASK_NAMES[self.task]} ({language}), {self.name}"

    def names(self, role: str) -> tuple[str, ...]:
        """The names under which the file or folder of a role has been seen, also of an optional one."""
        return self.files.get(role) or self.optional_files[role]

    @property
    def has_pools(self) -> bool:
        """Whether each query is answered out of a pool of its own, not out of the whole collection."""
        return self.task != "task3" and self.layout != "flat"

    @property
    def is_built_in(self) -> bool:
        """Whether the files of the split come with this package: only those of the sample edition do."""
        return self.edition == SAMPLE

    @property
    def edition_mark(self) -> str:
        """Text by which a file of the pilot names its edition, in its name or its first line; empty if there is none."""
        return f"LJPJT{self.edition[2:]}" if self.layout == "JSON Lines" and self.edition != SAMPLE else ""

    @property
    def requires_edition_mark(self) -> bool:
        """Whether a file of the pilot without `edition_mark` belongs to another edition."""
        return self.edition_mark == "LJPJT26"

    @property
    def shares_corpus(self) -> bool:
        """Whether the train and the test split have one common folder of documents."""
        return (self.task, self.edition) == ("task1", "2021")

    @property
    def answers_are_positions(self) -> bool:
        """Whether the gold labels number the items by position in the label file instead of by name."""
        return (self.task, self.edition) == ("task2", "2018")

    @property
    def item_folder(self) -> str:
        """Name of the folder in a query's folder that holds its items; empty where there is none."""
        return {"pools": "candidates", "cases": "paragraphs"}.get(self.layout, "")

    @property
    def submission(self) -> SubmissionForm:
        """The official form of a run of the split."""
        from ir_coliee.editions.old_forms import submission_form

        return submission_form(self)

    def docno_of(self, query_id: str, item: str) -> str:
        """Return the document id of an item as a run file writes it: ``{query_id}_{item}`` for an item of a pool."""
        return f"{query_id}_{item}" if self.item_folder else item

    def item_of(self, docno: str) -> str:
        """Return a document id as a run file writes it, the reverse of `docno_of`."""
        return docno.partition("_")[2] if self.item_folder else docno

    @property
    def continues(self) -> tuple[str, ...]:
        """Ids of the earlier splits whose queries come first in this train split, in order; empty where none do."""
        appended = {"task1": range(2024, 2026), "task2": range(2020, 2027)}.get(self.task, range(0))
        if self.name != "train" or self.edition not in map(str, appended):
            return ()
        return tuple(f"coliee/{self.task}/{self.year - 1}/{name}" for name in ("train", "test"))

    def undated_names(self, role: str) -> tuple[str, ...]:
        """Names without the edition's year that participants give a corpus or label file of task 1 or 2."""
        unmarked = "_no" if self.name == "test" else ""
        if self.task not in ("task1", "task2") or self.edition == SAMPLE or self.year < 2020:
            return ()
        if role == "corpus":
            names: tuple[str, ...] = (f"{self.task}_{self.name}_files", f"{self.task}_{self.name}", "cases", "corpus")
        elif role == "labels":
            stems = (f"{self.task}_{self.name}", self.name)
            names = tuple(f"{stem}{no}_labels.json" for no in dict.fromkeys(("", unmarked)) for stem in stems)
        else:
            return ()
        return tuple(name for name in names if name not in self.files[role])

    @property
    def is_test(self) -> bool:
        """Whether runs are ranked on the split: it, or the exam year that it is, is the test."""
        return self.train is not None and self.train.id != self.id

    @property
    def train(self) -> Split | None:
        """The train split of the same task, edition and language; the train split's own is itself.

        None where the table has none, and for an exam year that is in the train split: there, nothing could
        be learned that is not asked.
        """
        # task 5 is task 4 without the articles, and has no train split of its own
        base = self.id.removesuffix(self.name).replace("task5", "task4")
        train = SPLITS.get(f"{base}train")
        if train and self.name != "train" and set(train.exam_years).intersection(self.exam_years):
            return None
        return train


def _case_law(
    task: str,
    edition: str,
    name: str,
    counts: str = "",
    corpus: tuple[str, ...] = (),
    labels: tuple[str, ...] = (),
    layout: str = "",
    gold_of_a_case: str = "",
    own: str = "",
) -> Split:
    """A split of task 1 or 2: a corpus folder and a label file. What most editions have is the default.

    ``own`` is the organisers' name of the folder where it is not that of most editions.
    """
    if edition not in ("2018", "2019"):
        usual_labels = [f"{task}_{name}_labels_{edition}.json", f"{task}_{name}_{edition}_labels.json"]
        if name == "test":
            usual_labels += [f"{task}_test_no_labels_{edition}.json", f"{task}_test_{edition}_no_labels.json"]
        labels = tuple(dict.fromkeys((*labels, *usual_labels)))
    # the year has stood at three places: participants' copies may have any of the names
    usual = [f"{task}_{name}_files_{edition}", f"{task}_{name}_{edition}", f"{task}_{edition}_{name}"]
    usual += [f"{usual[-1]}_nolabels", f"{usual[-1]}_no_labels"] if name == "test" else []
    if own in usual:
        usual.insert(0, usual.pop(usual.index(own)))
    return Split(
        task,
        edition,
        "en",
        name,
        {"corpus": corpus or tuple(usual), "labels": labels},
        _counts(counts),
        layout=layout or {"task1": "flat", "task2": "cases"}[task],
        labels="XML" if edition in ("2018", "2019") else "JSON",
        optional_files={"gold of a case": (gold_of_a_case,)} if gold_of_a_case else {},
    )


_EN_JP = {"en": "en", "ja": "jp"}

_CODE = {"en": ("civil_code_en-1to724-2.txt",), "ja": ("civil_code_jp-1to724-2.txt",)}
_CODE_2017 = {"en": ("civil_english.txt",), "ja": ("civil_japanese_utf8.txt",)}
# the law as the organisers used it goes first: it has the hierarchy, which the file they make of it lacks
_CODE_2026 = ("129AC0000000089_20240524_506AC0000000033.xml", "civil.xml", "129AC0000000089_*.xml")


def _code_files(edition: str, language: str) -> tuple[str, ...]:
    """The names of the civil code. Of 2018 and 2019 they are not known: any serve by content."""
    early, later = _CODE_2017[language], _CODE[language]
    return {
        "2017": early,
        "2018": (*later, *early, "civil*.txt"),
        "2019": (*later, *early, "civil*.txt"),
        "2026": _CODE_2026,
    }.get(edition, later)


def _pair_files(edition: str, language: str, name: str, year: str) -> tuple[str, ...]:
    """The names of an exam year's questions."""
    plain, marked = f"riteval_{year}.xml", f"riteval_{year}_{_EN_JP[language]}.xml"
    # without answers a test file bears no year; with them it comes back as a file of its year
    test = (f"TestData_{_EN_JP[language]}.xml",) if name == "test" and edition not in ("2017", SAMPLE) else ()
    own = {
        "2017": (plain, marked),
        "2018": (marked, plain, f"*{year}*.xml"),
        "2019": (marked, plain, f"*{year}*.xml"),
        "2026": (f"simple_{year}_jp.xml", marked),
    }.get(edition, (marked,))
    return own + test


def _statutes(
    edition: str,
    language: str,
    name: str,
    exam_years: tuple[str, ...],
    retrieval: str = "",
    entailment: str = "",
    excluded: tuple[str, ...] = (),
    excluded_from_retrieval: tuple[str, ...] = (),
    optional_files: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> list[Split]:
    """Tasks 3 and 4 of a split, which lie in the same files, with their counts; in 2021 task 5 too."""
    files = {"articles": _code_files(edition, language)}
    files.update({year: _pair_files(edition, language, name, year) for year in exam_years})
    task3 = Split(
        "task3",
        edition,
        language,
        name,
        files,
        _counts(retrieval),
        exam_years,
        excluded + excluded_from_retrieval,
        layout="pairs of 2026" if edition == "2026" else "pairs",
        labels="article tags" if edition == "2026" else "heads in t1",
        optional_files=optional_files,
        is_unverified=edition in ("2018", "2019"),
    )
    answers = _counts(f"docs 2 O,{entailment}")
    task4 = replace(task3, task="task4", counts=answers, excluded=excluded, labels="attribute of the pair")
    return [task3, task4] + ([replace(task4, task="task5")] if (edition, name) == ("2021", "test") else [])


def _torts(edition: str, name: str, files: tuple[str, ...], instances: str = "", claims: str = "") -> list[Split]:
    """Both subtasks of the pilot, which lie in one file."""
    prediction = _counts("docs 2 O" + (f",queries {instances},qrels {instances}" if instances else ""))
    rationale = (
        _counts(f"queries {instances}" + (f",docs {claims},qrels {claims}" if claims else "")) if instances else {}
    )
    form = Split(
        "prediction", edition, "ja", name, {"instances": files}, layout="JSON Lines", labels="values true and false"
    )
    form = replace(form, is_unverified=(edition, name) == ("2026", "train"))
    return [replace(form, counts=prediction), replace(form, task="rationale", counts=rationale)]


_EXAM_YEARS = (*(f"H{year}" for year in range(18, 31)), *(f"R0{year}" for year in range(1, 8)))


class _Test(NamedTuple):
    """The test of an edition of tasks 3 and 4 in its first language, with the number of train questions."""

    exam_year: str
    train: str
    retrieval: str = ""
    entailment: str = ""
    excluded: tuple[str, ...] = ()
    excluded_from_retrieval: tuple[str, ...] = ()
    optional_files: Mapping[str, tuple[str, ...]] = MappingProxyType({})


# The numbers of 2020 to 2023 are those of the same exam years in the files of 2025.
_TESTS_OF_STATUTES = {
    "2017": _Test("H28", "queries 581 M", "queries 78 R", "queries 78 R,qrels 78 R"),
    "2018": _Test("H29", "queries 651 R", "queries 69 R", "queries 69 R,qrels 69 R"),
    "2019": _Test("H30", "queries 696 R", "queries 98 R", "queries 98 R,qrels 98 R"),
    "2020": _Test(
        "R01",
        "queries 695 D",
        "queries 111 D,qrels 138 D",
        "queries 111 D,qrels 111 D",
        optional_files={"gold": ("task3_test_labels.txt",)},
    ),
    "2021": _Test("R02", "queries 806 D", "queries 81 O,qrels 101 D", "queries 81 O,qrels 81 O"),
    "2022": _Test("R03", "queries 887 D", "queries 109 D,qrels 131 D", "queries 109 D,qrels 109 D"),
    "2023": _Test(
        "R04",
        "queries 996 O",
        "queries 100 O,qrels 128 D",
        "queries 101 O,qrels 101 O",
        excluded=("R04-01-A", "R04-01-O", "R04-02-I", "R04-33-A"),
        excluded_from_retrieval=("R04-04-E",),
    ),
    "2024": _Test("R05", "queries 1097 M", "queries 109 M,qrels 130 M", "queries 109 M,qrels 109 M"),
    "2025": _Test(
        "R06",
        "queries 1206 M",
        "queries 73 D,qrels 92 D",
        "queries 73 D,qrels 73 D",
        excluded=(
            *("R06-01-O", "R06-10-A", "R06-10-I", "R06-10-O", "R06-11-A", "R06-11-E", "R06-11-I", "R06-11-O"),
            *("R06-11-U", "R06-37-I"),
        ),
    ),
    # Of the train questions seven have no gold, so that 1,216 are retrieval queries.
    "2026": _Test(
        "R07", "queries 1223 M", "queries 82 M", "queries 82 M,qrels 82 D", optional_files={"answers": ("QA.txt",)}
    ),
}

#: Questions and gold articles of each exam year, in the English files of 2025 and the Japanese ones of 2026.
_QUESTIONS_OF_2025 = (
    "H18 36 53, H19 37 49, H20 41 55, H21 54 68, H22 47 49, H23 41 54, H24 79 92, H25 60 80, H26 74 96, H27 49 76, "
    "H28 49 71, H29 58 72, H30 70 87, R01 111 138, R02 81 101, R03 109 131, R04 101 130, R05 109 130"
)
_QUESTIONS_OF_2026 = (
    "H18 28 40, H19 36 48, H20 35 48, H21 45 51, H22 46 48, H23 41 54, H24 79 92, H25 57 77, H26 71 93, H27 48 74, "
    "H28 47 69, H29 41 50, H30 67 83, R01 110 137, R02 81 101, R03 108 130, R04 101 123, R05 109 130, R06 73 92"
)
#: Questions of each exam year in the files of 2017, alike in both languages.
_QUESTIONS_OF_2017 = "H18 36, H19 42, H20 45, H21 56, H22 47, H23 41, H24 79, H25 66, H26 95, H27 74"


def _questions_of_years(edition: str, language: str) -> dict[str, list[int]]:
    """Questions and, where known, gold articles of the exam years of a train split."""
    written = {
        ("2017", "en"): _QUESTIONS_OF_2017,
        ("2017", "ja"): _QUESTIONS_OF_2017,
        ("2024", "en"): _QUESTIONS_OF_2025,
        ("2025", "en"): _QUESTIONS_OF_2025,
        ("2026", "ja"): _QUESTIONS_OF_2026,
    }.get((edition, language), "")
    entries = (entry.split() for entry in written.split(",") if entry)
    return {year: [int(number) for number in numbers] for year, *numbers in entries}


_DOCS = {
    ("2017", "en"): "docs 1098 M",
    ("2017", "ja"): "docs 1098 C",
    **{(edition, language): "" for edition in ("2018", "2019") for language in ("en", "ja")},
    **{(edition, "en"): "docs 768 D" for edition in ("2020", "2021", "2022")},
    ("2023", "en"): "docs 768 O",
    ("2026", "ja"): "docs 787 M",
}


def _editions_of_statutes(language: str) -> list[Split]:
    splits = []
    for edition, test in _TESTS_OF_STATUTES.items():
        if (edition, language) == ("2026", "en"):  # from 2026 on in Japanese alone
            continue
        # the Japanese files before 2026 have not been seen; participants' programs walk both languages line by line
        docs = _DOCS.get((edition, language), "docs 768 M" if language == "en" else "docs 768 C")
        seen = language == "en" or edition in ("2017", "2026")
        train, retrieval, entailment = (
            text if seen else re.sub(r"\b[A-Z]\b", "U", text) for text in (test.train, test.retrieval, test.entailment)
        )
        train_years = _EXAM_YEARS[: _EXAM_YEARS.index(test.exam_year)]
        gold = sum(
            numbers[1]
            for year, numbers in _questions_of_years(edition, language).items()
            if year in train_years and len(numbers) > 1
        )
        train_gold = f",qrels {gold} M" if gold else ""
        splits += _statutes(
            edition,
            language,
            "train",
            train_years,
            f"{docs},{train}{train_gold}",
            f"{train},{train.replace('queries', 'qrels')}",
        )
        splits += _statutes(edition, language, "test", (test.exam_year,), f"{docs},{retrieval}", entailment, *test[4:])
    return splits


def _of_2020(name: str, counts: str) -> Split:
    """Task 1 of 2020: pools as before, and the year in the middle of the name of the label file."""
    labels = (f"task1_{name}_2020_labels.json",)
    return _case_law("task1", "2020", name, counts, labels=labels, layout="pools", own=f"task1_{name}_2020")


def _of_2021(name: str, counts: str, *labels: str) -> Split:
    """2021: one pool of documents for both splits."""
    return _case_law("task1", "2021", name, counts, ("task1_files",), labels)


def _of_2018(task: str, name: str, counts: str) -> Split:
    """2018: both tasks below one folder, which are told apart by what lies in it."""
    inner, labels = {"task1": ("IR", "IR.xml"), "task2": ("Entailment1", "EE.xml")}[task]
    top = {"train": "COLIEE2018_CaseLaw_Training_Data", "test": "COLIEE2018_CaseLaw_Test_Data"}[name]
    names = (labels,) if name == "train" else (labels.lower(), labels)
    split = _case_law(task, "2018", name, counts, (top, inner), names, {"task1": "pools", "task2": "cases"}[task])
    return replace(split, is_unverified=name == "test")


def _of_2019(task: str, name: str, counts: str) -> Split:
    """2019: a file of gold in each case folder of the train split, and the same in one XML file."""
    labels = (f"{task}.xml",) if name == "train" else (f"{task}_test_golden-labels.xml",)
    gold = {"task1": "noticed_cases.txt", "task2": "entailing_paragraphs.txt"}[task]
    layout = {"task1": "pools", "task2": "cases"}[task]
    return _case_law(task, "2019", name, counts, (f"{task}_{name}",), labels, layout, gold)


_ROWS: list[Split] = [
    _case_law("task1", SAMPLE, "train", "queries 10 M,docs 30 M,qrels 29 M"),
    _case_law("task1", SAMPLE, "test", "queries 12 M,docs 32 M,qrels 32 M"),
    _case_law("task2", SAMPLE, "train", "queries 8 M,docs 102 M,qrels 12 M"),
    _case_law("task2", SAMPLE, "test", "queries 8 M,docs 99 M,qrels 12 M"),
    *_statutes(SAMPLE, "en", "train", ("R98",), "docs 105 M,queries 30 M,qrels 40 M", "queries 30 M,qrels 30 M"),
    *_statutes(SAMPLE, "en", "test", ("R99",), "docs 105 M,queries 20 M,qrels 27 M", "queries 20 M,qrels 20 M"),
    *_statutes(SAMPLE, "ja", "train", ("R98",), "docs 105 M,queries 30 M,qrels 40 M", "queries 30 M,qrels 30 M"),
    *_statutes(SAMPLE, "ja", "test", ("R99",), "docs 105 M,queries 20 M,qrels 27 M", "queries 20 M,qrels 20 M"),
    *_torts(SAMPLE, "train", ("train001.jsonl",), "12 M", "65 M"),
    *_torts(SAMPLE, "test", ("test001.jsonl",), "6 M", "30 M"),
    # Task 1. Of the pairs the different ones are counted: the train files of 2021 to 2025 name some twice.
    # Until 2020 each query has 200 candidates of its own.
    _of_2018("task1", "train", "queries 285 R,docs 57000 D"),
    _of_2018("task1", "test", "queries 59 U"),
    _of_2019("task1", "train", "queries 285 R,docs 57000 D,qrels 1486 M"),
    _of_2019("task1", "test", "queries 61 D,docs 12200 D"),
    _of_2020("train", "queries 520 D,docs 104000 D"),
    _of_2020("test", "queries 130 R,docs 26000 D"),
    _of_2021("train", "queries 650 M,docs 4415 M,qrels 3297 M", "train_labels.json"),
    _of_2021("test", "queries 250 M,docs 4415 M,qrels 900 D", "task1_test_labels_2021.json", "test_no_labels.json"),
    _case_law("task1", "2022", "train", "queries 898 M,docs 4415 D,qrels 4192 M"),
    _case_law("task1", "2022", "test", "queries 300 M,docs 1563 D,qrels 1263 M"),
    _case_law("task1", "2023", "train", "queries 959 M,docs 4400 R,qrels 4451 M"),
    _case_law("task1", "2023", "test", "queries 319 M,docs 1335 R,qrels 859 M"),
    _case_law("task1", "2024", "train", "queries 1278 R,docs 5616 R,qrels 5282 D"),
    _case_law("task1", "2024", "test", "queries 400 R,docs 1734 R,qrels 1562 R"),
    _case_law("task1", "2025", "train", "queries 1678 M,docs 7350 M,qrels 6844 M"),
    _case_law("task1", "2025", "test", "queries 400 M,docs 2159 M,qrels 1759 M"),
    _case_law("task1", "2026", "train", "queries 2001 M,docs 7708 M,qrels 8251 M"),
    _case_law("task1", "2026", "test", "queries 400 M,docs 1848 M,qrels 1750 R"),
    # Task 2: numbers of paragraphs before 2023 and of the test of 2026 are not known, but for 2018.
    _of_2018("task2", "train", "queries 181 R,docs 8794 R,qrels 239 R"),
    _of_2018("task2", "test", "queries 44 U"),
    _of_2019("task2", "train", "queries 181 D,qrels 202 D"),
    _of_2019("task2", "test", "queries 44 D,qrels 45 D"),
    _case_law("task2", "2020", "train", "queries 325 D,qrels 374 D", own="task2_train_2020"),
    _case_law("task2", "2020", "test", "queries 100 D,qrels 125 D", own="task2_test_2020"),
    _case_law("task2", "2021", "train", "queries 425 D,qrels 499 D", own="task2_2021_train"),
    _case_law("task2", "2021", "test", "queries 100 D,qrels 117 D", own="task2_2021_test_nolabels"),
    _case_law("task2", "2022", "train", "queries 525 M,qrels 616 M", own="task2_2022_train"),
    _case_law("task2", "2022", "test", "queries 100 M,qrels 118 M", own="task2_2022_test"),
    _case_law("task2", "2023", "train", "queries 625 M,docs 22018 R,qrels 734 M"),
    _case_law("task2", "2023", "test", "queries 100 M,docs 3765 R,qrels 120 M"),
    _case_law("task2", "2024", "train", "queries 725 M,docs 25783 R,qrels 854 M"),
    _case_law("task2", "2024", "test", "queries 100 M,docs 3651 R,qrels 147 M"),
    _case_law("task2", "2025", "train", "queries 825 M,docs 29434 M,qrels 1001 M"),
    _case_law("task2", "2025", "test", "queries 100 M,docs 3283 M,qrels 181 M"),
    _case_law("task2", "2026", "train", "queries 925 R,docs 32717 D,qrels 1182 R"),
    _case_law("task2", "2026", "test", "queries 100 R,qrels 294 R"),
    *_editions_of_statutes("en"),
    *_editions_of_statutes("ja"),
    # The name of the train file of 2026 is not known: the edition that its lines name tells.
    *_torts(
        "2025",
        "train",
        ("train001.jsonl", "train_001.jsonl", "train???.jsonl", "train_???.jsonl", "LJPJT25-train*.jsonl"),
        "6508 C",
    ),
    *_torts(
        "2025",
        "test",
        ("test001.jsonl", "test_001.jsonl", "test???.jsonl", "test_???.jsonl", "LJPJT25-test*.jsonl"),
        "667 D",
    ),
    *_torts("2026", "train", ("LJPJT26-train001.jsonl", "LJPJT26-train*.jsonl", "*train*.jsonl")),
    *_torts("2026", "test", ("LJPJT26-test001.jsonl", "LJPJT26-test*.jsonl"), "803 C"),
]


_AS_DISTRIBUTED = "as-distributed"
#: Questions that were handed out, in editions where not all of them were scored.
_HANDED_OUT = {"2023": _counts("queries 105 D"), "2025": _counts("queries 83 M")}


class _Splits(Mapping[str, Split]):
    """Parts by id: the rows, and others that are made when they are first asked for.

    There are hundreds of exam years, and importing the package needs no more than their ids.
    """

    def __init__(self, rows: Mapping[str, Split], others: Mapping[str, Callable[[], Split]]) -> None:
        self._ids = (*rows, *others)
        self._made = dict(rows)
        self._others = others

    def __getitem__(self, dataset_id: str) -> Split:
        if dataset_id not in self._made:
            self._made[dataset_id] = self._others[dataset_id]()
        return self._made[dataset_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def _expanded(rows: Iterable[Split]) -> _Splits:
    """The rows by id; beside ``train`` and ``test`` a split for each exam year, and behind a split of which
    questions are not scored the same split with them."""
    by_id = {row.id: row for row in rows}
    years = {
        row_id.removesuffix(row.name) + year.lower(): (row, year)
        for row_id, row in by_id.items()
        for year in row.exam_years
    }
    others: dict[str, Callable[[], Split]] = {year_id: partial(_of_year, *origin) for year_id, origin in years.items()}
    excluding = [row_id for row_id, row in by_id.items() if row.excluded]
    excluding += [year_id for year_id, (row, _) in years.items() if row.excluded]
    others |= {f"{split_id}/{_AS_DISTRIBUTED}": partial(_as_distributed, split_id) for split_id in excluding}
    return _Splits(by_id, others)


def _of_year(row: Split, year: str) -> Split:
    """The split of one exam year of a row."""
    numbers = _questions_of_years(row.edition, row.language).get(year, [])
    counts = row.counts if len(row.exam_years) == 1 else _counts_of_year(row, numbers)
    files = {"articles": row.files["articles"], year: row.files[year]}
    return replace(row, name=year.lower(), exam_years=(year,), counts=counts, files=files)


def _counts_of_year(row: Split, numbers: list[int]) -> Mapping[str, Count]:
    """The counts of an exam year within a train split, from its questions and, where known, its gold articles."""
    counts = {entity: count for entity, count in row.counts.items() if entity == "docs"}
    gold = numbers[1:] if row.task == "task3" else numbers[:1]
    known = {"queries": numbers[:1], "qrels": gold}
    return counts | {entity: Count(number, "M") for entity, found in known.items() for number in found}


def _as_distributed(split_id: str) -> Split:
    """A split with the questions that were not scored."""
    split = SPLITS[split_id]
    docs = {entity: count for entity, count in split.counts.items() if entity == "docs"}
    counts = {**docs, **_HANDED_OUT[split.edition]}
    return replace(split, name=f"{split.name}/{_AS_DISTRIBUTED}", excluded=(), counts=counts)


#: Every split that can be loaded, by id.
SPLITS: Mapping[str, Split] = _expanded(_ROWS)


def collection_id(split: Split) -> str:
    """The id of the articles that all splits of an edition and language of task 3 share."""
    return f"coliee/task3/{split.edition}/{split.language}"


#: Each collection of articles by id, as the train split that has it.
COLLECTIONS: Mapping[str, Split] = MappingProxyType(
    {collection_id(row): row for row in _ROWS if (row.task, row.name) == ("task3", "train")}
)


def split(dataset_id: str) -> Split:
    """The row of an id; a view's id (``…/full``) has the row of its split.

    Raises `UnknownIdError` with the nearest known ids, and `ColieeError` for the id of a collection,
    which has documents and no queries.
    """
    try:
        return SPLITS[dataset_id.removesuffix("/full")]
    except KeyError:
        pass
    collection = dataset_id.removesuffix("/deleted")
    if collection in COLLECTIONS:
        splits = [split.id for split in SPLITS.values() if split.task == "task3" and collection_id(split) == collection]
        raise ColieeError(f"{dataset_id} is a collection of articles without queries. Its splits: {', '.join(splits)}.")
    raise unknown_id(dataset_id)


def unknown_id(dataset_id: str) -> UnknownIdError:
    """The error for an id that is not in the table."""
    import difflib  # its import is slow, and almost nobody needs it

    # exam years are left out: there are hundreds, and ir_datasets asks for unknown parents as a matter of course
    known = [*(row.id for row in _ROWS), *COLLECTIONS]
    below = [known_id for known_id in known if known_id.startswith(f"{dataset_id}/")]
    alike = difflib.get_close_matches(dataset_id, known, n=3, cutoff=0.5)
    return UnknownIdError(dataset_id, list(dict.fromkeys([*below, *alike]))[:3])
