"""The errors for a file or folder of a split that is not in the data folder, and for labels that are not published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ir_coliee.editions import data_folders
from ir_coliee.errors import MissingLabelsError, MissingReleaseError
from ir_coliee.releases.layouts import CORPUS_LAYOUTS, is_without_labels

if TYPE_CHECKING:
    from ir_coliee.editions import Split
    from ir_coliee.releases.folders import File, Folder
    from ir_coliee.releases.listing import Listing
    from ir_coliee.releases.local_release import LocalRelease

#: The organisers' site, where the data can be requested.
ORGANISERS_URL = "https://coliee.org"

_ROLES = {
    "corpus": "folder of documents",
    "labels": "label file",
    "articles": "civil code",
    "instances": "file of tort instances",
}
_MAX_LISTED = 3
_OTHER_ARCHIVES = (".7z", ".rar", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def missing_error(release: LocalRelease, role: str) -> MissingReleaseError:
    """Return the error for a role whose file or folder was not found.

    Returns
    -------
    MissingReleaseError
        Its message names the split, the data folders, the accepted names and the next step. It is a
        `MissingLabelsError` if the documents were found and the label file was not.
    """
    split = release.split
    folders = ", ".join(f"{folder}{_state(folder)}" for folder in data_folders())
    kind = _ROLES.get(role, f"file with the questions of {role}")
    error = MissingLabelsError if role == "labels" and release.has("corpus") else MissingReleaseError
    details = _corpus_details(split, release.listings) if role == "corpus" else _rejected(split, role, release.listings)
    return error(
        f"{split.id}: the {kind} of COLIEE {split.edition} was not found.\n"
        f"Searched, at any depth, in folders and ZIP archives: {folders}.\n"
        f"Accepted names: {', '.join(split.names(role))}{_other_names(split, role)}.\n"
        f"{details}{_queries_only(split, role)}{_other_archives(release.listings)}"
        "Put the organisers' files there, or set COLIEE_HOME to the folder that holds them; "
        f"`ir_coliee status {split.id}` shows what was found.\n"
        f"The organisers give the data to participants who sign the data-use agreement: {ORGANISERS_URL}."
    )


def unpublished_labels_error(split: Split, labels: str, files: Sequence[File | Folder]) -> MissingLabelsError:
    """Return the error for files that were found and have no labels.

    Parameters
    ----------
    split : Split
    labels : str
        The labels, for the message.
    files : sequence of File or Folder
        The files that were read.
    """
    more = f" and {len(files) - _MAX_LISTED} more" if len(files) > _MAX_LISTED else ""
    roles = {**split.files, **split.optional_files}
    names = [accepted[0] for role, accepted in roles.items() if role not in ("corpus", "articles")]
    folders = " or ".join(map(str, data_folders()))
    return MissingLabelsError(
        f"{split.id}: the local copy has no {labels} yet.\n"
        f"Files without them: {', '.join(map(str, files[:_MAX_LISTED]))}{more}.\n"
        f"Once the organisers publish them, put their files into {folders}: {', '.join(names)}."
    )


def _state(folder: Path) -> str:
    if folder.is_dir():
        return ""
    return " (not a folder)" if folder.exists() else " (does not exist)"


def _other_names(split: Split, role: str) -> str:
    """Return the names that are accepted if a parent folder states the edition, and the other forms of gold."""
    undated = split.undated_names(role)
    per_case = split.optional_files.get("gold of a case", ()) if role == "labels" else ()
    others = f"; below a folder that names the edition also: {', '.join(undated)}" if undated else ""
    return others + (f"; or {', '.join(per_case)} in each case folder" if per_case else "")


def _queries_only(split: Split, role: str) -> str:
    """Return which file of labels is enough for a test whose labels are not published."""
    names = [*filter(is_without_labels, split.names(role))][:1] if role == "labels" else []
    return f"Before the labels are published, {names[0]}, which has only the queries, is enough.\n" if names else ""


def _rejected(split: Split, role: str, listings: Sequence[Listing]) -> str:
    """Return the files with an accepted name that seem to belong to another edition, split or task."""
    names = (*split.names(role), *split.undated_names(role))
    rejected = [str(found.node) for listing in listings for name in names for found in listing.named(name)]
    if not rejected:
        return ""
    dated = [name for name in split.names(role) if split.edition in name]
    remedy = f"Rename the right one to {dated[0]}" if dated else f"Put it into a folder COLIEE{split.edition}"
    return (
        f"Not accepted, because they seem to be of another edition, split or task: {', '.join(rejected[:_MAX_LISTED])}."
        f" {remedy}, if it is among these.\n"
    )


def _other_archives(listings: Sequence[Listing]) -> str:
    """Return the archives in the data folders that are not ZIP archives and are therefore not opened."""
    named = [str(found.node) for listing in listings for form in _OTHER_ARCHIVES for found in listing.named(f"*{form}")]
    return f"Not opened, because only ZIP archives are: {', '.join(named[:_MAX_LISTED])}. Unpack them.\n" * bool(named)


def _corpus_details(split: Split, listings: Sequence[Listing]) -> str:
    """Return the expected content of the folder of documents, and the folders of its name with other content."""
    named = [str(found.node) for listing in listings for name in split.files["corpus"] for found in listing.named(name)]
    found = f" Found, without such content: {', '.join(named)}." if named else ""
    return f"Expected content: {CORPUS_LAYOUTS[split.layout].contents}.{found}\n"
