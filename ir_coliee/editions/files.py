"""Edition files: how they are read, how they follow each other, and how their splits follow from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.editions.edition import (
    LANGUAGES,
    PACKAGE_SECTIONS,
    Count,
    Edition,
    Split,
    SubmissionForm,
    parse_counts,
    parse_exam_years,
)
from ir_coliee.errors import MalformedFileError, printable
from ir_coliee.storage import EDITION

#: Name of an edition: a year, or a word such as ``sample``.
EDITION_NAME = re.compile(r"20\d\d|[a-z][a-z0-9]*")

#: The sections of an edition file.
SECTIONS = (*dict.fromkeys((*PACKAGE_SECTIONS, *PACKAGE_SECTIONS.values())),)

#: The keys and list positions that lead to a value.
Keys = tuple[str | int, ...]

# --- the content of a file and the line of each value ------------------------------------------------

_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_DEEPEST = 20  # the largest depth of nested values; an edition has about five
_PLAIN_INTEGER = re.compile(r"[1-9][0-9]{0,17}")


class EditionFile(NamedTuple):
    """The content of an edition file.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    data : dict
        Its content: dicts, lists, str, int, bool and None.
    lines : dict
        The line of each value, counted from 1, by the keys that lead to it.
    """

    path: Path
    data: dict[str, Any]
    lines: dict[Keys, int]

    def line(self, keys: Keys) -> int:
        """Return the line of a value, or of the nearest enclosing value if it is not in the file."""
        while keys and keys not in self.lines:
            keys = keys[:-1]
        return self.lines.get(keys, 1)

    def mistake(self, keys: Keys, problem: str, expected: str) -> MalformedFileError:
        """Return the error for a value."""
        return MalformedFileError(self.path, self.line(keys), problem, expected)


def read_edition_file(path: Path) -> EditionFile:
    """Read an edition file.

    Parameters
    ----------
    path : pathlib.Path
        A YAML file in UTF-8, named by the edition.

    Returns
    -------
    EditionFile
        Its content and the line of each value.

    Raises
    ------
    MalformedFileError
        If the file is too large, not YAML or not a mapping, repeats a key, nests values too deeply, uses anchors or
        tags, or has another name than its edition.
    """
    import yaml  # its import is slow, and importing the package needs no edition file

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = EDITION.read_file(path).decode("utf-8-sig")
        _check_events(path, yaml.parse(text, Loader=loader))
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        raise MalformedFileError(path, mark.line + 1 if mark else None, problem, "YAML") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise MalformedFileError(path, None, printable(str(error).partition("\n")[0]), "YAML in UTF-8") from None
    file = EditionFile(path, {}, {})
    data = _plain(file, root, ()) if root is not None else None
    if not isinstance(data, dict):
        raise file.mistake((), "the file is not a mapping of keys to values", "a line such as edition: 2027")
    file.data.update(data)
    return file


def _check_events(path: Path, events: Iterable[Any]) -> None:
    """Refuse anchors, tags and deeply nested values before they are composed, which takes quadratic time."""
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name.endswith("StartEvent") - name.endswith("EndEvent")
        if depth > _DEEPEST:
            problem, expected = f"too many nested values, more than {_DEEPEST}", "the keys of an edition"
        elif getattr(event, "anchor", None):
            problem, expected = "YAML anchors are not supported", "values without anchors, or like: EDITION"
        elif tag := getattr(event, "tag", None):
            problem, expected = f"the YAML tag {printable(tag)} is not supported", "a value without a tag"
        else:
            continue
        raise MalformedFileError(path, event.start_mark.line + 1, problem, expected)


def _plain(file: EditionFile, node: Any, keys: Keys) -> Any:
    """Return the plain value of a node; note its line under its keys."""
    file.lines.setdefault(keys, node.start_mark.line + 1)
    if node.id == "sequence":
        return [_plain(file, child, (*keys, number)) for number, child in enumerate(node.value)]
    if node.id == "scalar":
        return _scalar(node.tag.removeprefix("tag:yaml.org,2002:"), node.value)
    result: dict[str, Any] = {}
    for key_node, child in node.value:
        line, key = key_node.start_mark.line + 1, str(key_node.value)
        inner = (*keys, key)
        if key_node.id != "scalar":
            raise MalformedFileError(file.path, line, f"a {key_node.id} is not a valid key", "a word and a colon")
        if key in result:
            problem = f"the key {printable(key)} is already on line {file.lines[inner]}"
            raise MalformedFileError(file.path, line, problem, "each key once")
        file.lines[inner] = line
        result[key] = _plain(file, child, inner)
    return result


def _scalar(kind: str, text: str) -> str | int | bool | None:
    """Return the plain value of a scalar. A text that is not of its kind stays a text, which the schema reports."""
    if kind == "null":
        return None
    if kind == "bool":
        return _FLAGS[text.lower()]
    return int(text) if kind == "int" and _PLAIN_INTEGER.fullmatch(text) else text


# --- sections that follow another edition ------------------------------------------------------------

#: Keys of facts that hold for one edition alone: ``like`` leaves them out, at any level of a section.
OWN_FACTS = frozenset(
    {
        "as_distributed",
        "code_counts",
        "continues",
        "counts",
        "edition_mark",
        "edition_mark_required",
        "exam_year_counts",
        "exam_years",
        "excluded",
        "leaderboard",
        "notes",
        "optional_files",
        "reference_years",
        "shares_corpus",
        "unverified",
    }
)


def resolved_section(
    file: EditionFile, name: str, read: Callable[[str], EditionFile | None], above: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return a section of an edition with the values that it takes from the edition named by ``like``.

    A mapping is completed key by key. Any other value, lists included, replaces that of the other edition, and a null
    removes it. File names for both splits replace those that the other edition has for each split. The keys in
    `OWN_FACTS` are left out.

    Parameters
    ----------
    file : EditionFile
        The file of the edition.
    name : str
        The name of the section.
    read : callable
        Function that returns the file of an edition by name, or None where there is none.
    above : tuple of str
        The editions that follow this one.

    Returns
    -------
    dict
        The section, without ``like``.

    Raises
    ------
    MalformedFileError
        If ``like`` names an unknown edition or one without that section, or if editions follow each other in a circle.
    """
    section = {key: value for key, value in file.data[name].items() if key != "like"}
    written = file.data[name].get("like")
    if written is None:
        return _merged({}, section)
    like, keys, chain = printable(str(written)), (name, "like"), (*above, file.path.stem)
    if like in chain:
        problem = f"like: {like} follows this edition in turn"
        raise file.mistake(keys, problem, "an edition that does not follow this one")
    other = read(str(written))
    if other is None:
        expected = "the name of another edition, whose file is in the package or in the data folder"
        raise file.mistake(keys, f"like: {like} names no edition", expected)
    if not other.data.get(name):
        raise file.mistake(keys, f"COLIEE {like} has no section {name}", f"an edition with {name}")
    base = _without_own_facts(resolved_section(other, name, read, chain))
    for names in ("files", "undated_files"):
        own = section.get(names) or {}
        for split in (base.get("train", {}), base.get("test", {})):  # names for both splits replace those of each
            kept = {role: value for role, value in split.get(names, {}).items() if role not in own}
            if names in split:
                split[names] = kept
    return _merged(base, section)


