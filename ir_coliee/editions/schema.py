"""The schema of an edition file: the keys that each section may have, and the values of each key.

Only a user's files are compared with it when they are read; a test compares those of this package. Every key may be
null, which removes a value that ``like`` takes over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from ir_coliee.editions.edition import (
    CODE_FORMATS,
    LABEL_FORMATS,
    LAYOUTS,
    LINE_FORMATS,
    WRITTEN_COUNT,
    parse_exam_years,
)
from ir_coliee.editions.files import EDITION_NAME, EditionFile
from ir_coliee.errors import MalformedFileError, printable

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_LEADERBOARDS = Path(__file__).parents[1] / "etc" / "leaderboards"
_LONGEST_SHOWN = 30  # characters of a key or a value in a message


# --- values ------------------------------------------------------------------------------------------


def valid(expected: str, is_valid: Callable[[str], object]) -> BeforeValidator:
    """Return the rule that the text of a value must be valid, with the description of a valid one."""

    def checked(value: object) -> object:
        if not is_valid(str(value)):
            raise PydanticCustomError("value", "{expected}", {"expected": expected})
        return value

    return BeforeValidator(checked)


def one_of(known: Iterable[str]) -> BeforeValidator:
    """Return the rule that a value must be one of several texts."""
    return valid(f"one of: {', '.join(known)}", {*known}.__contains__)


def file_name(*placeholders: str) -> BeforeValidator:
    """Return the rule that a value must be a file name, which may contain placeholders."""
    known = f"{{{'}, {'.join(placeholders)}}}"
    pattern = re.compile(rf"(?:[^{{}}/\\]|{{(?:{'|'.join(placeholders)})}})*")
    return valid(f"a file name without a folder, which may contain the placeholders {known}", pattern.fullmatch)


Flag = bool | None
Name = Annotated[Any, valid("a year, or a word in lower case, which name an edition", EDITION_NAME.fullmatch)]
Language = Literal["en", "ja"]
FileName = Annotated[str, Field(min_length=1), file_name("task", "split", "edition", "language", "exam_year")]
Names = FileName | Annotated[list[FileName], Field(min_length=1)]
NamesByLanguage = Names | dict[Language, Names | None] | None
CaseFiles = dict[Literal["corpus", "labels"], NamesByLanguage]
StatuteFiles = dict[Literal["articles", "questions"], NamesByLanguage]
PilotFiles = dict[Literal["instances"], NamesByLanguage]
CaseForm = Annotated[str, file_name("tag", "team", "affiliation")]
StatuteForm = Annotated[str, file_name("tag", "team", "affiliation", "year")]
PilotForm = Annotated[str, file_name("tag", "team", "affiliation", "test")]
Subject = Annotated[
    str, valid("a text, which may contain the placeholder {team}", re.compile(r"(?:[^{}]|{team})*").fullmatch)
]
Sentence = Annotated[str, Field(min_length=1)]
Measure = Literal["MicroF1", "MacroF2", "GatedAccuracy", "AnswerAccuracy", "MacroF"]
Leaderboard = Annotated[
    str,
    valid(
        "the name of a leaderboard of the package, such as 2026-task1",
        lambda name: name in {path.stem for path in _LEADERBOARDS.glob("*.csv")},
    ),
]
Count = Annotated[
    str, valid('a number and its certainty (M, O, R, C, D or U), such as "400 M"', WRITTEN_COUNT.fullmatch)
]
Counts = dict[Literal["queries", "docs", "qrels"], Count | None]
CodeCounts = dict[Literal["articles", "captions", "headings", "lines"], int | None]
ExamYear = Annotated[str, valid("an exam year such as R06", re.compile("[HR][0-9]{2}").fullmatch)]
ExamYears = Annotated[str, valid("one exam year such as R06 or a range such as H18-R05", parse_exam_years)]
#: The number of questions and, where known, of gold articles.
CountsOfYear = Annotated[list[int], Field(min_length=1, max_length=2)]
Question = Annotated[str, valid("the id of a question such as R98-01-A", re.compile(r"[HR]\d{1,2}-\d+-\w+").fullmatch)]
EarlierSplit = Annotated[
    str, valid("an earlier split such as 2019 train", re.compile("20[0-9]{2} (?:train|test)").fullmatch)
]

F = TypeVar("F")  # the files of a section, or the file names of a form


# --- sections ----------------------------------------------------------------------------------------


class Keys(BaseModel):
    """A mapping with known keys."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Form(Keys, Generic[F]):
    """The form of a submission."""

    format: Annotated[str, one_of(LINE_FORMATS)] | None = None
    file: F | None = None
    long_file: F | None = None
    answers_file: F | None = None
    description_file: F | None = None
    mail_subject: Subject | None = None
    prefix: str | None = None
    padded_ids: Flag = None
    one_language: Flag = None
    rules: list[Sentence] | None = None
    reference_years: list[ExamYear] | None = None
    unverified: Flag = None


