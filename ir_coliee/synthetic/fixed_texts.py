"""The few fixed texts of a synthetic release, from ``etc/synthetic_texts.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FILE = Path(__file__).parents[1] / "etc" / "synthetic_texts.yaml"


@cache
def _texts() -> dict[str, str]:
    import yaml  # its import is slow

    content: dict[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return content


def fixed_text(name: str) -> str:
    """Return a fixed text.

    Parameters
    ----------
    name : {"readme", "example answers", "act"}
        The read-me file of a package, example answers, or the line below the title of a civil code.

    Returns
    -------
    str
        The text.
    """
    return _texts()[name]
