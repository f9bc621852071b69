"""A local copy and its seal: what has changed since, and whether the seal is kept or replaced."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from ir_coliee.errors import ColieeError, ExistingFileError, printable
from ir_coliee.releases.findings import Finding, finding
from ir_coliee.releases.folders import File
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.seals import (
    Fingerprints,
    Seal,
    compute_seal,
    is_written,
    read_seal,
    seal_path,
    sealed_files,
    write_seal,
)
from ir_coliee.unfinished_folders import delete_abandoned

_MAX_LISTED = 5
_KINDS = {"changed": "files that changed", "missing": "files that are missing", "added": "files that were added"}


class Change(NamedTuple):
    """A file that differs from the seal.

    Attributes
    ----------
    kind : {"changed", "missing", "added"}
    file : str
        The path below the folder of documents, or the name of the file.
    modified : str or None
        The time in UTC at which the file, or its ZIP archive, was last written according to the file system; None for
        a missing file. It is only reported: the fingerprints decide what has changed.
    """

    kind: str
    file: str
    modified: str | None


class SealedState(NamedTuple):
    """A seal of the local copy, and what has changed since.

    Attributes
    ----------
    path : str
        The file of the seal.
    sealed : str
        The time in UTC.
    hash : str
        The hash of the seal.
    hash_now : str
        The hash of the files as they are now.
    num_files : int
        The number of files in the seal.
    changes : tuple of Change
    is_new : bool
        Whether the seal was written by this call.
    """

    path: str
    sealed: str
    hash: str
    hash_now: str
    num_files: int
    changes: tuple[Change, ...]
    is_new: bool = False

    def __str__(self) -> str:
        hash_of_seal = f"hash of the seal: {self.hash}"
        if self.is_new:
            compare = "Compare this hash with other participants; the seal stays on this machine."
            return f"sealed now, {self.num_files:,} files\n{hash_of_seal}\n{compare}"
        sealed = f"sealed {_minute(self.sealed)}"
        if not self.changes:
            return f"{sealed}, unchanged since\n{hash_of_seal}"
        counts = ", ".join(f"{n} {kind}" for kind in _KINDS if (n := sum(c.kind == kind for c in self.changes)))
        return f"{sealed}, changed since: {counts}\n{hash_of_seal}\nhash of the files now: {self.hash_now}"

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each kind of change, with the times of the files."""
        for kind, description in _KINDS.items():
            if changes := [change for change in self.changes if change.kind == kind]:
                shown = "; ".join(self._described(change) for change in changes[:_MAX_LISTED])
                more = f" and {len(changes) - _MAX_LISTED} more" if len(changes) > _MAX_LISTED else ""
                message = f"{description} since {_minute(self.sealed)}: {len(changes)} ({shown}{more})"
                yield finding(f"{kind}-since-sealed", message, count=len(changes), ids=tuple(c.file for c in changes))

    def _described(self, change: Change) -> str:
        name = printable(change.file)
        if change.modified is None:
            return name
        back_dated = ", before it was sealed" if change.modified < self.sealed else ""
        return f"{name}, dated {_minute(change.modified)}{back_dated}"


def sealed_state(release: LocalRelease, *, verbose: bool = False) -> SealedState | None:
    """Compare a local copy with its seal.

    Parameters
    ----------
    release : LocalRelease
    verbose : bool, default False
        Whether to show progress.

    Returns
    -------
    SealedState or None
        None if it was never sealed.

    Raises
    ------
    MalformedFileError
        If the file of the seal is damaged, altered, of another split, or of a newer version of this package.
    """
    path = seal_path(release)
    if not is_written(path):
        return None
    return _compared(release, read_seal(path, release.split.id), compute_seal(release, verbose=verbose))


def keep_seal(release: LocalRelease, computed: Seal, *, overwrite: bool) -> SealedState:
    """Write the seal of a local copy; one of the same content is kept with its time.

    Parameters
    ----------
    release : LocalRelease
    computed : Seal
        The seal of the local copy as it is now.
    overwrite : bool
        Whether a seal of other content, or one that cannot be read, is replaced.

    Raises
    ------
    ExistingFileError
        If there is a seal of other content and ``overwrite`` is False. The message says what has changed.
    ColieeError
        If the file cannot be written.
    """
    path = seal_path(release)
    delete_abandoned(path.parent)
    existing = _existing(path, computed.id, overwrite=overwrite)
    if existing and existing.hash == computed.hash:
        return _compared(release, existing, computed)
    if existing and not overwrite:
        changes = "\n".join(f"  {finding.message}" for finding in _compared(release, existing, computed).findings())
        raise ExistingFileError(
            f"{path} is the seal of other content.\n{changes}\nLook first at what changed. Only if each change is "
            f"right (in Python: overwrite=True):\n  ir_coliee audit {computed.id} --seal --force"
        )
    write_seal(path, computed)
    return _compared(release, computed, computed)


def _existing(path: Path, split_id: str, *, overwrite: bool) -> Seal | None:
    if not is_written(path):
        return None
    try:
        return read_seal(path, split_id)
    except ColieeError:
        if overwrite:
            return None
        raise


def _compared(release: LocalRelease, seal: Seal, computed: Seal) -> SealedState:
    then, now = _flat(seal.files), _flat(computed.files)
    kinds = {
        key: "missing" if key not in now else "added" if key not in then else "changed"
        for key in sorted({*then, *now})
        if then.get(key) != now.get(key)
    }
    present = {(role, name): file for role, name, file in sealed_files(release)} if kinds else {}
    changes = tuple(Change(kind, _shown(release, *key), _modified(present.get(key))) for key, kind in kinds.items())
    path, is_new = str(seal_path(release)), seal is computed
    return SealedState(path, seal.sealed, seal.hash, computed.hash, seal.num_files, changes, is_new)


def _flat(files: Fingerprints) -> dict[tuple[str, str], str]:
    return {(role, name): digest for role, names in files.items() for name, digest in names.items()}


def _shown(release: LocalRelease, role: str, name: str) -> str:
    if name:
        return name
    found = release.find(role) if role in (*release.split.files, *release.split.optional_files) else None
    return found.node.name if found else role


def _modified(file: File | None) -> str | None:
    """Return the time at which a file or its archive was written; None if it is missing or has no possible time."""
    if file is None:
        return None
    path = Path(str(file))
    on_disk = next(place for place in (path, *path.parents) if place.exists())
    return _utc(on_disk.stat().st_mtime)


def _utc(seconds: float) -> str | None:
    try:
        return datetime.fromtimestamp(int(seconds), timezone.utc).isoformat()
    except (ValueError, OverflowError, OSError):  # a year that no calendar has
        return None


def _minute(time: str) -> str:
    return f"{datetime.fromisoformat(time):%Y-%m-%d %H:%M} UTC"
