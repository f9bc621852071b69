"""Sections that follow another edition: the key ``like`` of an edition file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ir_coliee.editions.yaml_reader import EditionFile
from ir_coliee.errors import MalformedFileError, printable

#: Keys of facts that hold for one edition alone: ``like`` leaves them out, at any level of a section.
OWN_FACTS = frozenset(
    {
        "as_distributed",
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


def resolved_section(file: EditionFile, name: str, read: Callable[[str], EditionFile | None]) -> dict[str, Any]:
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

    Returns
    -------
    dict
        The section, without ``like``.

    Raises
    ------
    MalformedFileError
        If ``like`` names an unknown edition or one without that section, or if editions follow each other in a circle.
    """
    return _resolved(file, name, read, ())


def _resolved(
    file: EditionFile, name: str, read: Callable[[str], EditionFile | None], above: tuple[str, ...]
) -> dict[str, Any]:
    section = {key: value for key, value in (file.data[name] or {}).items() if key != "like"}
    like = (file.data[name] or {}).get("like")
    if like is None:
        return _merged({}, section)
    path, line = file.path, file.line((name, "like"))
    chain = (*above, str(file.data["edition"]))
    if str(like) in chain:
        raise MalformedFileError(
            path, line, f"like: {like} follows this edition in turn", "an edition that does not follow this one"
        )
    other = read(str(like))
    if other is None:
        problem = f"like: {printable(str(like))} names no edition"
        raise MalformedFileError(
            path, line, problem, "the name of another edition, whose file is in the package or in the data folder"
        )
    if not other.data.get(name):
        raise MalformedFileError(path, line, f"COLIEE {like} has no section {name}", f"an edition with {name}")
    base = _without_own_facts(_resolved(other, name, read, chain))
    return _merged(_without_replaced_names(base, section), section)


def _without_replaced_names(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the names of each split where the section that follows states names of both splits."""
    left = dict(base)
    for key in ("files", "undated_files"):
        for split in ("train", "test"):
            of_split = (left.get(split) or {}).get(key)
            if of_split and own.get(key):
                kept = {role: names for role, names in of_split.items() if role not in own[key]}
                left[split] = {**left[split], key: kept}
    return left


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
