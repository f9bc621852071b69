"""The comparison of a local copy with its seal: what has changed since."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from ir_coliee.errors import printable
from ir_coliee.releases.findings import Finding, finding
from ir_coliee.releases.folders import File
from ir_coliee.releases.local_release import LocalRelease
from ir_coliee.releases.seals import Fingerprints, fingerprints, is_written, read_seal, seal_path, sealed_files

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
    changes : tuple of Change
    is_new : bool
        Whether the seal was written by this call.
    """

    path: str
    sealed: str
    hash: str
    changes: tuple[Change, ...]
    is_new: bool = False

    def __str__(self) -> str:
        counts = [f"{count} {kind}" for kind in _KINDS if (count := sum(c.kind == kind for c in self.changes))]
        state = f"changed since: {', '.join(counts)}" if counts else "unchanged since"
        return f"sealed {_minute(self.sealed)}, {state}\nhash of the seal: {self.hash}"

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
    seal = read_seal(path, release.split.id)
    files = sealed_files(release)
    present = {(role, name): file for role, name, file in files}
    then, now = _flat(seal.files), _flat(fingerprints(release, files, verbose=verbose))
    kinds = {
        key: "missing" if key not in now else "added" if key not in then else "changed"
        for key in sorted({*then, *now})
        if then.get(key) != now.get(key)
    }
    changes = (Change(kind, _shown(release, *key), _modified(present.get(key))) for key, kind in kinds.items())
    return SealedState(str(path), seal.sealed, seal.hash, tuple(changes))


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
