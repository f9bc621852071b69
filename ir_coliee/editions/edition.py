"""An edition of COLIEE, and how its splits follow from the sections of its file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.display import Block, Heading, Table, displayed
from ir_coliee.editions.schema import (
    ITEM_FOLDERS,
    LANGUAGE_NAMES,
    LANGUAGES,
    ONE_LANGUAGE_RULE,
    PACKAGE_SECTIONS,
    SECTIONS,
    TASK_NAMES,
    Count,
    EditionFile,
    SubmissionForm,
    check_complete,
    parse_counts,
    parse_exam_years,
    resolved_section,
    split_names,
)
from ir_coliee.errors import MalformedFileError

# A split: the train queries, the test queries or one exam year of an edition and task.


#: The first number of synthetic cases, so that they are not confused with real ones, whose numbers are below 100,000.
FIRST_SYNTHETIC_NUMBER = 900_000


@displayed
@dataclass(frozen=True)
class Split:
    """A split of an edition, as its edition file describes it.

    Attributes
    ----------
    task : str
        ``task1`` to ``task5``, ``prediction`` or ``rationale``.
    edition : str
        Name of the edition: a year, or ``sample``.
    language : str
        ``en`` or ``ja``.
    name : str
        ``train``, ``test``, an exam year such as ``r04``, or one of these with ``/as-distributed``.
    files : mapping of str to tuple of str
        The accepted names of the file or folder of each role (``corpus``, ``labels``, ``articles``, ``instances``, or
        an exam year such as ``H98``), the organisers' own name first. ``*`` and ``?`` are wildcards.
    counts : mapping of str to Count
        The official number of ``queries``, ``docs`` and ``qrels``, as far as known.
    exam_years : tuple of str
        The exam years whose questions the split has; empty in other tasks.
    excluded : tuple of str
        Ids of questions that were handed out and not scored.
    layout : str
        Layout of the files, a key of `ir_coliee.editions.LAYOUTS`.
    labels : str
        Format of the gold labels, a key of `ir_coliee.editions.LABEL_FORMATS`.
    optional_files : mapping of str to tuple of str
        The names of files that are read if they are found: ``gold`` (a file of task 3 in the form of a run),
        ``answers`` (the Y and N of a test), ``gold of a case`` (in each case folder).
    is_unverified : bool
        Whether the names and the layout are those of neighbouring editions, because no release of this one was
        available.
    undated_files : mapping of str to tuple of str
        Further names without the edition's year that participants give to a corpus or label file.
    year : int
        The year of the edition; for the sample edition the year of the layout that it follows.
    measure : str
        Name of the official measure, as `ir_measures.parse_measure` reads it.
    submission : SubmissionForm
        The official form of a run.
    leaderboard : str
        Name of the official results in ``etc/leaderboards``, such as ``2025-task1``; empty if there are none.
    continues : tuple of str
        Ids of the earlier splits whose queries come first in this train split, in order.
    is_built_in : bool
        Whether the files of the split come with this package: only those of the sample edition do.
    shares_corpus : bool
        Whether the train and the test split have one common folder of documents.
    answers_are_positions : bool
        Whether the gold labels name an item by its position in the label file.
    edition_mark : str
        Text by which a file of the pilot names its edition, in its file name or its first line; empty if there is none.
    requires_edition_mark : bool
        Whether a file of the pilot without `edition_mark` belongs to another edition.
    code_format : str
        Format of the Civil Code, a key of `ir_coliee.editions.CODE_FORMATS`; empty in other tasks.
    notes : tuple of str
        Irregularities of the files, the counts or the published figures of the task in this edition.
    synthetic : mapping
        Properties of a synthetic release of the edition, which `ir_coliee.synthetic` reads.
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
    undated_files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    year: int = 0
    measure: str = ""
    submission: SubmissionForm = field(default_factory=lambda: SubmissionForm("answer set", "{tag}"))
    leaderboard: str = ""
    continues: tuple[str, ...] = ()
    is_built_in: bool = False
    shares_corpus: bool = False
    answers_are_positions: bool = False
    edition_mark: str = ""
    requires_edition_mark: bool = False
    code_format: str = ""
    notes: tuple[str, ...] = ()
    synthetic: Mapping[str, Any] = field(default_factory=dict)

    def display(self) -> Iterator[Block]:
        """Return the main properties of the split, as `ir_coliee.display` shows them."""
        yield Heading(self.pretty_name)
        yield Table.of_facts(
            {
                "id": self.id,
                "official measure": self.measure,
                **self.counts,
                "layout": self.layout,
                "labels": self.labels,
                "exam years": ", ".join(self.exam_years),
                "excluded from scoring": ", ".join(self.excluded),
                "continues": ", ".join(self.continues),
                "leaderboard": self.leaderboard,
                "submission": f"{self.submission.format}, {self.submission.file}",
            }
        )
        names = [[role, ", ".join(accepted)] for role, accepted in self.files.items()]
        yield Table(["role", "accepted names"], names, fold=["accepted names"])
        yield from (f"note: {note}" for note in self.notes)

    def __repr__(self) -> str:
        return f"<Split {self.id}>"

    @property
    def id(self) -> str:
        """The id under which ``ir_datasets`` knows the split."""
        if self.task in ("task1", "task2"):
            return f"coliee/{self.task}/{self.edition}/{self.name}"
        if self.task in ("prediction", "rationale"):
            return f"coliee/pilot/{self.edition}/{self.task}/{self.name}"
        return f"coliee/{self.task}/{self.edition}/{self.language}/{self.name}"

    @property
    def pretty_name(self) -> str:
        """The name of the split for lists and documentation."""
        return f"COLIEE {self.edition} {TASK_NAMES[self.task]} ({LANGUAGE_NAMES[self.language]}), {self.name}"

    @property
    def has_pools(self) -> bool:
        """Whether each query has a candidate pool of its own instead of the whole collection."""
        return self.task != "task3" and self.layout != "flat"

    @property
    def item_folder(self) -> str:
        """Name of the folder in a query's folder that contains its items; empty if there is none."""
        return ITEM_FOLDERS.get(self.layout, "")

    @property
    def is_test(self) -> bool:
        """Whether the organisers rank runs on the split: the test split, and the exam year that is the test."""
        return self.train is not None and self.train.id != self.id

    @property
    def train(self) -> Split | None:
        """The train split of the same task, edition and language; for a train split, the split itself.

        None if the edition has no train split, and for an exam year that is part of the train split, because a model
        would be trained on its test questions.
        """
        train = self.train_of_edition
        if train and self.name != "train" and set(train.exam_years).intersection(self.exam_years):
            return None
        return train

    @property
    def train_of_edition(self) -> Split | None:
        """The train split of the same task, edition and language, also of an exam year that is part of it."""
        from ir_coliee.editions.catalogue import SPLITS  # the catalogue imports this module

        # task 5 is task 4 without the articles, and has no train split of its own
        base = self.id.removesuffix(self.name).replace("task5", "task4")
        return SPLITS.get(f"{base}train")

    def of_exam_years(self, exam_years: Collection[str]) -> tuple[Split, ...]:
        """Return the splits of single exam years, which have only the files of these years.

        Parameters
        ----------
        exam_years : collection of str
            The exam years. Those that this split does not have are left out.

        Returns
        -------
        tuple of Split
            The splits of the same task, edition and language, in the order of this split.
        """
        from ir_coliee.editions.catalogue import SPLITS  # the catalogue imports this module

        base = self.id.removesuffix(self.name)
        return tuple(SPLITS[f"{base}{year.lower()}"] for year in self.exam_years if year in exam_years)

    def names(self, role: str) -> tuple[str, ...]:
        """Return the accepted names of the file or folder of a role, optional ones included.

        Parameters
        ----------
        role : str
            A key of `files` or `optional_files`.

        Returns
        -------
        tuple of str
            The names, the organisers' own first.
        """
        return self.files.get(role) or self.optional_files[role]

    def undated_names(self, role: str) -> tuple[str, ...]:
        """Return the names without the edition's year that participants give to the file of a role.

        Parameters
        ----------
        role : str
            A key of `files`.

        Returns
        -------
        tuple of str
            The names, without those in `files`; empty if there are none.
        """
        return tuple(name for name in self.undated_files.get(role, ()) if name not in self.files[role])

    def docno_of(self, query_id: str, item: str) -> str:
        """Return the document id of an item as a run file writes it.

        Parameters
        ----------
        query_id : str
            The id of the query.
        item : str
            The item. If each query has its own folder, the number of the item in that folder.

        Returns
        -------
        str
            ``{query_id}_{item}`` for an item of a query's own folder, else the item.
        """
        return f"{query_id}_{item}" if self.item_folder else item

    def item_of(self, docno: str) -> str:
        """Return a document id as a run file writes it, the reverse of `docno_of`.

        Parameters
        ----------
        docno : str
            A document id of the dataset.

        Returns
        -------
        str
            The item. If each query has its own folder, the number of the item in that folder.
        """
        return docno.partition("_")[2] if self.item_folder else docno


