"""Bytes to text, and JSON with the line of a mistake: what all readers share."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from ir_coliee.errors import ColieeWarning, MalformedFileError


def read_text(path: Path) -> str:
    """The text of a file: UTF-8 with or without BOM, line ends made LF.

    Bytes that are no UTF-8 become U+FFFD, with a `ColieeWarning` that names the file.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        warnings.warn(f"{path}: byte {error.start} is not UTF-8; replaced by U+FFFD", ColieeWarning, stacklevel=2)
        text = data.decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path, expected: str) -> Any:
    """The content of a JSON file. Keys given twice are reported; the last value counts."""

    def last_value(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            repeated = sorted({key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1})
            warnings.warn(
                f"{path}: keys given more than once, the last counts: {', '.join(repeated)}",
                ColieeWarning,
                stacklevel=2,
            )
        return value

    try:
        return json.loads(read_text(path), object_pairs_hook=last_value)
    except json.JSONDecodeError as error:
        raise MalformedFileError(path, error.lineno, f"not JSON ({error.msg})", expected) from None
    except (ValueError, RecursionError):  # a number too long, brackets too deep
        raise MalformedFileError(path, None, "not JSON (beyond what the parser takes)", expected) from None
