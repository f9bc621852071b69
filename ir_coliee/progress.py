"""How long work shows its progress."""

from __future__ import annotations


def progress_bar_options(verbose: bool) -> dict[str, bool | float | None]:
    """Arguments of a progress bar that shows itself on a terminal, and only for work that takes a while."""
    return {"disable": None if verbose else True, "delay": 0.5}