# An edition of COLIEE, and how its splits follow from the sections of its file.


AS_DISTRIBUTED = "as-distributed"


@displayed
@dataclass(frozen=True)
class Edition:
    """An edition, as its file describes it.

    Attributes
    ----------
    name : str
        The year, or a word such as ``sample``.
    year : int
        The year. For an edition whose name is a word, the year of the layout that it follows.
    path : pathlib.Path
        The file that describes the edition.
    splits : mapping of str to Split
        Every split by id: train and test, each exam year, and those with the questions that were not scored.
    """

    name: str
    year: int
    path: Path
    splits: Mapping[str, Split]

    def display(self) -> Iterator[Block]:
        """Return the train and test splits, as `ir_coliee.display` shows them."""
        yield Heading(f"COLIEE {self.name}")
        entities = ("docs", "queries", "qrels")
        rows = [[each.id, each.measure, *map(each.counts.get, entities)] for each in self.main_splits]
        yield Table(["id", "official measure", *entities], rows)
        yield f"described by {self.path}"

    def __repr__(self) -> str:
        return f"<Edition {self.name}: {len(self.splits)} splits>"

    @property
    def main_splits(self) -> list[Split]:
        """The train and test splits."""
        return [split for split in self.splits.values() if split.name in ("train", "test")]

    @property
    def collections(self) -> dict[str, Split]:
        """The collections of articles by id; the value is a split with that collection."""
        splits = (split for split in self.main_splits if split.task == "task3")
        return {collection_id(split): split for split in sorted(splits, key=lambda split: split.name == "train")}


