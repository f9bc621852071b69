"""Manifests: the JSON file by which the folder of an artifact says what it is and what it contains."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ir_coliee.errors import ColieeError, MalformedFileError, printable
from ir_coliee.frames import shown
from ir_coliee.storage import MANIFEST, SizeLimit


class ManifestForm(NamedTuple):
    """The form of the manifests of one kind of artifact.

    Attributes
    ----------
    content : str
        The kind of artifact with its article, for messages.
    format_version : int
        The version of the format that is read and written.
    again : str
        The way to make the artifact again, for messages.
    kind : mapping of str to str
        The fields that tell this kind of artifact from others; PyTerrier reads ``type`` and ``format``.
    file : str
        The name of the file; PyTerrier reads ``pt_meta.json``.
    """

    content: str
    format_version: int
    again: str
    kind: Mapping[str, str]
    file: str = "pt_meta.json"

    @property
    def unchanged(self) -> str:
        """The expected file, and the next step if it is damaged."""
        return f"the unchanged file of {self.content}; delete the folder and {self.again}"

    def write(self, folder: Path, fields: Mapping[str, object]) -> None:
        """Write the manifest of a folder."""
        manifest = {**self.kind, "format_version": self.format_version, **fields}
        (folder / self.file).write_text(json.dumps(manifest, indent=2), encoding="ascii")

    def read(self, folder: Path) -> dict[str, Any]:
        """Read the manifest of a folder.

        Returns
        -------
        dict
            The fields; only those of the kind and of the format version are checked.

        Raises
        ------
        ColieeError
            For a folder without a manifest, and for an artifact of another kind or in another format version.
        MalformedFileError
            If the manifest is not JSON, or is larger than any manifest.
        """
        try:
            fields = self.json(folder / self.file, MANIFEST)
        except ColieeError:
            raise
        except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
            reason = getattr(error, "strerror", error)
            problem = f"{printable(str(folder), 1000)} is not {self.content}: {self.file} cannot be read ({reason})"
            raise ColieeError(f"{problem}. Give the folder of {self.content}.") from None
        if not isinstance(fields, dict) or {key: fields.get(key) for key in self.kind} != self.kind:
            raise ColieeError(f"{folder} contains another kind of artifact. Give the folder of {self.content}.")
        if (found := fields.get("format_version")) != self.format_version:
            problem = f"{folder} is {self.content} in format {shown(found)}"
            readable = f"this version of ir_coliee reads format {self.format_version}"
            raise ColieeError(f"{problem}; {readable}. Delete the folder and {self.again}.")
        return fields

    def json(self, path: Path, limit: SizeLimit) -> Any:
        """Return the content of a JSON file of the folder; raise `OSError` as `open` does, or `MalformedFileError`."""
        content = limit.read_file(path)
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self.malformed(path, "not JSON") from None

    def malformed(self, path: Path, problem: str) -> MalformedFileError:
        """Return the error for a damaged file of the folder."""
        return MalformedFileError(path, None, problem, self.unchanged)