class Files(Keys, Generic[F]):
    """The names of the files of each role."""

    files: F | None = None
    undated_files: F | None = None
    optional_files: dict[Literal["gold of a case", "gold", "answers"], NamesByLanguage] | None = None
    unverified: Flag = None


class TaskSplit(Keys):
    """A split of a task."""

    counts: Counts | None = None


class CaseLawSplit(Files[CaseFiles], TaskSplit):
    """A split of task 1 or 2."""

    continues: list[EarlierSplit] | None = None


class StatuteSplit(Files[StatuteFiles]):
    """The files of a split of the statute tasks."""

    exam_years: ExamYears | None = None
    exam_year_counts: dict[Language, dict[ExamYear, CountsOfYear | None] | None] | None = None
    excluded: list[Question] | None = None
    as_distributed: Counts | None = None


class StatuteTaskSplit(Keys):
    """A split of one statute task."""

    counts: dict[Language, Counts | None] | None = None
    excluded: list[Question] | None = None


class Section(Keys):
    """What every section has."""

    like: Name | None = None
    notes: list[Sentence] | None = None


class Package(Section):
    """What a section that describes files has."""

    languages: list[Language] | None = None
    layout: Annotated[str, one_of(LAYOUTS)] | None = None


class Task(Section):
    """What a section that describes a task has."""

    measure: Measure | None = None
    labels: Annotated[str, one_of(LABEL_FORMATS)] | None = None
    leaderboard: Leaderboard | None = None


class CaseLaw(Files[CaseFiles], Package, Task):
    """Task 1 or 2, with its files."""

    submission: Form[CaseForm] | None = None
    shares_corpus: Flag = None
    answers_are_positions: Flag = None
    train: CaseLawSplit | None = None
    test: CaseLawSplit | None = None


class Statutes(Files[StatuteFiles], Package):
    """The files of the statute tasks."""

    code_format: Annotated[str, one_of(CODE_FORMATS)] | None = None
    code_counts: dict[Language, CodeCounts | None] | None = None
    train: StatuteSplit | None = None
    test: StatuteSplit | None = None


class StatuteTask(Task):
    """Task 3, 4 or 5."""

    submission: Form[StatuteForm] | None = None
    train: StatuteTaskSplit | None = None
    test: StatuteTaskSplit | None = None


class Pilot(Files[PilotFiles], Package):
    """The files of the pilot."""

    edition_mark: str | None = None
    edition_mark_required: Flag = None
    train: Files[PilotFiles] | None = None
    test: Files[PilotFiles] | None = None


class PilotTask(Task):
    """A subtask of the pilot."""

    submission: Form[PilotForm] | None = None
    train: TaskSplit | None = None
    test: TaskSplit | None = None


class Edition(Keys):
    """The keys of an edition file."""

    edition: Name
    year: Annotated[int, Field(ge=2000, le=2099)] | None = None
    built_in: Flag = None
    task1: CaseLaw | None = None
    task2: CaseLaw | None = None
    statutes: Statutes | None = None
    task3: StatuteTask | None = None
    task4: StatuteTask | None = None
    task5: StatuteTask | None = None
    pilot: Pilot | None = None
    prediction: PilotTask | None = None
    rationale: PilotTask | None = None


# --- mistakes ----------------------------------------------------------------------------------------


def validate_edition_file(file: EditionFile) -> None:
    """Compare an edition file with the schema.

    Parameters
    ----------
    file : EditionFile
        The content of the file.

    Raises
    ------
    MalformedFileError
        If a key is unknown or a value is invalid, with the line of the first one, or if the file has another name than
        its edition.
    """
    try:
        Edition.model_validate(file.data)
    except ValidationError as error:
        mistakes = [_mistake(each, file) for each in error.errors(include_url=False)]
        raise min(mistakes, key=lambda mistake: mistake.line or 0) from None
    if (edition := str(file.data["edition"])) != file.path.stem:
        problem = f"edition is {printable(edition)}, but the file has another name"
        raise file.mistake(("edition",), problem, f"a file named {printable(edition)}.yaml")


def _mistake(error: ErrorDetails, file: EditionFile) -> MalformedFileError:
    """Return an error of pydantic with the line of its value."""
    keys: tuple[str | int, ...] = ()
    for key in error["loc"]:  # without what pydantic notes of the types it has tried
        if (*keys, key) in file.lines:
            keys = (*keys, key)
    name = next((printable(key, _LONGEST_SHOWN) for key in reversed(keys) if isinstance(key, str)), "the file")
    expected = error["msg"].removeprefix("Input should be ").partition(" or instance of ")[0]
    if error["type"] == "extra_forbidden":
        problem, expected = f"unknown key {name}", "a key of this section; the page on editions lists them"
    elif "[key]" in error["loc"]:
        problem = f"unknown key {name}"
    elif error["type"] == "missing":
        problem = f"the key {error['loc'][-1]} is missing"
    else:
        problem = f"{name} is {printable(str(error['input']), _LONGEST_SHOWN) or 'empty'}"
    return file.mistake(keys, problem, expected)