def _without_own_facts(section: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _without_own_facts(value) if isinstance(value, dict) else value
        for key, value in section.items()
        if key not in OWN_FACTS
    }


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in own.items():
        if isinstance(value, dict):
            before = merged.get(key)
            merged[key] = _merged(before if isinstance(before, dict) else {}, value)
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = value
    return merged


# --- what a section needs ----------------------------------------------------------------------------

Section = Mapping[str, Any]

_OF_TASK = ("measure", "labels", "submission", "submission.format", "submission.file")
_ROLES: Mapping[str, tuple[str, ...]] = {
    "task1": ("corpus", "labels"),
    "task2": ("corpus", "labels"),
    "statutes": ("articles", "questions"),
    "pilot": ("instances",),
}


def _split_names(section: Section) -> list[str]:
    return [name for name in ("train", "test") if name in section]


def _check_complete(file: EditionFile, sections: Mapping[str, Section]) -> None:
    """Check that completed sections have all keys that their splits need, and that the splits are distinct."""
    for task, package in PACKAGE_SECTIONS.items():
        if task not in sections:
            continue
        if package not in sections:
            raise file.mistake((task,), f"{task} is described, but not its files", f"a section {package}")
        missing = [(task, key) for key in _OF_TASK if not _get(sections[task], key)]
        missing += [(package, key) for key in _missing_in_package(sections[package], package, sections[task])]
        for section, key in missing:
            raise file.mistake((section, *key.split(".")), f"{section} has no {key}", f"{key}, or like: EDITION")
        for name in _split_names(sections[task]):
            for earlier in sections[package][name].get("continues", ()):
                if file.path.stem.isdecimal() and earlier[: len(file.path.stem)] >= file.path.stem:
                    problem = f"continues names {earlier}, which is not earlier than {file.path.stem}"
                    raise file.mistake((package, name, "continues"), problem, "splits of earlier editions")
    written = [str(_get(sections.get("statutes", {}), f"{name}.exam_years") or "") for name in ("train", "test")]
    train, test = map(parse_exam_years, written)
    if common := [year for year in test if year in train]:  # each exam year is a split with one id
        problem = f"train and test both have the exam year {common[0]}"
        raise file.mistake(("statutes", "test", "exam_years"), problem, "each exam year in one split")


