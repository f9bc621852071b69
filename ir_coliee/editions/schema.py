"""The schema of an edition file: the keys that each section may have, and the values of each key.

Only a user's files are compared with it when they are read; a test compares those of this package. Every key may be
null, which removes a value that ``like`` takes over.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ir_coliee.editions.edition import (
    CODE_FORMATS,
    LABEL_FORMATS,
    LANGUAGES,
    LAYOUTS,
    LINE_FORMATS,
    WRITTEN_COUNT,
    parse_exam_years,
)
from ir_coliee.editions.files import EDITION_NAME, EditionFile
from ir_coliee.errors import MalformedFileError, printable

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MEASURES = ("MicroF1", "MacroF2", "GatedAccuracy", "AnswerAccuracy", "MacroF")

#: Placeholders in the names of files of a release.
FILE_PLACEHOLDERS = ("task", "split", "edition", "language", "exam_year")

_LEADERBOARDS = Path(__file__).parents[1] / "etc" / "leaderboards"
_LONGEST_SHOWN = 30  # characters of a key or a value in a message


# --- values ------------------------------------------------------------------------------------------


def valid(expected: str, is_valid: Callable[[Any], object]) -> BeforeValidator:
    """Return the rule that a value must be valid, with the description of a valid one."""

    def checked(value: object) -> object:
        if not is_valid(value):
            raise PydanticCustomError("value", "{expected}", {"expected": expected})
        return value

    return BeforeValidator(checked)


def one_of(known: Iterable[str]) -> BeforeValidator:
    """Return the rule that a value must be one of several texts."""
    return valid(f"one of: {', '.join(known)}", lambda value: isinstance(value, str) and value in known)


def text_like(expected: str, pattern: str) -> BeforeValidator:
    """Return the rule that a value must be a text of a pattern."""
    return valid(expected, lambda value: isinstance(value, str) and re.fullmatch(pattern, value))


def has_placeholders(text: object, known: Iterable[str]) -> bool:
    """Return whether a value is a text without placeholders other than the known ones."""
    if not isinstance(text, str):
        return False
    try:
        fields = [(field, spec, flag) for _, field, spec, flag in string.Formatter().parse(text) if field is not None]
    except ValueError:
        return False
    return all(field in known and not spec and not flag for field, spec, flag in fields)


def _are_names(value: object) -> bool:
    """Return whether a value is a file name, a list of them, or one of these for each language."""
    if isinstance(value, dict):
        return all(key in LANGUAGES and (names is None or _are_names(names)) for key, names in value.items())
    if isinstance(value, list):
        return bool(value) and all(isinstance(name, str) and _are_names(name) for name in value)
    return bool(value) and has_placeholders(value, FILE_PLACEHOLDERS) and "/" not in str(value)


def _are_exam_years(value: object) -> bool:
    return isinstance(value, str) and bool(parse_exam_years(value))


_PLACEHOLDERS = f"may contain the placeholders {{{'}, {'.join(FILE_PLACEHOLDERS)}}}"
_COUNT = 'a number and its certainty (M, O, R, C, D or U), such as "400 M"'

EditionName = Annotated[Any, valid("a year, or a word in lower case", lambda value: EDITION_NAME.fullmatch(str(value)))]
Like = Annotated[Any, valid("the name of another edition", lambda value: EDITION_NAME.fullmatch(str(value)))]
Year = Annotated[int, valid("a year from 2000 to 2099", lambda value: type(value) is int and 2000 <= value < 2100)]
Language = Annotated[str, one_of(LANGUAGES)]
Names = Annotated[
    Any, valid(f"a file name or a list of file names, which {_PLACEHOLDERS}; or these for each language", _are_names)
]
Subject = Annotated[
    str, valid("a text, which may contain the placeholder {team}", lambda value: has_placeholders(value, ["team"]))
]
Sentence = Annotated[str, text_like("a sentence", r"(?s).+")]
Leaderboard = Annotated[
    str,
    valid(
        "the name of a leaderboard of the package, such as 2026-task1",
        lambda value: re.fullmatch(r"[\w-]+", str(value)) and (_LEADERBOARDS / f"{value}.csv").is_file(),
    ),
]
Count = Annotated[str, text_like(_COUNT, WRITTEN_COUNT.pattern)]
ExamYear = Annotated[str, valid("an exam year such as R06", lambda value: _are_exam_years(value) and "-" not in value)]
ExamYears = Annotated[str, valid("one exam year such as R06 or a range such as H18-R05", _are_exam_years)]
CountsOfYear = Annotated[
    list[int],
    valid(
        "a list of the number of questions and, where known, of gold articles",
        lambda value: isinstance(value, list) and [type(each) for each in value] in ([int], [int, int]),
    ),
]
Question = Annotated[str, text_like("the id of a question such as R98-01-A", r"[HR]\d{1,2}-\d+-\w+")]
EarlierSplit = Annotated[str, text_like("an earlier split such as 2019 train", r"20\d\d (?:train|test)")]


# --- sections ----------------------------------------------------------------------------------------


class Keys(BaseModel):
    """A mapping with known keys."""

    model_config = ConfigDict(strict=True)

    @model_validator(mode="before")
    @classmethod
    def _has_known_keys(cls, data: object) -> object:
        return _with_keys(data, cls.model_fields)


def _with_keys(data: object, known: Iterable[str]) -> object:
    """Return a mapping; raise the error of its first unknown key."""
    for key in data if isinstance(data, dict) else ():
        if key not in known:
            expected = f"one of: {', '.join(known)}"
            near = get_close_matches(key, list(known), n=1)
            raise PydanticCustomError("key", "{expected}", {"expected": expected, "key": key, "near": near})
    return data


class Form(Keys):
    """The form of a submission."""

    placeholders: ClassVar[tuple[str, ...]] = ("tag", "team", "affiliation")
    format: Annotated[str, one_of(LINE_FORMATS)] | None = None
    file: str | None = None
    long_file: str | None = None
    answers_file: str | None = None
    description_file: str | None = None
    mail_subject: Subject | None = None
    prefix: str | None = None
    padded_ids: bool | None = None
    one_language: bool | None = None
    rules: list[Sentence] | None = None
    reference_years: list[ExamYear] | None = None
    unverified: bool | None = None

    @field_validator("file", "long_file", "answers_file", "description_file", mode="before")
    @classmethod
    def _is_file_name(cls, value: object) -> object:
        if value is not None and not (
            has_placeholders(value, cls.placeholders) and not re.search(r"[/\\]", str(value))
        ):
            known = "}, {".join(cls.placeholders)
            expected = f"a file name without a folder, which may contain the placeholders {{{known}}}"
            raise PydanticCustomError("value", "{expected}", {"expected": expected})
        return value


class StatuteForm(Form):
    """The form of a submission of a statute task."""

    placeholders = (*Form.placeholders, "year")


class PilotForm(Form):
    """The form of a submission of the pilot."""

    placeholders = (*Form.placeholders, "test")


class Files(Keys):
    """The names of the files of each role."""

    roles: ClassVar[tuple[str, ...]] = ("corpus", "labels")
    optional_roles: ClassVar[tuple[str, ...]] = ("gold of a case",)
    files: dict[str, Names | None] | None = None
    undated_files: dict[str, Names | None] | None = None
    optional_files: dict[str, Names | None] | None = None
    unverified: bool | None = None

    @field_validator("files", "undated_files", "optional_files", mode="before")
    @classmethod
    def _has_known_roles(cls, value: object, info: ValidationInfo) -> object:
        return _with_keys(value, cls.optional_roles if info.field_name == "optional_files" else cls.roles)


class StatuteFiles(Files):
    """The names of the files of the statute tasks."""

    roles = ("articles", "questions")
    optional_roles = ("gold", "answers")


class PilotFiles(Files):
    """The names of the files of the pilot."""

    roles = ("instances",)
    optional_roles = ()


class Counts(Keys):
    """Official numbers."""

    queries: Count | None = None
    docs: Count | None = None
    qrels: Count | None = None


class TaskSplit(Keys):
    """A split of a task."""

    counts: Counts | None = None


class CaseLawSplit(Files, TaskSplit):
    """A split of task 1 or 2."""

    continues: list[EarlierSplit] | None = None


class StatuteSplit(StatuteFiles):
    """The files of a split of the statute tasks."""

    exam_years: ExamYears | None = None
    exam_year_counts: dict[Language, dict[ExamYear, CountsOfYear | None] | None] | None = None
    excluded: list[Question] | None = None
    as_distributed: Counts | None = None


class CodeCounts(Keys):
    """Measured numbers of the file of the civil code, deleted articles included."""

    articles: int | None = None
    captions: int | None = None
    headings: int | None = None
    lines: int | None = None


class StatuteTaskSplit(Keys):
    """A split of one statute task."""

    counts: dict[Language, Counts | None] | None = None
    excluded: list[Question] | None = None


class Section(Keys):
    """What every section has."""

    like: Like | None = None
    notes: list[Sentence] | None = None


class Package(Section):
    """What a section that describes files has."""

    languages: list[Language] | None = None
    layout: Annotated[str, one_of(LAYOUTS)] | None = None


class Task(Section):
    """What a section that describes a task has."""

    measure: Annotated[str, one_of(MEASURES)] | None = None
    labels: Annotated[str, one_of(LABEL_FORMATS)] | None = None
    leaderboard: Leaderboard | None = None


class CaseLaw(Files, Package, Task):
    """Task 1 or 2, with its files."""

    submission: Form | None = None
    shares_corpus: bool | None = None
    answers_are_positions: bool | None = None
    train: CaseLawSplit | None = None
    test: CaseLawSplit | None = None


class Statutes(StatuteFiles, Package):
    """The files of the statute tasks."""

    code_format: Annotated[str, one_of(CODE_FORMATS)] | None = None
    code_counts: dict[Language, CodeCounts | None] | None = None
    train: StatuteSplit | None = None
    test: StatuteSplit | None = None


class StatuteTask(Task):
    """Task 3, 4 or 5."""

    submission: StatuteForm | None = None
    train: StatuteTaskSplit | None = None
    test: StatuteTaskSplit | None = None


class Pilot(PilotFiles, Package):
    """The files of the pilot."""

    edition_mark: str | None = None
    edition_mark_required: bool | None = None
    train: PilotFiles | None = None
    test: PilotFiles | None = None


class PilotTask(Task):
    """A subtask of the pilot."""

    submission: PilotForm | None = None
    train: TaskSplit | None = None
    test: TaskSplit | None = None


class Edition(Keys):
    """The keys of an edition file."""

    edition: EditionName = None
    year: Year | None = None
    built_in: bool | None = None
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
    name = printable(file.path.stem)
    if file.data.get("edition") is None:
        raise file.mistake((), "the key edition is missing", f"edition: {name}")
    if (edition := str(file.data["edition"])) != file.path.stem:
        problem = f"edition is {printable(edition)}, but the file has another name"
        raise file.mistake(("edition",), problem, f"a file named {printable(edition)}.yaml")


_EXPECTED = {
    "model_type": "a mapping of keys to values",
    "dict_type": "a mapping of keys to values",
    "list_type": "a list",
    "bool_type": "true or false",
    "string_type": "text",
}


def _mistake(error: ErrorDetails, file: EditionFile) -> MalformedFileError:
    """Return an error of pydantic with the line of its value."""
    keys = tuple(key for key in error["loc"] if key != "[key]")
    expected = _EXPECTED.get(error["type"], error["msg"])
    if error["type"] == "key" or "[key]" in error["loc"]:
        context = error["ctx"]
        keys = (*keys, context["key"]) if "key" in context else keys
        near = "".join(f" (did you mean {name}?)" for name in context.get("near", ()))
        problem = f"unknown key {printable(str(keys[-1]), _LONGEST_SHOWN)}{near}"
    else:
        name = next((key for key in reversed(keys) if isinstance(key, str)), "the file")
        problem = f"{printable(name, _LONGEST_SHOWN)} is {_described(error['input'])}"
    return file.mistake(keys, problem, expected)


def _described(value: object) -> str:
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else f"the list {printable(str(value), _LONGEST_SHOWN)}"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "empty" if value in ("", None) else printable(text, _LONGEST_SHOWN)
