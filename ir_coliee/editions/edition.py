"""Editions of COLIEE, their splits and official forms, and the words that describe them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

# The tasks of COLIEE, and the sections of an edition file that describe them.


#: The official name of each task.
TASK_NAMES: Mapping[str, str] = {
    "task1": "Legal Case Retrieval",
    "task2": "Legal Case Entailment",
    "task3": "Statute Law Retrieval",
    "task4": "Legal Textual Entailment",
    "task5": "Statute Law Question Answering",
    "prediction": "Legal Judgment Prediction for Japanese Tort Cases: Tort Prediction",
    "rationale": "Legal Judgment Prediction for Japanese Tort Cases: Rationale Extraction",
}

#: The section of an edition file that describes the files of each task: several tasks can use the same files.
PACKAGE_SECTIONS: Mapping[str, str] = {
    "task1": "task1",
    "task2": "task2",
    **dict.fromkeys(("task3", "task4", "task5"), "statutes"),
    **dict.fromkeys(("prediction", "rationale"), "pilot"),
}

#: Languages of the datasets, with the abbreviation that file names have.
LANGUAGES: Mapping[str, str] = {"en": "en", "ja": "jp"}

#: The name of each language.
LANGUAGE_NAMES: Mapping[str, str] = {"en": "English", "ja": "Japanese"}

#: The name of the folder that contains each query's items, by layout.
ITEM_FOLDERS: Mapping[str, str] = {"pools": "candidates", "cases": "paragraphs"}

#: Layouts of the files of a release.
LAYOUTS: Mapping[str, str] = {
    "flat": "all decisions in one folder, named by a number; the label file names the queries",
    "pools": "a folder for each query, with its candidate decisions",
    "cases": "a folder for each query, with the paragraphs of the noticed case",
    "pairs": "a file for each exam year, with the text of the gold articles of each question",
    "simple pairs": "a file for each exam year, with the numbers of the gold articles of each question",
    "JSON Lines": "a line for each tort instance",
}

#: Formats of gold labels.
LABEL_FORMATS: Mapping[str, str] = {
    "JSON": "an object of lists, by query",
    "XML": "an index of queries with their items",
    "article heads": "the heads of the articles that a question quotes",
    "article tags": "an <article> element for each gold article of a question",
    "label attribute": "the attribute label of a question: Y or N",
    "true or false": "true, false or null in a line of JSON",
}

#: Formats of the Civil Code.
CODE_FORMATS: Mapping[str, str] = {
    "wrapped text": "plain text, partly wrapped, with all five parts of the code",
    "text": "plain text with a line for each article, paragraph and item",
    "law XML": "the XML of the public law service, or the organisers' civil.xml made of it",
}


# Counts of queries, documents and gold labels, with their certainty.


#: Each certainty by its letter.
CERTAINTIES: dict[str, str] = {
    "M": "measured on files of the edition",
    "O": "the organisers' text",
    "R": "read in programs that package, score or read the edition",
    "C": "seen in participants' programs",
    "D": "derived from such numbers",
    "U": "unverified",
}

#: A count as an edition file writes it: a number and its certainty.
WRITTEN_COUNT = re.compile(rf"([1-9][0-9]{{0,8}}) ([{''.join(CERTAINTIES)}])")


class Count(int):
    """An official number of queries, documents or gold labels, with its certainty.

    Parameters
    ----------
    number : int
        The number.
    certainty : str
        A letter of `CERTAINTIES`: M (measured on files of the edition), O (the organisers' text), R (read in programs
        that package, score or read the edition), C (seen in participants' programs), D (derived from such numbers) or
        U (unverified).

    Examples
    --------
    >>> Count(400, "M") + 1, Count(400, "M").certainty
    (401, 'M')
    """

    certainty: str

    def __new__(cls, number: int, certainty: str) -> Count:
        """Create a count of this number."""
        count = super().__new__(cls, number)
        count.certainty = certainty
        return count

    def __reduce__(self) -> tuple[type[Count], tuple[int, str]]:
        return Count, (int(self), self.certainty)

    @property
    def is_certain(self) -> bool:
        """Whether a release with another number is probably incomplete or damaged."""
        return self.certainty in ("M", "O", "R")


def parse_counts(written: Mapping[str, str]) -> dict[str, Count]:
    """Return counts from the text of an edition file.

    Parameters
    ----------
    written : mapping of str to str
        A text such as ``"400 M"`` for each of ``queries``, ``docs`` and ``qrels`` that is known.

    Returns
    -------
    dict of str to Count
        The counts under the same keys.

    Examples
    --------
    >>> parse_counts({"queries": "650 M", "qrels": "3297 D"})
    {'queries': 650, 'qrels': 3297}
    """
    return {entity: Count(int(text.split()[0]), text.split()[1]) for entity, text in written.items()}


# Years of the Japanese bar exam, as the questions of tasks 3 and 4 name them.


# the exam of the year 31 of Heisei is that of the first year of Reiwa
_EXAM_YEARS = (*(f"H{year:02}" for year in range(1, 31)), *(f"R{year:02}" for year in range(1, 100)))


def parse_exam_years(written: str) -> tuple[str, ...]:
    """Return the exam years from the first to the last.

    Parameters
    ----------
    written : str
        One exam year, or the first and the last joined by a hyphen: ``R06``, ``H18-R05``.

    Returns
    -------
    tuple of str
        The exam years in order; empty for any other text, where the last comes before the first, and where one of them
        does not exist, such as ``R00`` or ``H31``.

    Examples
    --------
    >>> parse_exam_years("H29-R02")
    ('H29', 'H30', 'R01', 'R02')
    """
    years = written.split("-")
    if len(years) > 2 or not all(year in _EXAM_YEARS for year in years):
        return ()
    return _EXAM_YEARS[_EXAM_YEARS.index(years[0]) : _EXAM_YEARS.index(years[-1]) + 1]


# The official form of a submitted run: its columns, ids and file names, and the organisers' rules.


#: The columns of each line format by the name that an edition file gives it. A run of the pilot has no columns: it is
#: the test file with its empty values filled in.
LINE_FORMATS: dict[str, tuple[str, ...]] = {
    "answer set": ("query", "item", "tag"),
    "ranked list": ("query", "Q0", "item", "rank", "score", "tag"),
    "filled test file": (),
}


@dataclass(frozen=True)
class SubmissionForm:
    """The official form of a run of one split.

    Attributes
    ----------
    format : str
        Name of the line format, a key of `LINE_FORMATS`.
    file : str
        Name of the run file, with the placeholder ``{tag}``. ``{team}`` and ``{affiliation}`` stand for those of the
        group, ``{year}`` in tasks 3 to 5 for the exam year, and ``{test}`` in the pilot for the test file. The
        organisers prescribe no name in tasks 1, 2 and 5; their names follow those of the other tasks.
    long_file : str
        Name of the long list of task 3, or empty.
    answers_file : str
        Name of the file of answers Y and N that goes with a run of task 3, or empty.
    description_file : str
        Name of the text file that describes the systems, or empty.
    mail_subject : str
        Subject of the mail to the organisers, with the placeholder ``{team}``, or empty.
    prefix : str
        Text in front of the query's number.
    is_padded : bool
        Whether ids keep their leading zeros.
    rules : tuple of str
        Requirements on a submission that cannot be checked in the file.
    reference_years : tuple of str
        Exam years of task 4 whose answers were requested in addition to those of the test.
    one_language : bool
        Whether a run must not use both languages of a question; this is also one of the rules.
    is_unverified : bool
        Whether no text of that edition was available, so that the form is taken from neighbouring editions.
    """

    format: str
    file: str
    long_file: str = ""
    answers_file: str = ""
    description_file: str = ""
    mail_subject: str = ""
    prefix: str = ""
    is_padded: bool = True
    rules: tuple[str, ...] = ()
    reference_years: tuple[str, ...] = ()
    one_language: bool = False
    is_unverified: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a line; empty if the run is the pilot's test file with its empty values filled in."""
        return LINE_FORMATS[self.format]

    @property
    def has_scores(self) -> bool:
        """Whether each line has a rank and a score."""
        return "score" in self.columns

    def format_query(self, query_id: str) -> str:
        """Return a query id in the form that the organisers require.

        Parameters
        ----------
        query_id : str
            The query id of the dataset.

        Returns
        -------
        str
            The id with the official prefix and padding.

        Examples
        --------
        >>> SubmissionForm("answer set", "task1.{tag}", prefix="t1-", is_padded=False).format_query("001")
        't1-1'
        """
        return self.prefix + self.format_item(query_id)

    def format_item(self, item: str) -> str:
        """Return an item id in the form that the organisers require.

        Parameters
        ----------
        item : str
            The item as returned by `Split.item_of`.

        Returns
        -------
        str
            The id, without leading zeros if the form omits them.
        """
        is_shortened = item.isascii() and item.isdecimal() and not self.is_padded
        return item.lstrip("0") or "0" if is_shortened else item


# A split: the train queries, the test queries or one exam year of an edition and task.


#: The first number of synthetic cases, so that they are not confused with real ones, whose numbers are below 100,000.
FIRST_SYNTHETIC_NUMBER = 900_000


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
        Layout of the files, a key of `ir_coliee.editions.edition.LAYOUTS`.
    labels : str
        Format of the gold labels, a key of `ir_coliee.editions.edition.LABEL_FORMATS`.
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
        Format of the Civil Code, a key of `ir_coliee.editions.edition.CODE_FORMATS`; empty in other tasks.
    code_counts : mapping of str to int
        The number of ``articles``, ``captions``, ``headings`` and ``lines`` of articles in the file of the Civil Code,
        deleted articles included; empty if they are not known.
    notes : tuple of str
        Irregularities of the files, the counts or the published figures of the task in this edition.
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
    code_counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

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
        from ir_coliee.editions import SPLITS  # which imports this module

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
        from ir_coliee.editions import SPLITS  # which imports this module

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

    def __repr__(self) -> str:
        return f"<Edition {self.name}: {len(self.splits)} splits>"

    @property
    def main_splits(self) -> list[Split]:
        """The train and test splits."""
        return [split for split in self.splits.values() if split.name in ("train", "test")]

    @property
    def overview(self) -> dict[str, str]:
        """The tasks with their languages, splits and exam years as words of ids, and the name."""
        splits = self.main_splits
        years = sorted({year.lower() for split in splits for year in split.exam_years})
        return {
            "edition": self.name,
            "tasks and languages": ", ".join(dict.fromkeys(f"{split.task} {split.language}" for split in splits)),
            "splits": ", ".join(dict.fromkeys(split.name for split in splits)),
            "exam years": f"{years[0]} to {years[-1]}" if years else "",
        }

    @property
    def dataset_ids(self) -> list[str]:
        """The ids of its splits, and of its collections of articles without and with the deleted ones."""
        return [*self.splits, *(name + view for name in self.collections for view in ("", "/deleted"))]

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
