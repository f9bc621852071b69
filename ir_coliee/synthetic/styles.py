"""Styles of the synthetic releases of an edition, read from the section ``synthetic`` of its edition file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from ir_coliee.editions import LANGUAGES, Split


@dataclass(frozen=True)
class CaseLawStyle:
    """The files and formats of a split of task 1 or 2.

    Attributes
    ----------
    split : Split
        The split.
    folder : str
        Folder of the documents or of the queries' folders.
    label_file : str
        File of the gold labels.
    label_style : str
        ``indented``, ``lines`` or ``line`` for JSON; ``entry XML`` or ``instance XML``.
    unlabelled_file : str
        Label file without gold. In a flat layout it is written only as an irregularity.
    unlabelled_style : str
        ``array`` for a list of the queries' names, ``labels`` for the form of the label file.
    query_file : str
        Name of a query's decision in its folder.
    summary_file : str
        Name of the summary in a query's folder; empty if there is none.
    answer_file : str
        Name of the gold file in a query's folder; empty if there is none.
    numbering : str
        ``continued`` if the numbers of the test follow those of train, ``restarted`` if they begin again.
    gains_digit : bool
        Whether the numbers of train increase to one more digit (1,000,000).
    distinct_candidates : bool
        Whether a decision is a candidate of one query only.
    gold_values : str
        ``lists`` if the gold of a query is a JSON list, ``strings`` if it is a string with commas, ``mixed`` if only
        the last queries have strings.
    irregularities : frozenset of str
        Names of the irregularities to plant.
    """

    split: Split
    folder: str
    label_file: str
    label_style: str = "indented"
    unlabelled_file: str = ""
    unlabelled_style: str = "labels"
    query_file: str = "base_case.txt"
    summary_file: str = ""
    answer_file: str = ""
    numbering: str = "continued"
    gains_digit: bool = False
    distinct_candidates: bool = False
    gold_values: str = "lists"
    irregularities: frozenset[str] = frozenset()

    @property
    def document_folder(self) -> str:
        """The folder of the documents, including a nested folder if that is planted."""
        if "nested folder named cases" in self.irregularities:
            return f"{self.folder}/cases"
        if "nested folder" in self.irregularities:
            return f"{self.folder}/{self.folder.rpartition('/')[2]}"
        return self.folder


@dataclass(frozen=True)
class CodeOutline:
    """The articles and headings of a civil code. The defaults are used if an edition states no outline.

    Attributes
    ----------
    last_article : int
        Number of the last article.
    branches : int
        Number of articles such as 398-2.
    deleted : tuple of int
        Deleted articles.
    deleted_ranges : tuple of (int, str, int)
        First number, joining word and last number of deleted articles that share a line.
    parts : tuple of int
        Numbers of the articles that begin a part of the code.
    ends_in_branch : bool
        Whether an article such as 724-2 follows the last one.
    """

    last_article: int = 724
    branches: int = 114
    deleted: tuple[int, ...] = ()
    deleted_ranges: tuple[tuple[int, str, int], ...] = ()
    parts: tuple[int, ...] = (1,)
    ends_in_branch: bool = False


@dataclass(frozen=True)
class StatuteStyle:
    """The files and formats of the package of the statute tasks in one language.

    Attributes
    ----------
    folder : str
        Folder of the package.
    outline : CodeOutline
        Outline of the civil code.
    code_folder : str
        Folder of the civil code inside the package; empty for the package itself, as below.
    derived_code_file : str
        File that the organisers' program derives from the law; empty if there is none.
    train_folder, test_folder : str
        Folders of the exam years of train and of the test.
    derived_train_file : str
        File of an exam year that the organisers' program derives; empty if there is none.
    pair_form : str
        Form of the pair files, a key of `ir_coliee.editions.PAIR_FORMS`; empty if each exam year has its own.
    unlabelled_test_file : str
        Test without answers; empty if there is none.
    always_unlabelled : bool
        Whether the test without answers is part of every release.
    second_folder : str
        Folder of a second package, which repeats some exam years; empty if there is none.
    repeated_exam_years : tuple of str
        Exam years of the second package.
    example_answers : tuple of str
        Files of example answers.
    irregularities : frozenset of str
        Names of the irregularities to plant.
    """

    folder: str
    outline: CodeOutline = CodeOutline()
    code_folder: str = ""
    derived_code_file: str = ""
    train_folder: str = ""
    test_folder: str = ""
    derived_train_file: str = ""
    pair_form: str = ""
    unlabelled_test_file: str = ""
    always_unlabelled: bool = False
    second_folder: str = ""
    repeated_exam_years: tuple[str, ...] = ()
    example_answers: tuple[str, ...] = ()
    irregularities: frozenset[str] = frozenset()

    def path(self, folder: str, name: str) -> str:
        """Return the path of a file in a folder of the package."""
        return "/".join(filter(None, (self.folder, folder, name)))


@dataclass(frozen=True)
class TortStyle:
    """The files of a release of the pilot.

    Attributes
    ----------
    folder : str
        Folder of the files.
    irregularities : frozenset of str
        Names of the irregularities to plant.
    """

    folder: str
    irregularities: frozenset[str] = frozenset()


_Style = TypeVar("_Style", CaseLawStyle, StatuteStyle, TortStyle)


def case_law_style(split: Split, *, irregular: bool) -> CaseLawStyle:
    """Return the style of a split of task 1 or 2.

    Parameters
    ----------
    split : Split
        The split.
    irregular : bool
        Whether to plant the edition's irregularities.

    Returns
    -------
    CaseLawStyle
        The style. Values that the edition file does not state follow the organisers' file names and recent editions.
    """
    named = {"split": split, "folder": split.files["corpus"][0], "label_file": split.files["labels"][0]}
    return _style(CaseLawStyle, split, split.name, named, irregular)


def statute_style(split: Split, *, irregular: bool) -> StatuteStyle:
    """Return the style of the statute tasks in the language of a split.

    Parameters
    ----------
    split : Split
        A split of a statute task.
    irregular : bool
        Whether to plant the edition's irregularities.

    Returns
    -------
    StatuteStyle
        The style.
    """
    return _style(StatuteStyle, split, split.language, {"folder": "COLIEE{edition}statute_data"}, irregular)


def tort_style(split: Split, *, irregular: bool) -> TortStyle:
    """Return the style of a release of the pilot.

    Parameters
    ----------
    split : Split
        A split of the pilot.
    irregular : bool
        Whether to plant the edition's irregularities.

    Returns
    -------
    TortStyle
        The style. By default, the name of the folder is the edition mark.
    """
    return _style(TortStyle, split, split.name, {"folder": split.edition_mark or "pilot_{edition}"}, irregular)


def _style(cls: type[_Style], split: Split, key: str, defaults: Mapping[str, Any], irregular: bool) -> _Style:
    """Build a style from the values of the edition file; those under ``key`` replace those of the whole section."""
    section = split.synthetic
    values = {**defaults, **section, **section.get(key, {})}
    names = {"task": split.task, "split": split.name, "edition": split.edition, "language": LANGUAGES[split.language]}
    known = {field.name for field in fields(cls)}
    converted = {name: _converted(name, value, names) for name, value in values.items() if name in known}
    if not irregular:
        converted["irregularities"] = frozenset()
    return cls(**converted)


def _converted(name: str, value: Any, names: Mapping[str, str]) -> Any:
    if name == "irregularities":
        return frozenset(value)
    if name == "outline":
        return _outline(value)
    if isinstance(value, str):
        return value.format(**names, exam_year="{exam_year}")
    return tuple(value) if isinstance(value, list) else value


def _outline(section: Mapping[str, Any]) -> CodeOutline:
    """Build an outline; a deleted range is written as ``38 to 84``."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in section.items()
    }
    ranges = [written.split() for written in section.get("deleted_ranges", ())]
    values["deleted_ranges"] = tuple((int(first), joint, int(last)) for first, joint, last in ranges)
    return CodeOutline(**values)


def targets_of(styles: Iterable[CaseLawStyle]) -> list[str]:
    """Return the folders and files that a release with a folder for each query occupies.

    Parameters
    ----------
    styles : iterable of CaseLawStyle
        The splits.

    Returns
    -------
    list of str
        The folder of each split, and its label file where that lies elsewhere. A folder or file inside another folder
        is represented by the outer folder.
    """
    targets: list[str] = []
    for style in styles:
        for place in (style.folder, style.label_file):
            if not any(place.startswith(f"{target}/") for target in targets):
                targets.append(place.rpartition("/")[0] or place)
    return targets
