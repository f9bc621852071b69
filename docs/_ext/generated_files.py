"""Files below ``docs/`` that extensions write before the pages are read."""

from pathlib import Path


def write_generated(path: Path, text: str) -> None:
    """Write a file if its text has changed: an unchanged page is not built again."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