def collection_id(split: Split) -> str:
    """Return the id of the articles that all splits of an edition and language of task 3 share.

    Parameters
    ----------
    split : Split
        A split of task 3.

    Returns
    -------
    str
        The id, such as ``coliee/task3/2025/en``.
    """
    return f"coliee/task3/{split.edition}/{split.language}"


def build_edition(file: EditionFile, read: Callable[[str], EditionFile | None]) -> Edition:
    """Return the edition that a file describes.

    Parameters
    ----------
    file : EditionFile
        The content of the file, which follows the schema.
    read : callable
        Function that returns the file of an edition by name, for ``like``; None where there is none.

    Returns
    -------
    Edition
        The edition with all its splits.

    Raises
    ------
    MalformedFileError
        If a required key is missing, or if ``like`` cannot be resolved.
    """
    name = str(file.data["edition"])
    year = file.data.get("year") or (int(name) if name.isdecimal() else None)
    if year is None:
        raise MalformedFileError(
            file.path, file.line(("edition",)), "the key year is missing", "the year of the layout"
        )
    sections = {key: resolved_section(file, key, read) for key in SECTIONS if file.data.get(key) is not None}
    check_complete(file, sections)
    splits: dict[str, Split] = {}
    for task, package in PACKAGE_SECTIONS.items():
        if task in sections:
            is_built_in = bool(file.data.get("built_in"))
            rows = _Sections(name, year, is_built_in, task, sections[package], sections[task]).rows()
            splits.update((split.id, split) for split in _with_derived(rows, sections[package]))
    return Edition(name, year, file.path, splits)


