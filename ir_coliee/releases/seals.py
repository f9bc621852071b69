"""Seals: fingerprints of a local copy that was found whole, by which a later audit tells what has changed since.

A seal has the SHA-256 fingerprint of each file that a split is read from, by role and by the file's name within the
role: the path below the folder of documents, and no name for a role of one file. Therefore it is the same for folders
and ZIP archives, under any path and on any platform. A byte order mark does not count, and CR LF counts as LF, as for
the readers. Files that are not read are not sealed.

The hash of a seal is the SHA-256 of its lines ``role NUL name NUL fingerprint LF``, sorted. Seals lie in the folder
``seals`` of the data folder, because they belong to the data: the fingerprint of a short file can be guessed.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee import size_limits
from ir_coliee.editions import data_folders
from ir_coliee.errors import ColieeError, MalformedFileError, printable
from ir_coliee.progress import progress
from ir_coliee.releases import cases
from ir_coliee.releases.folders import File
from ir_coliee.releases.local_release import GOLD_OF_CASE, LocalRelease
from ir_coliee.unfinished_folders import replace_file

_FORMAT, _VERSION = "ir_coliee seal", 1

#: The fingerprint of each file, by role and by its name within the role.
Fingerprints = Mapping[str, Mapping[str, str]]


class Seal(NamedTuple):
    """The fingerprints of a local copy that was found whole.

    Attributes
    ----------
    id : str
        The id of the split.
    sealed : str
        The time in UTC, as ``2026-11-22T20:15:00+00:00``.
    files : mapping from str to mapping from str to str
        The SHA-256 fingerprint of each file, by role and by its name within the role.
    """

    id: str
    sealed: str
    files: Fingerprints

    @property
    def hash(self) -> str:
        """The fingerprint of the whole. It depends only on ``files``, so that two participants can compare it."""
        lines = sorted(
            f"{role}\0{name}\0{digest}\n" for role, names in self.files.items() for name, digest in names.items()
        )
        return hashlib.sha256("".join(lines).encode(errors="surrogatepass")).hexdigest()

    @property
    def num_files(self) -> int:
        """The number of files."""
        return sum(map(len, self.files.values()))


class SealedFile(NamedTuple):
    """A file of a split, with its role and its name within the role."""

    role: str
    name: str
    file: File


# --- fingerprints ----------------------------------------------------------------------------------


def compute_seal(release: LocalRelease, *, verbose: bool = False) -> Seal:
    """Compute the seal of a local copy as it is now.

    Parameters
    ----------
    release : LocalRelease
    verbose : bool, default False
        Whether to show progress.

    Examples
    --------
    >>> len(compute_seal(LocalRelease.open("coliee/task3/sample/en/test")).hash)
    64
    """
    return Seal(release.split.id, _now(), fingerprints(release, sealed_files(release), verbose=verbose))


def sealed_files(release: LocalRelease) -> list[SealedFile]:
    """Return the files that a split is read from."""
    files = []
    for role in (*release.split.files, *release.split.optional_files):
        if role == GOLD_OF_CASE or not release.has(role):  # the files of this role are among those of the corpus
            continue
        if role == "corpus":
            files += [SealedFile(role, name, file) for name, file in cases.files_of_corpus(release)]
        else:
            files.append(SealedFile(role, "", release.file(role)))
    return files


def fingerprints(release: LocalRelease, files: Iterable[SealedFile], *, verbose: bool) -> Fingerprints:
    """Return the fingerprints of some files of a split."""
    found: dict[str, dict[str, str]] = {}
    description = f"fingerprints of {release.split.id}"
    for role, name, file in progress(files, description, unit="files", verbose=verbose):
        content = file.read_bytes().removeprefix(codecs.BOM_UTF8)
        found.setdefault(role, {})[name] = hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()
    return found


def _now() -> str:
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()


# --- the file of a seal ----------------------------------------------------------------------------


def seal_path(release: LocalRelease) -> Path:
    """Return the path of the seal: below the data folder that the files are in, or that already has the seal."""
    name = f"{release.split.id.replace('/', '-')}.json"
    folders = [folder.absolute() for folder in data_folders()]
    places = [Path(str(found.node)) for found in release.files.values()]
    own = [folder for folder in folders if any(folder in (place, *place.parents) for place in places)]
    paths = [folder / "seals" / name for folder in (*own, *folders)]
    return next((path for path in paths if is_written(path)), paths[0])


def is_written(path: Path) -> bool:
    """Return whether there is a seal. Nothing but a folder without the file, or no folder, tells that there is none.

    Raises
    ------
    ColieeError
        If the folder cannot be searched: in it may be a seal of files that have changed.
    """
    try:
        os.lstat(path)
    except OSError as error:
        folder = path.parent
        if isinstance(error, FileNotFoundError) and (folder.is_dir() or not os.path.lexists(folder)):
            return False
        raise _unreadable(path, error) from None
    return True


def _unreadable(path: Path, error: OSError) -> ColieeError:
    problem = f"{path} cannot be read ({error.strerror})"
    return ColieeError(
        f"{problem}.\nWithout it, nobody can tell what has changed: check the folder and its permissions."
    )


def write_seal(path: Path, seal: Seal) -> None:
    """Write the file of a seal, in place of one that is there.

    Raises
    ------
    ColieeError
        If the file cannot be written.
    """
    record = {"format": _FORMAT, "version": _VERSION, **seal._asdict(), "hash": seal.hash}
    try:
        replace_file(path, f"{json.dumps(record, indent=1)}\n".encode())
    except OSError as error:
        problem = f"{path} cannot be written ({error.strerror})"
        raise ColieeError(f"{problem}.\nSeals are in the data folder; check its permissions.") from None


def read_seal(path: Path, split_id: str) -> Seal:
    """Read the file of a seal, and check that its hash fits."""
    expected = (
        f'the seal of {split_id}. Restore it; or seal again by "ir_coliee audit {split_id} --seal --force", '
        "and compare the hash with the one that you noted"
    )
    try:
        record = json.loads(size_limits.SEAL.read_file(path))
        if record["format"] == _FORMAT and record["version"] > _VERSION:
            raise MalformedFileError(
                path, None, "it was written by a newer version of ir_coliee", f"version {_VERSION}. Upgrade ir_coliee"
            )
        seal = _seal(record)
    except OSError as error:
        raise _unreadable(path, error) from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        if isinstance(error, MalformedFileError):
            raise
        raise MalformedFileError(path, None, "it is not a seal, or it is damaged", expected) from None
    if seal.hash != record["hash"]:
        raise MalformedFileError(path, None, "its hash does not fit, so it was altered", expected)
    if seal.id != split_id:
        raise MalformedFileError(path, None, f"it is the seal of {printable(seal.id)}", expected)
    return seal


def _seal(record: Any) -> Seal:
    """Return the seal that a JSON object states. Raises one of the errors that `read_seal` translates."""
    sealed = datetime.fromisoformat(record["sealed"])
    files = {role: {**names} for role, names in record["files"].items()}
    texts = [record["id"], record["hash"], *(digest for names in files.values() for digest in names.values())]
    is_known = record["format"] == _FORMAT and record["version"] == _VERSION
    if not is_known or sealed.tzinfo is None or not all(isinstance(text, str) for text in texts):
        raise ValueError("another format")
    return Seal(record["id"], sealed.astimezone(timezone.utc).isoformat(), files)