def _get(section: Section, key: str) -> object:
    """Return the value of a key; nested keys are joined with dots."""
    value: object = section
    for name in key.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _missing_in_package(section: Section, package: str, task: Section) -> Iterator[str]:
    """Yield the keys that the section of the files lacks for the splits of a task."""
    yield from (key for key in ("languages", "layout") if not section.get(key))
    for name in _split_names(task):
        if name not in section:
            yield name
            continue
        for role in _ROLES[package]:
            if not _get(section, f"files.{role}") and not _get(section, f"{name}.files.{role}"):
                yield f"{name}.files.{role}"
        if package == "statutes" and "exam_years" not in section[name]:
            yield f"{name}.exam_years"


# --- from sections to splits -------------------------------------------------------------------------

#: The rule of the editions with ``one_language``.
ONE_LANGUAGE_RULE = "a run must not use both languages of a question"


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
    name = file.path.stem
    year = file.data.get("year") or (int(name) if name.isdecimal() else None)
    if year is None:
        raise file.mistake(("edition",), "the key year is missing", "the year of the layout")
    sections = {key: resolved_section(file, key, read) for key in SECTIONS if file.data.get(key) is not None}
    _check_complete(file, sections)
    splits: dict[str, Split] = {}
    for task in filter(sections.get, PACKAGE_SECTIONS):
        package, section = sections[PACKAGE_SECTIONS[task]], sections[task]
        common = _common(Split(task, name, "", "", {}, year=year), package, section)
        common = replace(common, is_built_in=bool(file.data.get("built_in")))
        for language in package["languages"]:
            for split_name in _split_names(section):
                row = _row(replace(common, language=language, name=split_name), package, section)
                splits.update((split.id, split) for split in _with_derived(row, package[split_name]))
    return Edition(name, year, file.path, splits)


