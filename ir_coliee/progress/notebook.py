"""One bar in the output of a notebook's cell, which stays as a line with its time."""

from __future__ import annotations

from html import escape
from typing import Any

from ir_coliee.progress.activities import Status
from ir_coliee.progress.wording import figures, percentage, sentence


class NotebookBar:
    """A bar in a Jupyter notebook, as HTML without scripts and widgets, so that it stays when the notebook is exported.

    The last report takes its place at the end.
    """

    delay, interval = 0.5, 0.5

    def __init__(self) -> None:
        self._handle: Any = None
        self._last_report = ""

    def show(self, now: Status) -> None:
        """Draw the bar, in place of the former one."""
        share = percentage(now)
        bar = f'<progress max="100" value="{share}"></progress> {share} %' if now.total else "<progress></progress>"
        self._display(f"{bar} {escape(now.name)} {escape(figures(now))}", sentence(now))

    def report(self, line: str) -> None:
        """Keep the line for the end."""
        self._last_report = line

    def close(self) -> None:
        """Show the last report instead of the bar."""
        if self._handle or self._last_report:
            self._display(escape(self._last_report), self._last_report)

    def _display(self, html: str, text: str) -> None:
        from IPython.display import display

        content = {"text/html": f"<div>{html}</div>", "text/plain": text}
        if self._handle is None:
            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)
