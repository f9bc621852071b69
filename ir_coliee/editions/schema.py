"""The schema of an edition file: the keys that each section may have, and the values of each key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ir_coliee.editions.counts import WRITTEN_COUNT
from ir_coliee.editions.exam_years import WRITTEN_EXAM_YEARS, parse_exam_years
from ir_coliee.editions.schema_types import (
    FILE_PLACEHOLDERS,
    FLAG,
    TEXT,
    Either,
    Keyed,
    Schema,
    Value,
    has_placeholders,
    is_list_of,
    one_of,
)
from ir_coliee.editions.submission_form import LINE_FORMATS
from ir_coliee.editions.synthetic_schema import SYNTHETIC_CASE_LAW, SYNTHETIC_PILOT, SYNTHETIC_STATUTES
from ir_coliee.editions.tasks import CODE_FORMATS, LABEL_FORMATS, LANGUAGES, LAYOUTS
from ir_coliee.editions.yaml_reader import EditionFile, Keys
from ir_coliee.errors import MalformedFileError, printable

_LONGEST_SHOWN = 30  # characters of a key or a value in a message

#: Name of an edition: a year, or a word such as ``sample``.
EDITION_NAME = re.compile(r"20\d\d|[a-z][a-z0-9]*")

MEASURES = ("MicroF1", "MacroF2", "GatedAccuracy", "AnswerAccuracy", "MacroF")

_LEADERBOARDS = Path(__file__).parents[1] / "etc" / "leaderboards"
_QUESTION_ID = re.compile(r"[HR]\d{1,2}-\d+-\w+")
_CONTINUED = re.compile(r"20\d\d (?:train|test)")


def _is_name(value: object) -> bool:
    return has_placeholders(value, FILE_PLACEHOLDERS) and bool(value) and "/" not in str(value)


def _is_names(value: object) -> bool:
    return _is_name(value) or (isinstance(value, list) and bool(value) and all(map(_is_name, value)))


def _is_exam_years(value: object) -> bool:
    return isinstance(value, str) and bool(WRITTEN_EXAM_YEARS.fullmatch(value)) and bool(parse_exam_years(value))


def _is_exam_year(value: str) -> bool:
    return _is_exam_years(value) and "-" not in value


def _is_language(value: str) -> bool:
    return value in LANGUAGES


_LIKE = Value("the name of another edition", lambda value: bool(EDITION_NAME.fullmatch(str(value))))
_SUBJECT = Value("a text, which may contain the placeholder {team}", lambda value: has_placeholders(value, ("team",)))
_PLAIN_NAMES = Value(
    f"a file name or a list of file names, which may contain the placeholders {{{'}, {'.join(FILE_PLACEHOLDERS)}}}",
    _is_names,
)
_NAMES = Either(_PLAIN_NAMES, Keyed("a language: en or ja", _is_language, _PLAIN_NAMES))
_COUNT = Value(
    'a number and its certainty (M, O, R, C, D or U), such as "400 M"',
    lambda value: isinstance(value, str) and bool(WRITTEN_COUNT.fullmatch(value)),
)
_COUNTS = {"queries": _COUNT, "docs": _COUNT, "qrels": _COUNT}
_COUNTS_BY_LANGUAGE = Keyed("a language: en or ja", _is_language, _COUNTS)
_QUESTIONS = Value("a list of question ids", is_list_of(_QUESTION_ID.fullmatch))
_YEAR_COUNTS = Value(
    "a list of the number of questions and, where known, of gold articles",
    lambda value: (
        isinstance(value, list) and len(value) in (1, 2) and all(type(number) is int and number > 0 for number in value)
    ),
)
_SENTENCES = Value("a list of sentences", is_list_of(bool))


def _submission(*placeholders: str) -> dict[str, Value]:
    """The keys of a submission form, whose file names may contain these placeholders beside those of every task."""
    known = ("tag", "team", "affiliation", *placeholders)
    file = Value(
        f"a file name without a folder, which may contain the placeholders {{{'}, {'.join(known)}}}",
        lambda value: has_placeholders(value, known) and not re.search(r"[/\\]", str(value)),
    )
    return {
        "format": one_of(LINE_FORMATS),
        "file": file,
        "long_file": file,
        "answers_file": file,
        "description_file": file,
        "mail_subject": _SUBJECT,
        "prefix": TEXT,
        "padded_ids": FLAG,
        "one_language": FLAG,
        "rules": _SENTENCES,
        "reference_years": Value("a list of exam years", is_list_of(_is_exam_year)),
        "unverified": FLAG,
    }


def _package(
    roles: tuple[str, ...], optional_roles: tuple[str, ...], split: Mapping[str, Any], synthetic: Mapping[str, Any]
) -> dict[str, Any]:
    """The keys of a section that describes files."""
    names = {
        "files": dict.fromkeys(roles, _NAMES),
        "undated_files": dict.fromkeys(roles, _NAMES),
        "optional_files": dict.fromkeys(optional_roles, _NAMES),
        "unverified": FLAG,
    }
    splits = {key: {**names, **split} for key in ("train", "test")}
    languages = Value("a list of languages: en, ja", is_list_of(_is_language))
    return {
        "like": _LIKE,
        "languages": languages,
        "layout": one_of(LAYOUTS),
        **names,
        "notes": _SENTENCES,
        "synthetic": synthetic,
        **splits,
    }


def _is_leaderboard(value: Any) -> bool:
    return (
        isinstance(value, str) and bool(re.fullmatch(r"[\w-]+", value)) and (_LEADERBOARDS / f"{value}.csv").is_file()
    )


def _task(counts: Any, split: Mapping[str, Any], submission: Mapping[str, Value]) -> dict[str, Any]:
    """The keys of a section that describes a task."""
    splits = {key: {"counts": counts, **split} for key in ("train", "test")}
    return {
        "like": _LIKE,
        "measure": one_of(MEASURES),
        "labels": one_of(LABEL_FORMATS),
        "leaderboard": Value("the name of a leaderboard of the package, such as 2026-task1", _is_leaderboard),
        "notes": _SENTENCES,
        "submission": submission,
        **splits,
    }


_CONTINUES = {
    "continues": Value(
        'a list of earlier splits, such as ["2019 train", "2019 test"]', is_list_of(_CONTINUED.fullmatch)
    )
}
_CASES = _package(("corpus", "labels"), ("gold of a case",), {"counts": _COUNTS, **_CONTINUES}, SYNTHETIC_CASE_LAW)
_CASE_LAW = {**_task(_COUNTS, {}, _submission()), **_CASES, "shares_corpus": FLAG, "answers_are_positions": FLAG}
_STATUTES = {
    **_package(
        ("articles", "questions"),
        ("gold", "answers"),
        {
            "exam_years": Value("one exam year such as R06 or a range such as H18-R05", _is_exam_years),
            "exam_year_counts": Keyed(
                "a language: en or ja", _is_language, Keyed("an exam year such as R06", _is_exam_year, _YEAR_COUNTS)
            ),
            "excluded": _QUESTIONS,
            "as_distributed": _COUNTS,
        },
        SYNTHETIC_STATUTES,
    ),
    "code_format": one_of(CODE_FORMATS),
}
_STATUTE_TASK = _task(_COUNTS_BY_LANGUAGE, {"excluded": _QUESTIONS}, _submission("year"))
_PILOT = {
    **_package(("instances",), (), {}, SYNTHETIC_PILOT),
    "edition_mark": TEXT,
    "edition_mark_required": FLAG,
}
_PILOT_TASK = _task(_COUNTS, {}, _submission("test"))

#: The schema of an edition file.
SCHEMA: Mapping[str, Any] = {
    "edition": Value("a year, or a word in lower case", lambda value: bool(EDITION_NAME.fullmatch(str(value)))),
    "year": Value("a year from 2000 to 2099", lambda value: type(value) is int and 2000 <= value < 2100),
    "built_in": FLAG,
    "task1": _CASE_LAW,
    "task2": _CASE_LAW,
    "statutes": _STATUTES,
    "task3": _STATUTE_TASK,
    "task4": _STATUTE_TASK,
    "task5": _STATUTE_TASK,
    "pilot": _PILOT,
    "prediction": _PILOT_TASK,
    "rationale": _PILOT_TASK,
}

#: The sections of an edition file.
SECTIONS = tuple(name for name, schema in SCHEMA.items() if not isinstance(schema, Value))


def validate_edition_file(file: EditionFile) -> None:
    """Check an edition file on its own.

    Parameters
    ----------
    file : EditionFile
        The content of the file.

    Raises
    ------
    MalformedFileError
        If a key is unknown or a value is invalid. The error has the line of the first one.
    """
    for keys, problem, expected in _problems(SCHEMA, file.data, ()):
        raise MalformedFileError(file.path, file.line(keys), problem, expected)
    if "edition" not in file.data:
        raise MalformedFileError(file.path, 1, "the key edition is missing", f"edition: {printable(file.path.stem)}")
    if str(file.data["edition"]) != file.path.stem:
        name = printable(str(file.data["edition"]))
        problem = f"edition is {name}, but the file has another name"
        raise MalformedFileError(file.path, file.line(("edition",)), problem, f"a file named {name}.yaml")


def _problems(schema: Schema | None, value: object, keys: Keys) -> Iterator[tuple[Keys, str, str]]:
    """Yield keys, problem and expected value of each invalid value. A null removes a value taken from ``like``."""
    if isinstance(schema, Either):
        schema = schema.mapping if isinstance(value, dict) else schema.value
    if schema is None or (value is None and keys):
        return
    name = printable(str(keys[-1]), _LONGEST_SHOWN) if keys else "the file"
    if isinstance(schema, Value):
        if isinstance(value, dict) or not schema.is_valid(value):
            yield keys, f"{name} is {_described(value)}", schema.expected
    elif not isinstance(value, dict):
        yield keys, f"{name} is {_described(value)}", "a mapping of keys to values"
    else:
        yield from _problems_of_entries(schema, value, keys)


def _problems_of_entries(
    schema: Keyed | Mapping[str, Any], value: Mapping[str, object], keys: Keys
) -> Iterator[tuple[Keys, str, str]]:
    for key, inner in value.items():
        if isinstance(schema, Keyed):
            known, of, near, expected = schema.is_key(key), schema.of, "", schema.expected
        else:
            known, of, near = key in schema, schema.get(key), _near(key, schema)
            expected = f"one of: {', '.join(schema)}"
        if known:
            yield from _problems(of, inner, (*keys, key))
        else:
            yield (*keys, key), f"unknown key {printable(key, _LONGEST_SHOWN)}{near}", expected


def _described(value: object) -> str:
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else f"the list {printable(str(value), _LONGEST_SHOWN)}"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return "empty" if value in ("", None) else printable(text, _LONGEST_SHOWN)


def _near(key: str, known: Iterable[str]) -> str:
    import difflib  # its import is slow

    near = difflib.get_close_matches(key, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""
