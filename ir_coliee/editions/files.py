"""Edition files: how they are read, how they follow each other, and how their splits follow from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
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

#: The keys and list positions that lead to a value.
Keys = tuple[str | int, ...]

# --- the content of a file and the line of each value ------------------------------------------------

_DEEPEST = 20  # the largest depth of nested values; an edition has about five
_LONGEST = 2_000  # characters of a value; the notes have a few hundred


class EditionFile(NamedTuple):
    """The content of an edition file.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    data : dict
        Its content, as YAML is read.
    lines : dict
        The line of each value, counted from 1, by the keys that lead to it.
    """

    path: Path
    data: dict[str, Any]
    lines: dict[Keys, int]

    def mistake(self, keys: Keys, problem: str, expected: str) -> MalformedFileError:
        """Return the error for a value, with its line or that of the nearest enclosing value in the file."""
        while keys not in self.lines:
            keys = keys[:-1]
        return MalformedFileError(self.path, self.lines[keys], problem, expected)


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
        If the file is too large, not YAML or not a mapping, repeats a key, nests values too deeply, or uses anchors or
        tags of other types than those of plain YAML.
    """
    import yaml  # its import is slow, and importing the package needs no edition file

    loader_type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    file = EditionFile(path, {}, {(): 1})
    try:
        text = EDITION.read_file(path).decode("utf-8-sig")
        _check_nesting(path, yaml.parse(text, Loader=loader_type))
        loader = loader_type(text)
        root = loader.get_single_node()
        data = loader.construct_document(root) if root else None
        _note_lines(file, root, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = printable(str(error.problem or error.context))
        raise MalformedFileError(path, mark.line + 1 if mark else None, problem, "YAML") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise MalformedFileError(path, None, printable(str(error).partition("\n")[0]), "YAML in UTF-8") from None
    if not isinstance(data, dict):
        raise file.mistake((), "the file is not a mapping of keys to values", "a line such as edition: 2027")
    file.data.update(data)
    return file


def _check_nesting(path: Path, events: Iterable[Any]) -> None:
    """Refuse anchors, deeply nested and very long values before they are composed, which takes quadratic time."""
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name.endswith("StartEvent") - name.endswith("EndEvent")
        if depth > _DEEPEST or getattr(event, "anchor", None) or len(getattr(event, "value", "")) > _LONGEST:
            problem = f"YAML anchors, more than {_DEEPEST} nested values and {_LONGEST} characters are not supported"
            raise MalformedFileError(path, event.start_mark.line + 1, problem, "values without them, or like: EDITION")


def _note_lines(file: EditionFile, node: Any, keys: Keys) -> None:
    """Note the line of each value in a node; a value of a mapping begins with its key. Refuse repeated keys."""
    kind = node.id if node else ""
    for number, child in enumerate(node.value if kind in ("sequence", "mapping") else ()):
        key_node, value = child if kind == "mapping" else (child, child)
        inner = (*keys, key_node.value if kind == "mapping" else number)
        line = key_node.start_mark.line + 1
        if inner in file.lines:
            problem = f"the key {printable(str(inner[-1]))} is already on line {file.lines[inner]}"
            raise MalformedFileError(file.path, line, problem, "each key once")
        file.lines[inner] = line
        _note_lines(file, value, inner)


# --- sections that follow another edition ------------------------------------------------------------

#: Keys of facts that hold for one edition alone: ``like`` leaves them out, at any level of a section.
OWN_FACTS = {
    *("counts", "as_distributed", "code_counts", "exam_year_counts"),
    *("continues", "exam_years", "excluded", "optional_files", "shares_corpus"),
    *("edition_mark", "edition_mark_required", "leaderboard", "notes", "reference_years", "unverified"),
}


def resolved_section(
    file: EditionFile, name: str, read: Callable[[str], EditionFile], above: tuple[str, ...] = ()
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
        Function that returns the file of an edition by name; an unknown name is a `KeyError`.
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
    try:
        other = read(str(written))
    except KeyError:
        expected = "the name of another edition, whose file is in the package or in the data folder"
        raise file.mistake(keys, f"like: {like} names no edition", expected) from None
    if not other.data.get(name):
        raise file.mistake(keys, f"COLIEE {like} has no section {name}", f"an edition with {name}")
    base = _without_own_facts(resolved_section(other, name, read, chain))
    for names in ("files", "undated_files"):
        own = section.get(names) or {}
        for split in (base.get("train", {}), base.get("test", {})):  # names for both splits replace those of each
            split[names] = {role: value for role, value in split.get(names, {}).items() if role not in own}
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


# --- from sections to splits -------------------------------------------------------------------------

Section = Mapping[str, Any]

#: The rule of the editions with ``one_language``.
ONE_LANGUAGE_RULE = "a run must not use both languages of a question"

#: The roles of the files of each package; the questions of each exam year are a role of their own.
_CASE_LAW = ("corpus", "labels")
_ROLES = {"task1": _CASE_LAW, "task2": _CASE_LAW, "statutes": ("articles",), "pilot": ("instances",)}


def build_edition(file: EditionFile, read: Callable[[str], EditionFile]) -> Edition:
    """Return the edition that a file describes.

    Parameters
    ----------
    file : EditionFile
        The content of the file, which follows the schema.
    read : callable
        Function that returns the file of an edition by name, for ``like``; an unknown name is a `KeyError`.

    Returns
    -------
    Edition
        The edition with all its splits.

    Raises
    ------
    MalformedFileError
        If a required key is missing, if two splits have one id, or if ``like`` cannot be resolved.
    """
    name = file.path.stem
    year = file.data.get("year") or (int(name) if name.isdecimal() else None)
    if year is None:
        raise file.mistake(("edition",), "the key year is missing", "the year of the layout")
    sections = {
        key: resolved_section(file, key, read)
        for key in (*PACKAGE_SECTIONS, *PACKAGE_SECTIONS.values())
        if file.data.get(key) is not None
    }
    splits: dict[str, Split] = {}
    for task in filter(sections.__contains__, PACKAGE_SECTIONS):
        try:
            for split in _splits_of_task(file, task, year, sections):
                if split.id in splits:
                    problem = f"two splits have the id {split.id}"
                    raise file.mistake(("statutes", "test", "exam_years"), problem, "each exam year in one split")
                splits[split.id] = split
        except KeyError as missing:
            problem = f"{task}, or the section of its files, has no {missing.args[0]}"
            raise file.mistake((task,), problem, "this key, or like: EDITION") from None
    return Edition(name, year, file.path, splits)


def _splits_of_task(file: EditionFile, task: str, year: int, sections: Mapping[str, Section]) -> Iterator[Split]:
    """Yield all splits of a task; a required key that is missing is a `KeyError`."""
    package, section = sections[PACKAGE_SECTIONS[task]], sections[task]
    written = {**package, **section}
    optional = ("leaderboard", "shares_corpus", "answers_are_positions", "edition_mark", "code_format")
    common = Split(
        task,
        file.path.stem,
        "",
        "",
        {},
        layout=package["layout"],
        labels=section["labels"],
        year=year,
        measure=section["measure"],
        submission=_submission(section["submission"]),
        is_built_in=bool(file.data.get("built_in")),
        requires_edition_mark=package.get("edition_mark_required", False),
        notes=tuple(dict.fromkeys((*package.get("notes", ()), *section.get("notes", ())))),
        **{key: written[key] for key in optional if key in written},
    )
    names = [name for name in ("train", "test") if name in section]
    for language, name in product(package["languages"], names):
        row = _train_or_test(file, replace(common, language=language, name=name), package, section)
        yield from _with_derived(row, package[name])


def _train_or_test(file: EditionFile, split: Split, package: Section, section: Section) -> Split:
    """Return a train or test split with its files, counts and exam years."""
    files_of, own = package[split.name], section[split.name]
    is_statutes = PACKAGE_SECTIONS[split.task] == "statutes"
    years = parse_exam_years(files_of["exam_years"]) if is_statutes else ()
    counts, continues = own.get("counts", {}), files_of.get("continues", ())
    for earlier in continues:
        if split.edition.isdecimal() and earlier[: len(split.edition)] >= split.edition:
            problem = f"continues names {earlier}, which is not earlier than {split.edition}"
            raise file.mistake((split.task, split.name, "continues"), problem, "splits of earlier editions")
    keys = ("files", "optional_files", "undated_files")
    names = {key: {**package.get(key, {}), **files_of.get(key, {})} for key in keys}
    roles = {role: role for role in _ROLES[PACKAGE_SECTIONS[split.task]]} | dict.fromkeys(years, "questions")
    return replace(
        split,
        files={role: _filled(split, names["files"][written], role) for role, written in roles.items()},
        optional_files={role: _filled(split, value) for role, value in names["optional_files"].items()},
        undated_files={role: _filled(split, value) for role, value in names["undated_files"].items()},
        counts=parse_counts(counts.get(split.language, {}) if is_statutes else counts),
        exam_years=years,
        code_counts=package.get("code_counts", {}).get(split.language, {}),
        excluded=tuple(dict.fromkeys((*files_of.get("excluded", ()), *own.get("excluded", ())))),
        is_unverified=files_of.get("unverified", package.get("unverified", False)),
        continues=tuple(f"coliee/{split.task}/{earlier.replace(' ', '/')}" for earlier in continues),
    )


def _filled(split: Split, written: Any, exam_year: str = "") -> tuple[str, ...]:
    """Return names of an edition file, of one split and language, with placeholders filled in."""
    names = written.get(split.language, []) if isinstance(written, dict) else written
    fill = {"task": split.task, "split": split.name, "edition": split.edition, "exam_year": exam_year}
    filled = [
        name.format(**fill, language=LANGUAGES[split.language])
        for name in ([names] if isinstance(names, str) else names)
    ]
    return tuple(dict.fromkeys(filled))


def _submission(written: Section) -> SubmissionForm:
    names = {"padded_ids": "is_padded", "unverified": "is_unverified"}
    values: dict[str, Any] = {
        names.get(key, key): tuple(value) if isinstance(value, list) else value for key, value in written.items()
    }
    if written.get("one_language"):
        values["rules"] = (*values.get("rules", ()), ONE_LANGUAGE_RULE)
    return SubmissionForm(values.pop("format"), values.pop("file"), **values)


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