class _Sections(NamedTuple):
    """The sections of an edition file that describe a task: the edition, the files and the task itself."""

    edition: str
    year: int
    is_built_in: bool
    task: str
    package: Mapping[str, Any]
    section: Mapping[str, Any]

    def rows(self) -> list[Split]:
        """The train and test splits in each language."""
        return [
            self._row(language, name) for language in self.package["languages"] for name in split_names(self.section)
        ]

    def _row(self, language: str, name: str) -> Split:
        package, section, files_of, own = self.package, self.section, self.package[name], self.section[name]
        years = parse_exam_years(files_of["exam_years"]) if "exam_years" in files_of else ()
        counts = own.get("counts", {})
        excluded = files_of.get("excluded", ())
        return Split(
            self.task,
            self.edition,
            language,
            name,
            self._names("files", language, name, years),
            parse_counts(counts.get(language, {}) if years else counts),
            years,
            (*excluded, *(question for question in own.get("excluded", ()) if question not in excluded)),
            layout=package["layout"],
            labels=section["labels"],
            optional_files=self._names("optional_files", language, name, ()),
            is_unverified=bool(files_of.get("unverified", package.get("unverified"))),
            undated_files=self._names("undated_files", language, name, ()),
            year=self.year,
            measure=section["measure"],
            submission=_submission(section["submission"]),
            leaderboard=section.get("leaderboard", ""),
            continues=tuple(_id(self.task, earlier) for earlier in files_of.get("continues", ())),
            is_built_in=self.is_built_in,
            shares_corpus=package.get("shares_corpus", False),
            answers_are_positions=package.get("answers_are_positions", False),
            edition_mark=package.get("edition_mark", ""),
            requires_edition_mark=package.get("edition_mark_required", False),
            code_format=package.get("code_format", ""),
            notes=tuple(dict.fromkeys((*package.get("notes", ()), *section.get("notes", ())))),
            synthetic=package.get("synthetic", {}),
        )

    def _names(self, key: str, language: str, name: str, exam_years: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the names of each role with placeholders filled in; the questions of each exam year are a role."""
        filled: dict[str, tuple[str, ...]] = {}
        fill = {"task": self.task, "split": name, "edition": self.edition, "language": LANGUAGES[language]}
        for role, value in {**self.package.get(key, {}), **self.package[name].get(key, {})}.items():
            names = value.get(language, []) if isinstance(value, dict) else value
            names = [names] if isinstance(names, str) else names
            for year in exam_years if role == "questions" else [""]:
                filled[year or role] = tuple(dict.fromkeys(text.format(**fill, exam_year=year) for text in names))
        return filled


def _id(task: str, written: str) -> str:
    """The id of an earlier split that is written as ``2019 train``."""
    edition, _, name = written.partition(" ")
    return Split(task, edition, "en", name, {}).id


def _submission(written: Mapping[str, Any]) -> SubmissionForm:
    one_language = written.get("one_language", False)
    return SubmissionForm(
        format=written["format"],
        file=written["file"],
        long_file=written.get("long_file", ""),
        answers_file=written.get("answers_file", ""),
        description_file=written.get("description_file", ""),
        mail_subject=written.get("mail_subject", ""),
        prefix=written.get("prefix", ""),
        is_padded=written.get("padded_ids", True),
        rules=(*written.get("rules", ()), *([ONE_LANGUAGE_RULE] if one_language else [])),
        reference_years=tuple(written.get("reference_years", ())),
        one_language=one_language,
        is_unverified=written.get("unverified", False),
    )


# --- splits that follow from train and test ------------------------------------------------------------


def _with_derived(rows: Sequence[Split], package: Mapping[str, Any]) -> Iterator[Split]:
    """Return train and test, a split for each exam year, and all again with the questions that were not scored."""
    for row in rows:
        for split in (row, *(_of_year(row, year, package) for year in row.exam_years)):
            yield split
            if split.excluded:
                handed_out = parse_counts(package[row.name].get("as_distributed", {}))
                docs = {entity: count for entity, count in split.counts.items() if entity == "docs"}
                name = f"{split.name}/{AS_DISTRIBUTED}"
                yield replace(split, name=name, excluded=(), counts={**docs, **handed_out})


def _of_year(row: Split, year: str, package: Mapping[str, Any]) -> Split:
    """The split of one exam year of a train or test split."""
    counts = row.counts
    if len(row.exam_years) > 1:
        known = package[row.name].get("exam_year_counts", {}).get(row.language, {}).get(year, [])
        counts = {entity: count for entity, count in row.counts.items() if entity == "docs"}
        counts |= _counts_of_year(row.task, known)
    files = {"articles": row.files["articles"], year: row.files[year]}
    return replace(row, name=year.lower(), exam_years=(year,), counts=counts, files=files)


def _counts_of_year(task: str, known: Sequence[int]) -> dict[str, Count]:
    """The counts of an exam year: its questions and, where known, its gold articles; each question has one answer."""
    gold = known[1:] if task == "task3" else known[:1]
    return {
        entity: Count(number, "M")
        for entity, numbers in (("queries", known[:1]), ("qrels", gold))
        for number in numbers
    }