def _common(split: Split, package: Section, section: Section) -> Split:
    """Return a split with what all splits of the task have."""
    return replace(
        split,
        layout=package["layout"],
        labels=section["labels"],
        measure=section["measure"],
        submission=_submission(section["submission"]),
        leaderboard=section.get("leaderboard", ""),
        shares_corpus=package.get("shares_corpus", False),
        answers_are_positions=package.get("answers_are_positions", False),
        edition_mark=package.get("edition_mark", ""),
        requires_edition_mark=package.get("edition_mark_required", False),
        code_format=package.get("code_format", ""),
        notes=tuple(dict.fromkeys((*package.get("notes", ()), *section.get("notes", ())))),
    )


def _row(split: Split, package: Section, section: Section) -> Split:
    """Return a train or test split with its files, counts and exam years."""
    files_of, own = package[split.name], section[split.name]
    years = parse_exam_years(files_of.get("exam_years", ""))
    counts = own.get("counts", {})
    return replace(
        split,
        files=_names(split, "files", package, years),
        optional_files=_names(split, "optional_files", package),
        undated_files=_names(split, "undated_files", package),
        counts=parse_counts(counts.get(split.language, {}) if years else counts),
        exam_years=years,
        code_counts=package.get("code_counts", {}).get(split.language, {}),
        excluded=tuple(dict.fromkeys((*files_of.get("excluded", ()), *own.get("excluded", ())))),
        is_unverified=files_of.get("unverified", package.get("unverified", False)),
        continues=tuple(
            replace(split, edition=earlier.split()[0], name=earlier.split()[1]).id
            for earlier in files_of.get("continues", ())
        ),
    )


def _names(split: Split, key: str, package: Section, exam_years: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the names of each role with placeholders filled in; the questions of each exam year are a role."""
    filled: dict[str, tuple[str, ...]] = {}
    fill = {
        "task": split.task,
        "split": split.name,
        "edition": split.edition,
        "language": LANGUAGES[split.language],
    }
    for role, value in {**package.get(key, {}), **package[split.name].get(key, {})}.items():
        names = value.get(split.language, []) if isinstance(value, dict) else value
        names = [names] if isinstance(names, str) else names
        for year in exam_years if role == "questions" else [""]:
            filled[year or role] = tuple(dict.fromkeys(text.format(**fill, exam_year=year) for text in names))
    return filled


def _submission(written: Section) -> SubmissionForm:
    values = {"is_padded" if key == "padded_ids" else key: value for key, value in written.items()}
    values["is_unverified"] = values.pop("unverified", False)
    rules = (*values.pop("rules", ()), *([ONE_LANGUAGE_RULE] if written.get("one_language") else []))
    return SubmissionForm(**values | {"rules": rules, "reference_years": tuple(values.get("reference_years", ()))})


# --- splits that follow from train and test ----------------------------------------------------------


def _with_derived(row: Split, files_of: Section) -> Iterator[Split]:
    """Yield a train or test split, a split for each exam year, and all again with the questions not scored."""
    for split in (row, *(_of_year(row, year, files_of) for year in row.exam_years)):
        yield split
        if split.excluded:
            counts = _docs(split) | parse_counts(files_of.get("as_distributed", {}))
            yield replace(split, name=f"{split.name}/as-distributed", excluded=(), counts=counts)


def _of_year(row: Split, year: str, files_of: Section) -> Split:
    """Return the split of one exam year of a train or test split."""
    counts = row.counts
    if len(row.exam_years) > 1:
        known = files_of.get("exam_year_counts", {}).get(row.language, {}).get(year, [])
        gold = known[1:] if row.task == "task3" else known[:1]  # articles, or an answer for each question
        counts = _docs(row) | {
            entity: Count(number, "M")
            for entity, numbers in (("queries", known[:1]), ("qrels", gold))
            for number in numbers
        }
    files = {"articles": row.files["articles"], year: row.files[year]}
    return replace(row, name=year.lower(), exam_years=(year,), counts=counts, files=files)


def _docs(split: Split) -> dict[str, Count]:
    return {entity: count for entity, count in split.counts.items() if entity == "docs"}
