"""Finds the user's copy of an edition under the data folder.

The data folder is ``$COLIEE_HOME`` (one folder, or several joined by the system's path separator),
else ``$IR_DATASETS_HOME/coliee``, else ``~/.ir_datasets/coliee``. Files are found by name at any
depth, in folders and in zips; nothing in the folder is ever changed. The edition ``sample`` lies in this
package.
"""

from __future__ import annotations

import re
from pathlib import Path

from ir_coliee.editions import FIRST_SYNTHETIC_NUMBER, Split, data_folders
from ir_coliee.errors import MissingLabelsError, MissingReleaseError
from ir_coliee.releases.disambiguation import Found, search
from ir_coliee.releases.folders import File, Folder
from ir_coliee.releases.layouts import numbered_files, numbered_folders
from ir_coliee.releases.listing import listing

ORGANISERS = "https://coliee.org"

_SAMPLE_FOLDER = Path(__file__).parents[1] / "datasets" / "sample"
_MADE_UP_IDS = re.compile(rb"""\bid=["'][HR]\d+-9\d\d-|"tort_id": *"9\d{5}""")
_IN_CORPUS = {
    "flat": "text files that are named by a number",
    "pools": "folders that are named by a number, each with its candidates",
    "cases": "folders that are named by a number, each with its paragraphs",
}
_ROLES = {
    "corpus": "folder of documents",
    "labels": "label file",
    "articles": "civil code",
    "instances": "tort instances",
}


def find_file(split: Split, role: str) -> File:
    """The file of this role in the user's copy.

    Any of the accepted names serves, the first in the table's order first; a ``clean_`` in front and a
    browser's ``(1)`` behind do no harm. A name below a folder that bears another edition's year is passed
    over. Raises `MissingReleaseError`, which names the edition, the data folder, the accepted names and the
    way to obtain the data, and `AmbiguousReleaseError` where it cannot be told which of several is meant.
    """
    node = _find(split, role).node
    assert isinstance(node, File)
    return node


def find_folder(split: Split, role: str = "corpus") -> Folder:
    """The folder that holds the documents in the user's copy, on disk or in a zip. Raises as `find_file` does."""
    node = _find(split, role).node
    assert not isinstance(node, File)
    return node


def _find(split: Split, role: str) -> Found:
    found = locate(split, role)
    if found is None:
        raise _missing(split, role)
    return found


def locate(split: Split, role: str) -> Found | None:
    """Where the file or folder of a role lies, or None. Raises `AmbiguousReleaseError`."""
    for folder in [_SAMPLE_FOLDER] if split.is_built_in else data_folders():
        here = listing(str(folder.absolute()))
        key = split.id, role
        # what is not there is looked for again: the listing does not notice what comes into case folders
        if key not in here.kept and (found := search(here, split, role)):
            here.kept[key] = found
        if key in here.kept:
            return here.kept[key]  # type: ignore[no-any-return]
    return None


def is_here(split: Split, role: str) -> bool:
    """Whether the file or folder of a role is there."""
    return locate(split, role) is not None


def missing_files(split: Split) -> list[str]:
    """The accepted names of each file or folder of the split that is not there, joined by "or"."""
    _, missing = located(split)
    return [" or ".join(split.files[role]) for role in missing]


def located(split: Split) -> tuple[dict[str, Found], list[str]]:
    """Where the files and folders of a split lie, by role, and the roles of those that are wanting.

    A label file is not, where each case has its gold. Raises `AmbiguousReleaseError`.
    """
    found = {role: there for role in split.files if (there := locate(split, role))}
    missing = [role for role in split.files if role not in found]
    if "labels" in missing and has_gold_per_case(split):
        missing.remove("labels")
    return found, missing


def has_gold_per_case(split: Split) -> bool:
    """Whether the copy has text files of gold in the folders of its cases: a form of 2019."""
    names = split.optional_files.get("gold of a case", ())
    if not names or not is_here(split, "corpus"):
        return False
    # a case without gold may have no such file
    return any(file.name in names for case in numbered_folders(find_folder(split)) for file in case.files())


def is_synthetic(split: Split) -> bool:
    """Whether the split is fictional: the sample, or made of the numbers that synthetic releases have."""
    if split.is_built_in:
        return True
    found = locate(split, [*split.files][-1] if "corpus" not in split.files else "corpus")
    if found is None:
        return False
    if isinstance(found.node, File):
        return bool(_MADE_UP_IDS.search(found.node.read_bytes()))
    numbers = [file.stem for file in numbered_files(found.node)] + [case.name for case in numbered_folders(found.node)]
    return int(min(numbers, key=int)) >= FIRST_SYNTHETIC_NUMBER


def _missing(split: Split, role: str) -> MissingReleaseError:
    folders = " or ".join(f"{folder}{_absent(folder)}" for folder in data_folders())
    what = _ROLES.get(role, f"file of the questions of {role}")
    documents_are_here = role == "labels" and is_here(split, "corpus")
    return (MissingLabelsError if documents_are_here else MissingReleaseError)(
        f"{split.id}: the {what} of COLIEE {split.edition} is not in {folders}. "
        "Accepted names, at any depth below it, in folders or zips: "
        f"{', '.join(split.names(role))}{_lesser(split, role)}. "
        f"{_expected_in_corpus(split) if role == 'corpus' else _passed_over(split, role)}"
        f"Put there what the organisers mailed, or set COLIEE_HOME to the folder that holds it. "
        f"The organisers give the data to participants who sign their memorandum: {ORGANISERS}."
    )


def _absent(folder: Path) -> str:
    if folder.is_dir():
        return ""
    return " (which is no folder)" if folder.exists() else " (which does not exist)"


def _passed_over(split: Split, role: str) -> str:
    """The files that have an accepted name and were taken for another edition's, split's or task's."""
    listings = [listing(str(folder.absolute())) for folder in data_folders()]
    names = (*split.names(role), *split.undated_names(role))
    passed_over = [str(found.node) for here in listings for name in names for found in here.named(name)]
    if not passed_over:
        return ""
    return (
        f"Passed over, as another edition's or split's: {', '.join(passed_over[:3])}; "
        f"a folder COLIEE{split.edition} around it would tell. "
    )


def _lesser(split: Split, role: str) -> str:
    """The names that serve where something else tells the edition, and the other forms of gold."""
    lesser = split.undated_names(role)
    per_case = split.optional_files.get("gold of a case", ()) if role == "labels" else ()
    others = f"; beside something that tells the edition: {', '.join(lesser)}" if lesser else ""
    return others + (f"; or {', '.join(per_case)} in each case folder" if per_case else "")


def _expected_in_corpus(split: Split) -> str:
    """What is expected in the folder of documents, with the folders that have its name and hold something else."""
    listings = [listing(str(folder.absolute())) for folder in data_folders()]
    named = [found.node for here in listings for name in split.files["corpus"] for found in here.named(name)]
    empty = f"; there is none in {', '.join(map(str, named))}" if named else ""
    return f"Expected in it: {_IN_CORPUS[split.layout]}{empty}. "
